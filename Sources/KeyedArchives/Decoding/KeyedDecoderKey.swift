// The keys of an archived object's fields: names that a class gave, or the numbers of values without a name.

/// A key of a `KeyedDecoder`.
public enum KeyedDecoderKey: Hashable, Sendable, ExpressibleByStringLiteral {
  /// A name as the class gave it; archives store a `$` before one that begins with `$`.
  case name(String)
  /// The number of a value that was encoded without a key: `$0`, `$1`, ….
  case number(Int)

  /// A key by its name.
  public init(stringLiteral name: String) { self = .name(name) }

  /// A key by its name as stored.
  init(stored: String) {
    if stored.hasPrefix("$$") {
      self = .name(String(stored.dropFirst()))
    } else if stored.hasPrefix("$"), let number = Int(stored.dropFirst()), number >= 0 {
      self = .number(number)
    } else {
      self = .name(stored)
    }
  }

  /// The key as archives store it.
  var stored: String {
    switch self {
    case .name(let name): name.hasPrefix("$") ? "$" + name : name
    case .number(let number): "$\(number)"
    }
  }
}

extension KeyedDecoderKey: Comparable {
  /// Names by their characters, then numbers.
  public static func < (left: KeyedDecoderKey, right: KeyedDecoderKey) -> Bool {
    switch (left, right) {
    case (.name(let left), .name(let right)): left < right
    case (.number(let left), .number(let right)): left < right
    case (.name, .number): true
    case (.number, .name): false
    }
  }
}

extension KeyedDecoderKey: CustomStringConvertible {
  /// The name, or `$` and the number.
  public var description: String {
    switch self {
    case .name(let name): name
    case .number(let number): "$\(number)"
    }
  }
}
