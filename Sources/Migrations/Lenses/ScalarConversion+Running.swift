// Conversions done, forward and backward.

import ObjectGraph
import PropertyLists

extension ScalarConversion {
  /// What a scalar becomes; nil if the conversion has nothing for it.
  func convert(_ scalar: DerivedForm, _ direction: LensDirection) -> DerivedForm? {
    switch self {
    case .table(let pairs):
      for pair in pairs {
        let (from, to) =
          direction == .forward
          ? (pair.source, pair.destination) : (pair.destination, pair.source)
        if DerivedForm(from).isSameScalar(as: scalar) { return DerivedForm(to) }
      }
      return nil
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
    case (.base64, .string(let text)): return .data(DerivedForm.bytes(ofBase64: text))
    case (.data, .data(let bytes)): return .string(base64(bytes))
    default: return nil
    }
  }

  private static func convert(
    number: DerivedForm, isBoolean: Bool, _ destination: ScalarType
  ) -> DerivedForm? {
    switch destination {
    case .integer:
      if let whole = number.wholeNumber { return .integer(whole) }
      guard case .real(let real) = number else { return nil }
      return Int64(exactly: real.rounded(.toNearestOrAwayFromZero)).map { .integer($0) }
    case .real: return double(number).map { .real($0) }
    case .boolean:
      guard let whole = number.wholeNumber, whole == 0 || whole == 1 else { return nil }
      return .boolean(whole == 1)
    case .string:
      if isBoolean {
        guard let whole = number.wholeNumber, whole == 0 || whole == 1 else { return nil }
        return .string(whole == 1 ? "true" : "false")
      }
      return decimal(number).map { .string($0) }
    default: return nil
    }
  }

  private static func decimal(_ number: DerivedForm) -> String? {
    switch number {
    case .integer(let integer): "\(integer)"
    case .real(let real): real.isFinite ? "\(real)" : nil
    case .boolean(let flag): flag ? "1" : "0"
    default: nil
    }
  }

  private static func parse(_ text: String, _ destination: ScalarType) -> DerivedForm? {
    switch destination {
    case .integer: return Int64(text).map { .integer($0) }
    case .real:
      guard let real = Double(text), real.isFinite else { return nil }
      return .real(real)
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
