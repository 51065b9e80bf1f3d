// The operations on values themselves: lists with one element, conversions, archives in data, classes and storage.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import KeyedArchives

extension LensInterpreter {
  /// Wraps a member, or the value itself, in a list.
  mutating func wrap(_ name: String?, _ value: LensValue) throws(ArchiveError) {
    guard let name else {
      return value.wrap(with: keptValue()?.value(of: .rest)?.openList(in: graph) ?? [])
    }
    var members = try members(value)
    let position = members.index(name)
    let kept = keptValue()
    let rest = kept?.value(of: .rest)?.openList(in: graph) ?? []
    if let position, !members[position].value.isNull(in: graph) {
      return members[position].value.wrap(with: rest)
    }
    if kept?.kind == .absent { return }
    var list = LensValue(.list(rest))
    if position != nil {
      // The inverse makes an empty list absent; a list of null was kept whole.
      if let whole = kept?.value(of: .value) {
        list = whole
      } else {
        lose(.absent, name, value: .null)
      }
    }
    members.removeAll { $0.isCalled(name) }
    members.insert(LensValue.Member(name, list), at: position ?? members.count)
    value.content = .members(members)
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

  /// Converts a value.
  mutating func convert(
    _ target: LensValue, _ conversion: ScalarConversion
  ) throws(ArchiveError) {
    if restore(target, by: conversion) || target.isNull(in: graph) { return }
    let direction = position.direction
    let hasParts = conversion.convertsParts(direction)
    let given = hasParts ? target.parts(in: graph) : target.scalar(in: graph)
    guard let given else {
      throw problem(wanting: hasParts ? "a value of a few parts" : "a scalar", target)
    }
    guard let result = conversion.convert(given, direction),
      let form = conversion.form(of: result, direction, in: envelopes.target)
    else {
      throw problem(
        "cannot convert \(given.display): \(conversion.wanting(direction))", target,
        about: conversion.converts(typeOf: given, direction) ? .refusedContent : nil)
    }
    // The inverse leaves null unchanged.
    let isNull = result.isSameScalar(as: .null)
    let back = isNull ? nil : conversion.convert(result, direction.reversed)
    let restoration = conversion.restoration(
      of: given, by: back, direction, in: envelopes.source)
    if restoration != .all {
      lose(
        restoration == .meaning ? .notation : .value, value: target.form, became: form,
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
  private mutating func restore(_ target: LensValue, by conversion: ScalarConversion? = nil) -> Bool
  {
    guard let kept = keptValue(), let original = kept.value,
      let became = kept.became.flatMap({ LensValue(form: $0).parts(in: graph) }),
      let found = target.parts(in: graph),
      conversion?.isResult(found, became, position.direction.reversed)
        ?? became.isSameScalar(as: found, .model)
    else { return false }
    target.replace(with: LensValue(form: original))
    target.storage = kept.storage ?? target.storage
    return true
  }

  // MARK: Archives in data values, and in strings that encode them

  /// Migrates the archive in a data value from one version of its family to another.
  mutating func migrateArchive(
    _ target: LensValue, _ step: ArchiveStep
  ) throws(ArchiveError) {
    if restore(target) { return }
    let (bytes, isText): ([UInt8], Bool)
    switch target.scalar(in: graph) {
    case .data(let data)?: (bytes, isText) = (data, false)
    case .string(let text)?: (bytes, isText) = (Array(text.utf8), true)
    default: throw problem(wanting: "data with an archive", target)
    }
    func form(_ bytes: [UInt8]) -> SyntheticValue {
      isText ? .string(String(decoding: bytes, as: UTF8.self)) : .data(bytes)
    }
    guard let archives else {
      throw problem("enters an archive, which is not opened here", target)
    }
    do throws(ArchiveError) {
      if isGoingBack {
        if let source = archives.source(position.location, of: bytes) {
          target.content = .scalar(form(source))
        } else {
          target.content = .scalar(form(try archives.migrateBack(bytes, step, isText: isText)))
        }
        return
      }
      let outcome = try archives.migrated(bytes, step, isText: isText)
      archives.warnings += outcome.warnings.map(located)
      if let loss = outcome.loss {
        lose(
          .value, value: target.form, became: form(outcome.bytes), note: loss.text,
          storage: target.heldStorage(in: graph), archiveLoss: loss)
        archives.remember(position.location, outcome.bytes, from: bytes)
      }
      target.content = .scalar(form(outcome.bytes))
    } catch {
      throw located(error)
    }
  }

  /// An error of an archive, with its path in the model.
  private func located(_ error: ArchiveError) -> ArchiveError {
    let path = position.path.appending(.content("archive"))
    return error.moved(to: path.appending(error.path ?? GraphPath()))
  }

  // MARK: Classes and storage

  /// Changes the class of an object; values without classes are unchanged.
  mutating func setClass(
    _ target: LensValue, _ source: String, _ destination: String
  ) throws(ArchiveError) {
    guard let found = target.className(in: graph) else { return }
    let display = ClassName(stored: found).display
    guard found.hasSameScalars(as: source) || display.hasSameScalars(as: source) else {
      throw problem("finds the class \(display)", target)
    }
    guard target.open(in: graph) != nil else {
      throw problem(wanting: "an object with fields", target)
    }
    target.newClass = destination
  }

  /// Changes the storage of a member: directly in its object, or as a separate object.
  mutating func store(_ target: LensValue, _ storage: FieldStorage) throws(ArchiveError) {
    let scalar = target.className(in: graph) == nil ? target.scalar(in: graph) : nil
    switch scalar {
    case .integer, .unsigned, .real, .boolean, .data: break
    default:
      let found = scalar?.kind ?? target.kind(in: graph)
      throw problem("needs a number, found \(found)", target)
    }
    if let kept = keptValue(), kept.kind == .storage, let held = kept.storage {
      target.storage = held
      return
    }
    // The inverse gives it the other storage, in every envelope that has both.
    if target.heldStorage(in: graph) == storage {
      lose(
        .storage, note: "stored \(storage.rawValue), it comes back \(storage.other.rawValue)",
        storage: storage)
    }
    target.storage = storage
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
