// Keyed archives assembled from others: unchanged objects are copied as they are stored, one by one.
//
// Objects are numbered in the order of their source archive, new ones after them. A changed object keeps
// its number, so that all references to it, including its own, refer to its new form.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

/// Assembles a keyed archive of stored objects, changed objects and new values.
package struct ArchiveAssembly: ~Copyable {
  /// The source of classes and storage.
  package struct Request {
    /// The model.
    package let root: Node
    /// The target's schema for it.
    package let shape: any TypeHints
    /// The class of the root object, or of the elements of a root list; nil to keep it, or for a dictionary.
    package var rootClass: String?
    /// The envelope: `nscoding` or `dictionariable`.
    package let envelope: Envelope
    /// Whether objects keep their classes and values their storage, because the envelope is the same.
    package let keepsStructure: Bool
    /// The classes of objects that the schema leaves open, by their paths; in these `anyElement` is any element or member.
    package var classes: [(path: GraphPath, name: String)] = []
    /// Whether values with members whose class is open are dictionaries; the root's must be known.
    package var allowsPlainContainers = false
    /// The source's schema for the model: an NSURL that it demands, and the target's does not, becomes an NSString.
    package var sourceShape: (any TypeHints)?
    /// The storage of numbers whose storage is open; nil to refuse them.
    package var openStorage: FieldStorage?
    /// The top-level key that the model has in the archive; nil where the keys are its members.
    package var topKey: String? = UnwrappedModel.rootKey
    /// The one that it is to have.
    package var newTopKey: String? = UnwrappedModel.rootKey

    /// Makes a request.
    package init(
      root: Node, shape: any TypeHints, envelope: Envelope, keepsStructure: Bool,
      rootClass: String? = nil
    ) {
      self.root = root
      self.shape = shape
      self.envelope = envelope
      self.keepsStructure = keepsStructure
      self.rootClass = rootClass
    }
  }

  /// A value as its holder has it.
  package enum Part: Equatable {
    /// A reference to an object; 0 is nil.
    case object(Int)
    /// A value that is stored in its holder, whose UIDs lead to objects of its document.
    case stored(document: UInt32, index: UInt32)
    /// A scalar that is stored in its holder, by its index in the new table.
    case built(UInt32)
    /// A container that is stored in its holder, by its number in `contents`.
    case inline(Int)
  }

  /// A key of an object and its value.
  package struct Field: Equatable {
    let key: Part
    let value: Part
  }

  /// What an object consists of, or a container that its holder stores.
  package enum Content: Equatable {
    /// To be found out.
    case waiting
    /// As it is stored.
    case stored(document: UInt32, index: UInt32)
    /// A scalar, by its index in the new table.
    case built(UInt32)
    /// The elements of a list.
    case list([Part])
    /// The fields of an object, or the members of a dictionary.
    case pairs([Field])
  }

  /// A container that is to be made into parts.
  struct Work {
    /// Its number in `contents`.
    let number: Int
    /// The object that it is, or that it is stored in.
    let object: Int
    let value: Value
    let trail: Int

    /// Whether it is stored in its holder.
    var isInline: Bool { number != object }
  }

  let graph: ObjectGraph
  let request: Request
  var builder: GraphBuilder
  /// Whether a value is written in a plain way whose class or storage is not known; else it is refused.
  let isLenient: Bool
  /// The contents of the objects, nil's at 0, and of the containers stored in them.
  var contents: [Content] = [.waiting]
  /// The objects by document and stored number.
  var stored: [UInt64: Int] = [:]
  /// The stored origins of objects, by object.
  var origins: [Int: UInt64] = [:]
  /// The objects of scalars that were made, by their index in the new table.
  var scalars: [UInt32: Int] = [:]
  /// The objects of containers that were made from nodes without an origin.
  var made: [Node: Int] = [:]
  /// Whether the class records of the archive were looked through.
  var hasRecords = false
  /// The class records by name and chain.
  var records: [[CodePointString]: Int] = [:]
  /// What remains to be made into parts.
  var work: [Work] = []
  /// The object whose parts are being made.
  var current = 0
  /// The objects that are not as they are stored, with the steps to them.
  var changed: [Int: Int] = [:]
  /// Of what they were made.
  var madeOf: [Int: Node] = [:]
  /// Objects that were made again, because several references to them were processed.
  var repeats: [(object: Int, again: Int, trail: Int)] = []
  /// The objects that the root and the other top-level values reach.
  var reached: Set<Int> = []
  /// The objects in the order in which they are written, and their numbers.
  var order: [Int] = []
  var numbers: [Int: Int] = [:]
  /// The copied parts of each document.
  var copies: [UInt32: [UInt32]] = [:]
  /// The object of NSNull, when it is needed.
  var nullObjectNumber: Int?
  /// The object numbers of stored values, by document.
  var objectNumbers: [UInt32: [UInt32: UInt32]] = [:]
  /// References of changed objects that were left as they are: from which object to which.
  var unchanged: [(holder: Int, target: Int)] = []
  /// References that no operation looked at, to objects that one has changed.
  var untouched: [(holder: Int, target: Int)] = []
  /// The classes and storage that nothing names, with what was written instead, and the paths of containers.
  var unknowns = StoredDifferences()
  /// The objects of scalars that replace others.
  var replacements: [Replacement: Int] = [:]
  private var visited = 0

  init(_ graph: ObjectGraph, _ request: Request, isLenient: Bool) {
    self.graph = graph
    self.request = request
    self.isLenient = isLenient
    builder = GraphBuilder(capacity: graph.documents[0].table.byteCount + 4096)
    contents[0] = .built(builder.add("$null"))
  }

  /// Assembles an archive.
  ///
  /// - Parameters:
  ///   - request: the model, and what is known about its structure.
  ///   - graph: the graph that the model is of.
  ///   - isLenient: whether dictionaries and boxed numbers are written for what is not known; else it is an error.
  /// - Returns: the stored values of the archive, and what nothing names: those at equal paths but for positions once.
  /// - Throws: `ArchiveError` with the path of a value that cannot be stored, or that would become two.
  package static func assemble(
    _ request: Request, of graph: ObjectGraph, isLenient: Bool = false
  ) throws(ArchiveError) -> (document: Document, unknowns: [StoredDifference]) {
    var assembly = ArchiveAssembly(graph, request, isLenient: isLenient)
    let root = try assembly.top(of: request.root)
    while let next = assembly.work.popLast() { try assembly.fill(next) }
    assembly.reach(from: root)
    try assembly.refuseSplits()
    let unknowns = assembly.unknowns.list
    return (try assembly.write(root: root), unknowns)
  }

  /// The model as the top of the archive has it: an object, or fields that are top-level keys.
  private mutating func top(of root: Node) throws(ArchiveError) -> Part {
    func topValue(_ slot: Slot?) -> Value {
      Value(
        node: root, slot: slot, schemaIndex: request.shape.root, holder: .top,
        sourceSchemaIndex: request.sourceShape?.root)
    }
    guard request.newTopKey == nil else { return try part(topValue(rootSlot), trail: -1) }
    let number = add(.waiting)
    contents[number] = try topFields(
      Work(number: number, object: 0, value: topValue(nil), trail: -1))
    return .inline(number)
  }

  /// The location of the model in the archive.
  private var rootSlot: Slot? {
    guard isWholeArchive, let facts = graph.documents[0].archive else { return nil }
    let pairs = graph.storedPairs(of: Node(document: 0, index: facts.topDictionary))
    return topPosition(pairs, facts).flatMap { graph.slot(pairs.values, $0) }
  }

  /// Counts a value; shared ones could multiply without end.
  mutating func count() throws(ArchiveError) {
    visited &+= 1
    if visited > graph.expansionLimit {
      throw ArchiveError(.limit, "copies of shared values would be over \(visited)")
    }
  }

  // MARK: Objects

  /// A new object, to be filled later.
  mutating func add(_ content: Content) -> Int {
    contents.append(content)
    return contents.count - 1
  }

  static func key(_ document: UInt32, _ number: UInt32) -> UInt64 {
    UInt64(document) << 32 | UInt64(number)
  }

  /// The object with a number in a document.
  mutating func object(_ document: UInt32, _ number: UInt32) -> Int {
    if number == 0 { return 0 }
    let key = Self.key(document, number)
    if let known = stored[key] { return known }
    let (start, count) = graph.objectTable(of: document)
    guard let start, number < count else { return 0 }
    let index = graph.documents[Int(document)].table.reference(start, Int(number))
    let object = add(.stored(document: document, index: index))
    stored[key] = object
    origins[object] = key
    return object
  }

  /// A reference to an object that is stored somewhere: nil, a number of a document, or a changed object.
  mutating func reference(_ slot: Slot) -> Part {
    guard let number = graph.objectNumber(in: slot) else {
      return .stored(document: slot.document, index: slot.reference)
    }
    return .object(object(slot.document, number))
  }

  /// The path of a container, for messages.
  func path(_ trail: Int) -> GraphPath { unknowns.trails.path(trail) }

  mutating func step(_ step: GraphPath.Step, after trail: Int) -> Int {
    unknowns.trails.add(step, after: trail)
  }

  // MARK: Copied parts

  /// Whether the outermost dictionary is copied, too.
  var isWholeArchive: Bool {
    graph.documents[0].isKeyedArchive
  }

  /// Finds the objects that are needed, and the references to changed ones that no operation looked at.
  private mutating func reach(from root: Part) {
    var waiting = targets(of: root)
    if isWholeArchive, let facts = graph.documents[0].archive {
      // The other top-level values refer to objects as well.
      for field in otherTops(facts) { waiting += targets(of: field.value) }
    }
    while let object = waiting.popLast() {
      guard object != 0, reached.insert(object).inserted else { continue }
      let found = targets(of: .inline(object))
      if case .stored = contents[object] {
        for target in found where changed[target] != nil { untouched.append((object, target)) }
      }
      waiting += found
    }
    untouched += unchanged.filter { reached.contains($0.holder) && changed[$0.target] != nil }
  }

  /// The top-level keys and values beside the model's.
  mutating func otherTops(_ facts: ArchiveFacts) -> [Field] {
    let pairs = graph.storedPairs(of: Node(document: 0, index: facts.topDictionary))
    var fields: [Field] = []
    // The keys are the model's members, or one of them is the model.
    if request.topKey == nil || request.newTopKey == nil { return [] }
    for position in 0..<pairs.count where position != topPosition(pairs, facts) {
      guard let key = graph.slot(pairs.keys, position),
        let value = graph.slot(pairs.values, position)
      else { continue }
      fields.append(
        Field(key: .stored(document: 0, index: key.reference), value: reference(value)))
    }
    return fields
  }

  /// The position of the model among the top-level values.
  func topPosition(_ pairs: Pairs, _ facts: ArchiveFacts) -> Int? {
    guard let key = request.topKey else { return nil }
    return facts.topKeys.firstIndex(of: key)
  }

  /// The objects that a stored value refers to, directly or through inline values.
  private mutating func scan(document: UInt32, index: UInt32, _ found: inout [Int]) {
    let table = graph.documents[Int(document)].table
    var waiting = [index]
    var seen: Set<UInt32> = []
    while let index = waiting.popLast() {
      if table.marker(of: index) >> 4 == Marker.uid {
        guard let number = UInt32(exactly: table.uid(at: index)) else { continue }
        found.append(object(document, number))
      } else if seen.insert(index).inserted {
        waiting += table.children(of: index)
      }
    }
  }

  /// The objects that a part refers to, directly or through inline values.
  private mutating func targets(of part: Part) -> [Int] {
    var found: [Int] = []
    var waiting: [Int] = []
    collect(part, &waiting, &found)
    while let number = waiting.popLast() {
      switch contents[number] {
      case .waiting, .built: break
      case .stored(let document, let index): scan(document: document, index: index, &found)
      case .list(let parts): for part in parts { collect(part, &waiting, &found) }
      case .pairs(let fields):
        for field in fields {
          collect(field.key, &waiting, &found)
          collect(field.value, &waiting, &found)
        }
      }
    }
    return found
  }

  private mutating func collect(_ part: Part, _ waiting: inout [Int], _ found: inout [Int]) {
    switch part {
    case .object(let object): found.append(object)
    case .stored(let document, let index): scan(document: document, index: index, &found)
    case .inline(let number): waiting.append(number)
    case .built: break
    }
  }

  // MARK: Objects that several references lead to: a change to one of them must be a change to all

  /// Throws if an object would have to become two, one for a reference that was changed and one for another.
  ///
  /// References back, as from a child to its parent, refer to the object's new form: a lens cannot name
  /// them, and the object is the same one.
  mutating func refuseSplits() throws(ArchiveError) {
    for (object, again, trail) in repeats where !isSame(object, again) {
      throw split(object, "it is also at \(path(trail)), where the lens makes another value of it")
    }
    let open = untouched.filter { changed[$0.target] != nil && $0.holder != $0.target }
    if open.isEmpty { return }
    let circles = ArchiveCircles(of: open.map(\.target)) { targets(of: .inline($0)) }
    for (holder, target) in open where !circles.isTogether(holder, target) {
      throw split(
        target,
        "\(holder == 0 ? "another top-level key" : "another object (\(name(of: holder)))") also refers to it, which the lens does not change; let the lens change both"
      )
    }
  }

  private func split(_ object: Int, _ reason: String) -> ArchiveError {
    ArchiveError(
      .unrepresentable, "the shared object would be duplicated: \(reason)",
      path: path(changed[object] ?? -1))
  }

  /// An object's number in the archive.
  private func name(of object: Int) -> String {
    guard let origin = origins[object] else { return "a new one" }
    return "number \(UInt32(truncatingIfNeeded: origin))"
  }

  /// Whether two objects were made alike.
  private func isSame(_ left: Int, _ right: Int) -> Bool {
    struct Pair: Hashable { let left, right: Int }
    var compared: Set<Pair> = []
    var waiting: [(Part, Part)] = [(.object(left), .object(right))]
    while let parts = waiting.popLast() {
      if parts.0 == parts.1 { continue }
      let pair: Pair
      switch parts {
      case (.object(let a), .object(let b)), (.inline(let a), .inline(let b)):
        pair = Pair(left: a, right: b)
      default: return false
      }
      guard compared.insert(pair).inserted else { continue }
      switch (contents[pair.left], contents[pair.right]) {
      case (.list(let a), .list(let b)):
        guard a.count == b.count else { return false }
        waiting += zip(a, b)
      case (.pairs(let a), .pairs(let b)):
        guard a.count == b.count else { return false }
        for (field, other) in zip(a, b) {
          waiting += [(field.key, other.key), (field.value, other.value)]
        }
      case (let a, let b): guard a == b, a != .waiting else { return false }
      }
    }
    return true
  }
}

