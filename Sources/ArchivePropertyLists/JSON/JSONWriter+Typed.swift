// Containers in typed JSON: as they are stored, or as they are resolved.

import ArchiveBasics
import ArchiveGraph

extension JSONWriter {
  /// The tag of the text that an object is resolved to.
  @inline(never)
  func tag(of node: Node) -> StaticString? {
    guard graph.isContainerOrData(node), let index = graph.classIndex(of: node) else { return nil }
    return options.valueTag?(graph.classes[index])
  }

  /// `{"$object": {"class": …, "fields": {`: an object by its class and the members that it is shown by.
  mutating func writeTaggedObject(
    _ description: ClassDescription, _ pairs: Pairs, _ identity: Node?, to output: inout ByteBuffer
  ) {
    openTag("$object", identity: identity, to: &output)
    output.append(contentsOf: "{\"class\": ")
    JSONText.append(description.displayName, to: &output)
    openFields(pairs, to: &output)
    let isList = if case .entries? = stack.last?.pointee.children { true } else { false }
    stack.top.pointee.isMangled = !isList && hasAmbiguousNames(pairs, marks: [])
  }

  mutating func writeTyped(
    _ value: Value, _ node: Node, isIdentified: Bool, to output: inout ByteBuffer
  ) {
    if isIdentified {
      output.append(contentsOf: "{\"$id\": ")
      writeIdentity(node, to: &output)
      output.append(contentsOf: ", \"$value\": ")
    }
    switch value {
    case .array(let elements): open(.elements(elements), elements.count, "[", "]", to: &output)
    case .set(let elements):
      open(.elements(elements), elements.count, "{\"$set\": [", "]}", to: &output)
    case .orderedSet(let elements):
      open(.elements(elements), elements.count, "{\"$orderedSet\": [", "]}", to: &output)
    case .dictionary(let pairs):
      let keyBase = keys.count
      if gatherKeys(pairs, marksKeys: graph.classIndex(of: node) != nil) {
        open(.members(pairs, keyBase: keyBase), pairs.count, "{", "}", to: &output)
      } else {
        keys.removeSubrange(keyBase...)
        open(.entries(pairs), pairs.count, "{\"$entries\": [", "]}", to: &output)
      }
    case .object(let index, let pairs): writeTypedObject(graph.classes[index], pairs, to: &output)
    default: return
    }
    // The frame of the value itself is open.
    if isIdentified { stack.top.pointee.braces += 1 }
  }

  private mutating func writeTypedObject(
    _ description: ClassDescription, _ pairs: Pairs, to output: inout ByteBuffer
  ) {
    output.append(contentsOf: "{\"$object\": {\"class\": ")
    JSONText.append(description.name, to: &output)
    output.append(contentsOf: ", \"classes\": ")
    writeNames(description.chain, to: &output)
    if !description.hints.isEmpty {
      output.append(contentsOf: ", \"hints\": ")
      writeNames(description.hints, to: &output)
    }
    if !description.versions.isEmpty {
      let numbers = description.versions.map { "\($0)" }.joined(separator: ", ")
      output.append(", \"versions\": [\(numbers)]")
    }
    openFields(pairs, to: &output)
  }

  /// Begins the fields of an object; they are entries where names of members could not tell them apart.
  private mutating func openFields(_ pairs: Pairs, to output: inout ByteBuffer) {
    output.append(contentsOf: ", \"fields\": ")
    let keyBase = keys.count
    for position in 0..<pairs.count { keys.append(graph.key(pairs, position)) }
    if graph.repeatKeys(keys[keyBase...]) || isOnlyEntries(pairs) {
      keys.removeSubrange(keyBase...)
      return open(.entries(pairs), pairs.count, "{\"$entries\": [", "]}}}", to: &output)
    }
    open(.members(pairs, keyBase: keyBase), pairs.count, "{", "}}}", to: &output)
  }

  /// Whether the name of the only field is the tag for fields with repeated names.
  private func isOnlyEntries(_ pairs: Pairs) -> Bool {
    pairs.count == 1
      && graph.keyText(of: graph.key(pairs, 0))?.sameCharacters(as: "$entries") == true
  }

  private func writeNames(_ names: [String], to output: inout ByteBuffer) {
    output.append(UInt8(ascii: "["))
    for (position, name) in names.enumerated() {
      if position > 0 { output.append(contentsOf: ", ") }
      JSONText.append(name, to: &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  /// Begins `{"$archive": {"archiver": …, "root": ` where the archive is not as the usual archiver writes it.
  ///
  /// - Returns: whether it was begun.
  func openArchive(to output: inout ByteBuffer) -> Bool {
    guard options.isTyped, options.includesArchiver, let document = graph.documents.first,
      document.isKeyedArchive, let facts = document.archive,
      facts.archiver != "NSKeyedArchiver" || facts.version ?? 100_000 != 100_000
    else { return false }
    output.append(contentsOf: "{\"$archive\": {\"archiver\": ")
    JSONText.append(facts.archiver, to: &output)
    if let version = facts.version, version != 100_000 {
      output.append(", \"version\": \(version)")
    }
    output.append(contentsOf: ", \"root\": ")
    return true
  }
}
