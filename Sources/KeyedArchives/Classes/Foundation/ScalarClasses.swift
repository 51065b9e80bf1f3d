// Numbers, nil, data and UUIDs.

import ArchiveBasics
import ArchiveGraph

// MARK: - NSNumber as an object of its own, as older archivers wrote it

enum NSNumberClass: FrameworkClass {
  static let classNames = ["NSNumber"]
  static let shown = "the number or boolean"
  static let storedForm = StoredForm.value
  package static let isLeaf = true

  static func value(of object: ArchivedObject) -> Value? {
    for key in [KnownKey.number, .boolValue, .intValue, .doubleValue] {
      guard let node = object.field(key) else { continue }
      guard let value = object.flat(node) else { return nil }
      switch value {
      case .integer(let number) where key == .boolValue: return .boolean(number != 0)
      case .boolean, .integer, .unsigned, .wide, .real, .single: return value
      default: return nil
      }
    }
    return nil
  }
}

// MARK: - NSDecimalNumber

enum NSDecimalNumberClass: SimpleClass {
  static let classNames = ["NSDecimalNumber", "NSDecimalNumberPlaceholder"]
  static let shown = "its exact decimal digits, as a string"
  static let jsonTag: StaticString? = "$decimal"

  static func value(of object: ArchivedObject) -> Value? { object.derivedText { text(of: object) } }

  /// The digits, nil if the parts are not those of a decimal.
  private static func text(of object: ArchivedObject) -> String? {
    guard let exponent = object.integer("NS.exponent"), let length = object.integer("NS.length"),
      let isNegative = object.flag("NS.negative"), let mantissa = object.bytes("NS.mantissa"),
      mantissa.count == 16
    else { return nil }
    let order = object.integer("NS.mantissa.bo") ?? object.integer("NS.bo") ?? 1
    // A number without words has no order of bytes.
    guard order == 1 || order == 2 || length == 0 else { return nil }
    return DecimalParts(
      exponent: exponent, length: length, isNegative: isNegative, isCompact: false,
      mantissa: (0..<16).map { mantissa[order == 2 ? $0 ^ 1 : $0] }
    ).text
  }

  // MARK: Stored form

  static let storedForm = StoredForm.made(shown: [
    "exponent", "length", "isNegative", "isCompact", "mantissa",
  ]) {
    value throws(FormRefusal) in
    guard let parts = try parts(of: value) else {
      throw FormRefusal(reason: "it is not a decimal number")
    }
    return [
      StoredField("NS.exponent", .integer(parts.exponent)),
      StoredField("NS.length", .integer(parts.length)),
      StoredField("NS.negative", .boolean(parts.isNegative)),
      StoredField("NS.compact", .boolean(parts.isCompact)),
      StoredField("NS.mantissa.bo", .integer(1)),
      StoredField("NS.mantissa", .data(parts.mantissa, isMutable: false)),
    ]
  }

  /// The parts of digits, of a number, or of Codable's form.
  private static func parts(of value: FormValue) throws(FormRefusal) -> DecimalParts? {
    switch value.value {
    case .string(let text): return DecimalParts(text.string)
    case .integer(let number): return DecimalParts("\(number)")
    case .unsigned(let number): return DecimalParts("\(number)")
    case .wide(let number): return DecimalParts("\(number)")
    case .real(let number): return DecimalParts("\(number)")
    default: break
    }
    var members = try value.members()
    guard let exponent = try members.integer("exponent"),
      let length = try members.integer("length"),
      let isNegative = try members.boolean("isNegative"),
      let isCompact = try members.boolean("isCompact"),
      let words = try members.elements("mantissa"), words.count == 8
    else { return nil }
    try members.end()
    let mantissa = words.compactMap { value.integer($0).flatMap { UInt16(exactly: $0) } }
    guard mantissa.count == 8 else { return nil }
    return DecimalParts(
      exponent: exponent, length: length, isNegative: isNegative, isCompact: isCompact,
      mantissa: mantissa.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
  }

  // MARK: Codable

  static let codableForm: CodableForm? = CodableForm(
    fields: [
      "NS.exponent", "NS.length", "NS.negative", "NS.compact", "NS.mantissa", "NS.mantissa.bo",
      "NS.bo",
    ], json: DecimalParts.jsonNumber
  ) { fields in
    guard let exponent = fields.integer("NS.exponent"), let length = fields.integer("NS.length"),
      let isNegative = fields.boolean("NS.negative"), let isCompact = fields.boolean("NS.compact"),
      let mantissa = fields.data("NS.mantissa"), mantissa.count == 16
    else { return nil }
    // NS.mantissa.bo is CFByteOrder: 1 is little-endian, as every archive of a living machine has it.
    let order = fields.integer("NS.mantissa.bo") ?? fields.integer("NS.bo") ?? 1
    return DecimalParts(
      exponent: exponent, length: length, isNegative: isNegative, isCompact: isCompact,
      mantissa: (0..<16).map { mantissa[order == 2 ? $0 ^ 1 : $0] }
    ).codableForm
  }
}

// MARK: - NSNull: an object without keys

enum NSNullClass: FrameworkClass {
  static let classNames = ["NSNull"]
  static let shown = "null"
  static let storedForm = StoredForm.value
  static let isLeaf = true

  static func value(of object: ArchivedObject) -> Value? { .null }
}

// MARK: - NSData as an object of its own

enum NSDataClass: FrameworkClass {
  static let classNames = ["NSData", "NSMutableData"]
  static let shown = "the bytes, or the archive in them"
  static let storedForm = StoredForm.value
  static let isLeaf = true

  static func value(of object: ArchivedObject) -> Value? {
    for key in [KnownKey.data, .bytes] {
      // Never through another object: a chain of them could be without end.
      if let node = object.field(key), case .data(let bytes)? = object.flat(node) {
        return .data(bytes)
      }
    }
    return nil
  }
}

// MARK: - NSUUID: `NS.uuidbytes`, 16 bytes (swift-corelibs-foundation: NSUUID.swift)

/// NSUUID.
package enum NSUUIDClass: SimpleClass {
  package static let classNames = ["NSUUID"]
  package static let shown = "the identifier in hexadecimal"
  package static let jsonTag: StaticString? = "$uuid"

  package static func value(of object: ArchivedObject) -> Value? {
    guard let bytes = object.data(.uuidBytes), bytes.count == 16 else { return nil }
    return object.derivedText { uuidText(bytes) }
  }

  // MARK: Stored form

  package static let storedForm = StoredForm.made(shown: []) { value throws(FormRefusal) in
    guard let text = value.text?.string, let bytes = bytes(of: text) else {
      throw FormRefusal(reason: "it is not the text of a UUID")
    }
    return [StoredField("NS.uuidbytes", .bytes(bytes))]
  }

  /// The bytes of a UUID's text; nil for other text.
  package static func bytes(of text: String) -> [UInt8]? {
    let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard groups.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
    let digits = groups.flatMap { $0 }
    let bytes = stride(from: 0, to: 32, by: 2).compactMap {
      UInt8(hexadecimal: digits[$0..<$0 + 2])
    }
    return bytes.count == 16 ? bytes : nil
  }
}
