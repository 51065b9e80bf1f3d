// The members of objects: which were renamed, moved, copied, added and removed.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting

extension LensSearch {
  /// The operations on the members of an object.
  mutating func members(
    _ old: SchemaShape, _ new: SchemaShape, _ seen: [LensWitness]
  ) -> [JSONTree] {
    var work = MemberWork(old, new, seen)
    findLists(&work)
    findMoves(&work, byValue: false)
    findRenames(&work)
    findMoves(&work, byValue: true)
    for member in new.members {
      guard let before = work.old.member(member.name), before.schema != .boolean(true) else {
        continue
      }
      path.steps.append(.key(member.name))
      let (one, other) = (source.shape(before.schema), target.shape(member.schema))
      let found = value(one, other, member.name, work.seen.member(member.name))
      work.append(
        found ?? question("no operation is known from \(words(one)) to \(words(other))", []))
      path.steps.removeLast()
    }
    findCopies(&work)
    for member in work.removed { work.append(removal(of: member, work)) }
    for member in work.added { work.append(addition(of: member, work)) }
    for member in new.members { work.append(presence(of: member, work)) }
    return work.operations
  }

  // MARK: Parallel lists

  /// Finds the lists in which a collection encoded itself, and the dictionary that replaced them.
  private mutating func findLists(_ work: inout MemberWork) {
    func lists(_ members: [SchemaShape.Member]) -> (keys: String, values: String)? {
      let names = members.map(\.name)
      guard let keys = names.first(where: { $0.lowercased().hasSuffix("keys") }),
        let values = names.first(where: { name in
          ["values", "objects"].contains { name.lowercased().hasSuffix($0) }
        }),
        [keys, values].allSatisfy({ name in
          members.first { $0.name == name }.map { source.shape($0.schema).kind == .list } ?? false
        })
      else { return nil }
      return (keys, values)
    }
    if let found = lists(work.removed),
      let map = work.added.first(where: { target.shape($0.schema).kind == .map })
    {
      work.group("group", keys: found.keys, values: found.values, into: map.name)
    } else if let found = lists(work.added),
      let map = work.removed.first(where: { source.shape($0.schema).kind == .map })
    {
      work.group("ungroup", keys: found.keys, values: found.values, into: map.name)
    }
  }

  // MARK: Renames

  /// An old member and a new one that may be the same.
  private struct Match {
    let old: String
    let new: String
    let score: Int
    let reason: String
  }

  /// The least score of a match that is believed: equal schemas of members that both must be there.
  private static let leastScore = 4

  private mutating func findRenames(_ work: inout MemberWork) {
    var all = work.removed.flatMap { old in work.added.compactMap { match(old, $0, work) } }
      .filter { $0.score >= Self.leastScore }
    while let best = all.max(by: { $0.score < $1.score }) {
      let others = all.filter {
        $0.score == best.score && ($0.old == best.old || $0.new == best.new)
      }
      var chosen: Match? = best
      if others.count > 1 {
        let candidates = others.map { [LensTrees.rename($0.old, $0.new)] }
        let isOne = others.allSatisfy { $0.old == best.old }
        let text = isOne ? "what is '\(best.old)' now?" : "what was '\(best.new)' before?"
        let answer = question(text, candidates)
        chosen = others.first { answer == [LensTrees.rename($0.old, $0.new)] }
        if chosen == nil {
          work.append(answer)
          for other in others { work.reserved.formUnion([other.old, other.new]) }
          all.removeAll { work.reserved.contains($0.old) || work.reserved.contains($0.new) }
        }
      }
      guard let chosen else { continue }
      remark("'\(chosen.old)' is '\(chosen.new)' now, by \(chosen.reason)")
      work.rename(chosen.old, chosen.new)
      all.removeAll { $0.old == chosen.old || $0.new == chosen.new }
    }
  }

