// What a schema says of the strings and the numbers of a place.

import PropertyLists

/// The keywords of a place's scalars.
struct ScalarEmission {
  private let place: ObservedPlace
  private let options: SchemaInference.Options

  init(_ place: ObservedPlace, _ options: SchemaInference.Options) {
    self.place = place
    self.options = options
  }

  /// The keywords with their values.
  var members: [(String, JSONTree)] {
    var members: [(String, JSONTree)] = []
    if place.kinds.contains(.string) { members += strings }
    if !place.kinds.isDisjoint(with: [.integer, .real]) { members += range }
    return members
  }

  private var strings: [(String, JSONTree)] {
    if let values = enumeration { return [("enum", .list(values))] }
    var members: [(String, JSONTree)] = []
    if let format { members.append(("format", .string(format))) }
    if options.hasRanges {
      members.append(("minLength", .integer(place.strings.lengths.least)))
      members.append(("maxLength", .integer(place.strings.lengths.greatest)))
    }
    return members
  }

  /// The strings of an `enum`, which forbids all else: so only where there is nothing but strings and null.
  private var enumeration: [JSONTree]? {
    let strings = place.strings
    let isAlone = place.kinds.subtracting(.null) == .string && place.classNames.isEmpty
    guard isAlone, !strings.isOverflowing, !strings.values.isEmpty,
      strings.count >= options.enumObservations,
      strings.values.values.allSatisfy({ $0 >= options.enumRepetitions })
    else { return nil }
    let values = strings.values.keys.sorted().map { JSONTree.string($0) }
    return place.kinds.contains(.null) ? values + [.null] : values
  }

  private var format: String? {
    guard options.acceptsFormat != nil, place.strings.count >= max(options.formatObservations, 1)
    else { return nil }
    return options.formats.prefix(32).enumerated()
      .first { place.strings.formats & 1 << $0.offset != 0 }?.element
  }

  private var range: [(String, JSONTree)] {
    let numbers = place.numbers
    let isBoolean =
      place.kinds.isSuperset(of: [.integer, .boolean]) && !place.kinds.contains(.real)
      && numbers.count >= options.enumObservations && (numbers.least ?? -1) >= 0
      && (numbers.greatest ?? 2) <= 1
    if isBoolean { return [("minimum", .integer(0)), ("maximum", .integer(1))] }
    if options.hasRanges, !numbers.isUnbounded {
      return [("minimum", bound(numbers.least, numbers.leastReal, isLeast: true))]
        + [("maximum", bound(numbers.greatest, numbers.greatestReal, isLeast: false))]
    }
    // A place of UInt64 must be told from one of Int.
    if let least = numbers.least, let greatest = numbers.greatest, least >= 0,
      greatest > Int128(Int64.max), !place.kinds.contains(.real)
    {
      return [("minimum", .integer(0)), ("maximum", .unsigned(.max))]
    }
    return []
  }

  private func bound(_ integer: Int128?, _ real: Double?, isLeast: Bool) -> JSONTree {
    guard let real else { return integer.map { number($0) } ?? .integer(0) }
    guard let integer else { return .real(real) }
    let isInteger = isLeast ? Double(integer) <= real : Double(integer) >= real
    return isInteger ? number(integer) : .real(real)
  }

  private func number(_ integer: Int128) -> JSONTree {
    if let number = Int(exactly: integer) { return .integer(number) }
    return .unsigned(UInt64(truncatingIfNeeded: integer))
  }
}
