// One edit to the stored values of a document: everything that was not asked to change stays as it is stored.

import Basics
import ObjectGraph
import PropertyLists

/// Edits one document: a file, or an archive in a data value.
struct StoredEditor {
  typealias Slot = StoredMembers.Slot

  /// A child of an edited container, with its position before.
  struct Child {
    let value: UInt32
    var origin: Int?
    /// The stored value that it must equal after the edit; nil for a new one.
    var kept: UInt32?
  }

  /// A container on the way to the edited value, and where it stores the next.
  private struct Link {
    let node: Node
    let members: StoredMembers
    let slot: Slot?
  }

  /// A value that must be at a position after the edit.
  struct Expectation {
    enum Value {
      /// A value of another document with everything that it refers to.
      case stored(StoredComparison.Side, UInt32)
      /// A value in typed JSON, in the class that the old value had.
      case meaning(TypedValue, ClassDescription?)
    }

    let slot: Slot
    /// The child that is there before numbers change; nil if it is that of the slot.
    let child: UInt32?
    let value: Value
  }

  let host: OpenedArchive
  let limits: Limits
  private let sharing: SharedObjects
  /// The location, from the root of the document on.
  private let nodes: [Node]
  private let steps: [GraphPath.Step]
  /// The path of the document's root.
  private let start: GraphPath
  private let references: StoredReferences
  var patch: TablePatch
  var records: ClassRecords
  /// The children of the edited containers.
  private(set) var containers: [UInt32: [Child]] = [:]
  /// Containers that were copied, with their copies.
  private var copies: [UInt32: UInt32] = [:]
  /// The first container that was copied.
  private var copyStart: Slot?
  /// The numbers of objects that were replaced by others.
  var replaced: Set<UInt64> = []
  var expectations: [Expectation] = []
  /// The sets on the way, whose elements must stay different.
  private var sets: [UInt32] = []

  /// Begins an edit of the innermost document of a location.
  init(_ host: OpenedArchive, at location: EditLocation, sharing: SharedObjects) {
    self.host = host
    limits = host.graph.limits
    self.sharing = sharing
    nodes = Array(location.nodes[location.start...])
    steps = Array(location.steps[location.start...])
    start = GraphPath(Array(location.steps[..<location.start]))
    references = StoredReferences(of: host.side)
    patch = TablePatch(host.document)
    records = ClassRecords(of: host.side)
  }

  /// Whether the document is a keyed archive.
  var isKeyed: Bool { host.parts != nil }

  // MARK: Children

  /// The container that is edited in place of one: its copy, if it was copied.
  func actual(_ holder: UInt32) -> UInt32 { copies[holder] ?? holder }

  private func children(of holder: UInt32) -> [Child] {
    if let known = containers[holder] { return known }
    let originals = Dictionary(copies.map { ($1, $0) }) { first, _ in first }
    return patch.children(of: holder).enumerated().map {
      Child(value: $1, origin: $0, kept: originals[$1] ?? $1)
    }
  }

  /// The stored value in a slot.
  func child(in slot: Slot) -> UInt32? {
    children(of: actual(slot.holder)).first { $0.origin == slot.position }?.value
  }

  mutating func set(_ slot: Slot, to value: UInt32, kept: UInt32? = nil) {
    set(slot, to: Child(value: value, origin: nil, kept: kept))
  }

  /// Replaces the child of a slot by one of the same container.
  private mutating func set(_ slot: Slot, to child: Child) {
    let holder = actual(slot.holder)
    containers[holder] = children(of: holder).map { $0.origin == slot.position ? child : $0 }
  }

  private mutating func insert(_ value: UInt32, into holder: UInt32, before origin: Int) {
    let holder = actual(holder)
    var list = children(of: holder)
    let index = list.firstIndex { ($0.origin ?? -1) >= origin } ?? list.count
    list.insert(Child(value: value, origin: nil, kept: nil), at: index)
    containers[holder] = list
  }

  private mutating func remove(_ slot: Slot) {
    let holder = actual(slot.holder)
    containers[holder] = children(of: holder).filter { $0.origin != slot.position }
  }

