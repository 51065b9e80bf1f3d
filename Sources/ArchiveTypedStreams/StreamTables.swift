// The content of a typedstream as it is read: tables of objects, groups and values, without an array of each of them.

import ArchiveBasics
import ArchiveGraph

/// A part of a table.
struct StreamRange {
  let start: Int
  let count: Int

  static let empty = StreamRange(start: 0, count: 0)

  /// As many values that begin elsewhere.
  @inline(__always)
  fileprivate func shifted(by shift: Int) -> StreamRange {
    StreamRange(start: start &+ shift, count: count)
  }
}

/// One value of a group.
enum StreamValue {
  /// nil, or a value without content.
  case null
  /// A value that a damaged stream has lost.
  case lost
  case boolean(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case single(Float)
  case real(Double)
  /// Characters: of `+`, `*`, `%` and `:`.
  case text(ByteView)
  /// `[12c]`, `[12C]`.
  case data(ByteView)
  /// The number of an object in the stream's order.
  case object(Int)
  /// The number of a class in the stream's order.
  case type(Int)
  case array(StreamRange)
  case structure(StreamRange)

  /// The bytes that it shows; nil for other values.
  ///
  /// Parts are values of their own.
  var bytes: ByteView? {
    switch self {
    case .text(let bytes), .data(let bytes): bytes
    default: nil
    }
  }

  /// Whether a type of one letter holds the value as it is.
  func fits(_ code: UInt8) -> Bool {
    switch (self, code) {
    case (.boolean, UInt8(ascii: "B")), (.single, UInt8(ascii: "f")), (.real, UInt8(ascii: "d")),
      (.single, UInt8(ascii: "d")), (.lost, _):
      true
    case (.real(let number), UInt8(ascii: "f")):
      Double(Float(number)) == number || number.isNaN
    case (.integer(let number), UInt8(ascii: "L")), (.integer(let number), UInt8(ascii: "Q")):
      number >= 0
    case (.unsigned, UInt8(ascii: "L")), (.unsigned, UInt8(ascii: "Q")): true
    case (.integer(let number), _): EncodedType.integers(code)?.contains(number) ?? false
    case (.text, let code): "*%:+".utf8.contains(code)
    case (.null, let code): "*%:+!@#".utf8.contains(code)
    default: false
    }
  }
}

/// One type of a group.
struct StreamType {
  /// The codes of what is no scalar; those of scalars are their letters.
  static let array = UInt8(ascii: "[")
  static let structure = UInt8(ascii: "{")
  /// An array of characters, which is data.
  static let bytes: UInt8 = 1

  let code: UInt8
  var isScalar: Bool { code != Self.array && code != Self.structure && code != Self.bytes }
  /// How many elements an array has.
  let count: Int
  /// The types of its elements or fields.
  let parts: StreamRange
  /// See `EncodedType`.
  let cost: Int
  let minimumSize: Int
}

/// The types of a group, as they were written once.
struct StreamTypes {
  let types: StreamRange
  /// The letter of a list of one scalar that costs nothing; 0 for other lists.
  let letter: UInt8
}

/// Values that were written with one call.
struct StreamGroup {
  /// The number of the list of their types; of a damaged stream it may be longer.
  let list: Int
  let values: StreamRange
  /// The code of the type of a group of one value (`StreamType`); 0 for other groups.
  let letter: UInt8
}

/// An object in a stream, all of which was read.
struct StreamObject {
  /// Its number in the stream's order.
  let number: Int
  let offset: Int
  let classNumber: Int?
  var groups: StreamRange
  /// Where the values of its groups begin, and their parts; nothing else follows them while it is taken.
  var values: Int
  /// Whether a damaged stream ends in it.
  var isCut = false
  /// Whether only the end of a string of its own is missing.
  var endsInText = false
}

/// What takes the objects of a stream, one by one.
protocol StreamConsumer: ~Copyable {
  /// Takes an object that ended; those within it ended before.
  ///
  /// The tables are not changed: they are `inout` because borrowed ones are copied for each call.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - tables: what its groups and values stand in, until the next object ends.
  mutating func receive(_ object: StreamObject, _ tables: inout StreamTables)

