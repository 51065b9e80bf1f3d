// The values that an edit puts into a document, in the form that their position needs.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

/// A value that was added to the values of a document.
struct MadeValue {
  /// What its container refers to: the value, or a UID.
  let child: UInt32
  /// Whether it has replaced the object that its container refers to already.
  var replacesObject = false
  /// What must be there in the end.
  let value: StoredEditor.Expectation.Value
}

extension StoredEditor {
  /// Where a value goes.
  enum Destination {
    /// A new element, or the value of a new key of a dictionary.
    case element
    /// A new field of an object, or a top-level key.
    case field
    /// The position of a value.
    case replacement(of: UInt32, Slot, isElement: Bool)

    var isElement: Bool {
      switch self {
      case .element: true
      case .field: false
      case .replacement(_, _, let isElement): isElement
      }
    }
  }

  /// Adds a value.
  mutating func make(
    _ value: EditValue, for destination: Destination
  ) throws(ArchiveError) -> MadeValue {
    do throws(ArchiveError) {
      switch value {
      case .typed(let value):
        return isKeyed ? try object(value, for: destination) : try plain(value, destination)
      case .part(let storage):
        let part = try OpenedArchive(storage, limits: limits)
        guard (part.parts == nil) == !isKeyed else {
          throw ArchiveError(
            .mismatch,
            isKeyed
              ? "the part is not a keyed archive; convert --to keyed-archive makes one from it"
              : "the part is a keyed archive, but FILE is not")
        }
        return try copyRoot(of: part, for: destination)
      case .copy(let source): return try copy(of: source, for: destination)
      }
    } catch {
      throw error.path == nil
        ? ArchiveError(error.code, error.message, path: location) : error
    }
  }

  /// Replaces the top of a property list.
  func replaceTop(by value: EditValue) throws(ArchiveError) -> ByteStorage {
    let part: OpenedArchive
    switch value {
    case .typed(let value): part = try plainPart(value, like: nil)
    case .part(let storage): part = try OpenedArchive(storage, limits: limits)
    case .copy(let source):
      let node = try node(at: source)
      if node.document == host.number { return try written(host.document.withTop(node.index)) }
      part = try plainPart(TypedValue(node, of: host.graph), like: nil)
    }
    guard part.parts == nil else {
      throw refused("the part is a keyed archive, but FILE is not")
    }
    return try written(part.document)
  }

  private func written(_ document: Document) throws(ArchiveError) -> ByteStorage {
    try host.encoding.faithful(
      ArchivePruning(of: document, nil).write().intoStorage(), limits: limits)
  }

  // MARK: Property lists

  mutating func plain(
    _ value: TypedValue, _ destination: Destination
  ) throws(ArchiveError) -> MadeValue {
    var old: Value?
    if case .replacement(let index, _, _) = destination { old = host.table.scalar(at: index) }
    let part = try plainPart(value, like: old)
    let top = part.document.top
    let child = try PartCopy.copy(value: top, of: part, into: &patch)
    return MadeValue(child: child, value: .stored(part.side, top))
  }

  func plainPart(
    _ value: TypedValue, like old: Value?
  ) throws(ArchiveError) -> OpenedArchive {
    let isJSON = host.document.encoding == .json
    let text = try (isJSON ? value : value.like(old)).document(limits)
    var document = text
    let kind = TaggedJSON.kind(of: text)
    if isJSON {
      if kind == .stored, TaggedJSON.kind(of: host.document) == .plain {
        // Numbers may have tags; what JSON lacks is refused when the file is written.
        document = try TaggedJSON.values(of: text, limits: limits)
      } else if kind == .graph, TaggedJSON.kind(of: host.document) == .plain {
        throw ArchiveError(.mismatch, "the file is plain JSON, which has no objects with classes")
      }
    } else if kind == .graph {
      throw ArchiveError(
        .mismatch, "the file is not a keyed archive, and has no objects with classes")
    } else {
      document = try Conversion.untagged(text, limits: limits)
      if Self.hasNull(document) {
        throw ArchiveError(.mismatch, "a property list has no null")
      }
    }
    return try OpenedArchive(BinaryWriter.write(document).intoStorage(), limits: limits)
  }

  static func hasNull(_ document: Document) -> Bool {
    (0..<UInt32(truncatingIfNeeded: document.table.count)).contains {
      document.table.marker(of: $0) == 0
    }
  }

  // MARK: Keyed archives

