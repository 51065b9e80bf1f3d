// `archtool merge`: combines several archives into one.

import ArchiveBasics
import ArchiveBatches
import ArchiveEditing
import CommandLineInterface

struct Merge: Command {
  static let name = "merge"
  static let description = CommandDescription(
    name: name,
    abstract: "merge keyed archives into one, each under its own top-level key",
    operands: Operands(name: "KEY=FILE", minimum: 1, maximum: nil),
    options: [.output, .force],
    commonOptions: [.passwordFile, .color, .quiet, .help],
    rules: [.needs(.force, anyOf: [.output])],
    discussion: """
      The root of each FILE goes under the top-level key KEY of the new archive, where
      decodeObject(forKey:) finds it. Objects keep their classes, their storage and what they share
      within their file; equal class records become one. Each FILE is a keyed archive with one
      top-level object, or with one under the key root; convert --to keyed-archive makes one from a
      property list or a typedstream. Without --output the new archive goes to standard output. To
      take a part out again, use extract '$.KEY'.
      """,
    examples: [
      "archtool merge -o Both first=Saved second=Part":
        "Write an archive with the root of Saved as first and that of Part as second."
    ],
    exits: .writing, meanings: [.answerIsNo: "A file has no root."])

  private let session: Session
  private let files: [(key: String, file: String)]

  init(_ session: Session) throws {
    self.session = session
    files = try session.arguments.operands.map { operand throws(UsageError) in
      let parts = operand.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw UsageError("merge needs KEY=FILE; found '\(operand)'")
      }
      return (String(parts[0]), String(parts[1]))
    }
    var seen: Set<[UInt8]> = []
    for (key, _) in files where !seen.insert(Array(key.utf8)).inserted {
      throw UsageError("the key '\(key)' is repeated")
    }
    if files.count(where: { $0.file == "-" }) > 1 {
      throw UsageError("standard input ('-') can be read only once")
    }
  }

  func run() {
    var current = files.first?.file ?? ""
    var isWriting = false
    do throws(ArchiveError) {
      var parts: [(key: String, storage: ByteStorage)] = []
      for (key, file) in files {
        current = file
        parts.append((key, try session.input(file).open(session.streams)))
      }
      let merged = try ArchiveMerge.merge(parts) { current = files[$0].file }
      isWriting = true
      try session.write(to: OutputDestination(of: session.arguments), merged)
    } catch {
      let output = OutputDestination(of: session.arguments).name
      session.report(error, file: isWriting ? output : Input(operand: current).name)
    }
  }
}