  /// What keeps the shared strings, if the bytes of the stream are given back; nil if they stay.
  var texts: StreamTexts? { get }

  /// Gives back bytes before a position, as far as objects that were taken do not need them: nothing else does.
  mutating func discardPages(before position: Int)
}

extension StreamConsumer where Self: ~Copyable {
  var texts: StreamTexts? { nil }
  mutating func discardPages(before position: Int) {}
}

/// What a stream has read of itself: the classes and types of all of it, the groups and values of what is open.
///
/// A range of one table is within it, since what it names was added before.
struct StreamTables: ~Copyable {
  var version: UInt8 = 4
  var systemVersion: Int64 = 1000
  var isBigEndian = false
  /// The number of newlines after the last group.
  var surplus = 0
  /// What ended reading a damaged stream too early.
  var loss: ArchiveError?
  /// The string that the end of a damaged stream cuts.
  var cut: StreamPart?
  /// The number of objects that began.
  var objectCount = 0
  var classes: [TypedClass] = []
  private(set) var values = RawStack<StreamValue>()
  /// The groups of all open objects, the innermost last; at the end those outside of objects.
  private(set) var groups = RawStack<StreamGroup>()
  /// The types of each list, and those of their parts.
  private(set) var types = RawStack<StreamType>()
  private(set) var lists = RawStack<StreamTypes>()
  /// The types of the lists as they are encoded.
  private var encodings: [[EncodedType]] = []

  // MARK: Reading

  /// The groups outside of objects, when all objects ended.
  var topGroups: UnsafeBufferPointer<StreamGroup> { UnsafeBufferPointer(groups.values(from: 0)) }

  /// The groups of an object, or outside of objects.
  func groups(_ range: StreamRange) -> UnsafeBufferPointer<StreamGroup> {
    UnsafeBufferPointer(rebasing: groups.values(from: range.start).prefix(range.count))
  }

  /// The values of a group, an array or a structure.
  func values(_ range: StreamRange) -> UnsafeBufferPointer<StreamValue> {
    UnsafeBufferPointer(rebasing: values.values(from: range.start).prefix(range.count))
  }

  func values(from start: Int) -> UnsafeBufferPointer<StreamValue> {
    UnsafeBufferPointer(values.values(from: start))
  }

  var valueCount: Int { values.count }

  /// The lists of types from a number on.
  func lists(from start: Int) -> [[EncodedType]] { Array(encodings[start...]) }

  /// The only value of a group of one.
  @inline(__always)
  func value(of group: StreamGroup) -> StreamValue { values[group.values.start].pointee }

  /// Whether all values of a group are objects.
  func isOfObjects(_ group: StreamGroup) -> Bool {
    if group.letter != 0 { return group.letter == UInt8(ascii: "@") }
    let first = lists[group.list].pointee.types.start
    for position in 0..<group.values.count {
      if types[first &+ position].pointee.code != UInt8(ascii: "@") { return false }
    }
    return true
  }

  /// The types of a group's values, as they are encoded.
  func encodedTypes(of group: StreamGroup) -> ArraySlice<EncodedType> {
    encodings[group.list].prefix(group.values.count)
  }

  // MARK: Adding

  /// Adds values of a group, a structure or an array.
  mutating func add(_ new: some Collection<StreamValue>) -> StreamRange {
    let start = values.count
    for value in new { values.push(value) }
    return StreamRange(start: start, count: new.count)
  }

  mutating func addGroup(_ list: Int, _ range: StreamRange) {
    let first = lists[list].pointee.types.start
    let letter = range.count == 1 ? types[first].pointee.code : 0
    groups.push(StreamGroup(list: list, values: range, letter: letter))
  }

