// What changed between two schemas, for people and for programs.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveSchemas

extension SchemaComparison {
  private func verdict(_ old: String, _ new: String) -> String {
    let tried = " (\(Counted.text(tries, "value")) tried)"
    return switch verdict {
    case .full:
      changes.isEmpty
        ? "no change" : "fully compatible: each reads what the other writes\(tried)"
    case .backward:
      "backward compatible: \(new) reads what \(old) wrote\(tried), but not the reverse"
    case .forward:
      "forward compatible: \(old) reads what \(new) writes\(tried), but not the reverse"
    case .none: "not compatible: neither reads all that the other writes"
    }
  }

  /// Lines for people: the verdict, then each change with its reasons.
  ///
  /// - Parameters:
  ///   - old: the name of the old schema.
  ///   - new: the name of the new schema.
  package func text(old: String, new: String) -> String {
    var lines = ["\(old) to \(new): \(verdict(old, new))"]
    for change in changes {
      lines.append("\(change.path): \(change.description) [\(change.kind.rawValue)]")
      for effect in change.effects {
        lines.append("  breaks \(effect.direction.rawValue): \(effect.reason)")
        // JSON has it whole.
        if let example = effect.counterexample {
          lines.append("    such as \(example.compactText.clipped(to: 160))")
        }
      }
    }
    return lines.map(\.escapedForTerminal).joined(separator: "\n") + "\n"
  }

  /// The same for programs.
  package func tree(old: String, new: String) -> JSONTree {
    [
      "old": .string(old), "new": .string(new), "compatibility": .string(verdict.rawValue),
      "tries": .integer(tries), "changes": .list(changes.map(\.tree)),
    ]
  }
}

extension SchemaChange {
  fileprivate var tree: JSONTree {
    [
      "kind": .string(kind.rawValue), "path": .string(path.description),
      "oldPointer": JSONTree(oldPointer), "newPointer": JSONTree(newPointer),
      "description": .string(description),
      "breaks": .list(
        effects.map { effect in
          .members(present: [
            "direction": .string(effect.direction.rawValue), "reason": .string(effect.reason),
            "counterexample": effect.counterexample,
          ])
        }),
    ]
  }
}