  private mutating func addMember(_ key: UInt32, _ value: UInt32, to holder: UInt32) {
    let holder = actual(holder)
    var list = children(of: holder)
    list.insert(Child(value: key, origin: nil, kept: nil), at: list.count / 2)
    list.append(Child(value: value, origin: nil, kept: nil))
    containers[holder] = list
  }

  // MARK: The way

  /// Follows the steps, and makes sure that what is edited is not changed for others unasked.
  private mutating func link() throws(ArchiveError) -> [Link] {
    var links: [Link] = []
    for (position, node) in nodes.enumerated() {
      let members: StoredMembers
      do throws(ArchiveError) {
        members = try StoredMembers(of: node, in: host)
      } catch {
        throw located(error, upTo: position)
      }
      if members.isSet { sets.append(node.index) }
      var slot: Slot?
      if position < nodes.count - 1 {
        guard let index = index(of: steps[position], in: node) else {
          throw located(StoredMembers.derived, upTo: position)
        }
        slot = try members.value(index)
      }
      links.append(Link(node: node, members: members, slot: slot))
    }
    if let first = sharedIndex(links) {
      switch sharing {
      case .refused: throw refusal(links[first].node, first)
      case .changed: break
      case .copied: try copy(links, from: first)
      }
    }
    for link in links.suffix(1) { try requireOwnStorage(link.members) }
    return links
  }

  private func located(_ error: ArchiveError, upTo position: Int) -> ArchiveError {
    ArchiveError(
      error.code, error.message,
      path: GraphPath(start.steps + steps[..<position]))
  }

  func index(of step: GraphPath.Step, in node: Node) -> Int? {
    GraphContainer(host.graph.value(of: node))?.position(of: step, in: host.graph)
  }

  /// The slot of the root of the document in `$top`; nil in a property list.
  private var rootSlot: Slot? {
    guard let parts = host.parts, let root = nodes.first, root.index != parts.top else {
      return nil
    }
    let (_, count) = host.table.counted(parts.top)
    // The one top-level key `root`.
    return count == 1 ? Slot(holder: parts.top, position: 1) : nil
  }

  private func sharedIndex(_ links: [Link]) -> Int? {
    for (position, link) in links.enumerated() {
      let slot = position == 0 ? rootSlot : links[position - 1].slot
      // Only the outermost dictionary refers to the top-level values.
      if [host.document.top, host.parts?.top].contains(link.node.index) { continue }
      if references.hasOther(to: link.node.index, than: slot) { return position }
    }
    return nil
  }

  private func refusal(_ node: Node, _ position: Int) -> ArchiveError {
    let path = GraphPath(start.steps + steps[..<position])
    let others = OtherPaths.find(
      to: node, besides: path, from: host.graph.root(of: host.number), at: start, in: host.graph)
    let list = others.isEmpty ? "another value" : others.joined(separator: ", ")
    return ArchiveError(
      .mismatch,
      "\(list) \(others.count > 1 ? "refer" : "refers") to the same object, which would change there too; --shared changes it for all, --copy changes a copy for this path alone",
      path: path)
  }

  /// Copies the containers of the way from one on.
  private mutating func copy(_ links: [Link], from first: Int) throws(ArchiveError) {
    guard Set(links.map(\.node)).count == links.count else {
      throw ArchiveError(
        .mismatch,
        "the path passes through the same object twice; use the shorter path with --shared",
        path: location)
    }
    for position in first..<links.count {
      let link = links[position]
      let slot = position == 0 ? rootSlot : links[position - 1].slot
      guard let slot, let old = child(in: slot) else { throw StoredMembers.derived }
      let copy = patch.addCopy(of: link.node.index)
      for holder in link.members.holders where holder != link.node.index {
        let list = patch.addCopy(of: holder)
        copies[holder] = list
        for (place, child) in patch.children(of: copy).enumerated() where child == holder {
          patch.setChild(of: copy, at: place, to: list)
        }
      }
      copies[link.node.index] = copy
      if position == first { copyStart = slot }
      let child = patch.kind(of: old) == Marker.uid && isKeyed ? try addObject(copy) : copy
      // The original stays where it was, so that only the copy of its content is compared.
      set(slot, to: child, kept: position == first ? nil : old)
    }
  }

