// Dictionaries and objects of three versions: members that theirs has added, removed or changed.

import Basics
import ObjectGraph

extension VersionMerge {
  /// Merges the members of three dictionaries or objects.
  ///
  /// - Returns: those that all have and that may have to be merged.
  mutating func mergeMembers(
    _ old: Pairs, _ our: Pairs, _ their: Pairs, _ holders: Trio, _ trio: Trio
  ) throws(ArchiveError) -> [Child] {
    guard let one = MemberNames(old, of: holders.base, base),
      let two = MemberNames(our, of: holders.ours, ours),
      let three = MemberNames(their, of: holders.theirs, theirs)
    else {
      // Keys that are not strings, or a repeated one.
      try replace(trio)
      return []
    }
    var children: [Child] = []
    for member in one.list where three[member.name] == nil {
      try removed(member, two[member.name])
    }
    for member in three.list {
      guard let before = one[member.name] else {
        try added(member, two[member.name])
        continue
      }
      guard let present = two[member.name] else {
        try changed(member, before)
        continue
      }
      let child = Child(
        step: .key(member.name.text),
        trio: Trio(base: before.value, ours: present.value, theirs: member.value))
      let was = base.isInline(old, before.position)
      let isNow = theirs.isInline(their, member.position)
      if old.isObject, was != isNow, isNow != ours.isInline(our, present.position) {
        conflict(.storage, child.step, child.trio)
      } else {
        children.append(child)
      }
    }
    return children
  }

  private mutating func conflict(
    _ reason: MergeConflict.Reason, _ step: GraphPath.Step, _ trio: Trio
  ) {
    conflict(
      MergeConflict(
        reason, at: path(step), base: .value(trio.base), ours: .value(trio.ours),
        theirs: .value(trio.theirs)))
  }

  /// A member that theirs has removed.
  private mutating func removed(
    _ member: MemberNames.Member, _ present: MemberNames.Member?
  ) throws(ArchiveError) {
    guard let present else { return }
    let path = path(.key(member.name.text))
    if try base.digest(of: member.value) == ours.digest(of: present.value) {
      return add(.remove, at: path)
    }
    conflict(
      MergeConflict(
        .removedInTheirs, at: path, base: .value(member.value), ours: .value(present.value),
        theirs: .nothing))
  }

  /// A member that theirs has added.
  private mutating func added(
    _ member: MemberNames.Member, _ present: MemberNames.Member?
  ) throws(ArchiveError) {
    let path = path(.key(member.name.text))
    guard let present else { return add(.add, at: path, value: member.value) }
    if try ours.digest(of: present.value) == theirs.digest(of: member.value) { return }
    conflict(
      MergeConflict(
        .added, at: path, base: .nothing, ours: .value(present.value),
        theirs: .value(member.value)))
  }

  /// A member of theirs that ours has removed.
  private mutating func changed(
    _ member: MemberNames.Member, _ before: MemberNames.Member
  ) throws(ArchiveError) {
    if try base.digest(of: before.value) == theirs.digest(of: member.value) { return }
    conflict(
      MergeConflict(
        .removedInOurs, at: path(.key(member.name.text)), base: .value(before.value),
        ours: .nothing, theirs: .value(member.value)))
  }
}
