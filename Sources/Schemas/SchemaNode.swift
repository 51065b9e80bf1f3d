// A schema object, compiled: what validation needs, without looking at JSON again.

import KeyedArchives
import ObjectGraph

/// The types that JSON Schema and `x-plist-type` tell apart.
struct TypeMask: OptionSet {
  let rawValue: UInt16

  static let null = TypeMask(rawValue: 1)
  static let boolean = TypeMask(rawValue: 2)
  static let integer = TypeMask(rawValue: 4)
  static let number = TypeMask(rawValue: 8)
  static let string = TypeMask(rawValue: 16)
  static let array = TypeMask(rawValue: 32)
  static let object = TypeMask(rawValue: 64)
  static let data = TypeMask(rawValue: 128)
  static let date = TypeMask(rawValue: 256)
  static let uid = TypeMask(rawValue: 512)
  static let real = TypeMask(rawValue: 1024)

  private static let names: [(TypeMask, String)] = [
    (.null, "null"), (.boolean, "boolean"), (.integer, "integer"), (.number, "number"),
    (.string, "string"), (.array, "array"), (.object, "object"), (.data, "data"),
    (.date, "date"), (.uid, "uid"), (.real, "real"),
  ]

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The type that a keyword's text names, nil if it names none.
  init?(name: String) {
    guard let known = Self.names.first(where: { $0.1 == name }) else { return nil }
    self = known.0
  }

  /// The types as people read them: `integer or null`.
  var text: String {
    let names = Self.names.filter { contains($0.0) }.map(\.1)
    guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }
}

/// A compiled schema object.
final class SchemaNode {
  /// A member that the schema names.
  struct Property {
    let name: String
    let utf8: [UInt8]
    /// The place of its schema.
    let place: Int
    let isRequired: Bool
  }

  /// What becomes of members that the schema does not name.
  enum Additional {
    case allowed
    case forbidden
    case schema(Int)
  }

  var types: TypeMask?
  /// `x-plist-type`: the exact type in the property list.
  var plistType: TypeMask?
  var properties: [Property] = []
  var additional = Additional.allowed
  var items: Int?
  var minimumItems: Int?
  var maximumItems: Int?
  var minimum: Double?
  var maximum: Double?
  var minimumLength: Int?
  var maximumLength: Int?
  var allowedStrings: [String]?
  var numberShape: NumberShape = .any

  /// The position of a property, nil if the schema does not name it.
  func position(of key: Text) -> Int? {
    if key.isSevenBit || key.form == .utf8 {
      return properties.firstIndex {
        $0.utf8.count == key.byteCount && key.bytes.elementsEqual($0.utf8)
      }
    }
    return properties.firstIndex { key.sameCharacters(as: $0.name) }
  }
}
