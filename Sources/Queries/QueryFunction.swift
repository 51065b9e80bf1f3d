// The functions of queries: those of RFC 9535, 2.4, and archtool's own.

/// A function of a filter.
enum QueryFunction: String, Sendable, CaseIterable {
  // RFC 9535.
  case length, count, match, search, value
  // What archives have and JSON does not.
  /// The name of a value's class.
  case `class`
  /// Whether a value is of a class or of one below it.
  case isa
  /// How many bytes a string or data has, or how many elements a container.
  case size
  /// The type of a value, as a tree shows it.
  case type

  /// What a parameter takes (RFC 9535, 2.4.1).
  enum Parameter: Sendable {
    case value
    case nodes
  }

  /// What comes of a call.
  enum Result: Sendable {
    case value
    case logical
  }

  /// What the function takes, in order.
  var parameters: [Parameter] {
    switch self {
    case .length, .class, .size, .type: [.value]
    case .count, .value: [.nodes]
    case .match, .search, .isa: [.value, .value]
    }
  }

  /// What the function gives.
  var result: Result {
    switch self {
    case .length, .count, .value, .class, .size, .type: .value
    case .match, .search, .isa: .logical
    }
  }
}
