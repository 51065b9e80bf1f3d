// Draws values of a schema at random: each branch, optional members present and absent, lists of each edge length.
//
// Only one value at a time is made, and most of them fit: who draws validates each, and drops those that do not.

import Basics
import ObjectGraph
import PropertyLists

/// Draws values.
struct SampleValues {
  /// Beyond this depth a value gets no more than it must have.
  private static let comfortableDepth = 6
  /// Beyond this depth no value is found.
  private static let depthLimit = 48
  /// Beyond this many values the rest gets no more than it must have.
  private static let comfortableCount = 120
  /// A value of which more parts were tried is given up: branches that all lead into themselves have no end.
  private static let countLimit = 50_000

  private let root: SampleShape
  /// Makes the archive in a data value that a schema requires.
  private let archive: (Subschema, inout SampleNumbers) -> [UInt8]?
  private var numbers = SampleNumbers(seed: 0)
  private var size = Size.random
  private var count = 0

  /// How much of what is optional a value has.
  private enum Size { case least, most, random }

  init(
    _ root: SampleShape, archive: @escaping (Subschema, inout SampleNumbers) -> [UInt8]?
  ) {
    (self.root, self.archive) = (root, archive)
  }

  /// Whether the last value was given up.
  var isGivenUp: Bool { count >= Self.countLimit }

  /// The value with a number: the first has no more than it must, the second as much as it can.
  mutating func value(_ number: Int, using numbers: inout SampleNumbers) -> SyntheticValue? {
    size = number == 0 ? .least : number == 1 ? .most : .random
    count = 0
    self.numbers = numbers
    defer { numbers = self.numbers }
    return value(root, depth: 0)
  }

  private mutating func value(_ shape: SampleShape, depth: Int) -> SyntheticValue? {
    guard depth < Self.depthLimit, !isGivenUp, !shape.kinds.isEmpty else { return nil }
    count += 1
    if let branches = shape.branches {
      // Far inside, a branch without parts ends the value.
      let order = branches.shuffled(using: &numbers)
      for branch in isBrief(depth)
        ? order.filter(\.isScalar) + order.filter({ !$0.isScalar }) : order
      {
        if let value = value(branch, depth: depth) { return value }
      }
      return nil
    }
    if let listed = shape.listed { return listed.randomElement(using: &numbers) }
    let kinds =
      isBrief(depth) && shape.kinds.contains(where: \.isScalarKind)
      ? shape.kinds.filter(\.isScalarKind) : shape.kinds
    for kind in kinds.shuffled(using: &numbers) {
      let value: SyntheticValue? =
        switch kind {
        case .array: list(shape, depth)
        case .dictionary: object(shape, depth)
        case .data: data(shape)
        default: shape.scalars(kind).randomElement(using: &numbers)
        }
      if let value { return value }
    }
    return nil
  }

  /// Whether the value gets no more than it must have.
  private func isBrief(_ depth: Int) -> Bool {
    size == .least || depth > Self.comfortableDepth || count > Self.comfortableCount
  }

  private mutating func data(_ shape: SampleShape) -> SyntheticValue? {
    guard let archived = shape.archived else {
      return shape.scalars(.data).randomElement(using: &numbers)
    }
    return archive(archived, &numbers).map { .data($0) }
  }

  // MARK: Lists

  private mutating func list(_ shape: SampleShape, _ depth: Int) -> SyntheticValue? {
    let counts = shape.counts("Items", usual: [0, 1, 2, 3, shape.facts.prefixCount])
    guard let least = counts.first else { return nil }
    let most = counts.last { $0 <= max(least, 3) } ?? least
    var count =
      isBrief(depth) ? least : size == .most ? most : counts.randomElement(using: &numbers) ?? least
    // Long lists are rare, since each of their elements costs as much as another value.
    if count > 8, count > least, !numbers.isOne(in: 16) { count = most }
    var items: [SyntheticValue] = []
    var met: Set<String> = []
    let contained = shape.contained.flatMap { Array(repeating: $0.schema, count: $0.count) }
    for index
      in 0..<max(count, min(contained.count, shape.facts.count("maxItems") ?? .max))
    {
      var element = shape.element(index)
      if index < contained.count { element = element.narrowed(by: [contained[index]]) }
      for _ in 0..<(shape.isUnique ? 8 : 1) {
        guard let item = value(element, depth: depth + 1) else { break }
        if shape.isUnique, !met.insert(item.sampleTree.compactText).inserted { continue }
        items.append(item)
        break
      }
      guard items.count == index + 1 else { break }
    }
    return items.count >= least ? .list(items) : nil
  }

  // MARK: Objects

  private mutating func object(_ shape: SampleShape, _ depth: Int) -> SyntheticValue? {
    let counts = shape.counts("Properties", usual: [0])
    guard let least = counts.first else { return nil }
    let most = shape.facts.count("maxProperties") ?? SampleScalars.lengthLimit
    let isBrief = isBrief(depth)
    let required = shape.facts.required
    var names = shape.names.filter { required.contains(CodePointString($0)) }
    var spare = shape.names.filter { !required.contains(CodePointString($0)) }
    if size == .random || isBrief { spare.shuffle(using: &numbers) }
    let share: UInt64 = size == .most ? 1 : [1, 2, 2, 4].randomElement(using: &numbers) ?? 2
    if !isBrief {
      names += spare.filter { _ in numbers.isOne(in: share) }
      if size == .most || numbers.isOne(in: 4) {
        names += shape.otherNames.shuffled(using: &numbers).prefix(numbers.isOne(in: 2) ? 1 : 3)
      }
    }
    let wanted = isBrief ? least : counts.filter { $0 <= 8 }.randomElement(using: &numbers) ?? least
    let others = spare + shape.otherNames.shuffled(using: &numbers)
    names += others.filter { !names.contains($0) }.prefix(max(wanted - names.count, 0))
    return members(Array(names.prefix(max(most, 0))), of: shape, depth)
  }

  private mutating func members(
    _ names: [String], of shape: SampleShape, _ depth: Int
  ) -> SyntheticValue? {
    var shape = shape
    var members: [(name: String, value: SyntheticValue)] = []
    var waiting = Array(names.reversed())
    var met: Set<CodePointString> = []
    while let name = waiting.popLast() {
      guard met.insert(CodePointString(name)).inserted else { continue }
      let more = shape.dependentSchemas(of: name)
      if !more.isEmpty {
        shape = shape.narrowed(by: more)
        waiting += shape.names.filter { shape.facts.required.contains(CodePointString($0)) }
      }
      waiting += shape.dependents(of: name)
      guard let member = shape.member(name), let value = value(member, depth: depth + 1) else {
        if shape.facts.required.contains(CodePointString(name)) { return nil }
        continue
      }
      members.append((name, value))
    }
    return .members(members)
  }
}

extension SampleShape {
  /// Whether its values have no parts.
  fileprivate var isScalar: Bool { kinds.allSatisfy(\.isScalarKind) }
}

extension ValueKinds {
  /// Whether values of the kind have no parts.
  fileprivate var isScalarKind: Bool { self != .array && self != .dictionary }
}