  mutating func object(
    _ value: TypedValue, for destination: Destination
  ) throws(ArchiveError) -> MadeValue {
    var (isInline, isBoxed, isObject) = (false, false, false)
    switch try value.tag(limits) {
    case .inline?: isInline = true
    case .boxed?: isBoxed = true
    case .object?: isObject = true
    default: break
    }
    if try value.isNull(limits) {
      if destination.isElement { return try object(TypedValue.nullObject, for: destination) }
      if case .replacement(let old, _, _) = destination, patch.kind(of: old) != Marker.uid {
        throw inlineRefusal(host.table.marker(of: old) >> 4)
      }
      let child = patch.add(encoded: TablePatch.encoded(uid: 0))
      return MadeValue(child: child, value: .meaning(value, nil))
    }
    var value = value
    if case .replacement(let old, let slot, _) = destination, !isInline, !isBoxed {
      if patch.kind(of: old) != Marker.uid {
        return try inline(value, instead: old)
      }
      let node = host.graph.follow(old, in: host.number)
      if !isObject, host.graph.classIndex(of: node) != nil, old != 0 {
        if let made = try kept(value, node, old, slot) { return made }
      }
      value = try value.like(host.table.scalar(at: node.index))
    }
    let made = try copyRoot(
      of: try keyedPart(value), for: destination, keepsBoxed: isBoxed, isInline: isInline)
    // The classes of a typedstream have versions, which are those of the system.
    guard host.document.encoding.isTranslated else { return made }
    return MadeValue(
      child: made.child, replacesObject: made.replacesObject, value: .meaning(value, nil))
  }

  func keyedPart(_ value: TypedValue) throws(ArchiveError) -> OpenedArchive {
    let text = try value.document(limits)
    for index in 0..<UInt32(truncatingIfNeeded: text.table.count)
    where text.table.marker(of: index) >> 4 == Marker.dictionary {
      switch JSONTag(index, in: text.table) {
      case .scalar(.uid)?:
        throw ArchiveError(.mismatch, "a UID is not a value of a keyed archive")
      case .archive?:
        throw ArchiveError(.mismatch, "an archive is not a value; its root is")
      default: continue
      }
    }
    var chains: [CodePointString: [String]] = [:]
    for name in [
      "NSNull", "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet",
      "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet", "NSString", "NSMutableString",
      "NSData",
      "NSMutableData", "NSDate", "NSURL", "NSUUID",
    ] { chains[CodePointString(name)] = FoundationClass.chain(of: name) }
    for description in host.graph.classes {
      chains[CodePointString(description.name)] = description.chain
    }
    let archive = try TaggedGraph.archive(
      of: text, limits: limits, boxesNull: true, chains: chains)
    return try OpenedArchive(BinaryWriter.write(archive).intoStorage(), limits: limits)
  }

  /// A value for a position whose value is stored inline.
  mutating func inline(
    _ value: TypedValue, instead old: UInt32
  ) throws(ArchiveError) -> MadeValue {
    let kind = host.table.marker(of: old) >> 4
    let new = TypedValue(
      unchecked: "{\"$inline\":\(try value.like(host.table.scalar(at: old)).text)}")
    let part = try keyedPart(new)
    guard let parts = part.parts else { throw Self.difference }
    let root = try part.rootValue(parts)
    guard Self.family(part.table.marker(of: root)) == Self.family(host.table.marker(of: old))
    else { throw inlineRefusal(kind) }
    return try copyRoot(of: part, for: .field, isInline: true)
  }

  /// The kind of a stored value, one for all strings; nil for a boolean and null apart.
  static func family(_ marker: UInt8) -> UInt8 {
    switch marker >> 4 {
    case Marker.ascii, Marker.utf16, Marker.utf8: Marker.ascii
    case Marker.singleton: marker == 0 ? 0xF : Marker.singleton
    case let kind: kind
    }
  }

  func inlineRefusal(_ kind: UInt8) -> ArchiveError {
    let name =
      switch kind {
      case Marker.singleton: "a boolean"
      case Marker.integer: "an integer"
      case Marker.real: "a real"
      case Marker.data: "data"
      case Marker.array...: "a container"
      default: "a string"
      }
    return refused(
      "\(name) is stored inline there; only a value of the same type can replace it, unless typed JSON says \"$boxed\""
    )
  }

  // MARK: Copies