  /// What speaks for an old member and a new one being the same; nil if they cannot be.
  private func match(
    _ old: SchemaShape.Member, _ new: SchemaShape.Member, _ work: MemberWork
  ) -> Match? {
    let seen = work.seen.members(old.name, new.name)
    guard let operations = hypothesis(old, new, seen) else { return nil }
    let both = seen.compactMap(\.both)
    let isSame = source.signature(of: old.schema) == target.signature(of: new.schema)
    var score = isSame ? 3 : operations.isEmpty ? 2 : 1
    var reasons = isSame ? ["its schema"] : []
    if NameLikeness.isSame(old.name, new.name) {
      score += 5
      reasons.append("its name")
    } else if NameLikeness.isSimilar(old.name, new.name) {
      score += 2
      reasons.append("its name")
    }
    if source.shape(old.schema).kind == .data, !both.allSatisfy({ $0.old.isEqual(to: $0.new) }) {
      score -= 1
    } else if both.contains(where: { $0.new.isDistinctive }) {
      score += 4
      reasons.append("its values")
    } else if !both.isEmpty {
      score += 1
      reasons.append("its values")
    }
    let isOneSided = zip(work.seen, seen).contains { whole, part in
      whole.old != nil && whole.new != nil && part.both == nil
        && (part.old?.isNothing ?? true) != (part.new?.isNothing ?? true)
    }
    if isOneSided { score -= 2 }
    // Where no sample is of both, a title is still as varied as before.
    if both.isEmpty, let one = Self.isVaried(seen.compactMap(\.old)),
      let other = Self.isVaried(seen.compactMap(\.new))
    {
      score += one == other ? 1 : -1
    }
    if old.isRequired == new.isRequired { score += 1 }
    let last = reasons.popLast() ?? "what is left"
    let reason = reasons.isEmpty ? last : reasons.joined(separator: ", ") + " and " + last
    return Match(old: old.name, new: new.name, score: score, reason: reason)
  }

  /// Whether all of some values differ; nil for too few.
  private static func isVaried(_ values: [SyntheticValue]) -> Bool? {
    values.count < 2 ? nil : Set(values.map(\.lensTree.compactText)).count == values.count
  }

  /// The operations that make a new member of an old one, without asking; nil if the samples refute it.
  private func hypothesis(
    _ old: SchemaShape.Member, _ new: SchemaShape.Member, _ seen: [LensWitness]
  ) -> [JSONTree]? {
    var search = self
    search.isTrying = true
    let (one, other) = (source.shape(old.schema), target.shape(new.schema))
    guard let found = search.value(one, other, new.name, seen) else { return nil }
    if LensTrees.hasQuestion(found) { return found }
    // What data holds may have changed by itself.
    let isOpaque = one.kind == .data && other.kind == .data
    return isOpaque || search.trial.leads(found, through: seen, at: new.name) ? found : nil
  }

  // MARK: Moves

  /// Finds members that moved into another member, or out of one.
  ///
  /// - Parameter isByValue: whether their names may have changed as well, if their values show it.
  private mutating func findMoves(_ work: inout MemberWork, byValue isByValue: Bool) {
    for host in work.old.members {
      let inside = source.shape(host.schema)
      guard inside.kind == .record else { continue }
      let remaining = newShape(of: host.name, in: work)
      for member in inside.members where remaining?.member(member.name) == nil {
        let seen = work.seen.map { LensWitness(old: $0.old?.member(host.name), new: $0.new) }
        guard let found = counterpart(of: member, among: work.added, seen, isByValue),
          found.name == member.name || work.old.member(member.name) == nil
        else { continue }
        work.hoist(member.name, from: host.name)
        work.rename(member.name, found.name)
        remark("'\(found.name)' comes out of '\(host.name)'")
      }
    }
    for host in work.new.members {
      let inside = target.shape(host.schema)
      guard inside.kind == .record else { continue }
      for member in inside.members {
        let known = work.old.member(host.name).map { source.shape($0.schema) }
        guard known == nil || known?.kind == .record, known?.member(member.name) == nil else {
          continue
        }
        let seen = work.seen.map { LensWitness(old: $0.old, new: $0.new?.member(host.name)) }
        guard let found = origin(of: member, among: work.removed, seen, isByValue),
          found.name == member.name || work.old.member(member.name) == nil
        else { continue }
        work.rename(found.name, member.name)
        work.plunge(member.name, into: host.name)
        remark("'\(found.name)' goes into '\(host.name)'")
      }
    }
  }

  private func newShape(of name: String, in work: MemberWork) -> SchemaShape? {
    work.new.member(name).map { target.shape($0.schema) }
  }

  /// The new member that a moved one is.
  private func counterpart(
    of member: SchemaShape.Member, among added: [SchemaShape.Member], _ seen: [LensWitness],
    _ isByValue: Bool
  ) -> SchemaShape.Member? {
    added.first { isMoved(member, $0, seen, isByValue) }
  }

