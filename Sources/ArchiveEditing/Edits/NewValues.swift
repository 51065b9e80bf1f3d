// The values that an edit puts into a document, in the form that their position needs.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

/// Makes values of typed JSON, of other archives and of the document itself.
///
/// Errors without a path are about the edited value.
struct NewValues {
  typealias Slot = StoredMembers.Slot

  /// A value that was added to the values of a document.
  struct Made {
    /// What its container refers to: the value, or a UID.
    let child: UInt32
    /// Whether it has replaced the object that its container refers to already.
    var replacesObject = false
    /// What must be there in the end.
    let value: EditVerification.Value
  }

  /// Where a value goes.
  struct Destination {
    /// Whether it is an element or the value of a dictionary's key, not a field of an object or a top-level key.
    let isElement: Bool
    /// The value that it replaces; nil for a new element or member.
    var replaced: (child: UInt32, slot: Slot)?
  }

  private let host: OpenedArchive
  private var limits: Limits { host.graph.limits }
  private var records: ClassRecords

  init(for host: OpenedArchive) {
    self.host = host
    records = ClassRecords(of: host.side)
  }

  /// The encoding holds the new value only as another one, or would change others.
  static let difference = ArchiveError(
    .mismatch,
    "not edited: in the encoding of the file the result would differ in more than the edit")

  /// Adds a value in typed JSON.
  mutating func add(
    _ value: TypedValue, for destination: Destination, to changes: inout ChangedContainers
  ) throws(ArchiveError) -> Made {
    if host.isKeyed { return try object(value, destination, &changes) }
    let old = destination.replaced.flatMap { host.table.scalar(at: $0.child) }
    let part = try plainPart(value, like: old)
    return try copy(part.document.top, of: part, destination, &changes)
  }

  /// Adds the root of an archive, or the top of a property list.
  mutating func add(
    _ storage: ByteStorage, for destination: Destination, to changes: inout ChangedContainers
  ) throws(ArchiveError) -> Made {
    let part = try OpenedArchive(storage, limits: limits)
    guard part.isKeyed == host.isKeyed else {
      throw ArchiveError(
        .mismatch,
        host.isKeyed
          ? "the part is not a keyed archive; convert --to keyed-archive makes one from it"
          : "the part is a keyed archive, but FILE is not")
    }
    return try copy(try part.rootValue(), of: part, destination, &changes)
  }

  // MARK: Property lists

