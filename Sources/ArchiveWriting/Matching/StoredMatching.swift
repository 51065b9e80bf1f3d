// Two graphs matched object by object, as an unarchiver would see them: each pair of stored values once.
//
// It reads both graphs as they are stored, and shares no code with what writes archives.

import ArchiveBasics
import ArchiveGraph
import KeyedArchives

/// Two values that belong together.
package struct NodePair: Hashable {
  package let left: Node
  package let right: Node

  /// Makes a pair.
  package init(_ left: Node, _ right: Node) { (self.left, self.right) = (left, right) }
}

/// Matches the stored values of two graphs.
///
/// The numbers of objects, the order of fields, of a dictionary's entries and of a set's elements, and the layout of a
/// collection mean nothing to an unarchiver. Everything else counts: class chains, mutability, inline and boxed storage,
/// which references lead to one object, the classes of keys, nil and absence (which `containsValue(forKey:)` tells
/// apart), and values. Objects that never change and
/// have only a value (strings, numbers, dates, empty collections, `FoundationClass.isOfValues`) have no identity; nor have
/// immutable collections where an envelope came between that copies them. NSKeyedArchiver stores equal ones once.
package struct StoredMatching {
  /// What counts besides.
  package struct Policy {
    /// Whether it does not matter which immutable collections are one object.
    var areCollectionsValues = false
    /// A member of the root that is not compared.
    var ignoredMember: String?
    /// Whether the types of numbers, the records of classes, inline elements and the encodings of archives in data count.
    var isOfFiles = false
  }

  /// How a value is held, which determines the differences that matter.
  package enum Role: UInt8 {
    /// By the top of an archive, a collection, or a property list.
    case element
    /// In a field of an object: a number may be inline or boxed.
    case field
    /// As the key of a dictionary's entry.
    case key
  }

  /// Not a `GraphWalk`: two graphs are walked in step.
  package struct Step {
    /// The values as their holders store them: a UID, or the value itself.
    package let pair: NodePair
    package let role: Role
    let trail: Int
  }

  package let left: Side
  package let right: Side
  private let policy: Policy
  private var waiting: [Step] = []
  private var known: Set<NodePair> = []
  /// The records of classes that were matched.
  var knownRecords: Set<NodePair> = []
  /// The objects that correspond to one another.
  private var partners: [Node: Node] = [:]
  private var origins: [Node: Node] = [:]
  private var differences: StoredDifferences

  /// Matches two values and everything that they lead to.
  ///
  /// - Parameters:
  ///   - areCollectionsValues: whether it does not matter which immutable collections are one object.
  ///   - ignoredMember: a member of the root that is not compared.
  ///   - split: differences for which it answers differently are separate.
  /// - Returns: all differences, in the order of the first graph, with the numbers of those that are alike.
  package static func differences(
    _ left: Node, of source: ObjectGraph, _ right: Node, of target: ObjectGraph,
    areCollectionsValues: Bool = false, ignoring ignoredMember: String? = nil,
    splitBy split: ((StoredDifference.Kind, GraphPath) -> Bool)? = nil
  ) -> [StoredDifference] {
    var matching = StoredMatching(
      source, target,
      Policy(areCollectionsValues: areCollectionsValues, ignoredMember: ignoredMember),
      StoredDifferences(split: split))
    matching.expect([(left, right, nil)], .element, PathTrails.root)
    while matching.matchNext() {}
    return matching.differences.list
  }

  package init(
    _ left: ObjectGraph, _ right: ObjectGraph, _ policy: Policy,
    _ differences: StoredDifferences = StoredDifferences()
  ) {
    (self.left, self.right) = (Side(left), Side(right))
    self.policy = policy
    self.differences = differences
  }

  /// Whether the same references lead to one object each in two graphs, from pairs of equal values on.
  package static func shareAlike(
    _ pairs: [NodePair], of source: ObjectGraph, _ target: ObjectGraph
  ) -> Bool {
    var matching = StoredMatching(source, target, Policy(areCollectionsValues: true))
    matching.expect(pairs.map { ($0.left, $0.right, nil) }, .element, PathTrails.root)
    while matching.matchNext() {}
    return matching.differences.list.allSatisfy { $0.kind != .sharing }
  }

  /// Matches the next pair; false if none waits.
  mutating func matchNext() -> Bool {
    guard let step = waiting.popLast() else { return false }
    match(step)
    return true
  }

  /// The path of the first difference that was found.
  var firstDifference: GraphPath? { differences.list.first?.path }

  // MARK: Differences

  package mutating func differ(_ kind: StoredDifference.Kind, _ text: String, _ trail: Int) {
    differences.add(kind, text, trail)
  }

  /// Takes note of values that are matched after those that wait already.
  package mutating func expect(
    _ pairs: [(left: Node, right: Node, step: GraphPath.Step?)], _ role: Role, _ trail: Int
  ) {
    for (one, other, step) in pairs.reversed() {
      let next = step.map { differences.trails.add($0, after: trail) } ?? trail
      waiting.append(Step(pair: NodePair(one, other), role: role, trail: next))
    }
  }

  // MARK: Values

  private mutating func match(_ step: Step) {
    let one = left.resolved(step.pair.left)
    let other = right.resolved(step.pair.right)
    if one.isNil || other.isNil {
      if !one.isNil || !other.isNil { differNil(one, other, step) }
      return
    }
    if policy.isOfFiles || step.role == .field, one.isBoxed != other.isBoxed, one.isArchived,
      other.isArchived
    {
      differ(
        .storage, one.isBoxed ? "boxed, which becomes inline" : "inline, which becomes boxed",
        step.trail)
    }
    let isIdentified =
      one.isBoxed && left.hasIdentity(one.node, policy.areCollectionsValues)
      || other.isBoxed && right.hasIdentity(other.node, policy.areCollectionsValues)
    if isIdentified, !bind(one.node, other.node, step.trail) { return }
    guard known.insert(NodePair(one.node, other.node)).inserted else { return }
    matchContents(one.node, other.node, step)
  }

  private mutating func differNil(_ one: Side.Resolved, _ other: Side.Resolved, _ step: Step) {
    let (isNull, isOtherNull) = (left.isNull(one), right.isNull(other))
    guard isNull, isOtherNull else {
      return differ(
        .value, isNull ? "nil, which becomes a value" : "a value, which becomes nil", step.trail)
    }
    differ(
      .absence, one.isNil ? "nil, which becomes NSNull" : "NSNull, which becomes nil", step.trail)
  }

  /// Makes two objects correspond; false if one of them corresponds to another already.
  private mutating func bind(_ one: Node, _ other: Node, _ trail: Int) -> Bool {
    if let partner = partners[one], partner != other {
      differ(.sharing, "one object, which becomes two", trail)
      return false
    }
    if let origin = origins[other], origin != one {
      differ(.sharing, "two objects, which become one", trail)
      return false
    }
    partners[one] = other
    origins[other] = one
    return true
  }

  private mutating func matchContents(_ one: Node, _ other: Node, _ step: Step) {
    matchClasses(one, other, step)
    switch (left.content(of: one), right.content(of: other)) {
    case (.scalar(let value), .scalar(let counterpart)):
      matchScalars(value, counterpart, (one, other), step.trail)
    case (.list(let elements), .list(let others)):
      guard elements.count == others.count else {
        return differ(
          .value, "a list of \(elements.count), which becomes one of \(others.count)", step.trail)
      }
      expect(
        elements.indices.map { (elements[$0], others[$0], .index($0)) }, .element, step.trail)
    case (.set(let elements), .set(let others)):
      matchSets(elements, others, step.trail)
    case (.entries(let entries, let isObject), .entries(let others, let isOtherObject)):
      matchEntries(entries, others, isObject && isOtherObject, step)
    case (let content, let counterpart):
      differ(.value, "\(content.phrase), which becomes \(counterpart.phrase)", step.trail)
    }
    // What collections store beside their elements, and what a class's displayed value does not show.
    let further = (left.furtherFields(of: one), right.furtherFields(of: other))
    if !further.0.isEmpty || !further.1.isEmpty {
      matchEntries(further.0, further.1, true, step)
    }
  }

  private mutating func matchClasses(_ one: Node, _ other: Node, _ step: Step) {
    let (old, new) = (left.classDescription(of: one), right.classDescription(of: other))
    if old == new {
      if policy.isOfFiles, old != nil { matchRecords(one, other, step.trail) }
      return
    }
    let kind: StoredDifference.Kind = step.role == .key ? .key : .class
    guard let old, let new else {
      return differ(
        kind,
        "\(old?.displayName ?? "no class"), which becomes \(new?.displayName ?? "no class")",
        step.trail)
    }
    if old.name.hasSameScalars(as: new.name) {
      return differ(kind, "\(old.displayName), whose superclasses change", step.trail)
    }
    let isMutability = FoundationClass.immutable(old.name) == FoundationClass.immutable(new.name)
    differ(
      isMutability && kind == .class ? .mutability : kind,
      "\(old.displayName), which becomes \(new.displayName)", step.trail)
  }

  private mutating func matchScalars(
    _ value: Value, _ counterpart: Value, _ nodes: (left: Node, right: Node), _ trail: Int
  ) {
    switch StoredScalars.compare(
      (nodes.left, value), of: left.graph, (nodes.right, counterpart), of: right.graph,
      isStored: policy.isOfFiles)
    {
    case .equal: return
    case .precision(let text): differ(.storage, text, trail)
    case .different:
      if case .data = value, case .data = counterpart,
        let contents = contents(nodes.left, nodes.right)
      {
        if policy.isOfFiles {
          return matchDocuments(contents.left.document, contents.right.document, trail)
        }
        return expect([(contents.left, contents.right, nil)], .element, trail)
      }
      if !policy.isOfFiles, let contents = layeredContents(nodes.left, nodes.right) {
        return expect([(contents.left, contents.right, nil)], .element, trail)
      }
      differ(
        .value, "\(StoredScalars.text(value)), which becomes \(StoredScalars.text(counterpart))",
        trail)
    }
  }

  /// The roots of what two data values hold; nil if one of them holds no document.
  private func contents(_ one: Node, _ other: Node) -> NodePair? {
    guard let content = left.graph.content(of: one),
      let counterpart = right.graph.content(of: other)
    else { return nil }
    return NodePair(content, counterpart)
  }

  /// The roots of the archives that two values hold in the same layers; nil if one of them holds none.
  private func layeredContents(_ one: Node, _ other: Node) -> NodePair? {
    guard let content = left.graph.layeredArchive(in: one),
      let counterpart = right.graph.layeredArchive(in: other),
      content.layers == counterpart.layers
    else { return nil }
    return NodePair(content.root, counterpart.root)
  }

  // MARK: Containers

  private mutating func matchEntries(
    _ entries: [Side.Entry], _ others: [Side.Entry], _ areFields: Bool, _ step: Step
  ) {
    var positions: [CodePointString: [Int]] = [:]
    for (position, entry) in others.enumerated().reversed() {
      positions[entry.name, default: []].append(position)
    }
    var pairs: [(left: Node, right: Node, step: GraphPath.Step?)] = []
    var keys = pairs
    for entry in entries where !isIgnored(entry, step) {
      let member = GraphPath.Step.key(entry.name.text)
      guard let position = positions[entry.name]?.popLast() else {
        differMissing(left.resolved(entry.value), left, isGained: false, member, step.trail)
        continue
      }
      pairs.append((entry.value, others[position].value, member))
      if let key = entry.key, let counterpart = others[position].key {
        keys.append((key, counterpart, member))
      }
    }
    for entry in others
    where positions[entry.name]?.isEmpty == false && !isIgnored(entry, step) {
      _ = positions[entry.name]?.popLast()
      let member = GraphPath.Step.key(entry.name.text)
      differMissing(right.resolved(entry.value), right, isGained: true, member, step.trail)
    }
    expect(pairs, areFields ? .field : .element, step.trail)
    expect(keys, .key, step.trail)
  }

  private func isIgnored(_ entry: Side.Entry, _ step: Step) -> Bool {
    step.trail == PathTrails.root && entry.name.text == policy.ignoredMember
  }

  private mutating func differMissing(
    _ value: Side.Resolved, _ side: Side, isGained: Bool, _ step: GraphPath.Step, _ trail: Int
  ) {
    let missing = differences.trails.add(step, after: trail)
    let isNull = side.isNull(value)
    let text =
      isGained
      ? isNull ? "absent, which becomes null" : "absent, which becomes a value"
      : isNull ? "null, which becomes absent" : "a value, which becomes absent"
    differ(isNull ? .absence : .value, text, missing)
  }

  /// Elements of sets that have the same value correspond.
  private mutating func matchSets(_ elements: [Node], _ others: [Node], _ trail: Int) {
    guard elements.count == others.count else {
      return differ(
        .value, "a set of \(elements.count), which becomes one of \(others.count)", trail)
    }
    var positions: [[UInt8]: [Int]] = [:]
    for (position, node) in others.enumerated().reversed() {
      positions[right.digest(of: node), default: []].append(position)
    }
    var pairs: [(left: Node, right: Node, step: GraphPath.Step?)] = []
    for (position, node) in elements.enumerated() {
      guard let partner = positions[left.digest(of: node)]?.popLast() else {
        differ(
          .value, "an element, which is missing",
          differences.trails.add(.index(position), after: trail))
        continue
      }
      pairs.append((node, others[partner], .index(position)))
    }
    expect(pairs, .element, trail)
  }

  // MARK: One graph

  /// One of the two graphs, read as it is stored.
  package struct Side {
    /// A stored value after its UID was followed.
    package struct Resolved {
      let node: Node
      /// Whether it is behind a UID.
      let isBoxed: Bool
      /// Whether it is of an archive of objects.
      let isArchived: Bool
      /// Whether it is the UID of nil.
      let isNil: Bool
    }

    /// A field of an object, or an entry of a dictionary.
    package struct Entry {
      let name: CodePointString
      /// The key of an entry, whose class counts; nil for the name of a field.
      let key: Node?
      let value: Node
    }

    /// What a stored value consists of.
    package enum Content {
      case scalar(Value)
      case list([Node])
      case set([Node])
      case entries([Entry], isObject: Bool)

      var phrase: String {
        switch self {
        case .scalar(let value): StoredScalars.text(value)
        case .list: "a list"
        case .set: "a set"
        case .entries(_, let isObject): isObject ? "an object" : "a dictionary"
        }
      }
    }

    package let graph: ObjectGraph

    package init(_ graph: ObjectGraph) { self.graph = graph }

    /// Whether a value is of a property list or JSON, not of an archive of objects.
    func isPlain(_ node: Node) -> Bool { graph.documents[Int(node.document)].archive == nil }

    func resolved(_ stored: Node) -> Resolved {
      let isArchived = !isPlain(stored)
      let slot = Slot(document: stored.document, reference: stored.index)
      if isArchived, let number = graph.objectNumber(in: slot) {
        return Resolved(
          node: graph.node(in: slot), isBoxed: true, isArchived: true, isNil: number == 0)
      }
      // The root of an archive is an object, though nothing that is matched refers to it.
      let isObject = isArchived && graph.classIndex(of: stored) != nil
      return Resolved(
        node: stored, isBoxed: isObject, isArchived: isArchived,
        isNil: isArchived && graph.isNullMark(stored))
    }

    /// Whether a value is nil, NSNull or the null of a property list.
    package func isNull(_ value: Resolved) -> Bool { value.isNil || graph.isNull(value.node) }

    /// Whether it matters that an object is one: not for what never changes and has only a value.
    func hasIdentity(_ node: Node, _ areCollectionsValues: Bool) -> Bool {
      guard let index = graph.classIndex(of: node) else { return graph.value(of: node).isContainer }
      let name = graph.classes[index].name
      if FoundationClass.isMutable(name) { return true }
      switch graph.value(of: node) {
      case .array(let elements), .set(let elements), .orderedSet(let elements):
        return elements.count > 0 && !areCollectionsValues
      case .dictionary(let pairs): return pairs.count > 0 && !areCollectionsValues
      case .object: return !FoundationClass.isOfValues(name)
      default: return false
      }
    }

    /// The class of a stored value; that of a bare string, number or data value is Foundation's.
    package func classDescription(of node: Node) -> ClassDescription? {
      if isPlain(node) { return nil }
      if let index = graph.classIndex(of: node) { return graph.classes[index] }
      switch graph.value(of: node) {
      case .string: return FoundationClass.string
      case .data: return FoundationClass.data
      case .boolean, .integer, .unsigned, .wide, .real, .single: return FoundationClass.number
      default: return nil
      }
    }

    // MARK: Contents

    package func content(of node: Node) -> Content {
      switch graph.value(of: node) {
      case .array(let elements), .orderedSet(let elements): return .list(nodes(elements))
      case .set(let elements): return .set(nodes(elements))
      case .dictionary(let pairs): return .entries(entries(pairs), isObject: pairs.isFields)
      case .object(let index, let pairs):
        return .entries(entries(pairs, ofClass: index), isObject: true)
      case let value: return .scalar(value)
      }
    }

    /// Elements as they are held; what a class derives from its fields has no holder.
    private func nodes(_ elements: Elements) -> [Node] {
      (0..<elements.count).map { held(elements, $0) }
    }

    private func held(_ elements: Elements, _ position: Int) -> Node {
      graph.slot(elements, position).map { Node(document: $0.document, index: $0.reference) }
        ?? graph.node(elements, position)
    }

    /// The members of a container, without the fields that the class derives from others.
    private func entries(_ pairs: Pairs, ofClass index: ClassIndex? = nil) -> [Entry] {
      (0..<pairs.count).compactMap { position in
        let name = name(pairs, position)
        if let index, ClassRegistry.isDerived(name.text, of: graph.classes[index].name) {
          return nil
        }
        let key = held(pairs.keys, pairs.position(position))
        return Entry(
          name: name, key: pairs.isFields ? nil : key,
          value: held(pairs.values, pairs.position(position)))
      }
    }

    /// The name of a member; for a key that is not text its value.
    package func name(_ pairs: Pairs, _ position: Int) -> CodePointString {
      if let name = graph.memberName(pairs, position) { return CodePointString(name.string) }
      let key = graph.key(pairs, position)
      switch graph.value(of: key) {
      case .boolean, .integer, .unsigned, .wide, .real, .single, .date:
        return CodePointString(StoredScalars.text(graph.value(of: key)))
      default:
        let digits = (ModelDigest.bytes(of: key, in: graph) ?? []).map { String($0, radix: 16) }
        return CodePointString(digits.joined())
      }
    }

    package func digest(of stored: Node) -> [UInt8] {
      ModelDigest.bytes(of: resolved(stored).node, in: graph) ?? []
    }

    /// The fields of an object that its displayed value does not contain, by their stored names.
    ///
    /// For collections, strings and data these are the fields besides their contents; for other classes with a
    /// displayed value all fields.
    func furtherFields(of node: Node) -> [Entry] {
      guard !isPlain(node), let (index, fields) = graph.objectFields(of: node) else { return [] }
      let isWhole: Bool
      switch graph.value(of: node) {
      case .object: return []
      case .array, .set, .orderedSet, .dictionary: isWhole = true
      // The text of a string, and the bytes of data, are compared as values.
      case .string, .data:
        let name = classDescription(of: node).map { FoundationClass.immutable($0.name) }
        isWhole = name == "NSString" || name == "NSData"
      default: isWhole = false
      }
      return entries(fields, ofClass: index).filter {
        !isWhole || !Self.isContent($0.name.text)
      }
    }

    private static func isContent(_ name: String) -> Bool {
      contents.contains(name) || name.hasPrefix("NS.key.") || name.hasPrefix("NS.object.")
    }

    private static let contents: Set<String> = [
      "NS.keys", "NS.objects", "NS.count", "NS.string", "NS.bytes", "NS.data",
    ]
  }

  // MARK: Two files matched with all that they store: what a merge must not change unseen

  /// The path of a difference between two files; nil if both store the same.
  ///
  /// The numbers of objects may differ, and the order of members and of the elements of sets. Everything else counts, also
  /// what an unarchiver does not see: the archiver, the records of classes, the types of numbers, whether an element is
  /// stored inline, and how an archive in a data value is encoded.
  package static func firstDifference(
    betweenFiles left: ObjectGraph, _ right: ObjectGraph
  ) -> GraphPath? {
    var matching = StoredMatching(left, right, Policy(isOfFiles: true))
    matching.matchDocuments(0, 0, PathTrails.root, areFiles: true)
    while matching.firstDifference == nil, matching.matchNext() {}
    return matching.firstDifference
  }

  /// Whether it matters that an object is the same as another: not for values that never change.
  package static func hasIdentity(_ node: Node, in graph: ObjectGraph) -> Bool {
    let side = Side(graph)
    return !side.isPlain(node) && graph.classIndex(of: node) != nil && side.hasIdentity(node, false)
  }

  /// Matches what two documents store at their tops.
  ///
  /// - Parameter areFiles: whether they are the files themselves, of which a merge has one written anew; those in data
  ///   must have one encoding, also at the root, whose path is that of the file.
  mutating func matchDocuments(
    _ one: UInt32, _ other: UInt32, _ trail: Int, areFiles: Bool = false
  ) {
    let (document, counterpart) = (
      left.graph.documents[Int(one)], right.graph.documents[Int(other)]
    )
    guard areFiles || document.encoding == counterpart.encoding,
      (document.archive == nil) == (counterpart.archive == nil)
    else {
      return differ(
        .value, "\(document.encoding.name), which becomes \(counterpart.encoding.name)", trail)
    }
    let tops = (
      Node(document: one, index: document.top), Node(document: other, index: counterpart.top)
    )
    guard document.archive != nil else { return expect([(tops.0, tops.1, nil)], .element, trail) }
    // Objects are matched where something refers to them, and what top-level keys lead to with its path.
    let (members, others) = (Members(document), Members(counterpart))
    let names = members.names + others.names.filter { members.values[$0] == nil }
    for name in names where name.text != "$objects" {
      let (value, pair) = (members.values[name], others.values[name])
      if name.text == "$top", let value, let pair {
        matchTops(Node(document: one, index: value), Node(document: other, index: pair), trail)
      } else if !areStored(value, document, pair, counterpart) {
        differ(.value, "\(name.text), which changes", trail)
      }
    }
  }

  private mutating func matchTops(_ one: Node, _ other: Node, _ trail: Int) {
    let (document, counterpart) = (left.graph.document(of: one), right.graph.document(of: other))
    let (tops, others) = (Members(document, one.index), Members(counterpart, other.index))
    guard tops.count == others.count, tops.values.count == tops.count,
      tops.values.keys.allSatisfy({ others.values[$0] != nil })
    else {
      return differ(.value, "top-level keys, which change", trail)
    }
    // The root's path has no name.
    expect(
      tops.names.compactMap { name in
        guard let value = tops.values[name], let pair = others.values[name] else { return nil }
        return (
          Node(document: one.document, index: value), Node(document: other.document, index: pair),
          tops.count == 1 ? nil : .key(name.text)
        )
      }, .element, trail)
  }

  /// Matches the records of two classes that have the same name and superclasses.
  mutating func matchRecords(_ one: Node, _ other: Node, _ trail: Int) {
    let (document, counterpart) = (left.graph.document(of: one), right.graph.document(of: other))
    let records = (record(of: one, in: left.graph), record(of: other, in: right.graph))
    guard records.0 != nil || records.1 != nil else { return }
    if let old = records.0, let new = records.1 {
      let pair = NodePair(
        Node(document: one.document, index: old), Node(document: other.document, index: new))
      if !knownRecords.insert(pair).inserted { return }
    }
    if !areStored(records.0, document, records.1, counterpart) {
      differ(.class, "a class, whose record changes", trail)
    }
  }

  private func record(of node: Node, in graph: ObjectGraph) -> UInt32? {
    let table = graph.document(of: node).table
    guard table.marker(of: node.index) >> 4 == Marker.dictionary else { return nil }
    return table.value("$class", of: node.index).map {
      graph.follow($0, in: node.document).index
    }
  }

  private func areStored(
    _ one: UInt32?, _ document: Document, _ other: UInt32?, _ counterpart: Document
  ) -> Bool {
    guard let one, let other else { return one == other }
    var comparison = StoredComparison(
      StoredComparison.Side(document, nil), StoredComparison.Side(counterpart, nil),
      scalars: .stored)
    return comparison.isSame(one, other)
  }

  /// The members of a stored dictionary by their names.
  private struct Members {
    private(set) var values: [CodePointString: UInt32] = [:]
    private(set) var names: [CodePointString] = []
    let count: Int

    init(_ document: Document, _ index: UInt32? = nil) {
      let children = document.table.children(of: index ?? document.top)
      count = children.count / 2
      for position in 0..<count {
        guard let text = document.table.text(at: children[position])?.string else { continue }
        let name = CodePointString(text)
        if values[name] == nil { names.append(name) }
        values[name] = children[count + position]
      }
    }
  }
}

