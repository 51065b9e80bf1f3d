// The members of objects: which were renamed, moved, copied, added and removed.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting

/// Finds the operations on the members of an object.
struct MemberSearch {
  /// The search that this is a part of.
  private(set) var whole: LensSearch
  private var work: MemberWork

  init(
    _ old: SchemaShape, _ new: SchemaShape, _ seen: [LensWitness], in whole: LensSearch
  ) {
    self.whole = whole
    work = MemberWork(old: old, new: new, seen: seen)
  }

  mutating func run() -> [JSONTree] {
    findLists()
    findMoves(byValue: false)
    findRenames()
    findMoves(byValue: true)
    for member in work.new.members {
      guard let before = work.old.member(member.name), before.schema != .boolean(true) else {
        continue
      }
      let pair = pair(before, member, work.seen.member(member.name))
      let step = GraphPath.Step.key(member.name)
      let found = whole.value(pair, at: step)
      work.append(
        found
          ?? whole.question(
            "no operation is known from \(pair.old.words) to \(pair.new.words)", [], at: step))
    }
    findCopies()
    for member in work.removed { work.append(leftOver("remove", member, of: work.old)) }
    for member in work.added { work.append(leftOver("add", member, of: work.new)) }
    for member in work.new.members { work.append(presence(of: member)) }
    return work.operations
  }

  private func oldShape(_ member: SchemaShape.Member) -> SchemaShape {
    work.old.document.shape(member.schema)
  }

  private func newShape(_ member: SchemaShape.Member) -> SchemaShape {
    work.new.document.shape(member.schema)
  }

  private func pair(
    _ old: SchemaShape.Member, _ new: SchemaShape.Member, _ seen: [LensWitness]
  ) -> ShapePair {
    ShapePair(old: oldShape(old), new: newShape(new), name: new.name, seen: seen)
  }

  // MARK: Parallel lists

