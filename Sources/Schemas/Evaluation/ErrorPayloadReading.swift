// The payload of a service's error, recognised where a model should be.

import ObjectGraph

/// An error's code and message.
struct ErrorPayloadReading {
  let code: String
  let message: String

  /// `Unauthorized: Api Authorization failed`.
  var text: String { "\(code): \(message)" }

  /// Reads a payload; nil if the value has not both members as strings.
  init?(_ value: Value, _ payload: SchemaFamily.ErrorPayload, _ graph: ObjectGraph) {
    guard case .dictionary(let pairs) = value, pairs.count <= 16 else { return nil }
    var texts: [String: String] = [:]
    for position in 0..<pairs.count {
      guard let key = graph.keyText(of: graph.key(pairs, position))?.string,
        case .string(let text) = graph.value(of: graph.value(pairs, position))
      else { continue }
      texts[key] = text.string
    }
    guard let code = texts[payload.code], let message = texts[payload.message] else { return nil }
    self.code = code
    self.message = message
  }
}
