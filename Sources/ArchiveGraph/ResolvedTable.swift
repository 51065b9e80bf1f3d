// What each object of a keyed archive is, found once when the archive is opened: later visits do not interpret it again.
//
// An entry is 20 bytes an object with a class, and a quarter of a byte any value of the archive. Of a large archive each
// object's marker is kept as well: objects that others share are anywhere, but their markers lie close together.

import ArchiveBasics

/// The objects of a keyed archive that need no further interpretation, by their stored index.
@usableFromInline
package final class ResolvedTable {
  /// What an object is.
  @frozen @usableFromInline
  package enum Kind: UInt8, Sendable {
    /// To be asked of the interpreter.
    case unknown
    /// A collection, whose elements are the references of one stored array.
    case array
    case set
    case orderedSet
    /// A dictionary, whose keys and values are the references of two stored arrays.
    case dictionary
    /// An object that is shown by its fields.
    case object
  }

  /// An object.
  ///
  /// Its offsets count from the base of the table, whose survey has checked what they lead to.
  @usableFromInline
  struct Entry {
    /// The kind in the low byte, the number of the class above it.
    @usableFromInline var kindAndClass: UInt32 = 0
    /// The number of elements or pairs.
    @usableFromInline var count: UInt32 = 0
    /// Where the references of the elements, keys or fields begin.
    @usableFromInline var first: UInt32 = 0
    /// Where those of a dictionary's values begin.
    @usableFromInline var second: UInt32 = 0
    /// Where among its pairs the object has its class.
    var classPosition: UInt32 = 0

    @inlinable
    var kind: Kind {
      @inline(__always) get { Kind(rawValue: UInt8(truncatingIfNeeded: kindAndClass)) ?? .unknown }
    }

    var classIndex: ClassIndex { ClassIndex(kindAndClass >> 8) }
    var owner: Pairs.Owner { .object(classPosition: Int(classPosition)) }
  }

  /// What is necessary to find an entry; it is valid as long as its table is.
  @usableFromInline
  struct View {
    @usableFromInline let declared: RankedSet
    @usableFromInline let entries: UnsafePointer<Entry>

    /// The entry of a value of the archive; nil for those that are no objects.
    @inlinable @inline(__always)
    func entry(of index: UInt32) -> UnsafePointer<Entry>? {
      declared.rank(of: Int(index)).map { entries + $0 }
    }
  }

  private let table: ValueTable
  /// The values that have an entry.
  private let declared: RankedSet
  private var entries: UnsafeMutablePointer<Entry>
  /// The marker of each object of `$objects`; nil for archives whose references are followed once for all.
  let markers: UnsafeMutablePointer<UInt8>?

  /// Makes a table for the values of an archive, none of them declared.
  ///
  /// - Parameter objectCount: how many objects `$objects` has; each of them is to be declared.
  /// - Returns: nil for an archive whose offsets do not fit in 32 bits.
  package init?(for table: ValueTable, objectCount: Int) {
    guard table.byteCount < UInt32.max else { return nil }
    self.table = table
    markers = ObjectGraph.followsAll(in: table) ? nil : .allocateTable(capacity: objectCount)
    declared = RankedSet(bound: table.count)
    entries = .allocate(capacity: 0)
  }

  deinit {
    declared.deallocate()
    entries.deallocate()
    markers?.deallocate()
  }

  var view: View { View(declared: declared, entries: entries) }

  /// Declares what is stored as an object of `$objects`; a dictionary may have a class, and so an entry.
  @inline(__always)
  package func declare(_ number: Int, _ index: UInt32, marker: UInt8) {
    if let markers { (markers + number).initialize(to: marker) }
    if marker >> 4 == Marker.dictionary { declared.insert(Int(index)) }
  }

  /// Makes room for the entries of the values that were declared.
  package func seal() {
    let count = declared.seal()
    entries.deallocate()
    entries = .allocateTable(capacity: count)
    entries.initialize(repeating: Entry(), count: count)
  }

  /// Where the entries of the values that were declared are filled.
  package var slots: Slots { Slots(view: view, base: table.base) }

  /// The entries of a sealed table while they are filled; valid as long as the table is.
  ///
  /// A value of raw pointers: to hand the table itself to what each object calls would count a reference each time.
  package struct Slots {
    fileprivate let view: View
    fileprivate let base: UnsafeRawPointer

    /// Says what an object is; nothing is kept for values that were not declared, or of classes beyond 2^24.
    ///
    /// - Parameters:
    ///   - classPosition: where among its pairs the object has its class.
    ///   - count: the number of elements, pairs or fields.
    ///   - first: the first reference of the elements, keys or fields.
    ///   - second: the first reference of a dictionary's values; else as `first`.
    public func set(
      _ index: UInt32, _ kind: Kind, class classIndex: ClassIndex, classPosition: Int,
      count: Int,
      first: UnsafeRawPointer, second: UnsafeRawPointer
    ) {
      guard classIndex < 1 << 24, let found = view.entry(of: index) else { return }
      UnsafeMutablePointer(mutating: found).pointee = Entry(
        kindAndClass: UInt32(truncatingIfNeeded: classIndex) << 8 | UInt32(kind.rawValue),
        count: UInt32(truncatingIfNeeded: count),
        first: UInt32(truncatingIfNeeded: first - base),
        second: UInt32(truncatingIfNeeded: second - base),
        classPosition: UInt32(truncatingIfNeeded: classPosition))
    }
  }
}

// MARK: - A set of numbers as bits, whose members have places in a table of the members alone

/// A set of numbers below a bound that knows how many of its members are below each of them.
///
/// It takes a quarter of a byte for each number, and has no owner: whoever made it frees it.
@usableFromInline
struct RankedSet {
  /// Which of 64 numbers are members, and how many members are below these.
  @usableFromInline
  struct Block {
    @usableFromInline var bits: UInt64 = 0
    @usableFromInline var before: UInt64 = 0
  }

  @usableFromInline let blocks: UnsafeMutablePointer<Block>
  private let blockCount: Int

  /// Makes an empty set.
  ///
  /// - Parameter bound: above all numbers that are inserted or looked for.
  init(bound: Int) {
    blockCount = bound / 64 + 1
    blocks = .allocateTable(capacity: blockCount)
    blocks.initialize(repeating: Block(), count: blockCount)
  }

  func deallocate() { blocks.deallocate() }

  @inline(__always)
  func insert(_ number: Int) { blocks[number >> 6].bits |= 1 << UInt64(number & 63) }

  /// Counts the members, after which they have their ranks.
  func seal() -> Int {
    var count = 0
    for position in 0..<blockCount {
      blocks[position].before = UInt64(count)
      count += blocks[position].bits.nonzeroBitCount
    }
    return count
  }

  /// How many members are below a number; nil if it is none.
  @inlinable @inline(__always)
  func rank(of number: Int) -> Int? {
    let block = blocks + (number >> 6)
    let bit: UInt64 = 1 << UInt64(number & 63)
    guard block.pointee.bits & bit != 0 else { return nil }
    let below = (block.pointee.bits & (bit &- 1)).nonzeroBitCount
    return Int(truncatingIfNeeded: block.pointee.before) &+ below
  }
}
