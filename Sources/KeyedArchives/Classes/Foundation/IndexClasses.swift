// Index sets and index paths.

import ArchiveBasics
import ArchiveGraph

// MARK: - NSIndexSet

enum NSIndexSetClass: FrameworkClass {
  static let classNames = ["NSIndexSet", "NSMutableIndexSet"]
  static let shown = "its ranges"

  static func value(of object: ArchivedObject) -> Value? {
    let fieldNames = ["NSRangeCount", "NSRangeData", "NSLocation", "NSLength"]
    return object.derivedObject(of: fieldNames) {
      guard let ranges = ranges(of: object) else { return nil }
      return [("ranges", .list(ranges.map { form($0.lowerBound, Int64($0.count)) }))]
    }
  }

  private static func form(_ location: Int64, _ length: Int64) -> SyntheticValue {
    .members([("location", .integer(location)), ("length", .integer(length))])
  }

  static func summary(of object: ArchivedObject) -> String? {
    guard let ranges = ranges(of: object) else { return nil }
    return RangeText.list(ranges) { String($0) }
  }

  /// The ranges, nil if they are not ascending or their number is wrong.
  private static func ranges(of object: ArchivedObject) -> [Range<Int64>]? {
    let count = object.integer("NSRangeCount")
    if object.has("NSRangeData") {
      guard let bytes = object.bytes("NSRangeData"), let numbers = LEB128.all(of: bytes),
        numbers.count % 2 == 0, count == nil || count == Int64(numbers.count / 2)
      else { return nil }
      var ranges: [Range<Int64>] = []
      for position in stride(from: 0, to: numbers.count, by: 2) {
        guard let range = range(numbers[position], numbers[position + 1]),
          range.lowerBound >= ranges.last?.upperBound ?? 0
        else { return nil }
        ranges.append(range)
      }
      return ranges
    }
    guard object.has("NSLocation") || object.has("NSLength") else {
      return count == nil || count == 0 ? [] : nil
    }
    guard let location = object.integer("NSLocation"), let length = object.integer("NSLength"),
      count == nil || count == 1, let range = range(location, length)
    else { return nil }
    return [range]
  }

  private static func range(_ location: Int64, _ length: Int64) -> Range<Int64>? {
    let (end, isOver) = location.addingReportingOverflow(length)
    guard location >= 0, length > 0, !isOver else { return nil }
    return location..<end
  }

  // MARK: Stored form

  /// Several ranges are data, mutable in Apple's Foundation (encodeWithCoder: of NSIndexSet).
  static let storedForm = StoredForm.made(shown: ["ranges", "indexes"]) {
    value throws(FormRefusal) in
    var members = try value.members()
    let name = members.hasAll(["ranges"]) ? "ranges" : "indexes"
    var numbers: [Int64] = []
    for node in try members.required(members.elements(name), name) {
      var range = try value.members(of: node)
      let location = try range.required(range.integer("location"), "location")
      let length = try range.required(range.integer("length"), "length")
      try range.end()
      guard location >= numbers.last ?? 0, length > 0,
        !location.addingReportingOverflow(length).overflow
      else { throw FormRefusal(reason: "its ranges are not ascending") }
      numbers += [location, length]
    }
    try members.end()
    let count = StoredField("NSRangeCount", .integer(Int64(numbers.count / 2)))
    switch numbers.count {
    case 0: return [count]
    case 2:
      return [
        count, StoredField("NSLocation", .integer(numbers[0])),
        StoredField("NSLength", .integer(numbers[1])),
      ]
    default:
      let data = StoredValue.data(
        LEB128.bytes(of: numbers), isMutable: value.foundation == .apple)
      return [count, StoredField("NSRangeData", data)]
    }
  }

  // MARK: Codable

  /// IndexSet: `{indexes: [{location, length}]}`.
  static let codableForm: CodableForm? = CodableForm(fields: [
    "NSRangeCount", "NSRangeData", "NSLocation", "NSLength",
  ]) { fields in
    var ranges: [SyntheticValue] = []
    if let data = fields.data("NSRangeData") {
      guard let numbers = LEB128.all(of: data), numbers.count % 2 == 0 else { return nil }
      for position in stride(from: 0, to: numbers.count, by: 2) {
        ranges.append(form(numbers[position], numbers[position + 1]))
      }
    } else if let location = fields.integer("NSLocation"), let length = fields.integer("NSLength") {
      ranges.append(form(location, length))
    }
    return .members([("indexes", .list(ranges))])
  }
}

// MARK: - NSIndexPath

enum NSIndexPathClass: SimpleClass {
  static let classNames = ["NSIndexPath", "UIMutableIndexPath"]
  static let shown = "its indexes"

  static func value(of object: ArchivedObject) -> Value? {
    let fieldNames = ["NSIndexPathLength", "NSIndexPathData", "NSIndexPathValue"]
    return object.derivedObject(of: fieldNames) {
      guard let indexes = indexes(of: object) else { return nil }
      return [("indexes", .list(indexes.map { .integer($0) }))]
    }
  }

  static func summary(of object: ArchivedObject) -> String? {
    guard let indexes = indexes(of: object) else { return nil }
    let start = indexes.prefix(16).map { String($0) }.joined(separator: " – ")
    return indexes.isEmpty ? "empty" : start + (indexes.count > 16 ? " …" : "")
  }

  private static func indexes(of object: ArchivedObject) -> [Int64]? {
    guard let length = object.integer("NSIndexPathLength") else { return nil }
    let indexes: [Int64]
    if object.has("NSIndexPathData") {
      guard let bytes = object.bytes("NSIndexPathData"), let numbers = LEB128.all(of: bytes) else {
        return nil
      }
      indexes = numbers
    } else if object.has("NSIndexPathValue") {
      guard let value = object.integer("NSIndexPathValue") else { return nil }
      indexes = [value]
    } else {
      indexes = []
    }
    return Int64(indexes.count) == length ? indexes : nil
  }

  // MARK: Stored form

  static let storedForm = StoredForm.made(shown: ["indexes"]) { value throws(FormRefusal) in
    var members = try value.members()
    let nodes = try members.required(members.elements("indexes"), "indexes")
    try members.end()
    let numbers = nodes.compactMap { value.integer($0) }
    guard numbers.count == nodes.count, numbers.allSatisfy({ $0 >= 0 }) else {
      throw FormRefusal(reason: "its indexes are not integers from 0 on")
    }
    let length = StoredField("NSIndexPathLength", .integer(Int64(numbers.count)))
    switch numbers.count {
    case 0: return [length]
    case 1: return [length, StoredField("NSIndexPathValue", .integer(numbers[0]))]
    default:
      let data = StoredValue.data(LEB128.bytes(of: numbers), isMutable: false)
      return [length, StoredField("NSIndexPathData", data)]
    }
  }

  // MARK: Codable

  /// IndexPath: `{indexes}`.
  static let codableForm: CodableForm? = CodableForm(fields: [
    "NSIndexPathLength", "NSIndexPathData", "NSIndexPathValue",
  ]) { fields in
    guard let length = fields.integer("NSIndexPathLength") else { return nil }
    let indexes =
      fields.data("NSIndexPathData").map { LEB128.all(of: $0) ?? [] }
      ?? fields.integer("NSIndexPathValue").map { [$0] } ?? []
    guard indexes.count == length else { return nil }
    return .members([("indexes", .list(indexes.map { .integer($0) }))])
  }
}
