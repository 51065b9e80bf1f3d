// `archtool git diff`: compares two versions of a file, called by git as an external diff program.

import ArchiveBasics
import ArchiveBatches
import CommandLineInterface

/// Compares two versions of a file in a git repository.
///
/// git gives the path, then file, object and mode of the old version, then those of the new one, and for a renamed file
/// its new path and a description; for an unmerged file only the path (git-config(1), `GIT_EXTERNAL_DIFF` in git(1)).
struct GitDiff: Command {
  static let name = "git diff"
  static let description = CommandDescription(
    name: name,
    abstract: "compare versions of a file for git, as its external diff",
    operands: Operands(name: "ARGUMENT", minimum: 1, maximum: 9),
    options: [.maximumLines, .ignore, .tolerance, .strictComparison, .keyBy],
    commonOptions: [.color, .quiet, .help],
    rules: [.exclusive([.strictComparison, .tolerance])],
    discussion: """
      git runs this command in place of its own comparison, with the arguments that git(1) describes
      for GIT_EXTERNAL_DIFF: a path, then file, object and mode of the old and of the new version.
      The output is that of diff; a file that cannot be read is reported as different. The section
      GIT has the lines that set it up.
      """,
    examples: [
      "archtool git diff Movie Backup 0 100644 Movie 1 100644":
        "Compare Backup with Movie, as git does for two versions of Movie."
    ],
    exits: [.cannotOpen, .inputOutput], meanings: [.done: "The differences are written."])

  /// The file that git names for a version that does not exist.
  private static let missing = "/dev/null"

  private let session: Session
  private let comparison: FileComparison
  private let operands: [String]

  init(_ session: Session) throws {
    self.session = session
    operands = session.arguments.operands
    guard [1, 7, 9].contains(operands.count) else {
      throw UsageError(
        "git diff needs the 1, 7 or 9 arguments that git gives; found \(operands.count)")
    }
    comparison = try FileComparison(session)
  }

  /// Writes the differences; the exit status is 0 if they could be written, as git expects.
  func run() {
    let path = operands[0]
    guard operands.count > 1 else { return write("* Unmerged path \(path)") }
    let (old, new) = (operands[1], operands[4])
    let newPath = operands.count == 9 ? operands[7] : path
    write("diff --git a/\(path) b/\(newPath)")
    if operands.count == 9, path != newPath { write("rename from \(path)\nrename to \(newPath)") }
    let writer = ResultWriter(session)
    do throws(ArchiveError) {
      switch (Input(operand: old), Input(operand: new)) {
      case (let input, _) where new == Self.missing:
        write("deleted file")
        try comparison.show(input, session.streams, writer, isAdded: false)
      case (_, let input) where old == Self.missing:
        write("new file")
        try comparison.show(input, session.streams, writer, isAdded: true)
      case (let input, let other):
        let storages = (try input.open(session.streams), try other.open(session.streams))
        let one = try comparison.read(storages.0, input, writer)
        let isSame = haveSameBytes(storages.0.bytes, storages.1.bytes)
        let two = isSame ? one : try comparison.read(storages.1, other, writer)
        try comparison.compare(one, two, (input.name, other.name), writer)
        let areOtherTexts =
          !isSame && storages.0.isText && storages.1.isText
        if session.differences.isEmpty {
          write("equal values" + (areOtherTexts ? "; the texts differ" : ""))
        }
      }
    } catch {
      return write("Files a/\(path) and b/\(newPath) differ (\(error.message))")
    }
  }

  private func write(_ lines: String) {
    for line in lines.split(separator: "\n") {
      session.output.bytes.append(String(line).escapedLine + "\n")
    }
  }
}
