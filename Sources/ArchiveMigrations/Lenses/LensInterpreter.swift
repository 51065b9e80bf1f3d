// Applies lenses to a model, operation by operation, and examines only the parts that change.

import ArchiveBasics
import ArchiveGraph
import ArchivePatterns
import ArchiveWriting
import KeyedArchives

/// Applies lenses to a model.
struct LensInterpreter {
  let graph: ObjectGraph
  /// The values that the operations could not carry.
  private(set) var lost: [LostValue] = []
  /// Absent and null members that do not come back, where the lens states that this means the same.
  private var tolerated: [LostValue] = []
  /// The values that were kept when the opposite migration lost them.
  var kept: KeptValues
  /// The locations of values that this run has lost itself, and may restore.
  private var own: Set<InstanceLocation> = []
  /// Those of them that it has restored.
  private var restored: Set<InstanceLocation> = []

  private(set) var lens = ""
  private(set) var direction = LensDirection.forward
  /// The operation that is applied, for locations and messages.
  var current = LensOperation(kind: .use(name: ""), pointer: "")
  private(set) var elements: [InstanceLocation.Element] = []
  var path = GraphPath()
  let anchoring: LostAnchoring
  private var visited = 0
  /// How many values were compared for the current answer.
  var comparedCount = 0
  /// The lenses that the current file names, and the depth of their nested use.
  private var named: [String: Lens] = [:]
  private var uses = 0
  /// Whether nothing is ever taken back through the current lens.
  private(set) var isOneWay = false
  /// The compiled patterns of `map`.
  private var patterns: [String: ECMAPattern] = [:]

  let root: Node
  /// The envelopes of the first and the last version of the path.
  let envelopes: (source: Envelope?, target: Envelope?)
  /// Migrates archives in data values; nil if they are not opened.
  let archives: ArchiveSteps?
  /// Whether the run inverts what another has done to the same archive.
  let isGoingBack: Bool

  private init(
    _ graph: ObjectGraph, root: Node, _ steps: [LensStep], kept: [LostValue],
    _ anchoring: LostAnchoring, _ archives: ArchiveSteps?, isGoingBack: Bool
  ) {
    envelopes = (steps.first?.reversed.envelope, steps.last?.envelope)
    self.archives = archives
    self.isGoingBack = isGoingBack
    self.graph = graph
    self.root = root
    self.anchoring = anchoring
    self.kept = KeptValues(kept)
  }

  /// The result of applying lenses to a model.
  struct Result {
    /// The model in the last version of the path, a value of the same graph.
    let root: Node
    /// What was lost.
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
    var run = LensInterpreter(
      graph, root: root, steps, kept: kept, anchoring, archives, isGoingBack: isGoingBack)
    let value = LensValue(.node(root))
    for step in steps where !step.file.lens.isIdentity {
      run.begin(step, of: steps)
      if isList {
        try run.map(step.file.lens, value)
      } else {
        try run.apply(step.file.lens, value)
      }
    }
    run.forgetRestored()
    let node = graph.add(value.form, near: root)
    return Result(
      root: node, lost: run.lost, tolerated: run.tolerated,
      unused: run.kept.unusedValues.filter { !run.own.contains($0.location) })
  }

  /// Begins a lens; values that the same lens lost earlier in this run may be restored now.
  private mutating func begin(_ step: LensStep, of steps: [LensStep]) {
    lens = step.file.name
    direction = step.direction
    isOneWay = step.file.lens.isOneWay
    named = step.file.lens.named
    guard steps.count(where: { $0.file.name == lens }) > 1 else { return }
    forgetRestored()
    for value in lost + tolerated where value.lens == lens {
      kept.keep(value)
      own.insert(value.location)
    }
  }

  /// Removes the values that a lens has restored from the losses.
  private mutating func forgetRestored() {
    if restored.isEmpty { return }
    lost.removeAll { restored.contains($0.location) }
    tolerated.removeAll { restored.contains($0.location) }
    restored = []
  }

  mutating func apply(_ lens: Lens, _ value: LensValue) throws(ArchiveError) {
    for operation in lens.operations(direction) { try apply(operation, value) }
  }

  mutating func apply(_ operation: LensOperation, _ value: LensValue) throws(ArchiveError) {
    current = operation
    try apply(operation.kind, value)
  }

