// Which classes and storage the values of an archive that is being assembled get, and from whom that is known.

import ArchiveBasics
import ArchiveGraph
import KeyedArchives

/// A value to be written to an archive.
struct AssembledValue {
  /// The container of a value, which determines its possible storage.
  enum Holder {
    /// The top of the archive, or a collection: every value is an object.
    case top, collection
    /// A field of an object: numbers may be stored in it.
    case field
  }

  let node: Node
  /// Where it was held; nil for one that was added.
  let slot: Slot?
  /// Its location in the target's shape.
  let schemaIndex: Int
  let holder: Holder
  /// The number of its path.
  let trail: Int
  /// The storage that an operation gave it.
  var storage: FieldStorage?
  /// Whether it is the root, or an element of a list at the root.
  var isRoot = false
  /// Whether it was not a field of an object, so that its storage has no meaning.
  var isCollected = false
  /// Whether it is the key of a dictionary's object.
  var isKey = false
  /// Its location in the source's shape; nil where it is not known.
  var sourceSchemaIndex: Int?
}

/// What the schema and the request tell about classes and storage, and what nothing names.
struct KnownStructure {
  typealias ClassPart = AssembledObjects.ClassPart

  /// The new form of a container with members.
  enum Form {
    /// An object with a key for each member.
    case fields(ClassPart)
    /// A dictionary object.
    case dictionary(ClassPart)
  }

  private let graph: ObjectGraph
  private let request: ArchiveAssembly.Request
  /// Whether a value is written in a plain way whose class or storage is not known; else it is refused.
  private let isLenient: Bool
  /// The classes and storage that nothing names, with what was written instead, and the paths of all values.
  private var unknowns = StoredDifferences()

  init(_ graph: ObjectGraph, _ request: ArchiveAssembly.Request, isLenient: Bool) {
    (self.graph, self.request, self.isLenient) = (graph, request, isLenient)
  }

  /// What was written for lack of a name.
  var openValues: [StoredDifference] { unknowns.list }
  var trails: PathTrails { unknowns.trails }

  /// The number of the path to a child.
  mutating func step(_ step: GraphPath.Step, after trail: Int) -> Int {
    unknowns.trails.add(step, after: trail)
  }

  // MARK: Rules

  /// What is known about the class and the storage of a value: the schema's rule, with the class that the request has
  /// for the path if the schema names none.
  func rule(_ value: AssembledValue) -> StructureRule? {
    let rule = request.shape.structure(value.schemaIndex)
    guard !request.classes.isEmpty, rule?.className == nil, !value.isKey,
      let answer = request.classes.last(where: { isAt($0.path, value.trail) })
    else { return rule }
    var answered = rule ?? StructureRule()
    answered.classes.insert(answer.name, at: 0)
    return answered
  }

  /// Whether a path, in which `anyElement` is any element or member, leads to a value.
  private func isAt(_ path: GraphPath, _ trail: Int) -> Bool {
    var current = trail
    for step in path.steps.reversed() {
      guard current >= 0 else { return false }
      switch (step, unknowns.trails[current].step) {
      case (.anyElement, .index), (.anyElement, .key): break
      case (.key(let name), .key(let other)):
        guard name.hasSameScalars(as: other) else { return false }
      case (let step, let other): guard step == other else { return false }
      }
      current = unknowns.trails[current].parent
    }
    return current < 0
  }

  // MARK: Storage

  /// The storage of a new number, or of new bytes.
  mutating func storage(
    of value: AssembledValue, _ rule: StructureRule?
  ) throws(ArchiveError) -> FieldStorage {
    guard value.holder == .field else { return .boxed }
    if let storage = value.storage ?? heldStorage(value) { return storage }
    return try namedStorage(value, rule) ?? .boxed
  }

  /// The storage that a field gives a value of a collection; nil for one that has it already.
  mutating func collectedStorage(
    _ value: AssembledValue
  ) throws(ArchiveError) -> FieldStorage? {
    let stored = graph.value(of: value.node)
    guard value.isCollected, !request.keepsStructure, value.holder == .field,
      stored.isNumberOrData
    else { return nil }
    if case .data = stored, graph.classIndex(of: value.node) != nil { return nil }
    return try namedStorage(value, rule(value))
  }