  /// Adds an object.
  ///
  /// - Returns: a UID that leads to it.
  mutating func addObject(_ value: UInt32) throws(ArchiveError) -> UInt32 {
    guard let parts = host.parts, patch.uses(of: parts.objects) == 1 else {
      throw Self.sharedStorage
    }
    let objects = patch.children(of: parts.objects)
    patch.setChildren(of: parts.objects, to: objects + [value])
    return patch.add(encoded: TablePatch.encoded(uid: UInt64(objects.count)))
  }

  static let sharedStorage = ArchiveError(
    .mismatch, "another value shares the storage of a container, which archivers never write")

  /// Lists within objects, and the objects themselves, are stored once.
  private func requireOwnStorage(_ members: StoredMembers) throws(ArchiveError) {
    for holder in members.holders where copies[holder] == nil {
      let isOwner = holder == members.owner
      if isOwner, !isKeyed || holder == host.document.top { continue }
      guard patch.uses(of: holder) == 1 else { throw Self.sharedStorage }
    }
  }

  // MARK: Actions

  /// Does an edit.
  ///
  /// - Returns: the new bytes of the document, in its own encoding.
  mutating func apply(_ action: EditAction) throws(ArchiveError) -> ByteStorage {
    guard let last = steps.last else { return try applyToRoot(action) }
    let links = try link()
    guard let link = links.last else { throw StoredMembers.derived }
    switch action {
    case .remove: try removeValue(at: last, link)
    case .renameKey(let key): try rename(last, link, to: key)
    case .replace(let value):
      guard let index = index(of: last, in: link.node) else { throw missing(last, link.node) }
      try replace(in: link, at: index, by: value)
    case .add(let value): try add(value, at: last, link)
    case .move(let source): try move(source, to: last, link)
    }
    return try finish()
  }

  func missing(_ step: GraphPath.Step, _ node: Node) -> ArchiveError {
    let path = GraphPath(start.steps + steps.dropLast())
    switch step {
    case .index(let index):
      if case .elements(let elements)? = GraphContainer(host.graph.value(of: node)) {
        return ArchiveError(
          .mismatch, "there is no element \(index); the list has \(elements.count)", path: path)
      }
      return ArchiveError(.mismatch, "there is no element \(index) here", path: path)
    case .key(let key):
      return ArchiveError(.mismatch, "there is no key '\(key)' here", path: path)
    case .content, .anyMember, .anyElement:
      return ArchiveError(.mismatch, "the data value has no archive", path: path)
    }
  }

  private mutating func add(
    _ value: EditValue, at step: GraphPath.Step, _ link: Link
  ) throws(ArchiveError) {
    if let index = index(of: step, in: link.node) {
      if case .key = step { return try replace(in: link, at: index, by: value) }
    }
    try link.members.requireKnownLayout(className(of: link.node))
    let node = link.node
    let holder = link.members.layout
    switch step {
    case .key(let key): try addMember(key, link, value)
    case .index(let index):
      guard case .elements? = GraphContainer(host.graph.value(of: node)),
        (0...link.members.count).contains(index)
      else { throw missing(step, node) }
      let made = try make(value, for: .element)
      switch holder {
      case .list(let holder):
        insert(made.child, into: holder, before: index)
        expect(made, Slot(holder: holder, position: -1))
      case .numbered(let holder, _):
        try insertNumbered(made, at: index, into: holder, link.members)
      default: throw StoredMembers.derived
      }
    case .content, .anyMember, .anyElement: throw missing(step, node)
    }
  }

  private mutating func addMember(
    _ key: String, _ link: Link, _ value: EditValue
  ) throws(ArchiveError) {
    let members = link.members
    guard members.isFields || GraphContainer(host.graph.value(of: link.node)).isMembers else {
      throw missing(.key(key), link.node)
    }
    switch members.layout {
    case .members(let holder, _):
      let made = try make(value, for: members.isFields ? .field : .element)
      addMember(patch.add(members.isFields ? KeyRename.stored(key) : key), made.child, to: holder)
      expect(made, Slot(holder: holder, position: -1))
    case .pairs(let keys, let values):
      let made = try make(value, for: .element)
      let name = try addObject(patch.add(encoded: TablePatch.encoded(key)))
      insert(name, into: keys, before: .max)
      insert(made.child, into: values, before: .max)
      expect(made, Slot(holder: values, position: -1))
    case .numbered(let holder, true):
      let made = try make(value, for: .element)
      let name = try addObject(patch.add(encoded: TablePatch.encoded(key)))
      addMember(patch.add("NS.key.\(members.count)"), name, to: holder)
      addMember(patch.add("NS.object.\(members.count)"), made.child, to: holder)
      expect(made, Slot(holder: holder, position: -1))
    default: throw missing(.key(key), link.node)
    }
  }

