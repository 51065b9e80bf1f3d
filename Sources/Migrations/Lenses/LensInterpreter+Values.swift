// The operations on values: lists with one element, conversions, and the equality of values.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists

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
        note: back.map { given.note(comingBackAs: $0) }, storage: target.heldStorage(in: graph))
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
      CodableForms.spelling(of: node, in: graph) != nil, let parts = value.parts(in: graph),
      let number = FrameworkType.decimal.value(of: parts)
    else { return false }
    return FrameworkType.decimal.value(of: form)?.isSame(as: number) == true
  }
}

extension SyntheticValue {
  /// What would come back instead, for a message: the scalar, or the members that differ.
  fileprivate func note(comingBackAs back: SyntheticValue) -> String {
    guard case .members(let members) = self, case .members(let others) = back else {
      return "\(display) comes back as \(back.display)"
    }
    let names = members.filter { member in
      !others.contains { $0.name == member.name && $0.value.isSame(as: member.value) }
    }.map(\.name)
    return "\(names.joined(separator: ", ")) would not come back"
  }
}
