// Stored values made canonical: equal scalars become one, numbers take the fewest bytes.

import ArchiveBasics
import ArchiveGraph

/// Copies the stored values that a document's top reaches into a table as `GraphBuilder` makes them.
///
/// Shared containers stay shared; unreachable values are left out. Conversions spend their time here, so that the stack
/// is its own.
package struct TableCopy: ~Copyable {
  private struct Frame {
    let index: UInt32
    let start: UnsafeRawPointer
    let count: Int
    var next = 0
  }

  private static let absent = UInt32.max

  private let table: ValueTable
  private let limits: Limits
  /// UIDs from this number on are marked as lost; nil if none is.
  private let uidBound: UInt64?
  private var builder: GraphBuilder
  /// For each stored value its index in the copy.
  private var copies: [UInt32]
  private var stack: [Frame] = []

  private init(_ document: Document, _ limits: Limits, _ uidBound: UInt64?) {
    table = document.table
    self.limits = limits
    self.uidBound = uidBound
    builder = GraphBuilder(capacity: document.table.byteCount)
    copies = [UInt32](repeating: Self.absent, count: document.table.count)
  }

  /// Copies a document.
  ///
  /// - Parameters:
  ///   - document: a document whose table was checked.
  ///   - limits: the depth that is allowed.
  ///   - bound: UIDs from this number on become dictionaries with the key `$lost`; nil to keep all.
  /// - Throws: `ArchiveError` with code `limit` if containers are nested too deep.
  package static func canonical(
    _ document: Document, limits: Limits = Limits(), losingUIDsFrom bound: UInt64? = nil
  ) throws(ArchiveError) -> Document {
    // The output of a builder is already canonical.
    if !document.encoding.isTable, bound == nil { return document }
    var copy = TableCopy(document, limits, bound)
    let top = try copy.run(document.top)
    return copy.builder.finish(top: top)
  }

  private mutating func run(_ top: UInt32) throws(ArchiveError) -> UInt32 {
    try visit(top)
    while let frame = stack.last {
      let level = stack.count
      var next = frame.next
      while next < frame.count, stack.count == level {
        let child = table.reference(frame.start, next)
        next &+= 1
        if copies[Int(child)] == Self.absent { try visit(child) }
      }
      if stack.count == level {
        stack.removeLast()
        close(frame)
      } else {
        stack[level &- 1].next = next
      }
    }
    return copies[Int(top)]
  }

  @inline(__always)
  private mutating func visit(_ index: UInt32) throws(ArchiveError) {
    let marker = table.marker(of: index)
    guard marker >> 4 >= Marker.array else {
      if marker >> 4 == Marker.uid, let uidBound, table.uid(at: index) >= uidBound {
        copies[Int(index)] = builder.add(lost: "UID \(table.uid(at: index)): no such object")
      } else {
        copies[Int(index)] = builder.add(scalar: table.scalar(at: index))
      }
      return
    }
    guard stack.count < limits.depth else {
      throw .tooDeep(limits.depth, offset: table.offset(of: index))
    }
    let (start, count) = table.counted(index)
    stack.append(
      Frame(
        index: index, start: start,
        count: marker >> 4 == Marker.dictionary ? count &* 2 : count))
  }

  private mutating func close(_ frame: Frame) {
    let kind = table.marker(of: frame.index) >> 4
    builder.open()
    if kind == Marker.dictionary {
      let pairs = frame.count / 2
      for position in 0..<pairs {
        builder.append(copies[Int(table.reference(frame.start, position))])
        builder.append(copies[Int(table.reference(frame.start, pairs &+ position))])
      }
      copies[Int(frame.index)] = builder.closeDictionary()
    } else {
      for position in 0..<frame.count {
        builder.append(copies[Int(table.reference(frame.start, position))])
      }
      copies[Int(frame.index)] = builder.close(kind)
    }
  }
}

extension GraphBuilder {
  /// Adds a scalar value; null for a container.
  package mutating func add(scalar value: Value) -> UInt32 {
    switch value {
    case .boolean(let flag): return add(flag)
    case .integer(let number): return add(number)
    case .unsigned(let number): return add(unsigned: number)
    case .wide(let number): return add(wide: number.number)
    case .real(let number): return add(number)
    case .single(let number): return add(number)
    case .date(let seconds): return add(date: seconds)
    case .data(let bytes): return add(data: bytes)
    case .string(let text): return add(text)
    case .uid(let number): return add(uid: number)
    default: return addNull()
    }
  }
}