  private mutating func replace(
    in link: Link, at index: Int, by value: EditValue
  ) throws(ArchiveError) {
    let slot = try link.members.value(index)
    guard let old = child(in: slot) else { throw StoredMembers.derived }
    let isElement = !link.members.isFields
    let made = try make(
      value, for: .replacement(of: old, slot, isElement: isElement))
    if made.isInPlace {
      expectations.append(Expectation(slot: slot, child: nil, value: made.value))
    } else {
      set(slot, to: made.child)
      expect(made, slot)
    }
  }

  private mutating func expect(_ made: MadeValue, _ slot: Slot) {
    expectations.append(
      Expectation(
        slot: Slot(holder: actual(slot.holder), position: slot.position), child: made.child,
        value: made.value))
  }

  private mutating func removeValue(
    at step: GraphPath.Step, _ link: Link
  ) throws(ArchiveError) {
    guard let index = index(of: step, in: link.node) else { throw missing(step, link.node) }
    let members = link.members
    try members.requireKnownLayout(className(of: link.node))
    if case .numbered(let holder, let hasKeys) = members.layout {
      return try removeNumbered(index, of: holder, hasKeys, members)
    }
    let key = try members.key(index)
    remove(try members.value(index))
    if let key { remove(key) }
  }

  private mutating func rename(
    _ step: GraphPath.Step, _ link: Link, to key: String
  ) throws(ArchiveError) {
    guard let index = index(of: step, in: link.node) else { throw missing(step, link.node) }
    if case .key(key) = step { return }
    guard let slot = try link.members.key(index), let old = child(in: slot) else {
      throw ArchiveError(.mismatch, "an element has no key", path: location)
    }
    guard self.index(of: .key(key), in: link.node) == nil else {
      throw ArchiveError(.mismatch, "there is a key '\(key)' already", path: location)
    }
    if patch.kind(of: old) == Marker.uid {
      guard host.graph.text(of: host.graph.follow(old, in: host.number)) != nil else {
        throw ArchiveError(.mismatch, "the key is not a plain string", path: location)
      }
      set(slot, to: try addObject(patch.add(encoded: TablePatch.encoded(key))))
    } else {
      set(slot, to: patch.add(link.members.isFields ? KeyRename.stored(key) : key))
    }
  }

  /// The path of the edit.
  var location: GraphPath { GraphPath(start.steps + steps) }

  func className(of node: Node) -> String? {
    host.graph.classIndex(of: node).map { host.graph.classes[$0].displayName }
  }

  // MARK: Keys with numbers

  /// Moves the values from a position on to the next keys; the last gets a new one.
  private mutating func insertNumbered(
    _ made: MadeValue, at index: Int, into holder: UInt32, _ members: StoredMembers
  ) throws(ArchiveError) {
    var list = children(of: actual(holder))
    let places = try places(of: "NS.object.", from: index, members, in: list)
    var next = Child(value: made.child, origin: nil, kept: nil)
    for place in places { swap(&list[place], &next) }
    let name = patch.add("NS.object.\(members.count)")
    list.insert(Child(value: name, origin: nil, kept: nil), at: list.count / 2)
    list.append(next)
    containers[actual(holder)] = list
    expect(made, Slot(holder: holder, position: -1))
  }

  /// Moves the values after a position to the keys before; the last key goes.
  private mutating func removeNumbered(
    _ index: Int, of holder: UInt32, _ hasKeys: Bool, _ members: StoredMembers
  ) throws(ArchiveError) {
    var list = children(of: actual(holder))
    var gone: Set<Int> = []
    for prefix in hasKeys ? ["NS.object.", "NS.key."] : ["NS.object."] {
      let places = try places(of: prefix, from: index, members, in: list)
      for (place, next) in zip(places, places.dropFirst()) { list[place] = list[next] }
      if let last = places.last { gone.formUnion([last, last - list.count / 2]) }
    }
    containers[actual(holder)] = list.indices.filter { !gone.contains($0) }.map { list[$0] }
  }

