// A difference between two graphs in lines for people: what went with a minus, what came with a plus.

import ArchiveBasics
import ArchiveGraph
import ArchiveQueries

/// Writes differences.
package struct DifferenceText {
  private let old: ObjectGraph
  private let new: ObjectGraph
  private let style: TerminalStyle

  /// Prepares for the differences between two graphs.
  package init(old: ObjectGraph, new: ObjectGraph, style: TerminalStyle) {
    self.old = old
    self.new = new
    self.style = style
  }

  /// Appends a difference.
  ///
  /// A changed scalar, a moved element and another class are a line; containers are shown as trees.
  ///
  /// - Throws: `ArchiveError` with code `limit` if a tree becomes too large.
  package func append(
    _ difference: Difference, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    switch difference.kind {
    case .added: try append(difference.newSide, of: new, "+", difference, to: &output)
    case .removed: try append(difference.oldSide, of: old, "-", difference, to: &output)
    case .moved:
      let line = "> \(difference.oldPath ?? GraphPath()) → \(difference.newPath ?? GraphPath())"
      output.bytes.append(style.cyan(line.escapedLine) + "\n")
    case .changedClass, .storage, .sharing, .key:
      let prefix = difference.kind == .changedClass ? "" : "\(difference.kind.rawValue): "
      let word = [.changedClass, .key].contains(difference.kind) ? "class " : ""
      let texts = difference.stored.map { ($0.old.escapedLine, $0.new.escapedLine) } ?? ("", "")
      appendChange(difference, prefix + word + texts.0, word + texts.1, &output)
    case .changed:
      if let one = difference.oldSide?.reference, let two = difference.newSide?.reference {
        appendChange(
          difference, "reference to \(one.description.escapedLine)",
          two.description.escapedLine, &output)
        break
      }
      guard var one = scalar(difference.old, of: old), var two = scalar(difference.new, of: new)
      else {
        try append(difference.oldSide, of: old, "-", difference, to: &output)
        return try append(difference.newSide, of: new, "+", difference, to: &output)
      }
      if one == two {
        one += precision(difference.old, of: old)
        two += precision(difference.new, of: new)
      }
      appendChange(difference, one, two, &output)
    }
    output.flushIfFull()
  }

  private func appendChange(
    _ difference: Difference, _ one: String, _ two: String, _ output: inout OutputBuffer
  ) {
    let path = (difference.newPath ?? GraphPath()).description
    let before = (difference.oldPath ?? GraphPath()).description
    let origin = before == path ? "" : " (was \(before))"
    output.bytes.append("~ " + style.bold("\(path)\(origin)".escapedLine) + ": ")
    output.bytes.append(
      style.red(one) + " → " + style.green(two) + otherPaths(difference) + "\n")
  }

  /// How often else a changed object is in the graph: ` (and at 3 other paths)`.
  private func otherPaths(_ difference: Difference) -> String {
    difference.otherPaths == 0
      ? "" : " (and at \(Counted.text(difference.otherPaths, "other path")))"
  }

  /// What tells reals apart that have the same digits.
  private func precision(_ node: Node?, of graph: ObjectGraph) -> String {
    if case .single? = node.map(graph.value(of:)) { " (single precision)" } else { "" }
  }

  /// A scalar as a tree shows it; nil for a container, or a scalar with a class of its own.
  private func scalar(_ node: Node?, of graph: ObjectGraph) -> String? {
    guard let node, graph.content(of: node) == nil else { return nil }
    let value = graph.value(of: node)
    return value.isContainer ? nil : ScalarText.text(value)
  }

  private func append(
    _ side: Difference.Side?, of graph: ObjectGraph, _ sign: String, _ difference: Difference,
    to output: inout OutputBuffer
  ) throws(ArchiveError) {
    guard let side else { return }
    var tree = OutputBuffer(descriptor: nil)
    var options = TreeRenderer.Options()
    options.rootName = side.path.description.escapedLine
    if let reference = side.reference {
      tree.bytes.append("\(options.rootName): → \(reference.description.escapedLine)")
    } else {
      let references = side.references
      try TreeRenderer.render(
        side.node, of: graph, options: options, to: &tree,
        reference: references.map { find in { find($0)?.description } })
    }
    let lines = String(decoding: tree.bytes.bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: true)
    for (number, line) in lines.enumerated() {
      let text = "\(sign) \(line)\(number == 0 ? otherPaths(difference) : "")"
      output.bytes.append((sign == "+" ? style.green(text) : style.red(text)) + "\n")
    }
  }
}
