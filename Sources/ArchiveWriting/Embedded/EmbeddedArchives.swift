// Archives in the data values of a file, rewritten where they are: all else of the file stays as it is stored.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

/// The archives in data values of a file.
package struct EmbeddedArchives {
  /// One of them.
  package struct Part {
    /// Its path: `$.CACHED`.
    package let path: GraphPath
    /// Its bytes.
    package let storage: ByteStorage
    fileprivate let node: Node
    fileprivate let holder: (container: UInt32, position: Int)?
  }

  /// The archives, in the order of the file.
  package let parts: [Part]
  private let graph: ObjectGraph
  private let limits: Limits

  /// Finds archives.
  ///
  /// - Parameters:
  ///   - path: the path of the data values that hold them.
  ///   - storage: the file's bytes.
  /// - Throws: `ArchiveError` if the file cannot be read, or no data value is there.
  package init(
    at path: DataPath, in storage: ByteStorage, limits: Limits = Limits()
  ) throws(ArchiveError) {
    self.limits = limits
    graph = try ArchiveReader(limits: limits).read(storage, nested: false)
    let graph = graph
    parts = try path.matches(in: graph).compactMap { match in
      guard case .data(let bytes) = graph.value(of: match.node) else { return nil }
      return Part(
        path: match.path, storage: ByteStorage(copying: bytes), node: match.node,
        holder: match.holder)
    }
  }

  /// The file with other archives in it.
  ///
  /// - Parameter replacements: the new bytes by the positions of `parts`.
  /// - Returns: the bytes of the file, in its own encoding.
  /// - Throws: `ArchiveError` if the encoding of the file is not written, or the result differs in
  ///   anything else.
  package func replacing(
    _ replacements: [Int: ByteStorage]
  ) throws(ArchiveError) -> ByteStorage {
    guard graph.wrappings.isEmpty,
      let encoding = StoredEncoding(graph.documents[0].encoding, in: graph)
    else {
      throw ArchiveError(
        .unsupported,
        "archives inside a \(graph.documents[0].encoding.name) cannot be replaced")
    }
    var patch = TablePatch(graph.documents[0])
    for (position, bytes) in replacements.sorted(by: { $0.key < $1.key }) {
      let part = parts[position]
      if let index = graph.classIndex(of: part.node) {
        throw ArchiveError(
          .mismatch,
          "the data is an object of the class \(graph.classes[index].displayName), which cannot be rewritten in place",
          path: part.path)
      }
      guard let holder = part.holder, part.node.document == 0 else {
        throw ArchiveError(
          .unsupported, "the data value cannot be replaced in place", path: part.path)
      }
      // An equal value elsewhere may share its storage.
      let new = patch.add(encoded: TablePatch.encoded(data: bytes.bytes))
      patch.setChild(of: holder.container, at: holder.position, to: new)
    }
    // An old archive that nothing else refers to does not stay in the file unseen.
    var kept = [Bool](repeating: true, count: patch.count)
    for node in replacements.keys.map({ parts[$0].node }) where patch.uses(of: node.index) == 0 {
      kept[Int(node.index)] = false
    }
    let binary = try patch.write(keeping: kept).intoStorage()
    let result = try encoding.write(binary, limits: limits)
    try verify(result, replacements)
    return result
  }

  /// Reads the new file: its parts are the new ones, and all other values what they were.
  private func verify(
    _ result: ByteStorage, _ replacements: [Int: ByteStorage]
  ) throws(ArchiveError) {
    let copy = try ArchiveReader(limits: limits).read(result, nested: false)
    var expected: [Node: [ByteStorage]] = [:]
    for (position, bytes) in replacements {
      expected[parts[position].node, default: []].append(bytes)
    }
    let isSame = StoredComparison.areSame(graph.documents[0], copy.documents[0]) {
      index, other in
      guard let new = expected[Node(document: 0, index: index)] else { return false }
      let found = copy.documents[0].table.scalar(at: other)
      guard case .data(let bytes) = found else { return false }
      return new.contains { $0.bytes.elementsEqual(bytes) }
    }
    guard isSame else {
      throw ArchiveError(
        .unrepresentable, "the file cannot contain the new archive without other changes")
    }
  }
}

// MARK: - Paths to the data values of a file that hold archives of their own, as user defaults do

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
      if case .data = graph.value(of: match.node) { true } else { false }
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
    guard let container = GraphContainer(graph.value(of: match.node)) else { return [] }
    return (0..<container.childCount).map { position in
      var held: (container: UInt32, position: Int)?
      switch container {
      case .elements(let elements): held = holder(elements, position, of: match.node, in: graph)
      case .members(let pairs), .pairs(let pairs):
        held = holder(pairs.values, pairs.position(position), of: match.node, in: graph)
      case .content: break
      }
      return Match(
        path: match.path.appending(container.step(position, in: graph)),
        node: container.child(position, in: graph), holder: held)
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
