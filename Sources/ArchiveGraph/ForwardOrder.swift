// Whether the numbers of an archive's objects show that nothing holds itself: then no walk has to look for it.

import ArchiveBasics

/// One pass over the objects of a keyed archive in their order, which reads every reference and nothing that it leads to.
///
/// NSKeyedArchiver numbers an object before what the object holds (swift-corelibs-foundation: NSKeyedArchiver.swift,
/// `_encodeObject`), so that references lead forward, or back to an object that was encoded before. As long as those
/// that lead back end at objects without references of their own, no path returns to where it was. A walk would look
/// at what each reference leads to, which in a large archive is to wait for the memory.
enum ForwardOrder {
  /// Whether no container below a value holds itself, and none is nested deeper than the graph's limits allow.
  ///
  /// False says nothing: the archive may have data, whose content is not seen, or another order of its objects.
  static func holds(below root: Node, in graph: ObjectGraph) -> Bool {
    let view = graph.views[Int(root.document)]
    guard let objects = view.objects, view.objectCount > 0 else { return false }
    let table = view.table
    let archive = (objects, view.objectCount, Int(root.index), graph.limits.depth)
    switch (table.offsetWidth, table.referenceWidth) {
    case (1, 1): return holds(OneByte.self, OneByte.self, table, archive)
    case (2, 1): return holds(TwoBytes.self, OneByte.self, table, archive)
    case (2, 2): return holds(TwoBytes.self, TwoBytes.self, table, archive)
    case (3, 2): return holds(ThreeBytes.self, TwoBytes.self, table, archive)
    case (3, 3): return holds(ThreeBytes.self, ThreeBytes.self, table, archive)
    case (4, 2): return holds(FourBytes.self, TwoBytes.self, table, archive)
    case (4, 3): return holds(FourBytes.self, ThreeBytes.self, table, archive)
    case (4, 4): return holds(FourBytes.self, FourBytes.self, table, archive)
    default: return false
    }
  }

  private static func holds<Offset: StoredWidth, Reference: StoredWidth>(
    _: Offset.Type, _: Reference.Type, _ table: ValueTable,
    _ archive: (objects: UnsafeRawPointer, count: Int, root: Int, depth: Int)
  ) -> Bool {
    var pass = Pass<Offset, Reference>(table, objectCount: archive.count)
    defer { pass.free() }
    // The root need not be an object; as one before all others it may refer to any.
    guard pass.see(archive.root, as: -1) else { return false }
    for number in 0..<archive.count {
      guard pass.see(Reference.load(archive.objects, number), as: number) else { return false }
    }
    return pass.deepest <= archive.depth
  }
}

/// The state of the pass over archives with offsets and references of certain widths.
private struct Pass<Offset: StoredWidth, Reference: StoredWidth> {
  private let table: ValueTable
  private let objectCount: Int
  /// A bit for each object, set if it was seen and has references.
  ///
  /// Raw memory, as every reference looks at it: `follow` compares each number with that of the objects before.
  private let leading: UnsafeMutablePointer<UInt8>
  /// How many references lead to each object at most, one after another, as far as they were seen.
  private let depths: UnsafeMutablePointer<UInt8>
  /// How many references may still be looked at: each takes a byte at least, but lists in objects may be shared.
  private var allowance: Int
  private var longest = 0

  /// Longer paths are not counted, and left to a walk.
  private static var mostLong: Int { 250 }

  /// - Parameter table: values that were checked, UIDs being below the number of objects.
  init(_ table: ValueTable, objectCount: Int) {
    self.table = table
    self.objectCount = objectCount
    allowance = table.byteCount
    leading = .allocateTable(capacity: objectCount / 8 + 1)
    leading.initialize(repeating: 0, count: objectCount / 8 + 1)
    depths = .allocateTable(capacity: objectCount)
    depths.initialize(repeating: 0, count: objectCount)
  }

