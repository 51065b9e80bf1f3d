// Options for the destination of results, and the amount of messages.

import Basics
import Batches
import CommandLineInterface
import Synchronization

extension OptionDescription {
  static let output = text(
    "output", letter: "o", valueName: "FILE",
    help: "Write the result to FILE. If FILE is '-', that is standard output.")

  static let force = flag(
    "force", letter: "f", help: "Replace an existing output file.")

  static let color = choice(
    "color", valueName: "WHEN", of: ["auto", "always", "never"],
    help: "Choose when to color output. The choice auto means on a terminal.")

  static let noPager = flag(
    "no-pager",
    help: """
      Write long output to the terminal without a pager. The pager is PAGER, or less.
      """)

  static let quiet = flag(
    "quiet", letter: "q",
    help: """
      Suppress notes, verdicts and summaries. Data, warnings and errors are still shown.
      """)

  static let reportFormat = choice(
    "format", valueName: "FORMAT", of: ReportForm.allCases.map { $0.rawValue },
    help: "Write the report as FORMAT.")
}

/// The format of a command's report: the values of `--format`.
enum ReportForm: String, OptionChoice {
  case text, json
}

extension ParsedArguments {
  /// Whether the report is JSON, for other programs.
  var reportsJSON: Bool { choice(of: .reportFormat, as: ReportForm.self) == .json }
}

extension ParsedArguments {
  /// The value of `--color`.
  var colorChoice: TerminalStyle.Choice {
    value(of: .color).flatMap(TerminalStyle.Choice.init) ?? .auto
  }
}

// MARK: - The folders below --output-dir, each made when its first file is written

/// Makes folders for files that follow each other folder by folder: the last one is known to be there.
final class OutputFolders: Sendable {
  private let last = Mutex<CodePointString?>(nil)

  /// Makes the folder of a file, and those above it; they are not more readable than the folder of the file's source.
  ///
  /// - Throws: `ArchiveError` with code `cannotCreate`.
  func makeFolder(above path: String, for input: Input) throws(ArchiveError) {
    let folder = CodePointString(AtomicFile.folder(of: path))
    if last.withLock({ $0 == folder }) { return }
    try AtomicFile.makeFolder(folder.text, allowing: input.folderPermissions)
    last.withLock { $0 = folder }
  }
}
