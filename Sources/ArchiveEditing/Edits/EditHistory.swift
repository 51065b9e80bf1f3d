// What became of the values that were read: edits find values by the paths that they have after the edits before.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting

/// Where a step leads in a document that is being edited.
package enum EditedChild {
  /// To the child that was at a position of the container before the edits.
  case stored(Int)
  /// Nowhere.
  case missing
  /// To a child that an edit has made, moved or replaced.
  case changed
}

/// The edits so far: which values they passed through, and which children they made and moved.
struct EditHistory {
  private let host: OpenedArchive
  /// The containers in which children were edited, by their owners.
  private var edited: [UInt32: StoredMembers] = [:]
  /// All values on the way to an edit, in every document.
  private(set) var entered: Set<Node> = []
  private var addedKeys: [UInt32: Set<CodePointString>] = [:]
  /// Containers whose children are not found any more by their positions before.
  private var opaque: Set<UInt32> = []

  init(of host: OpenedArchive) { self.host = host }

  /// Remembers an edit to the children of a container, and the values on the way to it.
  mutating func add(_ members: StoredMembers?, _ nodes: [Node]) {
    if let members { edited[members.owner] = members }
    entered.formUnion(nodes)
  }

  mutating func add(key: String, to owner: UInt32) {
    addedKeys[owner, default: []].insert(CodePointString(key))
  }

  /// Remembers that the children of a container have other positions.
  mutating func addMoved(childrenOf members: StoredMembers) { opaque.insert(members.owner) }

  /// The error for values that were edited before; never shown: the document is written and read first.
  static let touched = ArchiveError(.mismatch, "an earlier edit has changed the value")

  // MARK: Finding values

  /// Where a step leads after the edits so far.
  func find(_ step: GraphPath.Step, in node: Node, _ changes: ChangedContainers) -> EditedChild {
    var position = position(of: step, in: node)
    guard node.document == host.number, let members = edited[node.index] else {
      return position.map { .stored($0) } ?? .missing
    }
    if opaque.contains(node.index) { return .changed }
    switch step {
    case .index(let index):
      guard case .list(let holder) = members.layout, let list = changes.lists[holder] else { break }
      guard list.indices.contains(index) else { return .missing }
      guard let origin = list[index].origin else { return .changed }
      position = origin
    case .key(let key):
      if addedKeys[node.index]?.contains(CodePointString(key)) == true { return .changed }
    case .content, .anyMember, .anyElement: break
    }
    guard let position else { return .missing }
    return isAsStored(position, of: members, changes) ? .stored(position) : .changed
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
  private func isAsStored(
    _ position: Int, of members: StoredMembers, _ changes: ChangedContainers
  ) -> Bool {
    do throws(ArchiveError) {
      guard let value = changes.child(in: try members.value(position)) else { return false }
      if let key = try members.key(position), changes.child(in: key) == nil { return false }
      return !changes.isReplaced(value)
    } catch {
      return false
    }
  }

  /// How many elements an edited list has now; nil for any other value.
  func count(of node: Node, _ changes: ChangedContainers) -> Int? {
    guard node.document == host.number, let members = edited[node.index],
      case .list(let holder) = members.layout
    else { return nil }
    return changes.lists[holder]?.count
  }

  // MARK: Values that were edited before

  /// Requires that no earlier edit has changed what another changes or copies.
  func requireUntouched(
    _ action: EditAction, _ step: GraphPath.Step, _ node: Node, _ changes: ChangedContainers
  ) throws(ArchiveError) {
    if entered.isEmpty { return }
    guard !opaque.contains(node.index) else { throw Self.touched }
    switch (action, step) {
    case (.add, .index): break
    default: try requireUntouched(step, node, changes)
    }
    switch action {
    case .renameKey(let key): try requireUntouched(.key(key), node, changes)
    case .move(let source), .add(.copy(let source)), .replace(.copy(let source)):
      guard let last = source.steps.last, let node = source.nodes.last else { throw Self.touched }
      try requireUntouched(last, node, changes)
    default: break
    }
  }

  private func requireUntouched(
    _ step: GraphPath.Step, _ node: Node, _ changes: ChangedContainers
  ) throws(ArchiveError) {
    switch find(step, in: node, changes) {
    case .changed: throw Self.touched
    case .missing: return
    case .stored(let position):
      guard let container = GraphContainer(host.value(of: node)),
        !entered.contains(container.child(position, in: host.graph))
      else { throw Self.touched }
    }
  }
}
