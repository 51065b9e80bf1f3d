// The edits that make one typed JSON from another: the smallest values that differ.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists

/// Compares typed JSON before and after a user has edited it.
public enum TypedDifference {
  /// The edits that make the changes.
  ///
  /// - Parameters:
  ///   - old: the typed JSON of a value.
  ///   - new: the edited text.
  ///   - path: the path of the value.
  ///   - graph: the graph of the value.
  /// - Throws: `ArchiveError` if a text is not JSON, or the path has no target.
  public static func edits(
    from old: ByteStorage, to new: ByteStorage, at path: ValuePath, in graph: ObjectGraph
  ) throws(ArchiveError) -> [DocumentEdit] {
    var difference = TypedComparison()
    let (left, right) = (try JSONTree(json: old), try JSONTree(json: new))
    let start = try path.resolve(in: graph).path.steps.compactMap { step -> String? in
      switch step {
      case .key(let key): key
      case .index(let index): "\(index)"
      case .content, .anyMember, .anyElement: nil
      }
    }
    try difference.compare(left, right, start)
    return difference.edits
  }
}

/// The state of a comparison.
private struct TypedComparison {
  private(set) var edits: [DocumentEdit] = []

  /// The members or elements of typed JSON, as paths lead to them.
  private enum Content {
    case members([(String, JSONTree)])
    case elements([JSONTree])
  }

  /// Trees are at most `JSONTree.depthLimit` deep.
  mutating func compare(
    _ old: JSONTree, _ new: JSONTree, _ path: [String]
  ) throws(ArchiveError) {
    if old == new { return }
    guard Self.frame(old) == Self.frame(new) else { return try replace(new, path) }
    switch (Self.content(old), Self.content(new)) {
    case (.members(let old)?, .members(let new)?): try compareMembers(old, new, path)
    case (.elements(let old)?, .elements(let new)?): try compareElements(old, new, path)
    default: try replace(new, path)
    }
  }

  private mutating func compareMembers(
    _ old: [(String, JSONTree)], _ new: [(String, JSONTree)], _ path: [String]
  ) throws(ArchiveError) {
    let before = Dictionary(old.map { (CodePointString($0.0), $0.1) }) { $1 }
    let after = Set(new.map { CodePointString($0.0) })
    for (name, _) in old where !after.contains(CodePointString(name)) {
      edits.append(DocumentEdit(.remove, at: try Self.path(path + [name])))
    }
    for (name, value) in new {
      if let known = before[CodePointString(name)] {
        try compare(known, value, path + [name])
      } else {
        edits.append(
          DocumentEdit(.add(try Self.value(value)), at: try Self.path(path + [name])))
      }
    }
  }

  private mutating func compareElements(
    _ old: [JSONTree], _ new: [JSONTree], _ path: [String]
  ) throws(ArchiveError) {
    var (head, tail) = (0, 0)
    let least = min(old.count, new.count)
    while head < least, old[head] == new[head] { head += 1 }
    while tail < least - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
    let common = least - head - tail
    for position in head..<(head + common) {
      try compare(old[position], new[position], path + ["\(position)"])
    }
    for position in ((head + common)..<max(old.count - tail, head + common)).reversed() {
      edits.append(DocumentEdit(.remove, at: try Self.path(path + ["\(position)"])))
    }
    for position in (head + common)..<max(new.count - tail, head + common) {
      edits.append(
        DocumentEdit(
          .add(try Self.value(new[position])), at: try Self.path(path + ["\(position)"])))
    }
  }

  private mutating func replace(_ value: JSONTree, _ path: [String]) throws(ArchiveError) {
    edits.append(DocumentEdit(.replace(try Self.value(value)), at: try Self.path(path)))
  }

  private static func path(_ tokens: [String]) throws(ArchiveError) -> ValuePath {
    try ValuePath(parsing: tokens.map { "/" + JSONPointer.escaped($0) }.joined())
  }

  private static func value(_ tree: JSONTree) throws(ArchiveError) -> TypedValue {
    var output = OutputBuffer(descriptor: nil)
    try tree.write(isCompact: true, to: &output)
    return try TypedValue(json: ByteStorage(copying: output.bytes.bytes))
  }

  // MARK: Tags

  /// What has to stay so that members or elements can change one by one: kind and class.
  private static func frame(_ tree: JSONTree) -> JSONTree {
    switch tree {
    case .list: return .string("list")
    case .members(let members):
      guard let (name, value) = members.first, name.hasPrefix("$") else {
        return .string("members")
      }
      switch name {
      case "$id":
        return .list([.string(name), tree["$id"] ?? .null, frame(tree["$value"] ?? .null)])
      case "$object":
        return .list([
          .string(name), value["class"] ?? .null, value["classes"] ?? .null,
          value["hints"] ?? .null,
        ])
      case "$set", "$orderedSet", "$inline", "$boxed": return .string(name)
      default: return tree
      }
    default: return tree
    }
  }

  private static func content(_ tree: JSONTree) -> Content? {
    switch tree {
    case .list(let elements): return .elements(elements)
    case .members(let members):
      guard members.count == 1 || members.first?.0 == "$id", let (name, value) = members.first,
        name.hasPrefix("$")
      else { return .members(members) }
      switch name {
      case "$id": return tree["$value"].flatMap { content($0) }
      case "$set", "$orderedSet": return value.list.map { .elements($0) }
      case "$object": return value["fields"].flatMap { fields($0) }
      default: return nil
      }
    default: return nil
    }
  }

  /// The fields of an object, or the elements of a collection of another class.
  private static func fields(_ fields: JSONTree) -> Content? {
    guard let members = fields.members else { return nil }
    if members.count == 1, members[0].0 == "NS.objects" {
      return members[0].1["$inline"]?.list.map { .elements($0) }
    }
    guard !members.contains(where: { $0.0.hasPrefix("NS.") || $0.0 == "$entries" }) else {
      return nil
    }
    return .members(
      members.map { name, value in
        (name.hasPrefix("$$") ? String(name.dropFirst()) : name, value)
      })
  }
}
