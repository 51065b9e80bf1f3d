// The operations on the members of objects.

import ArchiveBasics
import ArchiveGraph

extension LensInterpreter {
  /// Applies an operation that has no lens in it, in the direction of the run.
  mutating func perform(_ kind: LensOperation.Kind, _ value: LensValue) throws(ArchiveError) {
    // What the inverse of a copy loses depends on its source.
    if case .copy(let source, let destination) = kind, position.direction == .backward {
      return try remove(destination, value, inverse: try members(value)[source])
    }
    switch kind.resolved(for: position.direction) {
    case .rename(let source, let destination): try rename(source, destination, value)
    case .add(let name, let standard, let isInverse):
      let standard = standard.map { LensValue(json: $0) }
      isInverse ? try remove(name, value, inverse: standard) : try add(name, standard, value)
    case .hoist(let host, let name, let ownsHost, let isInverse):
      isInverse
        ? try plunge(name, host, ownsHost, value) : try hoist(name, host, ownsHost, value)
    case .wrap(let name, let isInverse): isInverse ? try head(name, value) : try wrap(name, value)
    case .change(let name, let change): try apply(change, to: name, value)
    case .default(let name, let standard):
      position.direction == .forward
        ? try fill(name, LensValue(json: standard), value)
        : try unfill(name, LensValue(json: standard), value)
    case .nullable(let name, let becomesAbsent):
      becomesAbsent ? try removeNull(name, value) : try addNull(name, value)
    case .copy(let source, let destination): try copy(source, destination, value)
    case .combine(let keys, let values, let name, let isInverse):
      isInverse
        ? try separate(keys, values, name, value) : try combine(keys, values, name, value)
    case .in, .map, .when, .use: break
    }
  }

  /// Changes a member, or without a name the value itself.
  private mutating func apply(
    _ change: ValueChange, to name: String?, _ value: LensValue
  ) throws(ArchiveError) {
    guard let subject = try subject(name, value) else { return }
    if let name { position.path.steps.append(.key(name)) }
    switch change {
    case .convert(let conversion): try convert(subject, conversion)
    case .nest(let member, isInverse: false): nest(subject, in: member)
    case _ where subject.isNull(in: graph): break
    case .archive(let step): try migrateArchive(subject, step)
    case .class(let source, let destination): try setClass(subject, source, destination)
    case .store(let storage): try store(subject, storage)
    case .split(let separator, let isInverse):
      isInverse ? try join(subject, separator) : try split(subject, separator)
    case .nest(let member, _): try pluck(member, of: subject)
    case .group(let grouping, let isInverse):
      isInverse ? try ungroup(subject, grouping) : try group(subject, grouping)
    }
    if name != nil { position.path.steps.removeLast() }
  }

  private mutating func rename(
    _ source: String, _ destination: String, _ value: LensValue
  ) throws(ArchiveError) {
    var members = try members(value)
    try requireAbsent(destination, in: members, value)
    guard let position = members.index(source) else { return }
    try refuseBareKey(members[position], value)
    members[position] = LensValue.Member(destination, members[position].value)
    value.content = .members(members)
  }

  /// Adds a member to an object: the kept value, otherwise the default, otherwise nothing.
  private mutating func add(
    _ name: String, _ standard: LensValue?, _ value: LensValue
  ) throws(ArchiveError) {
    let members = try members(value)
    try requireAbsent(name, in: members, value)
    var added = standard
    if let kept = keptValue() { added = kept.kind == .absent ? nil : LensValue(kept: kept) }
    if let added { value.content = .members(members + [LensValue.Member(name, added)]) }
  }

  /// Adds a member with the value of another, or with the value that was kept.
  private mutating func copy(
    _ source: String, _ destination: String, _ value: LensValue
  ) throws(ArchiveError) {
    let members = try members(value)
    try requireAbsent(destination, in: members, value)
    var copy = members[source].map { LensValue(form: settled($0.form)) }
    if let kept = keptValue() { copy = kept.kind == .absent ? nil : LensValue(kept: kept) ?? copy }
    if let copy { value.content = .members(members + [LensValue.Member(destination, copy)]) }
  }

  /// Removes a member; it is lost unless the inverse would add the same value.
  ///
  /// - Parameter inverse: the value that the inverse adds; nil if it adds none.
  private mutating func remove(
    _ name: String, _ value: LensValue, inverse: LensValue?
  ) throws(ArchiveError) {
    var members = try members(value)
    guard let position = members.index(name) else {
      if inverse != nil { lose(.absent, name) }
      return
    }
    try refuseBareKey(members[position], value)
    let removed = members.remove(at: position).value
    value.content = .members(members)
    // A null member differs from an absent one: without a default of null, the inverse would not add it.
    if let inverse, areSame(removed, inverse) { return }
    lose(.value, name, value: removed.form, storage: removed.heldStorage(in: graph))
  }

