// The integers that bounds leave.

import Basics
import PropertyLists
import Schemas

extension ValueShape {
  /// More integers are not listed.
  private static let listLimit: Int128 = 1000

  /// The booleans and integers that bounds allow, where they are few and nothing else is allowed.
  var bounded: [JSONTree]? {
    guard !kinds.isDisjoint(with: .integer),
      kinds.isSubset(of: [.boolean, .storedInteger, .wholeReal]),
      let (lower, upper) = bounds, let lower, let upper
    else { return nil }
    let (count, isOver) = upper.subtractingReportingOverflow(lower)
    guard !isOver, count < Self.listLimit else { return nil }
    var result: [JSONTree] = kinds.contains(.boolean) ? [.boolean(false), .boolean(true)] : []
    var next = lower
    while next <= upper {
      guard let number = Int(exactly: next) else { return nil }
      result.append(.integer(number))
      next += 1
    }
    return result
  }

  /// Some integers that bounds allow, one after the other, from 0 if that is allowed.
  func firstIntegers(_ count: Int) -> [Int] {
    guard !kinds.isEmpty, let (lower, upper) = bounds else { return [] }
    var next: Int128 = 0
    if let lower, lower > 0 { next = lower }
    if let upper, upper < 0 { next = lower ?? upper - Int128(count) + 1 }
    var result: [Int] = []
    while result.count < count, next <= upper ?? next, let number = Int(exactly: next) {
      result.append(number)
      next += 1
    }
    return result
  }

  /// The least and the greatest integer; nil if rules say more than bounds do.
  private var bounds: (lower: Int128?, upper: Int128?)? {
    var (lower, upper): (Int128?, Int128?) = (nil, nil)
    for (keyword, value) in rules.joined() {
      guard let number = ExactNumber(value) else { return nil }
      let isLower = keyword.lowercased().hasSuffix("minimum")
      let isUpper = keyword.lowercased().hasSuffix("maximum")
      guard isLower || isUpper, var bound = Self.whole(value, number, isLower) else { return nil }
      if keyword.hasPrefix("exclusive"), number == .integer(bound) { bound += isLower ? 1 : -1 }
      if isLower { lower = max(lower ?? bound, bound) }
      if isUpper { upper = min(upper ?? bound, bound) }
    }
    return (lower, upper)
  }

  /// The integer that is nearest on the side of the values that are allowed; nil for large numbers.
  private static func whole(
    _ value: JSONTree, _ number: ExactNumber, _ isLower: Bool
  ) -> Int128? {
    guard number < .integer(1 << 100), .integer(-(1 << 100)) < number else { return nil }
    if let integer = number.integer { return integer }
    guard case .real(let real) = value else { return nil }
    return Int128(exactly: real.rounded(isLower ? .up : .down))
  }
}
