// Conversions done, forward and backward.

import Basics
import ObjectGraph
import PropertyLists

extension ScalarConversion {
  /// What a scalar becomes; nil if the conversion has nothing for it.
  func convert(_ scalar: DerivedForm, _ direction: LensDirection) -> DerivedForm? {
    switch self {
    case .table(let table): return table.convert(scalar, direction)
    case .types(let source, let destination):
      return direction == .forward
        ? Self.convert(scalar, source, destination) : Self.convert(scalar, destination, source)
    }
  }

  private static func convert(
    _ scalar: DerivedForm, _ source: ScalarType, _ destination: ScalarType
  ) -> DerivedForm? {
    switch (source, scalar) {
    case (.integer, _), (.real, _), (.boolean, _):
      return convert(number: scalar, isBoolean: source == .boolean, destination)
    case (.string, .string(let text)): return parse(text, destination)
    case (.dateText(let format), .string(let text)):
      return DateSpelling.seconds(of: text, in: format).map { .date($0) }
    case (.dateNumber(let epoch, _), _):
      guard let number = double(scalar), number.isFinite else { return nil }
      return .date(epoch.reference(of: number))
    case (.date, .date(let seconds)): return spell(date: seconds, destination)
    case (.base64, .string(let text)):
      return DerivedForm.bytes(ofBase64: text).map { .data($0) }
    case (.data, .data(let bytes)): return .string(base64(bytes))
    default: return nil
    }
  }

  private static func convert(
    number: DerivedForm, isBoolean: Bool, _ destination: ScalarType
  ) -> DerivedForm? {
    if isBoolean, number.wholeNumber != 0, number.wholeNumber != 1 { return nil }
    switch destination {
    case .integer:
      if let whole = number.wholeNumber { return DerivedForm(whole: whole) }
      guard case .real(let real) = number else { return nil }
      return Int128(exactly: real.rounded(.toNearestOrAwayFromZero)).flatMap {
        DerivedForm(whole: $0)
      }
    case .real:
      guard let real = double(number) else { return nil }
      // An integer that no real holds would become another number.
      if let whole = number.wholeNumber, Int128(exactly: real) != whole { return nil }
      return .real(real)
    case .boolean:
      guard let whole = number.wholeNumber, whole == 0 || whole == 1 else { return nil }
      return .boolean(whole == 1)
    case .string:
      if isBoolean {
        guard let whole = number.wholeNumber, whole == 0 || whole == 1 else { return nil }
        return .string(whole == 1 ? "true" : "false")
      }
      return number.decimalText.map { .string($0) }
    default: return nil
    }
  }

  private static func parse(_ text: String, _ destination: ScalarType) -> DerivedForm? {
    switch destination {
    case .integer: return Int128(text).flatMap { DerivedForm(whole: $0) }
    case .real: return DerivedForm.real(ofDecimal: text).map { .real($0) }
    case .boolean: return text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
    default: return nil
    }
  }

  private static func spell(date seconds: Double, _ destination: ScalarType) -> DerivedForm? {
    switch destination {
    case .dateText(let format):
      return DateSpelling.text(of: seconds, in: format).map { .string($0) }
    case .dateNumber(let epoch, let isInteger):
      let number = epoch.number(of: seconds)
      guard isInteger else { return .real(number) }
      return Int64(exactly: number.rounded(.toNearestOrAwayFromZero)).map { .integer($0) }
    default: return nil
    }
  }

  private static func double(_ scalar: DerivedForm) -> Double? {
    switch scalar {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .real(let number): number
    case .boolean(let flag): flag ? 1 : 0
    default: nil
    }
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    var buffer = ByteBuffer()
    bytes.withUnsafeBytes { Base64.encode($0, to: &buffer) }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}

extension DerivedForm {
  /// A number in decimal; nil for what is no number, or not finite.
  var decimalText: String? {
    switch self {
    case .integer(let integer): "\(integer)"
    case .unsigned(let integer): "\(integer)"
    case .real(let real): real.isFinite ? Self.decimalText(of: real) : nil
    case .boolean(let flag): flag ? "1" : "0"
    default: nil
    }
  }

  /// The text of a real, without a fraction if it has none: 5 and 5.0 are one number to a schema, and to most envelopes.
  private static func decimalText(of real: Double) -> String {
    let isNegativeZero = real == 0 && real.sign == .minus
    guard abs(real) <= 0x1p53, !isNegativeZero, let whole = Int64(exactly: real) else {
      return "\(real)"
    }
    return "\(whole)"
  }

  private static let decimalCharacters = Set("0123456789+-.eE".utf8)

  /// The real that a text spells in decimal; nil if it spells none.
  static func real(ofDecimal text: String) -> Double? {
    // Swift reads hexadecimal and names as well.
    guard text.utf8.allSatisfy({ decimalCharacters.contains($0) }), let real = Double(text),
      real.isFinite
    else { return nil }
    return real
  }
}

extension ScalarConversion.DateEpoch {
  /// Seconds from 1970-01-01 to 2001-01-01.
  private static let gap = 978_307_200.0

  /// Seconds from 2001-01-01T00:00:00Z of a number.
  func reference(of number: Double) -> Double {
    switch self {
    case .unix: number - Self.gap
    case .unixMilliseconds: number / 1000 - Self.gap
    case .reference: number
    }
  }

  /// The number of seconds from 2001-01-01T00:00:00Z.
  func number(of seconds: Double) -> Double {
    switch self {
    case .unix: seconds + Self.gap
    case .unixMilliseconds: (seconds + Self.gap) * 1000
    case .reference: seconds
    }
  }
}
