// The members of the operations that change the shape of a value.

import Basics
import PropertyLists

extension LensArguments {
  /// What `default` gives.
  func givenValue() throws(ArchiveError) -> JSONTree {
    guard let value = tree["value"], value != .null else {
      throw LensReader.fault("'value' is missing, or null", pointer)
    }
    try Self.checkTags(value, pointer + "/value")
    return value
  }

  /// Whether null becomes absent, rather than absent null.
  func becomesAbsent() throws(ArchiveError) -> Bool {
    switch tree["null"] {
    case .string("absent"): return true
    case .string("present"): return false
    default:
      throw LensReader.fault(
        "'null' is absent (null becomes absent) or present (absent becomes null)", pointer)
    }
  }

  /// What stands between the parts of a text.
  func separator() throws(ArchiveError) -> String {
    guard let text = tree["separator"]?.string, !text.isEmpty else {
      throw LensReader.fault("'separator' is a text that is not empty", pointer)
    }
    return text
  }

  /// Which list and dictionary `group` and `ungroup` are about.
  func grouping() throws(ArchiveError) -> LensGrouping {
    if tree["by"] != nil {
      for name in ["keys", "values", "into"] where tree[name] != nil {
        throw LensReader.fault("'by' and '\(name)' do not go together", pointer + "/" + name)
      }
      return .elements(name: try optionalName("name"), by: try name("by"))
    }
    guard tree["name"] == nil else { throw LensReader.fault("'by' is missing", pointer) }
    let (keys, values, into) = (try name("keys"), try name("values"), try name("into"))
    guard Set([keys, values, into].map { Array($0.utf8) }).count == 3 else {
      throw LensReader.fault("'keys', 'values' and 'into' are three members", pointer)
    }
    return .lists(keys: keys, values: values, into: into)
  }

  // MARK: Conditions

  /// The condition of `when`, and the one that holds afterwards: the same, if nothing else is given.
  func conditions() throws(ArchiveError) -> (LensCondition, after: LensCondition) {
    let condition = try condition()
    guard let after = tree["after"] else { return (condition, condition) }
    let inside = LensArguments(tree: after, pointer: pointer + "/after")
    guard case .members = after else {
      throw LensReader.fault("'after' is an object", inside.pointer)
    }
    try inside.check(allowed: ["member", "equals", "present"])
    return (condition, try inside.condition())
  }

  private func condition() throws(ArchiveError) -> LensCondition {
    let member = try name("member")
    switch (tree["equals"], tree["present"]) {
    case (let value?, nil):
      guard Self.isScalar(value), value != .null else {
        throw LensReader.fault("'equals' is a scalar, and not null", pointer + "/equals")
      }
      try Self.checkTags(value, pointer + "/equals")
      return LensCondition(member: member, .equals(value))
    case (nil, _?): return LensCondition(member: member, .isPresent(try flag("present")))
    default: throw LensReader.fault("'when' takes 'equals' or 'present'", pointer)
    }
  }
}