/// Which objects of an archive refer to one another in circles.
///
/// Robert Tarjan, "Depth-first search and linear graph algorithms", 1972; with a stack of its own.
struct ArchiveCircles {
  private var circle: [Int: Int] = [:]

  /// Not a `GraphWalk`: numbers of objects are walked, not values.
  private struct Frame {
    let object: Int
    let children: [Int]
    var next = 0
  }

  /// Looks at what some objects reach.
  init(of starts: [Int], children: (Int) -> [Int]) {
    var indexes: [Int: Int] = [:]
    var low: [Int: Int] = [:]
    var open: [Int] = []
    var isOpen: Set<Int> = []
    var stack: [Frame] = []
    func begin(_ object: Int) {
      indexes[object] = indexes.count
      low[object] = indexes[object]
      open.append(object)
      isOpen.insert(object)
      stack.append(Frame(object: object, children: children(object)))
    }
    for start in starts where indexes[start] == nil {
      begin(start)
      while let frame = stack.last {
        if frame.next < frame.children.count {
          stack[stack.count - 1].next += 1
          let child = frame.children[frame.next]
          if child == 0 { continue }
          if indexes[child] == nil {
            begin(child)
          } else if isOpen.contains(child) {
            low[frame.object] = min(low[frame.object] ?? 0, indexes[child] ?? 0)
          }
          continue
        }
        stack.removeLast()
        if let parent = stack.last?.object {
          low[parent] = min(low[parent] ?? 0, low[frame.object] ?? 0)
        }
        guard low[frame.object] == indexes[frame.object] else { continue }
        while let object = open.popLast() {
          isOpen.remove(object)
          circle[object] = frame.object
          if object == frame.object { break }
        }
      }
    }
  }

