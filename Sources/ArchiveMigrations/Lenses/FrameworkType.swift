// Types that frameworks archive as objects, and the forms that `convert` reads and writes them in.
//
// In an archive of objects a value is as archtool shows it; Codable writes URLs and decimals as objects, and structures
// of Core Graphics as lists; JSONEncoder writes a URL as a string and a decimal as a number.

import ArchiveBasics
import ArchiveGraph
import ArchiveSchemas
import ArchiveWriting
import KeyedArchives

/// A type that a framework archives as an object.
enum FrameworkType: Sendable, Equatable {
  /// NSURL, or URL.
  case url
  /// NSUUID, or UUID.
  case uuid
  /// NSDecimalNumber, or Decimal.
  case decimal
  /// UIColor or NSColor; a color that is made from its hexadecimal text is in this space.
  case color(space: String)
  /// CLLocation.
  case location
  /// A structure of numbers in an NSValue.
  case structure(Structure)

  enum Structure: String, Sendable {
    case point, size, rect, range

    /// The members, in the order of lists.
    var names: [String] {
      switch self {
      case .point: ["x", "y"]
      case .size: ["width", "height"]
      case .rect: ["x", "y", "width", "height"]
      case .range: ["location", "length"]
      }
    }
  }

  /// The members of the value in a list; empty for types without such a list.
  var listedNames: [String] {
    switch self {
    case .location: ["latitude", "longitude"]
    case .structure(let structure): structure.names
    case .url, .uuid, .decimal, .color: []
    }
  }

  var hasText: Bool { listedNames.isEmpty }

  /// The type as messages name it.
  var wording: String {
    switch self {
    case .url: "a URL"
    case .uuid: "a UUID"
    case .decimal: "a decimal number"
    case .color: "a color"
    case .location: "a location"
    case .structure(let structure): "a \(structure.rawValue)"
    }
  }
}

// MARK: - The normal form of values: texts and numbers, or objects of them, the same for every form in a file

extension FrameworkType {
  /// The normal form of a value in any of its forms; nil for a value of another type.
  func value(of form: SyntheticValue) -> SyntheticValue? {
    switch self {
    case .url: Self.address(of: form, depth: 0)
    case .uuid: if case .string(let text) = form { value(ofText: text) } else { nil }
    case .decimal: Self.decimalText(of: form).map { .string($0) }
    case .color: Self.hexadecimal(of: form) == nil ? nil : form
    case .location:
      if case .members = form, numbers(of: form) != nil { form } else { nil }
    case .structure: structure(of: form)
    }
  }

  /// The value of a text; nil if the text has another form.
  func value(ofText text: String) -> SyntheticValue? {
    switch self {
    case .url: text.isEmpty || !StringFormat.uriReference.accepts(text) ? nil : .string(text)
    case .uuid: StringFormat.uuid.accepts(text) ? .string(text.uppercased()) : nil
    case .decimal: Self.decimalText(of: .string(text)).map { .string($0) }
    case .color(let space): Self.color(text, space)
    case .location, .structure: nil
    }
  }

  /// The text of a value; nil if it has none.
  func text(of value: SyntheticValue) -> String? {
    switch (self, value) {
    case (.url, _): Self.absoluteAddress(of: value)
    case (.uuid, .string(let text)), (.decimal, .string(let text)): text
    case (.color, _): Self.hexadecimal(of: value)
    default: nil
    }
  }

  /// The value of a list of numbers; nil for other lists.
  func value(ofList form: SyntheticValue) -> SyntheticValue? {
    guard case .list(let items) = form, items.count == listedNames.count, !items.isEmpty else {
      return nil
    }
    let numbers = items.compactMap { number($0) }
    return numbers.count == items.count
      ? .members(zip(listedNames, numbers).map { (name: $0, value: $1) }) : nil
  }

  /// A value's numbers; nil if one is missing.
  func numbers(of value: SyntheticValue) -> [SyntheticValue]? {
    let numbers = listedNames.compactMap { name in value[name].flatMap { number($0) } }
    guard case .members = value, numbers.count == listedNames.count else { return nil }
    return numbers
  }

  /// A number of the type: coordinates are reals, positions in a range integers.
  private func number(_ form: SyntheticValue) -> SyntheticValue? {
    switch form {
    case .integer, .unsigned, .real: break
    default: return nil
    }
    if self == .structure(.range) {
      return form.wholeNumber.flatMap { SyntheticValue(whole: $0) }
    }
    if case .real = form { return form }
    return form.wholeNumber.flatMap { whole in
      Int128(exactly: Double(whole)) == whole ? .real(Double(whole)) : nil
    }
  }

  // MARK: Structures

  /// A structure from its members, or from Codable's list.
  private func structure(of form: SyntheticValue) -> SyntheticValue? {
    switch form {
    case .members(let members):
      return members.count == listedNames.count
        ? numbers(of: form).flatMap { value(ofList: .list($0)) } : nil
    case .list(let items):
      // Codable writes a rectangle as the lists of its origin and its size.
      let parts = items.flatMap { item -> [SyntheticValue] in
        if self == .structure(.rect), case .list(let part) = item, part.count == 2 { return part }
        return [item]
      }
      return value(ofList: .list(parts))
    default: return nil
    }
  }

