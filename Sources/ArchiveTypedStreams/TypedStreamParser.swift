// From bytes to objects: a machine with an explicit stack, because objects are nested without bound.
//
// Format facts: python-typedstream, stream.py.

import ArchiveBasics
import ArchiveGraph

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
    /// Of a group the number of its list of types.
    let list: Int
    /// The type of its first value; those of the others follow, or are the same.
    let firstType: Int
    /// How many values it has.
    let count: Int
    var next = 0
    /// Where its values begin in `openValues`.
    let values: Int
  }

  struct OpenObject {
    let number: Int
    let offset: Int
    let classNumber: Int?
    /// Where its groups and their values begin in the tables.
    let groups: Int
    let values: Int
    /// The list of types of the group of which it is the only value, and which has no frame; nil for others.
    let soleOf: Int?
  }

  /// A shared string as the types of groups.
  struct TypeString {
    /// Its list of types; -1 if it was not asked for.
    var list = -1
    /// See `StreamTypes`.
    var letter: UInt8 = 0
    /// What each group but the first costs.
    var cost = 0
  }

  private var cursor: TypedStreamCursor
  private let limits: Limits
  private var tables = StreamTables()
  private var frames = RawStack<Frame>()
  private var objects = RawStack<OpenObject>()
  /// How many open objects are the only value of a group without a frame, which counts as depth nevertheless.
  private var soleCount = 0
  /// An object without a frame yet: its class is being read.
  private var begun: (number: Int, offset: Int, classNumber: Int?)?
  /// The values of all groups, structures and arrays that are open, the innermost last.
  private var openValues = RawStack<StreamValue>()
  private var numbers: StreamNumbers
  private var typeStrings = RawStack<TypeString>()
  /// How much more may be made of bytes that have several meanings.
  ///
  /// Values without bytes of their own count, and types that many groups share. A short stream must not cost long work,
  /// nor much memory.
  private var allowance: Int
  /// What is there of a value that the end of the stream cuts; the fault follows it.
  private var part: StreamValue?
  /// Whether bytes of the stream are given back.
  private let givesBack: Bool
  /// Where bytes are given back next, and progress is reported.
  private var threshold = Self.releaseStep

  /// How many bytes are read before some are given back; more where many values are open, each of which is looked at.
  private static let releaseStep = 2 << 20

  private init(_ bytes: ByteView, _ limits: Limits, _ texts: StreamTexts?) {
    cursor = TypedStreamCursor(bytes)
    self.limits = limits
    numbers = StreamNumbers(texts)
    givesBack = texts != nil
    allowance = 1 << 19 + bytes.count / 2
  }

  /// Reads a whole stream.
  ///
  /// - Parameter recovering: whether what can be read of a damaged stream is enough: everything before the fault, with nil
  ///   for the missing values of its group.
  /// - Returns: what the objects do not hold.
  /// - Throws: `ArchiveError` at the first fault; in recovery if not one value is left.
  static func read(
    _ bytes: ByteView, limits: Limits, recovering: Bool = false,
    into consumer: inout some StreamConsumer & ~Copyable
  ) throws(ArchiveError) -> StreamTables {
    var parser = TypedStreamParser(bytes, limits, consumer.texts)
    try parser.header()
    do {
      try parser.run(&consumer)
    } catch {
      guard recovering else { throw error }
      parser.closeAll(&consumer)
      guard !parser.tables.groups.isEmpty else { throw error }
      parser.tables.loss = error
    }
    var released = StreamTables()
    swap(&released, &parser.tables)
    return released
  }

  private mutating func closeAll(_ consumer: inout some StreamConsumer & ~Copyable) {
    if let begun {
      let none = StreamRange(start: tables.groups.count, count: 0)
      let object = StreamObject(
        number: begun.number, offset: begun.offset, classNumber: begun.classNumber, groups: none,
        values: tables.valueCount)
      consumer.receive(object, &tables)
    }
    // Whether all that is missing of an object is the end of a string of its own.
    var endsInText = false
    while let frame = frames.last?.pointee {
      switch frame.kind {
      case .stream: frames.drop()
      case .object:
        endObject(&consumer, isCut: true, endsInText: endsInText)
        endsInText = false
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
    let signature = try cursor.read(Int(length), for: "the signature")
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

  private mutating func run(
    _ consumer: inout some StreamConsumer & ~Copyable
  ) throws(ArchiveError) {
    frames.push(Frame(kind: .stream, list: 0, firstType: 0, count: 0, values: 0))
    while let frame = frames.last {
      switch frame.pointee.kind {
      case .stream:
        if try isAtEnd() { return frames.drop() }
        try beginGroup(cursor.head(for: "a group of values"))
      case .object: try readObject(&consumer)
      case .group, .structure, .array: try advance()
      }
    }
  }

  /// Whether the stream ends, outside of objects.
  private mutating func isAtEnd() throws(ArchiveError) -> Bool {
    if cursor.isAtEnd {
      guard !tables.groups.isEmpty else {
        throw ArchiveError(
          .truncated, "the stream ends before its first value", offset: cursor.position)
      }
      return true
    }
    guard isAtNewlines else { return false }
    tables.surplus = cursor.remaining
    return true
  }

  /// Whether nothing but newlines is left that a text tool added: as references they lead to no types.
  private var isAtNewlines: Bool {
    guard !tables.groups.isEmpty, cursor.remaining <= 2 else { return false }
    return cursor.rest.allSatisfy {
      ($0 == 0x0A || $0 == 0x0D) && Int($0) - Head.firstReference >= numbers.stringCount
    }
  }

  /// Reads the next groups of the innermost object, up to its end or to one with a frame.
  private mutating func readObject(
    _ consumer: inout some StreamConsumer & ~Copyable
  ) throws(ArchiveError) {
    let level = frames.count
    while frames.count == level {
      let head = try cursor.head(for: "a group of values or the end of the object")
      if head == Head.end { return endObject(&consumer) }
      try beginGroup(head)
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
    case .group: tables.addGroup(frame.list, range)
    case .structure: deliver(.structure(range))
    case .array: deliver(.array(range))
    case .stream, .object: break
    }
  }

  private mutating func endObject(
    _ consumer: inout some StreamConsumer & ~Copyable, isCut: Bool = false,
    endsInText: Bool = false
  ) {
    frames.drop()
    let open = objects.pop()
    let groups = StreamRange(start: open.groups, count: tables.groups.count &- open.groups)
    consumer.receive(
      StreamObject(
        number: open.number, offset: open.offset, classNumber: open.classNumber, groups: groups,
        values: open.values,
        isCut: isCut, endsInText: endsInText), &tables)
    tables.truncate(groups: open.groups, values: open.values)
    if cursor.position >= threshold { discardPages(&consumer) }
    guard let list = open.soleOf else { return deliver(.object(open.number)) }
    soleCount &-= 1
    tables.addGroup(list, letter: UInt8(ascii: "@"), .object(open.number))
  }

  /// Gives back the bytes before those that values of open objects show.
  @inline(never)
  private mutating func discardPages(_ consumer: inout some StreamConsumer & ~Copyable) {
    let count = tables.values.count + openValues.count
    threshold = cursor.position + max(Self.releaseStep, 8 * count)
    InputProgress.report(.decoded, cursor.position, of: cursor.bytes.count)
    if !givesBack { return }
    guard let start = cursor.bytes.baseAddress else { return }
    var position = cursor.position
    for values in [tables.values.values(from: 0), openValues.values(from: 0)] {
      for value in values {
        // Copies of shared strings are not among the bytes of the stream.
        guard let base = value.bytes?.baseAddress, base >= start else { continue }
        position = min(position, base - start)
      }
    }
    consumer.discardPages(before: position)
  }

  @inline(__always)
  private mutating func deliver(_ value: StreamValue) { openValues.push(value) }

  /// Whether so many frames more would be too deep.
  @inline(__always)
  private func isTooDeep(_ more: Int = 1) -> Bool {
    frames.count &+ soleCount &+ more > limits.depth
  }

  private mutating func push(
    _ kind: Kind, list: Int = 0, firstType: Int, _ count: Int
  ) throws(ArchiveError) {
    if isTooDeep() { throw .tooDeep(limits.depth, offset: cursor.position) }
    frames.push(
      Frame(
        kind: kind, list: list, firstType: firstType, count: count, values: openValues.count))
  }

  // MARK: Groups

  @inline(__always)
  private mutating func beginGroup(_ head: Int8) throws(ArchiveError) {
    let number = Int(head) &- Head.firstReference
    // Most groups have one scalar, of a type that was met before. No number is negative: heads are above the first.
    if head >= Head.lowestNumber, number < typeStrings.count {
      let types = typeStrings[number].pointee
      if types.letter != 0, types.cost == 0, !isTooDeep() {
        return try readSingle(types.list, types.letter)
      }
    }
    try beginAnyGroup(head)
  }

  @inline(never)
  private mutating func beginAnyGroup(_ head: Int8) throws(ArchiveError) {
    let start = cursor.position - 1
    guard let number = try numbers.string(head, &cursor, for: "the types of a group") else {
      throw ArchiveError(.malformed, "a group of values must have types, found nil", offset: start)
    }
    while typeStrings.count <= number { typeStrings.push(TypeString()) }
    if typeStrings[number].pointee.list < 0 {
      let text = numbers.characters(of: number)
      let list = tables.add(try EncodedType.parse(Array(text), offset: start))
      let letter = tables.lists[list].pointee.letter
      typeStrings[number].pointee = TypeString(list: list, letter: letter, cost: text.count / 8)
    } else {
      try spend(typeStrings[number].pointee.cost)
    }
    let known = typeStrings[number].pointee
    if known.letter != 0, !isTooDeep() { return try readSingle(known.list, known.letter) }
    let types = tables.lists[known.list].pointee.types
    try push(.group, list: known.list, firstType: types.start, types.count)
  }

  /// Reads a group of one scalar without a frame.
  @inline(__always)
  private mutating func readSingle(_ list: Int, _ letter: UInt8) throws(ArchiveError) {
    do throws(ArchiveError) {
      if letter == UInt8(ascii: "@") {
        if let object = try knownObject(soleOf: list) {
          tables.addGroup(list, letter: letter, object)
        }
        return
      }
      tables.addGroup(list, letter: letter, try scalar(letter))
    } catch {
      // What is there of the group is shown for a damaged stream.
      let first = tables.lists[list].pointee.types.start
      try push(.group, list: list, firstType: first, 1)
      frames.top.pointee.next = 1
      throw error
    }
  }

  // MARK: Values

  private mutating func begin(_ type: StreamType) throws(ArchiveError) {
    switch type.code {
    case StreamType.structure:
      try push(.structure, firstType: type.parts.start, type.parts.count)
    case StreamType.bytes:
      if cursor.remaining > 0, type.count > cursor.remaining { part = .data(cursor.rest) }
      deliver(.data(try cursor.read(type.count, for: "an array of bytes")))
    case StreamType.array:
      let size = type.minimumSize
      guard size <= cursor.remaining else {
        throw ArchiveError(
          .truncated,
          "an array of \(type.count) values needs \(size) bytes at least, but only \(cursor.remaining) are left",
          offset: cursor.position)
      }
      // Of values without bytes only their number is known.
      try push(.array, firstType: type.parts.start, size == 0 ? 0 : type.count)
    default: try beginScalar(type.code)
    }
  }

  private mutating func beginScalar(_ code: UInt8) throws(ArchiveError) {
    guard code == UInt8(ascii: "@") else { return deliver(try scalar(code)) }
    if let object = try knownObject(soleOf: nil) { deliver(object) }
  }

  private mutating func scalar(_ code: UInt8) throws(ArchiveError) -> StreamValue {
    switch code {
    case UInt8(ascii: "c"):
      return .integer(Int64(Int8(bitPattern: try cursor.byte(for: "a character"))))
    case UInt8(ascii: "C"): return .integer(Int64(try cursor.byte(for: "a character")))
    case UInt8(ascii: "B"):
      let byte = try cursor.byte(for: "a boolean")
      guard byte <= 1 else {
        throw ArchiveError(
          .malformed, "a boolean must be 0 or 1, found \(byte)", offset: cursor.position - 1)
      }
      return .boolean(byte == 1)
    case UInt8(ascii: "f"): return .single(Float(try cursor.real(4, for: "a real")))
    case UInt8(ascii: "d"): return .real(try cursor.real(8, for: "a real"))
    case UInt8(ascii: "#"):
      return try type().map { .type($0) } ?? .null
    case UInt8(ascii: "*"): return try cString()
    case UInt8(ascii: "%"), UInt8(ascii: ":"):
      guard let name = try numbers.string(cursor.head(for: "a name"), &cursor, for: "a name") else {
        return .null
      }
      return .text(numbers.characters(of: name))
    case UInt8(ascii: "+"):
      let head = try cursor.head(for: "a string")
      return head == Head.null ? .null : .text(try ownCharacters(head))
    case UInt8(ascii: "!"): return .null
    case UInt8(ascii: "S"), UInt8(ascii: "I"), UInt8(ascii: "L"), UInt8(ascii: "Q"):
      let value = try cursor.unsigned(cursor.head(for: "an integer"), for: "an integer")
      return Int64(exactly: value).map { .integer($0) } ?? .unsigned(value)
    default:
      return .integer(try cursor.integer(cursor.head(for: "an integer"), for: "an integer"))
    }
  }

  private mutating func cString() throws(ArchiveError) -> StreamValue {
    let start = cursor.position
    let head = try cursor.head(for: "a C string")
    if head == Head.null { return .null }
    guard head == Head.new else {
      return .text(try numbers.cString(cursor.reference(head, for: "a C string"), at: start))
    }
    let characters = try cursor.head(for: "a C string")
    if characters == Head.new {
      let bytes = try ownCharacters(cursor.head(for: "a C string"))
      return .text(try numbers.add(cString: bytes, at: cursor.position))
    }
    guard let string = try numbers.string(characters, &cursor, for: "a C string") else {
      throw ArchiveError(.malformed, "a C string must have characters, found nil", offset: start)
    }
    return .text(numbers.add(cString: string))
  }

  /// The characters of a value; of those that the end of the stream cuts the part is kept.
  private mutating func ownCharacters(_ head: Int8) throws(ArchiveError) -> ByteView {
    let start = cursor
    do {
      return try cursor.characters(head)
    } catch {
      cursor = start
      let length = try cursor.unsigned(head, for: "a string")
      if length > UInt64(cursor.remaining), StreamPart.isText(cursor.rest) {
        tables.cut = StreamPart(bytes: cursor.rest, count: length)
        part = .text(cursor.rest)
      }
      throw error
    }
  }

  /// Reads the number of a class; nil for nil.
  @inline(__always)
  private mutating func type() throws(ArchiveError) -> Int? {
    try numbers.type(cursor.head(for: "a class"), &cursor, &tables.classes)
  }

  /// Reads nil or the number of an object that was met before, or begins an object.
  ///
  /// - Parameter list: the types of the group of which it is the only value; nil if the group has a frame.
  /// - Returns: the value; nil if an object begins.
  @inline(__always)
  private mutating func knownObject(soleOf list: Int?) throws(ArchiveError) -> StreamValue? {
    let start = cursor.position
    let head = try cursor.head(for: "an object")
    if head == Head.null { return .null }
    if head == Head.new {
      try beginObject(at: start, soleOf: list)
      return nil
    }
    return .object(try numbers.object(cursor.reference(head, for: "an object"), at: start))
  }

  private mutating func beginObject(at start: Int, soleOf list: Int?) throws(ArchiveError) {
    // An object has its number before its class and contents, so that these can refer to it.
    let number = tables.objectCount
    try numbers.add(object: number, at: start)
    tables.objectCount &+= 1
    begun = (number, start, nil)
    let type = try type()
    begun?.classNumber = type
    // The group of which it is the only value counts as well.
    let more = list == nil ? 1 : 2
    if isTooDeep(more) { throw .tooDeep(limits.depth, offset: cursor.position) }
    begun = nil
    if list != nil { soleCount &+= 1 }
    frames.push(Frame(kind: .object, list: 0, firstType: 0, count: 0, values: openValues.count))
    objects.push(
      OpenObject(
        number: number, offset: start, classNumber: type, groups: tables.groups.count,
        values: tables.values.count, soleOf: list))
  }
}
