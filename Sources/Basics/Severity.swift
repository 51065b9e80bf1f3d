// How much a problem matters.

/// How much a problem of an input matters.
public enum Severity: String, Sendable {
  /// The input is not as it should be.
  case error
  /// The input can be used, but something in it is unusual.
  case warning
}
