// The operations on values: lists of one, and conversions.

import Basics
import ObjectGraph

extension LensRun {
  /// Makes a member, or the value itself, a list of it.
  mutating func wrap(_ name: String?, _ value: LensValue) throws(ArchiveError) {
    guard let name else {
      return value.wrap(with: rest(of: keptValue()))
    }
    var members = try members(value)
    let position = members.firstIndex { $0.isCalled(name) }
    let kept = keptValue()
    guard let position, !members[position].value.isNull(in: graph) else {
      if kept?.kind == .absent { return }
      let list = LensValue(.list(rest(of: kept)))
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

  /// Makes a list its first element.
  mutating func head(_ name: String?, _ value: LensValue) throws(ArchiveError) {
    guard let name else {
      guard let first = try first(of: value, nil) else {
        throw problem("finds an empty list, which has no first element", value)
      }
      value.become(first)
      return
    }
    var members = try members(value)
    let position = members.firstIndex { $0.isCalled(name) }
    guard let position, !members[position].value.isNull(in: graph) else {
      lose(.absent, name)
      return
    }
    let list = members[position].value
    if let first = try first(of: list, name) {
      list.become(first)
    } else {
      members.remove(at: position)
      value.content = .members(members)
    }
  }

  /// The first element of a list, the others being lost; nil if it is empty.
  private mutating func first(
    of list: LensValue, _ name: String?
  ) throws(ArchiveError) -> LensValue? {
    let found = list.kind(in: graph)
    guard let items = list.openList(in: graph) else {
      throw problem("needs a list, found \(found)", list, member: name)
    }
    if items.count > 1 { lose(.rest, name, value: .list(items.dropFirst().map(\.form))) }
    return items.first
  }

  /// Converts a member, or the value itself.
  mutating func convert(
    _ name: String?, _ conversion: ScalarConversion, _ value: LensValue
  ) throws(ArchiveError) {
    guard let target = try subject(name, value), !bringBack(target), !target.isNull(in: graph)
    else { return }
    guard let scalar = target.scalar(in: graph) else {
      throw problem("needs a scalar, found \(target.kind(in: graph))", target, member: name)
    }
    guard let result = conversion.convert(scalar, direction) else {
      throw problem(
        "has nothing for \(scalar.display): \(conversion.wanting(direction))", target, member: name)
    }
    // The way back leaves null as it is.
    let isNull = result.isSameScalar(as: .null)
    let back = isNull ? nil : conversion.convert(result, direction.reversed)
    if back?.isSameScalar(as: scalar) != true {
      let isSpelling = conversion.keepsMeaning(of: scalar, result, back)
      lose(
        isSpelling ? .spelling : .value, name, value: target.form, became: result,
        note: back.map { "\(scalar.display) comes back as \($0.display)" },
        storage: target.heldStorage(in: graph))
    }
    target.content = .scalar(result)
  }

  /// Gives back what was kept of a value that is still what it became; what became null as well.
  ///
  /// - Returns: whether something was.
  mutating func bringBack(_ target: LensValue) -> Bool {
    guard let kept = keptValue(), let original = kept.value, let became = kept.became,
      let scalar = target.scalar(in: graph), became.isSameNumber(as: scalar)
    else { return false }
    target.content = LensValue(form: original).content
    target.storage = kept.storage ?? target.storage
    return true
  }

  // MARK: Sameness

  /// Whether a value is what a form tells.
  func isSame(_ value: LensValue, as form: DerivedForm) -> Bool {
    switch form {
    case .list(let items):
      guard let found = value.openList(in: graph), found.count == items.count else { return false }
      return zip(found, items).allSatisfy { isSame($0, as: $1) }
    case .members(let members):
      guard let found = value.open(in: graph), found.count == members.count else { return false }
      return members.allSatisfy { member in
        found.contains { $0.isCalled(member.name) && isSame($0.value, as: member.value) }
      }
    default: return value.scalar(in: graph)?.isSameScalar(as: form) == true
    }
  }
}

extension DerivedForm {
  /// A scalar as messages show it.
  var display: String {
    switch self {
    case .string(let text): "\"\(text.prefix(60))\""
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .real(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    case .date(let seconds): Timestamp(secondsFromReference: seconds)?.text ?? "a date"
    default: kind
    }
  }
}
