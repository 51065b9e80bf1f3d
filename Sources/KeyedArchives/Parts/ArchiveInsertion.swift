// A part put into an archive: its objects copied verbatim, its root where a path leads to.

import Basics
import ObjectGraph
import PropertyLists

/// Puts parts into archives and property lists.
public struct ArchiveInsertion {
  private let host: OpenedArchive
  private let part: OpenedArchive
  private let limits: Limits
  private var patch: TablePatch
  private var records: ClassRecords
  /// For containers that are edited which of their positions stay, with those that they get.
  private var edited: [UInt32: [(old: Int, new: Int)]] = [:]

  /// Where a part goes.
  private enum Target {
    case path([GraphPath.Step])
    /// Under a top-level key of its own.
    case top(String)
  }

  /// Puts the root of a part at a path: instead of the current value, as a new member of a dictionary, or at
  /// the end of a list.
  ///
  /// Both are keyed archives, or both are plain property lists. What nothing leads to afterwards is removed. The encoding
  /// unchanged; the result is read again and compared with both.
  ///
  /// - Throws: `ArchiveError` if an input cannot be read, or the part cannot be put there.
  public static func insert(
    _ part: ByteStorage, at path: GraphPath, into storage: ByteStorage, limits: Limits = Limits()
  ) throws(ArchiveError) -> ByteStorage {
    let part = try OpenedArchive(part, limits: limits)
    return try insert(part, at: path.steps[...], of: path, into: storage, limits)
  }

  /// Puts the root of a part under a top-level key that a keyed archive does not have yet.
  ///
  /// - Throws: `ArchiveError` if an input cannot be read, or the part is not a keyed archive.
  static func insert(
    _ part: ByteStorage, under key: String, into storage: ByteStorage, limits: Limits
  ) throws(ArchiveError) -> ByteStorage {
    let host = try OpenedArchive(storage, limits: limits)
    let part = try OpenedArchive(part, limits: limits)
    if let archiver = part.document.archive?.archiver, archiver != "NSKeyedArchiver" {
      throw ArchiveError(
        .mismatch,
        "the archiver is \(archiver), which the merged archive cannot keep; rename-class --set-archiver changes it"
      )
    }
    var insertion = try ArchiveInsertion(host, part, limits)
    return try insertion.insert(at: .top(key))
  }

  private static func insert(
    _ part: OpenedArchive, at steps: ArraySlice<GraphPath.Step>, of path: GraphPath,
    into storage: ByteStorage, nesting: Int = 0, _ limits: Limits
  ) throws(ArchiveError) -> ByteStorage {
    guard nesting <= limits.nesting else {
      throw ArchiveError(.limit, "archives are nested more than \(limits.nesting) levels deep")
    }
    let graph = try ArchiveReader(limits: limits).read(storage)
    if let wrapping = graph.wrappings.first {
      throw ArchiveError(
        .mismatch, "is \(wrapping.phrase), and would not be any more; \(wrapping.remedy)",
        path: GraphPath())
    }
    let host = try OpenedArchive(graph)
    if let tops = part.document.archive?.tops, tops.count > 1 {
      throw ArchiveError(
        .mismatch,
        "one top-level object is expected, and the part has \(tops.count); extract makes an archive of one"
      )
    }
    for end in steps.indices {
      let before = GraphPath(Array(steps[..<end]))
      let node = try graph.node(at: before, from: graph.root)
      guard case .data(let bytes) = graph.value(of: node), graph.content(of: node) != nil else {
        continue
      }
      // An archive in a data value is rewritten, then the data.
      let isMarked = if case .content = steps[end] { true } else { false }
      let inner = try insert(
        part, at: steps[(isMarked ? end + 1 : end)...], of: path, into: ByteStorage(copying: bytes),
        nesting: nesting + 1, limits)
      var insertion = try ArchiveInsertion(host, part, limits)
      return try insertion.described(path) { insertion throws(ArchiveError) in
        try insertion.replace(data: node, with: inner)
      }
    }
    var insertion = try ArchiveInsertion(host, part, limits)
    return try insertion.described(path) { insertion throws(ArchiveError) in
      try insertion.insert(at: .path(Array(steps)))
    }
  }

  private init(
    _ host: OpenedArchive, _ part: OpenedArchive, _ limits: Limits
  ) throws(ArchiveError) {
    self.host = host
    self.part = part
    self.limits = limits
    patch = TablePatch(host.document)
    records = ClassRecords(of: host.side)
  }

  /// Does an edit, whose errors are about the path.
  private mutating func described(
    _ path: GraphPath, _ edit: (inout ArchiveInsertion) throws(ArchiveError) -> ByteStorage
  ) throws(ArchiveError) -> ByteStorage {
    do {
      return try edit(&self)
    } catch {
      throw ArchiveError(error.code, error.message, path: path)
    }
  }

