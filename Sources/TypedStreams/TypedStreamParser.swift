// From bytes to objects: a machine with an explicit stack, because objects are nested without bound.
//
// Format facts: python-typedstream, stream.py.

import Basics
import ObjectGraph

/// Reads the groups of a typedstream.
struct TypedStreamParser {
  private enum Kind {
    /// The stream itself: groups until its end.
    case stream
    /// An object: groups until the end mark.
    case object(Int)
    /// Values of the types of a group.
    case group(TypedGroup)
    /// The same of a structure.
    case structure([EncodedType])
    /// So many values of one type.
    case array(EncodedType)
  }

  /// Not a `GraphWalk`: there is no graph before this has read it.
  private struct Frame {
    let kind: Kind
    let count: Int
    var next = 0
    var values: [StreamValue] = []
  }

  /// The meaning of a number in the table that objects, classes and C strings share.
  enum Entry {
    case object(Int)
    case type(Int)
    case text(UnsafeRawBufferPointer)
  }

  var cursor: TypedStreamCursor
  private let limits: Limits
  var contents = TypedStreamContents()
  private var stack: [Frame] = []
  var strings: [UnsafeRawBufferPointer] = []
  private var encodings: [Int: [EncodedType]] = [:]
  var entries: [Entry] = []
  /// How much more may be made of bytes that have several meanings.
  ///
  /// Values without bytes of their own count, and types that many groups share. A short stream must not cost long work,
  /// nor much memory.
  private var allowance: Int
  /// What is there of a value that the end of the stream cuts; the fault follows it.
  var part: StreamValue?

  private init(_ bytes: UnsafeRawBufferPointer, _ limits: Limits) {
    cursor = TypedStreamCursor(bytes)
    self.limits = limits
    allowance = 1 << 19 + bytes.count / 2
  }

  /// Reads a whole stream.
  ///
  /// - Throws: `ArchiveError` at the first fault.
  static func parse(
    _ bytes: UnsafeRawBufferPointer, limits: Limits
  ) throws(ArchiveError) -> TypedStreamContents {
    var parser = TypedStreamParser(bytes, limits)
    try parser.header()
    try parser.run()
    return parser.contents
  }

  /// Reads what can be read of a damaged stream: everything before the fault, with nil for the missing values of its group.
  ///
  /// - Returns: the values, and the fault, or nil.
  /// - Throws: `ArchiveError` if not one value is left.
  static func salvage(
    _ bytes: UnsafeRawBufferPointer, limits: Limits
  ) throws(ArchiveError) -> (contents: TypedStreamContents, loss: ArchiveError?) {
    var parser = TypedStreamParser(bytes, limits)
    try parser.header()
    do {
      try parser.run()
      return (parser.contents, nil)
    } catch {
      parser.closeAll()
      guard !parser.contents.tops.isEmpty else { throw error }
      return (parser.contents, error)
    }
  }

  /// Ends all that is open.
  private mutating func closeAll() {
    // Whether all that is missing of an object is the end of a string of its own.
    var endsInText = false
    while let frame = stack.last {
      switch frame.kind {
      case .stream: stack.removeLast()
      case .object(let number):
        stack.removeLast()
        contents.objects[number].isCut = true
        contents.objects[number].endsInText = endsInText
        endsInText = false
        deliver(.object(number))
      case .group, .structure, .array:
        var missing = max(frame.count - frame.values.count, 0)
        endsInText = false
        if missing > 0, let found = part {
          deliver(found)
          missing -= 1
          if case (.group, .text) = (frame.kind, found) { endsInText = missing == 0 }
          part = nil
        }
        // An array may claim any number of elements.
        let isArray = if case .array = frame.kind { true } else { false }
        let shown = min(missing, isArray ? 1 : 64)
        for _ in 0..<shown { deliver(.lost) }
        finish()
      }
    }
  }

  /// The version, the name that determines the byte order, and the version of the system that wrote it.
  private mutating func header() throws(ArchiveError) {
    contents.version = try cursor.byte(for: "the version")
    guard (3...4).contains(contents.version) else {
      throw ArchiveError(
        .unsupported, "typedstreams of version \(contents.version) are not read, only 3 and 4",
        offset: 0)
    }
    let length = try cursor.byte(for: "the length of the signature")
    let signature = try cursor.take(Int(length), for: "the signature")
    switch String(decoding: signature, as: UTF8.self) {
    case "streamtyped": contents.isBigEndian = false
    case "typedstream": contents.isBigEndian = true
    default:
      throw ArchiveError(.malformed, "the signature must be streamtyped or typedstream", offset: 2)
    }
    cursor.isBigEndian = contents.isBigEndian
    let head = try cursor.head(for: "the system version")
    contents.systemVersion = Int64(
      truncatingIfNeeded: try cursor.unsigned(head, for: "the system version"))
  }