  /// The storage of the value that this one replaces.
  private func heldStorage(_ value: AssembledValue) -> FieldStorage? {
    guard let slot = value.slot, graph.isArchived(graph.node(in: slot)),
      graph.value(of: graph.node(in: slot)).isNumberOrData
    else { return nil }
    return graph.objectNumber(in: slot) == nil ? .inline : .boxed
  }

  /// The storage that the schema or the request names for a number, which must be known; nil for data without one.
  private mutating func namedStorage(
    _ value: AssembledValue, _ rule: StructureRule?
  ) throws(ArchiveError) -> FieldStorage? {
    if case .data = graph.value(of: value.node) { return rule?.storage }
    if let storage = rule?.storage ?? request.openStorage { return storage }
    try leaveOpen(
      .storage, FieldStorage.boxed.rawValue, value.trail,
      "whether the number is stored inline or boxed is not known: name it in the schema by x-storage, in the lens by store, or for all such numbers with --storage"
    )
    return .boxed
  }

  // MARK: Classes

  /// What becomes of a value with members.
  ///
  /// - Parameters:
  ///   - old: the stored container that it was; nil for a new one.
  ///   - newClass: the class that an operation gave it.
  mutating func form(
    of value: AssembledValue, _ old: Node?, newClass: String?
  ) throws(ArchiveError) -> Form {
    let rule = rule(value)
    let oldClass = old.flatMap { graph.classDescription(of: $0) }
    if let name = newClass ?? (value.isRoot ? request.rootClass : nil) {
      return form(name, rule, oldClass, old)
    }
    if request.keepsStructure, let old {
      if let name = rule?.className, oldClass == nil { return form(name, rule, nil, nil) }
      return keptForm(old)
    }
    if let name = rule?.className { return form(name, rule, oldClass, old) }
    // Keys that are not names do not belong to an object's fields.
    if let old, !graph.isObject(old), request.envelope == .dictionariable || !hasNames(value.node) {
      return keptForm(old)
    }
    return try openForm(value, rule)
  }

  private func keptForm(_ old: Node) -> Form {
    let kept = ClassPart.kept(graph.slot(of: "$class", in: old))
    return graph.isObject(old) ? .fields(kept) : .dictionary(kept)
  }

  /// Whether all the keys of a value with members are strings.
  private func hasNames(_ node: Node) -> Bool {
    guard case .dictionary(let pairs) = graph.value(of: node) else { return true }
    return (0..<pairs.count).allSatisfy { position in
      let key = graph.key(pairs, position)
      if graph.text(of: key) != nil { return true }
      guard graph.value(of: key).text != nil, let type = graph.classDescription(of: key) else {
        return false
      }
      return FoundationClass.immutable(type.name) == "NSString"
    }
  }

  /// The form of a value with members whose class is unknown.
  private mutating func openForm(
    _ value: AssembledValue, _ rule: StructureRule?
  ) throws(ArchiveError) -> Form {
    let name = rule.form(of: "NSDictionary")
    if request.envelope == .nscoding, rule?.keyClass == nil, hasNames(value.node),
      value.isRoot || !request.allowsPlainContainers
    {
      try leaveOpen(
        .class, name, value.trail,
        value.isRoot
          ? "the class of the root object is unknown: name it with --class, or as the first of the schema's classes"
          : "the class of the object is not known: name it in the schema by x-class (NSDictionary for a dictionary), or with --class-of, or have a dictionary for each such object with --plain-containers"
      )
    }
    return .dictionary(.foundation(name))
  }