  /// The old member that became one of a host.
  private func origin(
    of member: SchemaShape.Member, among removed: [SchemaShape.Member], _ seen: [LensWitness],
    _ isByValue: Bool
  ) -> SchemaShape.Member? {
    removed.first { isMoved($0, member, seen, isByValue) }
  }

  private func isMoved(
    _ old: SchemaShape.Member, _ new: SchemaShape.Member, _ seen: [LensWitness], _ isByValue: Bool
  ) -> Bool {
    let values = seen.members(old.name, new.name)
    guard (old.name == new.name) != isByValue, hypothesis(old, new, values) != nil else {
      return false
    }
    return !isByValue || values.contains { $0.both?.new.isDistinctive ?? false }
  }

  // MARK: Copies

  /// Finds new members that equal others in all samples.
  private mutating func findCopies(_ work: inout MemberWork) {
    let news = work.seen.compactMap(\.new)
    for member in work.added {
      let values = news.map { $0.member(member.name) }
      guard values.contains(where: { $0?.isDistinctive ?? false }) else { continue }
      let original = work.new.members.first { other in
        guard work.old.member(other.name) != nil,
          target.signature(of: other.schema) == target.signature(of: member.schema)
        else { return false }
        return zip(news, values).allSatisfy { whole, value in
          switch (whole.member(other.name), value) {
          case (nil, nil): true
          case (let one?, let two?): one.isEqual(to: two)
          default: false
          }
        }
      }
      guard let original else { continue }
      remark("'\(member.name)' equals '\(original.name)' in the samples")
      work.copy(original.name, member.name)
    }
  }

  // MARK: Members that are left

  private mutating func removal(of member: SchemaShape.Member, _ work: MemberWork) -> [JSONTree] {
    let shape = source.shape(member.schema)
    if Self.needsNull(member, shape, source) { return Self.withNull("remove", member) }
    let isNeeded = member.isRequired && !shape.isNullable
    let values = work.seen.compactMap { $0.old?.member(member.name) }
    return standard("remove", member.name, shape, isNeeded, values)
  }

  private mutating func addition(of member: SchemaShape.Member, _ work: MemberWork) -> [JSONTree] {
    let shape = target.shape(member.schema)
    if Self.needsNull(member, shape, target) { return Self.withNull("add", member) }
    let isNeeded = member.isRequired && !shape.isNullable
    if isNeeded, shape.standard == nil, let found = byPresence(member, work) { return found }
    let values = work.seen.compactMap { $0.new?.member(member.name) }
    return standard("add", member.name, shape, isNeeded, values)
  }

  /// Whether a member must be there, at least as null.
  private static func needsNull(
    _ member: SchemaShape.Member, _ shape: SchemaShape, _ document: ShapeDocument
  ) -> Bool {
    member.isRequired && shape.isNullable && ![.codable, .plist].contains(document.envelope)
  }

  private static func withNull(_ word: String, _ member: SchemaShape.Member) -> [JSONTree] {
    [LensTrees.operation(word, ("name", .string(member.name)), ("default", .null))]
  }

  /// An addition or a removal, with a default if the member must be there.
  private mutating func standard(
    _ word: String, _ name: String, _ shape: SchemaShape, _ isNeeded: Bool,
    _ values: [SyntheticValue]
  ) -> [JSONTree] {
    func operation(_ value: JSONTree?) -> [JSONTree] {
      [LensTrees.operation(word, ("name", .string(name)), ("default", value))]
    }
    if let value = shape.standard { return operation(value) }
    guard isNeeded else { return operation(nil) }
    let text = "what is '\(name)' where it is missing?"
    // What one sample has that lost it says nothing of others, and an empty container nothing wrong.
    let isAdded = word == "add"
    let empty: JSONTree? = shape.kind == .list ? .list([]) : shape.kind == .map ? .members([]) : nil
    let value =
      isAdded || values.count > 1
      ? standardValue(values, name) ?? (isAdded ? nil : empty) : empty
    return value.map { operation($0) }
      ?? question(text, Self.neutral(shape, values).map { operation($0) })
  }

