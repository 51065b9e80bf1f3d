// The explorer's page for a file, as `graph --format html` and `explore` make it.

import Basics
import Batches
import CommandLineInterface
import FileTransactions
import KeyedArchives
import ObjectGraph
import PropertyLists
import Queries
import Rendering
import Schemas

/// Makes the explorer's page of a file.
struct GraphPage {
  /// The options that mark values in the page.
  static let options: [OptionDescription] = [
    .schema, .schemaFile, .schemaFolders, .assertFormats, .comparedFile,
  ]

  private let session: Session
  private let validation: Validation?

  init(_ session: Session) throws {
    self.session = session
    let arguments = session.arguments
    let marks = arguments.has(.schema) || arguments.has(.schemaFile)
    validation = marks ? try Validation(arguments) : nil
  }

  /// Writes the page.
  func write(
    _ graph: ObjectGraph, _ storage: ByteStorage, _ input: Input, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    var marks: [ExplorerMark] = []
    var conclusion: String?
    if let validation {
      let report = FileReport(file: input.name, try validation.run(graph))
      marks += report.diagnostics.map(ExplorerMark.init)
      conclusion = report.conclusion
    }
    let other = session.arguments.value(of: .comparedFile)
    if let other { marks += try differences(from: other, to: graph) }
    let source = graph.inflated ?? storage
    let page = ExplorerPage(
      graph, source: source.bytes, name: input.name, marks: marks, schema: conclusion, other: other)
    try page.write(to: &output) { (bytes) throws(ArchiveError) in try Self.hash(bytes) }
    withExtendedLifetime(source) {}
  }

  private func differences(
    from file: String, to graph: ObjectGraph
  ) throws(ArchiveError) -> [ExplorerMark] {
    let input = Input(operand: file)
    let old: ObjectGraph
    do throws(ArchiveError) {
      old = try session.arguments.reader().read(try input.open(session.streams))
    } catch {
      throw error.inFile(input.name)
    }
    var marks: [ExplorerMark] = []
    try Difference.report(between: old, and: graph) { (difference) throws(ArchiveError) in
      marks.append(ExplorerMark(difference, old: old))
    }
    return marks
  }

  /// The SHA-256 of bytes in Base64, as policies of pages name it.
  private static func hash(_ bytes: [UInt8]) throws(ArchiveError) -> String {
    let hash = try ContentHash(of: ByteStorage(copying: bytes)).bytes
    return hash.withUnsafeBytes { Base64.text($0) }
  }
}

extension OptionDescription {
  static let comparedFile = text(
    "diff", valueName: "OTHER",
    help: "Mark what differs from the older file OTHER.")
}
