// `archtool extract`: turns a part of an archive into a separate archive.

import Basics
import Batches
import CommandLineInterface
import KeyedArchives
import ObjectGraph

struct Extract: Command {
  static let name = "extract"
  static var description: CommandDescription { .extract }

  private let session: Session
  private let path: GraphPath

  init(_ session: Session) throws {
    self.session = session
    path = try session.path(session.arguments.operands[0])
  }

  func run() {
    let file = session.arguments.operands[1]
    session.make(of: file) { (storage) throws(ArchiveError) in
      try ArchiveExtraction.extract(path, from: storage)
    }
  }
}

extension CommandDescription {
  /// Extracts a part of an archive.
  package static let extract = CommandDescription(
    name: Extract.name,
    abstract: "write a part of an archive as an archive of its own",
    operands: Operands(name: "PATH FILE", minimum: 2, maximum: 2),
    options: [.output, .force], commonOptions: [.color, .quiet, .help],
    rules: [.oneOf([.output])],
    discussion: [
      """
      PATH is a path as dump shows it, such as $.cities[2]: $ is the root, or the dictionary \
      of all top-level keys if there are several. The object at PATH becomes the root of a \
      keyed archive, with everything that it refers to; classes, storage and sharing stay as \
      they are, and nothing else of FILE is included. A string or a number becomes an \
      archive with that root. From a plain property list the value becomes a property list. \
      A path may continue into an archive in a data value.
      """,
      """
      The encoding is that of FILE. The result is decoded again and compared with the \
      extracted value before it is written. FILE itself is not changed. An existing output \
      file is replaced only with --force.
      """,
    ],
    examples: [
      Example(
        command: "archtool extract '$.topCityWeathers[0]' Saved -o Part",
        explanation: "Write the first city in Saved as an archive to Part.")
    ],
    exits: [
      Exit(.done), Exit(.answerIsNo, "There is no value at PATH, or it cannot be a root."),
      Exit(.undecodable), Exit(.cannotOpen), Exit(.cannotCreate), Exit(.inputOutput),
    ])
}