  /// The form of a class that is named.
  private func form(
    _ name: String, _ rule: StructureRule?, _ oldClass: ClassDescription?, _ old: Node?
  ) -> Form {
    let isDictionary = FoundationClass.immutable(name) == "NSDictionary"
    // That a dictionary is mutable is nothing that its class in a schema denies.
    if let old, let oldClass,
      oldClass.name.hasSameScalars(as: name)
        || isDictionary && FoundationClass.immutable(oldClass.name) == "NSDictionary"
    {
      return keptForm(old)
    }
    let name = rule.form(of: name)
    let named = ClassPart.named(
      name, FoundationClass.chain(of: name, declared: rule?.chain ?? [], replacing: oldClass))
    return isDictionary ? .dictionary(named) : .fields(named)
  }

  /// What becomes of a list or a set.
  ///
  /// - Parameter isInline: whether its holder stores it.
  func collectionClass(of value: AssembledValue, _ old: Node?, isInline: Bool) -> ClassPart {
    let rule = rule(value)
    let oldClass = old.flatMap { graph.classDescription(of: $0) }?.name
    if let old, request.keepsStructure || oldClass.map({ keeps($0, rule, value) }) == true {
      return .kept(graph.slot(of: "$class", in: old))
    }
    // A list that is stored inline has no class.
    if isInline { return .kept(nil) }
    var name = rule?.className ?? plainClass(of: value.node)
    // A root list is the application's list of objects: the class is that of its elements.
    if value.isRoot || !Self.collections.contains(FoundationClass.immutable(name)) {
      name = "NSArray"
    }
    return .foundation(rule.form(of: name))
  }

  /// Whether a collection has the class that it should have.
  private func keeps(
    _ oldClass: String, _ rule: StructureRule?, _ value: AssembledValue
  ) -> Bool {
    let plain = FoundationClass.immutable(oldClass)
    // The rule of a root list is that of its elements.
    if value.isRoot { return Self.collections.contains(plain) }
    guard let name = rule?.className else { return true }
    // That a list is mutable is nothing that its class in a schema denies.
    return name == oldClass
      || name == plain && rule?.isMutable != !FoundationClass.isMutable(oldClass)
  }

  /// The class of a new collection that no schema names.
  private func plainClass(of node: Node) -> String {
    switch graph.value(of: node) {
    case .set: "NSSet"
    case .orderedSet: "NSOrderedSet"
    default: "NSArray"
    }
  }

  private static let collections: Set<String> = ["NSArray", "NSSet", "NSOrderedSet"]

  /// The classes whose objects are shown as text, and are made of it.
  private static let textClasses: Set<String> = [
    "NSString", "NSURL", "NSUUID", "NSDecimalNumber",
  ]

  /// The class of stored text and the other that a schema demands, with its rule; nil if it keeps its class.
  func newTextClass(
    of value: AssembledValue
  ) -> (rule: StructureRule, old: String, new: String)? {
    let old =
      graph.classDescription(of: value.node).map { FoundationClass.immutable($0.name) }
      ?? "NSString"
    var rule = rule(value) ?? StructureRule()
    if rule.classes.isEmpty, old != "NSString", let schemaIndex = value.sourceSchemaIndex,
      request.sourceShape?.structure(schemaIndex)?.className == old
    {
      rule.classes = ["NSString"]
    }
    guard !value.isKey, let new = rule.className.map({ FoundationClass.immutable($0) }), new != old,
      Self.textClasses.contains(new), Self.textClasses.contains(old)
    else { return nil }
    return (rule, old, new)
  }

  // MARK: Objects of frameworks

