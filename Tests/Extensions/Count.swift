// `archtool count`: how many values an input has. A command, added according to CONTRIBUTING.

import ArchiveBasics
import ArchiveGraph
import CommandLineInterface
import KeyedArchives

struct Count: Command {
  static let name = "count"
  static let description = CommandDescription(
    name: name,
    abstract: "count the values of archives and property lists",
    operands: .files,
    options: OptionDescription.batch,
    commonOptions: OptionDescription.common,
    discussion: """
      Each value of the file counts once, and so do those of archives inside it.
      """,
    examples: [
      "archtool count Movie": "Count the values of Movie."
    ],
    exits: .reading)

  private let session: Session

  init(_ session: Session) { self.session = session }

  func run() throws {
    let arguments = session.arguments
    try session.showInputs(at: nil) { () throws(ArchiveError) in
      { (input, storage, writer) throws(ArchiveError) in
        let count = try arguments.reader().read(storage).documents.reduce(0) { $0 + $1.table.count }
        writer.begin()
        writer.write { $0.bytes.append("\(input.name): \(Counted.text(count, "value"))\n") }
      }
    }
  }
}