  // MARK: The machine

  private mutating func run() throws(ArchiveError) {
    stack.append(Frame(kind: .stream, count: 0))
    while let frame = stack.last {
      switch frame.kind {
      case .stream:
        if cursor.isAtEnd {
          guard !contents.tops.isEmpty else {
            throw ArchiveError(
              .truncated, "the stream ends before its first value", offset: cursor.position)
          }
          return
        }
        if isAtNewlines {
          contents.surplus = cursor.remaining
          return
        }
        try beginGroup(cursor.head(for: "a group of values"))
      case .object(let number):
        let head = try cursor.head(for: "a group of values or the end of the object")
        if head == Head.end {
          stack.removeLast()
          deliver(.object(number))
        } else {
          try beginGroup(head)
        }
      case .group, .structure, .array: try advance()
      }
    }
  }

  /// Whether nothing but newlines is left that a text tool added: as references they lead to no types.
  private var isAtNewlines: Bool {
    guard !contents.tops.isEmpty, cursor.remaining <= 2 else { return false }
    return cursor.bytes[cursor.position...].allSatisfy {
      ($0 == 0x0A || $0 == 0x0D) && Int($0) - Head.firstReference >= strings.count
    }
  }

  /// Reads the next values of the innermost group, structure or array.
  private mutating func advance() throws(ArchiveError) {
    let level = stack.count
    while stack.count == level {
      let next = stack[level - 1].next
      guard next < stack[level - 1].count else { return finish() }
      stack[level - 1].next += 1
      let type: EncodedType
      // Only the kind is copied: values of a frame that is held would be copied with each that comes.
      switch stack[level - 1].kind {
      case .group(let group): type = group.types[next]
      case .structure(let types): type = types[next]
      case .array(let element): type = element
      case .stream, .object: return
      }
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

  private mutating func finish() {
    let frame = stack.removeLast()
    switch frame.kind {
    case .group(var group):
      group.values = frame.values
      // Of a damaged stream not all that is missing may be shown.
      if group.values.count < group.types.count {
        group.types.removeLast(group.types.count - group.values.count)
      }
      if case .object(let number) = stack.last?.kind {
        contents.objects[number].groups.append(group)
      } else {
        contents.tops.append(group)
      }
    case .structure: deliver(.structure(frame.values))
    case .array: deliver(.array(frame.values))
    case .stream, .object: break
    }
  }

  private mutating func deliver(_ value: StreamValue) {
    stack[stack.count - 1].values.append(value)
  }

  private mutating func push(_ kind: Kind, _ count: Int) throws(ArchiveError) {
    guard stack.count < limits.depth else {
      throw .tooDeep(limits.depth, offset: cursor.position)
    }
    stack.append(Frame(kind: kind, count: count))
  }

  // MARK: Groups

  private mutating func beginGroup(_ head: Int8) throws(ArchiveError) {
    let start = cursor.position - 1
    guard let number = try sharedString(head, for: "the types of a group") else {
      throw ArchiveError(.malformed, "a group of values must have types, found nil", offset: start)
    }
    let types: [EncodedType]
    if let known = encodings[number] {
      types = known
      try spend(strings[number].count / 8)
    } else {
      types = try EncodedType.parse(Array(strings[number]), offset: start)
      encodings[number] = types
    }
    try push(.group(TypedGroup(types: types)), types.count)
  }

  // MARK: Values

  private mutating func begin(_ type: EncodedType) throws(ArchiveError) {
    switch type {
    case .scalar(let code): try beginScalar(code)
    case .structure(_, let fields): try push(.structure(fields), fields.count)
    case .array(let count, .scalar(UInt8(ascii: "c"))),
      .array(let count, .scalar(UInt8(ascii: "C"))):
      if cursor.remaining > 0, count > cursor.remaining { part = .data(cursor.rest) }
      deliver(.data(try cursor.take(count, for: "an array of bytes")))
    case .array(let count, let element):
      let size = type.minimumSize
      guard size <= cursor.remaining else {
        throw ArchiveError(
          .truncated,
          "an array of \(count) values needs \(size) bytes at least, but only \(cursor.remaining) are left",
          offset: cursor.position)
      }
      // Of values without bytes only their number is known.
      try push(.array(element), size == 0 ? 0 : count)
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
      deliver(number.map { .text(strings[$0]) } ?? .null)
    case UInt8(ascii: "+"):
      let head = try cursor.head(for: "a string")
      deliver(head == Head.null ? .null : .text(try ownCharacters(head)))
    case UInt8(ascii: "!"): deliver(.null)
    default: deliver(try integer(code))
    }
  }

  private mutating func integer(_ code: UInt8) throws(ArchiveError) -> StreamValue {
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
      guard number >= 0, number < entries.count, case .object(let object) = entries[number] else {
        throw dangling(number, "object", start)
      }
      return deliver(.object(object))
    }
    // An object has its number before its class and contents, so that these can refer to it.
    let object = contents.objects.count
    contents.objects.append(TypedObject(offset: start))
    entries.append(.object(object))
    contents.objects[object].classNumber = try type(cursor.head(for: "a class"))
    try push(.object(object), 0)
  }
}

// MARK: - The tables of a typedstream: objects, classes, C strings and shared strings, written once

// Format facts: python-typedstream, stream.py.

extension TypedStreamParser {
  // MARK: Classes

