// The order in which a binary property list has its values: a container, its keys, then its values.

import Basics
import ObjectGraph

/// The values that a table's top reaches, in the order in which they are written.
///
/// In raw memory of as many entries as the table has values: of a table that was checked, or built, every index is less than
/// that, and each value is numbered once.
struct WritingOrder: ~Copyable {
  /// Not a `GraphWalk`: every binary property list that is written passes here.
  private struct Frame {
    let start: UnsafeRawPointer
    let count: Int
    var next = 0
  }

  private static let absent = UInt32.max

  /// The indexes of the values in this order.
  private let indexes: UnsafeMutablePointer<UInt32>
  /// For each index its place in this order.
  private let numbers: UnsafeMutablePointer<UInt32>
  /// The number of values.
  private(set) var count = 0
  /// The bytes of all scalars, and of containers without references.
  private var fixedBytes = 0
  private var references = 0

  /// Follows all references from a value on.
  init(_ table: ValueTable, top: UInt32) {
    indexes = .allocate(capacity: table.count)
    numbers = .allocate(capacity: table.count)
    numbers.initialize(repeating: Self.absent, count: table.count)
    var stack: [Frame] = []
    if let frame = visit(top, table) { stack.append(frame) }
    while var frame = stack.popLast() {
      while frame.next < frame.count {
        let child = table.reference(frame.start, frame.next)
        frame.next &+= 1
        guard numbers[Int(child)] == Self.absent, let inner = visit(child, table) else { continue }
        stack.append(frame)
        frame = inner
      }
    }
  }

  deinit {
    indexes.deallocate()
    numbers.deallocate()
  }

  /// How many bytes a reference takes.
  var referenceWidth: Int { BinaryWriter.width(of: UInt64(count)) }

  /// How many bytes an offset takes.
  var offsetWidth: Int { BinaryWriter.width(of: UInt64(tableOffset)) }

  /// How many bytes the property list takes.
  var byteCount: Int { tableOffset + count * offsetWidth + BinaryReader.trailerSize }

  private var tableOffset: Int {
    BinaryReader.headerSize + fixedBytes + references * referenceWidth
  }

  /// The index of the value with a number.
  @inline(__always)
  func index(_ number: Int) -> UInt32 { indexes[number] }

  /// The number of a value that is written.
  @inline(__always)
  func number(_ index: UInt32) -> UInt32 { numbers[Int(index)] }

  /// Counts other bytes in place of those of a scalar that is written.
  mutating func replace(_ index: UInt32, in table: ValueTable, byteCount: Int) {
    fixedBytes &+= byteCount &- table.bytes(of: index).count
  }

  /// Numbers a value.
  ///
  /// - Returns: its references, if it is a container.
  @inline(__always)
  private mutating func visit(_ index: UInt32, _ table: ValueTable) -> Frame? {
    numbers[Int(index)] = UInt32(truncatingIfNeeded: count)
    indexes[count] = index
    count &+= 1
    guard table.marker(of: index) >> 4 >= Marker.array else {
      fixedBytes &+= table.bytes(of: index).count
      return nil
    }
    let (start, held) = table.references(of: index)
    fixedBytes &+= start - (table.base + table.offset(of: index))
    references &+= held
    return Frame(start: start, count: held)
  }
}
