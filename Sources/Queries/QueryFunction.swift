// The functions of queries: those of RFC 9535, 2.4, and archtool's own.

/// A function of a filter.
enum QueryFunction: String, Sendable, CaseIterable {
  // RFC 9535.
  case length, count, match, search, value
  // For features of archives that JSON lacks.
  /// The name of a value's class.
  case `class`
  /// Whether a value's class is a given class or one of its subclasses.
  case isa
  /// How many bytes a string or data has, or how many elements a container.
  case size
  /// The type of a value, as in a tree.
  case type

  /// The type of a parameter (RFC 9535, 2.4.1).
  enum Parameter: Sendable {
    case value
    case nodes
  }

  /// The type of a result.
  enum Result: Sendable {
    case value
    case logical
  }

  /// The types of the parameters, in order.
  var parameters: [Parameter] {
    switch self {
    case .length, .class, .size, .type: [.value]
    case .count, .value: [.nodes]
    case .match, .search, .isa: [.value, .value]
    }
  }

  /// The type of the result.
  var result: Result {
    switch self {
    case .length, .count, .value, .class, .size, .type: .value
    case .match, .search, .isa: .logical
    }
  }
}
