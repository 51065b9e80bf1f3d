// Typed JSON of a resolved keyed archive made an archive again: objects numbered, references UIDs.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

/// Builds the stored values of a keyed archive from the typed JSON of its graph.
///
/// In the fields of an object a number or boolean is stored inline and everything else as a separate
/// object, unless the tags `$boxed` and `$inline` say otherwise.
package struct TaggedGraph: ~Copyable {
  /// Whether a value becomes an object behind a UID, or is stored inline.
  private enum Position {
    case object
    case field
    case inline
  }

  private enum Layout {
    /// Elements of an NSArray, NSSet or NSOrderedSet.
    case collection(className: String)
    /// The pairs of an NSDictionary, its keys first.
    case dictionary
    /// The fields of an object with its class record.
    case fields(JSONTag.ClassFacts)
    /// An array, set or ordered set that is stored inline.
    case inlineElements(UInt8)
    /// A dictionary that is stored inline, its keys first.
    case inlineDictionary
  }

  /// Not a `GraphWalk`: a level gathers what its tag makes of its children.
  private struct Frame {
    let layout: Layout
    /// Whether its pairs or fields are objects with `key` and `value`.
    let hasEntries: Bool
    let start: UnsafeRawPointer
    let count: Int
    /// Its object number; nil if it is stored inline.
    let number: UInt32?
    /// Where its children begin on the stack of them.
    let base: Int
    let identity: Int64?
    var next = 0
  }

  private let document: Document
  private let table: ValueTable
  private let limits: Limits
  private var objects: NumberedObjects
  private var archiver = "NSKeyedArchiver"
  private var version: Int64 = 100_000
  /// The target of a `$ref`: the stored value that replaces it.
  private var identities: [Int64: UInt32] = [:]
  private var stack: [Frame] = []
  private var children: [UInt32] = []
  /// The chains of classes for which the JSON names none.
  private var chains: [CodePointString: [String]]?
  /// A class whose chain is not known.
  private var unknownClass: String?

  /// Whether null in a collection is NSNull, which alone represents it there.
  private let boxesNull: Bool

  private init(_ document: Document, _ limits: Limits, boxesNull: Bool) {
    self.document = document
    self.limits = limits
    self.boxesNull = boxesNull
    table = document.table
    objects = NumberedObjects(capacity: document.table.byteCount * 2)
  }

  /// Makes the stored values of an archive.
  ///
  /// - Parameters:
  ///   - document: a JSON document of kind `graph`.
  ///   - boxesNull: whether null in a collection is NSNull, not nil.
  ///   - chains: the chains of classes for which the JSON names none; nil to leave them without one.
  /// - Throws: `ArchiveError` at a `$ref` without its `$id`, or code `limit`.
  package static func archive(
    of document: Document, limits: Limits, boxesNull: Bool = false,
    chains: [CodePointString: [String]]? = nil
  ) throws(ArchiveError) -> Document {
    var graph = TaggedGraph(document, limits, boxesNull: boxesNull)
    graph.chains = chains
    let root = graph.readArchive(document.top)
    try graph.begin(root, .object)
    try graph.run()
    if let name = graph.unknownClass {
      throw ArchiveError(
        .mismatch,
        "the archive has no object of class \(name); \"classes\" in \"$object\" names it and its superclasses"
      )
    }
    return graph.finish()
  }

  /// The header of the archive; only the outermost value can be one.
  private mutating func readArchive(_ top: UInt32) -> UInt32 {
    guard table.marker(of: top) >> 4 == Marker.dictionary,
      case .archive(let name, let version, let root)? = JSONTag(top, in: table)
    else { return top }
    archiver = table.text(at: name)?.string ?? archiver
    self.version = version
    return root
  }

  private consuming func finish() -> Document {
    let root = children.first ?? 0
    return objects.finish(tops: [("root", root)], archiver: archiver, version: version)
  }

  private mutating func run() throws(ArchiveError) {
    while let frame = stack.last {
      guard frame.next < frame.count else {
        stack.removeLast()
        close(frame)
        continue
      }
      stack[stack.count - 1].next += 1
      try begin(child(of: frame), position(of: frame))
    }
  }

  /// The storage of the next child of a container unless it is tagged.
  private func position(of frame: Frame) -> Position {
    switch frame.layout {
    case .fields: return .field
    // The keys of a dictionary that no class reads are strings.
    case .inlineDictionary: return frame.next < frame.count / 2 ? .inline : .object
    default: return .object
    }
  }

  private func child(of frame: Frame) -> UInt32 {
    if case .fields = frame.layout {
      guard !frame.hasEntries else { return member("value", frame.next, of: frame) }
      return table.reference(frame.start, frame.count + frame.next)
    }
    guard frame.hasEntries else { return table.reference(frame.start, frame.next) }
    let half = frame.count / 2
    return member(frame.next < half ? "key" : "value", frame.next % half, of: frame)
  }

  private func member(_ name: StaticString, _ position: Int, of frame: Frame) -> UInt32 {
    let entry = table.reference(frame.start, position)
    return table.value(name, of: entry) ?? entry
  }

  // MARK: Beginning

  private mutating func begin(
    _ index: UInt32, _ position: Position, identity: Int64? = nil
  ) throws(ArchiveError) {
    let kind = table.marker(of: index) >> 4
    guard kind >= Marker.array else {
      return children.append(store(table.scalar(at: index), position))
    }
    guard kind == Marker.dictionary, let tag = JSONTag(index, in: table) else {
      let isList = kind != Marker.dictionary
      if position == .inline {
        let layout = isList ? Layout.inlineElements(Marker.array) : .inlineDictionary
        return try push(layout, index, nil, identity)
      }
      return try enter(isList ? .collection(className: "NSArray") : .dictionary, index, identity)
    }
    try begin(tag, index, position, identity)
  }

  private mutating func begin(
    _ tag: JSONTag, _ index: UInt32, _ position: Position, _ identity: Int64?
  ) throws(ArchiveError) {
    let isInline = position == .inline
    switch tag {
    case .scalar(let scalar): add(store(tagged: scalar, position), identity)
    case .data(let text):
      let stored = objects.builder.add(base64: text, of: table)
      add(isInline ? stored : objects.uid(objects.scalar(stored)), identity)
    case .set(let list):
      if isInline { return try push(.inlineElements(Marker.set), list, nil, identity) }
      try enter(.collection(className: "NSSet"), list, identity)
    case .orderedSet(let list):
      if isInline { return try push(.inlineElements(Marker.orderedSet), list, nil, identity) }
      try enter(.collection(className: "NSOrderedSet"), list, identity)
    case .entries(let list):
      if isInline { return try push(.inlineDictionary, hasEntries: true, list, nil, identity) }
      try enter(.dictionary, hasEntries: true, list, identity)
    case .object(let facts, let fields):
      try refuseShown(facts, fields, index)
      if case .entries(let list)? = JSONTag(fields, in: table) {
        try checkNames(of: list)
        return try enter(.fields(facts), hasEntries: true, list, identity)
      }
      try enter(.fields(facts), fields, identity)
    case .archive:
      throw document.error(.malformed, "\"$archive\" can be only the outermost value", at: index)
    case .identified(let id, let value): try begin(value, position, identity: id)
    case .inline(let value): try begin(value, .inline, identity: identity)
    case .boxed(let value): try begin(value, .object, identity: identity)
    case .reference(let id):
      guard let known = identities[id] else {
        throw document.error(.dangling, "no value before this one has \"$id\": \(id)", at: index)
      }
      children.append(known)
    }
  }

  private mutating func add(_ made: UInt32, _ identity: Int64?) {
    children.append(made)
    if let identity { identities[identity] = made }
  }

  /// A scalar where its position wants it: itself, or the UID of its object.
  private mutating func store(_ value: Value, _ position: Position) -> UInt32 {
    let stored = objects.builder.add(scalar: value)
    if case .null = value, position != .inline {
      // The root may be nil; its holder decides.
      let isElement = boxesNull && position == .object && !stack.isEmpty
      return objects.uid(isElement ? objects.null() : 0)
    }
    switch (position, value) {
    case (.inline, _), (.field, .boolean), (.field, .integer), (.field, .real): return stored
    default: return objects.uid(objects.scalar(stored))
    }
  }

  private mutating func store(tagged scalar: Value, _ position: Position) -> UInt32 {
    if position != .inline, case .date(let seconds) = scalar {
      let time = objects.builder.add(seconds)
      return objects.uid(objects.object("NSDate", [("NS.time", time)]))
    }
    let stored = objects.builder.add(scalar: scalar)
    switch (position, scalar) {
    case (.inline, _), (.field, .real), (.field, .single), (.field, .integer), (.field, .unsigned),
      (.field, .wide):
      return stored
    default: return objects.uid(objects.scalar(stored))
    }
  }

  /// Begins an object of its own; what refers to it can do so from now on.
  private mutating func enter(
    _ layout: Layout, hasEntries: Bool = false, _ index: UInt32, _ identity: Int64?
  ) throws(ArchiveError) {
    let number = objects.add()
    let reference = objects.uid(number)
    children.append(reference)
    if let identity { identities[identity] = reference }
    try push(layout, hasEntries: hasEntries, index, number, nil)
  }

  private mutating func push(
    _ layout: Layout, hasEntries: Bool = false, _ index: UInt32, _ number: UInt32?,
    _ identity: Int64?
  ) throws(ArchiveError) {
    guard stack.count < limits.depth else {
      throw .tooDeep(limits.depth, offset: document.fileOffset(of: index))
    }
    var (start, count) = table.counted(index)
    switch layout {
    case .dictionary, .inlineDictionary: count *= 2
    default: break
    }
    stack.append(
      Frame(
        layout: layout, hasEntries: hasEntries, start: start, count: count, number: number,
        base: children.count, identity: identity))
  }

  // MARK: Closing

  private mutating func close(_ frame: Frame) {
    let made = container(frame)
    children.removeSubrange(frame.base...)
    if let number = frame.number {
      objects.set(number, to: made)
    } else {
      children.append(made)
      if let identity = frame.identity { identities[identity] = made }
    }
  }

  private mutating func container(_ frame: Frame) -> UInt32 {
    let end = frame.base + frame.count
    let half = frame.base + frame.count / 2
    switch frame.layout {
    case .collection(let name):
      openCollection(frame.base..<end, name)
      objects.appendClass(FoundationClass.description(name))
    case .dictionary:
      // The keys of an NSDictionary are objects: this is a stored dictionary, such as the record of a class.
      if half > frame.base, areTexts(frame.base..<half) {
        return objects.builder.add(pairs: zip(children[frame.base..<half], children[half..<end]))
      }
      let keys = objects.builder.add(list: children[frame.base..<half])
      let values = objects.builder.add(list: children[half..<end])
      objects.builder.open([("NS.keys", keys), ("NS.objects", values)])
      objects.appendClass(FoundationClass.description("NSDictionary"))
    case .inlineElements(let kind):
      return objects.builder.add(list: children[frame.base..<end], kind)
    case .inlineDictionary:
      return objects.builder.add(pairs: zip(children[frame.base..<half], children[half..<end]))
    case .fields(let facts): openFields(frame, facts)
    }
    return objects.builder.closeDictionary()
  }

  /// Whether children are strings that are stored where they are.
  private func areTexts(_ range: Range<Int>) -> Bool {
    for child in children[range] where objects.builder.string(at: child) == nil { return false }
    return true
  }

  /// The elements of a collection: an ordered set has a key for each, as Foundation reads it.
  private mutating func openCollection(_ range: Range<Int>, _ name: String) {
    let elements =
      name == "NSOrderedSet"
      ? range.enumerated().map { ("NS.object.\($0.offset)", children[$0.element]) }
      : [("NS.objects", objects.builder.add(list: children[range]))]
    objects.builder.open(elements)
  }

  private mutating func openFields(_ frame: Frame, _ facts: JSONTag.ClassFacts) {
    objects.builder.open()
    for position in 0..<frame.count {
      let name =
        frame.hasEntries
        ? member("key", position, of: frame) : table.reference(frame.start, position)
      objects.builder.append(objects.builder.add(scalar: table.scalar(at: name)))
      objects.builder.append(children[frame.base + position])
    }
    let className = table.text(at: facts.name)?.string ?? ""
    var chain = names(facts.chain)
    if facts.chain == nil, let chains {
      chain = chains[CodePointString(className)] ?? []
      if chains[CodePointString(className)] == nil { unknownClass = className }
    }
    let versions = list(facts.versions).compactMap { index -> Int64? in
      if case .integer(let number) = table.scalar(at: index) { number } else { nil }
    }
    objects.appendClass(
      ClassDescription(
        name: className, displayName: className, chain: chain,
        hints: names(facts.hints), versions: versions))
  }

  /// Throws for an object of a framework with members that are shown of it instead of its fields.
  private func refuseShown(
    _ facts: JSONTag.ClassFacts, _ fields: UInt32, _ index: UInt32
  ) throws(ArchiveError) {
    guard let name = table.text(at: facts.name)?.string,
      table.marker(of: fields) >> 4 == Marker.dictionary
    else { return }
    let members: [String] = table.members(of: fields).compactMap { table.text(at: $0.key)?.string }
    if let objection = ClassRegistry.objection(toFields: members, of: name, names(facts.chain)) {
      throw document.error(.unrepresentable, objection, at: index)
    }
  }

  private func checkNames(of entries: UInt32) throws(ArchiveError) {
    for entry in table.children(of: entries) {
      if table.value("key", of: entry).flatMap({ table.text(at: $0) }) == nil {
        throw document.error(.malformed, "the key of a field must be a string", at: entry)
      }
    }
  }

  private func names(_ index: UInt32?) -> [String] {
    list(index).compactMap { table.text(at: $0)?.string }
  }

  /// The scalars of a list; empty without a list.
  private func list(_ index: UInt32?) -> [UInt32] {
    guard let index, table.marker(of: index) >> 4 == Marker.array else { return [] }
    return table.children(of: index).filter { table.marker(of: $0) >> 4 < Marker.array }
  }
}

// MARK: - Values that were put aside as typed JSON, brought back into a graph

extension ObjectGraph {
  /// Adds the values of typed JSON, beside everything else.
  ///
  /// - Returns: its root, the classes and references of its objects resolved.
  /// - Throws: `ArchiveError` if the bytes are not JSON, or its tags are malformed.
  package func add(typedJSON storage: ByteStorage) throws(ArchiveError) -> Node {
    let json = try JSONReader.read(storage.bytes, fileOffset: nil, limits: limits)
    let number = add(try Conversion.untagged(json, limits: limits))
    try KeyedArchive.resolve(document: number, in: self)
    return root(of: number)
  }

  /// The values of typed JSON; the graph itself if its values are plain.
  ///
  /// - Throws: `ArchiveError` if its tags are malformed.
  package func untagged() throws(ArchiveError) -> ObjectGraph {
    if TaggedJSON.kind(of: documents[0]) == .plain { return self }
    let graph = ObjectGraph(limits: limits)
    let number = graph.add(try Conversion.untagged(documents[0], limits: limits))
    try KeyedArchive.resolve(document: number, in: graph)
    return graph
  }
}
