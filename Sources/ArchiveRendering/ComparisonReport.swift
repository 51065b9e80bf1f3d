// What changed between two schemas, for people and for programs.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveSchemas

/// The report on a comparison of schemas.
package struct ComparisonReport {
  /// How many characters of a counterexample are shown; JSON has it whole.
  private static let width = 160

  private let comparison: SchemaComparison
  private let old: String
  private let new: String

  /// Makes a report.
  ///
  /// - Parameters:
  ///   - old: the name of the old schema.
  ///   - new: the name of the new schema.
  package init(_ comparison: SchemaComparison, old: String, new: String) {
    self.comparison = comparison
    self.old = old
    self.new = new
  }

  private var verdict: String {
    let tried = " (\(Counted.text(comparison.tries, "value")) tried)"
    return switch comparison.verdict {
    case .full:
      comparison.changes.isEmpty
        ? "no change" : "fully compatible: each reads what the other writes\(tried)"
    case .backward:
      "backward compatible: \(new) reads what \(old) wrote\(tried), but not the reverse"
    case .forward:
      "forward compatible: \(old) reads what \(new) writes\(tried), but not the reverse"
    case .none: "not compatible: neither reads all that the other writes"
    }
  }

  /// Lines: the verdict, then each change with its reasons.
  package var text: String {
    var lines = ["\(old) to \(new): \(verdict)"]
    for change in comparison.changes {
      lines.append("\(change.path): \(change.description) [\(change.kind.rawValue)]")
      for effect in change.effects {
        lines.append("  breaks \(effect.direction.rawValue): \(effect.reason)")
        if let example = effect.counterexample {
          lines.append("    such as \(example.compactText.clipped(to: Self.width))")
        }
      }
    }
    return lines.map(\.escapedForTerminal).joined(separator: "\n") + "\n"
  }

  /// The report as JSON.
  package var tree: JSONTree {
    [
      "old": .string(old), "new": .string(new),
      "compatibility": .string(comparison.verdict.rawValue), "tries": .integer(comparison.tries),
      "changes": .list(comparison.changes.map(Self.tree)),
    ]
  }

  private static func tree(_ change: SchemaChange) -> JSONTree {
    [
      "kind": .string(change.kind.rawValue), "path": .string(change.path.description),
      "oldPointer": JSONTree(change.oldPointer), "newPointer": JSONTree(change.newPointer),
      "description": .string(change.description),
      "breaks": .list(
        change.effects.map { effect in
          .members(present: [
            "direction": .string(effect.direction.rawValue), "reason": .string(effect.reason),
            "counterexample": effect.counterexample,
          ])
        }),
    ]
  }
}
