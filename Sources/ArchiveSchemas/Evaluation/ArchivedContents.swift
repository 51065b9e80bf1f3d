// Archives and JSON in data values and strings, checked against the schema that `x-archived` names.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting

struct ArchivedContents {
  private struct Fit: Hashable {
    let node: Node
    let schemaIndex: Int
  }

  /// Those that fit a schema, since many values may refer to one archive.
  private var fitting: Set<Fit> = []

  /// Remembers that the model of the archive in a value fits a schema.
  mutating func remember(_ node: Node, fits schemaIndex: Int) {
    fitting.insert(Fit(node: node, schemaIndex: schemaIndex))
  }

  /// Opens the archive or the JSON that a value contains.
  ///
  /// - Returns: the model and its schema; nil if there is nothing to check, or what is there was reported.
  func open(
    _ node: Node, _ rule: ArchivedRule, _ report: inout ValidationReport
  ) -> (root: Node, edge: Edge)? {
    let graph = report.graph
    let value = graph.value(of: node)
    switch value {
    case .data: break
    case .string where rule.layers != nil: break
    default: return nil
    }
    if fitting.contains(Fit(node: node, schemaIndex: rule.model.schemaIndex)) { return nil }
    let (content, problem) = Self.content(of: node, in: graph, rule)
    let subject = CheckedValue(value, node)
    let kind = if case .data = value { "data" } else { "a string" }
    guard let content, let model = graph.unwrapModel(content: content) else {
      let found = problem.map { "\(kind) that cannot be decoded: \($0)" } ?? "\(kind) without one"
      report.add("x-archived", rule.expectation, subject, found: found)
      return nil
    }
    if let mismatch = rule.archive.mismatch(model, found: "\(kind) without one") {
      let prefix = rule.name.isEmpty ? "" : "\(rule.expectation), "
      report.add("x-archived", prefix + mismatch.expected, subject, found: mismatch.found)
      return nil
    }
    var root = model.root
    if model.envelope == .json {
      root = JSONDecodedModel.root(
        of: root, in: graph, shape: report.schema, from: rule.model.schemaIndex,
        coding: rule.coding)
    }
    if let list = rule.list, case .array = graph.value(of: root) { return (root, list) }
    return (root, rule.model)
  }

  /// The root of what a value contains, or why there is none, if that is known.
  private static func content(
    of node: Node, in graph: ObjectGraph, _ rule: ArchivedRule
  ) -> (Node?, String?) {
    guard let layers = rule.layers else {
      return (graph.content(of: node), graph.contentError(of: node)?.message)
    }
    do throws(ArchiveError) {
      return (try graph.content(of: node, in: layers), nil)
    } catch {
      return (nil, error.message)
    }
  }
}

extension ArchivedRule {
  /// What a value must hold: `an archive of Influence@v1 in base64, gzip`.
  fileprivate var expectation: String {
    let content = archive.envelope == .json ? "JSON" : "an archive"
    let names = (layers ?? []).map(\.rawValue).joined(separator: ", ")
    return content + (name.isEmpty ? "" : " of \(name)") + (names.isEmpty ? "" : " in \(names)")
  }
}