  /// Whether two objects lead to one another.
  func isTogether(_ a: Int, _ b: Int) -> Bool { circle[a] != nil && circle[a] == circle[b] }
}

// MARK: - Values in their containers: stored as they were, changed, or new

extension ArchiveAssembly {
  /// The container of a value, which determines its possible storage.
  package enum Holder {
    /// The top of the archive, or a collection: every value is an object.
    case top, collection
    /// A field of an object: numbers may be stored in it.
    case field
  }

  /// A value to be written to the archive.
  package struct Value {
    package let node: Node
    /// Where it was held; nil for one that was added.
    package let slot: Slot?
    /// Its location in the target's shape.
    let schemaIndex: Int
    package let holder: Holder
    /// The storage that an operation gave it.
    package var storage: FieldStorage?
    /// Whether it is the root, or an element of a list at the root.
    package var isRoot = false
    /// Whether it was not a field of an object, so that its storage has no meaning.
    var isCollected = false
    /// Whether it is the key of a dictionary's object.
    package var isKey = false
    /// Its location in the source's shape; nil where it is not known.
    var sourceSchemaIndex: Int?
  }

  /// A value as its holder has it.
  mutating func part(_ value: Value, trail: Int) throws(ArchiveError) -> Part {
    try count()
    let node = value.node
    if graph.origin(of: node) != nil { return try container(value, trail) }
    guard isStored(node) else { return try newPart(value, trail) }
    if let null = convertedNull(value) { return null }
    if mustConvert(value) { return try container(value, trail) }
    if let text = try convertedText(value, trail) { return text }
    return try storedPart(value, trail)
  }

