// Archives in data values, held against the schema that `x-archived` names.

import Basics
import KeyedArchives
import ObjectGraph

/// An archive in a data value that fits a schema: many places may refer to one.
struct ArchiveFit: Hashable {
  let node: Node
  let place: Int
}

extension Validator {
  /// Remembers an archive whose model was found to fit.
  mutating func remember(archiveOf frame: Frame) {
    guard failures == frame.failures, let holder = stack.last else { return }
    fitting.insert(ArchiveFit(node: holder.pointee.node, place: frame.edge.place))
  }

  /// Opens the archive that a data value holds, and goes on with its model; other values have none.
  mutating func enterArchive(_ frame: UnsafeMutablePointer<Frame>, _ rule: ArchivedRule) {
    let node = frame.pointee.node
    let value = graph.value(of: node)
    guard case .data = value else { return }
    if fitting.contains(ArchiveFit(node: node, place: rule.model.place)) { return }
    let expected = rule.name.isEmpty ? "an archive" : "an archive of \(rule.name)"
    let content = graph.content(of: node)
    guard let content, let model = UnwrappedModel(graph, content: content) else {
      let error = graph.contentError(of: node)?.message
      return report(
        "x-archived", expected, value, node, nil,
        found: error.map { "data that cannot be decoded: \($0)" } ?? "data that holds none")
    }
    if let mismatch = rule.archive.mismatch(model, found: "data that holds none") {
      let prefix = rule.name.isEmpty ? "" : "\(expected), "
      return report(
        "x-archived", prefix + mismatch.expected, value, node, nil, found: mismatch.found)
    }
    if let list = rule.list, case .array = graph.value(of: model.root) {
      enter(model.root, list.place, .archived, list)
    } else {
      enter(model.root, rule.model.place, .archived, rule.model)
    }
  }
}
