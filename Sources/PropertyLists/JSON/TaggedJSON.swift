// Typed JSON made stored values again: what `convert --to json --typed` wrote, tag by tag.

import Basics
import ObjectGraph

/// Reads the tags of typed JSON.
public struct TaggedJSON: ~Copyable {
  /// The content of a JSON text with respect to tags.
  public enum Kind: Sendable {
    /// No tags: everything is plain.
    case plain
    /// Tags of stored values.
    case stored
    /// Objects with their classes, or cycles: a resolved keyed archive.
    case graph
  }

  private enum Children {
    /// Elements of an array of this marker.
    case elements(UInt8)
    /// Keys and values.
    case pairs
    /// The values and keys of entry objects.
    case entries
    /// One value that gets an identity.
    case identified(Int64)
  }

  /// Not a `GraphWalk`: a level gathers what its tag makes of its children.
  private struct Frame {
    let children: Children
    let start: UnsafeRawPointer
    let count: Int
    var next = 0
  }

  private let document: Document
  private let table: ValueTable
  private let limits: Limits
  private var builder: GraphBuilder
  private var identities: [Int64: UInt32] = [:]
  private var stack: [Frame] = []

  private init(_ document: Document, _ limits: Limits) {
    self.document = document
    self.limits = limits
    table = document.table
    builder = GraphBuilder(capacity: document.table.byteCount)
  }

  /// Looks for tags.
  public static func kind(of document: Document) -> Kind {
    let table = document.table
    var kind = Kind.plain
    var identities: Set<Int64> = []
    for index in 0..<UInt32(truncatingIfNeeded: table.count) {
      // A value follows all its content: the target of a `$ref` is known, or contains the `$ref` itself.
      guard table.marker(of: index) >> 4 == Marker.dictionary, let tag = JSONTag(index, in: table)
      else { continue }
      switch tag {
      case .object, .inline, .boxed, .archive: return .graph
      case .reference(let id) where !identities.contains(id): kind = .graph
      // Only in an archive dates are objects.
      case .identified(_, let value) where isDate(value, table): return .graph
      case .identified(let id, _): identities.insert(id)
      default: break
      }
      if case .plain = kind { kind = .stored }
    }
    return kind
  }

  private static func isDate(_ value: UInt32, _ table: ValueTable) -> Bool {
    guard table.marker(of: value) >> 4 == Marker.dictionary,
      case .scalar(.date)? = JSONTag(value, in: table)
    else { return false }
    return true
  }

  /// Makes the stored values that typed JSON describes.
  ///
  /// - Parameter document: a JSON document of kind `stored`.
  /// - Throws: `ArchiveError` at a `$ref` without its `$id`.
  public static func values(
    of document: Document, limits: Limits = Limits()
  ) throws(ArchiveError) -> Document {
    var reader = TaggedJSON(document, limits)
    let top = try reader.run()
    return reader.builder.finish(top: top)
  }

  private mutating func run() throws(ArchiveError) -> UInt32 {
    var value = try begin(document.top)
    while let frame = stack.last {
      if let made = value {
        builder.append(made)
        value = nil
        continue
      }
      guard frame.next < frame.count else {
        stack.removeLast()
        let made = finish(frame)
        if stack.isEmpty { return made }
        value = made
        continue
      }
      stack[stack.count - 1].next += 1
      value = try begin(child(of: frame))
    }
    return value ?? 0
  }

  private func child(of frame: Frame) -> UInt32 {
    switch frame.children {
    case .elements, .identified: return table.reference(frame.start, frame.next)
    case .pairs:
      // Keys and values in turn, as the builder takes them.
      return table.reference(
        frame.start, frame.next / 2 + (frame.next % 2 == 0 ? 0 : frame.count / 2))
    case .entries:
      let entry = table.reference(frame.start, frame.next / 2)
      return table.value(frame.next % 2 == 0 ? "key" : "value", of: entry) ?? entry
    }
  }

  private mutating func finish(_ frame: Frame) -> UInt32 {
    switch frame.children {
    case .elements(let kind): return builder.close(kind)
    case .pairs, .entries: return builder.closeDictionary()
    case .identified(let id):
      let value = builder.openValues.first ?? 0
      builder.discardOpen()
      identities[id] = value
      return value
    }
  }

  /// A scalar's value; nil for a container, which is on the stack then.
  private mutating func begin(_ index: UInt32) throws(ArchiveError) -> UInt32? {
    let kind = table.marker(of: index) >> 4
    guard kind >= Marker.array else { return builder.add(scalar: table.scalar(at: index)) }
    guard kind == Marker.dictionary, let tag = JSONTag(index, in: table) else {
      return try push(kind == Marker.dictionary ? .pairs : .elements(Marker.array), index)
    }
    switch tag {
    case .scalar(let scalar): return builder.add(scalar, from: table)
    case .set(let list): return try push(.elements(Marker.set), list)
    case .orderedSet(let list): return try push(.elements(Marker.orderedSet), list)
    case .entries(let list): return try push(.entries, list)
    case .identified(let id, _): return try push(.identified(id), index)
    case .reference(let id):
      if let value = identities[id] { return value }
      throw ArchiveError(
        .dangling, "no value before this one has \"$id\": \(id)",
        offset: document.fileOffset(of: index))
    case .object, .inline, .boxed, .archive:
      throw ArchiveError(
        .malformed, "an object cannot be a stored value",
        offset: document.fileOffset(of: index))
    }
  }

  private mutating func push(_ children: Children, _ index: UInt32) throws(ArchiveError) -> UInt32?
  {
    guard stack.count < limits.depth else {
      throw .tooDeep(limits.depth, offset: document.fileOffset(of: index))
    }
    var (start, count) = table.counted(index)
    switch children {
    case .elements: break
    case .pairs, .entries: count *= 2
    case .identified:
      // The value alone, in either position of the two members.
      let isFirst = table.text(at: table.reference(start, 0))?.equals("$value") == true
      start += (isFirst ? 2 : 3) * table.referenceWidth
      count = 1
    }
    builder.open()
    stack.append(Frame(children: children, start: start, count: count))
    return nil
  }
}
