// The types that JSON Schema and `x-plist-type` tell apart.

/// Types, several at once.
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

  /// The types that `type` may name.
  static let json: TypeMask = [.null, .boolean, .integer, .number, .string, .array, .object]
  /// The types that `x-plist-type` may name.
  static let propertyList: TypeMask = [
    .null, .boolean, .integer, .real, .string, .date, .data, .array, .object, .uid,
  ]

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

  /// The names of the types.
  var all: [String] { Self.names.filter { contains($0.0) }.map(\.1) }

  /// The types as people read them: `integer or null`.
  var text: String {
    let names = all
    guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }
}
