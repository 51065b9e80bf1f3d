// The operations on the members of objects.

import Basics
import ObjectGraph
import PropertyLists

extension LensInterpreter {
  mutating func rename(
    _ source: String, _ destination: String, _ value: LensValue
  ) throws(ArchiveError) {
    var members = try members(value)
    if members.contains(where: { $0.isCalled(destination) }) {
      throw problem("finds '\(destination)' there already", value, member: destination)
    }
    guard let position = members.firstIndex(where: { $0.isCalled(source) }) else { return }
    try refuseBareKey(members[position], value)
    members[position] = LensValue.Member(
      name: destination, key: nil, value: members[position].value)
    value.content = .members(members)
  }

  /// Adds a member to an object: the kept value, otherwise the default, otherwise nothing.
  mutating func give(
    _ name: String, _ standard: JSONTree?, _ value: LensValue
  ) throws(ArchiveError) {
    var members = try members(value)
    if members.contains(where: { $0.isCalled(name) }) {
      throw problem("finds '\(name)' there already", value, member: name)
    }
    let given: LensValue?
    switch keptValue() {
    case let kept? where kept.kind == .absent: given = nil
    case let kept?: given = LensValue(kept: kept)
    case nil: given = standard.map { LensValue(form: SyntheticValue($0)) }
    }
    guard let given else { return }
    members.append(LensValue.Member(name: name, key: nil, value: given))
    value.content = .members(members)
  }

  /// Removes a member; it is lost unless the inverse would add the same value.
  mutating func take(
    _ name: String, _ standard: JSONTree?, _ value: LensValue
  ) throws(ArchiveError) {
    var members = try members(value)
    guard let position = members.firstIndex(where: { $0.isCalled(name) }) else {
      if standard != nil { lose(.absent, name) }
      return
    }
    try refuseBareKey(members[position], value)
    let taken = members.remove(at: position).value
    value.content = .members(members)
    // A null member differs from an absent one: without a default of null, the inverse would not add it.
    if let standard, isSame(taken, as: SyntheticValue(standard)) {
      return
    } else {
      lose(.value, name, value: taken.form, storage: taken.heldStorage(in: graph))
    }
  }

  /// Moves a member of a member to the object.
  mutating func hoist(
    _ name: String, _ host: String, _ prunes: Bool, _ value: LensValue
  ) throws(ArchiveError) {
    var members = try members(value)
    if members.contains(where: { $0.isCalled(name) }) {
      throw problem("finds '\(name)' there already", value, member: name)
    }
    guard let place = members.firstIndex(where: { $0.isCalled(host) }),
      !members[place].value.isNull(in: graph)
    else { return }
    let holder = members[place].value
    var inside = try membersOf(host, holder)
    guard let position = inside.firstIndex(where: { $0.isCalled(name) }) else {
      if prunes, inside.isEmpty {
        lose(.empty, host)
        members.remove(at: place)
        value.content = .members(members)
      }
      return
    }
    try refuseBareKey(inside[position], holder)
    let taken = inside.remove(at: position)
    holder.content = .members(inside)
    let kept = keptValue()
    if inside.isEmpty, kept?.kind == .absent || prunes && kept?.kind != .empty {
      members[place] = taken
      // The host was null before a member was moved into it.
      if kept?.value != nil { members.append(Self.null(host)) }
    } else {
      members.insert(taken, at: place + 1)
    }
    value.content = .members(members)
  }

