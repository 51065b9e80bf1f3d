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

  mutating func set(_ slot: Slot, to value: UInt32, kept: UInt32? = nil) {
    set(slot, to: Child(value: value, origin: nil, kept: kept))
  }

  /// Replaces the child of a slot by one of the same container.
  mutating func set(_ slot: Slot, to child: Child) {
    let holder = actual(slot.holder)
    containers[holder] = children(of: holder).map { $0.origin == slot.position ? child : $0 }
  }

  /// Inserts a child before the one that is at a position now, or after the last.
  mutating func insert(_ value: UInt32, into holder: UInt32, before position: Int) {
    let holder = actual(holder)
    var list = children(of: holder)
    list.insert(Child(value: value, origin: nil, kept: nil), at: min(position, list.count))
    containers[holder] = list
  }

  mutating func remove(_ slot: Slot) {
    let holder = actual(slot.holder)
    containers[holder] = children(of: holder).filter { $0.origin != slot.position }
  }

  mutating func addMember(_ key: UInt32, _ value: UInt32, to holder: UInt32) {
    let holder = actual(holder)
    var list = children(of: holder)
    list.insert(Child(value: key, origin: nil, kept: nil), at: list.count / 2)
    list.append(Child(value: value, origin: nil, kept: nil))
    containers[holder] = list
  }
}
