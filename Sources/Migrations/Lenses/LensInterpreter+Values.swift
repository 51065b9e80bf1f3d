// The operations on values: lists with one element, conversions, and the equality of values.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists

extension LensInterpreter {
  /// Wraps a member, or the value itself, in a list.
  mutating func wrap(_ name: String?, _ value: LensValue) throws(ArchiveError) {
    guard let name else {
      return value.wrap(with: rest(of: keptValue()))
    }
    var members = try members(value)
    let position = members.firstIndex { $0.isCalled(name) }
    let kept = keptValue()
    guard let position, !members[position].value.isNull(in: graph) else {
      if kept?.kind == .absent { return }
      var list = LensValue(.list(rest(of: kept)))
      if position != nil {
        // The inverse makes an empty list absent; a list of null was kept whole.
        if let whole = kept?.kind == .value ? kept?.value : nil {
          list = LensValue(form: whole)
        } else {
          lose(.absent, name, value: .null)
        }
      }
      members.removeAll { $0.isCalled(name) }
      members.insert(
        LensValue.Member(name: name, key: nil, value: list), at: position ?? members.count)
      value.content = .members(members)
      return
    }
    members[position].value.wrap(with: rest(of: kept))
  }

  private func rest(of kept: LostValue?) -> [LensValue] {
    guard let kept, kept.kind == .rest, let form = kept.value,
      let items = LensValue(form: form).openList(in: graph)
    else { return [] }
    return items
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
    var members = try members(value)
    let position = members.firstIndex { $0.isCalled(name) }
    guard let position, !members[position].value.isNull(in: graph) else {
      lose(.absent, name)
      return
    }
    let list = members[position].value
    if let first = try first(of: list, name) {
      list.become(first)
    } else if kept?.kind == .absent, isNull(kept?.value) {
      list.content = .scalar(.null)
    } else {
      members.remove(at: position)
      value.content = .members(members)
    }
  }

  /// The first element of a list; the others are lost; nil if the list is empty.
  private mutating func first(
    of list: LensValue, _ name: String?
  ) throws(ArchiveError) -> LensValue? {
    let found = list.kind(in: graph)
    guard let items = list.openList(in: graph) else {
      throw problem("needs a list, found \(found)", list, member: name)
    }
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
    guard let target = try subject(name, value), !bringBack(target, by: conversion),
      !target.isNull(in: graph)
    else { return }
    let takesParts = conversion.takesParts(direction)
    let given = takesParts ? target.parts(in: graph) : target.scalar(in: graph)
    guard let given else {
      let wanted = takesParts ? "a value of a few parts" : "a scalar"
      throw problem("needs \(wanted), found \(target.kind(in: graph))", target, member: name)
    }
    guard let result = conversion.convert(given, direction),
      let form = conversion.form(of: result, direction, in: envelopes.target)
    else {
      throw problem(
        "cannot convert \(given.display): \(conversion.wanting(direction))", target, member: name,
        about: conversion.takesType(of: given, direction) ? .refusedContent : nil)
    }
    // The inverse leaves null unchanged.
    let isNull = result.isSameScalar(as: .null)
    let back = isNull ? nil : conversion.convert(result, direction.reversed)
    let restoration = conversion.restoration(
      of: given, by: back, direction, in: envelopes.source)
    if restoration != .all {
      lose(
        restoration == .meaning ? .spelling : .value, name, value: target.form, became: form,
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
  mutating func bringBack(_ target: LensValue, by conversion: ScalarConversion? = nil) -> Bool {
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

  /// Whether a value equals a form.
  func isSame(
    _ value: LensValue, as form: SyntheticValue, _ rule: ScalarEquality = .exact
  ) -> Bool {
    switch form {
    case .list(let items):
      if let elements = value.setElements(in: graph) { return areSame(elements, as: items) }
      guard let found = value.orderedElements(in: graph) ?? value.openList(in: graph),
        found.count == items.count
      else { return false }
      return zip(found, items).allSatisfy { isSame($0, as: $1, rule) }
    case .members(let members):
      // A URL or a decimal number in Codable's form.
      if value.scalar(in: graph) != nil {
        return value.parts(in: graph)?.isSame(as: form, rule) == true
      }
      guard let found = value.open(in: graph), found.count == members.count else { return false }
      return members.allSatisfy { member in
        found.contains { $0.isCalled(member.name) && isSame($0.value, as: member.value, rule) }
      }
    default:
      if value.scalar(in: graph)?.isSameScalar(as: form) == true { return true }
      return isDecimal(value, as: form)
    }
  }

  /// Whether a value is the object of a decimal number that a form is the number of.
  private func isDecimal(_ value: LensValue, as form: SyntheticValue) -> Bool {
    guard case .node(let node) = value.content, value.scalar(in: graph) != nil,
      CodableForms.form(of: node, in: graph) != nil, let parts = value.parts(in: graph),
      let number = FrameworkType.decimal.value(of: parts)
    else { return false }
    return FrameworkType.decimal.value(of: form)?.isSame(as: number) == true
  }

  /// Whether the elements of a set equal forms, in any order.
  private func areSame(_ elements: [LensValue], as forms: [SyntheticValue]) -> Bool {
    guard elements.count == forms.count else { return false }
    var others = forms
    for element in elements {
      guard let match = others.firstIndex(where: { isSame(element, as: $0) }) else { return false }
      others.remove(at: match)
    }
    return true
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
