// The operations on the members of objects.

import ArchiveBasics
import ArchiveGraph
import KeyedArchives

extension LensInterpreter {
  mutating func rename(
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
  mutating func add(
    _ name: String, _ standard: LensValue?, _ value: LensValue
  ) throws(ArchiveError) {
    let members = try members(value)
    try requireAbsent(name, in: members, value)
    var added = standard
    if let kept = keptValue() { added = kept.kind == .absent ? nil : LensValue(kept: kept) }
    if let added { value.content = .members(members + [LensValue.Member(name, added)]) }
  }

  /// Removes a member; it is lost unless the inverse would add the same value.
  ///
  /// - Parameter inverse: the value that the inverse adds; nil if it adds none.
  mutating func remove(
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
  mutating func hoist(
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
  mutating func plunge(
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

// MARK: - Operations that change the shape of a value

extension LensInterpreter {
  /// Performs an operation that changes the shape of a value, resolved for the direction.
  mutating func applyShape(
    _ kind: LensOperation.Kind, _ value: LensValue
  ) throws(ArchiveError) {
    switch kind {
    case .default(let name, let standard):
      direction == .forward
        ? try fill(name, LensValue(json: standard), value)
        : try unfill(name, LensValue(json: standard), value)
    case .nullable(let name, let becomesAbsent):
      becomesAbsent ? try removeNull(name, value) : try addNull(name, value)
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

  private mutating func copy(
    _ source: String, _ destination: String, _ value: LensValue
  ) throws(ArchiveError) {
    let members = try members(value)
    try requireAbsent(destination, in: members, value)
    var copy = members[source].map { LensValue(form: settled($0.form)) }
    if let kept = keptValue() { copy = kept.kind == .absent ? nil : LensValue(kept: kept) ?? copy }
    if let copy { value.content = .members(members + [LensValue.Member(destination, copy)]) }
  }

  // MARK: Objects of one member

  /// Wraps a value in an object as its only member.
  private mutating func nest(
    _ name: String?, _ member: String, _ value: LensValue
  ) throws(ArchiveError) {
    guard let subject = try subject(name, value) else { return }
    let kept = keptValue()
    if subject.isNull(in: graph) {
      if let kept, kept.kind == .value, let original = kept.value {
        subject.content = LensValue(form: original).content
      }
      return
    }
    var others: [LensValue.Member] = []
    if let kept, kept.kind == .others, let form = kept.value {
      others = (LensValue(form: form).open(in: graph) ?? []).filter { !$0.isCalled(member) }
    }
    subject.nest(in: member, with: others)
  }

  /// Replaces an object with one of its members; the others are lost.
  private mutating func pluck(
    _ name: String?, _ member: String, _ value: LensValue
  ) throws(ArchiveError) {
    guard let target = try target(name, value) else { return }
    var members = try members(target, at: name, wanted: "an object")
    guard let position = members.index(member) else {
      throw problem("finds no '\(member)' in the object", target, member: name)
    }
    let plucked = members.remove(at: position).value
    if plucked.isNull(in: graph) {
      // The inverse leaves null unchanged.
      lose(.value, name, value: target.form)
    } else if !members.isEmpty {
      lose(.others, name, value: LensValue(.members(members)).form)
    }
    target.become(plucked)
  }

  // MARK: Conditions

  private mutating func when(
    _ before: LensCondition, _ after: LensCondition, _ lens: Lens, _ value: LensValue
  ) throws(ArchiveError) {
    let operation = current
    let holds = holds(before, try members(value))
    if holds { try apply(lens, value) }
    current = operation
    if isOneWay { return }
    guard self.holds(after, try members(value)) == holds else {
      throw problem(
        holds
          ? "makes an object that does not satisfy '\(after.title)', so migrating back would skip it"
          : "skips an object that satisfies '\(after.title)', so migrating back would change it",
        value)
    }
  }

  private mutating func holds(_ condition: LensCondition, _ members: [LensValue.Member]) -> Bool {
    let member = members[condition.member]
    switch condition.test {
    case .equals(let tree): return member.map { areSame($0, LensValue(json: tree)) } ?? false
    case .isPresent(let flag): return (member.map { !$0.isNull(in: graph) } ?? false) == flag
    }
  }
}

// MARK: - The operation on archives in data values, and in strings that encode them

extension LensInterpreter {
  /// Migrates the archive in a data value from one version of its family to another.
  mutating func migrateArchive(
    _ name: String?, _ step: ArchiveStep, _ value: LensValue
  ) throws(ArchiveError) {
    guard let target = try target(name, value), !restore(target) else { return }
    let (bytes, isText): ([UInt8], Bool)
    switch target.scalar(in: graph) {
    case .data(let data)?: (bytes, isText) = (data, false)
    case .string(let text)?: (bytes, isText) = (Array(text.utf8), true)
    default:
      throw problem(
        "needs data with an archive, found \(target.kind(in: graph))", target, member: name)
    }
    func form(_ bytes: [UInt8]) -> SyntheticValue {
      isText ? .string(String(decoding: bytes, as: UTF8.self)) : .data(bytes)
    }
    guard let archives else {
      throw problem("enters an archive, which is not opened here", target, member: name)
    }
    do throws(ArchiveError) {
      if isGoingBack {
        if let source = archives.source(location, of: bytes) {
          target.content = .scalar(form(source))
        } else {
          target.content = .scalar(form(try archives.migrateBack(bytes, step, isText: isText)))
        }
        return
      }
      let outcome = try archives.migrated(bytes, step, isText: isText)
      archives.warnings += outcome.warnings.map { located($0, name) }
      if let loss = outcome.loss {
        lose(
          .value, name, value: target.form, became: form(outcome.bytes), note: loss.text,
          storage: target.heldStorage(in: graph), archiveLoss: loss)
        archives.remember(location, outcome.bytes, from: bytes)
      }
      target.content = .scalar(form(outcome.bytes))
    } catch {
      throw located(error, name)
    }
  }

  /// An error of the archive in a member, with its path in the model.
  private func located(_ error: ArchiveError, _ name: String?) -> ArchiveError {
    let path = (name.map { self.path.appending(.key($0)) } ?? self.path)
      .appending(.content("archive")).appending(error.path ?? GraphPath())
    return ArchiveError(
      error.code, error.message, path: path, file: error.file, about: error.subject)
  }
}

// MARK: - The operations on values: lists with one element, conversions, and the equality of values

extension LensInterpreter {
  /// Wraps a member, or the value itself, in a list.
  mutating func wrap(_ name: String?, _ value: LensValue) throws(ArchiveError) {
    guard let name else {
      return value.wrap(with: otherElements(keptValue()))
    }
    var members = try members(value)
    let position = members.index(name)
    let kept = keptValue()
    if let position, !members[position].value.isNull(in: graph) {
      return members[position].value.wrap(with: otherElements(kept))
    }
    if kept?.kind == .absent { return }
    var list = LensValue(.list(otherElements(kept)))
    if position != nil {
      // The inverse makes an empty list absent; a list of null was kept whole.
      if let kept, kept.kind == .value, let whole = kept.value {
        list = LensValue(form: whole)
      } else {
        lose(.absent, name, value: .null)
      }
    }
    members.removeAll { $0.isCalled(name) }
    members.insert(LensValue.Member(name, list), at: position ?? members.count)
    value.content = .members(members)
  }

  /// The elements after the first that were kept for a list.
  private func otherElements(_ kept: LostValue?) -> [LensValue] {
    guard let kept, kept.kind == .rest, let form = kept.value else { return [] }
    return LensValue(form: form).openList(in: graph) ?? []
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
    let kept = keptValue()
    guard let list = try target(name, value) else { return lose(.absent, name) }
    if let first = try first(of: list, name) {
      list.become(first)
    } else if kept?.kind == .absent, isNull(kept?.value) {
      list.content = .scalar(.null)
    } else {
      var members = try members(value)
      if let position = members.index(name) { members.remove(at: position) }
      value.content = .members(members)
    }
  }

  /// The first element of a list; the others are lost; nil if the list is empty.
  private mutating func first(
    of list: LensValue, _ name: String?
  ) throws(ArchiveError) -> LensValue? {
    let items = try items(list, at: name)
    if name != nil, let first = items.first, first.isNull(in: graph) {
      // The inverse would wrap null in an empty list.
      lose(.value, name, value: list.form)
    } else if items.count > 1 {
      lose(.rest, name, value: .list(items.dropFirst().map(\.form)))
    }
    return items.first
  }

  /// Converts a member, or the value itself.
  mutating func convert(
    _ name: String?, _ conversion: ScalarConversion, _ value: LensValue
  ) throws(ArchiveError) {
    guard let target = try subject(name, value), !restore(target, by: conversion),
      !target.isNull(in: graph)
    else { return }
    let hasParts = conversion.convertsParts(direction)
    let given = hasParts ? target.parts(in: graph) : target.scalar(in: graph)
    guard let given else {
      let wanted = hasParts ? "a value of a few parts" : "a scalar"
      throw problem("needs \(wanted), found \(target.kind(in: graph))", target, member: name)
    }
    guard let result = conversion.convert(given, direction),
      let form = conversion.form(of: result, direction, in: envelopes.target)
    else {
      throw problem(
        "cannot convert \(given.display): \(conversion.wanting(direction))", target, member: name,
        about: conversion.converts(typeOf: given, direction) ? .refusedContent : nil)
    }
    // The inverse leaves null unchanged.
    let isNull = result.isSameScalar(as: .null)
    let back = isNull ? nil : conversion.convert(result, direction.reversed)
    let restoration = conversion.restoration(
      of: given, by: back, direction, in: envelopes.source)
    if restoration != .all {
      lose(
        restoration == .meaning ? .notation : .value, name, value: target.form, became: form,
        note: back.map { given.note(restoredAs: $0) }, storage: target.heldStorage(in: graph))
    }
    // A new value is no container that was changed: the writer may make an object of it.
    let isScalar = form.isSameScalar(as: form)
    target.replace(with: LensValue(isScalar ? .scalar(form) : .node(graph.add(form, near: root))))
  }

  /// Restores the kept value if the converted value is unchanged, including one that became null.
  ///
  /// - Parameter conversion: what made the converted value; nil for an archive.
  /// - Returns: whether a value was restored.
  mutating func restore(_ target: LensValue, by conversion: ScalarConversion? = nil) -> Bool {
    guard let kept = keptValue(), let original = kept.value,
      let became = kept.became.flatMap({ LensValue(form: $0).parts(in: graph) }),
      let found = target.parts(in: graph),
      conversion?.isResult(found, became, direction.reversed)
        ?? became.isSameScalar(as: found, .model)
    else { return false }
    target.replace(with: LensValue(form: original))
    target.storage = kept.storage ?? target.storage
    return true
  }

  // MARK: Equality

  /// How deep values are compared.
  private static let comparisonDepthLimit = 200

  /// Whether two values are equal: numbers by value; a boolean is not a number.
  ///
  /// Values that are too deep or too large to compare count as different, so that they are not lost silently.
  mutating func areSame(_ value: LensValue, _ other: LensValue, depth: Int = 0) -> Bool {
    if case .node(let one) = value.content, case .node(let two) = other.content, one == two {
      return true
    }
    comparedCount = depth == 0 ? 1 : comparedCount + 1
    guard depth < Self.comparisonDepthLimit, comparedCount < graph.expansionLimit else {
      return false
    }
    if let scalar = value.scalar(in: graph) {
      guard let form = other.scalar(in: graph) else {
        // A URL or a decimal number in Codable's form.
        return other.parts(in: graph).flatMap { value.parts(in: graph)?.isSame(as: $0) } ?? false
      }
      return scalar.isSameScalar(as: form) || isDecimal(value, as: form)
    }
    if let (items, isOrdered) = value.elements(in: graph) {
      guard var others = other.elements(in: graph)?.items, items.count == others.count else {
        return false
      }
      return items.allSatisfy { item in
        let match = others.prefix(isOrdered ? 1 : others.count).firstIndex {
          areSame(item, $0, depth: depth + 1)
        }
        return match.map { others.remove(at: $0) } != nil
      }
    }
    guard let members = value.open(in: graph), let others = other.open(in: graph),
      members.count == others.count
    else { return false }
    let found = Dictionary(others.map { (CodePointString($0.name), $0.value) }) { $1 }
    return members.allSatisfy { member in
      found[CodePointString(member.name)].map { areSame(member.value, $0, depth: depth + 1) }
        ?? false
    }
  }

  /// Whether a value is the object of a decimal number that a form is the number of.
  private func isDecimal(_ value: LensValue, as form: SyntheticValue) -> Bool {
    guard case .node(let node) = value.content,
      CodableForms.form(of: node, in: graph) != nil, let parts = value.parts(in: graph),
      let number = FrameworkType.decimal.value(of: parts)
    else { return false }
    return FrameworkType.decimal.value(of: form)?.isSame(as: number) == true
  }
}

extension SyntheticValue {
  /// What would come back instead, for a message: the scalar, or the members that differ.
  fileprivate func note(restoredAs back: SyntheticValue) -> String {
    guard case .members(let members) = self, case .members(let others) = back else {
      return "\(display) comes back as \(back.display)"
    }
    let names = members.filter { member in
      !others.contains { $0.name == member.name && $0.value.isSame(as: member.value) }
    }.map(\.name)
    return "\(names.joined(separator: ", ")) would not come back"
  }
}