// MARK: - What differs between two stored graphs, by kind

/// A difference between two stored graphs.
package struct StoredDifference: Sendable {
  /// What differs, as the table of losses in archtool-migrate(1) has it.
  package enum Kind: String, Sendable, CaseIterable {
    /// A member, an element or a digit.
    case value
    /// Whether a value is nil, null or absent.
    case absence
    /// Whether references lead to one object.
    case sharing
    /// The class of a dictionary's key.
    case key
    /// The class of an object, or its superclasses.
    case `class`
    /// Whether a value is inline or a separate object, and the precision of a real.
    case storage
    /// Whether a collection, a string or data is mutable.
    case mutability
  }

  /// The kind.
  package let kind: Kind
  /// The path of the value in the first graph.
  package let path: GraphPath
  /// What the value is, and what it becomes: `NSArray, which becomes NSSet`.
  package let text: String
  /// The number of values with this difference whose paths differ in nothing but the positions of elements.
  package internal(set) var count = 1

  /// Makes a difference.
  package init(kind: Kind, path: GraphPath, text: String) {
    (self.kind, self.path, self.text) = (kind, path, text)
  }
}

/// The differences found so far: one for each kind, text and path without the positions of elements.
///
/// All are counted. Beyond a number that nobody would read, those of one kind have the first one's path and text.
package struct StoredDifferences {
  private struct Key: Hashable {
    let kind: StoredDifference.Kind
    let text: CodePointString?
    let pattern: Int
    let isSplit: Bool
  }

  private static let most = 10_000
  /// How many steps all paths in the list may have: a path may be long.
  private static let mostSteps = 1 << 20

  /// Differences for which the answers are not the same are separate; nil if none need be.
  let split: ((StoredDifference.Kind, GraphPath) -> Bool)?
  var trails = PathTrails()
  private(set) var list: [StoredDifference] = []
  private var known: [Key: Int] = [:]
  private var stepCount = 0

  init(split: ((StoredDifference.Kind, GraphPath) -> Bool)? = nil) { self.split = split }

  /// Adds a difference of the value at a path.
  mutating func add(_ kind: StoredDifference.Kind, _ text: String, _ trail: Int) {
    let isSplit = split.map { $0(kind, trails.path(trail)) } ?? false
    let isFull = list.count >= Self.most || stepCount >= Self.mostSteps
    let key = Key(
      kind: kind, text: isFull ? nil : CodePointString(text),
      pattern: isFull ? PathTrails.root : trails.pattern(of: trail), isSplit: isSplit)
    if let position = known[key] {
      list[position].count += 1
      return
    }
    let path = trails.path(trail)
    stepCount += path.steps.count
    known[key] = list.count
    list.append(StoredDifference(kind: kind, path: path, text: text))
  }
}