  /// A value in typed JSON as a property list.
  func plainPart(_ value: TypedValue, like old: Value?) throws(ArchiveError) -> OpenedArchive {
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
      let indexes = 0..<UInt32(truncatingIfNeeded: document.table.count)
      if indexes.contains(where: { document.table.marker(of: $0) == 0 }) {
        throw ArchiveError(.mismatch, "a property list has no null")
      }
    }
    return try OpenedArchive(BinaryWriter.write(document).intoStorage(), limits: limits)
  }

  // MARK: Keyed archives

  private mutating func object(
    _ value: TypedValue, _ destination: Destination, _ changes: inout ChangedContainers
  ) throws(ArchiveError) -> Made {
    var storage: FieldStorage?
    var isObject = false
    switch try value.tag(limits) {
    case .inline?: storage = .inline
    case .boxed?: storage = .boxed
    case .object?: isObject = true
    default: break
    }
    if try value.isNull(limits) {
      if destination.isElement { return try object(.nullObject, destination, &changes) }
      if let old = destination.replaced?.child, !changes.isUID(old) {
        try requireType(.null, of: old)
      }
      return Made(child: Self.addNil(&changes), value: .meaning(value, nil))
    }
    var value = value
    if let (old, slot) = destination.replaced, storage == nil {
      if !changes.isUID(old) {
        return try inline(value, instead: old, &changes)
      }
      let node = host.graph.follow(old, in: host.number)
      if !isObject, old != 0, let made = try kept(value, node, old, slot, &changes) { return made }
      value = try value.like(host.table.scalar(at: node.index))
    }
    let part = try keyedPart(value)
    let made = try copy(try part.rootValue(), of: part, destination, &changes, as: storage)
    // The classes of a typedstream have versions, which are those of the system.
    guard host.document.encoding.isTranslated else { return made }
    return Made(
      child: made.child, replacesObject: made.replacesObject, value: .meaning(value, nil))
  }

  private static func addNil(_ changes: inout ChangedContainers) -> UInt32 {
    changes.patch.add(encoded: TablePatch.encoded(uid: 0))
  }

  /// The classes that typed JSON has without their superclasses.
  private static let plainClasses = [
    "NSNull", "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet",
    "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet", "NSString", "NSMutableString", "NSData",
    "NSMutableData", "NSDate", "NSURL", "NSUUID",
  ]

  /// A value in typed JSON as a keyed archive.
  private func keyedPart(_ value: TypedValue) throws(ArchiveError) -> OpenedArchive {
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
    for name in Self.plainClasses {
      chains[CodePointString(name)] = FoundationClass.chain(of: name)
    }
    for description in host.graph.classes {
      chains[CodePointString(description.name)] = description.chain
    }
    let archive = try TaggedGraph.archive(
      of: text, limits: limits, boxesNull: true, chains: chains)
    return try OpenedArchive(BinaryWriter.write(archive).intoStorage(), limits: limits)
  }

  /// A value for a position whose value is stored inline.
  private mutating func inline(
    _ value: TypedValue, instead old: UInt32, _ changes: inout ChangedContainers
  ) throws(ArchiveError) -> Made {
    let text = try value.like(host.table.scalar(at: old)).text
    let part = try keyedPart(TypedValue(unchecked: "{\"$inline\":\(text)}"))
    let root = try part.rootValue()
    let node = Node(document: part.number, index: root)
    try requireType(part.graph.storedValue(of: node), of: old)
    return try copy(root, of: part, Destination(isElement: false), &changes, as: .inline)
  }

  /// Requires a value of the type that is stored inline.
  private func requireType(_ value: Value, of old: UInt32) throws(ArchiveError) {
    let stored = host.graph.storedValue(of: Node(document: host.number, index: old))
    guard value.typeName != stored.typeName else { return }
    let name =
      switch stored.isContainer ? "container" : stored.typeName {
      case "data": "data"
      case "integer": "an integer"
      case let name: "a \(name)"
      }
    throw ArchiveError(
      .mismatch,
      "\(name) is stored inline there; only a value of the same type can replace it, unless typed JSON says \"$boxed\""
    )
  }

  // MARK: Copies

  /// Copies a value of a property list, or of an archive: a UID, or one that is stored inline.
  ///
  /// - Parameter storage: the storage that typed JSON names.
  mutating func copy(
    _ root: UInt32, of part: OpenedArchive, _ destination: Destination,
    _ changes: inout ChangedContainers, as storage: FieldStorage? = nil
  ) throws(ArchiveError) -> Made {
    guard host.isKeyed else {
      let child = try PartCopy.copy(value: root, of: part, into: &changes.patch)
      return Made(child: child, value: .stored(part.side, root))
    }
    let objects = try changes.ownObjects()
    let node = part.graph.follow(root, in: part.number)
    let expected = EditVerification.Value.stored(part.side, node.index)
    let isUID = part.table.marker(of: root) >> 4 == Marker.uid
    let value = part.graph.storedValue(of: node)
    let isInline = try isInline(value, destination, storage, changes)
    if storage == .inline, destination.isElement {
      throw ArchiveError(.mismatch, "a collection refers to objects and stores nothing inline")
    }
    if isInline, !value.isContainer {
      let bytes = Array(part.table.bytes(of: node.index))
      return Made(child: changes.patch.add(encoded: bytes), value: expected)
    }
    if isUID, part.table.uid(at: root) == 0 {
      if destination.isElement {
        throw ArchiveError(.mismatch, "the part is nil, which no collection can contain")
      }
      return Made(child: Self.addNil(&changes), value: expected)
    }
    let count = changes.patch.count
    var child = try PartCopy.copy(root, of: part, into: objects, &records, &changes.patch)
    if !isUID, !isInline { child = try changes.addObject(child) }
    if let (old, slot) = destination.replaced,
      try changes.replaceObject(old, in: slot, by: child, after: count)
    {
      return Made(child: old, replacesObject: true, value: expected)
    }
    return Made(child: child, value: expected)
  }

  /// Whether a value is stored in its container.
  private func isInline(
    _ value: Value, _ destination: Destination, _ storage: FieldStorage?,
    _ changes: ChangedContainers
  ) throws(ArchiveError) -> Bool {
    if let old = destination.replaced?.child {
      if storage == .boxed || changes.isUID(old) { return storage == .inline }
      try requireType(value, of: old)
      return true
    }
    // As archivers encode numbers; everything else is an object.
    let isNumber = ["null", "boolean", "integer", "real"].contains(value.typeName)
    return !destination.isElement && (storage == .inline || isNumber && storage != .boxed)
  }

  // MARK: New values in the classes of the objects that they replace

  /// A value in the class of the object that it replaces; nil if there is none to keep.
  private mutating func kept(
    _ value: TypedValue, _ node: Node, _ old: UInt32, _ slot: Slot,
    _ changes: inout ChangedContainers
  ) throws(ArchiveError) -> Made? {
    guard let description = host.graph.classDescription(of: node) else { return nil }
    let oldValue = host.graph.value(of: node)
    let kind = try value.kind(limits)
    func refusal(_ hint: String) -> ArchiveError {
      ArchiveError(
        .mismatch, "an object of class \(description.displayName) is there; \(hint)")
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
    let objects = try changes.ownObjects()
    let root = try part.rootValue()
    let count = changes.patch.count
    let child: UInt32
    if oldValue.isContainer {
      child = try PartCopy.copy(root, of: part, into: objects, &records, &changes.patch)
      let number = Int(truncatingIfNeeded: changes.patch.uid(at: child))
      guard let object = changes.patch.child(of: objects, at: number),
        let name = host.table.value("$class", of: node.index)
      else { throw Self.difference }
      // New containers have their class last.
      let last = changes.patch.childCount(of: object) - 1
      changes.patch.setChild(of: object, at: last, to: name)
    } else {
      let source = part.graph.follow(root, in: part.number)
      guard let object = try scalarObject(source, of: part, like: node, &changes) else {
        throw refusal("typed JSON with \"$object\" names the class of the new one")
      }
      child = try changes.addObject(object)
    }
    let isReplaced = try changes.replaceObject(old, in: slot, by: child, after: count)
    return Made(
      child: isReplaced ? old : child, replacesObject: isReplaced,
      value: .meaning(value, description))
  }

  /// A copy of an object with another scalar in it; nil if its layout is not known.
  private func scalarObject(
    _ source: Node, of part: OpenedArchive, like node: Node, _ changes: inout ChangedContainers
  ) throws(ArchiveError) -> UInt32? {
    guard host.table.marker(of: node.index) >> 4 == Marker.dictionary else { return nil }
    var content: (key: String, position: Int, child: UInt32)?
    for member in host.table.members(of: node.index) {
      switch host.table.text(at: member.key)?.string ?? "" {
      case "$class": continue
      case "NS.base":
        guard changes.isUID(member.value), changes.patch.uid(at: member.value) == 0 else {
          return nil
        }
      case let key where content == nil: content = (key, member.position, member.value)
      default: return nil
      }
    }
    guard let content, let new = try scalar(source, of: part, for: content.key) else { return nil }
    let object = changes.patch.addCopy(of: node.index)
    let scalar = changes.patch.add(encoded: new)
    changes.patch.setChild(
      of: object, at: content.position,
      to: changes.isUID(content.child) ? try changes.addObject(scalar) : scalar)
    return object
  }

  /// A scalar as it is stored under a key; nil if the key has no such value.
  private func scalar(
    _ source: Node, of part: OpenedArchive, for key: String
  ) throws(ArchiveError) -> [UInt8]? {
    switch (key, part.graph.value(of: source)) {
    case ("NS.string", .string), ("NS.relative", .string):
      return Array(part.table.bytes(of: source.index))
    case ("NS.bytes", .string(let text)):
      return Array(text.string.utf8).withByteView { TablePatch.encoded(data: $0) }
    case ("NS.uuidbytes", .string(let text)):
      guard let bytes = NSUUIDClass.bytes(of: text.string) else {
        throw ArchiveError(.mismatch, "an NSUUID is there, and the string is not a UUID")
      }
      return bytes.withByteView { TablePatch.encoded(data: $0) }
    case ("NS.data", .data(let bytes)), ("NS.bytes", .data(let bytes)):
      return TablePatch.encoded(data: bytes)
    case ("NS.time", .date(let seconds)):
      // A real of 8 bytes.
      return [Marker.real << 4 | 3]
        + withUnsafeBytes(of: seconds.bitPattern.bigEndian) { Array($0) }
    default: return nil
    }
  }
}
