// What readers warn of.

import Basics
import ObjectGraph
import PropertyLists

/// Reports the warnings of readers, and unusual headers of archives.
enum ReaderWarningLint: IntegrityLint {
  static let lints: [Lint] = [.oddity]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    for warning in input.warnings where warning.subject != .repeatedKey {
      report.add(.oddity, warning, in: input, place: .unknown)
    }
    guard !input.soundness.hasFaults, input.archive != nil else { return }
    let graph = ObjectGraph()
    do throws(ArchiveError) {
      // Of the faults that end this each has its own lint.
      _ = try KeyedArchiveParts(document: graph.add(input.document), in: graph)
    } catch {}
    for warning in graph.warnings { report.add(.oddity, warning, in: input, place: .unknown) }
  }
}
