// The outermost dictionary of a keyed archive: `$archiver`, `$version`, `$top`, `$objects`.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists

/// The parts of a keyed archive, found and checked.
package struct KeyedArchiveParts {
  package let archiver: String
  package let version: Int64?
  /// The stored dictionary `$top`.
  package let top: UInt32
  /// The stored array `$objects`.
  package let objects: UInt32
  package let objectCount: Int

  /// Looks for the parts in a document's top dictionary.
  ///
  /// - Returns: nil if the document does not mean to be a keyed archive.
  /// - Throws: `ArchiveError` if a part is missing or of the wrong type, or a UID leads nowhere.
  package init?(document number: UInt32, in graph: ObjectGraph) throws(ArchiveError) {
    let document = graph.documents[Int(number)]
    guard document.encoding.isArchivePossible else { return nil }
    let node = Node(document: number, index: document.top)
    guard case .dictionary(let pairs) = graph.storedValue(of: node) else { return nil }
    var parts = MarkedMembers<Node>()
    for position in 0..<pairs.count {
      guard let key = graph.text(of: graph.key(pairs, position)) else { continue }
      parts.note(graph.value(pairs, position), key)
    }
    guard let archiverNode = parts.archiver, let archiver = graph.text(of: archiverNode)
    else { return nil }
    guard parts.objects != nil || parts.top != nil || parts.version != nil else { return nil }
    self.archiver = archiver.string
    version = Self.version(parts.version, document, in: graph)
    top = try Self.part("$top", "a dictionary", parts.top, graph, Marker.dictionary)
    objects = try Self.part("$objects", "an array", parts.objects, graph, Marker.array)
    objectCount = document.table.counted(objects).count
    try Self.checkUIDs(document, objectCount: objectCount)
    let start = document.table.counted(objects).start
    if objectCount == 0
      || document.table.text(at: document.table.reference(start, 0))?.equals("$null") != true
    {
      graph.warnings.append(
        ArchiveError(
          .malformed, "$objects should begin with \"$null\"",
          offset: document.fileOffset(of: objects)))
    }
  }

  /// The same as the model keeps it.
  ///
  /// - Parameters:
  ///   - keys: the keys of `$top`.
  ///   - nodes: their values, as many.
  package func facts(keys: [String], nodes: [Node]) -> ArchiveFacts {
    ArchiveFacts(
      archiver: archiver, version: version, topKeys: keys, topNodes: nodes, topDictionary: top,
      objectCount: objectCount)
  }

  private static func version(
    _ node: Node?, _ document: Document, in graph: ObjectGraph
  ) -> Int64? {
    guard let node, let number = number(node, document, in: graph) else {
      graph.warnings.append(
        ArchiveError(.malformed, "the keyed archive has no $version; 100000 is assumed"))
      return nil
    }
    if number != 100_000 {
      graph.warnings.append(
        ArchiveError(
          .malformed, "$version should be 100000, found \(number)",
          offset: document.fileOffset(of: node.index)))
    }
    return number
  }

  /// An integer, or the string of one where numbers are stored so.
  private static func number(
    _ node: Node, _ document: Document, in graph: ObjectGraph
  ) -> Int64? {
    switch graph.storedValue(of: node) {
    case .integer(let number): return number
    case .string(let text) where document.encoding.traits.contains(.textualNumbers):
      return Int64(text.string)
    default: return nil
    }
  }

  private static func part(
    _ name: String, _ kind: String, _ node: Node?, _ graph: ObjectGraph, _ marker: UInt8
  ) throws(ArchiveError) -> UInt32 {
    guard let node else { throw missing(name, kind) }
    let document = graph.document(of: node)
    guard document.table.marker(of: node.index) >> 4 == marker else {
      throw ArchiveError(
        .malformed, wrongKind(name, kind), offset: document.fileOffset(of: node.index),
        path: GraphPath([.key(name)]))
    }
    return node.index
  }

  /// The error of a part that is not there.
  package static func missing(_ name: String, _ kind: String) -> ArchiveError {
    ArchiveError(
      .malformed, "the keyed archive has no \(name); it must be \(kind)", path: GraphPath())
  }

  /// The message about a part of the wrong type.
  static func wrongKind(_ name: String, _ kind: String) -> String { "\(name) must be \(kind)" }

  /// The message about a UID beyond the objects.
  package static func dangling(_ number: UInt64, objectCount: Int) -> String {
    "UID \(number) refers to no object: $objects has \(objectCount)"
  }

  /// Every UID must be the number of an object, so that following one cannot fail later.
  private static func checkUIDs(_ document: Document, objectCount: Int) throws(ArchiveError) {
    guard let highest = document.highestUID, highest >= UInt64(objectCount) else { return }
    for index in 0..<UInt32(truncatingIfNeeded: document.table.count) {
      if let error = dangling(index, in: document, objectCount) { throw error }
    }
  }

  /// The error of a UID beyond the objects; nil for other values.
  fileprivate static func dangling(
    _ index: UInt32, in document: Document, _ objectCount: Int, isListed: Bool = true
  ) -> ArchiveError? {
    let table = document.table
    // A value that nothing reaches may be broken; its marker must not be looked at then.
    guard table.fault(at: index) == nil, table.marker(of: index) >> 4 == Marker.uid,
      table.uid(at: index) >= UInt64(objectCount)
    else { return nil }
    return ArchiveError(
      .dangling, dangling(table.uid(at: index), objectCount: objectCount),
      offset: document.fileOffset(of: index),
      // Each path is searched for from the top.
      path: isListed ? StoredPath.find(index, from: document.top, in: table) : nil)
  }
}

