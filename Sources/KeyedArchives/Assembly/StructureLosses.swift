// What an envelope without classes loses of an archive's objects: classes, storage, mutability.
//
// What the source's schema declares is not a loss: migrating back restores it.

import Basics
import ObjectGraph

/// Something that an archive keeps beside a value, and that another envelope cannot hold.
public struct StructureLoss: Sendable {
  /// The kind of the loss.
  public enum Kind: String, Sendable {
    /// The class of an object, or its superclasses.
    case `class`
    /// Whether an object stores a number or data inline or as a separate object.
    case storage
    /// That a collection, a string or data is mutable.
    case mutability
    /// How an object that lenses take apart is stored: its class, its storage or who shares it.
    case form
  }

  /// The kind of the loss.
  public let kind: Kind
  /// The path of the first value that loses it.
  public let path: GraphPath
  /// The previous class or storage, such as `inline`.
  public let text: String
  /// The number of values with this loss at the same location of the schema.
  public var count: Int

  /// Makes a loss.
  public init(kind: Kind, path: GraphPath, text: String, count: Int) {
    self.kind = kind
    self.path = path
    self.text = text
    self.count = count
  }
}

/// Finds what an archive's model loses when its values are all that is kept.
public struct StructureLosses: ~Copyable {
  /// A container, and where it is in the schemas.
  private struct Container: WalkedContainer {
    let children: GraphContainer
    let place: Int
    /// The location of the same value in the target's schema.
    let targetPlace: Int
    let isRootList: Bool

    var childCount: Int { children.childCount }
    func child(_ position: Int, in graph: ObjectGraph) -> Node {
      children.child(position, in: graph)
    }
    func step(_ position: Int, in graph: ObjectGraph) -> GraphPath.Step {
      children.step(position, in: graph)
    }
  }

  private struct Visit: Hashable {
    let node: Node
    let place: Int
    let targetPlace: Int
  }

  private struct Group: Hashable {
    let kind: StructureLoss.Kind
    let place: Int
    let text: CodePointString
  }

  private let graph: ObjectGraph
  private let shape: any TypeHints
  private let target: (any TypeHints)?
  private let rootClass: String?
  /// Whether collections, strings and all else of Foundation stay the objects that they are.
  private let keepsFoundation: Bool
  /// Whether objects are of an application's classes.
  private let isObjectArchive: Bool
  private var walk: GraphWalk<Container>
  private var visited: Set<Visit> = []
  private var groups: [Group: Int] = [:]
  private var losses: [StructureLoss] = []

  /// Finds the losses.
  ///
  /// - Parameters:
  ///   - root: the model.
  ///   - shape: the schema of the source.
  ///   - target: the schema of the target, if its values have the same paths; nil if lenses move them.
  ///   - rootClass: the class that the schema gives a new root object.
  ///   - keepsFoundation: whether the target is an archive of objects, too.
  public static func find(
    _ root: Node, of graph: ObjectGraph, shape: any TypeHints, target: (any TypeHints)?,
    rootClass: String?, envelope: Envelope, keepsFoundation: Bool
  ) -> [StructureLoss] {
    guard envelope == .nscoding || mayLose(graph) else { return [] }
    var search = StructureLosses(
      graph, shape, keepsFoundation ? target : nil, rootClass, keepsFoundation,
      isObjectArchive: envelope == .nscoding)
    search.run(root)
    return search.losses
  }

  /// The classes of values that the values themselves determine.
  private static let plain: Set<String> = [
    "NSDictionary", "NSArray", "NSString", "NSNumber", "NSData", "NSDate", "NSNull",
  ]

  /// Most archives of dictionaries have only plain classes.
  private static func mayLose(_ graph: ObjectGraph) -> Bool {
    graph.classes.contains { !plain.contains($0.name) }
  }

  private init(
    _ graph: ObjectGraph, _ shape: any TypeHints, _ target: (any TypeHints)?,
    _ rootClass: String?, _ keepsFoundation: Bool, isObjectArchive: Bool
  ) {
    self.graph = graph
    walk = GraphWalk(in: graph)
    self.shape = shape
    self.target = target
    self.rootClass = rootClass
    self.keepsFoundation = keepsFoundation
    self.isObjectArchive = isObjectArchive
  }

  private mutating func run(_ root: Node) {
    look(at: root, shape.root, target?.root ?? 0, slot: nil, isRoot: true)
    while let event = walk.next() {
      guard case .child(let node, let index, let container) = event else { continue }
      switch container.children {
      case .members(let pairs):
        let place = place(of: pairs, index, in: container.place, of: shape)
        let targetPlace = target.map {
          self.place(of: pairs, index, in: container.targetPlace, of: $0)
        }
        let slot = pairs.isObject ? graph.slot(pairs.values, pairs.position(index)) : nil
        look(at: node, place, targetPlace ?? 0, slot: slot, isRoot: false)
      default:
        look(
          at: node, shape.element(container.place), target?.element(container.targetPlace) ?? 0,
          slot: nil, isRoot: container.isRootList)
      }
    }
  }

  /// The location of a member; schemas do not name keys that are not text.
  private func place(
    of pairs: Pairs, _ index: Int, in place: Int, of shape: any TypeHints
  ) -> Int {
    // A name that no schema mentions has the location of all others.
    guard let name = graph.memberName(pairs, index) else {
      return shape.place(of: "\u{0}", in: place)
    }
    return shape.member(place, name) ?? 0
  }

