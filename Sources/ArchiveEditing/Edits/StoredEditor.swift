// Edits to the stored values of a document: everything that was not asked to change stays as it is stored.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

/// Edits one document: a file, or an archive in a data value.
///
/// Several edits are made to the values that were read, and written and verified together. Each finds values by the
/// paths that they have after the edits before; `find` knows where those were. What an earlier edit has made or moved
/// is not edited again: the document is written and read first.
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
  struct Link {
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
  let sharing: SharedObjects
  /// The location of the present edit, from the root of the document on.
  var nodes: [Node] = []
  var steps: [GraphPath.Step] = []
  /// The path of the document's root.
  var start = GraphPath()
  let references: StoredReferences
  var patch: TablePatch
  var records: ClassRecords
  /// The children of the edited containers.
  var containers: [UInt32: [Child]] = [:]
  /// Containers that were copied, with their copies.
  var copies: [UInt32: UInt32] = [:]
  /// The first container that was copied.
  var copyStart: Slot?
  /// The numbers of objects that were replaced by others.
  var replaced: Set<UInt64> = []
  var expectations: [Expectation] = []
  /// The sets on the way, whose elements must stay different.
  var sets: Set<UInt32> = []
  /// How many UIDs lead to each object, of the values up to `countedValues`.
  var numberUses: [UInt32] = []
  var countedValues = 0

  // What earlier edits have done.

  /// The containers in which children were edited, by their owners.
  var edited: [UInt32: StoredMembers] = [:]
  /// All values on the way to an edit, in every document.
  var entered: Set<Node> = []
  /// Keys that were added to containers.
  var addedKeys: [UInt32: Set<CodePointString>] = [:]
  /// Containers whose children are not found any more by their positions before.
  var opaque: Set<UInt32> = []
  /// For each edit the expectation of the value that it made.
  var results: [Int?] = []
  /// The whole document, if its top was replaced.
  var whole: ByteStorage?
  /// Whether no other edit may follow.
  var isFull = false
  /// Whether the present edit has begun to change anything.
  var isChanging = false

  init(_ host: OpenedArchive, sharing: SharedObjects) {
    self.host = host
    limits = host.graph.limits
    self.sharing = sharing
    references = StoredReferences(of: host.side)
    patch = TablePatch(host.document)
    records = ClassRecords(of: host.side)
  }

  /// Whether the document is a keyed archive.
  var isKeyed: Bool { host.parts != nil }

  // MARK: Children

  /// The container that is edited in place of one: its copy, if it was copied.
  func actual(_ holder: UInt32) -> UInt32 { copies[holder] ?? holder }

  func children(of holder: UInt32) -> [Child] {
    if let known = containers[holder] { return known }
    let originals = Dictionary(copies.map { ($1, $0) }) { first, _ in first }
    return patch.children(of: holder).enumerated().map {
      Child(value: $1, origin: $0, kept: originals[$1] ?? $1)
    }
  }

  /// The stored value in a slot.
  func child(in slot: Slot) -> UInt32? {
    let holder = actual(slot.holder)
    if copies.isEmpty, containers[holder] == nil {
      return patch.child(of: holder, at: slot.position)
    }
    return children(of: holder).first { $0.origin == slot.position }?.value
  }

  /// Replaces the child of a slot.
  mutating func set(_ slot: Slot, to value: UInt32, kept: UInt32? = nil) {
    let holder = actual(slot.holder)
    containers[holder] = children(of: holder).map {
      $0.origin == slot.position ? Child(value: value, kept: kept) : $0
    }
  }

  /// Inserts a child before the one that is at a position now, or after the last.
  mutating func insert(
    _ value: UInt32, kept: UInt32? = nil, into holder: UInt32, before position: Int = .max
  ) {
    let holder = actual(holder)
    var list = children(of: holder)
    list.insert(Child(value: value, kept: kept), at: min(position, list.count))
    containers[holder] = list
  }

  mutating func remove(_ slot: Slot) {
    let holder = actual(slot.holder)
    containers[holder] = children(of: holder).filter { $0.origin != slot.position }
  }

  mutating func addMember(_ key: UInt32, _ value: UInt32, kept: UInt32? = nil, to holder: UInt32) {
    insert(key, into: holder, before: children(of: actual(holder)).count / 2)
    insert(value, kept: kept, into: holder)
  }
}

