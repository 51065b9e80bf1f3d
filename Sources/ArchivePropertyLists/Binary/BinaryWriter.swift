// Binary property lists: a table's values in CoreFoundation's order, sizes and trailer.
//
// The order is that of CFBinaryPList.c: a container, its keys, then its values, each with all its content.

import ArchiveBasics
import ArchiveGraph

/// Writes a table of values that a `GraphBuilder` made as a binary property list.
package enum BinaryWriter {
  /// Writes the values reachable from a document's top.
  ///
  /// - Parameters:
  ///   - document: a document from `GraphBuilder.finish`, whose scalars are canonical and unique.
  ///   - capacity: how many bytes to expect.
  package static func write(_ document: Document, capacity: Int = 4096) -> ByteBuffer {
    let order = WritingOrder(document.table, top: document.top)
    var output = OutputBuffer(descriptor: nil)
    output.bytes.expect(max(capacity, order.byteCount))
    write(document.table, in: order, to: &output)
    return output.intoBytes()
  }

  /// Writes the values reachable from a document's top, one of which is the data of another binary property list.
  ///
  /// That one is written where it belongs, so that a large one is never in memory twice.
  ///
  /// - Parameters:
  ///   - document: as for `write(_:capacity:)`.
  ///   - placeholder: the index of data of no bytes that stands for the other property list; the top reaches it.
  ///   - inner: the document of the other property list.
  package static func write(
    _ document: Document, with placeholder: UInt32, as inner: Document
  ) -> ByteBuffer {
    let innerOrder = WritingOrder(inner.table, top: inner.top)
    var header = ByteBuffer(capacity: 16)
    appendCount(innerOrder.byteCount, marker: Marker.data, to: &header)
    var order = WritingOrder(document.table, top: document.top)
    order.replace(placeholder, in: document.table, byteCount: header.count + innerOrder.byteCount)
    var output = OutputBuffer(descriptor: nil)
    output.bytes.expect(order.byteCount)
    let innerNumber = Int(order.number(placeholder))
    var writing = Writing(order, to: &output)
    writing.write(document.table, 0..<innerNumber, in: order, to: &output)
    writing.begin()
    output.bytes.append(header)
    write(inner.table, in: innerOrder, to: &output)
    writing.offset &+= header.count &+ innerOrder.byteCount
    writing.write(document.table, innerNumber + 1..<order.count, in: order, to: &output)
    writing.finish(order, to: &output)
    return output.intoBytes()
  }

  /// Writes the values reachable from a document's top, piece by piece.
  ///
  /// - Parameter document: as for `write(_:capacity:)`.
  package static func write(_ document: Document, to output: inout OutputBuffer) {
    write(document.table, in: WritingOrder(document.table, top: document.top), to: &output)
  }

  private static func write(
    _ table: ValueTable, in order: borrowing WritingOrder, to output: inout OutputBuffer
  ) {
    var writing = Writing(order, to: &output)
    writing.write(table, 0..<order.count, in: order, to: &output)
    writing.finish(order, to: &output)
  }

  /// A property list of which the values so far are written.
  private struct Writing: ~Copyable {
    /// Where the values so far begin.
    private var offsets: ByteBuffer
    /// Where the next value begins.
    var offset = BinaryReader.headerSize
    private let offsetWidth: Int
    private let referenceWidth: Int

    init(_ order: borrowing WritingOrder, to output: inout OutputBuffer) {
      offsetWidth = order.offsetWidth
      referenceWidth = order.referenceWidth
      offsets = ByteBuffer(capacity: order.count * offsetWidth)
      output.bytes.append(contentsOf: "bplist00")
    }

    /// Notes where the next value begins.
    @inline(__always)
    mutating func begin() { offsets.append(bigEndian: UInt64(offset), width: offsetWidth) }

    mutating func write(
      _ table: ValueTable, _ numbers: Range<Int>, in order: borrowing WritingOrder,
      to output: inout OutputBuffer
    ) {
      for number in numbers {
        begin()
        let start = output.bytes.count
        BinaryWriter.write(table, order.index(number), order, referenceWidth, to: &output.bytes)
        offset &+= output.bytes.count &- start
        output.flushIfFull()
      }
    }

    consuming func finish(_ order: borrowing WritingOrder, to output: inout OutputBuffer) {
      output.bytes.append(offsets)
      BinaryWriter.appendTrailer(
        offsetWidth, referenceWidth, count: order.count, top: 0, offsetsAt: offset,
        to: &output.bytes)
      output.flushIfFull()
    }
  }

  @inline(__always)
  private static func write(
    _ table: ValueTable, _ index: UInt32, _ order: borrowing WritingOrder, _ width: Int,
    to output: inout ByteBuffer
  ) {
    guard table.marker(of: index) >> 4 >= Marker.array else {
      return output.append(table.bytes(of: index))
    }
    let (start, references) = table.references(of: index)
    let pointer = table.pointer(of: index)
    output.append(ByteView(start: pointer, count: start - pointer))
    let room = output.reserve(references * width)
    // A loop for each width, as a choice for each reference would take longer than what is chosen. Indexes are of 32 bits.
    switch width {
    case 1: store(UInt8.self, table, start, references, order, to: room)
    case 2: store(UInt16.self, table, start, references, order, to: room)
    default: store(UInt32.self, table, start, references, order, to: room)
    }
    output.filled(references * width)
  }

  /// Stores the numbers of the values that references of a table lead to.
  @inline(__always)
  private static func store<Number: FixedWidthInteger & BitwiseCopyable>(
    _: Number.Type, _ table: ValueTable, _ start: UnsafeRawPointer, _ count: Int,
    _ order: borrowing WritingOrder, to room: UnsafeMutableRawPointer
  ) {
    for position in 0..<count {
      let number = order.number(table.reference(start, position))
      room.storeBytes(
        of: Number(truncatingIfNeeded: number).bigEndian,
        toByteOffset: position &* MemoryLayout<Number>.size, as: Number.self)
    }
  }

  /// Appends what follows the offsets.
  static func appendTrailer(
    _ offsetWidth: Int, _ referenceWidth: Int, count: Int, top: UInt64, offsetsAt start: Int,
    to output: inout ByteBuffer
  ) {
    output.append(bigEndian: 0, width: 6)
    output.append(UInt8(truncatingIfNeeded: offsetWidth))
    output.append(UInt8(truncatingIfNeeded: referenceWidth))
    for number in [UInt64(count), top, UInt64(start)] { output.append(bigEndian: number, width: 8) }
  }
}

// MARK: - The order in which a binary property list has its values

/// The values that a table's top reaches, in the order in which they are written.
///
/// In raw memory of as many entries as the table has values: of a table that was checked, or built, every index is less than
/// that, and each value is numbered once.
private struct WritingOrder: ~Copyable {
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

  var referenceWidth: Int { GraphBuilder.width(of: UInt64(count)) }

  var offsetWidth: Int { GraphBuilder.width(of: UInt64(tableOffset)) }

  var byteCount: Int { tableOffset + count * offsetWidth + BinaryReader.trailerSize }

  private var tableOffset: Int {
    BinaryReader.headerSize + fixedBytes + references * referenceWidth
  }

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
    fixedBytes &+= start - table.pointer(of: index)
    references &+= held
    return Frame(start: start, count: held)
  }
}
