// The kind of a stored value, in words for messages.

import Basics
import ObjectGraph

/// Names the kinds of stored values.
enum StoredKind {
  /// The kind with its article, and scalars with their values.
  static func phrase(of value: Value) -> String {
    switch value {
    case .null: "null"
    case .boolean(let flag): "the boolean \(flag)"
    case .integer(let number): "the integer \(number)"
    case .unsigned(let number): "the integer \(number)"
    case .wide(let number): "the integer \(number)"
    case .real(let number): "the real \(number)"
    case .single(let number): "the real \(number)"
    case .date: "a date"
    case .string: "a string"
    case .data(let bytes): "data of \(Counted.text(bytes.count, "byte"))"
    case .uid(let number): "a reference to object \(number)"
    case .array: "an array"
    case .set: "a set"
    case .orderedSet: "an ordered set"
    case .dictionary: "a dictionary"
    case .object: "an object"
    }
  }
}
