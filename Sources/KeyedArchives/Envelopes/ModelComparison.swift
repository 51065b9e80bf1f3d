// Whether two models are the same, value by value, in any envelopes.

import Basics
import ObjectGraph

/// Compares a model with what became of it in another envelope.
///
/// Numbers are equal by value, booleans to 0 and 1 as in NSNumber, sets in any order, and Foundation values equal
/// the forms that Codable writes for them. A member that is null may be missing, but not the key of a dictionary.
public struct ModelComparison {
  private typealias Match = (step: GraphPath.Step, source: Node, target: Node)

  private enum Children {
    case elements(Elements, Elements)
    case members([(key: String, source: Node, target: Node)])
    case aligned(Pairs, Pairs)
    /// The key for comparing sets and dictionaries whose keys are not names.
    case matched([Match])
  }

  /// Not a `GraphWalk`: two graphs are walked in step, and every migration is compared here.
  private struct Frame {
    let children: Children
    let count: Int
    var next = 0
  }

  private let source: ObjectGraph
  private let target: ObjectGraph
  private var stack: [Frame] = []
  private var visited = 0
  /// How many values of the innermost container were begun.
  private var reached = 0
  private let limit: Int
  /// The pairs of objects that are being compared or were: an object may lead back to itself.
  private var known: Set<Pair> = []
  /// What values of the target have become, for references that lead to them as they were.
  private let changes: [Node: Node]
  /// Whether a member of the target that is null may be absent in the source.
  private let mayGainNull: Bool
  /// The source's members: which of them may be missing if they are nil; nil for all.
  private let shape: (any TypeHints)?

  private struct Pair: Hashable {
    let left: Node
    let right: Node
  }

  /// The path of the first value that differs, or nil.
  ///
  /// - Parameters:
  ///   - sourceRoot: the model as it was.
  ///   - targetRoot: what became of it.
  ///   - shape: the source's members, to distinguish them from the keys of dictionaries; nil if all are members.
  ///   - followsChanges: whether references to an object that was changed in the target refer to its new form.
  ///   - mayGainNull: whether a null member of the target may be absent in the source, which has no null.
  public static func firstDifference(
    _ sourceRoot: Node, of source: ObjectGraph, _ targetRoot: Node, of target: ObjectGraph,
    shape: (any TypeHints)? = nil, followsChanges: Bool = false, mayGainNull: Bool = false
  ) -> GraphPath? {
    var comparison = ModelComparison(
      source: source, target: target, shape: shape,
      changes: followsChanges ? target.changes(below: targetRoot) : [:], mayGainNull: mayGainNull)
    return comparison.run(sourceRoot, targetRoot)
  }

  private init(
    source: ObjectGraph, target: ObjectGraph, shape: (any TypeHints)?, changes: [Node: Node],
    mayGainNull: Bool
  ) {
    self.source = source
    self.shape = shape
    self.target = target
    self.changes = changes
    self.mayGainNull = mayGainNull
    limit = source.expansionLimit
  }

  private mutating func run(_ sourceRoot: Node, _ targetRoot: Node) -> GraphPath? {
    guard compare(sourceRoot, targetRoot) else { return path }
    while let frame = stack.last {
      let level = stack.count
      var next = frame.next
      var isSame = true
      // Scalars are compared one after another; a container that begins interrupts its holder.
      while next < frame.count, isSame, stack.count == level {
        reached = next + 1
        isSame = compareChild(next, of: frame)
        next += 1
      }
      visited &+= next &- frame.next
      if next == frame.count, isSame, stack.count == level {
        stack.removeLast()
      } else {
        stack[level - 1].next = next
      }
      guard isSame, visited <= limit, level <= source.limits.depth else { return path }
    }
    return nil
  }

  @inline(__always)
  private mutating func compareChild(_ index: Int, of frame: Frame) -> Bool {
    switch frame.children {
    case .elements(let left, let right):
      return compare(source.node(left, index), target.node(right, index))
    case .members(let members):
      return compare(members[index].source, members[index].target)
    case .aligned(let left, let right):
      return compare(source.value(left, index), target.value(right, index))
    case .matched(let all): return compare(all[index].source, all[index].target)
    }
  }