  /// Moves a member into another member.
  mutating func plunge(
    _ name: String, _ host: String, _ creates: Bool, _ value: LensValue
  ) throws(ArchiveError) {
    var members = try members(value)
    if let holder = members.first(where: { $0.isCalled(host) }),
      !holder.value.isNull(in: graph)
    {
      // The inverse would confuse it with the member that is moved now.
      let inside = try membersOf(host, holder.value)
      if inside.contains(where: { $0.isCalled(name) }) {
        throw problem("finds '\(name)' in '\(host)' already", holder.value, member: host)
      }
    }
    guard let position = members.firstIndex(where: { $0.isCalled(name) }) else {
      if keptValue()?.kind == .empty, !members.contains(where: { $0.isCalled(host) }) {
        members.append(LensValue.Member(name: host, key: nil, value: LensValue(.members([]))))
        value.content = .members(members)
      }
      return
    }
    try refuseBareKey(members[position], value)
    let taken = members.remove(at: position)
    if let place = members.firstIndex(where: { $0.isCalled(host) }),
      !members[place].value.isNull(in: graph)
    {
      let holder = members[place].value
      var inside = try membersOf(host, holder)
      // The inverse treats an empty host as one that was created.
      if creates, inside.isEmpty { lose(.empty, host) }
      inside.append(taken)
      holder.content = .members(inside)
    } else {
      let isNull = members.contains { $0.isCalled(host) }
      members.removeAll { $0.isCalled(host) }
      if isNull { lose(.absent, host, value: .null) } else if !creates { lose(.absent, host) }
      members.insert(
        LensValue.Member(name: host, key: nil, value: LensValue(.members([taken]))),
        at: min(position, members.count))
    }
    value.content = .members(members)
  }

  /// Refuses a bare key: the inverse writes the key again, in the form that archivers use.
  private func refuseBareKey(
    _ member: LensValue.Member, _ holder: LensValue
  ) throws(ArchiveError) {
    guard member.value.hasBareKey(in: graph) else { return }
    throw problem(
      "finds the key '\(member.name)' stored without the '$' that archivers put before it; migrating back would add it",
      holder, member: member.name)
  }

  /// The members of a member, which must be an object.
  private mutating func membersOf(
    _ host: String, _ holder: LensValue
  ) throws(ArchiveError) -> [LensValue.Member] {
    let found = holder.kind(in: graph)
    guard let inside = holder.open(in: graph) else {
      throw problem("needs an object in '\(host)', found \(found)", holder, member: host)
    }
    return inside
  }
}

// MARK: - Operations that change the shape of a value

extension LensInterpreter {
  /// Performs an operation that changes the shape of a value, resolved for the direction.
  mutating func applyShape(
    _ kind: LensOperation.Kind, _ value: LensValue
  ) throws(ArchiveError) {
    switch kind {
    case .default(let name, let standard):
      direction == .forward ? try fill(name, standard, value) : try unfill(name, standard, value)
    case .nullable(let name, let becomesAbsent):
      becomesAbsent ? try dropNull(name, value) : try giveNull(name, value)
    case .copy(let source, let destination): try copy(source, destination, value)
    case .split(let name, let separator): try split(name, separator, value)
    case .join(let name, let separator): try join(name, separator, value)
    case .nest(let name, let member): try nest(name, member, value)
    case .pluck(let name, let member): try pluck(name, member, value)
    case .group(let grouping): try group(grouping, value)
    case .ungroup(let grouping): try ungroup(grouping, value)
    case .when(let condition, let after, let lens): try when(condition, after, lens, value)
    default: break
    }
  }

  /// The member that an operation applies to, or without a name the value itself; nil if it is absent or null.
  mutating func target(_ name: String?, _ value: LensValue) throws(ArchiveError) -> LensValue? {
    guard let subject = try subject(name, value), !subject.isNull(in: graph) else { return nil }
    return subject
  }

  /// The same target, including null.
  mutating func subject(_ name: String?, _ value: LensValue) throws(ArchiveError) -> LensValue? {
    guard let name else { return value }
    return try members(value).first { $0.isCalled(name) }?.value
  }

  // MARK: Defaults and null

  /// Sets a member that is absent or null.
  private mutating func fill(
    _ name: String, _ standard: JSONTree, _ value: LensValue
  ) throws(ArchiveError) {
    var members = try members(value)
    let made = LensValue(form: SyntheticValue(standard))
    if let position = members.firstIndex(where: { $0.isCalled(name) }) {
      let known = members[position]
      guard known.value.isNull(in: graph) else { return }
      lose(.value, name, value: .null)
      members[position] = LensValue.Member(name: name, key: known.key, value: made)
    } else {
      lose(.absent, name)
      members.append(LensValue.Member(name: name, key: nil, value: made))
    }
    value.content = .members(members)
  }

