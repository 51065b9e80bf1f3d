// `archtool schema diff`: what changed between two schemas, and whether it is compatible.

import Basics
import CommandLineInterface
import PropertyLists
import Rendering
import Schemas

struct SchemaDiff {
  /// What is compared of a version; what was compiled to check it is not kept.
  private struct Side {
    let tree: JSONTree
    let label: String

    init(_ version: SchemaVersion) { (tree, label) = (version.tree, version.label) }
  }

  private let session: Session
  private let old: Side
  private let new: Side

  init(_ session: Session) throws {
    self.session = session
    let arguments = session.arguments
    let sources = SchemaSources(arguments)
    if let name = arguments.value(of: .comparedFamily) {
      let family = try SchemaSelection.family(name, in: try sources.catalog())
      old = Side(try SchemaSelection.version(arguments.operands[0], of: family))
      new = Side(try SchemaSelection.version(arguments.operands[1], of: family))
    } else {
      old = Side(try sources.version(arguments.operands[0]))
      new = Side(try sources.version(arguments.operands[1]))
    }
  }

  func run() throws {
    let arguments = session.arguments
    let comparison = try SchemaComparison(
      old: old.tree, new: new.tree, includesNotes: arguments.has(.notes),
      options: SchemaContainment.Options(comparesArchives: !arguments.has(.models)))
    let report = ComparisonReport(comparison, old: old.label, new: new.label)
    if arguments.value(of: .reportFormat) == "json" {
      try report.tree.write(to: &session.output)
    } else {
      session.output.bytes.append(report.text)
    }
    session.merge(isWanted(comparison) ? .done : .answerIsNo)
  }

  /// Whether the comparison is what the command line asks for: compatible in its sense, or without a change.
  private func isWanted(_ comparison: SchemaComparison) -> Bool {
    switch session.arguments.value(of: .compatibility) {
    case "backward": comparison.verdict == .full || comparison.verdict == .backward
    case "forward": comparison.verdict == .full || comparison.verdict == .forward
    case "full": comparison.verdict == .full
    default: comparison.changes.isEmpty
    }
  }
}
