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
  private typealias Slot = StoredMembers.Slot

  /// A container on the way to the edited value, and where it is held; nil for the outermost.
  private struct Link {
    let members: StoredMembers
    let slot: Slot?
  }

  let host: OpenedArchive
  private let sharing: SharedObjects
  private let references: StoredReferences
  /// The location of the present edit.
  private var location = EditLocation()
  private var changes: ChangedContainers
  private var history: EditHistory
  private var newValues: NewValues
  private var expectations: [EditVerification.Expectation] = []
  /// The sets on the way, whose elements must stay different.
  private var sets: Set<UInt32> = []
  /// The whole document, if its top was replaced.
  private(set) var whole: ByteStorage?
  /// For each edit the expectation of the value that it made.
  private(set) var results: [Int?] = []
  /// Whether no other edit may follow.
  private(set) var isFull = false
  /// Whether the present edit has begun to change anything.
  private(set) var isChanging = false

  init(_ host: OpenedArchive, sharing: SharedObjects) {
    self.host = host
    self.sharing = sharing
    references = StoredReferences(of: host.side)
    changes = ChangedContainers(of: host)
    history = EditHistory(of: host)
    newValues = NewValues(for: host)
  }

  // MARK: The state after the edits so far

  /// Where a step leads.
  func find(_ step: GraphPath.Step, in node: Node) -> EditedChild {
    history.find(step, in: node, changes)
  }

  /// How many elements an edited list has now; nil for any other value.
  func count(of node: Node) -> Int? { history.count(of: node, changes) }

  /// Whether something in a value was edited.
  func hasEdits(in node: Node) -> Bool { history.entered.contains(node) }

  /// The position that a child had before any edit; nil if there is none, or it is no longer what it was.
  private func index(of step: GraphPath.Step, in node: Node) -> Int? {
    if case .stored(let position) = find(step, in: node) { position } else { nil }
  }

  // MARK: Edits

  /// Does an edit.
  ///
  /// - Throws: `ArchiveError` if it is refused; the editor is of no use any more if `isChanging` is true then. After
  ///   other edits any error means that it must be tried again, alone, in the document as it is then.
  mutating func apply(
    _ action: EditAction, at location: EditLocation
  ) throws(ArchiveError) {
    self.location = location
    isChanging = false
    let count = expectations.count
    if let last = location.innerSteps.last {
      let members = try container()
      guard history.entered.isEmpty || !isFull else { throw EditHistory.touched }
      try history.requireUntouched(action, last, members.node, changes)
      isChanging = true
      try apply(action, at: last, members)
      history.add(members, location.nodes)
      if sharing == .changed, location.start > 0 { isFull = true }
    } else {
      guard history.entered.isEmpty else { throw EditHistory.touched }
      try applyToRoot(action)
      history.add(nil, location.nodes)
      isFull = true
    }
    results.append(expectations.count > count ? expectations.count - 1 : nil)
  }

  private mutating func apply(
    _ action: EditAction, at last: GraphPath.Step, _ members: StoredMembers
  ) throws(ArchiveError) {
    switch action {
    case .remove: try removeValue(at: last, members)
    case .renameKey(let key): try rename(last, members, to: key)
    case .replace(let value):
      try replace(
        in: try members.value(try position(of: last, in: members)), isElement: !members.isFields,
        by: value)
    case .add(let value): try add(value, at: last, members)
    case .move(let source): try move(source, to: last, members)
    }
  }

  private mutating func applyToRoot(_ action: EditAction) throws(ArchiveError) {
    switch action {
    case .add(let value), .replace(let value):
      if let slot = rootSlot { return try replace(in: slot, isElement: false, by: value) }
      guard !host.isKeyed else {
        throw ArchiveError(
          .mismatch,
          "the archive has no root but several top-level keys; the path must name one")
      }
      whole = try replaceTop(by: value)
    case .remove, .renameKey, .move:
      throw ArchiveError(.mismatch, "the root cannot be removed, renamed or replaced by a part")
    }
  }

  // MARK: The containers on the way to an edited value

  /// Follows the steps, and makes sure that what is edited is not changed for others unasked.
  ///
  /// - Returns: the container of the edited value.
  private mutating func container() throws(ArchiveError) -> StoredMembers {
    let links = try links()
    if let first = try sharedIndex(links), sharing == .copied { try copy(links, from: first) }
    try requireOnePath(links)
    // What a list within an object leads to would change for another object that has the same stored list.
    let mayChange = sharing == .changed ? links.suffix(1) : links[...]
    for link in mayChange { try changes.requireOwnStorage(link.members) }
    guard let last = links.last else { throw StoredMembers.derived }
    return last.members
  }

  /// The containers that steps lead through.
  private mutating func links() throws(ArchiveError) -> [Link] {
    var links: [Link] = []
    var slot = rootSlot
    for (position, node) in location.innerNodes.enumerated() {
      let path = location.path(ofInner: position)
      do throws(ArchiveError) {
        let members = try StoredMembers(of: node, in: host)
        if members.isSet { sets.insert(node.index) }
        links.append(Link(members: members, slot: slot))
      } catch {
        throw error.moved(to: path)
      }
      guard position < location.innerNodes.count - 1 else { break }
      guard let index = index(of: location.steps[location.start + position], in: node) else {
        throw StoredMembers.derived.moved(to: path)
      }
      slot = try links[position].members.value(index)
    }
    return links
  }

  /// The slot of the root of the document in `$top`; nil in a property list, and for several top-level keys.
  private var rootSlot: Slot? {
    guard let parts = host.parts, host.graph.root(of: host.number).index != parts.top else {
      return nil
    }
    return host.table.counted(parts.top).count == 1 ? Slot(holder: parts.top, position: 1) : nil
  }

  /// Only the outermost dictionary refers to the top-level values.
  private func isTop(_ link: Link) -> Bool {
    link.members.owner == host.document.top || link.members.owner == host.parts?.top
  }

  /// The first container to which others refer as well; nil if there is none.
  ///
  /// - Throws: `ArchiveError` if such an edit is refused, or must be one of its own.
  private mutating func sharedIndex(_ links: [Link]) throws(ArchiveError) -> Int? {
    guard
      let first = links.firstIndex(where: {
        !isTop($0) && references.hasOther(to: $0.members.owner, than: $0.slot)
      })
    else { return nil }
    try requireAlone()
    if sharing == .refused { throw refusal(links[first].members.node, first) }
    return first
  }

  /// Lets no other edit be made with one: what becomes of shared objects is decided by the references before any edit.
  private mutating func requireAlone() throws(ArchiveError) {
    guard history.entered.isEmpty else { throw EditHistory.touched }
    isFull = true
  }

  /// Lets no other edit be made with one to a container that several paths lead to, such as those of a cycle: what they
  /// lead to would not be known to be edited.
  private mutating func requireOnePath(_ links: [Link]) throws(ArchiveError) {
    for link in links where !isTop(link) {
      guard references.count(of: link.members.owner) > (link.slot == nil ? 0 : 1) else { continue }
      try requireAlone()
    }
  }

  private func refusal(_ node: Node, _ position: Int) -> ArchiveError {
    let path = location.path(ofInner: position)
    let others = OtherPaths.find(
      to: node, besides: path, from: host.graph.root(of: host.number),
      at: location.path(ofInner: 0), in: host.graph)
    let list = others.isEmpty ? "another value" : others.joined(separator: ", ")
    return ArchiveError(
      .mismatch,
      "\(list) \(others.count > 1 ? "refer" : "refers") to the same object, which would change there too; --shared changes it for all, --copy changes a copy for this path alone",
      path: path)
  }

  /// Copies the containers of the way from one on.
  private mutating func copy(_ links: [Link], from first: Int) throws(ArchiveError) {
    guard Set(links.map(\.members.node)).count == links.count else {
      throw refused(
        "the path passes through the same object twice; use the shorter path with --shared")
    }
    for position in first..<links.count {
      guard let slot = links[position].slot else { throw StoredMembers.derived }
      try changes.copy(links[position].members, in: slot, isFirst: position == first)
    }
  }

  // MARK: Values added, replaced and removed, and keys renamed

  private func refused(_ message: String) -> ArchiveError {
    ArchiveError(.mismatch, message, path: location.path)
  }

  /// The position that a child had, which must be there.
  private func position(
    of step: GraphPath.Step, in members: StoredMembers
  ) throws(ArchiveError) -> Int {
    guard let index = index(of: step, in: members.node) else { throw missing(step, members.node) }
    return index
  }

  private func missing(_ step: GraphPath.Step, _ node: Node) -> ArchiveError {
    let path = location.parentPath
    if host.graph.hiddenFields(of: node) != nil,
      GraphContainer(host.graph.value(of: node))?.position(of: step, in: host.graph) != nil
    {
      return StoredMembers.derived.moved(to: path)
    }
    switch step {
    case .index(let index):
      var message = "there is no element \(index) here"
      if case .elements(let elements)? = GraphContainer(host.value(of: node)) {
        message = "there is no element \(index); the list has \(elements.count)"
      }
      return ArchiveError(.mismatch, message, path: path)
    case .key(let key):
      return ArchiveError(
        .mismatch, "there is no key '\(key)' here", path: path, about: .missingKey)
    case .content, .anyMember, .anyElement:
      return ArchiveError(.mismatch, "the data value has no archive", path: path)
    }
  }

  private mutating func add(
    _ value: EditValue, at step: GraphPath.Step, _ members: StoredMembers
  ) throws(ArchiveError) {
    if case .key = step, let index = index(of: step, in: members.node) {
      return try replace(in: members.value(index), isElement: !members.isFields, by: value)
    }
    try members.requireKnownLayout()
    switch step {
    case .key(let key): try addMember(key, members, value)
    case .index(let index):
      guard case .elements? = GraphContainer(host.value(of: members.node)),
        (0...(count(of: members.node) ?? members.count)).contains(index)
      else { throw missing(step, members.node) }
      let made = try make(value, for: .init(isElement: true))
      switch members.layout {
      case .list(let holder):
        changes.insert(made.child, into: holder, before: index)
        expect(made, in: holder)
      case .numbered(let holder, _):
        history.addMoved(childrenOf: members)
        try changes.insertNumbered(made.child, at: index, into: holder, members)
        expect(made, in: holder)
      default: throw StoredMembers.derived
      }
    case .content, .anyMember, .anyElement: throw missing(step, members.node)
    }
  }

  private mutating func addMember(
    _ key: String, _ members: StoredMembers, _ value: EditValue
  ) throws(ArchiveError) {
    guard members.isFields || GraphContainer(host.value(of: members.node)).isMembers else {
      throw missing(.key(key), members.node)
    }
    if host.graph.hiddenFields(of: members.node) != nil {
      throw StoredMembers.derived.moved(to: location.parentPath)
    }
    history.add(key: key, to: members.owner)
    if case .list = members.layout { throw missing(.key(key), members.node) }
    let made = try make(value, for: .init(isElement: !members.isFields))
    try addMember(key, made.child, to: members)
    if let holder = members.holders.last { expect(made, in: holder) }
  }

  /// Adds a key and a stored value.
  private mutating func addMember(
    _ key: String, _ value: UInt32, kept: UInt32? = nil, to members: StoredMembers
  ) throws(ArchiveError) {
    switch members.layout {
    case .members(let holder, _):
      let key = changes.patch.add(members.isFields ? storedKey(key) : key)
      changes.addMember(key, value, kept: kept, to: holder)
    case .pairs(let keys, let values):
      changes.insert(try changes.addObject(key), into: keys)
      changes.insert(value, kept: kept, into: values)
    case .numbered(let holder, true):
      history.addMoved(childrenOf: members)
      let name = try changes.addObject(key)
      let count = members.count
      changes.addMember(changes.patch.add("NS.key.\(count)"), name, to: holder)
      changes.addMember(changes.patch.add("NS.object.\(count)"), value, to: holder)
    case .list, .numbered: throw missing(.key(key), members.node)
    }
  }

  private mutating func replace(
    in slot: Slot, isElement: Bool, by value: EditValue
  ) throws(ArchiveError) {
    guard let old = changes.child(in: slot) else { throw StoredMembers.derived }
    let made = try make(value, for: .init(isElement: isElement, replaced: (old, slot)))
    if made.replacesObject {
      expectations.append(.init(slot: slot, child: nil, value: made.value))
    } else {
      changes.set(slot, to: made.child)
      expect(made, in: slot.holder, slot.position)
    }
  }

  private mutating func expect(_ made: NewValues.Made, in holder: UInt32, _ position: Int = -1) {
    let slot = Slot(holder: changes.actual(holder), position: position)
    expectations.append(.init(slot: slot, child: made.child, value: made.value))
  }

  private mutating func removeValue(
    at step: GraphPath.Step, _ members: StoredMembers
  ) throws(ArchiveError) {
    let index = try position(of: step, in: members)
    try members.requireKnownLayout()
    if case .numbered(let holder, let hasKeys) = members.layout {
      history.addMoved(childrenOf: members)
      return try changes.removeNumbered(index, of: holder, hasKeys, members)
    }
    try remove(index, of: members)
  }

  private mutating func remove(_ index: Int, of members: StoredMembers) throws(ArchiveError) {
    let key = try members.key(index)
    changes.remove(try members.value(index))
    if let key { changes.remove(key) }
  }

  private mutating func rename(
    _ step: GraphPath.Step, _ members: StoredMembers, to key: String
  ) throws(ArchiveError) {
    let index = try position(of: step, in: members)
    if case .key(key) = step { return }
    guard let slot = try members.key(index), let old = changes.child(in: slot) else {
      throw refused("an element has no key")
    }
    guard self.index(of: .key(key), in: members.node) == nil else {
      throw refused("there is a key '\(key)' already")
    }
    if changes.patch.kind(of: old) == Marker.uid {
      guard host.graph.text(of: host.graph.follow(old, in: host.number)) != nil else {
        throw refused("the key is not a plain string")
      }
      changes.set(slot, to: try changes.addObject(key))
    } else {
      changes.set(slot, to: changes.patch.add(members.isFields ? storedKey(key) : key))
    }
    history.add(key: key, to: members.owner)
  }

  // MARK: Values made, moved and copied

  private mutating func make(
    _ value: EditValue, for destination: NewValues.Destination
  ) throws(ArchiveError) -> NewValues.Made {
    do throws(ArchiveError) {
      switch value {
      case .typed(let value): return try newValues.add(value, for: destination, to: &changes)
      case .part(let storage): return try newValues.add(storage, for: destination, to: &changes)
      case .copy(let source): return try copy(of: source, for: destination)
      }
    } catch {
      throw error.path == nil
        ? ArchiveError(error.code, error.message, path: location.path) : error
    }
  }

  private mutating func copy(
    of source: EditLocation, for destination: NewValues.Destination
  ) throws(ArchiveError) -> NewValues.Made {
    let node = try node(at: source)
    guard node.document == host.number else {
      return try newValues.add(
        TypedValue(node, of: host.graph), for: destination, to: &changes)
    }
    guard host.isKeyed else {
      return try newValues.copy(node.index, of: host, destination, &changes)
    }
    guard let last = source.steps.last, let holder = source.nodes.last,
      holder.document == host.number, let index = index(of: last, in: holder)
    else { return try newValues.copy(try host.rootValue(), of: host, destination, &changes) }
    // Nothing has edited the source, so that the slot has what was stored.
    let slot = try StoredMembers(of: holder, in: host).value(index)
    guard let stored = changes.child(in: slot) else { throw StoredMembers.derived }
    return try newValues.copy(stored, of: host, destination, &changes)
  }

  private func node(at location: EditLocation) throws(ArchiveError) -> Node {
    guard let last = location.steps.last, let holder = location.nodes.last else {
      return host.graph.root
    }
    guard let index = index(of: last, in: holder) else { throw missing(last, holder) }
    return GraphContainer(host.value(of: holder))?.child(index, in: host.graph) ?? holder
  }

  private mutating func move(
    _ source: EditLocation, to step: GraphPath.Step, _ target: StoredMembers
  ) throws(ArchiveError) {
    guard let from = source.nodes.last, let last = source.steps.last,
      from.document == target.node.document, let index = index(of: last, in: from)
    else { throw refused("the value cannot be moved there") }
    let members = try StoredMembers(of: from, in: host)
    for layout in [members.layout, target.layout] {
      if case .numbered = layout {
        throw refused(
          "values of a collection whose keys have numbers are not moved; copy and remove them")
      }
    }
    guard let old = changes.child(in: try members.value(index)) else {
      throw StoredMembers.derived
    }
    let isShared = try isShared(source)
    guard changes.copies.isEmpty, !isShared || sharing != .copied else {
      throw refused(
        "a value is not moved out of or into a shared object; copy and remove it")
    }
    try members.requireKnownLayout()
    try target.requireKnownLayout()
    try put(moved: old, at: step, target)
    try remove(index, of: members)
    history.add(members, source.nodes)
  }

  /// Whether others refer to the containers on the way to a value that is removed: an edit of its own.
  private mutating func isShared(_ source: EditLocation) throws(ArchiveError) -> Bool {
    let target = location
    location = source
    let links = try links()
    let shared = try sharedIndex(links)
    try requireOnePath(links)
    for link in links.suffix(1) { try changes.requireOwnStorage(link.members) }
    location = target
    return shared != nil
  }

  private mutating func put(
    moved old: UInt32, at step: GraphPath.Step, _ members: StoredMembers
  ) throws(ArchiveError) {
    if host.isKeyed, !members.isFields {
      guard changes.isUID(old) else {
        throw refused(
          "the value is stored inline in its object, and a collection refers to objects")
      }
      guard changes.patch.uid(at: old) != 0 else {
        throw refused("the value is nil, which no collection can contain")
      }
    }
    let index = index(of: step, in: members.node)
    if case .key(let key) = step {
      if let index {
        changes.set(try members.value(index), to: old, kept: old)
      } else {
        try addMember(key, old, kept: old, to: members)
      }
      return history.add(key: key, to: members.owner)
    }
    guard case .index(let index) = step, case .list(let holder) = members.layout,
      index <= count(of: members.node) ?? members.count
    else { throw missing(step, members.node) }
    changes.insert(old, kept: old, into: holder, before: index)
  }

  private func replaceTop(by value: EditValue) throws(ArchiveError) -> ByteStorage {
    let part: OpenedArchive
    switch value {
    case .typed(let value): part = try newValues.plainPart(value, like: nil)
    case .part(let storage): part = try OpenedArchive(storage, limits: host.graph.limits)
    case .copy(let source):
      let node = try node(at: source)
      if node.document == host.number {
        return try write(try ArchivePruning(of: host.document.withTop(node.index), nil))
      }
      part = try newValues.plainPart(TypedValue(node, of: host.graph), like: nil)
    }
    guard !part.isKeyed else { throw refused("the part is a keyed archive, but FILE is not") }
    return try write(try ArchivePruning(of: part.document, nil))
  }

  // MARK: The data values that contain archives

  /// Replaces the bytes of the data value at a location.
  ///
  /// - Returns: the new bytes of the document.
  mutating func replaceData(
    at location: EditLocation, with bytes: ByteStorage
  ) throws(ArchiveError) -> ByteStorage {
    self.location = location
    var slot = rootSlot
    if let last = location.innerSteps.last {
      let members = try container()
      guard let index = index(of: last, in: members.node) else { throw StoredMembers.derived }
      slot = try members.value(index)
    } else if slot == nil, !host.isKeyed {
      // The data is the whole document.
      var builder = GraphBuilder(capacity: bytes.bytes.count + 64)
      let top = builder.add(data: bytes.bytes)
      return try host.encoding.faithful(
        BinaryWriter.write(builder.finish(top: top)).intoStorage(), limits: host.graph.limits)
    }
    guard let slot, let old = changes.child(in: slot) else { throw StoredMembers.derived }
    let new = changes.patch.add(encoded: TablePatch.encoded(data: bytes.bytes))
    try replaceData(in: slot, old, with: new)
    return try finish().storage
  }

  private mutating func replaceData(
    in slot: Slot, _ old: UInt32, with new: UInt32
  ) throws(ArchiveError) {
    let node = host.graph.follow(old, in: host.number)
    let isShared =
      !location.innerSteps.isEmpty && changes.patch.kind(of: old) == Marker.uid
      && references.hasOther(to: node.index, than: slot)
    if isShared, sharing == .refused { throw refusal(node, location.innerNodes.count) }
    guard changes.isUID(old) else { return changes.set(slot, to: new) }
    var value = new
    if host.table.marker(of: node.index) >> 4 == Marker.dictionary {
      // An object of NSMutableData keeps its class.
      let member = host.table.members(of: node.index).first {
        host.table.marker(of: $0.value) >> 4 == Marker.data
      }
      guard let member else { throw StoredMembers.derived }
      value = changes.patch.addCopy(of: node.index)
      changes.patch.setChild(of: value, at: member.position, to: new)
    }
    if isShared, sharing == .copied {
      return changes.set(slot, to: try changes.addObject(value))
    }
    try changes.replaceObject(changes.patch.uid(at: old), by: value)
  }

  // MARK: The result

  /// Writes the document, and compares it with the old one and the edits.
  func finish() throws(ArchiveError) -> EditVerification.Result {
    if let whole {
      let reader = ArchiveReader(limits: host.graph.limits, forEditing: true)
      return EditVerification.Result(
        storage: whole, graph: try reader.read(whole, nested: false), nodes: [])
    }
    let before = try ArchivePruning(of: host.document, host.parts).found
    let pruning = try ArchivePruning(
      of: host.document, host.parts, with: changes.patched(), keepingUnreachedBy: before)
    let verification = EditVerification(
      host: host, changes: changes, expectations: expectations, sets: sets, location: location.path)
    return try verification.verify(write(pruning))
  }

  private func write(_ pruning: ArchivePruning) throws(ArchiveError) -> ByteStorage {
    try host.encoding.faithful(pruning.write().intoStorage(), limits: host.graph.limits)
  }
}

extension GraphContainer? {
  /// Whether it has members.
  fileprivate var isMembers: Bool {
    if case .members? = self { true } else { false }
  }
}