  /// Where a container has the values of keys with numbers.
  private func places(
    of prefix: String, from index: Int, _ members: StoredMembers, in list: [Child]
  ) throws(ArchiveError) -> [Int] {
    var places: [Int] = []
    for position in index..<members.count {
      let key = try members.name("\(prefix)\(position)")
      guard let place = list.firstIndex(where: { $0.origin == key.position }) else {
        throw StoredMembers.derived
      }
      places.append(place + list.count / 2)
    }
    return places
  }

  // MARK: Moves

  private mutating func move(
    _ source: EditLocation, to step: GraphPath.Step, _ link: Link
  ) throws(ArchiveError) {
    guard let from = source.nodes.last, let last = source.steps.last,
      from.document == link.node.document, let index = index(of: last, in: from)
    else { throw ArchiveError(.mismatch, "the value cannot be moved there", path: location) }
    let members = try StoredMembers(of: from, in: host)
    for layout in [members.layout, link.members.layout] {
      if case .numbered = layout {
        throw ArchiveError(
          .mismatch,
          "values of a collection whose keys have numbers are not moved; copy and remove them",
          path: location)
      }
    }
    let slot = try members.value(index)
    guard let old = child(in: slot) else { throw StoredMembers.derived }
    // The removal is an edit of its own, whose containers must not be shared either.
    var removal = StoredEditor(host, at: source, sharing: sharing)
    _ = try removal.link()
    guard removal.copies.isEmpty, copies.isEmpty else {
      throw ArchiveError(
        .mismatch, "a value is not moved out of or into a shared object; copy and remove it",
        path: location)
    }
    try members.requireKnownLayout(className(of: from))
    try link.members.requireKnownLayout(className(of: link.node))
    try put(moved: old, from: from, members.isFields, at: step, link)
    if let key = try members.key(index) { remove(key) }
    remove(slot)
  }

  private mutating func put(
    moved old: UInt32, from: Node, _ wasField: Bool, at step: GraphPath.Step, _ link: Link
  ) throws(ArchiveError) {
    let isInline = isKeyed && patch.kind(of: old) != Marker.uid
    let isField = link.members.isFields
    if isInline, !isField {
      throw ArchiveError(
        .mismatch, "the value is stored inline in its object, and a collection refers to objects",
        path: location)
    }
    if isKeyed, !isField, !isInline, patch.uid(at: old) == 0 {
      throw ArchiveError(
        .mismatch, "the value is nil, which no collection can contain", path: location)
    }
    let child = Child(value: old, origin: nil, kept: old)
    switch (step, link.members.layout) {
    case (.key(let key), _) where index(of: step, in: link.node) != nil:
      set(try link.members.value(index(of: .key(key), in: link.node) ?? 0), to: child)
    case (.key(let key), .members(let holder, _)):
      addMember(patch.add(isField ? KeyRename.stored(key) : key), old, to: holder)
      mark(old, in: holder)
    case (.key(let key), .pairs(let keys, let values)):
      let name = try addObject(patch.add(encoded: TablePatch.encoded(key)))
      insert(name, into: keys, before: .max)
      insert(old, into: values, before: .max)
      mark(old, in: values)
    case (.index(let index), .list(let holder)) where index <= link.members.count:
      insert(old, into: holder, before: index)
      mark(old, in: holder)
    default: throw missing(step, link.node)
    }
  }

  /// Says of a child that was inserted that it must be what it was.
  private mutating func mark(_ value: UInt32, in holder: UInt32) {
    let holder = actual(holder)
    containers[holder] = children(of: holder).map {
      $0.value == value && $0.origin == nil ? Child(value: value, origin: nil, kept: value) : $0
    }
  }

  // MARK: The root

