// Binary property lists: a table's values in CoreFoundation's order, sizes and trailer.
//
// The order is that of CFBinaryPList.c: a container, its keys, then its values, each with all its content.

import Basics
import ObjectGraph

/// Writes a table of values that a `GraphBuilder` made as a binary property list.
public enum BinaryWriter {
  /// Writes the values reachable from a document's top.
  ///
  /// - Parameters:
  ///   - document: a document from `GraphBuilder.finish`, whose scalars are canonical and unique.
  ///   - capacity: how many bytes to expect.
  public static func write(_ document: Document, capacity: Int = 4096) -> ByteBuffer {
    let order = flatten(document.table, top: document.top)
    let table = document.table
    let referenceWidth = width(of: UInt64(order.indexes.count))
    var output = ByteBuffer(capacity: max(capacity, table.byteCount / 2))
    output.append(contentsOf: "bplist00")
    var offsets = [Int](repeating: 0, count: order.indexes.count)
    for (number, index) in order.indexes.enumerated() {
      offsets[number] = output.count
      write(table, index, order.numbers, referenceWidth, to: &output)
    }
    let tableOffset = output.count
    let offsetWidth = width(of: UInt64(tableOffset))
    for offset in offsets { output.append(bigEndian: UInt64(offset), width: offsetWidth) }
    output.append(bigEndian: 0, width: 6)
    output.append(UInt8(offsetWidth))
    output.append(UInt8(referenceWidth))
    output.append(bigEndian: UInt64(order.indexes.count), width: 8)
    output.append(bigEndian: 0, width: 8)
    output.append(bigEndian: UInt64(tableOffset), width: 8)
    return output
  }

  /// The order in which values are written, and each value's number in it.
  private struct Order {
    var indexes: [UInt32] = []
    var numbers: [UInt32]
  }

  /// Not a `GraphWalk`: every binary property list that is written passes here.
  private struct Frame {
    let start: UnsafeRawPointer
    let count: Int
    var next = 0
  }

  private static func flatten(_ table: ValueTable, top: UInt32) -> Order {
    var order = Order(numbers: [UInt32](repeating: .max, count: table.count))
    order.indexes.reserveCapacity(table.count)
    var stack: [Frame] = []
    visit(top, table, &order, &stack)
    while let frame = stack.last {
      guard frame.next < frame.count else {
        stack.removeLast()
        continue
      }
      stack[stack.count - 1].next += 1
      visit(table.reference(frame.start, frame.next), table, &order, &stack)
    }
    return order
  }

  @inline(__always)
  private static func visit(
    _ index: UInt32, _ table: ValueTable, _ order: inout Order, _ stack: inout [Frame]
  ) {
    guard order.numbers[Int(index)] == .max else { return }
    order.numbers[Int(index)] = UInt32(truncatingIfNeeded: order.indexes.count)
    order.indexes.append(index)
    let kind = table.marker(of: index) >> 4
    guard kind >= Marker.array else { return }
    let (start, count) = table.counted(index)
    let isDictionary = kind == Marker.dictionary
    stack.append(
      Frame(start: start, count: isDictionary ? count * 2 : count))
  }

  @inline(__always)
  private static func write(
    _ table: ValueTable, _ index: UInt32, _ numbers: [UInt32], _ referenceWidth: Int,
    to output: inout ByteBuffer
  ) {
    let kind = table.marker(of: index) >> 4
    guard kind >= Marker.array else { return output.append(table.bytes(of: index)) }
    let (start, count) = table.counted(index)
    let place = table.base + table.offset(of: index)
    output.append(UnsafeRawBufferPointer(start: place, count: start - place))
    for position in 0..<(kind == Marker.dictionary ? count * 2 : count) {
      let number = numbers[Int(table.reference(start, position))]
      output.append(bigEndian: UInt64(number), width: referenceWidth)
    }
  }

  /// The fewest bytes of 1, 2, 4 and 8 that a number fits in.
  static func width(of number: UInt64) -> Int {
    number <= 0xFF ? 1 : number <= 0xFFFF ? 2 : number <= 0xFFFF_FFFF ? 4 : 8
  }
}
