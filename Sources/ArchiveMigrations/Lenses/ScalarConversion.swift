// The conversion of a scalar by `convert`, in both directions.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting

/// A conversion between two representations of a scalar.
enum ScalarConversion: Sendable, Equatable {
  case table(ConversionTable)
  case types(source: ScalarType, destination: ScalarType)

  /// A type of scalars, which determines how a value of the other side is represented.
  enum ScalarType: Sendable, Equatable {
    /// An integer of 64 bits; a real becomes the nearest one.
    case integer
    /// A real; an integer without an exact real cannot be converted.
    case real
    /// A boolean; as a number 0 or 1, as a string `false` or `true`.
    case boolean
    /// A string; numbers are written in decimal, those without a fraction as integers.
    case string
    case date
    /// A string with a date in a named format.
    case dateText(DateFormat)
    /// A number that counts from an epoch; an integer is rounded to the nearest one.
    case dateNumber(DateEpoch, isInteger: Bool)
    case data
    /// A string with bytes in Base64.
    case base64
    /// A value of a framework's type, in the form that its envelope gives it.
    case framework(FrameworkType)
    /// A string with a value of the type.
    case frameworkText(FrameworkType)
    /// A list of the numbers of the type.
    case frameworkList(FrameworkType)
    /// An object of the numbers of the type.
    case frameworkObject(FrameworkType)
  }

  /// A named format of dates in strings.
  enum DateFormat: Sendable, Equatable {
    /// `2019-04-06T03:50:00Z` (RFC 3339); any offset is accepted, and UTC is written.
    case iso8601
    /// `Sat, 06 Apr 2019 03:50:00 +0000` (RFC 5322).
    case rfc5322
    /// `Apr 6, 2019 at 12:50:00 PM`: DateFormatter's medium style in American English.
    ///
    /// The offset from UTC is in seconds.
    case medium(offset: Int)
    /// Texts with a pattern that the lens specifies.
    case pattern(DatePattern)
    /// The number of seconds or milliseconds, in decimal.
    case number(DateEpoch)
  }
}

// MARK: - Values of several parts, and their forms in files

extension ScalarConversion {
  /// The types in a direction; nil for a table.
  private func types(
    _ direction: LensDirection
  ) -> (source: ScalarType, destination: ScalarType)? {
    guard case .types(let source, let destination) = self else { return nil }
    return direction == .forward ? (source, destination) : (destination, source)
  }

  /// Whether it converts values of the type, if not this one; a table converts only what it lists.
  func converts(typeOf scalar: SyntheticValue, _ direction: LensDirection) -> Bool {
    switch (types(direction)?.source, scalar) {
    case (.integer?, .integer), (.integer?, .unsigned), (.real?, .real), (.real?, .integer),
      (.real?, .unsigned), (.boolean?, .boolean), (.boolean?, .integer), (.dateNumber?, .integer),
      (.dateNumber?, .real), (.string?, .string), (.dateText?, .string), (.base64?, .string),
      (.frameworkText?, .string), (.date?, .date), (.data?, .data),
      (.framework?, .string), (.framework?, .members), (.framework?, .integer),
      (.framework?, .real), (.frameworkList?, .list), (.frameworkObject?, .members):
      true
    default: false
    }
  }

  /// Whether it converts numbers to numbers, of which nothing should be lost.
  var isNumeric: Bool {
    guard case .types(let source, let destination) = self else { return false }
    let numeric: [ScalarType] = [.integer, .real, .boolean]
    return numeric.contains(source) && numeric.contains(destination)
  }

  /// Whether it converts values of several parts in a direction.
  func convertsParts(_ direction: LensDirection) -> Bool {
    switch types(direction)?.source {
    case .framework?, .frameworkList?, .frameworkObject?: true
    default: false
    }
  }

  /// A result as a file in an envelope has it; nil if it cannot have it.
  func form(
    of result: SyntheticValue, _ direction: LensDirection, in envelope: Envelope?
  ) -> SyntheticValue? {
    guard case .framework(let type)? = types(direction)?.destination else { return result }
    return type.form(of: result, in: envelope)
  }

  /// What the inverse restores of a value.
  enum Restoration { case all, meaning, less }

  /// What the inverse restores of a value, which it makes of the result in the source's envelope.
  func restoration(
    of given: SyntheticValue, by back: SyntheticValue?, _ direction: LensDirection,
    in envelope: Envelope?
  ) -> Restoration {
    guard let back else { return .less }
    switch types(direction)?.source {
    case .framework(let type)?, .frameworkObject(let type)?:
      guard type.value(of: given)?.isSame(as: back) == true else { return .less }
      let isForm =
        !type.isNormalized || type.form(of: back, in: envelope)?.isSame(as: given) == true
      return isForm ? .all : .meaning
    case let source:
      if back.isSame(as: given) { return .all }
      if source != nil, case .string = given, case .string = back { return .meaning }
      return .less
    }
  }

