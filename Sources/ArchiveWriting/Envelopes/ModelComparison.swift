// Whether two models are the same, value by value, in any envelopes.

import ArchiveBasics
import ArchiveGraph

/// Compares a model with what became of it in another envelope.
///
/// Numbers are equal by value, booleans to 0 and 1 as in NSNumber, sets in any order, and Foundation values equal
/// the forms that Codable writes for them. A member that is null may be missing, but not the key of a dictionary.
package struct ModelComparison: ~Copyable {
  private typealias Match = (step: GraphPath.Step, source: Node, target: Node)

  private enum Children {
    case elements(Elements, Elements)
    case aligned(Pairs, Pairs)
    /// Those of the innermost list of `matches`: sets, and members in another order or with keys that are not names.
    case matched
  }

  /// Not a `GraphWalk`: two graphs are walked in step, and every migration is compared here.
  private struct Frame {
    let children: Children
    let count: Int
    /// Where its list is among `matches`.
    var list = 0
    var next = 0
  }

  private let source: ObjectGraph
  private let target: ObjectGraph
  private var stack = RawStack<Frame>()
  private var matches: [[Match]] = []
  /// The scalars of the source whose equals in the target are known, and the names of members likewise.
  private var equals: NodeMemo
  /// The same of the objects of a large archive, whose target is one document.
  private var equalObjects: ObjectMemo
  private let targetDocument: UInt32
  private var equalNames: NodeMemo
  /// Which classes of either graph have forms that are not copies of their fields.
  private var sourceForms = FormClasses()
  private var targetForms = FormClasses()
  private var visited = 0
  /// How many values of the innermost container were begun.
  private var reached = 0
  private let limit: Int
  /// The pairs of objects that are being compared or were: an object may lead back to itself.
  private var known: Set<NodePair> = []
  /// The containers that are being compared on the fast path.
  private var fastLevels = RawStack<ComparedContainers>()
  /// What values of the target have become, for references that lead to them as they were.
  private let changes: [Node: Node]
  /// Whether a member of the target that is null may be absent in the source.
  private let mayGainNull: Bool
  /// Whether all values must have the same form, and members the same order.
  private var isStrict = false
  /// Whether data values with archives of the same objects are the same.
  private var followsContents = false
  /// Whether containers are compared on the fast path; tests compare both ways.
  private var usesFastPath = true
  /// The source's members: which of them may be missing if they are nil; nil for all.
  private let shape: (any TypeHints)?

  /// The path of the first value that differs, or nil.
  ///
  /// - Parameters:
  ///   - sourceRoot: the model as it was.
  ///   - targetRoot: what became of it.
  ///   - shape: the source's members, to distinguish them from the keys of dictionaries; nil if all are members.
  ///   - followsChanges: whether references to an object that was changed in the target refer to its new form.
  ///   - mayGainNull: whether a null member of the target may be absent in the source, which has no null.
  ///   - followsContents: whether data values with archives of the same objects are the same, whatever their bytes.
  ///   - usesFastPath: whether containers are compared on the fast path; the answer is the same.
  package static func firstDifference(
    _ sourceRoot: Node, of source: ObjectGraph, _ targetRoot: Node, of target: ObjectGraph,
    shape: (any TypeHints)? = nil, followsChanges: Bool = false, mayGainNull: Bool = false,
    followsContents: Bool = false, usesFastPath: Bool = true
  ) -> GraphPath? {
    var comparison = ModelComparison(
      source, sourceRoot.document, target, targetRoot.document, shape: shape,
      changes: followsChanges ? target.changes(below: targetRoot) : [:], mayGainNull: mayGainNull)
    (comparison.usesFastPath, comparison.followsContents) = (usesFastPath, followsContents)
    return comparison.run(sourceRoot, targetRoot)
  }

  /// Whether two models have the same values in the same order and form, and all classes of the source are immutable ones
  /// that a writer chooses for such values: then a writer makes the source of the target.
  ///
  /// False may also mean that it was not found out.
  package static func areIdentical(
    _ sourceRoot: Node, of source: ObjectGraph, _ targetRoot: Node, of target: ObjectGraph
  ) -> Bool {
    guard source.classes.allSatisfy(FoundationClass.isChosenForValues) else { return false }
    var comparison = ModelComparison(
      source, sourceRoot.document, target, targetRoot.document, shape: nil, changes: [:],
      mayGainNull: false)
    comparison.isStrict = true
    return comparison.run(sourceRoot, targetRoot) == nil
  }

  private init(
    _ source: ObjectGraph, _ document: UInt32, _ target: ObjectGraph, _ targetDocument: UInt32,
    shape: (any TypeHints)?, changes: [Node: Node], mayGainNull: Bool
  ) {
    self.source = source
    equalObjects = ObjectMemo(for: source, document)
    self.targetDocument = targetDocument
    self.shape = shape
    self.target = target
    self.changes = changes
    self.mayGainNull = mayGainNull
    limit = source.expansionLimit
    let count = source.documents.reduce(0) { $0 + $1.table.count }
    equals = NodeMemo(for: count / 2)
    equalNames = NodeMemo(for: min(count / 4, 1024))
  }

  private mutating func run(_ sourceRoot: Node, _ targetRoot: Node) -> GraphPath? {
    guard compare(sourceRoot, targetRoot) else { return path }
    while !stack.isEmpty {
      let level = stack.count
      let (first, count) = (stack.top.pointee.next, stack.top.pointee.count)
      let (next, isSame) = compareChildren(of: stack.top.pointee)
      visited &+= next &- first
      if next == count, isSame, stack.count == level {
        leave()
      } else {
        stack[level &- 1].pointee.next = next
      }
      guard isSame, visited <= limit, level <= source.limits.depth else { return path }
    }
    return nil
  }

  /// Compares the children of the innermost container from its next one on, until one is a container or differs.
  private mutating func compareChildren(of frame: Frame) -> (next: Int, isSame: Bool) {
    let level = stack.count
    var next = frame.next
    // Scalars are compared one after another; a container that begins interrupts its holder.
    while next < frame.count, stack.count == level {
      reached = next &+ 1
      let isSame =
        switch frame.children {
        case .elements(let left, let right):
          compare(source.node(left, next), target.node(right, next))
        case .aligned(let left, let right):
          compare(source.value(left, next), target.value(right, next))
        case .matched: compare(matches[frame.list][next].source, matches[frame.list][next].target)
        }
      next &+= 1
      guard isSame else { return (next, false) }
    }
    return (next, true)
  }

  /// Ends the innermost container.
  private mutating func leave() {
    if case .matched = stack.pop().children { matches.removeLast() }
  }

  /// The steps to the values compared last.
  private var steps: [GraphPath.Step] {
    var steps: [GraphPath.Step] = []
    for level in 0..<stack.count {
      let frame = stack[level].pointee
      // Nothing of a container was compared yet that was just met, and it may be empty.
      guard frame.next > 0 else { continue }
      let index = frame.next - 1
      switch frame.children {
      case .elements: steps.append(.index(index))
      case .aligned(let pairs, _): steps.append(step(to: pairs, index, of: source))
      case .matched: steps.append(matches[frame.list][index].step)
      }
    }
    return steps
  }

  private var path: GraphPath { GraphPath(steps) }

  /// Whether a member of the source that is nil may be missing in the target: a field, or a member that the shape names.
  private mutating func mayBeMissing(_ key: String, of pairs: Pairs) -> Bool {
    guard let shape, !pairs.isFields else { return true }
    stack.last?.pointee.next = reached
    var schemaIndex = shape.root
    for step in steps {
      switch step {
      case .index: schemaIndex = shape.element(schemaIndex)
      case .key(let name): schemaIndex = shape.schemaIndex(of: name, in: schemaIndex)
      case .content, .anyMember, .anyElement: break
      }
    }
    return shape.names(key, in: schemaIndex)
  }

  // MARK: Values

  /// Compares two values; scalars that were compared before are not compared again.
  @inline(__always)
  private mutating func compare(_ left: Node, _ other: Node) -> Bool {
    let right = changes.isEmpty ? other : changes[other] ?? other
    if equals.find(left, right.document) == right.index { return true }
    if compareFast(left, right) { return true }
    guard isStrict ? compareForms(left, right) : compareValues(left, right) else {
      return false
    }
    if !source.isContainerOrData(left), !target.isContainerOrData(right) {
      equals.set(left, right.document, right.index)
    }
    return true
  }

  /// Compares scalars; for containers their counts and keys, leaving their values to the stack.
  private mutating func compareValues(_ left: Node, _ right: Node) -> Bool {
    let leftValue = source.value(of: left)
    let rightValue = target.value(of: right)
    switch (leftValue, rightValue) {
    case (.array(let a), .array(let b)), (.orderedSet(let a), .array(let b)),
      (.array(let a), .orderedSet(let b)), (.orderedSet(let a), .orderedSet(let b)):
      return push(.elements(a, b), a.count, b.count)
    case (.set(let a), .array(let b)), (.array(let a), .set(let b)), (.set(let a), .set(let b)):
      return sameSet(a, b)
    case (.dictionary(let a), .array(let b)): return sameInTurn(a, b, isSource: true)
    case (.array(let a), .dictionary(let b)): return sameInTurn(b, a, isSource: false)
    case (.dictionary(let a), .dictionary(let b)), (.object(_, let a), .dictionary(let b)),
      (.object(_, let a), .object(_, let b)), (.dictionary(let a), .object(_, let b)):
      // The fields of an object are not members of its form.
      if case .dictionary = rightValue, sourceForms.concern(left, in: source) {
        return isForm(left, by: right)
      }
      if case .dictionary = leftValue, targetForms.concern(right, in: target) {
        return isForm(left, by: right)
      }
      if case .object = leftValue, !known.insert(NodePair(left, right)).inserted {
        return true
      }
      return sameMembers(a, b)
    default:
      return ScalarEquality.model.areEqual(leftValue, rightValue)
        || isForm(left, by: right) || followsContents && haveSameContents(left, right)
    }
  }

  /// Compares values that must have the same form, and containers of the same order.
  private mutating func compareForms(_ left: Node, _ right: Node) -> Bool {
    switch (source.value(of: left), target.value(of: right)) {
    case (.array(let a), .array(let b)): return push(.elements(a, b), a.count, b.count)
    case (.dictionary(let a), .dictionary(let b)):
      return a.count == b.count && areAligned(a, b) && push(.aligned(a, b), a.count, b.count)
    case (let a, let b):
      return Self.areAlike(a, b)
    }
  }

  /// Whether two scalars are equal and of one precision.
  private static func areAlike(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.single, .real), (.real, .single): false
    default: ScalarEquality.exact.areEqual(left, right)
    }
  }

  /// Whether two data values hold archives of the same objects.
  private func haveSameContents(_ left: Node, _ right: Node) -> Bool {
    guard case .data = source.value(of: left), case .data = target.value(of: right),
      let content = source.content(of: left), let other = target.content(of: right)
    else { return false }
    return StoredMatching.differences(content, of: source, other, of: target).isEmpty
  }

  /// Begins containers whose parts correspond; false if their numbers differ.
  private mutating func push(_ children: Children, _ count: Int, _ other: Int) -> Bool {
    guard count == other else { return false }
    stack.push(Frame(children: children, count: count))
    return true
  }

  @discardableResult
  private mutating func push(_ all: [Match], next: Int = 0) -> Bool {
    matches.append(all)
    stack.push(Frame(children: .matched, count: all.count, list: matches.count - 1, next: next))
    return true
  }

  // MARK: Containers

  private mutating func sameMembers(_ left: Pairs, _ right: Pairs) -> Bool {
    if left.count == right.count, areAligned(left, right) {
      return push(.aligned(left, right), left.count, right.count)
    }
    var found: [CodePointString: Node] = [:]
    for position in 0..<right.count {
      // Keys that are not names, or a repeated one.
      guard let key = Self.name(right, position, target),
        found.updateValue(target.value(right, position), forKey: CodePointString(key)) == nil
      else { return sameEntries(left, right) }
    }
    var all: [Match] = []
    for position in 0..<left.count {
      guard let key = Self.name(left, position, source) else { return sameEntries(left, right) }
      let value = source.value(left, position)
      guard let other = found.removeValue(forKey: CodePointString(key)) else {
        if source.isNull(value), mayBeMissing(key, of: left) { continue }
        // The path of the difference is that of the missing member.
        all.append((.key(key), value, value))
        push(all, next: all.count)
        return false
      }
      all.append((.key(key), value, other))
    }
    let target = self.target
    guard found.isEmpty || mayGainNull && found.values.allSatisfy({ target.isNull($0) }) else {
      return false
    }
    return push(all)
  }

  /// Codable's name of a key; nil if it is not a name.
  private static func name(_ pairs: Pairs, _ position: Int, _ graph: ObjectGraph) -> String? {
    let key = graph.key(pairs, position)
    // The text of a key of another class is not a name.
    if graph.text(of: key) == nil, let type = graph.classDescription(of: key),
      FoundationClass.immutable(type.name) != "NSString"
    {
      return nil
    }
    if let text = graph.memberName(pairs, position) { return text.string }
    if case .integer(let number) = graph.value(of: key) { return String(number) }
    return nil
  }

  /// Whether the members have the same names in the same order.
  private mutating func areAligned(_ left: Pairs, _ right: Pairs) -> Bool {
    let tag = right.keys.document &* 4 &+ (left.isFields ? 1 : 0) &+ (right.isFields ? 2 : 0)
    for position in 0..<left.count {
      let (key, other) = (source.key(left, position), target.key(right, position))
      if equalNames.find(key, tag) == other.index, other.document == right.keys.document {
        continue
      }
      guard let a = source.memberName(left, position),
        let b = target.memberName(right, position), a.sameCharacters(as: b)
      else { return false }
      if other.document == right.keys.document { equalNames.set(key, tag, other.index) }
    }
    return true
  }

  /// The elements of sets in an order in which equal ones meet, to be compared as those of lists are.
  private mutating func sameSet(_ left: Elements, _ right: Elements) -> Bool {
    guard left.count == right.count else { return false }
    let (a, b) = (Self.sorted(left, source), Self.sorted(right, target))
    let pairs = zip(a, b).map { (.index($0.index), $0.node, $1.node) as Match }
    return push(pairs)
  }

  private static func sorted(
    _ elements: Elements, _ graph: ObjectGraph
  ) -> [(index: Int, node: Node)] {
    let all = (0..<elements.count).map { (index: $0, node: graph.node(elements, $0)) }
    if all.count < 2 { return all }
    return zip(all, ModelDigest.bytes(ofEach: elements, in: graph))
      .sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
  }

  /// A dictionary whose keys are not names, and another in the same order.
  private mutating func sameEntries(_ left: Pairs, _ right: Pairs) -> Bool {
    guard left.count == right.count else { return false }
    var all: [Match] = []
    for position in 0..<left.count {
      let step = step(to: left, position, of: source)
      all.append((step, source.key(left, position), target.key(right, position)))
      all.append((step, source.value(left, position), target.value(right, position)))
    }
    return push(all)
  }

  /// A dictionary, and the list of keys and values in turn that Codable makes of it.
  ///
  /// - Parameter isSource: whether the dictionary is the source's and the list the target's, or the other way around.
  private mutating func sameInTurn(_ pairs: Pairs, _ list: Elements, isSource: Bool) -> Bool {
    let (graph, other) = isSource ? (source, target) : (target, source)
    guard pairs.count * 2 == list.count, case .inTurn = DictionaryKeys(of: pairs, in: graph) else {
      return false
    }
    return push(
      (0..<list.count).map { index in
        let pair = index / 2
        let node = index % 2 == 0 ? graph.key(pairs, pair) : graph.value(pairs, pair)
        let element = other.node(list, index)
        return isSource
          ? (step(to: pairs, pair, of: graph), node, element) : (.index(index), element, node)
      })
  }

  private func step(to pairs: Pairs, _ position: Int, of graph: ObjectGraph) -> GraphPath.Step {
    .key(graph.memberName(pairs, position)?.string ?? "?")
  }

  // MARK: Codable forms

  /// Whether one side is the form that Codable writes for the other's class.
  private func isForm(_ left: Node, by right: Node) -> Bool {
    if CodableFormCheck.concerns(left, in: source) {
      return CodableFormCheck(archive: source, plain: target).isForm(right, of: left)
    }
    guard CodableFormCheck.concerns(right, in: target) else { return false }
    return CodableFormCheck(archive: target, plain: source).isForm(left, of: right)
  }
}