  /// A class and those that it derives from, up to nil or one that is known.
  mutating func type(_ head: Int8) throws(ArchiveError) -> Int? {
    var chain: [(name: String, version: Int64, entry: Int)] = []
    var head = head
    while head == Head.new {
      let start = cursor.position
      let name = try sharedString(cursor.head(for: "a class name"), for: "a class name")
      guard let name else {
        throw ArchiveError(.malformed, "a class must have a name, found nil", offset: start)
      }
      let version = try cursor.integer(for: "a class version")
      // Its index in the table precedes those of its superclasses.
      chain.append((String(decoding: strings[name], as: UTF8.self), version, entries.count))
      entries.append(.type(-1))
      head = try cursor.head(for: "a class")
    }
    var number: Int?
    if head != Head.null {
      let reference = try cursor.reference(head, for: "a class")
      guard reference >= 0, reference < entries.count, case .type(let known) = entries[reference],
        known >= 0
      else { throw dangling(reference, "class", cursor.position - 1) }
      number = known
    }
    while let (name, version, entry) = chain.popLast() {
      contents.classes.append(TypedClass(name: name, version: version, superclass: number))
      number = contents.classes.count - 1
      entries[entry] = .type(contents.classes.count - 1)
    }
    return number
  }

  // MARK: Strings

  /// The number of a string in the table of shared strings; nil for nil.
  mutating func sharedString(_ head: Int8, for what: String) throws(ArchiveError) -> Int? {
    let start = cursor.position - 1
    if head == Head.null { return nil }
    if head == Head.new {
      strings.append(try characters(cursor.head(for: what)))
      return strings.count - 1
    }
    let number = try cursor.reference(head, for: what)
    guard number >= 0, number < strings.count else { throw dangling(number, "string", start) }
    return number
  }

  mutating func characters(_ head: Int8) throws(ArchiveError) -> UnsafeRawBufferPointer {
    let length = try cursor.length(head, for: "a string")
    return try cursor.take(length, for: "a string")
  }

  /// The characters of a value; of those that the end of the stream cuts the part is kept.
  mutating func ownCharacters(_ head: Int8) throws(ArchiveError) -> UnsafeRawBufferPointer {
    let place = cursor
    do {
      return try characters(head)
    } catch {
      cursor = place
      let length = try cursor.unsigned(head, for: "a string")
      if length > UInt64(cursor.remaining), StreamPart.isText(cursor.rest) {
        contents.cut = StreamPart(bytes: cursor.rest, count: length)
        part = .text(cursor.rest)
      }
      throw error
    }
  }

  mutating func cString() throws(ArchiveError) -> StreamValue {
    let start = cursor.position
    let head = try cursor.head(for: "a C string")
    if head == Head.null { return .null }
    if head == Head.new {
      let head = try cursor.head(for: "a C string")
      if head == Head.new { return try newCString() }
      let number = try sharedString(head, for: "a C string")
      guard let number else {
        throw ArchiveError(.malformed, "a C string must have characters, found nil", offset: start)
      }
      entries.append(.text(strings[number]))
      return .text(strings[number])
    }
    let number = try cursor.reference(head, for: "a C string")
    guard number >= 0, number < entries.count, case .text(let text) = entries[number] else {
      throw dangling(number, "C string", start)
    }
    return .text(text)
  }

  private mutating func newCString() throws(ArchiveError) -> StreamValue {
    let text = try ownCharacters(cursor.head(for: "a C string"))
    strings.append(text)
    entries.append(.text(text))
    return .text(text)
  }

  func dangling(_ number: Int, _ what: String, _ offset: Int) -> ArchiveError {
    ArchiveError(
      .dangling, "refers to \(what) \(number), which does not exist", offset: offset)
  }
}