  mutating func copy(
    of source: EditLocation, for destination: Destination
  ) throws(ArchiveError) -> MadeValue {
    let node = try node(at: source)
    guard node.document == host.number else {
      return try make(.typed(TypedValue(node, of: host.graph)), for: destination)
    }
    guard isKeyed else {
      let child = try PartCopy.copy(value: node.index, of: host, into: &patch)
      return MadeValue(child: child, value: .stored(host.side, node.index))
    }
    guard let last = source.steps.last, let holder = source.nodes.last,
      holder.document == host.number, let index = index(of: last, in: holder)
    else { return try copyRoot(of: host, for: destination) }
    let slot = try StoredMembers(of: holder, in: host).value(index)
    // Nothing has edited the source, so that the slot has what was stored.
    guard let stored = child(in: slot) else { throw StoredMembers.derived }
    return try copy(stored, of: host, for: destination)
  }

  func node(at location: EditLocation) throws(ArchiveError) -> Node {
    guard let last = location.steps.last, let holder = location.nodes.last else {
      return host.graph.root
    }
    guard let index = index(of: last, in: holder) else { throw missing(last, holder) }
    return GraphContainer(host.value(of: holder))?.child(index, in: host.graph) ?? holder
  }

  mutating func copyRoot(
    of part: OpenedArchive, for destination: Destination, keepsBoxed: Bool = false,
    isInline: Bool = false
  ) throws(ArchiveError) -> MadeValue {
    guard let parts = part.parts else {
      let top = part.document.top
      return MadeValue(
        child: try PartCopy.copy(value: top, of: part, into: &patch),
        value: .stored(part.side, top))
    }
    return try copy(
      try part.rootValue(parts), of: part, for: destination, keepsBoxed: keepsBoxed,
      isInline: isInline)
  }

  /// Copies a value of an archive: a UID, or one that is stored inline.
  mutating func copy(
    _ root: UInt32, of part: OpenedArchive, for destination: Destination, keepsBoxed: Bool = false,
    isInline: Bool = false
  ) throws(ArchiveError) -> MadeValue {
    let objects = try ownObjects()
    let node = part.graph.follow(root, in: part.number)
    let kind = part.table.marker(of: node.index) >> 4
    let isUID = part.table.marker(of: root) >> 4 == Marker.uid
    let expected = Expectation.Value.stored(part.side, node.index)
    var wantsInline = isInline
    switch destination {
    case .element: wantsInline = false
    case .field:
      // As archivers encode numbers; everything else is an object.
      let isNumber = kind == Marker.integer || kind == Marker.real || kind == Marker.singleton
      if isNumber, !keepsBoxed { wantsInline = true }
    case .replacement(let old, _, _):
      if patch.kind(of: old) != Marker.uid, !keepsBoxed {
        guard
          Self.family(part.table.marker(of: node.index)) == Self.family(host.table.marker(of: old))
        else { throw inlineRefusal(host.table.marker(of: old) >> 4) }
        wantsInline = true
      }
    }
    if isInline, destination.isElement {
      throw ArchiveError(.mismatch, "a collection refers to objects and stores nothing inline")
    }
    if wantsInline, kind < Marker.array {
      let bytes = Array(part.table.bytes(of: node.index))
      return MadeValue(child: patch.add(encoded: bytes), value: expected)
    }
    if isUID, part.table.uid(at: root) == 0 {
      if destination.isElement {
        throw ArchiveError(.mismatch, "the part is nil, which no collection can contain")
      }
      return MadeValue(
        child: patch.add(encoded: TablePatch.encoded(uid: 0)), value: expected)
    }
    let count = patch.count
    let objectCount = patch.childCount(of: objects)
    var child = try PartCopy.copy(root, of: part, into: objects, &records, &patch)
    if !isUID, !wantsInline { child = try addObject(child) }
    if case .replacement(let old, let slot, _) = destination, isUID || !wantsInline,
      try reuseNumber(of: old, slot, for: child, after: count, objectCount)
    {
      return MadeValue(child: old, replacesObject: true, value: expected)
    }
    return MadeValue(child: child, value: expected)
  }