// MARK: - Whether two stored scalars are the same to an unarchiver

/// Compares scalars as they are stored.
enum StoredScalars {
  enum Answer: Equatable {
    case equal
    /// The same number in another precision, with the words for it.
    case precision(String)
    case different
  }

  /// Compares two scalars; a boolean is a number in an archive, where NSNumber has both, and not in a property list.
  static func compare(
    _ one: (node: Node, value: Value), of source: ObjectGraph,
    _ other: (node: Node, value: Value), of target: ObjectGraph, isStored: Bool = false
  ) -> Answer {
    let isPlain = source.documents[Int(one.node.document)].archive == nil
    let rule: ScalarEquality = isStored ? .stored : isPlain ? .exact : .model
    switch (one.value, other.value) {
    case _ where !rule.areEqual(one.value, other.value): return .different
    case (.single, .real): return .precision("of single precision, which becomes double")
    case (.real, .single): return .precision("of double precision, which becomes single")
    default: return .equal
    }
  }

  /// A scalar in words.
  static func text(_ value: Value) -> String {
    switch value {
    case .boolean(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .wide(let number): "\(number)"
    case .real(let number): "\(number)"
    case .single(let number): "\(number)"
    case .string(let text): "\"\(text.string.prefix(60))\""
    case .null: "null"
    case .date(let seconds): Timestamp(secondsFromReference: seconds)?.text ?? "a date"
    case .data(let bytes): "\(bytes.count) bytes of data"
    case .uid(let number): "UID \(number)"
    case .array, .orderedSet: "a list"
    case .set: "a set"
    case .dictionary: "a dictionary"
    case .object: "an object"
    }
  }
}

extension FoundationClass {
  /// The class of a bare string in an archive.
  package static let string = description("NSString")
  /// The class of bare bytes in an archive.
  package static let data = description("NSData")
  /// The class of a bare number or boolean in an archive.
  package static let number = description("NSNumber")