  // MARK: Locations

  private mutating func insert(at target: Target) throws(ArchiveError) -> ByteStorage {
    guard (host.parts == nil) == (part.parts == nil) else {
      throw ArchiveError(
        .mismatch,
        host.parts == nil
          ? "the part is a keyed archive, but FILE is not"
          : "the part is not a keyed archive; convert --to keyed-archive makes one from it")
    }
    try put(at: try place(at: target))
    let bytes = try write()
    try prove(bytes, at: target)
    return bytes
  }

  private func place(at target: Target) throws(ArchiveError) -> PartLocation {
    switch target {
    case .path(let steps): return try place(at: steps)
    case .top(let key):
      guard let parts = host.parts else { throw Self.difference }
      return .member(of: parts.top, key: KeyRename.stored(key))
    }
  }

  private func place(at steps: [GraphPath.Step]) throws(ArchiveError) -> PartLocation {
    let graph = host.graph
    if let last = steps.last {
      let parent = try graph.node(at: GraphPath(steps.dropLast()), from: graph.root)
      return try PartLocation(last, of: parent, in: host)
    }
    guard let parts = host.parts else {
      throw ArchiveError(
        .mismatch, "the part would replace everything, so the result would be the part itself")
    }
    guard graph.root.index != parts.top else {
      throw ArchiveError(
        .mismatch, "the archive has no root but several top-level keys; the path must name one")
    }
    return .reference(parts.top, position: 1)
  }

  /// The value to insert: a UID or an inline value, copied into the archive.
  private mutating func copied() throws(ArchiveError) -> (value: UInt32, source: UInt32) {
    guard let parts = part.parts, let hostParts = host.parts else {
      let top = part.document.top
      return (try PartCopy.copy(value: top, of: part, into: &patch), top)
    }
    let root = try part.rootValue(parts)
    guard patch.uses(of: hostParts.objects) == 1 else { throw Self.shared("$objects") }
    let copy = try PartCopy.copy(root, of: part, into: hostParts.objects, &records, &patch)
    return (copy, root)
  }

  /// A UID for the value to insert: a scalar becomes an object, because lists and new keys refer to objects.
  private mutating func asObject(_ value: UInt32) throws(ArchiveError) -> UInt32 {
    guard let parts = host.parts, patch.kind(of: value) != Marker.uid else { return value }
    let objects = patch.children(of: parts.objects)
    patch.setChildren(of: parts.objects, to: objects + [value])
    return patch.add(encoded: TablePatch.encoded(uid: UInt64(objects.count)))
  }

  private mutating func put(at place: PartLocation) throws(ArchiveError) {
    let (value, source) = try copied()
    switch place {
    case .reference(let holder, let position):
      try replace(holder, position, value, source)
    case .end(let list):
      try append([asMember(value)], to: list)
    case .member(let holder, let key):
      let children = try children(of: holder)
      let pairs = children.count / 2
      edited[holder] = children.indices.map { ($0, $0 < pairs ? $0 : $0 + 1) }
      patch.setChildren(
        of: holder, to: children[..<pairs] + [patch.add(key)] + children[pairs...] + [value])
    case .pair(let keys, let values, let key):
      let keyObject = try asObject(patch.add(key))
      try append([keyObject], to: keys)
      try append([asMember(value)], to: values)
    case .numbered(let holder, let number, let key):
      var names: [(String, UInt32)] = [("NS.object.\(number)", try asMember(value))]
      if let key { names.append(("NS.key.\(number)", try asObject(patch.add(key)))) }
      let children = try children(of: holder)
      let pairs = children.count / 2
      edited[holder] = children.indices.map { ($0, $0 < pairs ? $0 : $0 + names.count) }
      let newKeys = names.map { patch.add($0.0) }
      patch.setChildren(
        of: holder, to: children[..<pairs] + newKeys + children[pairs...] + names.map(\.1))
    }
  }

  /// A value that a collection can contain.
  private mutating func asMember(_ value: UInt32) throws(ArchiveError) -> UInt32 {
    guard host.parts != nil else { return value }
    let object = try asObject(value)
    if patch.uid(at: object) == 0 {
      throw ArchiveError(.mismatch, "the part is nil, which no collection can contain")
    }
    return object
  }

  private mutating func append(_ values: [UInt32], to list: UInt32) throws(ArchiveError) {
    let children = try children(of: list)
    edited[list] = children.indices.map { ($0, $0) }
    patch.setChildren(of: list, to: children + values)
  }

  /// Replaces a reference: an object by an object, an inline value by one of the same type.
  private mutating func replace(
    _ holder: UInt32, _ position: Int, _ value: UInt32, _ source: UInt32
  ) throws(ArchiveError) {
    let children = try children(of: holder)
    let old = children[position]
    var new = value
    if host.parts != nil, patch.kind(of: old) != Marker.uid {
      new = try inline(value, source, like: old)
    } else if host.parts != nil {
      let isList = patch.kind(of: holder) != Marker.dictionary
      new = isList ? try asMember(value) : try asObject(value)
    }
    edited[holder] = children.indices.filter { $0 != position }.map { ($0, $0) }
    patch.setChild(of: holder, at: position, to: new)
  }