  /// Gives a new object the number of the old one that it replaces, if nothing else refers to either.
  ///
  /// - Parameters:
  ///   - count: how many values there were before the new ones.
  ///   - objectCount: how many objects there were.
  mutating func reuseNumber(
    of old: UInt32, _ slot: Slot, for child: UInt32, after count: Int, _ objectCount: Int
  ) throws(ArchiveError) -> Bool {
    guard let parts = host.parts, actual(slot.holder) == slot.holder,
      patch.kind(of: old) == Marker.uid, patch.kind(of: child) == Marker.uid
    else { return false }
    let (number, new) = (patch.uid(at: old), patch.uid(at: child))
    guard number > 0, new >= UInt64(objectCount), uses(ofNumber: number, before: count) == 1,
      !isUsed(new, from: count), let object = patch.child(of: parts.objects, at: Int(new))
    else { return false }
    patch.setChild(of: parts.objects, at: Int(number), to: object)
    replaced.insert(number)
    return true
  }

  /// How many references containers have to an object by its number, in the values before one.
  private mutating func uses(ofNumber number: UInt64, before end: Int) -> Int {
    guard let parts = host.parts else { return 0 }
    if numberUses.isEmpty {
      numberUses = [UInt32](repeating: 0, count: host.table.counted(parts.objects).count)
    }
    while countedValues < end {
      let index = UInt32(truncatingIfNeeded: countedValues)
      let isStored = countedValues < host.table.count
      countedValues += 1
      if isStored, host.table.fault(at: index) != nil { continue }
      guard patch.kind(of: index) == Marker.uid, let object = Int(exactly: patch.uid(at: index)),
        numberUses.indices.contains(object)
      else { continue }
      // The containers of a new one may not be in their final form yet.
      let uses = isStored ? patch.uses(of: index) : max(1, patch.uses(of: index))
      numberUses[object] &+= UInt32(clamping: uses)
    }
    guard let object = Int(exactly: number), numberUses.indices.contains(object) else { return 0 }
    return Int(numberUses[object])
  }

  /// Whether a container among the values from one on refers to an object by its number.
  private func isUsed(_ number: UInt64, from start: Int) -> Bool {
    (start..<patch.count).contains { index in
      let index = UInt32(truncatingIfNeeded: index)
      return patch.kind(of: index) == Marker.uid && patch.uid(at: index) == number
        && patch.uses(of: index) > 0
    }
  }

  // MARK: New values in the classes of the objects that they replace

  /// A value in the class of the object that it replaces; nil if there is none to keep.
  mutating func kept(
    _ value: TypedValue, _ node: Node, _ old: UInt32, _ slot: Slot
  ) throws(ArchiveError) -> MadeValue? {
    guard let index = host.graph.classIndex(of: node) else { return nil }
    let description = host.graph.classes[index]
    let oldValue = host.graph.value(of: node)
    let kind = try value.kind(limits)
    func refusal(_ hint: String) -> ArchiveError {
      refused("an object of class \(description.displayName) is there; \(hint)")
    }
    if case .object = oldValue {
      throw refusal("typed JSON with \"$object\" names the class of the new one")
    }
    if kind == "array", ["set", "ordered set"].contains(oldValue.typeName) {
      throw refusal("typed JSON with \"$set\" or \"$orderedSet\" is a set")
    }
    guard kind == oldValue.typeName else { return nil }
    if case .null = oldValue { return nil }
    let part = try keyedPart(value)
    let objects = try ownObjects()
    guard let parts = part.parts else { throw Self.sharedStorage }
    let root = try part.rootValue(parts)
    let source = part.graph.follow(root, in: part.number)
    let count = patch.count
    let objectCount = patch.childCount(of: objects)
    let child: UInt32
    if oldValue.isContainer {
      child = try PartCopy.copy(root, of: part, into: objects, &records, &patch)
      guard
        let object = patch.child(
          of: objects, at: Int(truncatingIfNeeded: patch.uid(at: child)))
      else { throw Self.difference }
      try setClass(of: object, like: node)
    } else {
      guard let object = try scalarObject(source, of: part, like: node) else {
        throw refusal("typed JSON with \"$object\" names the class of the new one")
      }
      child = try addObject(object)
    }
    let isReused = try reuseNumber(of: old, slot, for: child, after: count, objectCount)
    return MadeValue(
      child: isReused ? old : child, replacesObject: isReused, value: .meaning(value, description))
  }

  /// Gives a new container the class of another.
  mutating func setClass(of object: UInt32, like node: Node) throws(ArchiveError) {
    func classPosition(_ index: UInt32) -> Int? {
      let children = patch.children(of: index)
      return (0..<children.count / 2).first { position in
        text(children[position]) == "$class"
      }.map { $0 + children.count / 2 }
    }
    guard let old = classPosition(node.index), let new = classPosition(object) else {
      throw Self.difference
    }
    patch.setChild(of: object, at: new, to: patch.children(of: node.index)[old])
  }

