// Whether two models are the same, value by value, whatever envelopes they came in.

import ObjectGraph
import PropertyLists

/// Compares a model with what became of it in another envelope.
///
/// Numbers are equal by value, booleans to 0 and 1 as in NSNumber, sets whatever their order, members that are null as if they were absent, and
/// Foundation values equal the forms that Codable writes for them.
public struct ModelComparison {
  private enum Way {
    case elements(Elements, Elements)
    case members([(key: String, source: Node, target: Node)])
    case aligned(Pairs, Pairs)
  }

  private struct Frame {
    let way: Way
    let count: Int
    var next = 0
  }

  private let source: ObjectGraph
  private let target: ObjectGraph
  private var stack: [Frame] = []
  private var visited = 0
  private let limit: Int
  /// The pairs of objects that are being compared or were: an object may lead back to itself.
  private var known: Set<Pair> = []
  /// What values of the target have become, for references that lead to them as they were.
  private let changes: [Node: Node]
  /// Whether a member of the target that is null may be absent in the source.
  private let mayGainNull: Bool

  private struct Pair: Hashable {
    let left: Node
    let right: Node
  }

  /// The path of the first value that differs; nil if none does.
  ///
  /// - Parameters:
  ///   - sourceRoot: the model as it was.
  ///   - targetRoot: what became of it.
  ///   - followsChanges: whether references to an object that was changed in the target lead to what it has become.
  ///   - mayGainNull: whether a member of the target that is null may be absent in the source, which has no null.
  public static func firstDifference(
    _ sourceRoot: Node, of source: ObjectGraph, _ targetRoot: Node, of target: ObjectGraph,
    followsChanges: Bool = false, mayGainNull: Bool = false
  ) -> String? {
    var comparison = ModelComparison(
      source: source, target: target,
      changes: followsChanges ? target.changes(below: targetRoot) : [:], mayGainNull: mayGainNull)
    return comparison.run(sourceRoot, targetRoot)
  }

  private init(
    source: ObjectGraph, target: ObjectGraph, changes: [Node: Node], mayGainNull: Bool
  ) {
    self.source = source
    self.target = target
    self.changes = changes
    self.mayGainNull = mayGainNull
    limit = source.expansionLimit
  }