  /// Leaves a member unchanged, unless it is known to have been absent or null, and still has the default.
  private mutating func unfill(
    _ name: String, _ standard: JSONTree, _ value: LensValue
  ) throws(ArchiveError) {
    guard let kept = keptValue() else { return }
    var members = try members(value)
    guard let position = members.firstIndex(where: { $0.isCalled(name) }),
      isSame(members[position].value, as: SyntheticValue(standard))
    else { return }
    if kept.kind == .absent {
      members.remove(at: position)
      value.content = .members(members)
    } else if let original = kept.value {
      members[position].value.content = LensValue(form: original).content
    }
  }

  /// Makes a null member absent; a loss is recorded if it was already absent.
  private mutating func dropNull(_ name: String, _ value: LensValue) throws(ArchiveError) {
    var members = try members(value)
    guard let position = members.firstIndex(where: { $0.isCalled(name) }) else {
      lose(.absent, name)
      return
    }
    guard members[position].value.isNull(in: graph), keptValue()?.kind != .value else { return }
    members.remove(at: position)
    value.content = .members(members)
  }

  /// Makes an absent member null; a loss is recorded if it was already null.
  private mutating func giveNull(_ name: String, _ value: LensValue) throws(ArchiveError) {
    var members = try members(value)
    if let known = members.first(where: { $0.isCalled(name) }) {
      if known.value.isNull(in: graph) { lose(.value, name, value: .null) }
      return
    }
    if keptValue()?.kind == .absent { return }
    members.append(Self.null(name))
    value.content = .members(members)
  }

  private static func null(_ name: String) -> LensValue.Member {
    LensValue.Member(name: name, key: nil, value: LensValue(.scalar(.null)))
  }

  // MARK: Copies

  private mutating func copy(
    _ source: String, _ destination: String, _ value: LensValue
  ) throws(ArchiveError) {
    var members = try members(value)
    if members.contains(where: { $0.isCalled(destination) }) {
      throw problem("finds '\(destination)' there already", value, member: destination)
    }
    var copy = members.first { $0.isCalled(source) }.map { LensValue(form: settled($0.value.form)) }
    if let kept = keptValue() { copy = kept.kind == .absent ? nil : LensValue(kept: kept) ?? copy }
    guard let copy else { return }
    members.append(LensValue.Member(name: destination, key: nil, value: copy))
    value.content = .members(members)
  }

  /// Removes the copy; it is lost if it differs from the value that remains.
  mutating func uncopy(
    _ source: String, _ destination: String, _ value: LensValue
  ) throws(ArchiveError) {
    var members = try members(value)
    let original = members.first { $0.isCalled(source) }?.value
    guard let position = members.firstIndex(where: { $0.isCalled(destination) }) else {
      if original != nil { lose(.absent, destination) }
      return
    }
    let taken = members.remove(at: position).value
    value.content = .members(members)
    if let original {
      var comparison = CopyComparison(graph: graph)
      if comparison.areSame(taken, original) { return }
    }
    lose(.value, destination, value: taken.form, storage: taken.heldStorage(in: graph))
  }

  // MARK: Objects of one member

  /// Wraps a value in an object as its only member.
  private mutating func nest(
    _ name: String?, _ member: String, _ value: LensValue
  ) throws(ArchiveError) {
    if let whole = try subject(name, value), whole.isNull(in: graph) {
      if let kept = keptValue(), kept.kind == .value, let original = kept.value {
        whole.content = LensValue(form: original).content
      }
      return
    }
    guard let target = try target(name, value) else { return }
    var others: [LensValue.Member] = []
    if let kept = keptValue(), kept.kind == .others, let form = kept.value {
      others = (LensValue(form: form).open(in: graph) ?? []).filter { !$0.isCalled(member) }
    }
    target.nest(in: member, with: others)
  }