/// The members of the outermost dictionary that are parts of an archive; of a repeated key the last one counts.
struct MarkedMembers<Member> {
  private(set) var archiver: Member?
  private(set) var version: Member?
  private(set) var top: Member?
  private(set) var objects: Member?

  /// Takes note of a member, if it is a part.
  mutating func note(_ member: Member, _ key: Text) {
    guard key.starts(with: 0x24), key.byteCount < 32 else { return }
    switch key.string {
    case "$archiver": archiver = member
    case "$version": version = member
    case "$top": top = member
    case "$objects": objects = member
    default: return
    }
  }
}

// MARK: - UIDs that lead to no object: marked as lost before anything follows them

/// Takes UIDs without an object out of a damaged archive.
enum DanglingUIDs {
  /// The number that are reported one by one.
  private static let mostNamed = 100

  /// The document with the key `$lost` instead of each UID without an object in `$objects`.
  ///
  /// - Parameters:
  ///   - document: any document; one that is not a keyed archive, or has no such UID, is returned unchanged.
  ///   - limits: the depth that is allowed.
  ///   - losses: receives each UID.
  /// - Throws: `ArchiveError` with code `limit`.
  static func replaced(
    in document: Document, limits: Limits, losses: inout [ArchiveError]
  ) throws(ArchiveError) -> Document {
    guard let highest = document.highestUID, let count = objectCount(document),
      highest >= UInt64(count)
    else { return document }
    var found = 0
    for index in 0..<UInt32(truncatingIfNeeded: document.table.count) {
      guard
        let error = KeyedArchiveParts.dangling(
          index, in: document, count, isListed: found < mostNamed)
      else { continue }
      found += 1
      if found <= mostNamed { losses.append(error) }
    }
    if found > mostNamed {
      losses.append(
        ArchiveError(.dangling, "\(found - mostNamed) more UIDs refer to no object"))
    }
    return try TableCopy.canonical(document, limits: limits, losingUIDsFrom: UInt64(count))
  }

  private static func objectCount(_ document: Document) -> Int? {
    let table = document.table
    guard table.marker(of: document.top) >> 4 == Marker.dictionary,
      let objects = table.value("$objects", of: document.top),
      table.marker(of: objects) >> 4 == Marker.array
    else { return nil }
    return table.counted(objects).count
  }
}