  /// A null for its new container: a collection has NSNull, because nil ends its decoder, and a new field is nil.
  private mutating func convertedNull(_ value: Value) -> Part? {
    guard case .null = graph.value(of: value.node) else { return nil }
    let isObject = graph.classIndex(of: value.node) != nil
    switch value.holder {
    case .collection: return isObject ? nil : .object(nullObject())
    case .field: return isObject && !request.keepsStructure ? .object(0) : nil
    case .top: return nil
    }
  }

  /// Whether a node is a value that a keyed archive stores.
  func isStored(_ node: Node) -> Bool {
    graph.documents[Int(node.document)].isKeyedArchive
  }

  /// Whether a stored value may not be copied, since the envelope has other classes for such values.
  private func mustConvert(_ value: Value) -> Bool {
    if request.rootClass != nil, value.isRoot || value.holder == .top { return isContainer(value) }
    return !request.keepsStructure && isContainer(value)
  }

  /// Whether a value contains other values of the model; other objects are copied as a whole.
  private func isContainer(_ value: Value) -> Bool {
    switch graph.value(of: value.node) {
    case .array, .set, .orderedSet, .dictionary: return true
    case .object(let index, _): return !ClassRegistry.isFoundation(graph.classes[index].name)
    default: return false
    }
  }