  func text(_ index: UInt32) -> String? {
    if Int(index) < host.table.count { return host.table.text(at: index)?.string }
    return patch.addedText(index)
  }

  /// A copy of an object with another scalar in it; nil if its layout is not known.
  mutating func scalarObject(
    _ source: Node, of part: OpenedArchive, like node: Node
  ) throws(ArchiveError) -> UInt32? {
    guard host.table.marker(of: node.index) >> 4 == Marker.dictionary else { return nil }
    let children = patch.children(of: node.index)
    let half = children.count / 2
    var content: (key: String, position: Int)?
    for position in 0..<half {
      switch host.table.text(at: children[position])?.string ?? "" {
      case "$class": continue
      case "NS.base":
        guard patch.kind(of: children[half + position]) == Marker.uid,
          patch.uid(at: children[half + position]) == 0
        else { return nil }
      case let key where content == nil: content = (key, half + position)
      default: return nil
      }
    }
    guard let content else { return nil }
    let new: [UInt8]
    switch (content.key, part.graph.value(of: source)) {
    case ("NS.string", .string), ("NS.relative", .string):
      new = Array(part.table.bytes(of: source.index))
    case ("NS.bytes", .string(let text)):
      new = Array(text.string.utf8).withByteView { TablePatch.encoded(data: $0) }
    case ("NS.uuidbytes", .string(let text)):
      guard let bytes = NSUUIDClass.bytes(of: text.string) else {
        throw ArchiveError(.mismatch, "an NSUUID is there, and the string is not a UUID")
      }
      new = bytes.withByteView { TablePatch.encoded(data: $0) }
    case ("NS.data", .data(let bytes)), ("NS.bytes", .data(let bytes)):
      new = TablePatch.encoded(data: bytes)
    case ("NS.time", .date(let seconds)):
      // A real of 8 bytes.
      new = [Marker.real << 4 | 3] + withUnsafeBytes(of: seconds.bitPattern.bigEndian) { Array($0) }
    default: return nil
    }
    let object = patch.addCopy(of: node.index)
    let isBoxed = patch.kind(of: children[content.position]) == Marker.uid
    let scalar = patch.add(encoded: new)
    patch.setChild(
      of: object, at: content.position, to: isBoxed ? try addObject(scalar) : scalar)
    return object
  }

  // MARK: The document after its edits, compared with the document before and with the edits

  /// A document after its edits.
  struct Result {
    /// The bytes, in the document's own encoding.
    let storage: ByteStorage
    /// The document as it was read again.
    let graph: ObjectGraph
    /// For each expectation the value that meets it.
    let nodes: [Node]
  }

  /// Writes the document, and compares it with the old one and the edits.
  mutating func finish() throws(ArchiveError) -> Result {
    if let whole {
      return Result(
        storage: whole,
        graph: try ArchiveReader(limits: limits, forEditing: true).read(whole, nested: false),
        nodes: [])
    }
    for (holder, list) in containers { patch.setChildren(of: holder, to: list.map(\.value)) }
    let before = try ArchivePruning(of: host.document, host.parts).found
    let pruning = try ArchivePruning(
      of: host.document, host.parts, with: patch, keepingUnreachedBy: before)
    let bytes = try host.encoding.faithful(pruning.write().intoStorage(), limits: limits)
    return try verify(bytes)
  }

  private func verify(_ bytes: ByteStorage) throws(ArchiveError) -> Result {
    let graph = try ArchiveReader(limits: limits, forEditing: true).read(bytes, nested: false)
    let written = try OpenedArchive(editing: graph, document: 0, source: bytes)
    let edits = edits
    var comparison = StoredComparison(
      host.side, written.side, replaced: replaced, expecting: { value, _ in edits[value] ?? .same })
    guard comparison.isSame(host.document.top, written.document.top) else { throw Self.difference }
    let holders =
      containers.keys.filter { isStored($0) } + sets
      + expectations.map { actual($0.slot.holder) }
    var partners = comparison.partners(of: Set(holders))
    try verifyCopies(written, &comparison, &partners)
    var nodes: [Node] = []
    for expectation in expectations {
      nodes.append(try verify(expectation, written, partners))
    }
    for set in sets {
      guard let found = partners[actual(set)] ?? partners[set] else { continue }
      try requireDifferentElements(Node(document: 0, index: found), in: graph)
    }
    return Result(storage: bytes, graph: graph, nodes: nodes)
  }

