// Applies lenses to a model, operation by operation, and examines only the parts that change.

import ArchiveBasics
import ArchiveGraph
import ArchivePatterns
import ArchiveWriting

struct LensInterpreter {
  let graph: ObjectGraph
  let root: Node
  /// The envelopes of the first and the last version of the path.
  let envelopes: (source: Envelope?, target: Envelope?)
  /// Migrates archives in data values; nil if they are not opened.
  let archives: ArchiveSteps?
  /// Whether the run inverts what another has done to the same archive.
  let isGoingBack: Bool
  var losses: LensLosses
  var position = LensPosition(lens: "", direction: .forward)
  var visited = 0
  /// The lenses that the current file names, and the depth of their nested use.
  private var named: [String: Lens] = [:]
  private var uses = 0
  /// Whether nothing is ever taken back through the current lens.
  private var isOneWay = false
  /// The compiled patterns of `map`.
  private var patterns: [String: ECMAPattern] = [:]

  /// The result of applying lenses to a model.
  struct Result {
    /// The model in the last version of the path, a value of the same graph.
    let root: Node
    let lost: [LostValue]
    /// The members whose absence the inverse does not restore, where the lens states that this means the same.
    let tolerated: [LostValue]
    /// The kept values that no operation used.
    let unused: [LostValue]
  }

  /// Applies lenses to a model, one after the other.
  ///
  /// Values that no operation examines remain the same nodes; shared objects that `map` changes become copies.
  ///
  /// - Parameters:
  ///   - steps: the path.
  ///   - root: the model.
  ///   - isList: whether the root is a list of models.
  ///   - kept: the values that were lost in the opposite direction, to be restored.
  ///   - anchoring: how lost values are tied to the elements that they belong to.
  ///   - archives: migrates archives in data values.
  ///   - isGoingBack: whether the archives are results that this program has just produced.
  /// - Throws: `ArchiveError` that names the operation that cannot be applied to a value.
  static func apply(
    _ steps: [LensStep], to root: Node, of graph: ObjectGraph, isList: Bool = false,
    kept: [LostValue] = [], anchoring: LostAnchoring = LostAnchoring(),
    archives: ArchiveSteps? = nil, isGoingBack: Bool = false
  ) throws(ArchiveError) -> Result {
    var interpreter = LensInterpreter(
      graph: graph, root: root,
      envelopes: (steps.first?.reversed.envelope, steps.last?.envelope), archives: archives,
      isGoingBack: isGoingBack, losses: LensLosses(graph, kept: kept, anchoring))
    let value = LensValue(.node(root))
    for step in steps where !step.file.lens.isIdentity {
      interpreter.begin(step, of: steps)
      if isList {
        try interpreter.map(step.file.lens, value)
      } else {
        try interpreter.apply(step.file.lens, value)
      }
    }
    interpreter.losses.forgetRestored()
    let node = graph.add(value.form, near: root)
    let losses = interpreter.losses
    return Result(
      root: node, lost: losses.lost, tolerated: losses.tolerated, unused: losses.unused)
  }

  /// Begins a lens; values that the same lens lost earlier in this run may be restored now.
  private mutating func begin(_ step: LensStep, of steps: [LensStep]) {
    let lens = step.file.name
    position = LensPosition(lens: lens, direction: step.direction)
    isOneWay = step.file.lens.isOneWay
    named = step.file.lens.named
    if steps.count(where: { $0.file.name == lens }) > 1 { losses.keepOwn(of: lens) }
  }

  /// Applies a lens; kept values must belong to a value that is identified by its position in a list.
  private mutating func apply(
    _ lens: Lens, _ value: LensValue, isAnchored: Bool = false
  ) throws(ArchiveError) {
    for operation in lens.operations(position.direction) {
      position.operation = operation
      if isAnchored, let kept = losses.outdated(for: value, at: position) {
        throw outdated(kept, value)
      }
      let first = losses.lost.count
      try apply(operation, value)
      if isAnchored { losses.anchor(since: first, to: value) }
    }
  }

  /// Applies an operation: lenses within lenses here, since they use the stack, and the others in `perform`.
  private mutating func apply(_ operation: LensOperation, _ value: LensValue) throws(ArchiveError) {
    switch operation.kind {
    case .in(let name, let lens):
      guard let target = try target(name, value) else { return }
      position.path.steps.append(.key(name))
      try apply(lens, target)
      position.path.steps.removeLast()
    case .map(let lens): try map(lens, value)
    case .when(let before, let after, let lens):
      let isForward = position.direction == .forward
      try when(isForward ? before : after, isForward ? after : before, lens, value)
    case .use(let name): try use(name, value)
    default: try perform(operation.kind, value)
    }
  }

  /// The nesting limit for lenses that use themselves.
  private static let useLimit = 128

