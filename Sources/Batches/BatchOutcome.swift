// What became of an input of a run, in a word.

import FileTransactions

/// What became of one input.
public enum BatchOutcome: String, Sendable {
  /// It was rewritten.
  case changed
  /// Nothing was to be done.
  case unchanged
  /// It is not what it should be, and stays as it is.
  case refused
  /// It was shown.
  case shown
  /// It fits its schema.
  case valid
  /// It does not fit its schema.
  case invalid
  /// It cannot be read, or what was made of it cannot be written.
  case failed

  /// The outcomes of runs that rewrite files.
  public static let ofRewriting: [BatchOutcome] = [.changed, .unchanged, .refused, .failed]
  /// The outcomes of runs that show files.
  public static let ofReading: [BatchOutcome] = [.shown, .failed]
  /// The outcomes of runs that check files.
  public static let ofValidation: [BatchOutcome] = [.valid, .invalid, .failed]

  /// Whether `--fail-fast` ends the run here.
  public var isBad: Bool { self == .refused || self == .invalid || self == .failed }

  /// The outcome of a file that was to be rewritten.
  public init(_ outcome: FileOutcome) {
    self =
      switch outcome {
      case .changed: .changed
      case .unchanged: .unchanged
      case .refused: .refused
      case .failed: .failed
      }
  }
}
