// Applies lenses to a model, operation by operation, and examines only the parts that change.

import Basics
import FileTransactions
import KeyedArchives
import ObjectGraph
import PropertyLists
import Schemas

/// Applies lenses to a model.
struct LensInterpreter {
  let graph: ObjectGraph
  /// The values that the operations could not carry.
  private(set) var lost: [LostValue] = []
  /// The values that were kept when the opposite migration lost them.
  private(set) var kept: KeptValues
  /// The locations of values that this run has lost itself, and may restore.
  private var own: Set<InstanceLocation> = []
  /// Those of them that it has restored.
  private var restored: Set<InstanceLocation> = []

  private(set) var lens = ""
  private(set) var direction = LensDirection.forward
  private var operation = ""
  private var title = ""
  private(set) var elements: [InstanceLocation.Element] = []
  var path = GraphPath()
  let anchoring: LostAnchoring
  private var visited = 0
  /// The lenses that the current file names, and the depth of their nested use.
  private var named: [String: Lens] = [:]
  private var uses = 0

  private let root: Node
  /// Migrates archives in data values; nil if they are not opened.
  let archives: ArchiveSteps?
  /// Whether the run inverts what another has done to the same archive.
  let isGoingBack: Bool

  private init(
    _ graph: ObjectGraph, root: Node, kept: [LostValue], _ anchoring: LostAnchoring,
    _ archives: ArchiveSteps?, isGoingBack: Bool
  ) {
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
      graph, root: root, kept: kept, anchoring, archives, isGoingBack: isGoingBack)
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
    return Result(root: node, lost: run.lost, unused: run.unusedFromBefore)
  }

  /// Begins a lens; values that the same lens lost earlier in this run may be restored now.
  private mutating func begin(_ step: LensStep, of steps: [LensStep]) {
    lens = step.file.name
    direction = step.direction
    named = step.file.lens.named
    guard steps.count(where: { $0.file.name == lens }) > 1 else { return }
    forgetRestored()
    for value in lost where value.lens == lens {
      kept.keep(value)
      own.insert(value.place)
    }
  }

  /// Removes the values that a lens has restored from the losses.
  private mutating func forgetRestored() {
    if restored.isEmpty { return }
    lost.removeAll { restored.contains($0.place) }
    restored = []
  }

  /// The values kept before the run that were not requested.
  private var unusedFromBefore: [LostValue] { kept.rest.filter { !own.contains($0.place) } }

  mutating func apply(_ lens: Lens, _ value: LensValue) throws(ArchiveError) {
    for operation in lens.operations(direction) { try apply(operation, value) }
  }

  mutating func apply(_ operation: LensOperation, _ value: LensValue) throws(ArchiveError) {
    begin(operation)
    try apply(operation.kind, value)
  }

  /// Sets the current operation, for locations and messages.
  mutating func begin(_ operation: LensOperation) {
    self.operation = operation.pointer
    title = operation.title
  }

  private mutating func apply(
    _ kind: LensOperation.Kind, _ value: LensValue
  ) throws(ArchiveError) {
    let isForward = direction == .forward
    switch kind {
    case .rename(let source, let destination):
      try rename(isForward ? source : destination, isForward ? destination : source, value)
    case .add(let name, let standard):
      isForward ? try give(name, standard, value) : try take(name, standard, value)
    case .remove(let name, let standard):
      isForward ? try take(name, standard, value) : try give(name, standard, value)
    case .hoist(let host, let name, let prunes):
      isForward ? try hoist(name, host, prunes, value) : try plunge(name, host, prunes, value)
    case .plunge(let host, let name, let creates):
      isForward ? try plunge(name, host, creates, value) : try hoist(name, host, creates, value)
    case .wrap(let name): isForward ? try wrap(name, value) : try head(name, value)
    case .head(let name): isForward ? try head(name, value) : try wrap(name, value)
    case .in(let name, let lens): try enter(name, lens, value)
    case .archive(let name, let step): try takeArchive(name, step, value)
    case .map(let lens): try map(lens, value)
    case .convert(let name, let conversion): try convert(name, conversion, value)
    case .class(let name, let source, let destination):
      try setClass(name, isForward ? source : destination, isForward ? destination : source, value)
    case .store(let name, let storage): try store(name, isForward ? storage : storage.other, value)
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
    elements.append(.key(CodePointString(operation)))
    try apply(lens, value)
    elements.removeLast()
    uses -= 1
  }

  // MARK: Descending into values

  private mutating func enter(
    _ name: String, _ lens: Lens, _ value: LensValue
  ) throws(ArchiveError) {
    guard let member = try members(value).first(where: { $0.isCalled(name) }),
      !member.value.isNull(in: graph)
    else { return }
    path.steps.append(.key(name))
    try apply(lens, member.value)
    path.steps.removeLast()
  }

  private mutating func map(_ lens: Lens, _ value: LensValue) throws(ArchiveError) {
    let pointer = operation
    if let items = value.openList(in: graph) {
      try count(items.count, value)
      let first = lost.count
      let places = try places(of: items, lens.elementName)
      try checkList(items, pointer)
      for (index, item) in items.enumerated() {
        try visit(.index(index), places[index], lens, item)
      }
      anchorRepeated(items, places, since: first)
    } else {
      let found = value.kind(in: graph)
      guard let members = value.open(in: graph) else {
        throw problem("needs a list or a dictionary, found \(found)", value)
      }
      try count(members.count, value)
      for member in members {
        try visit(.key(member.name), .key(CodePointString(member.name)), lens, member.value)
      }
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
  mutating func members(_ value: LensValue) throws(ArchiveError) -> [LensValue.Member] {
    let found = value.kind(in: graph)
    guard let members = value.open(in: graph) else {
      throw problem("needs an object with string keys, found \(found)", value)
    }
    try count(members.count, value)
    return members
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
  var place: InstanceLocation {
    InstanceLocation(lens: lens, operation: operation, elements: elements)
  }

  /// The value that was kept at this operation.
  mutating func keptValue() -> LostValue? {
    guard !kept.isEmpty else { return nil }
    let place = place
    let value = kept.take(place)
    if value != nil, own.remove(place) != nil { restored.insert(place) }
    return value
  }

  mutating func lose(
    _ kind: LostValue.Kind, _ member: String?, value: SyntheticValue? = nil,
    became: SyntheticValue? = nil, note: String? = nil, storage: FieldStorage? = nil,
    archiveLoss: StoredDifference.Kind? = nil
  ) {
    let path = member.map { self.path.appending(.key($0)) } ?? self.path
    let value = value.map { settled($0) }
    lost.append(
      LostValue(
        place: place, kind: kind, title: title, path: path, value: value,
        became: became, note: note, storage: storage, archiveLoss: archiveLoss))
  }

  /// The current operation, to be restored after nested steps.
  var mark: (operation: String, title: String) { (operation, title) }

  /// Continues with an operation after its nested lenses.
  mutating func restore(_ mark: (operation: String, title: String)) {
    (operation, title) = mark
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

  /// Discards a kept value that no longer belongs to its element.
  mutating func forget(_ value: LostValue) { kept.forget(value.place) }

  // MARK: Problems

  /// An error about a value that the operation cannot be applied to.
  func problem(
    _ message: String, _ value: LensValue?, member: String? = nil,
    code: ArchiveError.Code = .mismatch
  ) -> ArchiveError {
    var offset: Int?
    if case .node(let node) = value?.content { offset = graph.fileOffset(of: node) }
    let path = member.map { self.path.appending(.key($0)) } ?? self.path
    return ArchiveError(
      code, "the operation \(operation) of the lens \(lens) (\(title)) \(message)",
      offset: offset, path: path)
  }
}

// MARK: - The operations on values: lists with one element, and conversions

extension LensInterpreter {
  /// Wraps a member, or the value itself, in a list.
  mutating func wrap(_ name: String?, _ value: LensValue) throws(ArchiveError) {
    guard let name else {
      return value.wrap(with: rest(of: keptValue()))
    }
    var members = try members(value)
    let position = members.firstIndex { $0.isCalled(name) }
    let kept = keptValue()
    guard let position, !members[position].value.isNull(in: graph) else {
      if kept?.kind == .absent { return }
      let list = LensValue(.list(rest(of: kept)))
      members.removeAll { $0.isCalled(name) }
      members.insert(
        LensValue.Member(name: name, key: nil, value: list), at: position ?? members.count)
      value.content = .members(members)
      return
    }
    members[position].value.wrap(with: rest(of: kept))
  }

  private func rest(of kept: LostValue?) -> [LensValue] {
    guard let kept, kept.kind == .rest, let form = kept.value,
      let items = LensValue(form: form).openList(in: graph)
    else { return [] }
    return items
  }

  /// Replaces a list with its first element.
  mutating func head(_ name: String?, _ value: LensValue) throws(ArchiveError) {
    guard let name else {
      guard let first = try first(of: value, nil) else {
        throw problem("finds an empty list, which has no first element", value)
      }
      value.become(first)
      return
    }
    var members = try members(value)
    let position = members.firstIndex { $0.isCalled(name) }
    guard let position, !members[position].value.isNull(in: graph) else {
      lose(.absent, name)
      return
    }
    let list = members[position].value
    if let first = try first(of: list, name) {
      list.become(first)
    } else {
      members.remove(at: position)
      value.content = .members(members)
    }
  }

  /// The first element of a list; the others are lost; nil if the list is empty.
  private mutating func first(
    of list: LensValue, _ name: String?
  ) throws(ArchiveError) -> LensValue? {
    let found = list.kind(in: graph)
    guard let items = list.openList(in: graph) else {
      throw problem("needs a list, found \(found)", list, member: name)
    }
    if items.count > 1 { lose(.rest, name, value: .list(items.dropFirst().map(\.form))) }
    return items.first
  }

  /// Converts a member, or the value itself.
  mutating func convert(
    _ name: String?, _ conversion: ScalarConversion, _ value: LensValue
  ) throws(ArchiveError) {
    guard let target = try subject(name, value), !bringBack(target), !target.isNull(in: graph)
    else { return }
    guard let scalar = target.scalar(in: graph) else {
      throw problem("needs a scalar, found \(target.kind(in: graph))", target, member: name)
    }
    guard let result = conversion.convert(scalar, direction) else {
      throw problem(
        "cannot convert \(scalar.display): \(conversion.wanting(direction))", target, member: name)
    }
    // The inverse leaves null unchanged.
    let isNull = result.isSameScalar(as: .null)
    let back = isNull ? nil : conversion.convert(result, direction.reversed)
    if back?.isSameScalar(as: scalar) != true {
      let isSpelling = conversion.keepsMeaning(of: scalar, result, back)
      lose(
        isSpelling ? .spelling : .value, name, value: target.form, became: result,
        note: back.map { "\(scalar.display) comes back as \($0.display)" },
        storage: target.heldStorage(in: graph))
    }
    target.content = .scalar(result)
  }

  /// Restores the kept value if the converted value is unchanged, including one that became null.
  ///
  /// - Returns: whether a value was restored.
  mutating func bringBack(_ target: LensValue) -> Bool {
    guard let kept = keptValue(), let original = kept.value, let became = kept.became,
      let scalar = target.scalar(in: graph), became.isSameScalar(as: scalar, .model)
    else { return false }
    target.content = LensValue(form: original).content
    target.storage = kept.storage ?? target.storage
    return true
  }

  // MARK: Equality

  /// Whether a value equals a form.
  func isSame(
    _ value: LensValue, as form: SyntheticValue, _ rule: ScalarEquality = .lens
  ) -> Bool {
    switch form {
    case .list(let items):
      guard let found = value.openList(in: graph), found.count == items.count else { return false }
      return zip(found, items).allSatisfy { isSame($0, as: $1, rule) }
    case .members(let members):
      guard let found = value.open(in: graph), found.count == members.count else { return false }
      return members.allSatisfy { member in
        found.contains { $0.isCalled(member.name) && isSame($0.value, as: member.value, rule) }
      }
    default: return value.scalar(in: graph)?.isSameScalar(as: form, rule) == true
    }
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
    var target = value
    if let name {
      guard let member = try members(value).first(where: { $0.isCalled(name) }),
        !member.value.isNull(in: graph)
      else { return }
      target = member.value
    }
    guard let found = target.className(in: graph) else { return }
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
    guard let member = try members(value).first(where: { $0.isCalled(name) }) else { return }
    guard !member.value.isNull(in: graph) else { return }
    guard member.value.className(in: graph) == nil,
      let scalar = member.value.scalar(in: graph)
    else {
      throw problem(
        "needs a number, found \(member.value.kind(in: graph))", member.value, member: name)
    }
    switch scalar {
    case .integer, .unsigned, .real, .boolean, .data: member.value.storage = storage
    default:
      throw problem("needs a number, found \(scalar.kind)", member.value, member: name)
    }
  }
}