  /// The steps to the values compared last.
  private var steps: [GraphPath.Step] {
    stack.compactMap { frame in
      // Nothing of a container was compared yet that was just met, and it may be empty.
      guard frame.next > 0 else { return nil }
      let index = frame.next - 1
      switch frame.children {
      case .elements: return .index(index)
      case .members(let members): return .key(members[index].key)
      case .aligned(let pairs, _): return step(to: pairs, index, of: source)
      case .matched(let all): return all[index].step
      }
    }
  }

  /// The location of the values compared last.
  private var path: GraphPath { GraphPath(steps) }

  /// Whether a member of the source that is nil may be missing in the target: a field, or a member that the shape names.
  private mutating func mayBeMissing(_ key: String, of pairs: Pairs) -> Bool {
    guard let shape, !pairs.isFields else { return true }
    if !stack.isEmpty { stack[stack.count - 1].next = reached }
    var place = shape.root
    for step in steps {
      switch step {
      case .index: place = shape.element(place)
      case .key(let name): place = shape.place(of: name, in: place)
      case .content, .anyMember, .anyElement: break
      }
    }
    return shape.names(key, in: place)
  }

  // MARK: Values

  /// Compares scalars; for containers their counts and keys, leaving their values to the stack.
  private mutating func compare(_ left: Node, _ other: Node) -> Bool {
    let right = changes.isEmpty ? other : changes[other] ?? other
    let leftValue = source.value(of: left)
    let rightValue = target.value(of: right)
    switch (leftValue, rightValue) {
    case (.null, .null): return true
    case (.boolean(let a), .boolean(let b)): return a == b
    case (.string(let a), .string(let b)): return a.sameCharacters(as: b)
    case (.data(let a), .data(let b)): return a.elementsEqual(b)
    case (.date(let a), .date(let b)): return a.bitPattern == b.bitPattern
    case (.array(let a), .array(let b)), (.orderedSet(let a), .array(let b)),
      (.array(let a), .orderedSet(let b)), (.orderedSet(let a), .orderedSet(let b)):
      return push(.elements(a, b), a.count, b.count)
    case (.set(let a), .array(let b)), (.array(let a), .set(let b)), (.set(let a), .set(let b)):
      return sameSet(a, b)
    case (.dictionary(let a), .array(let b)): return sameInTurn(a, b)
    case (.array(let a), .dictionary(let b)): return sameInTurn(a, b)
    case (.dictionary(let a), .dictionary(let b)), (.object(_, let a), .dictionary(let b)),
      (.object(_, let a), .object(_, let b)), (.dictionary(let a), .object(_, let b)):
      // The fields of an object are not members of its form.
      if case .dictionary = rightValue, CodableFormCheck.concerns(left, in: source) {
        return isSpelled(left, by: right)
      }
      if case .dictionary = leftValue, CodableFormCheck.concerns(right, in: target) {
        return isSpelled(left, by: right)
      }
      if case .object = leftValue, !known.insert(Pair(left: left, right: right)).inserted {
        return true
      }
      return sameMembers(a, b)
    default:
      if let a = Self.number(leftValue), let b = Self.number(rightValue) { return a == b }
      return isSpelled(left, by: right)
    }
  }

  private mutating func push(_ children: Children, _ count: Int, _ other: Int) -> Bool {
    stack.append(Frame(children: children, count: count))
    if count == other { return true }
    stack.removeLast()
    return false
  }

  /// A number's exact value, for comparison across types.
  private static func number(_ value: Value) -> ExactNumber? {
    switch value {
    case .boolean(let flag): return .integer(flag ? 1 : 0)
    case .integer(let number): return .integer(Int128(number))
    case .unsigned(let number): return .integer(Int128(number))
    case .real(let number): return ExactNumber(number)
    case .single(let number): return ExactNumber(Double(number))
    default: return nil
    }
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
    var members: [(key: String, source: Node, target: Node)] = []
    for position in 0..<left.count {
      guard let key = Self.name(left, position, source) else { return sameEntries(left, right) }
      let value = source.value(left, position)
      guard let other = found.removeValue(forKey: CodePointString(key)) else {
        if case .null = source.value(of: value), mayBeMissing(key, of: left) { continue }
        members.append((key, value, value))
        stack.append(Frame(children: .members(members), count: members.count, next: members.count))
        return false
      }
      members.append((key, value, other))
    }
    guard found.isEmpty || mayGainNull && found.values.allSatisfy(isNull) else { return false }
    return push(.members(members), members.count, members.count)
  }

