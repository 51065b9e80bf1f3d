// The edits that make one typed JSON from another: the smallest values that differ.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists

/// The changes between typed JSON before and after a user has edited it.
package struct TypedDifference {
  /// The edits that make the changes.
  package let edits: [DocumentEdit]
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
  package init(
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
    let document = try JSONReader.read(new.bytes, keepsPositions: true)
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
  package func offset(ofEdit number: Int) -> Int? {
    locations.indices.contains(number) ? text.fileOffset(near: locations[number]) : nil
  }
}

private struct TypedComparison {
  private(set) var edits: [DocumentEdit] = []
  private(set) var locations: [GraphPath] = []
  /// Where the comparison is in the edited text.
  private(set) var location = GraphPath()

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
    let (one, two) = (TaggedValue(old), TaggedValue(new))
    guard one.frame == two.frame else { return try replace(new, path) }
    let inner = two.keys.reduce(location) { $0.appending(.key($1)) }
    switch (one.content, two.content) {
    case (.members(let before)?, .members(let after)?):
      try compareMembers(before, after, path, inner)
    case (.elements(let before)?, .elements(let after)?):
      try compareElements(before, after, path, inner)
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
}

/// A value of typed JSON, without its tags.
private struct TaggedValue {
  enum Content {
    case members([(String, JSONTree)])
    case elements([JSONTree])
  }

  /// What has to stay so that members or elements can change one by one: kind and class.
  private(set) var frame: JSONTree
  private(set) var content: Content?
  /// The keys that lead to the content in the text.
  private(set) var keys: [String] = []

  init(_ tree: JSONTree) {
    frame = tree
    switch tree {
    case .list(let elements):
      frame = .string("list")
      content = .elements(elements)
    case .members(let members):
      guard let (name, value) = members.first, name.hasPrefix("$") else {
        frame = .string("members")
        content = .members(members)
        return
      }
      read(name, value, tree)
      if members.count > 1, name != "$id" { content = .members(members) }
    default: break
    }
  }

  private mutating func read(_ name: String, _ value: JSONTree, _ tree: JSONTree) {
    switch name {
    case "$id":
      let inner = TaggedValue(tree["$value"] ?? .null)
      frame = .list([.string(name), tree["$id"] ?? .null, inner.frame])
      (content, keys) = (inner.content, ["$value"] + inner.keys)
    case "$set", "$orderedSet":
      frame = .string(name)
      (content, keys) = (value.list.map { .elements($0) }, [name])
    case "$inline", "$boxed": frame = .string(name)
    case "$object":
      frame = .list([
        .string(name), value["class"] ?? .null, value["classes"] ?? .null, value["hints"] ?? .null,
      ])
      keys = [name, "fields"]
      if let fields = value["fields"] { readFields(fields) }
    default: break
    }
  }

  /// Reads the fields of an object, or the elements of a collection of another class.
  private mutating func readFields(_ fields: JSONTree) {
    guard let members = fields.members else { return }
    let list = fields["NS.objects"]?["$inline"]
    if list != nil { keys += ["NS.objects", "$inline"] }
    if members.count == 1, members[0].0 == "NS.objects" {
      content = list?.list.map { .elements($0) }
    } else if !members.contains(where: { $0.0.hasPrefix("NS.") || $0.0 == "$entries" }) {
      content = .members(
        members.map { name, value in
          (name.hasPrefix("$$") ? String(name.dropFirst()) : name, value)
        })
    }
  }
}
