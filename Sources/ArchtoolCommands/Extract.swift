// `archtool extract`: turns a part of an archive into a separate archive.

import ArchiveBasics
import ArchiveBatches
import ArchiveEditing
import ArchivePropertyLists
import CommandLineInterface

struct Extract: Command {
  static let name = "extract"
  static let description = CommandDescription(
    name: name,
    abstract: "write a part of an archive as an archive of its own",
    operands: Operands(name: "PATH FILE", minimum: 2, maximum: 2),
    options: [.output, .force],
    commonOptions: [.color, .quiet, .help],
    rules: [.oneOf([.output])],
    discussion: """
      PATH is a path as dump shows it, such as $.cities[2]: $ is the root, or the dictionary of all
      top-level keys if there are several. The object at PATH becomes the root of a keyed archive,
      with everything that it refers to; classes, storage and sharing stay as they are, and nothing
      else of FILE is included. A string or a number becomes an archive with that root. From a plain
      property list the value becomes a property list. A path may continue into an archive in a data
      value.

      The encoding is that of FILE. The result is decoded again and compared with the extracted
      value before it is written. FILE itself is not changed. An existing output file is replaced
      only with --force.
      """,
    examples: [
      "archtool extract '$.topCityWeathers[0]' Saved -o Part":
        "Write the first city in Saved as an archive to Part."
    ],
    exits: .writing, meanings: [.answerIsNo: "There is no value at PATH, or it cannot be a root."])

  private let session: Session
  private let path: GraphPath

  init(_ session: Session) throws {
    self.session = session
    let text = session.arguments.operands[0]
    do throws(ArchiveError) {
      path = try GraphPath(parsing: text)
    } catch {
      throw UsageError("'\(text)' is not a path: \(error.message)", command: Self.name)
    }
  }

  func run() {
    let input = Input(operand: session.arguments.operands[1])
    do throws(ArchiveError) {
      let storage = try input.open(session.streams)
      let result: ByteStorage
      do throws(ArchiveError) {
        result = try ArchiveExtraction.extract(path, from: storage)
      } catch {
        throw error.located(in: storage.bytes)
      }
      try session.write(to: OutputDestination(of: session.arguments), result)
    } catch {
      session.report(error, file: input.name)
    }
  }
}
