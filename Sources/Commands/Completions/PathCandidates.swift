// Paths in an archive that continue one that is half typed.

import Basics
import KeyedArchives
import ObjectGraph
import Queries

/// Finds the paths one step further, as a shell does it for the names in folders.
struct PathCandidates {
  /// How many children of a value are looked at.
  private static let mostChildren = 500_000

  /// The archive.
  let graph: ObjectGraph

  /// The paths that begin with a text, in its notation; without a text, those that begin with `$`.
  ///
  /// If only one value is left and it has children, they are among the candidates too.
  func all(beginningWith text: String) -> [String] {
    if text.isEmpty || text == "$" { return ["$"] + children(of: "$", .query) }
    let notation = PathNotation(of: text)
    guard let parent = notation.parent(of: text) else { return [] }
    var found = children(of: parent, notation, beginningWith: text)
    if found.contains(text) {
      found += children(of: text, notation)
    } else if found.count == 1, let only = found.first {
      found += children(of: only, notation)
    }
    return found
  }

  private func children(
    of parent: String, _ notation: PathNotation, beginningWith start: String = ""
  ) -> [String] {
    guard let node = node(at: parent), let container = container(node) else { return [] }
    var found: [String] = []
    for position in 0..<min(container.childCount, Self.mostChildren) {
      guard let path = notation.path(to: container.step(position, in: graph), in: parent),
        path.utf8.starts(with: start.utf8)
      else { continue }
      // A key such as 0 or $ may mean something else in a notation without quotes.
      if notation != .query, self.node(at: path) != container.child(position, in: graph) {
        continue
      }
      found.append(path)
      if found.count == Complete.mostCandidates { break }
    }
    return found
  }

  private func node(at path: String) -> Node? {
    try? ValuePath(parsing: path).resolve(in: graph).node
  }

  /// The children of a value, or of the root of the archive in it.
  private func container(_ node: Node) -> GraphContainer? {
    var node = node
    while case .data = graph.value(of: node), let content = graph.content(of: node) {
      node = content
    }
    return GraphContainer(graph.value(of: node))
  }
}

/// The notations of `ValuePath`.
private enum PathNotation {
  case query, pointer, buddy, keys

  init(of text: String) {
    switch text.unicodeScalars.first {
    case "$": self = .query
    case "/": self = .pointer
    case ":": self = .buddy
    default: self = .keys
    }
  }

  /// A path without its last step, which may be incomplete; nil if it has none.
  func parent(of text: String) -> String? {
    let scalars = text.unicodeScalars
    let start =
      switch self {
      case .query: Self.startOfLastStep(scalars)
      case .pointer: scalars.lastIndex(of: "/")
      case .buddy: Self.lastSeparator(":", scalars)
      case .keys: Self.lastSeparator(".", scalars) ?? scalars.startIndex
      }
    return start.map { String(scalars[..<$0]) }
  }

  /// The path of a child; nil if its step cannot be written.
  func path(to step: GraphPath.Step, in parent: String) -> String? {
    let name: String
    switch (self, step) {
    case (.query, _): return parent + GraphPath([step]).description.dropFirst()
    case (_, .key(let key)): name = key
    case (_, .index(let index)): name = "\(index)"
    default: return nil
    }
    switch self {
    case .pointer: return parent + "/" + Self.escaped(name, ["~": "~0", "/": "~1"])
    case .buddy: return parent + ":" + Self.escaped(name, [":": "\\:", "\\": "\\\\"])
    default:
      let key = Self.escaped(name, [".": "\\.", "\\": "\\\\"])
      return parent.isEmpty ? key : parent + "." + key
    }
  }

  private static func escaped(_ name: String, _ escapes: [Unicode.Scalar: String]) -> String {
    name.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
  }

  private static func lastSeparator(
    _ separator: Unicode.Scalar, _ scalars: String.UnicodeScalarView
  ) -> String.Index? {
    var last: String.Index?
    var isEscaped = false
    for index in scalars.indices {
      if scalars[index] == separator, !isEscaped { last = index }
      isEscaped = scalars[index] == "\\" && !isEscaped
    }
    return last
  }

  /// Where the last `.`, `[` or `⟨` is that is not part of a quoted key.
  private static func startOfLastStep(_ scalars: String.UnicodeScalarView) -> String.Index? {
    var start: String.Index?
    var quote: Unicode.Scalar?
    var isInBrackets = false
    var isEscaped = false
    for index in scalars.indices {
      let scalar = scalars[index]
      if quote != nil {
        if scalar == quote, !isEscaped { quote = nil }
        isEscaped = scalar == "\\" && !isEscaped
      } else if isInBrackets {
        if scalar == "'" || scalar == "\"" { quote = scalar }
        if scalar == "]" { isInBrackets = false }
      } else if scalar == "." || scalar == "[" || scalar == "⟨" {
        start = index
        isInBrackets = scalar == "["
      }
    }
    return start
  }
}
