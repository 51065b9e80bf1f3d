// From bytes to objects: a machine with an explicit stack, because objects are nested without bound.
//
// Format facts: python-typedstream, stream.py.

import Basics
import ObjectGraph

/// Reads the groups of a typedstream.
struct TypedStreamParser: ~Copyable {
  enum Kind {
    /// The stream itself: groups until its end.
    case stream
    /// An object: groups until the end mark.
    case object
    /// Values of the types of a group.
    case group
    /// The same of a structure.
    case structure
    /// So many values of one type.
    case array
  }

  /// What is open.
  ///
  /// Not a `GraphWalk`: there is no graph before this has read it.
  struct Frame {
    let kind: Kind
    /// Of an object its number, of a group that of its list of types.
    let number: Int
    /// The type of its first value; those of the others follow, or are the same.
    let firstType: Int
    /// How many values it has.
    let count: Int
    var next = 0
    /// Where its values begin in `openValues`.
    let values: Int
    /// Where its groups begin in `openGroups`.
    let groups: Int
  }

  /// The meaning of a number in the table that objects, classes and C strings share.
  enum Entry {
    case object(Int)
    case type(Int)
    case text(UnsafeRawBufferPointer)
  }

  var cursor: TypedStreamCursor
  private let limits: Limits
  var tables = StreamTables()
  private var frames = RawStack<Frame>()
  /// The values and groups of all that is open, the innermost last.
  private var openValues = RawStack<StreamItem>()
  private var openGroups = RawStack<StreamGroup>()
  var strings = RawStack<UnsafeRawBufferPointer>()
  /// For each string the list of types that it encodes; -1 if it was not asked for.
  private var lists = RawStack<Int>()
  var entries = RawStack<Entry>()
  /// How much more may be made of bytes that have several meanings.
  ///
  /// Values without bytes of their own count, and types that many groups share. A short stream must not cost long work,
  /// nor much memory.
  private var allowance: Int
  /// What is there of a value that the end of the stream cuts; the fault follows it.
  var part: StreamItem?

  private init(_ bytes: UnsafeRawBufferPointer, _ limits: Limits) {
    cursor = TypedStreamCursor(bytes)
    self.limits = limits
    allowance = 1 << 19 + bytes.count / 2
  }

  /// Reads a whole stream.
  ///
  /// - Throws: `ArchiveError` at the first fault.
  static func read(
    _ bytes: UnsafeRawBufferPointer, limits: Limits
  ) throws(ArchiveError) -> StreamTables {
    var parser = TypedStreamParser(bytes, limits)
    try parser.header()
    try parser.run()
    return parser.takeTables()
  }

  /// Reads a whole stream, to change it.
  ///
  /// - Throws: `ArchiveError` at the first fault.
  static func parse(
    _ bytes: UnsafeRawBufferPointer, limits: Limits
  ) throws(ArchiveError) -> TypedStreamContents {
    let tables = try read(bytes, limits: limits)
    return tables.contents
  }

  /// Reads what can be read of a damaged stream: everything before the fault, with nil for the missing values of its group.
  ///
  /// - Returns: the values, and the fault, or nil.
  /// - Throws: `ArchiveError` if not one value is left.
  static func salvage(
    _ bytes: UnsafeRawBufferPointer, limits: Limits, _ loss: inout ArchiveError?
  ) throws(ArchiveError) -> StreamTables {
    var parser = TypedStreamParser(bytes, limits)
    try parser.header()
    do {
      try parser.run()
    } catch {
      parser.closeAll()
      guard parser.tables.topCount > 0 else { throw error }
      loss = error
    }
    return parser.takeTables()
  }

  private mutating func takeTables() -> StreamTables {
    var taken = StreamTables()
    swap(&taken, &tables)
    return taken
  }

  /// Ends all that is open.
  private mutating func closeAll() {
    // Whether all that is missing of an object is the end of a string of its own.
    var endsInText = false
    while let frame = frames.last?.pointee {
      switch frame.kind {
      case .stream: endStream()
      case .object:
        tables.objects[frame.number].pointee.isCut = true
        tables.objects[frame.number].pointee.endsInText = endsInText
        endsInText = false
        endObject()
      case .group, .structure, .array:
        var missing = max(frame.count - (openValues.count - frame.values), 0)
        endsInText = false
        if missing > 0, let found = part {
          deliver(found)
          missing -= 1
          if case (.group, .text) = (frame.kind, found) { endsInText = missing == 0 }
          part = nil
        }
        // An array may claim any number of elements.
        let shown = min(missing, frame.kind == .array ? 1 : 64)
        for _ in 0..<shown { deliver(.lost) }
        finish()
      }
    }
  }