  /// A part's value to replace an inline value.
  private mutating func inline(
    _ value: UInt32, _ source: UInt32, like old: UInt32
  ) throws(ArchiveError) -> UInt32 {
    var scalar = source
    if part.table.marker(of: source) >> 4 == Marker.uid, let objects = part.side.objects,
      let place = Int(exactly: part.table.uid(at: source)), objects.indices.contains(place)
    {
      scalar = objects[place]
    }
    let kind = host.table.marker(of: old) >> 4
    guard part.table.marker(of: scalar) >> 4 == kind, kind < Marker.array else {
      throw ArchiveError(
        .mismatch,
        "\(Self.name(of: kind)) is stored inline there; only a value of the same type can replace it"
      )
    }
    return patch.add(encoded: Array(part.table.bytes(of: scalar)))
  }

  private static func name(of kind: UInt8) -> String {
    switch kind {
    case Marker.singleton: "a boolean"
    case Marker.integer: "an integer"
    case Marker.real: "a real"
    case Marker.data: "data"
    default: "a value"
    }
  }

  /// The children of a container that is to be edited, which nothing else may share.
  private func children(of container: UInt32) throws(ArchiveError) -> [UInt32] {
    guard container == host.document.top || patch.uses(of: container) == 1 else {
      throw Self.shared("the container")
    }
    return patch.children(of: container)
  }

  private static func shared(_ what: String) -> ArchiveError {
    ArchiveError(
      .unsupported, "another value shares the storage of \(what), which archivers never write")
  }

  // MARK: Data

  /// Replaces the bytes of a data value.
  private mutating func replace(
    data node: Node, with bytes: ByteStorage
  ) throws(ArchiveError) -> ByteStorage {
    guard host.stores(node) else { throw Self.shared("the data") }
    let new = patch.add(encoded: TablePatch.encoded(data: bytes.bytes))
    var places: [(holder: UInt32, position: Int)] = []
    for index in 0..<UInt32(truncatingIfNeeded: host.table.count)
    where host.table.fault(at: index) == nil && host.table.marker(of: index) >> 4 >= Marker.array {
      for (position, child) in patch.children(of: index).enumerated() where child == node.index {
        places.append((index, position))
      }
    }
    // Writers store equal data once: which of several references the path means is unknown here.
    guard places.count == 1, let place = places.first else { throw Self.shared("the data") }
    edited[node.index] = []
    patch.setChild(of: place.holder, at: place.position, to: new)
    let result = try write()
    try proveRest(OpenedArchive(result, limits: limits))
    return result
  }

  // MARK: The result

  private func write() throws(ArchiveError) -> ByteStorage {
    let pruning = try ArchivePruning(of: host.document, host.parts, with: patch)
    return try host.encoding.write(pruning.write().intoStorage(), limits: limits)
  }

  private func prove(_ bytes: ByteStorage, at target: Target) throws(ArchiveError) {
    let written = try OpenedArchive(bytes, limits: limits)
    try proveRest(written)
    var source = part.document.top
    if let parts = part.parts {
      source = part.graph.follow(try part.rootValue(parts), in: part.number).index
    }
    var comparison = StoredComparison(part.side, written.side)
    guard let node = try node(at: target, in: written), comparison.isSame(source, node.index)
    else { throw Self.difference }
  }

  private func node(
    at target: Target, in written: OpenedArchive
  ) throws(ArchiveError) -> Node? {
    switch target {
    case .path(let steps):
      return try written.graph.node(at: GraphPath(steps), from: written.graph.root)
    case .top(let key):
      let tops = written.document.archive?.tops ?? []
      return tops.last { $0.key.utf8.elementsEqual(key.utf8) }?.node
    }
  }

  /// Checks that everything else is unchanged.
  private func proveRest(_ written: OpenedArchive) throws(ArchiveError) {
    let (edited, table) = (edited, host.table)
    var comparison = StoredComparison(
      host.side, written.side,
      expecting: { value, _ in
        guard let positions = edited[value] else { return .same }
        let kind = table.marker(of: value) >> 4
        guard kind >= Marker.array else { return .any }
        let children = table.children(of: value)
        let parts = positions.map { StoredComparison.Part.value(children[$0.old], 0, at: $0.new) }
        return .parts(parts, kind: kind, count: nil)
      })
    guard comparison.isSame(host.document.top, written.document.top) else { throw Self.difference }
  }

  private static let difference = ArchiveError(
    .unrepresentable, "the archive would not contain both its own values and the part")
}