  /// The stored fields of a framework's object that is shown in another form than its fields; nil if it is not.
  ///
  /// - Parameters:
  ///   - name: its class.
  ///   - old: the stored object that keeps its class, and so fields that only its class knows; nil for a new one.
  /// - Throws: `ArchiveError` with the path, if there is no way from the value to the class.
  func frameworkFields(
    _ value: AssembledValue, _ name: ClassPart, _ old: Node?
  ) throws(ArchiveError) -> [StoredField]? {
    guard let (className, chain) = description(of: name, old),
      let form = ClassRegistry.storedForm(of: className, chain)
    else { return nil }
    let names = memberNames(of: value.node)
    let isOfFields =
      names.map { names in
        ClassRegistry.objection(toFields: names, of: className, chain) == nil
          && (name.isKept || names.allSatisfy(Framework.isKey))
      } ?? false
    switch form {
    case .fields: return nil
    case .value:
      if isOfFields || names == nil { return nil }
      throw refusal(ClassRegistry.noForm(to: className, nil), at: value.trail)
    case .never(_, let reason):
      if isOfFields { return nil }
      throw refusal(ClassRegistry.noForm(to: className, reason), at: value.trail)
    case .made(_, let fields):
      if isOfFields, names?.isEmpty == false { return nil }
      let (shape, schemaIndex) = (request.shape, value.schemaIndex)
      let content = FormValue(value.node, of: graph, for: shape.foundation) {
        shape.names($0, in: schemaIndex)
      }
      do throws(FormRefusal) {
        return try fields(content)
      } catch {
        throw refusal(
          ClassRegistry.noForm(to: className, error.reason), at: value.trail,
          about: error.reason == nil ? nil : .refusedContent)
      }
    }
  }

  /// The name of a class and its chain; nil for a dictionary without a class.
  private func description(of part: ClassPart, _ old: Node?) -> (String, [String])? {
    if case .named(let name, let chain) = part { return (name, chain) }
    return old.flatMap { graph.classDescription(of: $0) }.map { ($0.name, $0.chain) }
  }

  /// The names of a value's members; nil for a value without members.
  private func memberNames(of node: Node) -> [String]? {
    guard case .members(let pairs)? = GraphContainer(graph.value(of: node)) else { return nil }
    return (0..<pairs.count).map { graph.memberName(pairs, $0)?.string ?? "" }
  }

  // MARK: Values that nothing answers

  /// Remembers what is written for lack of a name, or refuses to write it.
  private mutating func leaveOpen(
    _ kind: StoredDifference.Kind, _ text: String, _ trail: Int,
    _ message: @autoclosure () -> String
  ) throws(ArchiveError) {
    guard isLenient else { throw refusal(message(), at: trail) }
    unknowns.add(kind, text, trail)
  }

  /// A value whose class or storage is unknown or impossible.
  func refusal(
    _ message: String, at trail: Int, about subject: ArchiveError.Subject? = nil
  ) -> ArchiveError {
    ArchiveError(.unrepresentable, message, path: trails.path(trail), about: subject)
  }
}

extension StructureRule? {
  /// A class in the form that the rule demands.
  func form(of name: String) -> String {
    self?.isMutable == true ? FoundationClass.mutable(name) : name
  }
}

extension Value {
  /// Whether it is a value that an object may store in itself.
  var isNumberOrData: Bool {
    switch self {
    case .boolean, .integer, .unsigned, .wide, .real, .single, .data: true
    default: false
    }
  }
}

// MARK: - Locations in the source's shape

/// The members of a container before any change, found again by where they were held.
struct SourceMembers {
  private let shape: (any TypeHints)?
  private let schemaIndex: Int
  private let pairs: Pairs?
  private let graph: ObjectGraph
  /// The position after the one that was found last: members are mostly in their previous order.
  private var next = 0

  init(_ value: AssembledValue, _ shape: (any TypeHints)?, _ graph: ObjectGraph) {
    (self.shape, self.graph) = (shape, graph)
    schemaIndex = value.sourceSchemaIndex ?? 0
    guard shape != nil, value.sourceSchemaIndex != nil,
      let node = graph.origin(of: value.node)?.node,
      case .members(let found)? = GraphContainer(graph.value(of: node))
    else {
      pairs = nil
      return
    }
    pairs = found
  }

  /// The location of a member that was held somewhere; nil for one that another container held.
  mutating func schemaIndex(of held: Origin.Part) -> Int? {
    guard let shape, let pairs, let slot = held.slot else { return nil }
    for step in 0..<pairs.count {
      let position = (next + step) % pairs.count
      guard graph.slot(pairs.values, pairs.position(position)) == slot else { continue }
      next = position + 1
      return graph.memberName(pairs, position).flatMap { shape.member(schemaIndex, $0) }
    }
    return nil
  }
}
