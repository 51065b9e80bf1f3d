// The operations on what an archive keeps beside values: the classes of objects, the storage of fields.

import Basics
import KeyedArchives
import ObjectGraph

extension LensRun {
  /// Gives an object another class; values that have no classes stay as they are.
  mutating func setClass(
    _ name: String?, _ source: String, _ destination: String, _ value: LensValue
  ) throws(ArchiveError) {
    var target = value
    if let name {
      guard let member = try members(value).first(where: { $0.isCalled(name) }),
        !member.value.isNull(in: graph)
      else { return }
      target = member.value
    }
    guard let found = target.className(in: graph) else { return }
    let display = ClassName(stored: found).display
    guard found.isSpelt(source) || display.isSpelt(source) else {
      throw problem("finds the class \(display)", target, member: name)
    }
    guard target.open(in: graph) != nil else {
      throw problem(
        "needs an object with fields, found \(target.kind(in: graph))", target, member: name)
    }
    target.newClass = destination
  }

  /// Has a member stored in its object, or as an object of its own.
  mutating func store(
    _ name: String, _ storage: FieldStorage, _ value: LensValue
  ) throws(ArchiveError) {
    guard let member = try members(value).first(where: { $0.isCalled(name) }) else { return }
    guard !member.value.isNull(in: graph) else { return }
    guard member.value.className(in: graph) == nil,
      let scalar = member.value.scalar(in: graph)
    else {
      throw problem(
        "needs a number, found \(member.value.kind(in: graph))", member.value, member: name)
    }
    switch scalar {
    case .integer, .unsigned, .real, .boolean, .data: member.value.storage = storage
    default:
      throw problem("needs a number, found \(scalar.kind)", member.value, member: name)
    }
  }
}
