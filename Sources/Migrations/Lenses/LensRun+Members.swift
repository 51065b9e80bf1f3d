// The operations on the members of objects.

import Basics
import ObjectGraph
import PropertyLists

extension LensRun {
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

  /// Gives an object a member: what was kept of it, else the default, else none.
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
    case nil: given = standard.map { LensValue(form: DerivedForm($0)) }
    }
    guard let given else { return }
    members.append(LensValue.Member(name: name, key: nil, value: given))
    value.content = .members(members)
  }

  /// Takes a member away; it is lost unless the way back would give the same.
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
    // A member that is null is none that is absent: without a default of null the way back would not give it.
    if let standard, isSame(taken, as: DerivedForm(standard)) {
      return
    } else {
      lose(.value, name, value: taken.form, storage: taken.heldStorage(in: graph))
    }
  }

  /// Takes a member out of a member.
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
    let kept = keptValue()?.kind
    if inside.isEmpty, kept == .absent || prunes && kept != .empty {
      members[place] = taken
    } else {
      members.insert(taken, at: place + 1)
    }
    value.content = .members(members)
  }

  /// Puts a member into another member.
  mutating func plunge(
    _ name: String, _ host: String, _ creates: Bool, _ value: LensValue
  ) throws(ArchiveError) {
    var members = try members(value)
    if let holder = members.first(where: { $0.isCalled(host) }),
      !holder.value.isNull(in: graph)
    {
      // The way back would take it for the one that is put there now.
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
      // The way back takes an empty host for one that was made.
      if creates, inside.isEmpty { lose(.empty, host) }
      inside.append(taken)
      holder.content = .members(inside)
    } else {
      members.removeAll { $0.isCalled(host) }
      if !creates { lose(.absent, host) }
      members.insert(
        LensValue.Member(name: host, key: nil, value: LensValue(.members([taken]))),
        at: min(position, members.count))
    }
    value.content = .members(members)
  }

  /// A member gets its key anew on the way back, as archivers write it.
  private func refuseBareKey(
    _ member: LensValue.Member, _ holder: LensValue
  ) throws(ArchiveError) {
    guard member.value.hasBareKey(in: graph) else { return }
    throw problem(
      "finds the key '\(member.name)' stored without the '$' that archivers put before it, and the way back would put it there",
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
