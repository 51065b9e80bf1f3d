// Whether the containers of a small document refer to no container before them, so that none can contain itself.
//
// An archiver numbers an object before what it refers to, so this holds for most archives, and a pass over the stored
// values takes half the instructions of a walk. Only the references to classes lead back, and those are no part of a
// value.

import Basics

extension ObjectGraph {
  /// Whether one pass over the stored values shows that no container holds itself, and that none is nested too deep.
  ///
  /// False says nothing: a container may only be shared, or there may be data that holds an archive.
  package func hasOnlyForwardReferences() -> Bool {
    guard documents.count == 1 else { return false }
    if let depth = documents[0].treeDepth, documents[0].hasOnlyStoredContainers {
      return depth <= limits.depth
    }
    let table = documents[0].table
    // In large archives references are followed one by one.
    guard views.pointee.targets != nil || views.pointee.objects == nil else { return false }
    switch (table.offsetWidth, table.referenceWidth) {
    case (1, 1): return leadsForward(OneByte.self, OneByte.self, table)
    case (2, 1): return leadsForward(TwoBytes.self, OneByte.self, table)
    case (2, 2): return leadsForward(TwoBytes.self, TwoBytes.self, table)
    case (3, 2): return leadsForward(ThreeBytes.self, TwoBytes.self, table)
    case (4, 4): return leadsForward(FourBytes.self, FourBytes.self, table)
    default: return false
    }
  }

  private func leadsForward<Offset: StoredWidth, Reference: StoredWidth>(
    _ offset: Offset.Type, _ reference: Reference.Type, _ table: ValueTable
  ) -> Bool {
    let targets = views.pointee.targets
    // `$top` often stands behind all objects, to which it refers. Nothing may refer to it but the outermost dictionary, to
    // which nothing may refer: it stands before all others.
    let outermost = 0
    let archive = documents[0].top == outermost ? documents[0].archive : nil
    let top = archive.map { Int($0.topDictionary) } ?? -1
    // Nesting cannot be deeper than there are containers.
    var allowance = limits.depth
    for index in 0..<table.count {
      let place = table.base + Offset.load(table.offsets, index)
      let kind = place.load(as: UInt8.self) >> 4
      if kind < Marker.array {
        guard kind != Marker.data || nestedReader == nil else { return false }
        continue
      }
      allowance &-= 1
      guard allowance >= 0 else { return false }
      if index == top { continue }
      var (start, count) = ValueTable.counted(at: place)
      var hidden = -1
      if kind == Marker.dictionary {
        guard let position = classPosition(UInt32(truncatingIfNeeded: index)) else { return false }
        if position >= 0 { hidden = count &+ position }
        count &*= 2
      }
      // The table's survey has bounded how many references all containers have together.
      for position in 0..<count {
        var target = Reference.load(start, position)
        if let targets { target = Int(targets[target]) }
        if target == top {
          guard index == outermost else { return false }
          continue
        }
        guard target <= index, position != hidden else { continue }
        let marker = (table.base + Offset.load(table.offsets, target)).load(as: UInt8.self)
        if marker >> 4 >= Marker.array { return false }
      }
    }
    return true
  }

  /// Which pair of a stored dictionary is its class, which no value shows; nil if the value is not what is stored.
  @inline(__always)
  private func classPosition(_ index: UInt32) -> Int? {
    guard let interpreter = views.pointee.interpreter else { return -1 }
    if let entry = views.pointee.resolved?.entry(of: index), entry.pointee.kind != .unknown {
      return Int(entry.pointee.hidden)
    }
    return interpreter._withUnsafeGuaranteedRef {
      $0.classPosition(ofStored: index, document: 0, in: self)
    }
  }
}
