// A property list or keyed archive that parts are taken from or put into.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

extension Document {
  /// The same values, with another at the top.
  func withTop(_ index: UInt32) -> Document {
    Document(
      encoding: encoding, table: table, storage: storage, fileOffset: fileOffset,
      sourceOffsets: sourceOffsets, top: index, highestUID: highestUID)
  }
}

/// One document of a graph, its parts, and how it is written again.
struct OpenedArchive {
  let graph: ObjectGraph
  let number: UInt32
  let parts: KeyedArchiveParts?
  let encoding: StoredEncoding
  let side: StoredComparison.Side

  var document: Document { graph.documents[Int(number)] }
  var table: ValueTable { document.table }
  var isKeyed: Bool { parts != nil }

  /// Opens a document of a graph.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` if its encoding has no stored values that can be edited.
  init(_ graph: ObjectGraph, document number: UInt32 = 0) throws(ArchiveError) {
    let encoding = graph.documents[Int(number)].encoding
    let remedy =
      encoding.isLaidOutAsArchive ? "; convert --to keyed-archive makes a keyed archive of it" : ""
    try self.init(
      graph, number, StoredEncoding(encoding, in: graph),
      "parts are taken from property lists and keyed archives, not from \(encoding.name)\(remedy)")
  }

  /// Opens a document that is to be edited, which may be JSON, too.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` for other encodings.
  init(editing graph: ObjectGraph, document number: UInt32, source: ByteStorage)
    throws(ArchiveError)
  {
    let encoding = graph.documents[Int(number)].encoding
    try self.init(
      graph, number, StoredEncoding(encoding, in: graph, of: source),
      "\(encoding.nameWithArticle) cannot be edited")
  }

  private init(
    _ graph: ObjectGraph, _ number: UInt32, _ encoding: StoredEncoding?, _ refusal: String
  ) throws(ArchiveError) {
    guard let encoding else { throw ArchiveError(.unsupported, refusal) }
    self.graph = graph
    self.number = number
    self.encoding = encoding
    parts = try KeyedArchiveParts(document: number, in: graph)
    side = StoredComparison.Side(graph.documents[Int(number)], parts)
  }

  /// Reads bytes.
  ///
  /// - Throws: `ArchiveError` if they cannot be decoded, or as above.
  init(_ storage: ByteStorage, limits: Limits) throws(ArchiveError) {
    try self.init(try ArchiveReader(limits: limits).read(storage))
  }

  /// What an archive has at its root, a UID or a scalar that was encoded without an object; the top of a property list.
  ///
  /// - Throws: `ArchiveError` with code `mismatch` if it has several top-level objects without a root.
  func rootValue() throws(ArchiveError) -> UInt32 {
    guard let parts else { return document.top }
    let (start, count) = table.counted(parts.top)
    for position in 0..<count
    where count == 1 || table.text(at: table.reference(start, position))?.equals("root") == true {
      return table.reference(start, count + position)
    }
    throw ArchiveError(
      .mismatch, "a part has one top-level object, or one under the key root; this has \(count)",
      path: GraphPath())
  }

  /// A value as edits see it: an object that is shown by members made of its fields has its fields.
  func value(of node: Node) -> Value {
    let value = graph.value(of: node)
    guard case .object(let index, _) = value, let fields = graph.hiddenFields(of: node) else {
      return value
    }
    return .object(index, fields)
  }
}

// MARK: - The objects of one archive copied among those of another

/// Adds everything reachable from a part's root to the values of an archive.
struct PartCopy {
  private let part: OpenedArchive
  private let source: StoredComparison.Side
  /// For each object of the part its number in the archive.
  private var numbers: [UInt64: UInt64] = [:]
  /// For each stored value of the part its copy.
  private var copies: [UInt32: UInt32] = [:]
  /// How many more bytes may be copied: values that do not overlap never need more.
  private var allowance: Int

  private init(_ part: OpenedArchive) {
    self.part = part
    source = part.side
    allowance = part.table.byteCount * 2 + 65_536
  }