  /// The classes whose objects are shown as text, and are made of it.
  private static let textClasses: Set<String> = [
    "NSString", "NSURL", "NSUUID", "NSDecimalNumber",
  ]

  /// Stored text of which a schema demands an object of another class; nil for other values.
  private mutating func convertedText(_ value: Value, _ trail: Int) throws(ArchiveError) -> Part? {
    guard case .string(let text) = graph.value(of: value.node), !value.isKey else { return nil }
    let stored =
      graph.classIndex(of: value.node).map { FoundationClass.immutable(graph.classes[$0].name) }
      ?? "NSString"
    var rule = rule(value, trail) ?? StructureRule()
    if rule.classes.isEmpty, stored != "NSString", let schemaIndex = value.sourceSchemaIndex,
      request.sourceShape?.structure(schemaIndex)?.className == stored
    {
      rule.classes = ["NSString"]
    }
    guard let name = rule.className.map({ FoundationClass.immutable($0) }), name != stored,
      Self.textClasses.contains(name), Self.textClasses.contains(stored)
    else { return nil }
    if stored == "NSURL", hasBase(value.node) {
      throw unknown("the URL has a base, which an object of the class \(name) has not", trail)
    }
    return try string(text, value, rule, trail)
  }

  /// Whether a URL is relative to another.
  private func hasBase(_ node: Node) -> Bool {
    stored("NS.base", of: node).map { graph.objectNumber(in: $0) != 0 } ?? false
  }