  /// The version, the name that determines the byte order, and the version of the system that wrote it.
  private mutating func header() throws(ArchiveError) {
    tables.version = try cursor.byte(for: "the version")
    guard (3...4).contains(tables.version) else {
      throw ArchiveError(
        .unsupported, "typedstreams of version \(tables.version) are not read, only 3 and 4",
        offset: 0)
    }
    let length = try cursor.byte(for: "the length of the signature")
    let signature = try cursor.take(Int(length), for: "the signature")
    switch String(decoding: signature, as: UTF8.self) {
    case "streamtyped": tables.isBigEndian = false
    case "typedstream": tables.isBigEndian = true
    default:
      throw ArchiveError(.malformed, "the signature must be streamtyped or typedstream", offset: 2)
    }
    cursor.isBigEndian = tables.isBigEndian
    let head = try cursor.head(for: "the system version")
    tables.systemVersion = Int64(
      truncatingIfNeeded: try cursor.unsigned(head, for: "the system version"))
  }

  // MARK: The machine

  private mutating func run() throws(ArchiveError) {
    frames.push(
      Frame(kind: .stream, number: 0, firstType: 0, count: 0, values: 0, groups: 0))
    while let frame = frames.last {
      switch frame.pointee.kind {
      case .stream:
        if cursor.isAtEnd {
          guard !openGroups.isEmpty else {
            throw ArchiveError(
              .truncated, "the stream ends before its first value", offset: cursor.position)
          }
          return endStream()
        }
        if isAtNewlines {
          tables.surplus = cursor.remaining
          return endStream()
        }
        try beginGroup(cursor.head(for: "a group of values"))
      case .object:
        let head = try cursor.head(for: "a group of values or the end of the object")
        if head == Head.end { endObject() } else { try beginGroup(head) }
      case .group, .structure, .array: try advance()
      }
    }
  }

  /// Whether nothing but newlines is left that a text tool added: as references they lead to no types.
  private var isAtNewlines: Bool {
    guard !openGroups.isEmpty, cursor.remaining <= 2 else { return false }
    return cursor.rest.allSatisfy {
      ($0 == 0x0A || $0 == 0x0D) && Int($0) - Head.firstReference >= strings.count
    }
  }

  /// Reads the next values of the innermost group, structure or array.
  private mutating func advance() throws(ArchiveError) {
    let level = frames.count
    while frames.count == level {
      let frame = frames.top
      let next = frame.pointee.next
      guard next < frame.pointee.count else { return finish() }
      frame.pointee.next = next &+ 1
      let step = frame.pointee.kind == .array ? 0 : next
      let type = tables.types[frame.pointee.firstType &+ step].pointee
      if type.cost > 0 { try spend(type.cost) }
      try begin(type)
    }
  }

  private mutating func spend(_ cost: Int) throws(ArchiveError) {
    allowance -= cost
    guard allowance >= 0 else {
      throw ArchiveError(
        .limit, "the stream has far more values than bytes", offset: cursor.position)
    }
  }

  /// Ends the innermost group, structure or array.
  private mutating func finish() {
    let frame = frames.pop()
    let range = tables.add(openValues.values(from: frame.values))
    openValues.truncate(to: frame.values)
    switch frame.kind {
    // Of a damaged stream not all that is missing may be shown.
    case .group: openGroups.push(StreamGroup(list: frame.number, values: range))
    case .structure: deliver(.structure(range))
    case .array: deliver(.array(range))
    case .stream, .object: break
    }
  }

  /// Ends the innermost object.
  private mutating func endObject() {
    let frame = frames.pop()
    let groups = tables.add(openGroups.values(from: frame.groups))
    tables.objects[frame.number].pointee.groups = groups
    openGroups.truncate(to: frame.groups)
    deliver(.object(frame.number))
  }

  /// Ends the stream itself.
  private mutating func endStream() {
    frames.drop()
    tables.setTops(openGroups.values(from: 0))
    openGroups.truncate(to: 0)
  }

  @inline(__always)
  private mutating func deliver(_ value: StreamItem) { openValues.push(value) }

  @inline(__always)
  private mutating func push(
    _ kind: Kind, _ number: Int, firstType: Int, _ count: Int
  ) throws(ArchiveError) {
    guard frames.count < limits.depth else {
      throw .tooDeep(limits.depth, offset: cursor.position)
    }
    frames.push(
      Frame(
        kind: kind, number: number, firstType: firstType, count: count, values: openValues.count,
        groups: openGroups.count))
  }

  // MARK: Groups

  private mutating func beginGroup(_ head: Int8) throws(ArchiveError) {
    let start = cursor.position - 1
    guard let number = try sharedString(head, for: "the types of a group") else {
      throw ArchiveError(.malformed, "a group of values must have types, found nil", offset: start)
    }
    while lists.count <= number { lists.push(-1) }
    if lists[number].pointee < 0 {
      let types = try EncodedType.parse(Array(strings[number].pointee), offset: start)
      lists[number].pointee = tables.add(types)
    } else {
      try spend(strings[number].pointee.count / 8)
    }
    let list = lists[number].pointee
    let types = tables.lists[list].pointee
    if types.count == 1, try readSingle(list, tables.types[types.start].pointee) { return }
    try push(.group, list, firstType: types.start, types.count)
  }