// MARK: - The containers on the way to an edited value

/// Where a step leads in a document that is being edited.
package enum EditedChild {
  /// To the child that was at a position of the container before the edits.
  case stored(Int)
  /// Nowhere.
  case missing
  /// To a child that an edit has made, moved or replaced.
  case changed
}

extension StoredEditor {
  /// Begins an edit at a location whose innermost document is this one.
  mutating func begin(at location: EditLocation) {
    nodes = Array(location.nodes[location.start...])
    steps = Array(location.steps[location.start...])
    start = GraphPath(Array(location.steps[..<location.start]))
  }

  /// Follows the steps, and makes sure that what is edited is not changed for others unasked.
  mutating func link() throws(ArchiveError) -> [Link] {
    let links = try links()
    if let first = sharedIndex(links) {
      // What becomes of shared objects is decided by the references before any edit.
      guard entered.isEmpty else { throw Self.touched }
      isFull = true
      switch sharing {
      case .refused: throw refusal(links[first].node, first)
      case .changed: break
      case .copied: try copy(links, from: first)
      }
    }
    try requireOnePath(links)
    // What a list within an object leads to would change for another object that has the same stored list.
    let mayChange = sharing == .changed ? links.suffix(1) : links[...]
    for link in mayChange { try requireOwnStorage(link.members) }
    return links
  }

  /// Lets no other edit be made with one to a container that several paths lead to, such as those of a cycle: what they
  /// lead to would not be known to be edited.
  mutating func requireOnePath(_ links: [Link]) throws(ArchiveError) {
    for (position, link) in links.enumerated() where !isTop(link.node.index) {
      let slot = position == 0 ? rootSlot : links[position - 1].slot
      guard references.count(of: link.node.index) > (slot == nil ? 0 : 1) else { continue }
      guard entered.isEmpty else { throw Self.touched }
      isFull = true
    }
  }

  /// Only the outermost dictionary refers to the top-level values.
  private func isTop(_ index: UInt32) -> Bool {
    index == host.document.top || index == host.parts?.top
  }

  /// The containers that steps lead through.
  mutating func links() throws(ArchiveError) -> [Link] {
    var links: [Link] = []
    for (position, node) in nodes.enumerated() {
      let members: StoredMembers
      do throws(ArchiveError) {
        members = try StoredMembers(of: node, in: host)
      } catch {
        throw located(error, upTo: position)
      }
      if members.isSet { sets.insert(node.index) }
      var slot: Slot?
      if position < nodes.count - 1 {
        guard let index = index(of: steps[position], in: node) else {
          throw located(StoredMembers.derived, upTo: position)
        }
        slot = try members.value(index)
      }
      links.append(Link(node: node, members: members, slot: slot))
    }
    return links
  }

  func located(_ error: ArchiveError, upTo position: Int) -> ArchiveError {
    error.moved(to: GraphPath(start.steps + steps[..<position]))
  }

  /// The position that a child had before any edit; nil if there is none, or it is no longer what it was.
  func index(of step: GraphPath.Step, in node: Node) -> Int? {
    if case .stored(let position) = find(step, in: node) { position } else { nil }
  }

  /// Where a step leads after the edits so far.
  func find(_ step: GraphPath.Step, in node: Node) -> EditedChild {
    var position = position(of: step, in: node)
    guard node.document == host.number, let members = edited[node.index] else {
      return position.map { .stored($0) } ?? .missing
    }
    if opaque.contains(node.index) { return .changed }
    switch step {
    case .index(let index):
      guard case .list(let holder) = members.layout, let list = containers[holder] else { break }
      guard list.indices.contains(index) else { return .missing }
      guard let origin = list[index].origin else { return .changed }
      position = origin
    case .key(let key):
      if addedKeys[node.index]?.contains(CodePointString(key)) == true { return .changed }
    case .content, .anyMember, .anyElement: break
    }
    guard let position else { return .missing }
    return isAsStored(position, of: members) ? .stored(position) : .changed
  }