  private mutating func run(_ sourceRoot: Node, _ targetRoot: Node) -> String? {
    guard compare(sourceRoot, targetRoot) else { return path }
    while let frame = stack.last {
      let level = stack.count
      var next = frame.next
      var isSame = true
      // Scalars are compared one after another; a container that begins interrupts its holder.
      while next < frame.count, isSame, stack.count == level {
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
    switch frame.way {
    case .elements(let left, let right):
      return compare(source.node(left, index), target.node(right, index))
    case .members(let members):
      return compare(members[index].source, members[index].target)
    case .aligned(let left, let right):
      return compare(source.value(left, index), target.value(right, index))
    }
  }

  /// The place of the values compared last.
  private var path: String {
    var path = GraphPath()
    for frame in stack {
      let index = max(frame.next - 1, 0)
      switch frame.way {
      case .elements: path = path.appending(.index(index))
      case .members(let members): path = path.appending(.key(members[index].key))
      case .aligned(let pairs, _):
        path = path.appending(.key(source.memberName(pairs, index)?.string ?? "?"))
      }
    }
    return path.description
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
    case (.dictionary(let a), .dictionary(let b)), (.object(_, let a), .dictionary(let b)),
      (.object(_, let a), .object(_, let b)), (.dictionary(let a), .object(_, let b)):
      if case .object = rightValue, isSpelled(left, by: right) { return true }
      if case .object = leftValue {
        if isSpelled(left, by: right) { return true }
        if !known.insert(Pair(left: left, right: right)).inserted { return true }
      }
      return sameMembers(a, b)
    default:
      if let a = Self.number(leftValue), let b = Self.number(rightValue) { return a == b }
      return isSpelled(left, by: right)
    }
  }

  private mutating func push(_ way: Way, _ count: Int, _ other: Int) -> Bool {
    stack.append(Frame(way: way, count: count))
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
    var found: [String: Node] = [:]
    for position in 0..<right.count {
      guard let key = target.memberName(right, position)?.string else {
        return false
      }
      found[key] = target.value(right, position)
    }
    var members: [(key: String, source: Node, target: Node)] = []
    for position in 0..<left.count {
      guard let key = name(left, position) else { return false }
      let value = source.value(left, position)
      guard let other = found.removeValue(forKey: key) else {
        if case .null = source.value(of: value) { continue }
        members.append((key, value, value))
        stack.append(Frame(way: .members(members), count: members.count, next: members.count))
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

  private func name(_ pairs: Pairs, _ position: Int) -> String? {
    if let text = source.memberName(pairs, position) { return text.string }
    let key = source.key(pairs, position)
    if case .integer(let number) = source.value(of: key) { return String(number) }
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

  /// Sets are compared by the texts of their elements, sorted.
  private func sameSet(_ left: Elements, _ right: Elements) -> Bool {
    guard left.count == right.count else { return false }
    let a = (0..<left.count).map { Self.text(source.node(left, $0), source) }.sorted()
    let b = (0..<right.count).map { Self.text(target.node(right, $0), target) }.sorted()
    return a == b
  }

  private static func text(_ node: Node, _ graph: ObjectGraph) -> String {
    var output = OutputBuffer(descriptor: nil)
    do throws(ArchiveError) {
      try JSONWriter.write(
        node, of: graph, options: JSONWriter.Options(isCompact: true), to: &output)
    } catch {
      return "\(error)"
    }
    return String(decoding: output.bytes.bytes, as: UTF8.self)
  }

  // MARK: Codable forms

  /// Whether one side is the form that Codable writes for the other's class.
  private func isSpelled(_ left: Node, by right: Node) -> Bool {
    if source.mayHold(left), let spelled = CodableForms.spelling(of: left, in: source),
      Self.matches(spelled, of: source, right, of: target)
    {
      return true
    }
    if target.mayHold(right), let spelled = CodableForms.spelling(of: right, in: target),
      Self.matches(spelled, of: target, left, of: source)
    {
      return true
    }
    if let spelled = CodableForms.jsonSpelling(of: left, in: source),
      Self.matches(spelled, of: source, right, of: target)
    {
      return true
    }
    return CodableForms.jsonSpelling(of: right, in: target).map {
      Self.matches($0, of: target, left, of: source)
    } ?? false
  }

  private static func matches(
    _ spelled: CodableSpelling, of graph: ObjectGraph, _ node: Node, of other: ObjectGraph
  ) -> Bool {
    switch (spelled, other.value(of: node)) {
    case (.boolean(let a), .boolean(let b)): return a == b
    case (.array(let a), .array(let b)):
      return a.count == b.count
        && a.enumerated().allSatisfy {
          matches($0.element, of: graph, other.node(b, $0.offset), of: other)
        }
    case (.dictionary(let a), .dictionary(let b)):
      guard a.count == b.count else { return false }
      return a.allSatisfy { key, value in
        (0..<b.count).contains { position in
          other.keyText(of: other.key(b, position))?.sameCharacters(as: key) == true
            && matches(value, of: graph, other.value(b, position), of: other)
        }
      }
    case (.node(let held), let value): return sameScalar(graph.value(of: held), value)
    case (.integer(let a), let value): return number(value) == .integer(Int128(a))
    case (.real(let a), let value): return number(value) == ExactNumber(a)
    default: return false
    }
  }

  private static func sameScalar(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.string(let a), .string(let b)): return a.sameCharacters(as: b)
    case (.date(let a), .date(let b)): return a == b
    case (.boolean(let a), .boolean(let b)): return a == b
    default:
      guard let a = number(left), let b = number(right) else { return false }
      return a == b
    }
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
