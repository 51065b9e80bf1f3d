// The types of a typedstream's groups in a few words, where an object has dozens of them.

import Basics
import ObjectGraph
import PropertyLists

/// The member `$types` with equal neighbors counted: `@ ×36, i ×2 (38 groups)`.
struct FoldedTypes {
  /// How many different runs of types are listed.
  private static let mostRuns = 8

  /// The types.
  let text: String

  /// Folds a member; nil if it is another one, or folding makes it no shorter.
  init?(_ pairs: Pairs, _ index: Int, _ graph: ObjectGraph) {
    guard graph.memberName(pairs, index)?.string == "$types",
      case .string(let types) = graph.value(of: graph.value(pairs, index))
    else { return nil }
    let whole = types.string
    var runs: [(type: Substring, count: Int)] = []
    var total = 0
    for type in whole.split(separator: " ") {
      total += 1
      if runs.last?.type == type { runs[runs.count - 1].count += 1 } else { runs.append((type, 1)) }
    }
    let shown = runs.prefix(Self.mostRuns).map { run in
      String(run.type).escapedForTerminal + (run.count > 1 ? " ×\(run.count)" : "")
    }
    let more = runs.count > shown.count ? ", …" : ""
    text = "\(shown.joined(separator: ", "))\(more) (\(Counted.text(total, "group")))"
    if text.utf8.count >= whole.utf8.count { return nil }
  }
}
