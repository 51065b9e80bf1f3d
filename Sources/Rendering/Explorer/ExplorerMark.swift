// What the explorer marks in a graph: violations of a schema, and differences from another file.

import Basics
import ObjectGraph
import Queries

/// A mark at a path of the graph.
public struct ExplorerMark: Sendable {
  /// The kind: `error`, `warning`, `added`, `removed`, `changed`, `moved` or `class`.
  public let kind: String
  /// The path; if it leads nowhere, the nearest value before its end is marked.
  public let path: GraphPath
  /// The explanation.
  public let message: String

  /// A violation.
  public init(_ diagnostic: Diagnostic) {
    kind = diagnostic.severity == .error ? "error" : "warning"
    path = diagnostic.path ?? GraphPath()
    message = diagnostic.message
  }

  /// A difference from an old graph.
  public init(_ difference: Difference, old: ObjectGraph) {
    kind = difference.kind.rawValue
    // What was removed is marked where it was: at its container.
    path = difference.newPath ?? GraphPath(Array((difference.oldPath?.steps ?? []).dropLast()))
    let former = difference.oldPath.map { $0.description } ?? ""
    switch difference.kind {
    case .added: message = "added"
    case .removed: message = "\(former) was removed"
    case .moved: message = "moved from \(former)"
    case .changed:
      var text = ByteBuffer()
      if let node = difference.old {
        let value = old.value(of: node)
        if value.isContainer {
          text.append(value.typeName)
        } else {
          ScalarText.append(value, to: &text)
        }
      }
      message = "was \(String(decoding: text.bytes.prefix(300), as: UTF8.self))"
    case .changedClass:
      let name = difference.old.flatMap { old.classIndex(of: $0) }
      message = "class was \(name.map { old.classes[$0].displayName } ?? "none")"
    }
  }

  /// The marked node.
  func node(in graph: ObjectGraph) -> Node {
    do throws(ArchiveError) {
      return try graph.node(at: path, from: graph.root)
    } catch {
      guard let found = error.path else { return graph.root }
      return (try? graph.node(at: found, from: graph.root)) ?? graph.root
    }
  }
}