  /// Whether a value in a file is the recorded result of a direction; booleans are 0 and 1, as they may be written.
  func isResult(
    _ found: SyntheticValue, _ recorded: SyntheticValue, _ direction: LensDirection
  ) -> Bool {
    if case .framework(let type)? = types(direction)?.destination,
      let one = type.value(of: found), let other = type.value(of: recorded)
    {
      return one.isSame(as: other)
    }
    return found.isSameScalar(as: recorded, .model) || found.isSame(as: recorded)
  }
}

// MARK: - Performing conversions, forward and backward

extension ScalarConversion {
  /// The converted scalar; nil if it cannot be converted.
  func convert(_ scalar: SyntheticValue, _ direction: LensDirection) -> SyntheticValue? {
    switch self {
    case .table(let table): return table.convert(scalar, direction)
    case .types:
      return types(direction).flatMap { Self.convert(scalar, $0.source, $0.destination) }
    }
  }

  private static func convert(
    _ scalar: SyntheticValue, _ source: ScalarType, _ destination: ScalarType
  ) -> SyntheticValue? {
    switch (source, scalar) {
    case (.integer, _), (.real, _), (.boolean, _):
      return convert(number: scalar, isBoolean: source == .boolean, destination)
    case (.string, .string(let text)): return parse(text, destination)
    case (.dateText(let format), .string(let text)):
      return format.seconds(of: text).map { .date($0) }
    case (.dateNumber(let epoch, _), _):
      guard let number = scalar.double, number.isFinite else { return nil }
      return .date(epoch.reference(of: number))
    case (.date, .date(let seconds)): return convert(date: seconds, destination)
    case (.base64, .string(let text)):
      return SyntheticValue.bytes(ofBase64: text).map { .data($0) }
    case (.data, .data(let bytes)): return .string(SyntheticValue.base64(bytes))
    case (.framework(let type), _):
      return type.value(of: scalar).flatMap { convert(value: $0, of: type, destination) }
    case (.frameworkText(let type), .string(let text)): return type.value(ofText: text)
    case (.frameworkList(let type), .list): return type.value(ofList: scalar)
    case (.frameworkObject(let type), .members): return type.value(of: scalar)
    default: return nil
    }
  }

  private static func convert(
    number: SyntheticValue, isBoolean: Bool, _ destination: ScalarType
  ) -> SyntheticValue? {
    if isBoolean, number.wholeNumber != 0, number.wholeNumber != 1 { return nil }
    switch destination {
    case .integer:
      if let whole = number.wholeNumber { return SyntheticValue(whole: whole) }
      guard case .real(let real) = number else { return nil }
      return Int128(exactly: real.rounded(.toNearestOrAwayFromZero)).flatMap {
        SyntheticValue(whole: $0)
      }
    case .real:
      guard let real = number.double else { return nil }
      // An integer without an exact real would become another number.
      if let whole = number.wholeNumber, Int128(exactly: real) != whole { return nil }
      return .real(real)
    case .boolean:
      guard let whole = number.wholeNumber, whole == 0 || whole == 1 else { return nil }
      return .boolean(whole == 1)
    case .string:
      if isBoolean { return .string(number.wholeNumber == 1 ? "true" : "false") }
      return number.decimalText.map { .string($0) }
    default: return nil
    }
  }

  private static func convert(
    value: SyntheticValue, of type: FrameworkType, _ destination: ScalarType
  ) -> SyntheticValue? {
    switch destination {
    case .frameworkText: type.text(of: value).map { .string($0) }
    case .frameworkList: type.numbers(of: value).map { .list($0) }
    case .frameworkObject: value
    default: nil
    }
  }

  private static func parse(_ text: String, _ destination: ScalarType) -> SyntheticValue? {
    switch destination {
    case .integer: return Int128(text).flatMap { SyntheticValue(whole: $0) }
    case .real: return SyntheticValue.real(ofDecimal: text).map { .real($0) }
    case .boolean: return text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
    default: return nil
    }
  }

  private static func convert(date seconds: Double, _ destination: ScalarType) -> SyntheticValue? {
    switch destination {
    case .dateText(let format):
      return format.text(of: seconds).map { .string($0) }
    case .dateNumber(let epoch, let isInteger):
      let number = epoch.number(of: seconds)
      guard isInteger else { return .real(number) }
      return Int64(exactly: number.rounded(.toNearestOrAwayFromZero)).map { .integer($0) }
    default: return nil
    }
  }
}

extension SyntheticValue {
  /// A number or boolean as a real; nil for other values.
  var double: Double? {
    if case .real(let real) = self { real } else { wholeNumber.map { Double($0) } }
  }

