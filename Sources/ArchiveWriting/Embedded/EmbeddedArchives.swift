// Archives in the values of a file, rewritten where they are: all else of the file stays as it is stored.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

/// The archives and JSON texts in data values and strings of a file, without the layers around them.
package struct EmbeddedArchives {
  /// One of them.
  package struct Part {
    /// Its path: `$.CACHED`.
    package let path: GraphPath
    /// Its bytes, without layers.
    package var storage: ByteStorage { layered.content }
    /// The layers around it, from the outermost on.
    package var layers: [DataLayer] { layered.kinds }
    fileprivate let isText: Bool
    fileprivate let layered: LayeredData
    fileprivate let node: Node
    fileprivate let holder: DataPath.Holder?
  }

  /// The archives, in the order of the file.
  package let parts: [Part]
  private let graph: ObjectGraph
  private let storage: ByteStorage
  /// The layers around the whole file.
  private let outer: LayeredData?
  private let limits: Limits

  /// Finds archives.
  ///
  /// - Parameters:
  ///   - path: the path of the values that hold them: data, or strings with JSON or Base64.
  ///   - storage: the file's bytes.
  /// - Throws: `ArchiveError` if the file cannot be read, or no such value is there.
  package init(
    at path: DataPath, in storage: ByteStorage, limits: Limits = Limits()
  ) throws(ArchiveError) {
    self.limits = limits
    var allowance = limits.inflation(of: storage.bytes.count)
    outer = try LayeredData(
      storage, lookingFor: [.gzip, .base64], limits: limits, allowance: &allowance)
    self.storage = outer?.content ?? storage
    let graph = try ArchiveReader(limits: limits).read(self.storage, nested: false)
    self.graph = graph
    var parts: [Part] = []
    let matches = try path.matches(in: graph)
    for match in matches {
      if let part = try Self.part(match, graph, limits, &allowance) { parts.append(part) }
    }
    guard !parts.isEmpty else {
      throw ArchiveError(
        .missingValue, "the string holds no archive and no JSON",
        offset: matches.first.flatMap { graph.fileOffset(of: $0.node) }, path: matches.first?.path)
    }
    self.parts = parts
  }

  /// Finds what the root of a keyed archive holds, with its layers.
  ///
  /// - Throws: `ArchiveError` if the bytes are not a keyed archive with one root that is data or a string.
  init(rootOf storage: ByteStorage, limits: Limits) throws(ArchiveError) {
    self.limits = limits
    self.storage = storage
    outer = nil
    graph = try ArchiveReader(limits: limits).read(storage, nested: false)
    guard let match = DataPath.archiveRoot(of: graph),
      let value = graph.layeredBytes(of: match.node)
    else {
      throw ArchiveError(.mismatch, "no keyed archive of data or a string")
    }
    var allowance = 0
    let layered = try LayeredData(value.bytes, named: [], limits: limits, allowance: &allowance)
    parts = [
      Part(
        path: match.path, isText: value.isText, layered: layered, node: match.node,
        holder: match.holder)
    ]
  }

  /// The archive in a value; nil for a string without one.
  private static func part(
    _ match: DataPath.Match, _ graph: ObjectGraph, _ limits: Limits, _ allowance: inout Int
  ) throws(ArchiveError) -> Part? {
    guard let value = graph.layeredBytes(of: match.node) else { return nil }
    do throws(ArchiveError) {
      let layered = try LayeredData(value.bytes, limits: limits, allowance: &allowance)
      let content = layered.content
      let isWanted = withExtendedLifetime(content) {
        !value.isText || Formats.all.looksNested(content.bytes) || JSONLayout.isJSON(content.bytes)
      }
      return isWanted
        ? Part(
          path: match.path, isText: value.isText, layered: layered, node: match.node,
          holder: match.holder) : nil
    } catch {
      throw error.at(path: match.path)
    }
  }

  /// The file with other archives in it.
  ///
  /// - Parameter replacements: the new bytes by the positions of `parts`.
  /// - Returns: the bytes of the file, in its own encoding.
  /// - Throws: `ArchiveError` if the encoding of the file is not written, a layer cannot be written as it was, or the
  ///   result differs in anything else.
  package func replacing(
    _ replacements: [Int: ByteStorage]
  ) throws(ArchiveError) -> ByteStorage {
    let source = graph.documents[0].encoding == .json ? storage : nil
    guard graph.wrappings.isEmpty,
      let encoding = StoredEncoding(graph.documents[0].encoding, in: graph, of: source)
    else {
      let name = graph.wrappings.first?.phrase ?? graph.documents[0].encoding.name
      throw ArchiveError(.unsupported, "archives inside a file that is \(name) cannot be replaced")
    }
    var patch = TablePatch(graph.documents[0])
    var expected: [UInt32: [ByteStorage]] = [:]
    for (position, bytes) in replacements.sorted(by: { $0.key < $1.key }) {
      let part = parts[position]
      guard let holder = part.holder, part.node.document == 0,
        let old = patch.child(of: holder.container, at: holder.position)
      else {
        throw ArchiveError(
          .unsupported, "the value cannot be replaced in place", path: part.path)
      }
      let new = try wrapped(bytes, in: part)
      expected[old, default: []].append(new)
      // An equal value elsewhere may share its storage.
      patch.setChild(
        of: holder.container, at: holder.position, to: patch.add(encoded: encoded(new, part)))
    }
    // An old archive that nothing else refers to does not stay in the file unseen.
    var kept = [Bool](repeating: true, count: patch.count)
    for old in expected.keys where patch.uses(of: old) == 0 { kept[Int(old)] = false }
    let binary = try patch.write(keeping: kept).intoStorage()
    let result = try JSONRestoring.text(
      of: try encoding.write(binary, limits: limits), like: storage, limits: limits)
    try verify(result, expected)
    return try outer?.wrapped(result) ?? result
  }

  /// New bytes in the layers of a part.
  private func wrapped(_ bytes: ByteStorage, in part: Part) throws(ArchiveError) -> ByteStorage {
    do throws(ArchiveError) {
      let new = try part.layered.wrapped(bytes)
      let isHeld = withExtendedLifetime(new) {
        !part.isText || String(validating: new.bytes, as: UTF8.self) != nil
      }
      if isHeld { return new }
      let format = withExtendedLifetime(new) { Formats.all.detect(new.bytes).encoding }
      throw ArchiveError(
        .unrepresentable,
        "the string cannot hold \(format?.name ?? "data")")
    } catch {
      throw error.at(path: part.path)
    }
  }

  /// The stored form of a part's value.
  private func encoded(_ bytes: ByteStorage, _ part: Part) -> [UInt8] {
    withExtendedLifetime(bytes) {
      part.isText
        ? TablePatch.encoded(String(decoding: bytes.bytes, as: UTF8.self))
        : TablePatch.encoded(data: bytes.bytes)
    }
  }

  /// Reads the new file: its parts are the new ones, and all other values what they were.
  private func verify(
    _ result: ByteStorage, _ expected: [UInt32: [ByteStorage]]
  ) throws(ArchiveError) {
    let copy = try ArchiveReader(limits: limits).read(result, nested: false)
    let table = copy.documents[0].table
    let isSame = StoredComparison.areSame(graph.documents[0], copy.documents[0]) {
      index, other in
      guard let new = expected[index] else { return false }
      if let text = table.text(at: other) {
        return new.contains { $0.bytes.elementsEqual(text.string.utf8) }
      }
      let bytes = table.scalar(at: other).bytes
      return bytes.map { bytes in new.contains { $0.bytes.elementsEqual(bytes) } } ?? false
    }
    guard isSame else {
      throw ArchiveError(
        .unrepresentable, "the file cannot contain the new archive without other changes")
    }
  }
}