  private mutating func look(
    at node: Node, _ place: Int, _ targetPlace: Int, slot: Slot?, isRoot: Bool
  ) {
    let rule = shape.structure(place)
    let description = graph.classIndex(of: node).map { graph.classes[$0] }
    switch graph.value(of: node) {
    case .null:
      // A field's null comes back as nil.
      if slot != nil, let description { lose(.class, place, description.displayName) }
    case .boolean, .integer, .unsigned, .real, .single: checkStorage(slot, rule, place)
    case .data:
      checkStorage(slot, rule, place, isData: true)
      checkClass(description, rule, place)
    case .uid: break
    case .string, .date: checkClass(description, rule, place)
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      checkClass(description ?? Self.bare, rule, place)
      enter(node, .elements(elements), place, targetPlace, isRootList: isRoot)
    case .dictionary(let pairs):
      if isObjectArchive || keepsFoundation {
        checkDictionary(description, rule, place, targetPlace)
      } else {
        checkClass(description, rule, place)
      }
      enter(node, .members(pairs), place, targetPlace)
    case .object(let index, let pairs):
      // An object of Foundation is copied whole, or has a form that Codable writes for its class.
      if ClassRegistry.isFoundation(graph.classes[index].name) {
        return checkClass(description, rule, place)
      }
      checkObject(description, rule, place, isRoot: isRoot)
      enter(node, .members(pairs), place, targetPlace)
    }
  }

  private static let bare = ClassDescription(name: "NSArray", displayName: "NSArray", chain: [])

  private mutating func enter(
    _ node: Node, _ children: GraphContainer, _ place: Int, _ targetPlace: Int,
    isRootList: Bool = false
  ) {
    let visit = Visit(node: node, place: place, targetPlace: targetPlace)
    guard visited.insert(visit).inserted else { return }
    walk.enter(
      Container(
        children: children, place: place, targetPlace: targetPlace, isRootList: isRootList))
  }

  // MARK: Checks

  private mutating func checkStorage(
    _ slot: Slot?, _ rule: StructureRule?, _ place: Int, isData: Bool = false
  ) {
    guard let slot else { return }
    let storage: FieldStorage = graph.objectNumber(in: slot) == nil ? .inline : .boxed
    // Data without a word on it becomes an object of its own.
    let expected = rule?.storage ?? (isData ? .boxed : nil)
    if storage != expected { lose(.storage, place, storage.rawValue) }
  }

  /// An object of Foundation, for whose class Codable has a form.
  ///
  /// Text or a list does not show its original class, and no form shows that it is mutable.
  private mutating func checkClass(
    _ description: ClassDescription?, _ rule: StructureRule?, _ place: Int
  ) {
    guard !keepsFoundation, let description,
      rule?.className?.hasSameScalars(as: description.name) != true
    else { return }
    let name = FoundationClass.immutable(description.name)
    if !Self.plain.contains(name),
      rule?.className.map(FoundationClass.immutable)?.hasSameScalars(as: name) != true
    {
      return lose(.class, place, description.displayName)
    }
    if FoundationClass.isMutable(description.name) != (rule?.isMutable ?? false) {
      lose(.mutability, place, description.displayName)
    }
  }

  /// A dictionary among an application's objects, which becomes one of them where its schema names their class.
  private mutating func checkDictionary(
    _ description: ClassDescription?, _ rule: StructureRule?, _ place: Int, _ targetPlace: Int
  ) {
    let name = description?.name ?? "NSDictionary"
    let named = rule?.className.map { FoundationClass.immutable($0) }
    if let named, !named.hasSameScalars(as: FoundationClass.immutable(name)) {
      return lose(.class, place, name)
    }
    if FoundationClass.isMutable(name) != (rule?.isMutable ?? false),
      rule?.className?.hasSameScalars(as: name) != true,
      !staysDictionary(named, targetPlace)
    {
      lose(.mutability, place, name)
    }
  }

  /// Whether a dictionary is copied unchanged, forward and backward: both schemas have a dictionary there, or nothing
  /// about it in an archive of dictionaries.
  private func staysDictionary(_ named: String?, _ targetPlace: Int) -> Bool {
    guard let target else { return false }
    let other = target.structure(targetPlace)?.className.map { FoundationClass.immutable($0) }
    return (named ?? (isObjectArchive ? nil : "NSDictionary")) == "NSDictionary"
      && (other ?? (isObjectArchive ? "NSDictionary" : nil)) == "NSDictionary"
  }

  private mutating func checkObject(
    _ description: ClassDescription?, _ rule: StructureRule?, _ place: Int, isRoot: Bool
  ) {
    guard let description else { return }
    let name = isRoot ? rootClass ?? rule?.className : rule?.className
    let chain =
      haveSameScalars(rule?.chain.first, name)
      ? rule?.chain : name.map { FoundationClass.chain(of: $0) }
    if !haveSameScalars(name, description.name)
      || chain?.haveSameScalars(as: description.chain) != true
    {
      lose(.class, place, description.displayName)
    }
  }

  private func haveSameScalars(_ left: String?, _ right: String?) -> Bool {
    left.map { CodePointString($0) } == right.map { CodePointString($0) }
  }

  private mutating func lose(_ kind: StructureLoss.Kind, _ place: Int, _ text: String) {
    let group = Group(kind: kind, place: place, text: CodePointString(text))
    if let known = groups[group] {
      losses[known].count += 1
      return
    }
    groups[group] = losses.count
    losses.append(StructureLoss(kind: kind, path: walk.path, text: text, count: 1))
  }
}