  /// Reads a group of one scalar without a frame, unless it is an object that is still to be read.
  ///
  /// - Returns: whether the group was read.
  @inline(__always)
  private mutating func readSingle(_ list: Int, _ type: StreamType) throws(ArchiveError) -> Bool {
    guard type.isScalar, type.cost == 0, frames.count < limits.depth,
      type.code != UInt8(ascii: "@") || !cursor.isAt(Head.new)
    else { return false }
    do throws(ArchiveError) {
      try beginScalar(type.code)
    } catch {
      // What is there of the group is shown for a damaged stream.
      try push(.group, list, firstType: tables.lists[list].pointee.start, 1)
      frames.top.pointee.next = 1
      throw error
    }
    openGroups.push(StreamGroup(list: list, values: tables.add(openValues.pop())))
    return true
  }

  // MARK: Values

  private mutating func begin(_ type: StreamType) throws(ArchiveError) {
    switch type.code {
    case StreamType.structure:
      try push(.structure, 0, firstType: type.parts.start, type.parts.count)
    case StreamType.bytes:
      if cursor.remaining > 0, type.count > cursor.remaining { part = .data(cursor.rest) }
      deliver(.data(try cursor.take(type.count, for: "an array of bytes")))
    case StreamType.array:
      let size = type.minimumSize
      guard size <= cursor.remaining else {
        throw ArchiveError(
          .truncated,
          "an array of \(type.count) values needs \(size) bytes at least, but only \(cursor.remaining) are left",
          offset: cursor.position)
      }
      // Of values without bytes only their number is known.
      try push(.array, 0, firstType: type.parts.start, size == 0 ? 0 : type.count)
    default: try beginScalar(type.code)
    }
  }

  private mutating func beginScalar(_ code: UInt8) throws(ArchiveError) {
    switch code {
    case UInt8(ascii: "@"): try beginObject()
    case UInt8(ascii: "c"):
      deliver(.integer(Int64(Int8(bitPattern: try cursor.byte(for: "a character")))))
    case UInt8(ascii: "C"): deliver(.integer(Int64(try cursor.byte(for: "a character"))))
    case UInt8(ascii: "B"):
      let byte = try cursor.byte(for: "a boolean")
      guard byte <= 1 else {
        throw ArchiveError(
          .malformed, "a boolean must be 0 or 1, found \(byte)", offset: cursor.position - 1)
      }
      deliver(.boolean(byte == 1))
    case UInt8(ascii: "f"):
      deliver(.single(Float(try cursor.real(4, for: "a real"))))
    case UInt8(ascii: "d"): deliver(.real(try cursor.real(8, for: "a real")))
    case UInt8(ascii: "#"):
      deliver(try type(cursor.head(for: "a class")).map { .type($0) } ?? .null)
    case UInt8(ascii: "*"): deliver(try cString())
    case UInt8(ascii: "%"), UInt8(ascii: ":"):
      let number = try sharedString(cursor.head(for: "a name"), for: "a name")
      deliver(number.map { .text(strings[$0].pointee) } ?? .null)
    case UInt8(ascii: "+"):
      let head = try cursor.head(for: "a string")
      deliver(head == Head.null ? .null : .text(try ownCharacters(head)))
    case UInt8(ascii: "!"): deliver(.null)
    default: deliver(try integer(code))
    }
  }

  private mutating func integer(_ code: UInt8) throws(ArchiveError) -> StreamItem {
    let head = try cursor.head(for: "an integer")
    guard "SILQ".utf8.contains(code) else {
      return .integer(try cursor.integer(head, for: "an integer"))
    }
    let value = try cursor.unsigned(head, for: "an integer")
    return Int64(exactly: value).map { .integer($0) } ?? .unsigned(value)
  }

  private mutating func beginObject() throws(ArchiveError) {
    let start = cursor.position
    let head = try cursor.head(for: "an object")
    if head == Head.null { return deliver(.null) }
    guard head == Head.new else {
      let number = try cursor.reference(head, for: "an object")
      guard number >= 0, number < entries.count,
        case .object(let object) = entries[number].pointee
      else { throw dangling(number, "object", start) }
      return deliver(.object(object))
    }
    // An object has its number before its class and contents, so that these can refer to it.
    let object = tables.objects.count
    tables.objects.push(StreamObject(offset: start))
    entries.push(.object(object))
    tables.objects[object].pointee.classNumber = try type(cursor.head(for: "a class"))
    try push(.object, object, firstType: 0, 0)
  }
}