  /// Copies a value of a plain property list.
  ///
  /// - Throws: `ArchiveError` with code `limit` if stored values overlap too much.
  static func copy(
    value index: UInt32, of part: OpenedArchive, into patch: inout TablePatch
  ) throws(ArchiveError) -> UInt32 {
    var copy = PartCopy(part)
    return try copy.copy(index, into: &patch)
  }

  /// Copies a value of a keyed archive and the objects that it leads to.
  ///
  /// - Parameters:
  ///   - index: a UID, or a scalar, which stays the same.
  ///   - part: the archive that the value is of.
  ///   - objects: the stored array `$objects` of the other.
  ///   - records: its class records, by content; those of the part are added.
  ///   - patch: the edits to the other.
  /// - Returns: the copy.
  static func copy(
    _ index: UInt32, of part: OpenedArchive, into objects: UInt32,
    _ records: inout ClassRecords, _ patch: inout TablePatch
  ) throws(ArchiveError) -> UInt32 {
    var copy = PartCopy(part)
    try copy.addObjects(from: index, into: objects, &records, &patch)
    return try copy.copy(index, into: &patch)
  }

  /// Gives the objects numbers, in the order of the part, then copies them.
  private mutating func addObjects(
    from index: UInt32, into objects: UInt32, _ records: inout ClassRecords,
    _ patch: inout TablePatch
  ) throws(ArchiveError) {
    guard let null = source.objects?.first, part.table.text(at: null)?.equals("$null") == true
    else {
      throw ArchiveError(.malformed, "$objects of the part should begin with \"$null\"")
    }
    let first = patch.childCount(of: objects)
    var added: [UInt64] = []
    numbers[0] = 0
    for number in reached(from: index).sorted() where number > 0 {
      let object = (source.objects ?? [])[Int(number)]
      if let known = records.number(like: object, of: part.table) {
        numbers[number] = known
        continue
      }
      numbers[number] = UInt64(first + added.count)
      records.add(object, of: part.table, number: UInt64(first + added.count))
      added.append(number)
    }
    for number in added {
      patch.append(try copy((source.objects ?? [])[Int(number)], into: &patch), to: objects)
    }
  }

  /// The numbers of the objects that a value leads to.
  private func reached(from index: UInt32) -> Set<UInt64> {
    var found: Set<UInt64> = []
    func note(_ value: UInt32) {
      if part.table.marker(of: value) >> 4 == Marker.uid { found.insert(part.table.uid(at: value)) }
    }
    var walk = ReferenceWalk(source)
    note(index)
    walk.visit(walk.object(index) ?? index) { reference, _, _ in note(reference) }
    return found
  }

  /// Copies a stored value, after its content.
  private mutating func copy(
    _ index: UInt32, into patch: inout TablePatch
  ) throws(ArchiveError) -> UInt32 {
    var stack = [(index: index, isOpen: false)]
    while let (next, isOpen) = stack.popLast() {
      guard copies[next] == nil else { continue }
      let kind = part.table.marker(of: next) >> 4
      guard kind >= Marker.array else {
        copies[next] = patch.add(encoded: try scalar(next, kind))
        continue
      }
      let children = part.table.children(of: next)
      if isOpen {
        copies[next] = patch.addContainer(kind, of: children.compactMap { copies[$0] })
      } else {
        stack.append((next, true))
        stack += children.map { ($0, false) }
      }
    }
    return copies[index] ?? index
  }

  private mutating func scalar(
    _ index: UInt32, _ kind: UInt8
  ) throws(ArchiveError) -> [UInt8] {
    if kind == Marker.uid, let number = numbers[part.table.uid(at: index)] {
      return TablePatch.encoded(uid: number)
    }
    let bytes = part.table.bytes(of: index)
    allowance -= bytes.count
    guard allowance >= 0 else {
      throw part.document.error(
        .limit, "the stored values of the part overlap so much that they cannot be copied",
        at: index)
    }
    return Array(bytes)
  }
}