  /// Applies a lens that the file names, also recursively; the location of a loss includes the use.
  private mutating func use(_ name: String, _ value: LensValue) throws(ArchiveError) {
    guard uses < Self.useLimit else {
      throw problem("is used over \(Self.useLimit) deep in itself", value, code: .limit)
    }
    guard let lens = named[name] else { return }
    // The number of uses within parts may double from lens to lens.
    try count(0, value)
    uses += 1
    position.elements.append(.key(CodePointString(position.operation.pointer)))
    try apply(lens, value)
    position.elements.removeLast()
    uses -= 1
  }

  // MARK: Parts

  /// Applies a lens to the elements of a list, or to members: to all, or to those whose names match a pattern.
  private mutating func map(_ lens: Lens, _ value: LensValue) throws(ArchiveError) {
    let pattern = lens.memberPattern
    guard pattern == nil, let items = value.openList(in: graph) else {
      let wanted = pattern == nil ? "a list or a dictionary" : Self.object
      for member in try members(value, wanted: wanted) {
        if let pattern, try !matches(member, pattern, value) { continue }
        try visit(.key(member.name), .key(CodePointString(member.name)), lens, member.value)
      }
      return
    }
    try count(items.count, value)
    let first = losses.lost.count
    let identities = try identities(of: items, lens.elementName)
    if let kept = losses.outdated(forElements: items, at: position) {
      throw outdated(kept, LensValue(.list(items)))
    }
    for (index, item) in items.enumerated() {
      try visit(.index(index), identities[index], lens, item)
    }
    losses.anchorRepeated(since: first, items, depth: position.elements.count)
  }

  /// Whether the name of a member matches a regular expression.
  private mutating func matches(
    _ member: LensValue.Member, _ pattern: String, _ value: LensValue
  ) throws(ArchiveError) -> Bool {
    do throws(PatternFault) {
      if let known = patterns[pattern] { return try known.matches(member.name) }
      let compiled = try ECMAPattern(pattern)
      patterns[pattern] = compiled
      return try compiled.matches(member.name)
    } catch {
      throw problem(
        "cannot match the name: \(error)", value, member: member.name, code: .limit)
    }
  }

  private mutating func visit(
    _ step: GraphPath.Step, _ element: InstanceLocation.Element, _ lens: Lens, _ value: LensValue
  ) throws(ArchiveError) {
    position.path.steps.append(step)
    position.elements.append(element)
    let isAnchored = if case .index = element { true } else { false }
    try apply(lens, value, isAnchored: isAnchored)
    position.elements.removeLast()
    position.path.steps.removeLast()
  }

  private func outdated(_ kept: LostValue, _ value: LensValue) -> ArchiveError {
    problem(
      "has a value kept from \(kept.path) for what was here, and it was changed or moved since; "
        + "use --allow-loss to ignore such values", value)
  }

  /// How the elements of a list are identified: by a member, if its values are unique, otherwise by position.
  private func identities(
    of items: [LensValue], _ name: String?
  ) throws(ArchiveError) -> [InstanceLocation.Element] {
    guard let name else { return items.indices.map { .index($0) } }
    let identities = items.map { item in
      InstanceLocation.Identity(item.open(in: graph)?[name]?.scalar(in: graph))
    }
    var counts: [InstanceLocation.Identity: Int] = [:]
    for identity in identities.compactMap({ $0 }) { counts[identity, default: 0] += 1 }
    var elements: [InstanceLocation.Element] = []
    for (index, identity) in identities.enumerated() {
      let element = identity.map {
        InstanceLocation.Element.identified(by: CodePointString(name), as: $0)
      }
      if let element, let identity, counts[identity] == 1 {
        elements.append(element)
        continue
      }
      if let element, losses.holds(position.elements + [element]) {
        throw problem(
          "finds several elements whose '\(name)' is that of one with kept values", items[index])
      }
      elements.append(.index(index))
    }
    return elements
  }

  // MARK: Conditions

  private mutating func when(
    _ before: LensCondition, _ after: LensCondition, _ lens: Lens, _ value: LensValue
  ) throws(ArchiveError) {
    let operation = position.operation
    let holds = holds(before, try members(value))
    if holds { try apply(lens, value) }
    position.operation = operation
    if isOneWay { return }
    guard self.holds(after, try members(value)) == holds else {
      throw problem(
        holds
          ? "makes an object that does not satisfy '\(after.title)', so migrating back would skip it"
          : "skips an object that satisfies '\(after.title)', so migrating back would change it",
        value)
    }
  }

  private func holds(_ condition: LensCondition, _ members: [LensValue.Member]) -> Bool {
    let member = members[condition.member]
    switch condition.test {
    case .equals(let tree): return member.map { areSame($0, LensValue(json: tree)) } ?? false
    case .isPresent(let flag): return (member.map { !$0.isNull(in: graph) } ?? false) == flag
    }
  }
}