  /// Finds the lists in which a collection encoded itself, and the dictionary that replaced them.
  private mutating func findLists() {
    func lists(_ members: [SchemaShape.Member]) -> (keys: String, values: String)? {
      let names = members.map(\.name)
      guard let keys = names.first(where: { $0.lowercased().hasSuffix("keys") }),
        let values = names.first(where: { name in
          ["values", "objects"].contains { name.lowercased().hasSuffix($0) }
        }),
        [keys, values].allSatisfy({ name in
          members.first { $0.name == name }.map { oldShape($0).kind == .list } ?? false
        })
      else { return nil }
      return (keys, values)
    }
    if let found = lists(work.removed),
      let map = work.added.first(where: { newShape($0).kind == .map })
    {
      work.group("group", keys: found.keys, values: found.values, into: map.name)
    } else if let found = lists(work.added),
      let map = work.removed.first(where: { oldShape($0).kind == .map })
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

  private mutating func findRenames() {
    var all = work.removed.flatMap { old in work.added.compactMap { match(old, $0) } }
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
        let answer = whole.question(text, candidates)
        chosen = others.first { answer == [LensTrees.rename($0.old, $0.new)] }
        if chosen == nil {
          work.append(answer)
          for other in others { work.reserved.formUnion([other.old, other.new]) }
          all.removeAll { work.reserved.contains($0.old) || work.reserved.contains($0.new) }
        }
      }
      guard let chosen else { continue }
      whole.remark("'\(chosen.old)' is '\(chosen.new)' now, by \(chosen.reason)")
      work.rename(chosen.old, chosen.new)
      all.removeAll { $0.old == chosen.old || $0.new == chosen.new }
    }
  }

  /// What speaks for an old member and a new one being the same; nil if they cannot be.
  private func match(_ old: SchemaShape.Member, _ new: SchemaShape.Member) -> Match? {
    let seen = work.seen.members(old.name, new.name)
    guard let operations = hypothesis(old, new, seen) else { return nil }
    let both = seen.compactMap(\.both)
    let isSame =
      work.old.document.signature(of: old.schema) == work.new.document.signature(of: new.schema)
    var score = isSame ? 3 : operations.isEmpty ? 2 : 1
    var reasons = isSame ? ["its schema"] : []
    if NameLikeness.isSame(old.name, new.name) {
      score += 5
      reasons.append("its name")
    } else if NameLikeness.isSimilar(old.name, new.name) {
      score += 2
      reasons.append("its name")
    }
    if oldShape(old).kind == .data, !both.allSatisfy({ $0.old.isSame(as: $0.new, .model) }) {
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
    let pair = pair(old, new, seen)
    guard let (found, trial) = whole.hypothesis(pair) else { return nil }
    // What data holds may have changed by itself.
    let isOpaque = pair.old.kind == .data && pair.new.kind == .data
    let isPossible =
      isOpaque || LensTrees.hasQuestion(found) || trial.leads(found, through: seen, at: new.name)
    return isPossible ? found : nil
  }

  // MARK: Moves

  /// Finds members that moved into another member, or out of one.
  ///
  /// - Parameter isByValue: whether their names may have changed as well, if their values show it.
  private mutating func findMoves(byValue isByValue: Bool) {
    for host in work.old.members {
      let inside = oldShape(host)
      guard inside.kind == .record else { continue }
      let remaining = work.new.member(host.name).map(newShape)
      for member in inside.members where remaining?.member(member.name) == nil {
        let seen = work.seen.changing(old: { $0.member(host.name) })
        guard let found = work.added.first(where: { isMoved(member, $0, seen, isByValue) }),
          found.name == member.name || work.old.member(member.name) == nil
        else { continue }
        work.hoist(member.name, from: host.name)
        work.rename(member.name, found.name)
        whole.remark("'\(found.name)' comes out of '\(host.name)'")
      }
    }
    for host in work.new.members {
      let inside = newShape(host)
      guard inside.kind == .record else { continue }
      for member in inside.members {
        let known = work.old.member(host.name).map(oldShape)
        guard known == nil || known?.kind == .record, known?.member(member.name) == nil else {
          continue
        }
        let seen = work.seen.changing(new: { $0.member(host.name) })
        guard let found = work.removed.first(where: { isMoved($0, member, seen, isByValue) }),
          found.name == member.name || work.old.member(member.name) == nil
        else { continue }
        work.rename(found.name, member.name)
        work.plunge(member.name, into: host.name)
        whole.remark("'\(found.name)' goes into '\(host.name)'")
      }
    }
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
  private mutating func findCopies() {
    let news = work.seen.compactMap(\.new)
    for member in work.added {
      let values = news.map { $0.member(member.name) }
      guard values.contains(where: { $0?.isDistinctive ?? false }) else { continue }
      let original = work.new.members.first { other in
        guard work.old.member(other.name) != nil,
          work.new.document.signature(of: other.schema)
            == work.new.document.signature(of: member.schema)
        else { return false }
        return zip(news, values).allSatisfy { whole, value in
          switch (whole.member(other.name), value) {
          case (nil, nil): true
          case (let one?, let two?): one.isSame(as: two, .model)
          default: false
          }
        }
      }
      guard let original else { continue }
      whole.remark("'\(member.name)' equals '\(original.name)' in the samples")
      work.copy(original.name, member.name)
    }
  }

  // MARK: Members that are left

  /// The addition or the removal of a member, with a default if it must be there.
  private mutating func leftOver(
    _ word: String, _ member: SchemaShape.Member, of object: SchemaShape
  ) -> [JSONTree] {
    let (name, isAdded) = (member.name, word == "add")
    let shape = object.document.shape(member.schema)
    func operation(_ value: JSONTree?) -> [JSONTree] {
      [LensTrees.operation(word, ("name", .string(name)), ("default", value))]
    }
    // A member that must be there, at least as null.
    if member.isRequired, shape.isNullable, !leavesOutNull(object) { return operation(.null) }
    if let value = shape.standard { return operation(value) }
    guard member.isRequired, !shape.isNullable else { return operation(nil) }
    if isAdded, let found = byPresence(member) { return found }
    let values = work.seen.compactMap { (isAdded ? $0.new : $0.old)?.member(name) }
    // What one sample has that lost it says nothing of others, and an empty container nothing wrong.
    let empty: JSONTree? = shape.kind == .list ? .list([]) : shape.kind == .map ? .members([]) : nil
    let value =
      isAdded || values.count > 1
      ? standardValue(values, name) ?? (isAdded ? nil : empty) : empty
    return value.map { operation($0) }
      ?? whole.question(
        "what is '\(name)' where it is missing?",
        Self.neutral(shape, values).map { operation($0) })
  }

  /// Whether an envelope leaves out members that are null.
  private func leavesOutNull(_ object: SchemaShape) -> Bool {
    [.codable, .plist].contains(object.document.envelope)
  }

  /// The value for a member that is missing, as most samples have it; nil if they do not tell.
  private mutating func standardValue(_ values: [SyntheticValue], _ name: String) -> JSONTree? {
    let values = values.filter { !$0.isNothing }
    guard let common = [LensWitness].commonest(values), common.mayBeStandard else { return nil }
    let tree = common.lensTree
    let count = values.count { $0.lensTree == tree }
    guard count > 1 || values.count == 1 else { return nil }
    whole.remark(
      "'\(name)' is \(tree.summary) in \(count) of \(Counted.text(values.count, "sample"))")
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
  private mutating func byPresence(_ member: SchemaShape.Member) -> [JSONTree]? {
    guard newShape(member).kind == .boolean else { return nil }
    let news = work.seen.compactMap(\.new)
    for other in work.new.members where !other.isRequired && work.old.member(other.name) != nil {
      let shown = news.compactMap { whole -> (isThere: Bool, flag: Bool)? in
        guard case .boolean(let flag)? = whole.member(member.name) else { return nil }
        return (!(whole.member(other.name)?.isNothing ?? true), flag)
      }
      guard Set(shown.map(\.isThere)).count == 2, let first = shown.first,
        shown.allSatisfy({ ($0.flag == $0.isThere) == (first.flag == first.isThere) })
      else { continue }
      whole.remark("'\(member.name)' tells in the samples whether '\(other.name)' is there")
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

  private mutating func presence(of member: SchemaShape.Member) -> [JSONTree] {
    guard let before = work.old.member(member.name), before.schema != .boolean(true),
      !work.copied.contains(member.name)
    else { return [] }
    let (old, new) = (oldShape(before), newShape(member))
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
    if old.isNullable, !new.isNullable, !leavesOutNull(work.new) {
      return nullable("absent")
    }
    if new.isNullable, !old.isNullable, !before.isRequired, member.isRequired,
      !leavesOutNull(work.old)
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
    return whole.question(
      "what is '\(name)' where it is missing or null?",
      Self.neutral(shape, values).map { operation($0) })
  }
}