/// The classes of a graph whose Codable forms are not copies of their fields, each looked up once.
private struct FormClasses {
  private var known: [Bool?] = []

  /// Whether a value can only be compared with an object by its form.
  mutating func concern(_ object: Node, in graph: ObjectGraph) -> Bool {
    guard graph.isContainerOrData(object), let index = graph.classIndex(of: object) else {
      return false
    }
    while known.count <= index { known.append(nil) }
    if let answer = known[index] { return answer }
    let answer = CodableFormCheck.concerns(object, in: graph)
    known[index] = answer
    return answer
  }
}

// MARK: - The fast path: containers with all that they hold in one loop, which counts no references
//
// Where something is not found equal here, the containers around it become frames, and the comparison goes on there as
// without this: what differs, and its path, are the same.

/// Two containers with as many parts, of which all so far are equal.
struct ComparedContainers {
  let source: UInt32
  let target: UInt32
  let left: PlainContainer
  let right: PlainContainer
  var next = 0
}

extension ModelComparison {
  /// Compares two containers and their parts, or leaves frames for those around the first that is not equal on the fast path.
  ///
  /// - Returns: false if the two values themselves are to be compared otherwise.
  @inline(__always)
  private mutating func compareFast(_ left: Node, _ right: Node) -> Bool {
    // A value that was changed may be another one in the target.
    guard usesFastPath, changes.isEmpty, source.isContainerOrData(left), beginFast(left, right)
    else {
      return false
    }
    if !finishFast(left.document, right.document) {
      fallBackToFrames(left.document, right.document)
    }
    return true
  }

