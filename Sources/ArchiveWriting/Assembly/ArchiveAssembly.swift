// Keyed archives assembled from others: unchanged objects are copied as they are stored, one by one.
//
// Objects are numbered in the order of their source archive, new ones after them. A changed object keeps
// its number, so that all references to it, including its own, refer to its new form.

import ArchiveBasics
import ArchiveGraph
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
    let node: Node
    let schemaIndex: Int
    let isRoot: Bool
    var isKey = false
    /// Its location in the source's shape; nil where it is not known.
    var sourceSchemaIndex: Int?
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
  /// - Returns: the stored values of the archive, for `BinaryWriter`.
  /// - Throws: `ArchiveError` with the path of a value whose class or storage is not known, or that would become two.
  package static func document(
    _ request: Request, of graph: ObjectGraph
  ) throws(ArchiveError) -> Document {
    try assemble(request, of: graph, isLenient: false).document
  }

  /// Assembles an archive in which dictionaries and boxed numbers take the place of what is not known.
  ///
  /// - Returns: the stored values of the archive, and what nothing names: those at equal paths but for positions once.
  /// - Throws: `ArchiveError` with the path of a value that cannot be stored, or that would become two.
  package static func lenientDocument(
    _ request: Request, of graph: ObjectGraph
  ) throws(ArchiveError) -> (document: Document, unknowns: [StoredDifference]) {
    try assemble(request, of: graph, isLenient: true)
  }

  private static func assemble(
    _ request: Request, of graph: ObjectGraph, isLenient: Bool
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
    guard request.newTopKey == nil else {
      let slot = rootSlot
      return try part(
        Value(
          node: root, slot: slot, schemaIndex: request.shape.root, holder: .top,
          sourceSchemaIndex: request.sourceShape?.root), trail: -1)
    }
    let number = add(.waiting)
    let work = Work(
      number: number, object: 0, node: root, schemaIndex: request.shape.root, isRoot: false,
      sourceSchemaIndex: request.sourceShape?.root, trail: -1)
    contents[number] = try topFields(work)
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
      let found = children(of: object)
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
      let kind = table.marker(of: index) >> 4
      if kind == Marker.uid {
        guard let number = UInt32(exactly: table.uid(at: index)) else { continue }
        found.append(object(document, number))
        continue
      }
      guard kind >= Marker.array, seen.insert(index).inserted else { continue }
      let (start, count) = table.references(of: index)
      for position in 0..<count { waiting.append(table.reference(start, position)) }
    }
  }

  /// The objects that an object refers to.
  mutating func children(of object: Int) -> [Int] {
    targets(of: .inline(object))
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
}

// MARK: - Objects that several references lead to: a change to one of them must be a change to all

extension ArchiveAssembly {
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
    let circles = ArchiveCircles(of: open.map(\.target)) { children(of: $0) }
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