  func free() {
    leading.deallocate()
    depths.deallocate()
  }

  /// How deep containers are nested at most: an object may have lists in itself.
  var deepest: Int { (longest + 1) * 2 }

  /// Adds an object; false if what it refers to decides nothing.
  @inline(__always)
  mutating func see(_ index: Int, as number: Int) -> Bool {
    let pointer = table.base + Offset.load(table.offsets, index)
    let kind = pointer.load(as: UInt8.self) >> 4
    if kind < Marker.array { return kind != Marker.data }
    let depth = number < 0 ? 1 : Int(depths[number]) &+ 1
    guard depth <= Self.mostLong else { return false }
    let (start, count) = references(of: kind, at: pointer)
    allowance &-= count
    guard allowance >= 0 else { return false }
    var leads = false
    for position in 0..<count {
      let child = child(start, position)
      switch examine(child, from: number, depth, &leads) {
      case .seen: continue
      case .container: guard seeList(child, as: number, depth, &leads) else { return false }
      case .undecided: return false
      }
    }
    if leads {
      longest = max(longest, depth)
      if number >= 0 { leading[number >> 3] |= 1 << UInt8(number & 7) }
    }
    return true
  }

  /// Adds what a container in an object refers to, which may not be a further one.
  @inline(__always)
  private mutating func seeList(
    _ pointer: UnsafeRawPointer, as number: Int, _ depth: Int, _ leads: inout Bool
  ) -> Bool {
    let (start, count) = references(of: pointer.load(as: UInt8.self) >> 4, at: pointer)
    allowance &-= count
    guard allowance >= 0 else { return false }
    for position in 0..<count {
      guard case .seen = examine(child(start, position), from: number, depth, &leads) else {
        return false
      }
    }
    return true
  }

  /// What came of looking at a value of a container.
  private enum Step {
    case seen
    /// It is a container that is stored in the other.
    case container
    case undecided
  }

  /// Adds a value of a container, unless it is a container itself.
  @inline(__always)
  private func examine(
    _ pointer: UnsafeRawPointer, from number: Int, _ depth: Int, _ leads: inout Bool
  ) -> Step {
    let marker = pointer.load(as: UInt8.self)
    if marker >> 4 == Marker.uid {
      leads = true
      return follow(pointer, marker, from: number, depth) ? .seen : .undecided
    }
    if marker >> 4 >= Marker.array { return .container }
    return marker >> 4 == Marker.data ? .undecided : .seen
  }

  /// Takes note of a reference; false if a path may return by it.
  @inline(__always)
  private func follow(
    _ pointer: UnsafeRawPointer, _ marker: UInt8, from number: Int, _ depth: Int
  ) -> Bool {
    let target: Int
    switch marker {
    case 0x80: target = OneByte.load(pointer + 1, 0)
    case 0x81: target = TwoBytes.load(pointer + 1, 0)
    case 0x82: target = ThreeBytes.load(pointer + 1, 0)
    case 0x83: target = FourBytes.load(pointer + 1, 0)
    default: return false
    }
    if target > number {
      guard target < objectCount else { return false }
      let depth = UInt8(truncatingIfNeeded: depth)
      if depths[target] < depth { depths[target] = depth }
      return true
    }
    return target < number && leading[target >> 3] >> UInt8(target & 7) & 1 == 0
  }

  /// Where the value at a position of a container's references is stored.
  @inline(__always)
  private func child(_ start: UnsafeRawPointer, _ position: Int) -> UnsafeRawPointer {
    table.base + Offset.load(table.offsets, Reference.load(start, position))
  }

  @inline(__always)
  private func references(
    of kind: UInt8, at pointer: UnsafeRawPointer
  ) -> (start: UnsafeRawPointer, count: Int) {
    let (start, count) = ValueTable.counted(at: pointer)
    return (start, kind == Marker.dictionary ? count &* 2 : count)
  }
}