  /// Enters the first containers; false if they do not correspond part by part.
  private mutating func beginFast(_ left: Node, _ right: Node) -> Bool {
    let (source, target) = readers(left.document, right.document)
    guard stack.count &+ PlainContainer.fastDepthLimit < self.source.limits.depth,
      let first = Self.containers(left.index, right.index, source, target),
      areAligned(first, left.document, right.document, source, target)
    else { return false }
    fastLevels.push(first)
    return true
  }

  private func readers(_ left: UInt32, _ right: UInt32) -> (DocumentReader, DocumentReader) {
    (DocumentReader(source, left), DocumentReader(target, right))
  }

  /// Two lists or two dictionaries with as many parts; nil for others.
  @inline(__always)
  private static func containers(
    _ left: UInt32, _ right: UInt32, _ source: DocumentReader, _ target: DocumentReader
  ) -> ComparedContainers? {
    guard let a = source.container(left, at: source.pointer(of: left)),
      let b = target.container(right, at: target.pointer(of: right)),
      a.kind == b.kind, a.kind != .set, a.count == b.count
    else { return nil }
    return ComparedContainers(source: left, target: right, left: a, right: b)
  }

  /// Whether dictionaries have the same names in the same order.
  @inline(__always)
  private mutating func areAligned(
    _ both: ComparedContainers, _ document: UInt32, _ other: UInt32, _ source: DocumentReader,
    _ target: DocumentReader
  ) -> Bool {
    guard both.left.hasKeys else { return true }
    for position in 0..<both.left.count {
      let key = Node(document: document, index: source.index(both.left.keys, position))
      let name = Node(document: other, index: target.index(both.right.keys, position))
      if equalNames.find(key, other &* 4) == name.index { continue }
      guard let a = self.source.keyText(of: key), let b = self.target.keyText(of: name),
        a.sameCharacters(as: b)
      else { return false }
      equalNames.set(key, other &* 4, name.index)
    }
    return true
  }