  /// The value for a member that is missing, as most samples have it; nil if they do not tell.
  private mutating func standardValue(_ values: [SyntheticValue], _ name: String) -> JSONTree? {
    let values = values.filter { !$0.isNothing }
    guard let common = [LensWitness].commonest(values), common.mayBeStandard else { return nil }
    let tree = common.lensTree
    let count = values.count { $0.lensTree == tree }
    guard count > 1 || values.count == 1 else { return nil }
    remark("'\(name)' is \(tree.summary) in \(count) of \(Counted.text(values.count, "sample"))")
    return tree
  }

  /// The values that a person may choose for a member.
  private static func neutral(_ shape: SchemaShape, _ values: [SyntheticValue]) -> [JSONTree] {
    var found = values.filter { !$0.isNothing && $0.mayBeStandard }.prefix(3).map(\.lensTree)
    switch shape.kind {
    case .boolean: found += [.boolean(false), .boolean(true)]
    case .integer, .number: found.append(.integer(0))
    case .list: found.append(.list([]))
    case .map: found.append(.members([]))
    case .text where shape.values == nil: found.append(.string(""))
    default: found += shape.values ?? []
    }
    return found.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The operations that set a boolean by whether another member is present, if the samples show both.
  private mutating func byPresence(
    _ member: SchemaShape.Member, _ work: MemberWork
  ) -> [JSONTree]? {
    guard target.shape(member.schema).kind == .boolean else { return nil }
    let news = work.seen.compactMap(\.new)
    for other in work.new.members where !other.isRequired && work.old.member(other.name) != nil {
      let shown = news.compactMap { whole -> (isThere: Bool, flag: Bool)? in
        guard case .boolean(let flag)? = whole.member(member.name) else { return nil }
        return (!(whole.member(other.name)?.isNothing ?? true), flag)
      }
      guard Set(shown.map(\.isThere)).count == 2, let first = shown.first,
        shown.allSatisfy({ ($0.flag == $0.isThere) == (first.flag == first.isThere) })
      else { continue }
      remark("'\(member.name)' tells in the samples whether '\(other.name)' is there")
      return [true, false].map { isThere in
        let flag = (first.flag == first.isThere) == isThere
        let add = LensTrees.operation(
          "add", ("name", .string(member.name)), ("default", .boolean(flag)))
        return LensTrees.operation(
          "when", ("member", .string(other.name)), ("present", .boolean(isThere)),
          ("lens", .list([add])))
      }
    }
    return nil
  }

  // MARK: Members that may be absent or null

  private mutating func presence(of member: SchemaShape.Member, _ work: MemberWork) -> [JSONTree] {
    guard let before = work.old.member(member.name), before.schema != .boolean(true),
      !work.copied.contains(member.name)
    else { return [] }
    let (old, new) = (source.shape(before.schema), target.shape(member.schema))
    let leavesOutNull: Set<Envelope> = [.codable, .plist]
    if member.isRequired, !new.isNullable {
      guard !before.isRequired || old.isNullable else { return [] }
      let values = work.seen.filter { $0.old?.member(member.name).map(\.isNothing) ?? true }
        .compactMap { $0.new?.member(member.name) }
      return required(member.name, new, values)
    }
    func nullable(_ word: String) -> [JSONTree] {
      // A member that may be both is the same either way.
      let isSame = old.isNullable && !before.isRequired || new.isNullable && !member.isRequired
      return [
        LensTrees.operation(
          "nullable", ("name", .string(member.name)), ("null", .string(word)),
          ("absent", isSame ? .string("same") : nil))
      ]
    }
    if old.isNullable, !new.isNullable, !leavesOutNull.contains(target.envelope) {
      return nullable("absent")
    }
    if new.isNullable, !old.isNullable, !before.isRequired, member.isRequired,
      !leavesOutNull.contains(source.envelope)
    {
      return nullable("present")
    }
    return []
  }

  /// The default of a member that must be there now.
  private mutating func required(
    _ name: String, _ shape: SchemaShape, _ values: [SyntheticValue]
  ) -> [JSONTree] {
    func operation(_ value: JSONTree) -> [JSONTree] {
      [LensTrees.operation("default", ("name", .string(name)), ("value", value))]
    }
    if let value = shape.standard ?? standardValue(values, name) {
      return operation(value)
    }
    return question(
      "what is '\(name)' where it is missing or null?",
      Self.neutral(shape, values).map { operation($0) })
  }
}