  /// A number in decimal; nil for a value that is not a finite number.
  var decimalText: String? {
    guard case .real(let real) = self else { return wholeNumber.map { "\($0)" } }
    return real.isFinite ? Self.decimalText(of: real) : nil
  }

  /// The text of a real, without a fraction if it is whole: schemas and most envelopes treat 5 and 5.0 as one number.
  private static func decimalText(of real: Double) -> String {
    let isNegativeZero = real == 0 && real.sign == .minus
    guard abs(real) <= 0x1p53, !isNegativeZero, let whole = Int64(exactly: real) else {
      return "\(real)"
    }
    return "\(whole)"
  }

  private static let decimalCharacters = Set("0123456789+-.eE".utf8)

  /// The real in a decimal text; nil if the text is invalid.
  static func real(ofDecimal text: String) -> Double? {
    // Swift also parses hexadecimal numbers and names.
    guard text.utf8.allSatisfy({ decimalCharacters.contains($0) }), let real = Double(text),
      real.isFinite
    else { return nil }
    return real
  }
}

// MARK: - Messages about conversions: the expected values, and the losses

extension ScalarConversion {
  /// The expected scalar in a direction, and a remedy, for a message.
  func wanting(_ direction: LensDirection) -> String {
    if let (source, destination) = types(direction) {
      return "\(source.wording) is wanted\(destination.wording(asTarget: source))"
    }
    if case .table(let table) = self, direction == .backward, table.forwardElse != nil,
      table.backwardElse == nil
    {
      return
        "it may represent any value that 'else' covered, which is known only if it was kept (--keep-lost); add a pair or 'elseBackward'"
    }
    let other = direction == .forward ? "else" : "elseBackward"
    return "the table has no pair for it; add a pair or '\(other)'"
  }
}

extension ScalarConversion.ScalarType {
  fileprivate var wording: String {
    switch self {
    case .integer, .real, .dateNumber: "a number"
    case .boolean: "true, false, 0 or 1"
    case .string: "a string"
    case .date: "a date"
    case .dateText(let format): "a text with a date \(format.wording)"
    case .data: "data"
    case .base64: "a text in Base64"
    case .framework(let type): type.wording
    case .frameworkText(let type): "the text of \(type.wording)"
    case .frameworkList(let type): "a list of \(type.listedNames.joined(separator: ", "))"
    case .frameworkObject(let type):
      "an object with numbers in \(type.listedNames.joined(separator: ", "))"
    }
  }

  /// The values of this type that the other type requires.
  fileprivate func wording(asTarget source: ScalarConversion.ScalarType) -> String {
    switch (source, self) {
    case (.string, .integer): " with an integer of 64 bits"
    case (.string, .real): " with a decimal number"
    case (.string, .boolean): ", true or false"
    case (.integer, .boolean), (.real, .boolean): ", 0 or 1"
    case (.integer, .real), (.boolean, .real): " that a real represents exactly"
    case (.real, .integer), (.boolean, .integer): " of no more than 64 bits"
    case (.integer, .string), (.real, .string): " that is finite"
    case (_, .dateText(let format)): " that can be written \(format.wording)"
    case (.framework, .frameworkText): " that has a text"
    default: ""
    }
  }
}

extension ScalarConversion.DateFormat {
  fileprivate var wording: String {
    switch self {
    case .iso8601: "as iso8601"
    case .rfc5322: "as rfc5322"
    case .medium: "in the medium style"
    case .pattern: "by the pattern"
    case .number(let epoch): "as the number \(epoch.rawValue)"
    }
  }
}

// MARK: - Tables of `convert`, which map scalars to scalars

/// A table of pairs: the left value is the input forward, the right one backward.
///
/// The first match wins, and a pair of the same type precedes one that is equal as a number; a boolean is not a number.
struct ConversionTable: Sendable, Equatable {
  /// Two values that are converted to each other.
  struct Pair: Sendable, Equatable {
    let source: JSONTree
    let destination: JSONTree
  }

  let pairs: [Pair]
  /// The result for any other value forward; nil if it is refused.
  let forwardElse: JSONTree?
  /// The result for any other value backward; nil if it is refused.
  let backwardElse: JSONTree?

  /// The index of the first pair for each value, in each direction, for fast lookup.
  private let forward: [ScalarKey: Int]
  private let backward: [ScalarKey: Int]

  init(_ pairs: [Pair], forwardElse: JSONTree? = nil, backwardElse: JSONTree? = nil) {
    self.pairs = pairs
    self.forwardElse = forwardElse
    self.backwardElse = backwardElse
    forward = Self.first(pairs.map(\.source))
    backward = Self.first(pairs.map(\.destination))
  }