  /// Compares the containers that were entered; false at the first value that is not found equal.
  private mutating func finishFast(_ document: UInt32, _ other: UInt32) -> Bool {
    let (source, target) = readers(document, other)
    while let level = fastLevels.last {
      let both = level.pointee
      let hasNumbers =
        other == targetDocument && equalObjects.remembers(document, after: visited)
      let count = min(both.left.count, both.next &+ (limit &- visited))
      var next = both.next
      var inner: ComparedContainers?
      while next < count {
        let right = target.index(both.right.values, next)
        let number = hasNumbers ? source.objectNumber(both.left.values, next) : nil
        if let number, equalObjects.find(number) == right {
          next &+= 1
          continue
        }
        let left = source.index(both.left.values, next, number: number)
        let node = Node(document: document, index: left)
        if equals.find(node, other) != right {
          let (valuePointer, otherPointer) = (source.pointer(of: left), target.pointer(of: right))
          if source.isContainerOrData(valuePointer) || target.isContainerOrData(otherPointer) {
            inner = Self.containers(left, right, source, target)
            break
          }
          guard
            source.isStoredAlike(valuePointer, target, otherPointer)
              || compareScalars(node, Node(document: other, index: right))
          else { break }
          if let number {
            equalObjects.set(number, right)
          } else {
            equals.set(node, other, right)
          }
        }
        next &+= 1
      }
      visited &+= next &- both.next
      level.pointee.next = next
      if next == both.left.count {
        fastLevels.drop()
        continue
      }
      guard visited < limit, let inner, fastLevels.count < PlainContainer.fastDepthLimit,
        areAligned(inner, document, other, source, target)
      else { return false }
      visited &+= 1
      level.pointee.next = next &+ 1
      fastLevels.push(inner)
    }
    return true
  }

  private mutating func compareScalars(_ left: Node, _ right: Node) -> Bool {
    if !isStrict { return compareValues(left, right) }
    return Self.areAlike(source.value(of: left), target.value(of: right))
  }

  /// Makes frames of the containers that were entered; the values that were not found equal are the next of the last.
  @inline(never)
  private mutating func fallBackToFrames(_ document: UInt32, _ other: UInt32) {
    for position in 0..<fastLevels.count {
      let level = fastLevels[position].pointee
      stack.push(
        Frame(
          children: children(of: level, document, other), count: level.left.count, next: level.next)
      )
    }
    fastLevels.truncate(to: 0)
  }

  private func children(
    of both: ComparedContainers, _ document: UInt32, _ other: UInt32
  ) -> Children {
    let (source, target) = readers(document, other)
    if both.left.hasKeys {
      return .aligned(
        source.pairs(of: both.left, in: document), target.pairs(of: both.right, in: other))
    }
    return .elements(
      source.elements(of: both.left, in: document), target.elements(of: both.right, in: other))
  }
}
