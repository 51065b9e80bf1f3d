// `archtool extract`: a part of an archive becomes an archive of its own.

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
  /// Takes a part out of an archive.
  public static let extract = CommandDescription(
    name: Extract.name,
    abstract: "write a part of an archive as an archive of its own",
    operands: Operands(name: "PATH FILE", minimum: 2, maximum: 2),
    options: [.output, .force], commonOptions: [.color, .quiet, .help],
    rules: [.oneOf([.output])],
    discussion: [
      """
      PATH is a path as dump shows it, such as $.cities[2]: $ is the root, or with several \
      top-level keys the dictionary of them. The object that it leads to becomes the root of a keyed \
      archive, with all that it leads to; classes, storage and sharing stay as they are, and nothing \
      else of FILE is in it. A string or a number becomes an archive with that root. Of a plain \
      property list the value becomes a property list. A path goes on into an archive in a data \
      value.
      """,
      """
      The encoding stays that of FILE. What is written is decoded again and compared with what was \
      extracted. FILE itself is not changed. An output file that exists is replaced only with --force.
      """,
    ],
    examples: [
      Example(
        command: "archtool extract '$.topCityWeathers[0]' Saved -o Part",
        explanation: "Write the first of the cities in Saved as an archive to Part.")
    ],
    exits: [
      Exit(.done), Exit(.answerIsNo, "What FILE has at PATH cannot be a root."),
      Exit(.undecodable, "FILE cannot be decoded, or has nothing at PATH."),
      Exit(.cannotOpen), Exit(.cannotCreate), Exit(.inputOutput),
    ])
}
