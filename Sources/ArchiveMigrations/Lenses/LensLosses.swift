// What a run of lenses has lost, and what it may restore.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import FileTransactions

/// Ties lost values to the elements that they belong to.
struct LostAnchoring {
  /// Whether lost values get anchors.
  var isRequested = false
  /// Whether a kept value is discarded if its element has changed; otherwise that is an error.
  var isForgiving = false
}

/// The values that a run has lost, and those that were kept when the opposite migration lost them.
struct LensLosses {
  private let graph: ObjectGraph
  private let anchoring: LostAnchoring
  /// The values that the operations could not carry.
  private(set) var lost: [LostValue] = []
  /// Absent and null members that do not come back, where the lens states that this means the same.
  private(set) var tolerated: [LostValue] = []
  /// The kept values, by their locations.
  private var kept: [InstanceLocation: LostValue] = [:]
  /// The locations of kept values with anchors, by the enclosing elements.
  private var anchored: [[InstanceLocation.Element]: [InstanceLocation]] = [:]
  /// The locations of kept values that no operation has used.
  private var waiting: Set<InstanceLocation> = []
  /// The locations of values that this run has lost itself, and may restore.
  private var own: Set<InstanceLocation> = []
  /// Those of them that it has restored.
  private var restored: Set<InstanceLocation> = []

  init(_ graph: ObjectGraph, kept: [LostValue], _ anchoring: LostAnchoring) {
    self.graph = graph
    self.anchoring = anchoring
    for value in kept {
      keep(value)
      if value.anchors.isEmpty { continue }
      let elements = value.location.elements
      for end in elements.indices {
        anchored[Array(elements[...end]), default: []].append(value.location)
      }
    }
  }

  private mutating func keep(_ value: LostValue) {
    kept[value.location] = value
    waiting.insert(value.location)
  }

  /// The kept values that no operation used.
  var unused: [LostValue] { waiting.subtracting(own).compactMap { kept[$0] } }

  /// Whether a value was kept at or below some elements.
  func holds(_ elements: [InstanceLocation.Element]) -> Bool {
    kept.keys.contains { $0.elements.starts(with: elements) }
  }

  mutating func add(_ value: LostValue, isTolerated: Bool) {
    if isTolerated { tolerated.append(value) } else { lost.append(value) }
  }

  /// The value that was kept at a location.
  mutating func keptValue(at location: @autoclosure () -> InstanceLocation) -> LostValue? {
    // As in most runs.
    if kept.isEmpty { return nil }
    let location = location()
    waiting.remove(location)
    guard let value = kept[location] else { return nil }
    if own.remove(location) != nil { restored.insert(location) }
    return value
  }

  /// Keeps the values that a lens has lost in this run: it may restore them when it is applied again.
  mutating func keepOwn(of lens: String) {
    forgetRestored()
    for value in lost + tolerated where value.lens == lens {
      keep(value)
      own.insert(value.location)
    }
  }

  /// Removes the values that a lens has restored from the losses.
  mutating func forgetRestored() {
    if restored.isEmpty { return }
    lost.removeAll { restored.contains($0.location) }
    tolerated.removeAll { restored.contains($0.location) }
    restored = []
  }

  // MARK: Anchors
  //
  // They tie lost values to the list elements that they belong to, so that they are not restored elsewhere. When an
  // operation on an element has lost something, the element is hashed in the state after the operation. The inverse
  // hashes it again before it inverts the operation: the hashes are equal unless the element was changed in between.

  /// The prefix of the anchor of a whole list, used if its elements could be confused with one another.
  private static let listMark = "list:"

  /// A value that was kept for an element which has changed since; nil if there is none, or such values are discarded.
  mutating func outdated(for value: LensValue, at position: LensPosition) -> LostValue? {
    if anchored.isEmpty { return nil }
    return outdated(
      for: value, at: position.elements, position, level: position.level, isList: false)
  }

  /// The same for the elements of a list that could be confused with one another.
  mutating func outdated(forElements items: [LensValue], at position: LensPosition) -> LostValue? {
    if anchored.isEmpty { return nil }
    let list = LensValue(.list(items))
    for index in items.indices {
      let elements = position.elements + [.index(index)]
      let found = outdated(
        for: list, at: elements, position, level: position.level + 1, isList: true)
      if let found { return found }
    }
    return nil
  }

  private mutating func outdated(
    for value: LensValue, at elements: [InstanceLocation.Element], _ position: LensPosition,
    level: Int, isList: Bool
  ) -> LostValue? {
    let operation = position.operation.pointer
    let values = (anchored[elements] ?? []).compactMap { location -> LostValue? in
      let isInside =
        location.operation == operation || location.operation.hasPrefix(operation + "/")
      guard location.lens == position.lens, isInside, let value = kept[location],
        value.anchors.indices.contains(level),
        value.anchors[level].hasPrefix(Self.listMark) == isList
      else { return nil }
      return value
    }
    if values.isEmpty { return nil }
    let anchor = (isList ? Self.listMark : "") + trace(of: value)
    for value in values where value.anchors[level] != anchor {
      guard anchoring.isForgiving else { return value }
      kept[value.location] = nil
    }
    return nil
  }

  /// Ties the values lost since a mark to the element that they belong to.
  mutating func anchor(since first: Int, to value: LensValue) {
    guard anchoring.isRequested, lost.count > first else { return }
    let trace = trace(of: value)
    // Nested operations have anchored their values already.
    for index in first..<lost.count { lost[index].anchors.insert(trace, at: 0) }
  }

  /// Ties the values lost since a mark that belong to repeated elements of a list to the whole list.
  ///
  /// - Parameter depth: how many elements are around the list's own.
  mutating func anchorRepeated(since first: Int, _ items: [LensValue], depth: Int) {
    guard anchoring.isRequested, lost.count > first else { return }
    var counts: [[UInt8]: Int] = [:]
    let digests = items.map { $0.digest(in: graph) ?? [] }
    for digest in digests { counts[digest, default: 0] += 1 }
    guard counts.values.contains(where: { $0 > 1 }) else { return }
    let mark = Self.listMark + trace(of: LensValue(.list(items)))
    for number in first..<lost.count {
      let elements = lost[number].location.elements
      guard elements.indices.contains(depth), case .index(let index) = elements[depth],
        digests.indices.contains(index), counts[digests[index], default: 0] > 1,
        !lost[number].anchors.isEmpty
      else { continue }
      // Outer anchors are added later, before this one.
      lost[number].anchors[0] = mark
    }
  }

  /// The canonical hash of a value; values that could be confused with one another have different hashes.
  private func trace(of value: LensValue) -> String {
    guard let bytes = value.digest(in: graph) else { return "" }
    let hash = try? ContentHash(of: ByteStorage(copying: bytes))
    return String(hash?.description.prefix(32) ?? "")
  }
}

extension LensValue {
  /// The value as canonical bytes, independent of its envelope; nil if there are none.
  fileprivate func digest(in graph: ObjectGraph) -> [UInt8]? {
    switch content {
    case .node(let node): return ModelDigest.bytes(of: node, in: graph)
    case .scalar(let form): return ModelDigest.bytes(of: form)
    case .list(let items):
      let all = items.compactMap { $0.digest(in: graph) }
      return all.count == items.count ? ModelDigest.bytes(ofList: all) : nil
    case .members(let members):
      let all = members.compactMap { member in
        member.value.digest(in: graph).map { (name: member.name, value: $0) }
      }
      return all.count == members.count ? ModelDigest.bytes(ofMembers: all) : nil
    }
  }
}
