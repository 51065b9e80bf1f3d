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
  /// The old object after the operations so far.
  private var old: SchemaShape
  private let new: SchemaShape
  /// The values of samples after the operations so far.
  private var seen: [LensWitness]
  private var operations: [JSONTree] = []
  /// The names of members about which a question is open.
  private var reserved: Set<String> = []
  /// The copies of other members, which are as these are.
  private var copied: Set<String> = []

  init(_ old: SchemaShape, _ new: SchemaShape, _ seen: [LensWitness], in whole: LensSearch) {
    self.whole = whole
    (self.old, self.new, self.seen) = (old, new, seen)
  }

  mutating func run() -> [JSONTree] {
    findLists()
    findMoves(byValue: false)
    findRenames()
    findMoves(byValue: true)
    for member in new.members {
      guard let before = old.member(member.name), before.schema != .boolean(true) else { continue }
      let pair = pair(before, member, seen.member(member.name))
      let step = GraphPath.Step.key(member.name)
      let found = whole.value(pair, at: step)
      operations +=
        found
        ?? whole.question(
          "no operation is known from \(pair.old.words) to \(pair.new.words)", [], at: step)
    }
    findCopies()
    for member in removed { operations += leftOver("remove", member, of: old) }
    for member in added { operations += leftOver("add", member, of: new) }
    for member in new.members { operations += presence(of: member) }
    return operations
  }

  private func oldShape(_ member: SchemaShape.Member) -> SchemaShape {
    old.document.shape(member.schema)
  }

  private func newShape(_ member: SchemaShape.Member) -> SchemaShape {
    new.document.shape(member.schema)
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
    if let found = lists(removed),
      let map = added.first(where: { newShape($0).kind == .map })
    {
      group("group", keys: found.keys, values: found.values, into: map.name)
    } else if let found = lists(added),
      let map = removed.first(where: { oldShape($0).kind == .map })
    {
      group("ungroup", keys: found.keys, values: found.values, into: map.name)
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
    var all = removed.flatMap { old in added.compactMap { match(old, $0) } }
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
          operations += answer
          for other in others { reserved.formUnion([other.old, other.new]) }
          all.removeAll { reserved.contains($0.old) || reserved.contains($0.new) }
        }
      }
      guard let chosen else { continue }
      whole.remark("'\(chosen.old)' is '\(chosen.new)' now, by \(chosen.reason)")
      rename(chosen.old, chosen.new)
      all.removeAll { $0.old == chosen.old || $0.new == chosen.new }
    }
  }

  /// What speaks for an old member and a new one being the same; nil if they cannot be.
  private func match(_ old: SchemaShape.Member, _ new: SchemaShape.Member) -> Match? {
    let seen = self.seen.members(old.name, new.name)
    guard let operations = hypothesis(old, new, seen) else { return nil }
    let both = seen.compactMap(\.both)
    let isSame =
      self.old.document.signature(of: old.schema) == self.new.document.signature(of: new.schema)
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
    let isOneSided = zip(self.seen, seen).contains { whole, part in
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
    for isInto in [false, true] {
      for host in (isInto ? new : old).members {
        let inside = isInto ? newShape(host) : oldShape(host)
        guard inside.kind == .record else { continue }
        for member in inside.members {
          let known =
            isInto
            ? old.member(host.name).map(oldShape) : new.member(host.name).map(newShape)
          guard known?.member(member.name) == nil, !isInto || known == nil || known?.kind == .record
          else { continue }
          move(member, of: host.name, isInto: isInto, isByValue)
        }
      }
    }
  }

  /// Moves a member into a host, or out of it, if it is found on the other side.
  private mutating func move(
    _ member: SchemaShape.Member, of host: String, isInto: Bool, _ isByValue: Bool
  ) {
    let seen =
      isInto ? self.seen.changing(new: { $0[host] }) : self.seen.changing(old: { $0[host] })
    let found = (isInto ? removed : added).first {
      isInto ? isMoved($0, member, seen, isByValue) : isMoved(member, $0, seen, isByValue)
    }
    guard let found, found.name == member.name || self.old.member(member.name) == nil else {
      return
    }
    if isInto {
      rename(found.name, member.name)
      plunge(member.name, into: host)
    } else {
      hoist(member.name, from: host)
      rename(member.name, found.name)
    }
    whole.remark("'\(found.name)' \(isInto ? "goes into" : "comes out of") '\(host)'")
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
    let news = seen.compactMap(\.new)
    for member in added {
      let values = news.map { $0[member.name] }
      guard values.contains(where: { $0?.isDistinctive ?? false }) else { continue }
      let original = new.members.first { other in
        guard old.member(other.name) != nil,
          new.document.signature(of: other.schema)
            == new.document.signature(of: member.schema)
        else { return false }
        return zip(news, values).allSatisfy { whole, value in
          switch (whole[other.name], value) {
          case (nil, nil): true
          case (let one?, let two?): one.isSame(as: two, .model)
          default: false
          }
        }
      }
      guard let original else { continue }
      whole.remark("'\(member.name)' equals '\(original.name)' in the samples")
      copy(original.name, member.name)
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
    let values = seen.compactMap { (isAdded ? $0.new : $0.old)?[name] }
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
    let news = seen.compactMap(\.new)
    for other in new.members where !other.isRequired && old.member(other.name) != nil {
      let shown = news.compactMap { whole -> (isThere: Bool, flag: Bool)? in
        guard case .boolean(let flag)? = whole[member.name] else { return nil }
        return (!(whole[other.name]?.isNothing ?? true), flag)
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
    guard let before = self.old.member(member.name), before.schema != .boolean(true),
      !copied.contains(member.name)
    else { return [] }
    let (old, new) = (oldShape(before), newShape(member))
    if member.isRequired, !new.isNullable {
      guard !before.isRequired || old.isNullable else { return [] }
      let values = self.seen.filter { $0.old?[member.name].map(\.isNothing) ?? true }
        .compactMap { $0.new?[member.name] }
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
    if old.isNullable, !new.isNullable, !leavesOutNull(self.new) {
      return nullable("absent")
    }
    if new.isNullable, !old.isNullable, !before.isRequired, member.isRequired,
      !leavesOutNull(self.old)
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

// MARK: - The object while operations are found that lead to the other

extension MemberSearch {
  /// The members that only the old object has.
  private var removed: [SchemaShape.Member] {
    old.members.filter { new.member($0.name) == nil && !reserved.contains($0.name) }
  }

  /// The members that only the new object has.
  private var added: [SchemaShape.Member] {
    new.members.filter { old.member($0.name) == nil && !reserved.contains($0.name) }
  }

  private mutating func rename(_ source: String, _ destination: String) {
    guard source != destination, let member = old.member(source) else { return }
    old.remove(source)
    old.set(destination, member.schema, isRequired: member.isRequired)
    seen = seen.changing { value in
      value.setting(source, nil).setting(destination, value[source])
    }
    operations.append(LensTrees.rename(source, destination))
  }

  /// Moves a member of a member out of it, and the host away with the last.
  private mutating func hoist(_ name: String, from host: String) {
    guard let holder = old.member(host) else { return }
    var inside = old.document.shape(holder.schema)
    guard let member = inside.member(name) else { return }
    inside.remove(name)
    let isEmpty = inside.members.isEmpty && new.member(host) == nil
    old.set(host, isEmpty ? nil : inside.tree, isRequired: !isEmpty && holder.isRequired)
    old.set(name, member.schema, isRequired: member.isRequired && holder.isRequired)
    seen = seen.changing { value in
      guard let held = value[host] else { return value }
      return value.setting(host, isEmpty ? nil : held.setting(name, nil))
        .setting(name, held[name])
    }
    operations.append(
      LensTrees.operation(
        "hoist", ("host", .string(host)), ("name", .string(name)),
        ("prune", isEmpty ? .boolean(true) : nil)))
  }

  /// Moves a member into a member, which is made with the first.
  private mutating func plunge(_ name: String, into host: String) {
    guard let member = old.member(name) else { return }
    let holder = old.member(host)
    var inside = holder.map { old.document.shape($0.schema) } ?? .empty(in: old.document)
    inside.set(name, member.schema, isRequired: member.isRequired)
    old.remove(name)
    old.set(host, inside.tree, isRequired: holder?.isRequired == true || member.isRequired)
    seen = seen.changing { value in
      guard let moved = value[name] else { return value }
      let held = value[host] ?? .members([])
      return value.setting(name, nil).setting(host, held.setting(name, moved))
    }
    operations.append(
      LensTrees.operation(
        "plunge", ("host", .string(host)), ("name", .string(name)),
        ("create", holder == nil ? .boolean(true) : nil)))
  }

  private mutating func copy(_ source: String, _ destination: String) {
    guard let member = old.member(source) else { return }
    old.set(destination, member.schema, isRequired: member.isRequired)
    copied.insert(destination)
    operations.append(
      LensTrees.operation("copy", on: nil, ["source": source, "destination": destination]))
  }

  /// Makes a dictionary of a list of keys and a list of values, or the reverse.
  private mutating func group(_ word: String, keys: String, values: String, into map: String) {
    let isGroup = word == "group"
    for name in isGroup ? [keys, values] : [map] { old.remove(name) }
    for name in isGroup ? [map] : [keys, values] {
      if let member = new.member(name) {
        old.set(name, .boolean(true), isRequired: member.isRequired)
      }
    }
    operations.append(
      LensTrees.operation(word, on: nil, ["keys": keys, "values": values, "into": map]))
  }
}
