// New values in the classes of the objects that they replace.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

extension StoredEditor {
  /// A value in the class of the object that it replaces; nil if there is none to keep.
  mutating func kept(
    _ value: TypedValue, _ tag: TypedValue.Tag, _ node: Node, _ old: UInt32, _ slot: Slot
  ) throws(ArchiveError) -> MadeValue? {
    guard let index = host.graph.classIndex(of: node) else { return nil }
    let description = host.graph.classes[index]
    let oldValue = host.graph.value(of: node)
    let kind = try value.kind(limits)
    func refusal(_ hint: String) -> ArchiveError {
      ArchiveError(
        .mismatch, "an object of class \(description.displayName) is there; \(hint)",
        path: location)
    }
    if case .object = oldValue {
      throw refusal("typed JSON with \"$object\" names the class of the new one")
    }
    if kind == "array", ["set", "ordered set"].contains(oldValue.typeName) {
      throw refusal("typed JSON with \"$set\" or \"$orderedSet\" is a set")
    }
    guard kind == oldValue.typeName else { return nil }
    if case .null = oldValue { return nil }
    let part = try keyedPart(value)
    guard let parts = part.parts, let hostParts = host.parts,
      patch.uses(of: hostParts.objects) == 1
    else { throw Self.sharedStorage }
    let root = try part.rootValue(parts)
    let source = part.graph.follow(root, in: part.number)
    let count = patch.count
    let objectCount = patch.childCount(of: hostParts.objects)
    let object: UInt32
    if oldValue.isContainer {
      let child = try PartCopy.copy(root, of: part, into: hostParts.objects, &records, &patch)
      guard
        let new = patch.child(
          of: hostParts.objects, at: Int(truncatingIfNeeded: patch.uid(at: child)))
      else { throw Self.difference }
      object = new
      try setClass(of: object, like: node)
      let made = MadeValue(child: child, value: .meaning(value, description))
      return try reuseNumber(of: old, slot, for: child, after: count, objectCount)
        ? MadeValue(child: old, replacesObject: true, value: made.value) : made
    }
    guard let form = try scalarObject(source, of: part, like: node) else {
      throw refusal("typed JSON with \"$object\" names the class of the new one")
    }
    object = form
    let child = try addObject(object)
    let expected = Expectation.Value.meaning(value, description)
    if try reuseNumber(of: old, slot, for: child, after: count, objectCount) {
      return MadeValue(child: old, replacesObject: true, value: expected)
    }
    return MadeValue(child: child, value: expected)
  }

  /// Gives a new container the class of another.
  mutating func setClass(of object: UInt32, like node: Node) throws(ArchiveError) {
    func classPosition(_ index: UInt32) -> Int? {
      let children = patch.children(of: index)
      return (0..<children.count / 2).first { position in
        text(children[position]) == "$class"
      }.map { $0 + children.count / 2 }
    }
    guard let old = classPosition(node.index), let new = classPosition(object) else {
      throw Self.difference
    }
    patch.setChild(of: object, at: new, to: patch.children(of: node.index)[old])
  }

  func text(_ index: UInt32) -> String? {
    if Int(index) < host.table.count { return host.table.text(at: index)?.string }
    return patch.addedText(index)
  }

  /// A copy of an object with another scalar in it; nil if its layout is not known.
  mutating func scalarObject(
    _ source: Node, of part: OpenedArchive, like node: Node
  ) throws(ArchiveError) -> UInt32? {
    guard host.table.marker(of: node.index) >> 4 == Marker.dictionary else { return nil }
    let children = patch.children(of: node.index)
    let half = children.count / 2
    var content: (key: String, position: Int)?
    for position in 0..<half {
      switch host.table.text(at: children[position])?.string ?? "" {
      case "$class": continue
      case "NS.base":
        guard patch.kind(of: children[half + position]) == Marker.uid,
          patch.uid(at: children[half + position]) == 0
        else { return nil }
      case let key where content == nil: content = (key, half + position)
      default: return nil
      }
    }
    guard let content else { return nil }
    let new: [UInt8]
    switch (content.key, part.graph.value(of: source)) {
    case ("NS.string", .string), ("NS.relative", .string):
      new = Array(part.table.bytes(of: source.index))
    case ("NS.bytes", .string(let text)):
      new = Array(text.string.utf8).withUnsafeBytes { TablePatch.encoded(data: $0) }
    case ("NS.uuidbytes", .string(let text)):
      guard let bytes = NSUUIDClass.bytes(of: text.string) else {
        throw ArchiveError(.mismatch, "an NSUUID is there, and the string is not a UUID")
      }
      new = bytes.withUnsafeBytes { TablePatch.encoded(data: $0) }
    case ("NS.data", .data(let bytes)), ("NS.bytes", .data(let bytes)):
      new = TablePatch.encoded(data: bytes)
    case ("NS.time", .date(let seconds)):
      // A real of 8 bytes.
      new = [Marker.real << 4 | 3] + withUnsafeBytes(of: seconds.bitPattern.bigEndian) { Array($0) }
    default: return nil
    }
    let object = patch.addCopy(of: node.index)
    let isBoxed = patch.kind(of: children[content.position]) == Marker.uid
    let scalar = patch.add(encoded: new)
    patch.setChild(
      of: object, at: content.position, to: isBoxed ? try addObject(scalar) : scalar)
    return object
  }
}
