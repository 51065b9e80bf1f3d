// The edits that make one typed JSON from another: the smallest values that differ.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists

/// The changes between typed JSON before and after a user has edited it.
public struct TypedDifference {
  /// The edits that make the changes.
  public let edits: [DocumentEdit]
  /// Where each edit's value is in the edited text.
  private let locations: [GraphPath]
  private let text: ObjectGraph

  /// Compares two texts.
  ///
  /// - Parameters:
  ///   - old: the typed JSON of a value.
  ///   - new: the edited text.
  ///   - path: the path of the value.
  ///   - graph: the graph of the value.
  /// - Throws: `ArchiveError` with its offset in the edited text if that is not JSON, or the path has no target.
  public init(
    from old: ByteStorage, to new: ByteStorage, at path: ValuePath, in graph: ObjectGraph
  ) throws(ArchiveError) {
    var difference = TypedComparison()
    let (left, right) = (try JSONTree(json: old), try JSONTree(json: new))
    let start = try path.resolve(in: graph).path.steps.compactMap { step -> String? in
      switch step {
      case .key(let key): key
      case .index(let index): "\(index)"
      case .content, .anyMember, .anyElement: nil
      }
    }
    text = ObjectGraph()
    let document = try JSONReader.readWithWarnings(
      new.bytes, fileOffset: 0, limits: Limits(), allowsJSON5: false, keepsPlaces: true
    ).document
    _ = text.add(document)
    do throws(ArchiveError) {
      try difference.compare(left, right, start, GraphPath())
    } catch {
      // Offsets of a value's own text mean nothing in the edited one.
      throw ArchiveError(
        error.code, error.message, offset: text.fileOffset(near: difference.location))
    }
    (edits, locations) = (difference.edits, difference.locations)
  }

  /// The offset in the edited text of the value that an edit takes from it, or of what is around it.
  public func offset(ofEdit number: Int) -> Int? {
    locations.indices.contains(number) ? text.fileOffset(near: locations[number]) : nil
  }
}

/// The state of a comparison.
private struct TypedComparison {
  private(set) var edits: [DocumentEdit] = []
  private(set) var locations: [GraphPath] = []
  /// Where the comparison is in the edited text.
  private(set) var location = GraphPath()

  /// The members or elements of typed JSON, as paths lead to them.
  private enum Content {
    case members([(String, JSONTree)])
    case elements([JSONTree])
  }

  private mutating func add(_ edit: DocumentEdit) {
    edits.append(edit)
    locations.append(location)
  }

  /// Trees are at most `JSONTree.depthLimit` deep.
  mutating func compare(
    _ old: JSONTree, _ new: JSONTree, _ path: [String], _ location: GraphPath
  ) throws(ArchiveError) {
    if old == new { return }
    self.location = location
    guard Self.frame(old) == Self.frame(new) else { return try replace(new, path) }
    switch (Self.content(old), Self.content(new)) {
    case (.members(let before)?, .members(let after)?):
      try compareMembers(before, after, path, Self.location(ofContentIn: new, at: location))
    case (.elements(let before)?, .elements(let after)?):
      try compareElements(before, after, path, Self.location(ofContentIn: new, at: location))
    default: try replace(new, path)
    }
  }

  private mutating func compareMembers(
    _ old: [(String, JSONTree)], _ new: [(String, JSONTree)], _ path: [String],
    _ location: GraphPath
  ) throws(ArchiveError) {
    let before = Dictionary(old.map { (CodePointString($0.0), $0.1) }) { $1 }
    let after = Set(new.map { CodePointString($0.0) })
    for (name, _) in old where !after.contains(CodePointString(name)) {
      self.location = location
      add(DocumentEdit(.remove, at: try Self.path(path + [name])))
    }
    for (name, value) in new {
      if let known = before[CodePointString(name)] {
        try compare(known, value, path + [name], location.appending(.key(name)))
      } else {
        self.location = location.appending(.key(name))
        add(DocumentEdit(.add(try Self.value(value)), at: try Self.path(path + [name])))
      }
    }
  }

  private mutating func compareElements(
    _ old: [JSONTree], _ new: [JSONTree], _ path: [String], _ location: GraphPath
  ) throws(ArchiveError) {
    var (head, tail) = (0, 0)
    let least = min(old.count, new.count)
    while head < least, old[head] == new[head] { head += 1 }
    while tail < least - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
    let common = least - head - tail
    for position in head..<(head + common) {
      try compare(
        old[position], new[position], path + ["\(position)"],
        location.appending(.index(position)))
    }
    for position in ((head + common)..<max(old.count - tail, head + common)).reversed() {
      self.location = location
      add(DocumentEdit(.remove, at: try Self.path(path + ["\(position)"])))
    }
    for position in (head + common)..<max(new.count - tail, head + common) {
      self.location = location.appending(.index(position))
      add(
        DocumentEdit(
          .add(try Self.value(new[position])), at: try Self.path(path + ["\(position)"])))
    }
  }

  private mutating func replace(_ value: JSONTree, _ path: [String]) throws(ArchiveError) {
    add(DocumentEdit(.replace(try Self.value(value)), at: try Self.path(path)))
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

  /// Where the text has the members or elements of a value.
  private static func location(ofContentIn tree: JSONTree, at path: GraphPath) -> GraphPath {
    guard let members = tree.members, let (name, value) = members.first, name.hasPrefix("$") else {
      return path
    }
    let inner = path.appending(.key(name))
    switch name {
    case "$id":
      return tree["$value"].map {
        location(ofContentIn: $0, at: path.appending(.key("$value")))
      } ?? path
    case "$set", "$orderedSet": return inner
    case "$object":
      let fields = inner.appending(.key("fields"))
      guard value["fields"]?["NS.objects"]?["$inline"] != nil else { return fields }
      return fields.appending(.key("NS.objects")).appending(.key("$inline"))
    default: return path
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