  /// The position of a child before any edit, also by the name that is shown for a stored value.
  private func position(of step: GraphPath.Step, in node: Node) -> Int? {
    guard let container = GraphContainer(host.value(of: node)) else { return nil }
    if let position = container.position(of: step, in: host.graph) { return position }
    guard host.graph.hiddenFields(of: node) != nil,
      let shown = GraphContainer(host.graph.value(of: node)),
      let child = shown.position(of: step, in: host.graph).map({ shown.child($0, in: host.graph) })
    else { return nil }
    let positions = (0..<container.childCount).filter {
      container.child($0, in: host.graph) == child
    }
    return positions.count == 1 ? positions[0] : nil
  }

  /// Whether a child and its key are what they were.
  private func isAsStored(_ position: Int, of members: StoredMembers) -> Bool {
    let child: UInt32
    do throws(ArchiveError) {
      guard let value = self.child(in: try members.value(position)) else { return false }
      if let key = try members.key(position), self.child(in: key) == nil { return false }
      child = value
    } catch {
      return false
    }
    return !isKeyed || patch.kind(of: child) != Marker.uid
      || !replaced.contains(patch.uid(at: child))
  }

  /// How many elements an edited list has now; nil for any other value.
  func count(of node: Node) -> Int? {
    guard node.document == host.number, let members = edited[node.index],
      case .list(let holder) = members.layout
    else { return nil }
    return containers[holder]?.count
  }

  /// Never shown: the document is written and read before such an edit.
  static let touched = ArchiveError(.mismatch, "an earlier edit has changed the value")

  /// The slot of the root of the document in `$top`; nil in a property list, and for several top-level keys.
  var rootSlot: Slot? {
    guard let parts = host.parts, host.graph.root(of: host.number).index != parts.top else {
      return nil
    }
    return host.table.counted(parts.top).count == 1 ? Slot(holder: parts.top, position: 1) : nil
  }

  func sharedIndex(_ links: [Link]) -> Int? {
    for (position, link) in links.enumerated() {
      let slot = position == 0 ? rootSlot : links[position - 1].slot
      if isTop(link.node.index) { continue }
      if references.hasOther(to: link.node.index, than: slot) { return position }
    }
    return nil
  }