  private mutating func apply(
    _ kind: LensOperation.Kind, _ value: LensValue
  ) throws(ArchiveError) {
    // What the inverse of a copy loses depends on its source.
    if case .copy(let source, let destination) = kind, direction == .backward {
      let original = try members(value)[source]
      return try remove(destination, value, inverse: original)
    }
    let kind = kind.resolved(for: direction)
    switch kind {
    case .rename(let source, let destination): try rename(source, destination, value)
    case .add(let name, let standard): try add(name, standard.map { LensValue(json: $0) }, value)
    case .remove(let name, let standard):
      try remove(name, value, inverse: standard.map { LensValue(json: $0) })
    case .hoist(let host, let name, let prunes): try hoist(name, host, prunes, value)
    case .plunge(let host, let name, let creates): try plunge(name, host, creates, value)
    case .wrap(let name): try wrap(name, value)
    case .head(let name): try head(name, value)
    case .in(let name, let lens): try enter(name, lens, value)
    case .archive(let name, let step): try migrateArchive(name, step, value)
    case .map(let lens): try map(lens, value)
    case .convert(let name, let conversion): try convert(name, conversion, value)
    case .class(let name, let source, let destination):
      try setClass(name, source, destination, value)
    case .store(let name, let storage): try store(name, storage, value)
    case .use(let name): try use(name, value)
    default: try applyShape(kind, value)
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
    elements.append(.key(CodePointString(current.pointer)))
    try apply(lens, value)
    elements.removeLast()
    uses -= 1
  }

  // MARK: Descending into values

  private mutating func enter(
    _ name: String, _ lens: Lens, _ value: LensValue
  ) throws(ArchiveError) {
    guard let target = try target(name, value) else { return }
    path.steps.append(.key(name))
    try apply(lens, target)
    path.steps.removeLast()
  }

  private mutating func map(_ lens: Lens, _ value: LensValue) throws(ArchiveError) {
    if let pattern = lens.memberPattern { return try map(lens, pattern, value) }
    let pointer = current.pointer
    if let items = value.openList(in: graph) {
      try count(items.count, value)
      let first = lost.count
      let identities = try identities(of: items, lens.elementName)
      try checkList(items, pointer)
      for (index, item) in items.enumerated() {
        try visit(.index(index), identities[index], lens, item)
      }
      anchorRepeated(items, since: first)
    } else {
      for member in try members(value, wanted: "a list or a dictionary") {
        try visit(.key(member.name), .key(CodePointString(member.name)), lens, member.value)
      }
    }
  }

  /// Applies a lens to the members whose names match a pattern; apart, since lenses within lenses use the stack.
  private mutating func map(
    _ lens: Lens, _ pattern: String, _ value: LensValue
  ) throws(ArchiveError) {
    for member in try members(value) where try matches(member, pattern, value) {
      try visit(.key(member.name), .key(CodePointString(member.name)), lens, member.value)
    }
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
    path.steps.append(step)
    elements.append(element)
    try applyAnchored(lens, value)
    elements.removeLast()
    path.steps.removeLast()
  }

  /// The members of a value, which must be an object.
  ///
  /// - Parameters:
  ///   - name: the member that the value is; nil for the value that the operation is applied to.
  ///   - wanted: the expected value, for the message about another.
  mutating func members(
    _ value: LensValue, at name: String? = nil, wanted: String = "an object with string keys"
  ) throws(ArchiveError) -> [LensValue.Member] {
    guard let members = value.open(in: graph) else {
      throw problem("needs \(wanted), found \(value.kind(in: graph))", value, member: name)
    }
    try count(members.count, value)
    return members
  }

  /// The elements of a value, which must be a list.
  ///
  /// - Parameter name: the member that the value is; nil for the value that the operation is applied to.
  mutating func items(
    _ value: LensValue, at name: String?
  ) throws(ArchiveError) -> [LensValue] {
    guard let items = value.openList(in: graph) else {
      throw problem("needs a list, found \(value.kind(in: graph))", value, member: name)
    }
    try count(items.count, value)
    return items
  }

  /// The member that an operation applies to, or without a name the value itself; nil if it is absent.
  mutating func subject(_ name: String?, _ value: LensValue) throws(ArchiveError) -> LensValue? {
    guard let name else { return value }
    return try members(value)[name]
  }

  /// The same; nil also if it is null.
  mutating func target(_ name: String?, _ value: LensValue) throws(ArchiveError) -> LensValue? {
    try subject(name, value).flatMap { $0.isNull(in: graph) ? nil : $0 }
  }

  /// Counts work, since lists with shared elements could make a walk arbitrarily long.
  mutating func count(_ more: Int, _ value: LensValue) throws(ArchiveError) {
    visited &+= more &+ 1
    if visited > graph.expansionLimit {
      throw problem(
        "visits more than \(visited) values; shared ones may be multiplying", value, code: .limit)
    }
  }

  // MARK: Losses

  /// The location of the current operation.
  var location: InstanceLocation {
    InstanceLocation(lens: lens, operation: current.pointer, elements: elements)
  }

  /// The value that was kept at this operation.
  mutating func keptValue() -> LostValue? {
    guard !kept.isEmpty else { return nil }
    let location = location
    let value = kept.use(location)
    if value != nil, own.remove(location) != nil { restored.insert(location) }
    return value
  }

  mutating func lose(
    _ kind: LostValue.Kind, _ member: String?, value: SyntheticValue? = nil,
    became: SyntheticValue? = nil, note: String? = nil, storage: FieldStorage? = nil,
    archiveLoss: ArchiveLoss? = nil
  ) {
    let path = member.map { self.path.appending(.key($0)) } ?? self.path
    let value = value.map { settled($0) }
    let loss = LostValue(
      location: location, kind: kind, title: current.title, path: path, value: value,
      became: became, note: note,
      storage: storage, archiveLoss: archiveLoss)
    if current.ignoresAbsence, kind == .absent || isNull(value) {
      tolerated.append(loss)
    } else {
      lost.append(loss)
    }
  }

  func isNull(_ form: SyntheticValue?) -> Bool {
    form.map { LensValue(form: $0).isNull(in: graph) } ?? false
  }

  /// A form that can be examined again: a changed value keeps its classes and its storage as a value of the graph.
  func settled(_ form: SyntheticValue) -> SyntheticValue {
    switch form {
    case .changed, .list: .node(graph.add(form, near: root))
    default: form
    }
  }

  /// Ties the values lost since a mark to the elements that they belong to.
  mutating func anchor(since first: Int, _ change: (inout LostValue) -> Void) {
    for index in lost.indices[first...] { change(&lost[index]) }
  }

  // MARK: Problems

  /// An error about a value that the operation cannot be applied to.
  func problem(
    _ message: String, _ value: LensValue?, member: String? = nil,
    code: ArchiveError.Code = .mismatch, about subject: ArchiveError.Subject? = nil
  ) -> ArchiveError {
    var offset: Int?
    if case .node(let node) = value?.content { offset = graph.fileOffset(of: node) }
    let path = member.map { self.path.appending(.key($0)) } ?? self.path
    return ArchiveError(
      code, "the operation \(current.pointer) of the lens \(lens) (\(current.title)) \(message)",
      offset: offset, path: path, about: subject)
  }
}

extension SyntheticValue {
  /// A scalar as it appears in messages.
  var display: String {
    switch self {
    case .string(let text): "\"\(text.prefix(60))\""
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .real(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    case .date(let seconds): Timestamp(secondsFromReference: seconds)?.text ?? "a date"
    default: kind
    }
  }
}

// MARK: - The operations on what an archive stores in addition to values: the classes of objects, the storage of fields

extension LensInterpreter {
  /// Changes the class of an object; values without classes are unchanged.
  private mutating func setClass(
    _ name: String?, _ source: String, _ destination: String, _ value: LensValue
  ) throws(ArchiveError) {
    guard let target = try target(name, value), let found = target.className(in: graph) else {
      return
    }
    let display = ClassName(stored: found).display
    guard found.hasSameScalars(as: source) || display.hasSameScalars(as: source) else {
      throw problem("finds the class \(display)", target, member: name)
    }
    guard target.open(in: graph) != nil else {
      throw problem(
        "needs an object with fields, found \(target.kind(in: graph))", target, member: name)
    }
    target.newClass = destination
  }

  /// Changes the storage of a member: directly in its object, or as a separate object.
  private mutating func store(
    _ name: String, _ storage: FieldStorage, _ value: LensValue
  ) throws(ArchiveError) {
    guard let target = try target(name, value) else { return }
    let scalar = target.className(in: graph) == nil ? target.scalar(in: graph) : nil
    switch scalar {
    case .integer, .unsigned, .real, .boolean, .data: break
    default:
      let found = scalar?.kind ?? target.kind(in: graph)
      throw problem("needs a number, found \(found)", target, member: name)
    }
    if let kept = keptValue(), kept.kind == .storage, let held = kept.storage {
      target.storage = held
      return
    }
    // The inverse gives it the other storage, in every envelope that has both.
    if target.heldStorage(in: graph) == storage {
      lose(
        .storage, name, note: "stored \(storage.rawValue), it comes back \(storage.other.rawValue)",
        storage: storage)
    }
    target.storage = storage
  }
}