  @inline(__always)
  mutating func addGroup(_ list: Int, letter: UInt8, _ value: StreamValue) {
    groups.push(
      StreamGroup(list: list, values: StreamRange(start: values.count, count: 1), letter: letter))
    values.push(value)
  }

  /// Adds the groups of an object of other tables that know the same lists of types, and their values.
  ///
  /// - Parameter show: receives the bytes that values show.
  /// - Returns: the object with its groups here.
  @inline(__always)
  mutating func add(
    _ object: StreamObject, of others: borrowing StreamTables,
    _ show: (ByteView) -> Void = { _ in }
  ) -> StreamObject {
    var copy = object
    (copy.groups, copy.values) = (
      StreamRange(start: groups.count, count: object.groups.count), values.count
    )
    let shift = copy.values &- object.values
    for group in others.groups(object.groups) {
      let range = group.values.shifted(by: shift)
      groups.push(StreamGroup(list: group.list, values: range, letter: group.letter))
    }
    values.push(all: others.values(from: object.values))
    for position in copy.values..<values.count {
      switch values[position].pointee {
      case .array(let range): values[position].pointee = .array(range.shifted(by: shift))
      case .structure(let range): values[position].pointee = .structure(range.shifted(by: shift))
      case .text(let bytes), .data(let bytes): show(bytes)
      default: continue
      }
    }
    return copy
  }

  /// Takes the groups and values of other tables in place of its own, and gives these for them.
  mutating func exchangeContents(_ others: inout StreamTables) {
    swap(&groups, &others.groups)
    swap(&values, &others.values)
  }

  /// Forgets the groups and values of an object that ended.
  @inline(__always)
  mutating func truncate(groups groupCount: Int, values valueCount: Int) {
    groups.truncate(to: groupCount)
    values.truncate(to: valueCount)
  }

  /// Adds a list of types.
  ///
  /// - Returns: its number.
  mutating func add(_ list: [EncodedType]) -> Int {
    let range = addTypes(list)
    let first = range.count == 1 ? types[range.start].pointee : nil
    let isPlain = first.map { $0.isScalar && $0.cost == 0 } == true
    lists.push(StreamTypes(types: range, letter: isPlain ? first?.code ?? 0 : 0))
    encodings.append(list)
    return lists.count - 1
  }

  /// Adds types one after another, their parts before them.
  ///
  /// They nest to a bounded depth (`EncodedType`).
  private mutating func addTypes(_ list: [EncodedType]) -> StreamRange {
    let added = list.map { addTypes($0) }
    let start = types.count
    for type in added { types.push(type) }
    return StreamRange(start: start, count: list.count)
  }

  private mutating func addTypes(_ type: EncodedType) -> StreamType {
    let (code, count, parts): (UInt8, Int, [EncodedType]) =
      switch type {
      case .scalar(let code): (code, 0, [])
      case .structure(_, let fields): (StreamType.structure, 0, fields)
      case .array(let count, let element):
        (element.isCharacter ? StreamType.bytes : StreamType.array, count, [element])
      }
    return StreamType(
      code: code, count: count, parts: addTypes(parts), cost: type.cost,
      minimumSize: type.minimumSize)
  }
}

// MARK: - The part that is there of a string that the end of a typedstream cuts

/// The beginning of a string, and the length of the whole.
struct StreamPart {
  let bytes: ByteView
  let count: UInt64

  /// Whether bytes can be the beginning of a string: the rest of a damaged stream may be anything.
  static func isText(_ bytes: ByteView) -> Bool {
    if bytes.isEmpty { return false }
    return PartialText.utf8(bytes) != nil || PartialText.isPlausible(latin(bytes))
  }

  /// The text, with how much of it is there.
  var text: String {
    guard let text = PartialText.utf8(bytes) else { return marked(Self.latin(bytes), bytes.count) }
    return marked(text, text.utf8.count)
  }

  private func marked(_ text: String, _ found: Int) -> String {
    PartialText.marked(text, found, of: count, "bytes")
  }

  private static func latin(_ bytes: ByteView) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
