// NSIndexSet: `NSRangeCount` ranges, one as `NSLocation` and `NSLength`, several as `NSRangeData`, LEB128 pairs.
// NSIndexPath: `NSIndexPathLength`, one index as `NSIndexPathValue`, several as `NSIndexPathData`
// (swift-corelibs-foundation: NSIndexSet.swift, NSIndexPath.swift).

import ObjectGraph

/// NSIndexSet and NSMutableIndexSet.
enum NSIndexSetClass: ArchivedClass {
  static let classNames = ["NSIndexSet", "NSMutableIndexSet"]
  static let shown = "its ranges"

  static func value(of object: ArchivedObject) -> Value? {
    let spelled = ["NSRangeCount", "NSRangeData", "NSLocation", "NSLength"]
    return object.derivedObject(spelling: spelled) {
      guard let ranges = ranges(of: object) else { return nil }
      let forms = ranges.map { range -> DerivedForm in
        .members([
          ("location", .integer(Int64(range.lowerBound))), ("length", .integer(Int64(range.count))),
        ])
      }
      return [("ranges", .list(forms))]
    }
  }

  static func summary(of object: ArchivedObject) -> String? {
    guard let ranges = ranges(of: object) else { return nil }
    return RangeText.list(ranges) { String($0) }
  }

  /// The ranges, nil if they are not ascending or not as many as the set says.
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
}

/// NSIndexPath.
enum NSIndexPathClass: ArchivedClass {
  static let classNames = ["NSIndexPath", "UIMutableIndexPath"]
  static let shown = "its indexes"
  static let isSimple = true

  static func value(of object: ArchivedObject) -> Value? {
    let spelled = ["NSIndexPathLength", "NSIndexPathData", "NSIndexPathValue"]
    return object.derivedObject(spelling: spelled) {
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
}

/// Ranges within a line.
enum RangeText {
  /// How many ranges are shown.
  static let most = 8

  /// `0–3, 7, 300–301`, the ends included; `empty` if there are none.
  static func list(_ ranges: [Range<Int64>], spell: (Int64) -> String) -> String {
    if ranges.isEmpty { return "empty" }
    let texts = ranges.prefix(most).map { range -> String in
      let last = range.upperBound - 1
      return range.lowerBound == last
        ? spell(last) : "\(spell(range.lowerBound))–\(spell(last))"
    }
    return texts.joined(separator: ", ") + (ranges.count > most ? ", …" : "")
  }
}