  // MARK: URLs

  private static let baseLimit = 16

  /// An address, or an object of one and its base.
  private static func address(of form: SyntheticValue, depth: Int) -> SyntheticValue? {
    if case .string = form { return form }
    guard depth < baseLimit, case .members(let members) = form,
      case .string? = form["relative"]
    else { return nil }
    if members.count == 1 { return members.first?.value }
    guard members.count == 2, let base = form["base"], address(of: base, depth: depth + 1) != nil
    else { return nil }
    return form
  }

  private static func absoluteAddress(of value: SyntheticValue) -> String? {
    var relatives: [String] = []
    var current: SyntheticValue? = value
    while let form = current, relatives.count <= baseLimit {
      switch form {
      case .string(let text):
        relatives.append(text)
        current = nil
      case .members:
        guard case .string(let text)? = form["relative"] else { return nil }
        relatives.append(text)
        current = form["base"]
      default: return nil
      }
    }
    guard var address = relatives.popLast() else { return nil }
    while let relative = relatives.popLast() {
      address = URLReference.resolve(relative, against: address)
    }
    return address
  }

  // MARK: Decimal numbers

  private static func decimalText(of form: SyntheticValue) -> String? {
    switch form {
    case .string(let text): DecimalParts(text)?.text
    case .integer, .unsigned, .real: form.decimalText.flatMap { DecimalParts($0)?.text }
    case .members: decimalParts(of: form)?.text
    default: nil
    }
  }

  /// The parts in Codable's form of a decimal.
  private static func decimalParts(of form: SyntheticValue) -> DecimalParts? {
    func integer(_ name: String) -> Int64? {
      form[name]?.wholeNumber.flatMap { Int64(exactly: $0) }
    }
    guard case .members(let members) = form, members.count == 5,
      let exponent = integer("exponent"), let length = integer("length"),
      case .boolean(let isNegative)? = form["isNegative"],
      case .boolean(let isCompact)? = form["isCompact"], case .list(let words)? = form["mantissa"],
      words.count == 8
    else { return nil }
    let mantissa = words.compactMap { $0.wholeNumber.flatMap { UInt16(exactly: $0) } }
    guard mantissa.count == 8 else { return nil }
    return DecimalParts(
      exponent: exponent, length: length, isNegative: isNegative, isCompact: isCompact,
      mantissa: mantissa.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
  }

  // MARK: Colors

  /// `#FF8000` of a color's member, or of its components.
  private static func hexadecimal(of form: SyntheticValue) -> String? {
    if case .string(let text)? = form["hex"] {
      return components(of: text).flatMap { ColorText.hexadecimal($0) }
    }
    guard case .list(let items)? = form["components"] else { return nil }
    let numbers = items.compactMap(\.double)
    let visible = numbers.count == 1 ? Array(repeating: numbers[0], count: 3) : numbers
    return numbers.count == items.count ? ColorText.hexadecimal(visible) : nil
  }

  /// Red, green and blue of `#FF8000`, or of the same without its mark.
  private static func components(of text: String) -> [Double]? {
    ColorText.components(text.hasPrefix("#") ? text : "#" + text)
  }

  private static func color(_ text: String, _ space: String) -> SyntheticValue? {
    guard let components = components(of: text),
      let hexadecimal = ColorText.hexadecimal(components)
    else { return nil }
    return .members([
      ("hex", .string(hexadecimal)), ("space", .string(space)),
      ("components", .list(components.map { .real($0) })), ("alpha", .real(1)),
    ])
  }

  // MARK: Writing

  /// A value as a file in an envelope has it; nil if it cannot have it.
  ///
  /// - Parameter envelope: the envelope; nil for a property list of a Codable type.
  func form(of value: SyntheticValue, in envelope: Envelope?) -> SyntheticValue? {
    switch (self, envelope, value) {
    case (.url, .json?, _): return Self.absoluteAddress(of: value).map { .string($0) }
    case (.url, _, .string): return .members([("relative", value)])
    case (.decimal, .json?, .string(let text)): return DecimalParts.jsonNumber(text)
    case (.decimal, _, .string(let text)): return DecimalParts(text)?.codableForm
    case (.structure, .nscoding?, _), (.structure, .dictionariable?, _),
      (.structure, .sequential?, _):
      return value
    case (.structure(let structure), _, _):
      guard let numbers = numbers(of: value) else { return nil }
      return structure == .rect
        ? .list([.list(Array(numbers.prefix(2))), .list(Array(numbers.suffix(2)))])
        : .list(numbers)
    case (.url, _, _), (.uuid, _, _), (.decimal, _, _), (.color, _, _), (.location, _, _):
      return value
    }
  }

  /// Whether values have several forms in one file, of which the inverse writes only one.
  var isNormalized: Bool { self == .uuid || self == .decimal }
}

extension SyntheticValue {
  /// The value of an object's member; nil if it is missing, or this is not an object.
  subscript(name: String) -> SyntheticValue? {
    if case .members(let members) = self { members.first { $0.name == name }?.value } else { nil }
  }
}