  private static func description(_ name: String) -> ClassDescription {
    ClassDescription(name: name, displayName: name, chain: chain(of: name))
  }

  /// Whether a class is a framework's whose objects are no collections.
  package static func isFramework(_ name: String) -> Bool {
    ClassRegistry.isFoundation(name) && !collections.contains(immutable(name))
  }

  private static let collections: Set<String> = [
    "NSArray", "NSDictionary", "NSOrderedSet", "NSSet",
  ]
  private static let valueClasses: Set<String> = [
    "NSDictionary", "NSArray", "NSString", "NSNumber", "NSData", "NSDate", "NSNull",
  ]

  /// Whether a class is one that every writer chooses for immutable values.
  static func isChosenForValues(_ description: ClassDescription) -> Bool {
    valueClasses.contains(description.name)
      && description.chain.haveSameScalars(as: chain(of: description.name))
  }
}

// MARK: - The paths of a walk: each value has its step and the number of its holder's path

/// The paths to values, of which each shares the beginning with others.
struct PathTrails {
  /// A path without the positions of its elements: the number of the one before, and a step.
  private struct Pattern: Hashable {
    let parent: Int
    let step: GraphPath.Step
  }

  /// The number of the empty path.
  static let root = -1

  private var steps: [(parent: Int, step: GraphPath.Step)] = []
  private var patterns: [Pattern: Int] = [:]
  /// The patterns of the paths that were looked at.
  private var ofTrails = [root: 0]

  /// The last step of a path, and the path before it.
  subscript(trail: Int) -> (parent: Int, step: GraphPath.Step) { steps[trail] }

  /// The number of a path that goes one step further.
  mutating func add(_ step: GraphPath.Step, after trail: Int) -> Int {
    steps.append((trail, step))
    return steps.count - 1
  }

  /// A path, for messages.
  func path(_ trail: Int) -> GraphPath {
    var found: [GraphPath.Step] = []
    var current = trail
    while current != Self.root {
      found.append(steps[current].step)
      current = steps[current].parent
    }
    return GraphPath(found.reversed())
  }

  /// The number of a path without the positions of its elements.
  mutating func pattern(of trail: Int) -> Int {
    var open: [Int] = []
    var current = trail
    while ofTrails[current] == nil {
      open.append(current)
      current = steps[current].parent
    }
    var pattern = ofTrails[current] ?? 0
    for trail in open.reversed() {
      var step = steps[trail].step
      if case .index = step { step = .anyElement }
      let next = Pattern(parent: pattern, step: step)
      pattern = patterns[next] ?? patterns.count + 1
      patterns[next] = pattern
      ofTrails[trail] = pattern
    }
    return pattern
  }
}