  // MARK: Stored values

  /// A value that is copied as it is stored.
  private mutating func storedPart(_ value: Value, _ trail: Int) throws(ArchiveError) -> Part {
    guard let slot = value.slot, graph.node(in: slot) == value.node else {
      if let object = object(of: value.node) { return left(.object(object)) }
      return try stored(
        Slot(document: value.node.document, reference: value.node.index), value, trail)
    }
    return try stored(slot, value, trail)
  }

  private mutating func stored(
    _ slot: Slot, _ value: Value, _ trail: Int
  ) throws(ArchiveError) -> Part {
    let part = reference(slot)
    var storage = value.storage
    if storage == nil { storage = try collectedStorage(value, trail) }
    switch (part, storage, value.holder) {
    case (.object, .inline, .field):
      guard let scalar = inlineScalar(value.node) else {
        throw unknown("the value cannot be stored inline: it is not a number", trail)
      }
      return .built(scalar)
    case (.object, _, _): return left(part)
    case (_, .boxed, _), (_, _, .collection), (_, _, .top):
      return .object(box(slot))
    default: return part
    }
  }

  /// The storage that a field gives a value of a collection; nil for one that has it already.
  private mutating func collectedStorage(
    _ value: Value, _ trail: Int
  ) throws(ArchiveError) -> FieldStorage? {
    guard value.isCollected, !request.keepsStructure, value.holder == .field else { return nil }
    let rule = rule(value, trail)
    switch graph.value(of: value.node) {
    case .boolean, .integer, .unsigned, .wide, .real, .single: return try storage(rule, trail)
    case .data: return graph.classIndex(of: value.node) == nil ? rule?.storage : nil
    default: return nil
    }
  }

  /// Remembers that a reference was left as it is.
  private mutating func left(_ part: Part) -> Part {
    if case .object(let target) = part { unchanged.append((current, target)) }
    return part
  }

  /// The object of a stored value, by its index in `$objects`; nil for one that is stored inline.
  mutating func object(of node: Node) -> Int? {
    if objectNumbers[node.document] == nil {
      var numbers: [UInt32: UInt32] = [:]
      let (start, count) = graph.objectTable(of: node.document)
      let table = graph.documents[Int(node.document)].table
      if let start {
        for number in (0..<count).reversed() {
          numbers[table.reference(start, number)] = UInt32(truncatingIfNeeded: number)
        }
      }
      objectNumbers[node.document] = numbers
    }
    return objectNumbers[node.document]?[node.index].map { object(node.document, $0) }
  }

  /// A number or bytes as they are stored in their holder; nil for any other value.
  private mutating func inlineScalar(_ node: Node) -> UInt32? {
    switch graph.value(of: node) {
    case .boolean, .integer, .unsigned, .wide, .real, .single, .data: return scalar(of: node)
    default: return nil
    }
  }

  /// A value that was stored in its holder, as an object of its own.
  private mutating func box(_ slot: Slot) -> Int {
    let table = graph.documents[Int(slot.document)].table
    if table.marker(of: slot.reference) >> 4 < Marker.array {
      return object(ofScalar: builder.add(copying: slot.reference, of: table))
    }
    return add(.stored(document: slot.document, index: slot.reference))
  }

  /// A scalar of any document in the new table.
  mutating func scalar(of node: Node) -> UInt32 {
    // An object may have a scalar for its value, as NSMutableData has.
    if graph.classIndex(of: node) != nil { return builder.add(scalar: graph.value(of: node)) }
    return builder.add(copying: node.index, of: graph.documents[Int(node.document)].table)
  }

  /// The object of a scalar in the new table: equal ones are one.
  mutating func object(ofScalar index: UInt32) -> Int {
    if let known = scalars[index] { return known }
    let object = add(.built(index))
    scalars[index] = object
    return object
  }