  func refusal(_ node: Node, _ position: Int) -> ArchiveError {
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
  mutating func copy(_ links: [Link], from first: Int) throws(ArchiveError) {
    guard Set(links.map(\.node)).count == links.count else {
      throw refused(
        "the path passes through the same object twice; use the shorter path with --shared")
    }
    for position in first..<links.count {
      let link = links[position]
      let slot = position == 0 ? rootSlot : links[position - 1].slot
      guard let slot, let old = child(in: slot) else { throw StoredMembers.derived }
      let copy = patch.addCopy(of: link.node.index)
      for holder in link.members.holders where holder != link.node.index {
        let list = patch.addCopy(of: holder)
        copies[holder] = list
        for (index, child) in patch.children(of: copy).enumerated() where child == holder {
          patch.setChild(of: copy, at: index, to: list)
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
    let objects = try ownObjects()
    let number = patch.childCount(of: objects)
    patch.append(value, to: objects)
    return patch.add(encoded: TablePatch.encoded(uid: UInt64(number)))
  }

  /// The stored array `$objects`, which nothing else may share.
  func ownObjects() throws(ArchiveError) -> UInt32 {
    guard let parts = host.parts, patch.uses(of: parts.objects) == 1 else {
      throw Self.sharedStorage
    }
    return parts.objects
  }

  static let sharedStorage = ArchiveError(
    .mismatch, "another value shares the storage of a container, which archivers never write")

  /// Lists within objects, and the objects themselves, are stored once.
  func requireOwnStorage(_ members: StoredMembers) throws(ArchiveError) {
    for holder in members.holders where copies[holder] == nil {
      let isOwner = holder == members.owner
      if isOwner, !isKeyed || holder == host.document.top { continue }
      guard patch.uses(of: holder) == 1 else { throw Self.sharedStorage }
    }
  }

  // MARK: Values added, replaced and removed, and keys renamed

  /// Does an edit.
  ///
  /// - Throws: `ArchiveError` if it is refused; the editor is of no use any more if `isChanging` is true then. After
  ///   other edits any error means that it must be tried again, alone, in the document as it is then.
  mutating func apply(
    _ action: EditAction, at location: EditLocation
  ) throws(ArchiveError) {
    begin(at: location)
    isChanging = false
    let count = expectations.count
    if let last = steps.last {
      let links = try link()
      guard let link = links.last else { throw StoredMembers.derived }
      try requireUntouched(action, last, link)
      isChanging = true
      try apply(action, at: last, link)
      edited[link.node.index] = link.members
      if sharing == .changed, location.start > 0 { isFull = true }
    } else {
      guard entered.isEmpty else { throw Self.touched }
      try applyToRoot(action)
      isFull = true
    }
    entered.formUnion(location.nodes)
    results.append(expectations.count > count ? expectations.count - 1 : nil)
  }

  /// Requires that no earlier edit has changed what this one changes or copies.
  private func requireUntouched(
    _ action: EditAction, _ step: GraphPath.Step, _ link: Link
  ) throws(ArchiveError) {
    if entered.isEmpty { return }
    guard !isFull, !opaque.contains(link.node.index) else { throw Self.touched }
    switch action {
    case .add where isIndex(step): break
    default: try requireUntouched(step, link.node)
    }
    switch action {
    case .renameKey(let key): try requireUntouched(.key(key), link.node)
    case .move(let source), .add(.copy(let source)), .replace(.copy(let source)):
      guard let last = source.steps.last, let node = source.nodes.last else { throw Self.touched }
      try requireUntouched(last, node)
    default: break
    }
  }

  private func requireUntouched(
    _ step: GraphPath.Step, _ node: Node
  ) throws(ArchiveError) {
    switch find(step, in: node) {
    case .changed: throw Self.touched
    case .missing: return
    case .stored(let position):
      guard let container = GraphContainer(host.value(of: node)),
        !entered.contains(container.child(position, in: host.graph))
      else { throw Self.touched }
    }
  }

  private func isIndex(_ step: GraphPath.Step) -> Bool {
    if case .index = step { true } else { false }
  }

  private mutating func apply(
    _ action: EditAction, at last: GraphPath.Step, _ link: Link
  ) throws(ArchiveError) {
    switch action {
    case .remove: try removeValue(at: last, link)
    case .renameKey(let key): try rename(last, link, to: key)
    case .replace(let value):
      guard let index = index(of: last, in: link.node) else { throw missing(last, link.node) }
      try replace(in: link, at: index, by: value)
    case .add(let value): try add(value, at: last, link)
    case .move(let source): try move(source, to: last, link)
    }
  }

  /// Remembers a new key of a container.
  mutating func addKey(_ key: String, to node: Node) {
    addedKeys[node.index, default: []].insert(CodePointString(key))
  }

  func missing(_ step: GraphPath.Step, _ node: Node) -> ArchiveError {
    if host.graph.hiddenFields(of: node) != nil,
      GraphContainer(host.graph.value(of: node))?.position(of: step, in: host.graph) != nil
    {
      return located(StoredMembers.derived, upTo: steps.count - 1)
    }
    let path = GraphPath(start.steps + steps.dropLast())
    switch step {
    case .index(let index):
      if case .elements(let elements)? = GraphContainer(host.value(of: node)) {
        return ArchiveError(
          .mismatch, "there is no element \(index); the list has \(elements.count)", path: path)
      }
      return ArchiveError(.mismatch, "there is no element \(index) here", path: path)
    case .key(let key):
      return ArchiveError(
        .mismatch, "there is no key '\(key)' here", path: path, about: .missingKey)
    case .content, .anyMember, .anyElement:
      return ArchiveError(.mismatch, "the data value has no archive", path: path)
    }
  }

  mutating func add(
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
      guard case .elements? = GraphContainer(host.value(of: node)),
        (0...(count(of: node) ?? link.members.count)).contains(index)
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

  mutating func addMember(
    _ key: String, _ link: Link, _ value: EditValue
  ) throws(ArchiveError) {
    let members = link.members
    guard members.isFields || GraphContainer(host.value(of: link.node)).isMembers else {
      throw missing(.key(key), link.node)
    }
    if host.graph.hiddenFields(of: link.node) != nil {
      throw located(StoredMembers.derived, upTo: steps.count - 1)
    }
    addKey(key, to: link.node)
    switch members.layout {
    case .members(let holder, _):
      let made = try make(value, for: members.isFields ? .field : .element)
      addMember(patch.add(members.isFields ? storedKey(key) : key), made.child, to: holder)
      expect(made, Slot(holder: holder, position: -1))
    case .pairs(let keys, let values):
      let made = try make(value, for: .element)
      insert(try addObject(patch.add(encoded: TablePatch.encoded(key))), into: keys)
      insert(made.child, into: values)
      expect(made, Slot(holder: values, position: -1))
    case .numbered(let holder, true):
      let made = try make(value, for: .element)
      opaque.insert(link.node.index)
      let name = try addObject(patch.add(encoded: TablePatch.encoded(key)))
      addMember(patch.add("NS.key.\(members.count)"), name, to: holder)
      addMember(patch.add("NS.object.\(members.count)"), made.child, to: holder)
      expect(made, Slot(holder: holder, position: -1))
    default: throw missing(.key(key), link.node)
    }
  }

  mutating func replace(
    in link: Link, at index: Int, by value: EditValue
  ) throws(ArchiveError) {
    try replace(in: link.members.value(index), isElement: !link.members.isFields, by: value)
  }

  mutating func replace(
    in slot: Slot, isElement: Bool, by value: EditValue
  ) throws(ArchiveError) {
    guard let old = child(in: slot) else { throw StoredMembers.derived }
    let made = try make(
      value, for: .replacement(of: old, slot, isElement: isElement))
    if made.replacesObject {
      expectations.append(Expectation(slot: slot, child: nil, value: made.value))
    } else {
      set(slot, to: made.child)
      expect(made, slot)
    }
  }

  mutating func expect(_ made: MadeValue, _ slot: Slot) {
    expectations.append(
      Expectation(
        slot: Slot(holder: actual(slot.holder), position: slot.position), child: made.child,
        value: made.value))
  }

  mutating func removeValue(
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

  mutating func rename(
    _ step: GraphPath.Step, _ link: Link, to key: String
  ) throws(ArchiveError) {
    guard let index = index(of: step, in: link.node) else { throw missing(step, link.node) }
    if case .key(key) = step { return }
    guard let slot = try link.members.key(index), let old = child(in: slot) else {
      throw refused("an element has no key")
    }
    guard self.index(of: .key(key), in: link.node) == nil else {
      throw refused("there is a key '\(key)' already")
    }
    if patch.kind(of: old) == Marker.uid {
      guard host.graph.text(of: host.graph.follow(old, in: host.number)) != nil else {
        throw refused("the key is not a plain string")
      }
      set(slot, to: try addObject(patch.add(encoded: TablePatch.encoded(key))))
    } else {
      set(slot, to: patch.add(link.members.isFields ? storedKey(key) : key))
    }
    addKey(key, to: link.node)
  }

  /// The path of the edit.
  var location: GraphPath { GraphPath(start.steps + steps) }

  func refused(_ message: String) -> ArchiveError {
    ArchiveError(.mismatch, message, path: location)
  }

  func className(of node: Node) -> String? {
    host.graph.classIndex(of: node).map { host.graph.classes[$0].displayName }
  }

  // MARK: Keys with numbers

  /// Moves the values from a position on to the next keys; the last gets a new one.
  mutating func insertNumbered(
    _ made: MadeValue, at index: Int, into holder: UInt32, _ members: StoredMembers
  ) throws(ArchiveError) {
    opaque.insert(members.owner)
    var list = children(of: actual(holder))
    let positions = try valuePositions(of: "NS.object.", from: index, members, in: list)
    var next = Child(value: made.child)
    for position in positions { swap(&list[position], &next) }
    let name = patch.add("NS.object.\(members.count)")
    list.insert(Child(value: name), at: list.count / 2)
    list.append(next)
    containers[actual(holder)] = list
    expect(made, Slot(holder: holder, position: -1))
  }

  /// Moves the values after a position to the keys before; the last key goes.
  mutating func removeNumbered(
    _ index: Int, of holder: UInt32, _ hasKeys: Bool, _ members: StoredMembers
  ) throws(ArchiveError) {
    opaque.insert(members.owner)
    var list = children(of: actual(holder))
    var gone: Set<Int> = []
    for prefix in hasKeys ? ["NS.object.", "NS.key."] : ["NS.object."] {
      let positions = try valuePositions(of: prefix, from: index, members, in: list)
      for (position, next) in zip(positions, positions.dropFirst()) { list[position] = list[next] }
      if let last = positions.last { gone.formUnion([last, last - list.count / 2]) }
    }
    containers[actual(holder)] = list.indices.filter { !gone.contains($0) }.map { list[$0] }
  }

  /// Where a container has the values of keys with numbers.
  func valuePositions(
    of prefix: String, from index: Int, _ members: StoredMembers, in list: [Child]
  ) throws(ArchiveError) -> [Int] {
    var positions: [Int] = []
    for position in index..<members.count {
      let key = try members.name("\(prefix)\(position)")
      guard let found = list.firstIndex(where: { $0.origin == key.position }) else {
        throw StoredMembers.derived
      }
      positions.append(found + list.count / 2)
    }
    return positions
  }
}

extension GraphContainer? {
  /// Whether it has members.
  fileprivate var isMembers: Bool {
    if case .members? = self { true } else { false }
  }
}

// MARK: - Values moved within a document

extension StoredEditor {
  mutating func move(
    _ source: EditLocation, to step: GraphPath.Step, _ link: Link
  ) throws(ArchiveError) {
    guard let from = source.nodes.last, let last = source.steps.last,
      from.document == link.node.document, let index = index(of: last, in: from)
    else { throw refused("the value cannot be moved there") }
    let members = try StoredMembers(of: from, in: host)
    for layout in [members.layout, link.members.layout] {
      if case .numbered = layout {
        throw refused(
          "values of a collection whose keys have numbers are not moved; copy and remove them")
      }
    }
    let slot = try members.value(index)
    guard let old = child(in: slot) else { throw StoredMembers.derived }
    let isShared = try isShared(source)
    guard copies.isEmpty, !isShared || sharing != .copied else {
      throw refused(
        "a value is not moved out of or into a shared object; copy and remove it")
    }
    try members.requireKnownLayout(className(of: from))
    try link.members.requireKnownLayout(className(of: link.node))
    try put(moved: old, from: from, members.isFields, at: step, link)
    if let key = try members.key(index) { remove(key) }
    remove(slot)
    edited[from.index] = members
    entered.formUnion(source.nodes)
  }

  /// Whether others refer to the containers on the way to a value that is removed: an edit of its own.
  private mutating func isShared(_ source: EditLocation) throws(ArchiveError) -> Bool {
    let target = (nodes, steps, start)
    begin(at: source)
    let links = try links()
    let shared = sharedIndex(links)
    if let shared {
      guard entered.isEmpty else { throw Self.touched }
      isFull = true
      if sharing == .refused { throw refusal(links[shared].node, shared) }
    }
    try requireOnePath(links)
    for link in links.suffix(1) { try requireOwnStorage(link.members) }
    (nodes, steps, start) = target
    return shared != nil
  }

  private mutating func put(
    moved old: UInt32, from: Node, _ wasField: Bool, at step: GraphPath.Step, _ link: Link
  ) throws(ArchiveError) {
    let isInline = isKeyed && patch.kind(of: old) != Marker.uid
    let isField = link.members.isFields
    if isInline, !isField {
      throw refused(
        "the value is stored inline in its object, and a collection refers to objects")
    }
    if isKeyed, !isField, !isInline, patch.uid(at: old) == 0 {
      throw refused("the value is nil, which no collection can contain")
    }
    if case .key(let key) = step { addKey(key, to: link.node) }
    switch (step, link.members.layout) {
    case (.key(let key), _) where index(of: step, in: link.node) != nil:
      set(try link.members.value(index(of: .key(key), in: link.node) ?? 0), to: old, kept: old)
    case (.key(let key), .members(let holder, _)):
      addMember(patch.add(isField ? storedKey(key) : key), old, kept: old, to: holder)
    case (.key(let key), .pairs(let keys, let values)):
      insert(try addObject(patch.add(encoded: TablePatch.encoded(key))), into: keys)
      insert(old, kept: old, into: values)
    case (.index(let index), .list(let holder))
    where index <= count(of: link.node) ?? link.members.count:
      insert(old, kept: old, into: holder, before: index)
    default: throw missing(step, link.node)
    }
  }

  // MARK: Edits to the root of a document, and to the data values that contain archives

  mutating func applyToRoot(_ action: EditAction) throws(ArchiveError) {
    switch action {
    case .add(let value), .replace(let value):
      guard let slot = rootSlot else {
        guard !isKeyed else {
          throw ArchiveError(
            .mismatch,
            "the archive has no root but several top-level keys; the path must name one")
        }
        whole = try replaceTop(by: value)
        return
      }
      try replace(in: slot, isElement: false, by: value)
    case .remove, .renameKey, .move:
      throw ArchiveError(.mismatch, "the root cannot be removed, renamed or replaced by a part")
    }
  }

  // MARK: Data

  /// Replaces the bytes of the data value at a location.
  ///
  /// - Returns: the new bytes of the document.
  mutating func replaceData(
    at location: EditLocation, with bytes: ByteStorage
  ) throws(ArchiveError) -> ByteStorage {
    begin(at: location)
    let new = patch.add(encoded: TablePatch.encoded(data: bytes.bytes))
    guard let last = steps.last else {
      // The data is the root.
      guard let slot = rootSlot, let old = child(in: slot) else {
        guard !isKeyed else { throw StoredMembers.derived }
        var builder = GraphBuilder(capacity: bytes.bytes.count + 64)
        let top = builder.add(data: bytes.bytes)
        return try host.encoding.faithful(
          BinaryWriter.write(builder.finish(top: top)).intoStorage(), limits: limits)
      }
      try replaceData(in: slot, old, with: new, isShared: false)
      return try finish().storage
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
    return try finish().storage
  }

  mutating func replaceData(
    in slot: Slot, _ old: UInt32, with new: UInt32, isShared: Bool
  ) throws(ArchiveError) {
    guard isKeyed, patch.kind(of: old) == Marker.uid else { return set(slot, to: new) }
    let node = host.graph.follow(old, in: host.number)
    var value = new
    if host.table.marker(of: node.index) >> 4 == Marker.dictionary {
      // An object of NSMutableData keeps its class.
      let member = host.table.members(of: node.index).first {
        host.table.marker(of: $0.value) >> 4 == Marker.data
      }
      guard let position = member?.position else { throw StoredMembers.derived }
      value = patch.addCopy(of: node.index)
      patch.setChild(of: value, at: position, to: new)
    }
    if isShared, case .copied = sharing { return set(slot, to: try addObject(value)) }
    let number = patch.uid(at: old)
    patch.setChild(of: try ownObjects(), at: Int(number), to: value)
    replaced.insert(number)
  }
}
