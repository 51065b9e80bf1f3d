// `archtool git text`: any file as text that git compares line by line.

import ArchiveBasics
import ArchiveBatches
import ArchiveGraph
import ArchiveQueries
import ArchiveRendering
import CommandLineInterface
import FileTransactions
import KeyedArchives

struct GitText: Command {
  static let name = "git text"
  static let description = CommandDescription(
    name: name,
    abstract: "show any file as text for git, as its text converter",
    operands: Operands(name: "FILE", minimum: 1, maximum: 1),
    options: [.ignore],
    commonOptions: [.quiet, .help],
    discussion: """
      Each value is a line, PATH = VALUE, or PATH: CLASS for what has elements or members, with the
      members of dictionaries and objects in the order of their names, so that equal values give
      equal lines and a change only the lines of what changed. An object is shown at its shortest
      path and elsewhere is a reference to that. Where a path has more than 256 bytes, the line ends
      with a mark, '…' and digits, with which the paths of what is below it begin. A key that is an
      object is shown before its value, with 'key' after the path. Data of more than 32 bytes end
      with their SHA-256.
      Text that is not an archive is shown as it is, but for control characters on a terminal; of
      other files the number of bytes and their SHA-256 are shown. A file that can be opened is
      never an error, and there are no messages.
      """,
    examples: [
      "archtool git text Movie": "Show the archive Movie as git gets it.",
      "archtool git text --ignore '$.releaseYear' Movie": "Leave out a value that changes always.",
    ],
    exits: [.done, .cannotOpen, .inputOutput])

  private let session: Session
  private let ignored: [JSONPath]

  init(_ session: Session) throws {
    self.session = session
    ignored = try session.arguments.values(of: .ignore).map(Query.query)
  }

  func run() {
    let input = Input(operand: session.arguments.operands[0])
    do throws(ArchiveError) {
      let storage = try input.open(session.streams)
      try write(storage)
      withExtendedLifetime(storage) {}
    } catch {
      session.report(error, file: input.name)
    }
  }

  private func write(_ storage: ByteStorage) throws(ArchiveError) {
    let reason: ArchiveError
    do throws(ArchiveError) {
      let graph = try ArchiveReader().read(storage)
      if graph.isText { return try session.write(to: .standardOutput, storage) }
      let mark = session.output.mark
      do throws(ArchiveError) {
        let left = try IgnoredValues(ignored, in: graph)
        return try PathLines.write(graph, ignoring: left, to: &session.output) { bytes in
          (try? ContentHash(of: bytes))?.description ?? ""
        }
      } catch {
        session.output.rollBack(to: mark)
        throw error
      }
    } catch {
      reason = error
    }
    if storage.isText { return try session.write(to: .standardOutput, storage) }
    let hash = try ContentHash(of: storage)
    session.output.append(
      escapedLine: "\(Counted.text(storage.bytes.count, "byte")), SHA-256 \(hash)")
    session.output.append(escapedLine: "not shown: \(reason.message)")
  }
}

extension ObjectGraph {
  /// Whether a file is only text: a property list in a text format may be a single string.
  var isText: Bool {
    !documents[0].encoding.isTable && !value(of: root).isContainer
  }
}

extension ByteStorage {
  /// Whether the bytes are text in UTF-8, as far as git looks at them: without a zero byte.
  var isText: Bool {
    String(validating: bytes, as: UTF8.self)?.utf8.contains(0) == false
  }
}