  private func isNull(_ node: Node) -> Bool {
    if case .null = target.value(of: node) { true } else { false }
  }

  /// Codable's name of a key; nil if it is not a name.
  private static func name(_ pairs: Pairs, _ position: Int, _ graph: ObjectGraph) -> String? {
    let key = graph.key(pairs, position)
    // The text of a key of another class is not a name.
    if graph.text(of: key) == nil, let index = graph.classIndex(of: key),
      FoundationClass.immutable(graph.classes[index].name) != "NSString"
    {
      return nil
    }
    if let text = graph.memberName(pairs, position) { return text.string }
    if case .integer(let number) = graph.value(of: key) { return String(number) }
    return nil
  }

  private func areAligned(_ left: Pairs, _ right: Pairs) -> Bool {
    for position in 0..<left.count {
      guard let a = source.memberName(left, position),
        let b = target.memberName(right, position), a.sameCharacters(as: b)
      else { return false }
    }
    return true
  }

  /// The elements of sets in an order in which equal ones meet, to be compared as those of lists are.
  private mutating func sameSet(_ left: Elements, _ right: Elements) -> Bool {
    guard left.count == right.count else { return false }
    let (a, b) = (Self.sorted(left, source), Self.sorted(right, target))
    let pairs = zip(a, b).map { (.index($0.index), $0.node, $1.node) as Match }
    return push(.matched(pairs), pairs.count, pairs.count)
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
    return push(.matched(all), all.count, all.count)
  }

  /// A dictionary, and the list of keys and values in turn that Codable makes of it.
  private mutating func sameInTurn(_ left: Pairs, _ right: Elements) -> Bool {
    guard left.count * 2 == right.count,
      case .inTurn = DictionaryKeys(of: left, in: source)
    else { return false }
    var all: [Match] = []
    for position in 0..<left.count {
      let step = step(to: left, position, of: source)
      all.append((step, source.key(left, position), target.node(right, position * 2)))
      all.append((step, source.value(left, position), target.node(right, position * 2 + 1)))
    }
    return push(.matched(all), all.count, all.count)
  }

  private mutating func sameInTurn(_ left: Elements, _ right: Pairs) -> Bool {
    guard right.count * 2 == left.count,
      case .inTurn = DictionaryKeys(of: right, in: target)
    else { return false }
    var all: [Match] = []
    for position in 0..<right.count {
      let index = position * 2
      all.append((.index(index), source.node(left, index), target.key(right, position)))
      all.append((.index(index + 1), source.node(left, index + 1), target.value(right, position)))
    }
    return push(.matched(all), all.count, all.count)
  }

  private func step(to pairs: Pairs, _ position: Int, of graph: ObjectGraph) -> GraphPath.Step {
    .key(graph.memberName(pairs, position)?.string ?? "?")
  }

  // MARK: Codable forms

  /// Whether one side is the form that Codable writes for the other's class.
  private func isSpelled(_ left: Node, by right: Node) -> Bool {
    if CodableFormCheck.concerns(left, in: source) {
      return CodableFormCheck(archive: source, plain: target).isForm(right, of: left)
    }
    guard CodableFormCheck.concerns(right, in: target) else { return false }
    return CodableFormCheck(archive: target, plain: source).isForm(left, of: right)
  }
}

/// A number as its exact value: equal integers and reals are equal.
private enum ExactNumber: Equatable {
  case integer(Int128)
  case real(UInt64)

  init(_ number: Double) {
    if let integer = Int128(exactly: number) {
      self = .integer(integer)
    } else {
      self = .real(number.isNaN ? Double.nan.bitPattern : number.bitPattern)
    }
  }
}