// MARK: - Paths to the data values of a file that hold archives of their own, as user defaults do

/// A path that may match several values, or several such paths.
///
/// In JSONPath `[*]` and `.*` match every element and every member; in the other notations of ``PathStep`` a step `*` does.
package struct DataPath: Sendable, CustomStringConvertible {
  /// Where a data value or a string is stored: a stored container of the file, and the position among its children.
  struct Holder {
    let container: UInt32
    let position: Int
  }

  /// A value that the path leads to.
  struct Match {
    let path: GraphPath
    let node: Node
    let holder: Holder?
  }

  /// The path as it was written.
  package let description: String
  /// The steps, of which `anyElement` matches every element and every member.
  private let steps: [PathStep]
  private let others: [DataPath]

  /// Reads a path.
  ///
  /// - Throws: `ArchiveError` with code `malformed`, its offset being the position in the text.
  package init(parsing text: String) throws(ArchiveError) {
    description = text
    others = []
    guard PathStep.isJSONPath(text) else {
      steps = try PathStep.steps(of: text).map { $0 == .either("*") ? .one(.anyElement) : $0 }
      return
    }
    var steps: [PathStep] = []
    // Each run between wildcards is a path of its own.
    let parts = Self.parts(text)
    for (position, part) in parts.enumerated() {
      if position > 0 { steps.append(.one(.anyElement)) }
      let path = try GraphPath(parsing: position == 0 ? part : "$" + part)
      steps += path.steps.map { .one($0) }
    }
    self.steps = steps
  }

  /// Joins paths; nil without any.
  package init?(joining paths: [DataPath]) {
    guard let first = paths.first else { return nil }
    steps = first.steps
    others = first.others + paths.dropFirst()
    description = paths.map(\.description).joined(separator: " and ")
  }

  /// The path with `anyElement` for each step that matches every element and every member.
  package var pattern: GraphPath { GraphPath(steps.map(\.likely)) }

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
    let root = steps.isEmpty ? Self.archiveRoot(of: graph) : nil
    var matches = [root ?? Match(path: GraphPath(), node: graph.root, holder: nil)]
    // The innermost value that exists, for a message.
    var (found, offset) = (GraphPath(), graph.fileOffset(of: graph.root))
    for step in steps {
      var next: [Match] = []
      for match in matches {
        next += Self.children(of: match, in: graph).filter {
          step == .one(.anyElement) || $0.path.steps.last.map(step.matches) == true
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
      switch graph.value(of: match.node) {
      case .data, .string: true
      default: false
      }
    }
    guard !data.isEmpty else {
      let text = others.isEmpty ? description : pattern.description
      throw ArchiveError(
        .missingValue, "no data value or string at \(text)", offset: offset, path: found)
    }
    return data
  }

  /// Whether a path is one of the path's values, or below it.
  package func leads(to path: GraphPath) -> Bool {
    path.steps.count >= steps.count
      && zip(steps, path.steps).allSatisfy { $0 == .one(.anyElement) || $0.matches($1) }
  }

  private static func children(of match: Match, in graph: ObjectGraph) -> [Match] {
    guard let container = GraphContainer(graph.value(of: match.node)) else { return [] }
    return (0..<container.childCount).map { position in
      var held: Holder?
      switch container {
      case .elements(let elements): held = holder(elements, position, of: match.node, in: graph)
      case .members(let pairs), .pairs(let pairs):
        held = holder(pairs.values, pairs.position(position), of: match.node, in: graph)
      case .content: break
      }
      let node = container.child(position, in: graph)
      return Match(
        path: match.path.appending(container.step(position, in: graph)), node: node,
        holder: held.flatMap { scalar(in: $0, of: node, in: graph) })
    }
  }

  /// The container of the value at a position: `$objects` for an object, else the container itself.
  private static func holder(
    _ elements: Elements, _ position: Int, of node: Node, in graph: ObjectGraph
  ) -> Holder? {
    guard let slot = graph.slot(elements, position), slot.document == 0 else { return nil }
    let table = graph.documents[0].table
    if let number = graph.objectNumber(in: slot) {
      return table.value("$objects", of: graph.documents[0].top).map {
        Holder(container: $0, position: Int(number))
      }
    }
    guard table.marker(of: node.index) >> 4 >= Marker.array else { return nil }
    let (start, count) = table.references(of: node.index)
    // The elements may be those of a list within the object.
    let first = (elements.start - start) / table.referenceWidth
    guard (0..<count).contains(first + position) else { return nil }
    return Holder(container: node.index, position: first + position)
  }

  /// The fields in which objects of NSMutableData and NSMutableString store their bytes and text.
  private static let contentFields: Set<String> = ["NS.data", "NS.bytes", "NS.string"]

  /// Where the bytes or the text of a value are stored: in its container, or in a field of the object there.
  private static func scalar(in holder: Holder, of node: Node, in graph: ObjectGraph) -> Holder? {
    guard graph.classIndex(of: node) != nil else { return holder }
    let table = graph.documents[0].table
    guard table.marker(of: node.index) >> 4 == Marker.dictionary else { return holder }
    let fields = table.children(of: node.index)
    let count = fields.count / 2
    for position in 0..<count {
      guard let name = table.text(at: fields[position]), contentFields.contains(name.string) else {
        continue
      }
      let value = fields[count + position]
      guard table.marker(of: value) >> 4 == Marker.uid else {
        return Holder(container: node.index, position: count + position)
      }
      return table.value("$objects", of: graph.documents[0].top).map {
        Holder(container: $0, position: Int(truncatingIfNeeded: table.uid(at: value)))
      }
    }
    return nil
  }

  /// The only root of a keyed archive; nil for other inputs.
  static func archiveRoot(of graph: ObjectGraph) -> Match? {
    let document = graph.documents[0]
    guard document.isKeyedArchive,
      let facts = document.archive, facts.topNodes.count == 1, let root = facts.topNodes.first
    else { return nil }
    let table = document.table
    guard let objects = table.value("$objects", of: document.top),
      let top = table.value("$top", of: document.top),
      let uid = table.children(of: top).last, table.marker(of: uid) >> 4 == Marker.uid
    else { return nil }
    let holder = Holder(container: objects, position: Int(truncatingIfNeeded: table.uid(at: uid)))
    return Match(path: GraphPath(), node: root, holder: scalar(in: holder, of: root, in: graph))
  }
}
