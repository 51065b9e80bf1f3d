// The program's exit statuses, after the BSD sysexits(3) numbers.

import ArchiveBasics

/// The program's exit status.
package enum ExitStatus: Int32, CaseIterable, Comparable, Sendable {
  /// All was done.
  case done = 0
  /// The answer is no: an input does not fit its schema, or is decoded but cannot be converted as requested.
  case answerIsNo = 1
  /// The command line is wrong (EX_USAGE).
  case usage = 64
  /// An input cannot be decoded (EX_DATAERR).
  case undecodable = 65
  /// An input cannot be opened (EX_NOINPUT).
  case cannotOpen = 66
  /// An output cannot be created (EX_CANTCREAT).
  case cannotCreate = 73
  /// Reading or writing failed partway (EX_IOERR).
  case inputOutput = 74
  /// The terminal was closed: SIGHUP ended the run (128 plus the signal's number, as in shells).
  case hungUp = 129
  /// SIGINT ended the run.
  case interrupted = 130
  /// SIGTERM ended the run.
  case terminated = 143

  /// The status for an error: an input that is decoded but refused is not undecodable.
  package init(_ error: ArchiveError) {
    self = error.isRefusal ? .answerIsNo : ExitStatus(error.code)
  }

  /// The status that an error leads to in an input, or a file beside it, that cannot be used.
  package init(_ code: ArchiveError.Code) {
    switch code {
    case .cannotOpen: self = .cannotOpen
    case .cannotCreate: self = .cannotCreate
    case .inputOutput: self = .inputOutput
    case .missingValue: self = .answerIsNo
    case .unrecognized, .unsupported, .truncated, .malformed, .dangling, .cycle,
      .unrepresentable, .mismatch, .outOfRange, .limit:
      self = .undecodable
    }
  }

  /// The status of a run that a signal ended.
  package init(signal: Int32) {
    self = ExitStatus(rawValue: 128 + signal) ?? .interrupted
  }

  /// The status of a run over several inputs: the worse of two, which is the higher number.
  package static func worst(_ left: ExitStatus, _ right: ExitStatus) -> ExitStatus {
    max(left, right)
  }

  /// Orders by number.
  package static func < (left: ExitStatus, right: ExitStatus) -> Bool {
    left.rawValue < right.rawValue
  }

  /// What `cannotOpen` means for commands that check or change files: it is an error if no file matches.
  package static let cannotOpenOrNone = "An input cannot be opened, or no file matched."

  /// The meaning of the status, in a sentence for help and manual page.
  package var meaning: String {
    switch self {
    case .done: "All was done."
    case .answerIsNo:
      "The answer is no: an input does not fit its schema, or is refused."
    case .usage: "The command line is wrong."
    case .undecodable: "An input cannot be decoded."
    case .cannotOpen: "An input cannot be opened."
    case .cannotCreate: "An output cannot be created."
    case .inputOutput: "Reading or writing failed half-way."
    case .hungUp: "SIGHUP ended the run; what was begun is finished."
    case .interrupted: "SIGINT ended the run; what was begun is finished."
    case .terminated: "SIGTERM ended the run; what was begun is finished."
    }
  }
}

extension [ExitStatus] {
  /// The statuses of commands that read files.
  package static var reading: Self { [.done, .undecodable, .cannotOpen, .inputOutput] }
  /// The statuses of commands that also make files.
  package static var writing: Self { reading + [.cannotCreate] }
}

// MARK: - An error in a command line

/// A command line that means nothing, and why.
package struct UsageError: Error, Hashable, Sendable {
  /// The error, in one line without a period.
  package let message: String

  /// Makes an error.
  package init(_ message: String) { self.message = message }

  /// The error as a program writes it on standard error.
  package func line(program: String) -> String { "\(program): error: \(message)" }
}