  private mutating func applyToRoot(_ action: EditAction) throws(ArchiveError) -> ByteStorage {
    switch action {
    case .add(let value), .replace(let value):
      guard let slot = rootSlotOfDocument else {
        guard !isKeyed else {
          throw ArchiveError(
            .mismatch,
            "the archive has no root but several top-level keys; the path must name one")
        }
        return try replaceTop(by: value)
      }
      guard let old = child(in: slot) else { throw StoredMembers.derived }
      let made = try make(value, for: .replacement(of: old, slot, isElement: false))
      if made.isInPlace {
        expectations.append(Expectation(slot: slot, child: nil, value: made.value))
      } else {
        set(slot, to: made.child)
        expect(made, slot)
      }
      return try finish()
    case .remove, .renameKey, .move:
      throw ArchiveError(.mismatch, "the root cannot be removed, renamed or replaced by a part")
    }
  }

  private var rootSlotOfDocument: Slot? {
    guard let parts = host.parts else { return nil }
    let (_, count) = host.table.counted(parts.top)
    let isRoot = host.graph.root(of: host.number).index != parts.top
    return count == 1 && isRoot ? Slot(holder: parts.top, position: 1) : nil
  }

  // MARK: Data

  /// Replaces the bytes of the data value at the location.
  mutating func replaceData(with bytes: ByteStorage) throws(ArchiveError) -> ByteStorage {
    let new = patch.add(encoded: TablePatch.encoded(data: bytes.bytes))
    guard let last = steps.last else {
      // The data is the root.
      guard let slot = rootSlotOfDocument, let old = child(in: slot) else {
        guard !isKeyed else { throw StoredMembers.derived }
        var builder = GraphBuilder(capacity: bytes.bytes.count + 64)
        let top = builder.add(data: bytes.bytes)
        return try host.encoding.faithful(
          BinaryWriter.write(builder.finish(top: top)).intoStorage(), limits: limits)
      }
      try replaceData(in: slot, old, with: new, isShared: false)
      return try finish()
    }
    let links = try link()
    guard let link = links.last, let index = index(of: last, in: link.node) else {
      throw StoredMembers.derived
    }
    let slot = try link.members.value(index)
    guard let old = child(in: slot) else { throw StoredMembers.derived }
    let node = host.graph.follow(old, in: host.number)
    let isShared =
      patch.kind(of: old) == Marker.uid && references.hasOther(to: node.index, than: slot)
    if isShared, case .refused = sharing { throw refusal(node, nodes.count) }
    try replaceData(in: slot, old, with: new, isShared: isShared)
    return try finish()
  }

  private mutating func replaceData(
    in slot: Slot, _ old: UInt32, with new: UInt32, isShared: Bool
  ) throws(ArchiveError) {
    guard isKeyed, patch.kind(of: old) == Marker.uid else { return set(slot, to: new) }
    let node = host.graph.follow(old, in: host.number)
    var value = new
    if host.table.marker(of: node.index) >> 4 == Marker.dictionary {
      // An object of NSMutableData keeps its class.
      var places = host.table.counted(node.index).count..<host.table.counted(node.index).count * 2
      let children = patch.children(of: node.index)
      places = places.lowerBound..<min(places.upperBound, children.count)
      guard
        let place = places.first(where: { host.table.marker(of: children[$0]) >> 4 == Marker.data })
      else { throw StoredMembers.derived }
      value = patch.addCopy(of: node.index)
      patch.setChild(of: value, at: place, to: new)
    }
    if isShared, case .copied = sharing { return set(slot, to: try addObject(value)) }
    guard let parts = host.parts, patch.uses(of: parts.objects) == 1 else {
      throw Self.sharedStorage
    }
    let number = patch.uid(at: old)
    patch.setChild(of: parts.objects, at: Int(number), to: value)
    replaced.insert(number)
  }

  // MARK: The result

  /// Writes the document, and compares it with the old one and the change.
  private mutating func finish() throws(ArchiveError) -> ByteStorage {
    for (holder, list) in containers { patch.setChildren(of: holder, to: list.map(\.value)) }
    let before = try ArchivePruning(of: host.document, host.parts, with: nil).found
    let pruning = try ArchivePruning(
      of: host.document, host.parts, with: patch, keepingUnreachedBy: before)
    let bytes = try host.encoding.faithful(pruning.write().intoStorage(), limits: limits)
    try verify(bytes)
    return bytes
  }

