// Rounding without libm, beside libm.

import Foundation
import Testing

@testable import Basics

struct RoundingTests {
  /// Numbers near each border, with both signs.
  static let numbers: [Double] = {
    let exponents = [-1074, -1022, -53, -2, -1, 0, 1, 22, 23, 24, 31, 51, 52, 53, 62, 63, 64, 1023]
    let powers = exponents.map { Double(sign: .plus, exponent: $0, significand: 1) }
    let near = powers.flatMap { [$0.nextDown, $0, $0.nextUp] }
    let halves = stride(from: 0.5, through: 6.5, by: 0.5).flatMap { [$0.nextDown, $0, $0.nextUp] }
    let all = [0, .infinity, .nan, 0x1p52 - 0.5, 0x1p52 - 1.5, 0x1p51 + 0.5] + near + halves
    return all.flatMap { [$0, -$0] }
  }()

  /// The same and numbers of random bits.
  static func numbers(seed: UInt64, count: Int) -> [Double] {
    var state = seed
    return numbers
      + (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // Half of them have a fraction.
        let exponent = (state >> 32) % 60 + 1013
        let bits = state ^ (state >> 29)
        return Double(bitPattern: bits & 1 == 0 ? bits : bits & ~(0x7FF << 52) | exponent << 52)
      }
  }

  enum Function: CaseIterable {
    case floor, ceil, trunc, round, rint

    /// What libm gives.
    func judge(_ number: Double) -> Double {
      switch self {
      case .floor: Foundation.floor(number)
      case .ceil: Foundation.ceil(number)
      case .trunc: Foundation.trunc(number)
      case .round: Foundation.round(number)
      case .rint: Foundation.rint(number)
      }
    }

    func own<Number: BinaryFloatingPoint>(_ number: Number) -> Number {
      switch self {
      case .floor: Rounding.down(number)
      case .ceil: Rounding.up(number)
      case .trunc: Rounding.towardZero(number)
      case .round: Rounding.nearestOrAwayFromZero(number)
      case .rint: Rounding.nearestOrEven(number)
      }
    }
  }

  @Test(arguments: Function.allCases)
  func roundsAsLibmDoes(function: Function) {
    for number in Self.numbers(seed: 1, count: 20_000) {
      let (found, right) = (function.own(number), function.judge(number))
      #expect(
        found.bitPattern == right.bitPattern || found.isNaN && right.isNaN,
        "of \(number): \(found), not \(right)")
    }
  }

  /// A single that is rounded is a single, so that libm's doubles judge these too.
  @Test(arguments: Function.allCases)
  func roundsSinglesAsLibmDoes(function: Function) {
    for number in Self.numbers(seed: 2, count: 20_000).map({ Float($0) }) {
      let (found, right) = (function.own(number), Float(function.judge(Double(number))))
      #expect(
        found.bitPattern == right.bitPattern || found.isNaN && right.isNaN,
        "of \(number): \(found), not \(right)")
    }
  }
}
