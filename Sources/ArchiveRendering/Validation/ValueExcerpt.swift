// Shows the value of a violation in its context, with a caret below it.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists

/// Shows violations to people.
package struct ValueExcerpt {
  private static let width = 64
  private static let mostMembers = 8

  private let graph: ObjectGraph
  private let root: Node

  /// Makes excerpts of a model.
  package init(of root: Node, in graph: ObjectGraph) {
    self.graph = graph
    self.root = root
  }

  /// The lines below a violation: the value, the expectation, the keyword, and the causes.
  package func lines(for violation: Diagnostic, depth: Int = 0) -> [String] {
    guard let expectation = violation.expectation else { return [] }
    let indent = String(repeating: "  ", count: depth + 1)
    var lines: [String] = []
    if let (name, text) = value(of: violation) {
      let label = name.map { "\($0): " } ?? ""
      lines.append(indent + label + text)
      let caret =
        String(repeating: " ", count: TerminalCells.count(of: label))
        + String(repeating: "^", count: max(TerminalCells.count(of: text), 1))
      lines.append(indent + caret + " expected \(expectation.expected)")
    }
    if !expectation.absoluteKeywordLocation.isEmpty {
      lines.append(indent + "schema: \(expectation.absoluteKeywordLocation)")
    }
    guard depth < 8 else { return lines }
    for (number, cause) in expectation.causes.enumerated() {
      lines.append(indent + "\(number + 1). \(cause.message) (at \(cause.path ?? GraphPath()))")
      lines += self.lines(for: cause, depth: depth + 1)
    }
    return lines
  }

  /// The value at a violation's location and its name there; for a missing member, the object that lacks it.
  private func value(of violation: Diagnostic) -> (name: String?, text: String)? {
    guard var path = violation.path else { return nil }
    if violation.rule == "required" { path.steps.removeLast() }
    return (try? graph.node(at: path, from: root)).map { node in
      (path.steps.last.map(Self.name), text(of: graph.value(of: node)))
    }
  }

  private static func name(_ step: GraphPath.Step) -> String {
    switch step {
    case .key(let key): key
    case .index(let index): "[\(index)]"
    case .content(let kind): "⟨\(kind)⟩"
    case .anyMember: "*"
    case .anyElement: "[*]"
    }
  }

  private func text(of value: Value) -> String {
    switch value {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      return "[\(elements.count == 1 ? "1 item" : "\(elements.count) items")]"
    case .dictionary(let pairs), .object(_, let pairs):
      let names = (0..<min(pairs.count, Self.mostMembers)).map {
        graph.memberName(pairs, $0)?.string ?? "?"
      }
      let rest = pairs.count > names.count ? ", …" : ""
      return ("{" + names.joined(separator: ", ") + rest + "}").clipped(to: Self.width)
    default: return ScalarText.text(value).clipped(to: Self.width)
    }
  }
}

// MARK: - The beginnings of lines and the ends of values in a text

/// The text of an input.
package struct TextLines {
  private let bytes: ByteView
  private let format: any PropertyListFormat.Type
  let lines: LineStarts
  /// Lines and columns; nil if the encoding is not UTF-8.
  let positions: TextPositions?

  /// Finds the lines of a text.
  ///
  /// - Parameter bytes: the text; it must outlive this value.
  package init(of bytes: ByteView, format: any PropertyListFormat.Type) {
    self.bytes = bytes
    positions = TextPositions(of: bytes)
    self.format = format
    lines = positions?.lines ?? LineStarts(of: bytes)
  }

  /// How many bytes the value at an offset occupies; nil if that is unknown.
  func byteCount(at offset: Int) -> Int? {
    SourceExtent.byteCount(at: offset, in: bytes, format)
  }
}
