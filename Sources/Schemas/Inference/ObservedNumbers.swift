// The range of the numbers, the lengths and the counts seen in one place: bounded facts, however many there were.

/// The numbers seen in a place.
struct ObservedNumbers {
  var count = 0
  var least: Int128?
  var greatest: Int128?
  var leastReal: Double?
  var greatestReal: Double?
  /// Whether there were NaN or infinities, which lie in no range.
  var isUnbounded = false

  mutating func add(_ number: Int128) {
    count += 1
    least = min(least ?? number, number)
    greatest = max(greatest ?? number, number)
  }

  mutating func add(_ number: Double) {
    count += 1
    guard number.isFinite else {
      isUnbounded = true
      return
    }
    leastReal = min(leastReal ?? number, number)
    greatestReal = max(greatestReal ?? number, number)
  }

  mutating func merge(_ other: ObservedNumbers) {
    count += other.count
    least = Self.combine(least, other.least, min)
    greatest = Self.combine(greatest, other.greatest, max)
    leastReal = Self.combine(leastReal, other.leastReal, min)
    greatestReal = Self.combine(greatestReal, other.greatestReal, max)
    isUnbounded = isUnbounded || other.isUnbounded
  }

  private static func combine<Number>(
    _ left: Number?, _ right: Number?, _ choose: (Number, Number) -> Number
  ) -> Number? {
    guard let left, let right else { return left ?? right }
    return choose(left, right)
  }
}

/// The lengths of the strings, or the counts of the arrays, seen in a place.
struct ObservedRange {
  var least = Int.max
  var greatest = 0

  mutating func add(_ number: Int) {
    least = min(least, number)
    greatest = max(greatest, number)
  }

  mutating func merge(_ other: ObservedRange) {
    least = min(least, other.least)
    greatest = max(greatest, other.greatest)
  }
}
