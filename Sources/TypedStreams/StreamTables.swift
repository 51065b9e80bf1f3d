// The content of a typedstream as it is read: tables of objects, groups and values, without an array of each of them.

import Basics

/// A part of a table.
struct StreamRange {
  let start: Int
  let count: Int

  static let empty = StreamRange(start: 0, count: 0)
}

/// One value of a group, as `StreamValue`.
enum StreamItem {
  case null
  case lost
  case boolean(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case single(Float)
  case real(Double)
  case text(UnsafeRawBufferPointer)
  case data(UnsafeRawBufferPointer)
  case object(Int)
  case type(Int)
  case array(StreamRange)
  case structure(StreamRange)
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

/// Values that were written with one call.
struct StreamGroup {
  /// The number of the list of their types; of a damaged stream it may be longer.
  let list: Int
  let values: StreamRange
}

/// An object in a stream.
struct StreamObject {
  /// Where it begins.
  let offset: Int
  var classNumber: Int?
  var groups = StreamRange.empty
  /// Whether a damaged stream ends in it.
  var isCut = false
  /// Whether only the end of a string of its own is missing.
  var endsInText = false

  init(offset: Int) { self.offset = offset }
}

/// All of a stream.
///
/// A range of one table is within it, since what it names was added before.
struct StreamTables: ~Copyable {
  var version: UInt8 = 4
  var systemVersion: Int64 = 1000
  var isBigEndian = false
  /// The number of newlines after the last group.
  var surplus = 0
  /// The string that the end of a damaged stream cuts.
  var cut: StreamPart?
  var objects = RawStack<StreamObject>()
  var classes: [TypedClass] = []
  private(set) var values = RawStack<StreamItem>()
  private(set) var groups = RawStack<StreamGroup>()
  private var tops = StreamRange.empty
  /// The types of each list, and those of their parts.
  private(set) var types = RawStack<StreamType>()
  private(set) var lists = RawStack<StreamRange>()
  /// The types of the lists as they are encoded.
  private var encodings: [[EncodedType]] = []

  // MARK: Reading

  /// The number of groups outside of objects.
  var topCount: Int { tops.count }

  /// The groups outside of objects.
  var topGroups: UnsafeBufferPointer<StreamGroup> { groups(tops) }

  /// The groups of an object.
  func groups(of object: StreamObject) -> UnsafeBufferPointer<StreamGroup> {
    groups(object.groups)
  }

  private func groups(_ range: StreamRange) -> UnsafeBufferPointer<StreamGroup> {
    UnsafeBufferPointer(rebasing: groups.values(from: range.start).prefix(range.count))
  }

  /// The values of a group.
  func values(of group: StreamGroup) -> UnsafeBufferPointer<StreamItem> { values(group.values) }

  /// The values of an array or structure.
  func values(_ range: StreamRange) -> UnsafeBufferPointer<StreamItem> {
    UnsafeBufferPointer(rebasing: values.values(from: range.start).prefix(range.count))
  }

  /// The letter of a group of one scalar; 0 for other groups.
  func letter(of group: StreamGroup) -> UInt8 {
    group.values.count == 1 ? types[lists[group.list].pointee.start].pointee.code : 0
  }

  /// Whether all values of a group are objects.
  func isOfObjects(_ group: StreamGroup) -> Bool {
    let first = lists[group.list].pointee.start
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
  mutating func add(_ items: UnsafeMutableBufferPointer<StreamItem>) -> StreamRange {
    let start = values.count
    for item in items { values.push(item) }
    return StreamRange(start: start, count: items.count)
  }

  /// Adds the value of a group of one.
  @inline(__always)
  mutating func add(_ item: StreamItem) -> StreamRange {
    values.push(item)
    return StreamRange(start: values.count &- 1, count: 1)
  }

  /// Adds the groups of an object.
  mutating func add(_ items: UnsafeMutableBufferPointer<StreamGroup>) -> StreamRange {
    let start = groups.count
    for item in items { groups.push(item) }
    return StreamRange(start: start, count: items.count)
  }

  /// Adds the groups outside of objects.
  mutating func setTops(_ items: UnsafeMutableBufferPointer<StreamGroup>) { tops = add(items) }

  /// Adds a list of types.
  ///
  /// - Returns: its number.
  mutating func add(_ list: [EncodedType]) -> Int {
    lists.push(place(list))
    encodings.append(list)
    return lists.count - 1
  }

  /// Adds types one after another, their parts before them.
  ///
  /// They nest to a bounded depth (`EncodedType`).
  private mutating func place(_ list: [EncodedType]) -> StreamRange {
    let placed = list.map { place($0) }
    let start = types.count
    for type in placed { types.push(type) }
    return StreamRange(start: start, count: list.count)
  }

  private mutating func place(_ type: EncodedType) -> StreamType {
    let (cost, size) = (type.cost, type.minimumSize)
    switch type {
    case .scalar(let code):
      return StreamType(code: code, count: 0, parts: .empty, cost: cost, minimumSize: size)
    case .structure(_, let fields):
      return StreamType(
        code: StreamType.structure, count: 0, parts: place(fields), cost: cost, minimumSize: size)
    case .array(let count, let element):
      var code = StreamType.array
      if case .scalar(UInt8(ascii: "c")) = element { code = StreamType.bytes }
      if case .scalar(UInt8(ascii: "C")) = element { code = StreamType.bytes }
      return StreamType(
        code: code, count: count, parts: place([element]), cost: cost, minimumSize: size)
    }
  }
}

// MARK: - As arrays, to be changed

extension StreamTables {
  /// The same as arrays of groups and values.
  var contents: TypedStreamContents {
    var contents = TypedStreamContents()
    contents.version = version
    contents.systemVersion = systemVersion
    contents.isBigEndian = isBigEndian
    contents.surplus = surplus
    contents.cut = cut
    contents.classes = classes
    contents.objects.reserveCapacity(objects.count)
    for number in 0..<objects.count {
      let object = objects[number].pointee
      var copy = TypedObject(offset: object.offset)
      copy.classNumber = object.classNumber
      copy.groups = groups(of: object).map { copied($0) }
      (copy.isCut, copy.endsInText) = (object.isCut, object.endsInText)
      contents.objects.append(copy)
    }
    contents.tops = topGroups.map { copied($0) }
    return contents
  }

  private func copied(_ group: StreamGroup) -> TypedGroup {
    TypedGroup(
      types: Array(encodedTypes(of: group)), values: values(of: group).map { copied($0) })
  }

  private func copied(_ item: StreamItem) -> StreamValue {
    switch item {
    case .null: .null
    case .lost: .lost
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(number)
    case .unsigned(let number): .unsigned(number)
    case .single(let number): .single(number)
    case .real(let number): .real(number)
    case .text(let bytes): .text(bytes)
    case .data(let bytes): .data(bytes)
    case .object(let number): .object(number)
    case .type(let number): .type(number)
    case .array(let range): .array(values(range).map { copied($0) })
    case .structure(let range): .structure(values(range).map { copied($0) })
    }
  }
}
