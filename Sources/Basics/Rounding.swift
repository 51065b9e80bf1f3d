// Whole numbers near a number, without libm.

/// The functions of math.h that round, for one type.
///
/// Numbers from the first on that has no fraction any more, infinities and NaN are as they are. A zero has the sign of
/// the number that was rounded.
package enum Rounding<Number: BinaryFloatingPoint> {
  /// From here on numbers have no fraction: 2^52 of a `Double`.
  @inline(__always)
  private static var whole: Number {
    Number(sign: .plus, exponent: Number.Exponent(Number.significandBitCount), significand: 1)
  }

  /// Towards zero: trunc(3).
  @inline(__always)
  package static func towardZero(_ number: Number) -> Number {
    guard number.magnitude < whole else { return number }
    return Number(signOf: number, magnitudeOf: Number(Int64(number)))
  }

  /// Down: floor(3).
  @inline(__always)
  package static func down(_ number: Number) -> Number {
    let near = towardZero(number)
    return near > number ? near - 1 : near
  }

  /// Up: ceil(3).
  @inline(__always)
  package static func up(_ number: Number) -> Number {
    let near = towardZero(number)
    return near < number ? near + 1 : near
  }

  /// To the nearest, halves away from zero: round(3).
  @inline(__always)
  package static func nearestOrAwayFromZero(_ number: Number) -> Number {
    let near = towardZero(number)
    guard (number - near).magnitude >= 0.5 else { return near }
    return near + Number(signOf: number, magnitudeOf: 1)
  }

  /// To the nearest, halves to the even one: rint(3), nearbyint(3).
  @inline(__always)
  package static func nearestOrEven(_ number: Number) -> Number {
    guard number.magnitude < whole else { return number }
    // The sum has no room for a fraction, and is rounded so.
    return Number(signOf: number, magnitudeOf: number.magnitude + whole - whole)
  }
}