  private func isStored(_ holder: UInt32) -> Bool { Int(holder) < host.table.count }

  /// What became of containers, for the comparison: children that must be there, and how many there are.
  private var edits: [UInt32: StoredComparison.Expectation] {
    var edits: [UInt32: StoredComparison.Expectation] = [:]
    for (holder, list) in containers where isStored(holder) {
      let parts = list.enumerated().compactMap { position, child -> StoredComparison.Part? in
        guard let value = child.kept, isStored(value) else { return nil }
        return .value(value, 0, at: position)
      }
      let kind = host.table.marker(of: holder) >> 4
      edits[holder] = .parts(parts, kind: kind, count: list.count)
    }
    return edits
  }

  /// Compares copied containers with the originals: what they refer to must be the same objects.
  private func verifyCopies(
    _ written: OpenedArchive, _ comparison: inout StoredComparison,
    _ partners: inout [UInt32: UInt32]
  ) throws(ArchiveError) {
    if copies.isEmpty { return }
    guard let copyStart, let holder = partners[actual(copyStart.holder)],
      let original = copies.keys.first(where: { isFirstCopy($0, copyStart) }),
      let position = containers[actual(copyStart.holder)]?.firstIndex(where: { $0.kept == nil })
    else { throw Self.difference }
    let children = written.table.children(of: holder)
    let node = written.graph.follow(children[position], in: written.number)
    var waiting = [(old: original, new: node.index)]
    while let (old, new) = waiting.popLast() {
      guard let copy = copies[old], written.table.marker(of: new) >> 4 == patch.kind(of: copy)
      else {
        throw Self.difference
      }
      partners[copy] = new
      let list = self.children(of: copy)
      let found = written.table.children(of: new)
      guard list.count == found.count else { throw Self.difference }
      for (child, other) in zip(list, found) {
        guard let kept = child.kept else { continue }
        if child.value != kept {
          // A copy as well: a list of the object, or the next object.
          let next = host.graph.follow(kept, in: host.number).index
          waiting.append((next, written.graph.follow(other, in: written.number).index))
        } else if !comparison.isSame(kept, other) {
          throw Self.difference
        }
      }
    }
  }

  private func isFirstCopy(_ original: UInt32, _ slot: Slot) -> Bool {
    let stored = host.table.children(of: slot.holder)[slot.position]
    return host.graph.follow(stored, in: host.number).index == original
  }

  private func verify(
    _ expectation: Expectation, _ written: OpenedArchive, _ partners: [UInt32: UInt32]
  ) throws(ArchiveError) -> Node {
    let holder = actual(expectation.slot.holder)
    var position = expectation.slot.position
    if let list = containers[holder] {
      let found = list.firstIndex {
        expectation.child == nil
          ? $0.origin == expectation.slot.position
          : $0.value == expectation.child && $0.origin == nil
      }
      guard let found else { throw Self.difference }
      position = found
    }
    guard let side = partners[holder], position >= 0,
      let child = TableContainer(side, in: written.table), position < child.childCount
    else { throw Self.difference }
    let node = written.graph.follow(
      child.child(position, in: written.table), in: written.number)
    switch expectation.value {
    case .stored(let source, let index):
      var comparison = StoredComparison(source, written.side)
      guard comparison.isSame(index, node.index) else { throw Self.difference }
    case .meaning(let value, let type):
      guard try written.graph.equals(value, at: node) else { throw Self.difference }
      if let type {
        guard let index = written.graph.classIndex(of: node),
          written.graph.classes[index].name == type.name,
          written.graph.classes[index].chain == type.chain
        else { throw Self.difference }
      }
    }
    return node
  }

  private func requireDifferentElements(
    _ node: Node, in graph: ObjectGraph
  ) throws(ArchiveError) {
    guard case .elements(let elements)? = GraphContainer(graph.value(of: node)) else { return }
    guard try DistinctElements.areDistinct(elements, in: graph) else {
      throw refused("an element of the set would equal another element")
    }
  }

  /// The encoding holds the new value only as another one, or would change others.
  static let difference = ArchiveError(
    .mismatch,
    "not edited: in the encoding of the file the result would differ in more than the edit")
}
