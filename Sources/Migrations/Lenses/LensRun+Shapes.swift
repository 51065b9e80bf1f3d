// The operations that change the shape of a value: which is done in a direction, and those on single members.

import Basics
import ObjectGraph
import PropertyLists

extension LensRun {
  /// Does an operation that changes the shape of a value.
  mutating func applyShape(
    _ kind: LensOperation.Kind, _ value: LensValue
  ) throws(ArchiveError) {
    let isForward = direction == .forward
    switch kind {
    case .default(let name, let standard):
      isForward ? try fill(name, standard, value) : try unfill(name, standard, value)
    case .nullable(let name, let becomesAbsent):
      becomesAbsent == isForward ? try dropNull(name, value) : try giveNull(name, value)
    case .copy(let source, let destination):
      isForward ? try copy(source, destination, value) : try uncopy(source, destination, value)
    case .split(let name, let separator):
      isForward ? try split(name, separator, value) : try join(name, separator, value)
    case .join(let name, let separator):
      isForward ? try join(name, separator, value) : try split(name, separator, value)
    case .nest(let name, let member):
      isForward ? try nest(name, member, value) : try pluck(name, member, value)
    case .pluck(let name, let member):
      isForward ? try pluck(name, member, value) : try nest(name, member, value)
    case .group(let grouping):
      isForward ? try group(grouping, value) : try ungroup(grouping, value)
    case .ungroup(let grouping):
      isForward ? try ungroup(grouping, value) : try group(grouping, value)
    case .when(let condition, let after, let lens):
      try when(isForward ? condition : after, isForward ? after : condition, lens, value)
    default: break
    }
  }

  /// The member that an operation is about, or without a name the value itself; nil if there is none or it is null.
  mutating func target(_ name: String?, _ value: LensValue) throws(ArchiveError) -> LensValue? {
    guard let subject = try subject(name, value), !subject.isNull(in: graph) else { return nil }
    return subject
  }

  /// The same, even if it is null.
  mutating func subject(_ name: String?, _ value: LensValue) throws(ArchiveError) -> LensValue? {
    guard let name else { return value }
    return try members(value).first { $0.isCalled(name) }?.value
  }

  // MARK: Defaults and null

  /// Gives an object a member that is absent or null.
  private mutating func fill(
    _ name: String, _ standard: JSONTree, _ value: LensValue
  ) throws(ArchiveError) {
    var members = try members(value)
    let made = LensValue(form: DerivedForm(standard))
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

  /// Leaves a member as it is, unless it is known that it was absent or null, and is the default still.
  private mutating func unfill(
    _ name: String, _ standard: JSONTree, _ value: LensValue
  ) throws(ArchiveError) {
    guard let kept = keptValue() else { return }
    var members = try members(value)
    guard let position = members.firstIndex(where: { $0.isCalled(name) }),
      isSame(members[position].value, as: DerivedForm(standard))
    else { return }
    if kept.kind == .absent {
      members.remove(at: position)
      value.content = .members(members)
    } else if let original = kept.value {
      members[position].value.content = LensValue(form: original).content
    }
  }

  /// Makes a member that is null absent; that it was absent before is lost.
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

  /// Makes an absent member null; that it was null before is lost.
  private mutating func giveNull(_ name: String, _ value: LensValue) throws(ArchiveError) {
    var members = try members(value)
    if let known = members.first(where: { $0.isCalled(name) }) {
      if known.value.isNull(in: graph) { lose(.value, name, value: .null) }
      return
    }
    if keptValue()?.kind == .absent { return }
    members.append(LensValue.Member(name: name, key: nil, value: LensValue(.scalar(.null))))
    value.content = .members(members)
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

  /// Takes the copy away; it is lost if it is another value than the one that stays.
  private mutating func uncopy(
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

  /// Makes a value the only member of an object.
  private mutating func nest(
    _ name: String?, _ member: String, _ value: LensValue
  ) throws(ArchiveError) {
    if let whole = try whole(name, value), whole.isNull(in: graph) {
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

  /// The member, or the value itself, null as well.
  private mutating func whole(_ name: String?, _ value: LensValue) throws(ArchiveError)
    -> LensValue?
  {
    guard let name else { return value }
    return try members(value).first { $0.isCalled(name) }?.value
  }

  /// Makes an object one of its members; the others are lost.
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
      // The way back leaves null as it is.
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
          ? "makes an object of which it does not hold that \(after.title), so that the way back would pass over it"
          : "passes over an object of which it holds that \(after.title), so that the way back would change it",
        value)
    }
  }

  private func holds(_ condition: LensCondition, _ members: [LensValue.Member]) -> Bool {
    let member = members.first { $0.isCalled(condition.member) }?.value
    switch condition.test {
    case .equals(let tree): return member.map { isSame($0, as: DerivedForm(tree)) } ?? false
    case .isPresent(let flag): return (member.map { !$0.isNull(in: graph) } ?? false) == flag
    }
  }
}