  /// Replaces an object with one of its members; the others are lost.
  private mutating func pluck(
    _ name: String?, _ member: String, _ value: LensValue
  ) throws(ArchiveError) {
    guard let target = try target(name, value) else { return }
    let found = target.kind(in: graph)
    guard var members = target.open(in: graph) else {
      throw problem("needs an object, found \(found)", target, member: name)
    }
    guard let position = members.firstIndex(where: { $0.isCalled(member) }) else {
      throw problem("finds no '\(member)' in the object", target, member: name)
    }
    let taken = members.remove(at: position).value
    if taken.isNull(in: graph) {
      // The inverse leaves null unchanged.
      lose(.value, name, value: target.form)
    } else if !members.isEmpty {
      lose(.others, name, value: LensValue(.members(members)).form)
    }
    target.become(taken)
  }

  // MARK: Conditions

  private mutating func when(
    _ before: LensCondition, _ after: LensCondition, _ lens: Lens, _ value: LensValue
  ) throws(ArchiveError) {
    let mark = mark
    let holds = holds(before, try members(value))
    if holds { try apply(lens, value) }
    restore(mark)
    guard self.holds(after, try members(value)) == holds else {
      throw problem(
        holds
          ? "makes an object that does not satisfy '\(after.title)', so migrating back would skip it"
          : "skips an object that satisfies '\(after.title)', so migrating back would change it",
        value)
    }
  }

  private func holds(_ condition: LensCondition, _ members: [LensValue.Member]) -> Bool {
    let member = members.first { $0.isCalled(condition.member) }?.value
    switch condition.test {
    case .equals(let tree):
      return member.map { isSame($0, as: SyntheticValue(tree), .value) } ?? false
    case .isPresent(let flag): return (member.map { !$0.isNull(in: graph) } ?? false) == flag
    }
  }
}

// MARK: - The operation on archives in data values

extension LensInterpreter {
  /// Migrates the archive in a data value from one version of its family to another.
  mutating func takeArchive(
    _ name: String?, _ step: ArchiveStep, _ value: LensValue
  ) throws(ArchiveError) {
    guard let target = try target(name, value), !bringBack(target) else { return }
    guard let scalar = target.scalar(in: graph), case .data(let bytes) = scalar else {
      throw problem(
        "needs data with an archive, found \(target.kind(in: graph))", target, member: name)
    }
    guard let archives else {
      throw problem("enters an archive, which is not opened here", target, member: name)
    }
    if isGoingBack, let source = archives.source(place, of: bytes) {
      target.content = .scalar(.data(source))
      return
    }
    if isGoingBack {
      let returned = try located(name) { () throws(ArchiveError) in
        try archives.takeBack(bytes, step)
      }
      target.content = .scalar(.data(returned))
      return
    }
    let outcome = try located(name) { () throws(ArchiveError) in
      try archives.take(bytes, step)
    }
    archives.warn(outcome.warnings.map { located($0, name) })
    if let loss = outcome.loss {
      lose(
        .value, name, value: target.form, became: .data(outcome.bytes), note: loss.text,
        storage: target.heldStorage(in: graph), archiveLoss: loss.kind)
      archives.remember(place, outcome.bytes, from: bytes)
    }
    target.content = .scalar(.data(outcome.bytes))
  }

  /// Does something with the archive in a member, whose errors have their paths.
  private func located<Result>(
    _ name: String?, _ work: () throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    do throws(ArchiveError) {
      return try work()
    } catch {
      throw located(error, name)
    }
  }

  private func located(_ error: ArchiveError, _ name: String?) -> ArchiveError {
    let path = (name.map { self.path.appending(.key($0)) } ?? self.path)
      .appending(.content("archive")).appending(error.path ?? GraphPath())
    return ArchiveError(error.code, error.message, path: path, file: error.file)
  }
}
