// Kinds of value as `type` and `x-plist-type`.

import PropertyLists
import Schemas

extension SchemaCopying {
  /// What says that a value is of some kinds, or of a few more where no keyword tells them apart.
  ///
  /// Several where kinds that `x-plist-type` tells apart stand beside others, of which it allows none.
  static func typed(
    _ kinds: ValueKinds
  ) -> [(kinds: ValueKinds, members: [(String, JSONTree)])] {
    if kinds.isEmpty { return [] }
    if kinds == .all { return [(kinds, [])] }
    var names: [JSONTree] = []
    var plain: ValueKinds = []
    for (name, group) in types where !kinds.isDisjoint(with: group) {
      // An integer is a number as well.
      if name == "integer", names.contains(.string("number")) { continue }
      guard kinds.isSuperset(of: group) || exactTypes(kinds.intersection(group)) == nil else {
        continue
      }
      plain.formUnion(group.intersection(kinds))
      names.append(.string(name))
    }
    var result: [(kinds: ValueKinds, members: [(String, JSONTree)])] = []
    if !names.isEmpty {
      result.append((plain, [("type", names.count == 1 ? names[0] : .list(names))]))
    }
    let rest = kinds.subtracting(plain)
    for (name, group) in types where name != "number" && !rest.isDisjoint(with: group) {
      // A whole real is told with the fractions, if there are any.
      let part = rest.intersection(group)
        .subtracting(rest.contains(.fraction) ? .wholeReal : [])
      guard let exact = exactTypes(part) else { continue }
      result.append((part, [("type", .string(name)), ("x-plist-type", exact)]))
    }
    if rest.contains(.fraction) {
      result.append(
        (
          rest.intersection(.real),
          [("type", .string("number")), ("x-plist-type", .string("real"))]
        ))
    }
    return result
  }

  private static let types: [(String, ValueKinds)] = [
    ("null", .null), ("boolean", .boolean), ("number", .number), ("integer", .integer),
    ("string", .string), ("array", .array), ("object", .object),
  ]

  private static let exact: [(String, ValueKinds)] = [
    ("integer", .storedInteger), ("real", .real), ("string", .text), ("date", .date),
    ("data", .data),
    ("uid", .uid),
  ]

  /// The exact types that allow some kinds and no others; nil if there are none.
  private static func exactTypes(_ kinds: ValueKinds) -> JSONTree? {
    var names: [JSONTree] = []
    var rest = kinds
    for (name, group) in exact where !kinds.isDisjoint(with: group) {
      names.append(.string(name))
      rest.subtract(group)
    }
    guard rest.isEmpty, !names.isEmpty else { return nil }
    return names.count == 1 ? names[0] : .list(names)
  }
}