  /// What became of an object: the class and the scalar of the one that replaces it.
  struct Replacement: Hashable {
    let object: UInt64
    let className: String
    let scalar: UInt32
  }

  /// An object made of a scalar: as objects were shared or apart, those that replace them are.
  ///
  /// - Parameter make: makes the object; nil for the scalar itself.
  mutating func replacement(
    _ value: Value, _ className: String, _ index: UInt32, _ make: ((inout Self) -> Int)? = nil
  ) -> Int {
    guard let slot = value.slot, isStored(graph.node(in: slot)),
      let number = graph.objectNumber(in: slot), number > 0
    else {
      if let make { return make(&self) }
      return object(ofScalar: index)
    }
    let key = Replacement(
      object: Self.key(slot.document, number), className: className, scalar: index)
    if let known = replacements[key] { return known }
    let object: Int
    if let make { object = make(&self) } else { object = add(.built(index)) }
    replacements[key] = object
    return object
  }

  // MARK: Containers

  /// A container that was changed, or has to be converted.
  private mutating func container(_ value: Value, _ trail: Int) throws(ArchiveError) -> Part {
    let origin = graph.origin(of: value.node)
    let source = origin == nil ? value.node : origin?.node
    if let source, isStored(source) {
      if let slot = value.slot, graph.node(in: slot) == source,
        let number = graph.objectNumber(in: slot)
      {
        return try change(object(slot.document, number), value, trail)
      }
      if let object = object(of: source) { return try change(object, value, trail) }
      if value.holder == .field, value.storage != .boxed {
        return .inline(queue(add(.waiting), in: current, value, isRoot: value.isRoot, trail))
      }
    }
    return try newContainer(value, trail)
  }

  /// A container that the archive did not have; the same value is one object wherever it is.
  mutating func newContainer(_ value: Value, _ trail: Int) throws(ArchiveError) -> Part {
    if isInlineList(value, trail) {
      return .inline(queue(add(.waiting), in: current, value, isRoot: false, trail))
    }
    if let known = made[value.node] { return .object(known) }
    let object = queue(add(.waiting), value, trail)
    made[value.node] = object
    return .object(object)
  }

  /// Whether a new list is stored inline in its object.
  private func isInlineList(_ value: Value, _ trail: Int) -> Bool {
    guard value.holder == .field, case .array = graph.value(of: value.node) else { return false }
    return (value.storage ?? rule(value, trail)?.storage) == .inline
  }

  /// Replaces an object by its new form; if an operation has changed it before, both results must be equal.
  private mutating func change(
    _ object: Int, _ value: Value, _ trail: Int
  ) throws(ArchiveError) -> Part {
    if changed[object] != nil {
      if madeOf[object] != value.node {
        // Both results must be equal, which is known when everything is written.
        repeats.append((object, queue(add(.waiting), value, trail), trail))
      }
      return .object(object)
    }
    changed[object] = trail
    madeOf[object] = value.node
    return .object(queue(object, value, trail))
  }

  /// Has the parts of a container made: of an object, or of one that an object stores.
  @discardableResult
  private mutating func queue(
    _ number: Int, in object: Int? = nil, _ value: Value, isRoot: Bool? = nil, _ trail: Int
  ) -> Int {
    var value = value
    value.isRoot = isRoot ?? (value.isRoot || value.holder == .top)
    work.append(Work(number: number, object: object ?? number, value: value, trail: trail))
    return number
  }

  /// Makes a container's parts.
  mutating func fill(_ item: Work) throws(ArchiveError) {
    current = item.object
    contents[item.number] = try parts(item)
  }
}

extension GraphBuilder {
  /// Adds a scalar of another table as it is encoded there.
  package mutating func add(copying index: UInt32, of table: ValueTable) -> UInt32 {
    // UTF-8 is not an encoding of the format.
    if let text = table.text(at: index), text.form == .utf8 { return add(text) }
    // References of a container are to another table.
    guard table.marker(of: index) >> 4 < Marker.array else { return addNull() }
    return add(encoded: table.bytes(of: index))
  }
}