  /// Moves a member of a member to the object.
  private mutating func hoist(
    _ name: String, _ host: String, _ prunes: Bool, _ value: LensValue
  ) throws(ArchiveError) {
    var members = try members(value)
    try requireAbsent(name, in: members, value)
    guard let hostIndex = members.index(host), !members[hostIndex].value.isNull(in: graph) else {
      return
    }
    let holder = members[hostIndex].value
    var inside = try self.members(holder, at: host, wanted: "an object in '\(host)'")
    guard let position = inside.index(name) else {
      if prunes, inside.isEmpty {
        lose(.empty, host)
        members.remove(at: hostIndex)
        value.content = .members(members)
      }
      return
    }
    try refuseBareKey(inside[position], holder)
    let moved = inside.remove(at: position)
    holder.content = .members(inside)
    let kept = keptValue()
    if inside.isEmpty, kept?.kind == .absent || prunes && kept?.kind != .empty {
      members[hostIndex] = moved
      // The host was null before a member was moved into it.
      if kept?.value != nil { members.append(.null(host)) }
    } else {
      members.insert(moved, at: hostIndex + 1)
    }
    value.content = .members(members)
  }

  /// Moves a member into another member.
  private mutating func plunge(
    _ name: String, _ host: String, _ creates: Bool, _ value: LensValue
  ) throws(ArchiveError) {
    var members = try members(value)
    let known: LensValue? = members[host]
    let holder = known.flatMap { $0.isNull(in: graph) ? nil : $0 }
    var inside: [LensValue.Member] = []
    if let holder {
      inside = try self.members(holder, at: host, wanted: "an object in '\(host)'")
      // The inverse would confuse it with the member that is moved now.
      guard inside.index(name) == nil else {
        throw problem("finds '\(name)' in '\(host)' already", holder, member: host)
      }
    }
    guard let position = members.index(name) else {
      if keptValue()?.kind == .empty, known == nil {
        value.content = .members(members + [LensValue.Member(host, LensValue(.members([])))])
      }
      return
    }
    try refuseBareKey(members[position], value)
    let moved = members.remove(at: position)
    if let holder {
      // The inverse treats an empty host as one that was created.
      if creates, inside.isEmpty { lose(.empty, host) }
      holder.content = .members(inside + [moved])
    } else {
      members.removeAll { $0.isCalled(host) }
      if known != nil { lose(.absent, host, value: .null) } else if !creates { lose(.absent, host) }
      members.insert(
        LensValue.Member(host, LensValue(.members([moved]))), at: min(position, members.count))
    }
    value.content = .members(members)
  }

  // MARK: Defaults and null

  /// Sets a member that is absent or null.
  private mutating func fill(
    _ name: String, _ standard: LensValue, _ value: LensValue
  ) throws(ArchiveError) {
    var members = try members(value)
    if let position = members.index(name) {
      let known = members[position]
      guard known.value.isNull(in: graph) else { return }
      lose(.value, name, value: .null)
      members[position] = LensValue.Member(name, standard, key: known.key)
    } else {
      lose(.absent, name)
      members.append(LensValue.Member(name, standard))
    }
    value.content = .members(members)
  }

  /// Leaves a member unchanged, unless it is known to have been absent or null, and still has the default.
  private mutating func unfill(
    _ name: String, _ standard: LensValue, _ value: LensValue
  ) throws(ArchiveError) {
    guard let kept = keptValue() else { return }
    var members = try members(value)
    guard let position = members.index(name), areSame(members[position].value, standard) else {
      return
    }
    if kept.kind == .absent {
      members.remove(at: position)
      value.content = .members(members)
    } else if let original = kept.value {
      members[position].value.content = LensValue(form: original).content
    }
  }

  /// Makes a null member absent; a loss is recorded if it was already absent.
  private mutating func removeNull(_ name: String, _ value: LensValue) throws(ArchiveError) {
    var members = try members(value)
    guard let position = members.index(name) else { return lose(.absent, name) }
    guard members[position].value.isNull(in: graph), keptValue()?.kind != .value else { return }
    members.remove(at: position)
    value.content = .members(members)
  }

  /// Makes an absent member null; a loss is recorded if it was already null.
  private mutating func addNull(_ name: String, _ value: LensValue) throws(ArchiveError) {
    let members = try members(value)
    if let known = members[name] {
      if known.isNull(in: graph) { lose(.value, name, value: .null) }
    } else if keptValue()?.kind != .absent {
      value.content = .members(members + [.null(name)])
    }
  }

  // MARK: Objects of one member

  /// Wraps a value in an object as its only member.
  private mutating func nest(_ subject: LensValue, in member: String) {
    let kept = keptValue()
    if subject.isNull(in: graph) {
      if let original = kept?.value(of: .value) { subject.content = original.content }
      return
    }
    let others = kept?.value(of: .others)?.open(in: graph) ?? []
    subject.nest(in: member, with: others.filter { !$0.isCalled(member) })
  }

  /// Replaces an object with one of its members; the others are lost.
  private mutating func pluck(_ member: String, of target: LensValue) throws(ArchiveError) {
    var members = try members(target, wanted: "an object")
    guard let position = members.index(member) else {
      throw problem("finds no '\(member)' in the object", target)
    }
    let plucked = members.remove(at: position).value
    if plucked.isNull(in: graph) {
      // The inverse leaves null unchanged.
      lose(.value, value: target.form)
    } else if !members.isEmpty {
      lose(.others, value: LensValue(.members(members)).form)
    }
    target.become(plucked)
  }

  // MARK: Refusals

  /// Refuses a member that an operation would make again.
  func requireAbsent(
    _ name: String, in members: [LensValue.Member], _ value: LensValue
  ) throws(ArchiveError) {
    guard members.index(name) == nil else {
      throw problem("finds '\(name)' there already", value, member: name)
    }
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
}
