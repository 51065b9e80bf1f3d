// What an edit does at its location: values are added, replaced and removed, and keys renamed.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

extension StoredEditor {
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
      guard let container = GraphContainer(host.graph.value(of: node)),
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
    let path = GraphPath(start.steps + steps.dropLast())
    switch step {
    case .index(let index):
      if case .elements(let elements)? = GraphContainer(host.graph.value(of: node)) {
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
      guard case .elements? = GraphContainer(host.graph.value(of: node)),
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
    guard members.isFields || GraphContainer(host.graph.value(of: link.node)).isMembers else {
      throw missing(.key(key), link.node)
    }
    addKey(key, to: link.node)
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
    addKey(key, to: link.node)
  }

  /// The path of the edit.
  var location: GraphPath { GraphPath(start.steps + steps) }

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
    var next = Child(value: made.child, origin: nil, kept: nil)
    for position in positions { swap(&list[position], &next) }
    let name = patch.add("NS.object.\(members.count)")
    list.insert(Child(value: name, origin: nil, kept: nil), at: list.count / 2)
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
