// Which kinds of values were seen in one place.

/// The kinds of values seen in a place.
struct ObservedKinds: OptionSet, Hashable {
  let rawValue: UInt16

  static let null = ObservedKinds(rawValue: 1)
  static let boolean = ObservedKinds(rawValue: 2)
  static let integer = ObservedKinds(rawValue: 4)
  static let real = ObservedKinds(rawValue: 8)
  static let string = ObservedKinds(rawValue: 16)
  static let array = ObservedKinds(rawValue: 32)
  static let dictionary = ObservedKinds(rawValue: 64)
  static let data = ObservedKinds(rawValue: 128)
  static let date = ObservedKinds(rawValue: 256)
  static let uid = ObservedKinds(rawValue: 512)

  /// What JSON Schema's types tell apart without `x-plist-type`.
  static let plain: ObservedKinds = [
    .null, .boolean, .integer, .real, .string, .array, .dictionary,
  ]
}
