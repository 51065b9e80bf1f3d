// Paths to the data values of a file that hold archives of their own, as user defaults do.

import ArchiveBasics
import ArchiveGraph
import KeyedArchives

/// A path that may match several values: `[*]` and `.*` match every element and every member; or several such paths.
package struct DataPath: Sendable, CustomStringConvertible {
  /// A value that the path leads to.
  struct Match {
    let path: GraphPath
    let node: Node
    /// Its container: a stored container of the file, and the position among its children.
    let holder: (container: UInt32, position: Int)?
  }

  /// The path as it was written.
  package let description: String
  /// The steps, of which `anyElement` matches every element and every member.
  private let steps: [GraphPath.Step]
  /// Further paths.
  private let others: [DataPath]

  /// Reads a path.
  ///
  /// - Throws: `ArchiveError` with code `malformed`, its offset being the position in the text.
  package init(parsing text: String) throws(ArchiveError) {
    description = text
    var steps: [GraphPath.Step] = []
    // Each run between wildcards is a path of its own.
    let parts = Self.parts(text)
    for (position, part) in parts.enumerated() {
      if position > 0 { steps.append(.anyElement) }
      let path = try GraphPath(parsing: position == 0 ? part : "$" + part)
      steps += path.steps
    }
    self.steps = steps
    others = []
  }

  /// Joins paths; nil without any.
  package init?(joining paths: [DataPath]) {
    guard let first = paths.first else { return nil }
    steps = first.steps
    others = first.others + paths.dropFirst()
    description = paths.map(\.description).joined(separator: " and ")
  }

  /// The path with `anyElement` for each step that matches every element and every member.
  package var pattern: GraphPath { GraphPath(steps) }

  /// A text split at `[*]` and `.*` outside of quotes.
  private static func parts(_ text: String) -> [String] {
    var parts = [""]
    var quote: Character?
    var rest = Substring(text)
    while let character = rest.first {
      if quote == nil, rest.hasPrefix("[*]") || rest.hasPrefix(".*") {
        parts.append("")
        rest = rest.dropFirst(character == "[" ? 3 : 2)
        continue
      }
      if let open = quote {
        if character == "\\" {
          parts[parts.count - 1].append(contentsOf: rest.prefix(2))
          rest = rest.dropFirst(2)
          continue
        }
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      }
      parts[parts.count - 1].append(character)
      rest = rest.dropFirst()
    }
    return parts
  }

  /// The values that the paths lead to, each once: those of one path in their order, then those of the next.
  ///
  /// - Throws: `ArchiveError` with code `missingValue` if one of the paths matches none.
  func matches(in graph: ObjectGraph) throws(ArchiveError) -> [Match] {
    var all = try ownMatches(in: graph)
    var known = Set(all.map(\.path))
    for other in others {
      for match in try other.matches(in: graph) where known.insert(match.path).inserted {
        all.append(match)
      }
    }
    return all
  }

  private func ownMatches(in graph: ObjectGraph) throws(ArchiveError) -> [Match] {
    var matches = [Match(path: GraphPath(), node: graph.root, holder: nil)]
    // The innermost value that exists, for a message.
    var (found, offset) = (GraphPath(), graph.fileOffset(of: graph.root))
    for step in steps {
      var next: [Match] = []
      for match in matches {
        next += Self.children(of: match, in: graph).filter {
          step == .anyElement || $0.path.steps.last == step
        }
      }
      guard next.count <= graph.expansionLimit else {
        throw ArchiveError(.limit, "the path \(description) matches more than \(next.count) values")
      }
      matches = next
      if let first = next.first {
        (found, offset) = (first.path, graph.fileOffset(of: first.node) ?? offset)
      }
    }
    let data = matches.filter { match in
      if case .data = graph.value(of: match.node) { return true }
      return false
    }
    guard !data.isEmpty else {
      throw ArchiveError(
        .missingValue, "no data value at \(others.isEmpty ? description : pattern.description)",
        offset: offset, path: found)
    }
    return data
  }

  /// Whether a path is one of the path's values, or below it.
  package func leads(to path: GraphPath) -> Bool {
    path.steps.count >= steps.count
      && zip(steps, path.steps).allSatisfy { $0 == .anyElement || $0 == $1 }
  }

  private static func children(of match: Match, in graph: ObjectGraph) -> [Match] {
    switch graph.value(of: match.node) {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      return (0..<elements.count).map { position in
        Match(
          path: match.path.appending(.index(position)), node: graph.node(elements, position),
          holder: holder(elements, position, of: match.node, in: graph))
      }
    case .dictionary(let pairs), .object(_, let pairs):
      return (0..<pairs.count).map { position in
        let name = graph.memberName(pairs, position)?.string ?? "?"
        return Match(
          path: match.path.appending(.key(name)), node: graph.value(pairs, position),
          holder: holder(pairs.values, pairs.position(position), of: match.node, in: graph))
      }
    default: return []
    }
  }

  /// The container of the value at a position: `$objects` for an object, else the container itself.
  private static func holder(
    _ elements: Elements, _ position: Int, of node: Node, in graph: ObjectGraph
  ) -> (container: UInt32, position: Int)? {
    guard let slot = graph.slot(elements, position), slot.document == 0 else { return nil }
    let table = graph.documents[0].table
    if let number = graph.objectNumber(in: slot) {
      return table.value("$objects", of: graph.documents[0].top).map { ($0, Int(number)) }
    }
    guard table.marker(of: node.index) >> 4 >= Marker.array else { return nil }
    let (start, count) = table.references(of: node.index)
    // The elements may be those of a list within the object.
    let first = (elements.start - start) / table.referenceWidth
    guard (0..<count).contains(first + position) else { return nil }
    return (node.index, first + position)
  }
}