  private func verify(_ bytes: ByteStorage) throws(ArchiveError) {
    let graph = try ArchiveReader(limits: limits).read(bytes, nested: false)
    let written = try OpenedArchive(editing: graph, document: 0, source: bytes)
    var comparison = StoredComparison(
      host.side, written.side, changed: edits(of: containers.keys.filter { isStored($0) }),
      replaced: replaced)
    guard comparison.isSame(host.document.top, written.document.top) else { throw Self.difference }
    var partners: [UInt32: UInt32] = [:]
    for holder in containers.keys where isStored(holder) {
      partners[holder] = comparison.partners(of: holder).first
    }
    try verifyCopies(written, &comparison, &partners)
    for expectation in expectations { try verify(expectation, written, partners) }
    for set in sets {
      guard let found = partners[actual(set)] ?? comparison.partners(of: set).first else {
        continue
      }
      try requireDifferentElements(Node(document: 0, index: found), in: graph)
    }
  }

  private func isStored(_ holder: UInt32) -> Bool { Int(holder) < host.table.count }

  /// What became of containers, for the comparison.
  private func edits(of holders: [UInt32]) -> [UInt32: StoredComparison.Edited] {
    var edits: [UInt32: StoredComparison.Edited] = [:]
    for holder in holders { edits[holder] = edited(holder) }
    return edits
  }

  private func edited(_ holder: UInt32) -> StoredComparison.Edited {
    let list = containers[holder] ?? []
    var kept: [(value: UInt32, position: Int)] = []
    for (position, child) in list.enumerated() {
      if let value = child.kept, isStored(value) { kept.append((value, position)) }
    }
    return StoredComparison.Edited(kept: kept, count: list.count)
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
    let children = TablePatch(written.document).children(of: holder)
    let node = written.graph.follow(children[position], in: written.number)
    var waiting = [(old: original, new: node.index)]
    while let (old, new) = waiting.popLast() {
      guard let copy = copies[old], written.table.marker(of: new) >> 4 == patch.kind(of: copy)
      else {
        throw Self.difference
      }
      partners[copy] = new
      let list = self.children(of: copy)
      let found = TablePatch(written.document).children(of: new)
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
    let stored = TablePatch(host.document).children(of: slot.holder)[slot.position]
    return host.graph.follow(stored, in: host.number).index == original
  }

  private func verify(
    _ expectation: Expectation, _ written: OpenedArchive, _ partners: [UInt32: UInt32]
  ) throws(ArchiveError) {
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
    let side = partners[holder] ?? partner(of: holder, written)
    guard let side else { throw Self.difference }
    let children = TablePatch(written.document).children(of: side)
    guard children.indices.contains(position) else { throw Self.difference }
    let node = written.graph.follow(children[position], in: written.number)
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
  }

  /// The stored value that corresponds to one that was not edited itself.
  private func partner(of holder: UInt32, _ written: OpenedArchive) -> UInt32? {
    var comparison = StoredComparison(
      host.side, written.side, changed: edits(of: containers.keys.filter { isStored($0) }),
      replaced: replaced)
    _ = comparison.isSame(host.document.top, written.document.top)
    return comparison.partners(of: holder).first
  }

  private func requireDifferentElements(
    _ node: Node, in graph: ObjectGraph
  ) throws(ArchiveError) {
    guard let container = GraphContainer(graph.value(of: node)) else { return }
    var equality = ValueEquality(graph, graph, mixesBooleans: true)
    let elements = (0..<container.childCount).map { container.child($0, in: graph) }
    guard elements.count * elements.count <= max(graph.expansionLimit, 1 << 22) else {
      throw ArchiveError(.limit, "the set has too many elements to compare")
    }
    for (position, element) in elements.enumerated() {
      for other in elements[..<position] where equality.areEqual(element, other) {
        throw ArchiveError(
          .mismatch, "an element of the set would equal another element", path: location)
      }
    }
  }

  static let difference = ArchiveError(
    .inputOutput,
    "internal error: the result would differ in more than the edit; nothing is written")
}

extension GraphContainer? {
  /// Whether it has members.
  fileprivate var isMembers: Bool {
    if case .members? = self { true } else { false }
  }
}
