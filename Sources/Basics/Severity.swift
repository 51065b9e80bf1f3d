// How much a problem matters.

/// How much a problem of an input matters.
public enum Severity: String, CaseIterable, Comparable, Sendable {
  /// A fact that is worth knowing and nothing unusual.
  case note
  /// The input can be used, but something in it is unusual.
  case warning
  /// The input is not as it should be.
  case error

  /// Whether a severity is less than another.
  public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}