  /// The first index of each value, by the value alone and by value and type.
  private static func first(_ values: [JSONTree]) -> [ScalarKey: Int] {
    var first: [ScalarKey: Int] = [:]
    for (index, value) in values.enumerated() {
      let form = SyntheticValue(value)
      for case let key? in [ScalarKey(form), ScalarKey(identical: form)]
      where first[key] == nil { first[key] = index }
    }
    return first
  }

  /// The result for a scalar; nil if the table has none.
  func convert(_ scalar: SyntheticValue, _ direction: LensDirection) -> SyntheticValue? {
    let first = direction == .forward ? forward : backward
    for case let key? in [ScalarKey(identical: scalar), ScalarKey(scalar)] {
      guard let index = first[key] else { continue }
      return SyntheticValue(direction == .forward ? pairs[index].destination : pairs[index].source)
    }
    return (direction == .forward ? forwardElse : backwardElse).map { SyntheticValue($0) }
  }
}

// MARK: - Dates in strings, in the formats that lens files specify

extension ScalarConversion.DateFormat {
  /// The text of a date; nil if the format cannot represent it.
  func text(of seconds: Double) -> String? {
    if case .number = self {} else if !Timestamp.isGregorian(seconds) { return nil }
    switch self {
    case .iso8601: return Timestamp(secondsFromReference: seconds)?.text
    case .rfc5322: return Self.rfc5322Pattern?.text(of: seconds)
    case .medium(let offset):
      guard let moment = Timestamp(secondsFromReference: seconds + Double(offset)),
        (1000...9999).contains(moment.year)
      else { return nil }
      return MediumDate.text(of: moment)
    case .pattern(let pattern): return pattern.text(of: seconds)
    case .number(let epoch):
      let number = epoch.number(of: seconds)
      return number.isFinite ? SyntheticValue.real(number).decimalText : nil
    }
  }

  /// The date in a text; nil if the text does not have the format.
  func seconds(of text: String) -> Double? {
    let seconds: Double?
    switch self {
    case .iso8601: seconds = Timestamp(text: text)?.secondsFromReference
    case .rfc5322: seconds = Self.rfc5322(text)
    case .medium(let offset):
      seconds = MediumDate.moment(in: text).map { $0.secondsFromReference - Double(offset) }
    case .pattern(let pattern): seconds = pattern.seconds(of: text)
    case .number(let epoch):
      return SyntheticValue.real(ofDecimal: text).map { epoch.reference(of: $0) }
    }
    return seconds.flatMap { Timestamp.isGregorian($0) ? $0 : nil }
  }

  private static let rfc5322Pattern = DatePattern("EEE, dd MMM yyyy HH:mm:ss '+0000'")

  /// `[Sat, ]6 Apr 2019 03:50[:00] +0000` (RFC 5322 section 3.3, without its obsolete forms).
  private static func rfc5322(_ text: String) -> Double? {
    var cursor = DigitCursor(text.split(separator: " ").joined(separator: " "))
    let weekday = DatePattern.weekdays.firstIndex { cursor.skip(text: $0.prefix(3) + ", ") }
    guard let day = cursor.number(of: 1...2), (1...31).contains(day), cursor.skip(" "),
      let month = MediumDate.months.firstIndex(where: { cursor.skip(text: $0) }), cursor.skip(" "),
      let year = cursor.number(of: 4...4), cursor.skip(" "),
      let hour = cursor.number(of: 2...2), hour < 24, cursor.skip(":"),
      let minute = cursor.number(of: 2...2), minute < 60,
      let second = cursor.skip(":") ? cursor.number(of: 2...2) : 0, second <= 60, cursor.skip(" ")
    else { return nil }
    let isWest = cursor.skip("-")
    guard isWest || cursor.skip("+"), let zone = cursor.number(of: 4...4), zone % 100 < 60,
      cursor.isAtEnd
    else { return nil }
    // A nonexistent day, or a wrong weekday, makes the date invalid.
    let midnight = Timestamp(
      year: year, month: month + 1, day: day, hour: 0, minute: 0, second: 0
    ).secondsFromReference
    guard Timestamp(secondsFromReference: midnight)?.day == day,
      weekday == nil || weekday == DatePattern.weekday(of: midnight)
    else { return nil }
    let offset = (zone / 100 * 3600 + zone % 100 * 60) * (isWest ? -1 : 1)
    return Timestamp(
      year: year, month: month + 1, day: day, hour: hour, minute: minute, second: Double(second)
    ).secondsFromReference - Double(offset)
  }

  /// The offset of `UTC`, `Z` or `+09:00`, in seconds; nil for anything else.
  static func offset(_ zone: String) -> Int? {
    if zone == "UTC" { return 0 }
    var cursor = DigitCursor(zone)
    guard let minutes = cursor.offset(), cursor.isAtEnd else { return nil }
    return minutes * 60
  }
}
