// Represents values that JSON has no type for as strings, as archtool's JSON output does.

import Basics
import ObjectGraph
import PropertyLists

/// The strings that represent dates and data.
enum JSONForm {
  /// The JSON string of a date (ISO 8601) or of data (Base64); nil for any other value.
  static func text(of value: Value) -> String? {
    switch value {
    case .date(let seconds): return JSONText.date(seconds)
    case .data(let bytes):
      var buffer = ByteBuffer(capacity: bytes.count / 3 * 4 + 4)
      Base64.encode(bytes, to: &buffer)
      return String(decoding: buffer.bytes, as: UTF8.self)
    default: return nil
    }
  }
}

// MARK: - The exact numbers of a graph and of a JSON document

extension ExactNumber {
  /// A number of a JSON document.
  package init?(_ tree: JSONTree) {
    switch tree {
    case .integer(let number): self.init(Int128(number))
    case .unsigned(let number): self.init(Int128(number))
    case .wide(let number): self.init(number)
    case .real(let number): self.init(number)
    default: return nil
    }
  }

  /// The number as JSON.
  package var tree: JSONTree {
    guard let integer else { return .real(real) }
    if let small = Int(exactly: integer) { return .integer(small) }
    return UInt64(exactly: integer).map { .unsigned($0) } ?? .wide(integer)
  }
}

extension ExactNumber {
  /// The number of a value; nil if it is not a finite number.
  init?(_ value: Value) {
    switch value {
    case .real(let number): self.init(number)
    case .single(let number): self.init(number)
    default:
      guard case .integer(let number)? = ScalarEquality.value.number(value) else { return nil }
      self.init(number)
    }
  }
}
