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
