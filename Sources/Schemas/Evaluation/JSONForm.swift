// Values that JSON has no type for are strings to a schema, as the JSON of archtool shows them.

import Basics
import ObjectGraph
import PropertyLists

/// The strings that stand for dates and data.
enum JSONForm {
  /// The string that a date (ISO 8601) or data (Base64) is in JSON; nil for any other value.
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
