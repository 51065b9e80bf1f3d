// Typed JSON made stored values again: what `convert --to json --typed` wrote, tag by tag.

import ArchiveBasics
import ArchiveGraph

/// Reads the tags of typed JSON.
package struct TaggedJSON: ~Copyable {
  /// The content of a JSON text with respect to tags.
  package enum Kind: Sendable {
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
  package static func kind(of document: Document) -> Kind {
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
  package static func values(
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
    case .scalar(let scalar): return builder.add(scalar: scalar)
    case .data(let text): return builder.add(base64: text, of: table)
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

// MARK: - The tags of typed JSON: objects whose `$` members name a type that JSON lacks

/// The meaning of an object of typed JSON, unless it is a plain dictionary.
package enum JSONTag {
  /// `$date`, `$uid`, `$real`, `$float`, `$int`: a scalar of its own type.
  case scalar(Value)
  /// `$data`: the index of the Base64 text.
  case data(UInt32)
  /// `$set`: the index of the array of its elements.
  case set(UInt32)
  /// `$orderedSet`: the index of the array of its elements.
  case orderedSet(UInt32)
  /// `$entries`: the index of the array of `key` and `value` objects.
  case entries(UInt32)
  /// `$id` with `$value`: a value that others refer to.
  case identified(Int64, value: UInt32)
  /// `$ref`: the value with that `$id`.
  case reference(Int64)
  /// `$object`: the indexes of its class's facts, and of its fields.
  case object(ClassFacts, fields: UInt32)
  /// `$archive`: the archiver's name and the archive's version, where they are not the usual ones, and the root.
  case archive(archiver: UInt32, version: Int64, root: UInt32)
  /// `$inline`: a value that is stored in its container, where archives usually have references.
  case inline(UInt32)
  /// `$boxed`: a number that is a separate object, where archives usually store numbers inline.
  case boxed(UInt32)

  /// The class in `$object`: the indexes of its name and of its lists.
  package struct ClassFacts {
    /// `class`.
    package let name: UInt32
    /// `classes`.
    package let chain: UInt32?
    /// `hints`.
    package let hints: UInt32?
    /// `versions`.
    package let versions: UInt32?
  }

  /// Recognizes a tag by its names and the types of its members.
  ///
  /// - Returns: nil for every other dictionary, one with such names but other members among them.
  package init?(_ index: UInt32, in table: ValueTable) {
    let (start, count) = table.counted(index)
    guard count == 1 || count == 2, let first = table.text(at: table.reference(start, 0)),
      first.starts(with: UInt8(ascii: "$"))
    else { return nil }
    let member = table.reference(start, count)
    if count == 2 {
      guard let identity = table.value("$id", of: index), let id = Self.integer(identity, table),
        let value = table.value("$value", of: index)
      else { return nil }
      self = .identified(id, value: value)
      return
    }
    guard let tag = Self.structure(first, member, table) ?? Self.scalar(first, member, table) else {
      return nil
    }
    self = tag
  }

  private static func structure(_ name: Text, _ member: UInt32, _ table: ValueTable) -> JSONTag? {
    let kind = table.marker(of: member) >> 4
    switch name.string {
    case "$set": return kind == Marker.array ? .set(member) : nil
    case "$orderedSet": return kind == Marker.array ? .orderedSet(member) : nil
    case "$entries": return isEntries(member, table) ? .entries(member) : nil
    case "$ref": return integer(member, table).map { .reference($0) }
    case "$inline": return .inline(member)
    case "$boxed": return .boxed(member)
    case "$object": return object(member, table)
    case "$archive": return archive(member, table)
    default: return nil
    }
  }

  private static func object(_ member: UInt32, _ table: ValueTable) -> JSONTag? {
    guard table.marker(of: member) >> 4 == Marker.dictionary,
      let className = table.value("class", of: member), table.text(at: className) != nil,
      let fields = table.value("fields", of: member),
      table.marker(of: fields) >> 4 == Marker.dictionary
    else { return nil }
    let facts = ClassFacts(
      name: className, chain: table.value("classes", of: member),
      hints: table.value("hints", of: member), versions: table.value("versions", of: member))
    return .object(facts, fields: fields)
  }

  private static func archive(_ member: UInt32, _ table: ValueTable) -> JSONTag? {
    guard table.marker(of: member) >> 4 == Marker.dictionary,
      let archiver = table.value("archiver", of: member), table.text(at: archiver) != nil,
      let root = table.value("root", of: member)
    else { return nil }
    let version = table.value("version", of: member).flatMap { integer($0, table) }
    return .archive(archiver: archiver, version: version ?? 100_000, root: root)
  }

  private static func scalar(_ name: Text, _ member: UInt32, _ table: ValueTable) -> JSONTag? {
    let text = table.text(at: member)?.string
    switch name.string {
    case "$date":
      let seconds = text.flatMap { Timestamp(text: $0)?.secondsFromReference ?? nonFinite($0) }
      return (seconds ?? real(member, table)).map { .scalar(.date($0)) }
    case "$data": return text == nil ? nil : .data(member)
    case "$uid": return uid(member, table).map { .scalar(.uid($0)) }
    case "$real": return (real(member, table) ?? text.flatMap(nonFinite)).map { .scalar(.real($0)) }
    case "$float":
      guard let number = real(member, table) ?? text.flatMap(nonFinite),
        Float(number).isFinite || !number.isFinite
      else { return nil }
      return .scalar(.single(Float(number)))
    case "$int":
      if let number = text.flatMap({ Int64($0) }) { return .scalar(.integer(number)) }
      if let number = text.flatMap({ UInt64($0) }) { return .scalar(.unsigned(number)) }
      return text.flatMap { Int128($0) }.map { .scalar(.wide(WideInteger($0))) }
    default: return nil
    }
  }

  // MARK: Members

  private static func isEntries(_ array: UInt32, _ table: ValueTable) -> Bool {
    guard table.marker(of: array) >> 4 == Marker.array else { return false }
    let (start, count) = table.counted(array)
    return (0..<count).allSatisfy { position in
      let entry = table.reference(start, position)
      return table.marker(of: entry) >> 4 == Marker.dictionary && table.counted(entry).count == 2
        && table.value("key", of: entry) != nil && table.value("value", of: entry) != nil
    }
  }

  private static func integer(_ index: UInt32, _ table: ValueTable) -> Int64? {
    if case .integer(let number) = table.scalar(at: index) { number } else { nil }
  }

  /// A UID has eight bytes at most (Apple's CFBinaryPList.c), and no sign.
  private static func uid(_ index: UInt32, _ table: ValueTable) -> UInt64? {
    switch table.scalar(at: index) {
    case .integer(let number): return UInt64(exactly: number)
    case .unsigned(let number): return number
    default: return nil
    }
  }

  private static func real(_ index: UInt32, _ table: ValueTable) -> Double? {
    table.scalar(at: index).number
  }

  private static func nonFinite(_ text: String) -> Double? {
    [.nan, .infinity, -.infinity].first { JSONText.name(ofNonFinite: $0) == text }
  }
}

extension GraphBuilder {
  /// Adds the data whose Base64 is a string of a table.
  package mutating func add(base64 text: UInt32, of table: ValueTable) -> UInt32 {
    var bytes = ByteBuffer()
    if let text = table.text(at: text), text.form != .utf16 {
      Base64.decode(text.bytes, to: &bytes)
    }
    return add(data: bytes.bytes)
  }
}
