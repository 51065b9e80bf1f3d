// Each kind of value in JSON, plain and typed.

import Basics
import ObjectGraph

extension JSONWriter {
  /// Writes a scalar, or begins a container.
  mutating func write(_ node: Node, to output: inout ByteBuffer) {
    let value = options.isTyped ? graph.typedValue(of: node) : graph.value(of: node)
    switch value {
    case .null: output.append(contentsOf: "null")
    case .boolean(let flag): output.append(contentsOf: flag ? "true" : "false")
    case .integer(let number): write(number, to: &output)
    case .unsigned(let number): writeLarge("\(number)", to: &output)
    case .wide(let number): writeLarge("\(number)", to: &output)
    case .real(let number): write(number, to: &output)
    case .single(let number): writeSingle(number, to: &output)
    case .string(let text): JSONText.append(text, to: &output)
    case .date(let seconds):
      if options.isTyped, graph.mayHold(node), sharing.shared.contains(node) {
        writeShared(seconds, node, to: &output)
      } else {
        writeDate(seconds, to: &output)
      }
    case .uid(let number):
      output.append(contentsOf: "{\"$uid\": ")
      JSONText.append(number, to: &output)
      output.append(UInt8(ascii: "}"))
    case .data(let bytes): writeData(bytes, node, to: &output)
    case .array, .set, .orderedSet, .dictionary, .object:
      writeContainer(value, node, to: &output)
    }
  }

  /// Writes a field's value; marks its storage unless it is the usual one: numbers and booleans inline in
  /// the object, everything else behind a UID.
  mutating func writeField(
    _ node: Node, _ pairs: Pairs, _ index: Int, to output: inout ByteBuffer
  ) {
    let isInline = graph.isInline(pairs.values, pairs.position(index))
    let isNumber: Bool
    switch graph.storedValue(of: node) {
    case .boolean, .integer, .unsigned, .wide, .real, .single: isNumber = true
    default: isNumber = false
    }
    if isInline == isNumber { return write(node, to: &output) }
    writeMarked(node, isInline: isInline, to: &output)
  }

  /// Writes an element of a list, or a dictionary's key or value.
  ///
  /// - Parameter indexes: where in `lookedUp` the elements are, if they are there.
  @inline(__always)
  mutating func writeElement(
    _ elements: Elements, _ position: Int, indexes: Int = -1, to output: inout ByteBuffer
  ) {
    let node =
      indexes < 0
      ? graph.node(elements, position)
      : Node(document: elements.document, index: lookedUp[indexes &+ position].pointee)
    guard standsInHolder(elements, position) else { return write(node, to: &output) }
    writeMarked(node, isInline: true, to: &output)
  }

  private mutating func writeMarked(
    _ node: Node, isInline: Bool, to output: inout ByteBuffer
  ) {
    output.append(contentsOf: isInline ? "{\"$inline\": " : "{\"$boxed\": ")
    let level = stack.count
    // An inline value is not a reference to nil.
    if isInline, graph.isNullMark(node), let text = graph.text(of: node) {
      JSONText.append(text, to: &output)
    } else {
      write(node, to: &output)
    }
    if stack.count == level {
      output.append(UInt8(ascii: "}"))
    } else {
      stack[level].pointee.isMarked = true
    }
  }

  // MARK: Scalars

  private func write(_ number: Int64, to output: inout ByteBuffer) {
    if options.isTyped, number.magnitude > 1 << 53 {
      writeTagged("$int", "\(number)", to: &output)
    } else {
      JSONText.append(number, to: &output)
    }
  }

  private func writeLarge(_ number: String, to output: inout ByteBuffer) {
    if options.isTyped { writeTagged("$int", number, to: &output) } else { output.append(number) }
  }

  private func write(_ number: Double, to output: inout ByteBuffer) {
    guard options.isTyped, !number.isFinite || number == number.rounded() else {
      return JSONText.append(number, to: &output)
    }
    output.append(contentsOf: "{\"$real\": ")
    JSONText.append(number, to: &output)
    output.append(UInt8(ascii: "}"))
  }

  private func writeSingle(_ number: Float, to output: inout ByteBuffer) {
    if options.isTyped { output.append(contentsOf: "{\"$float\": ") }
    if number.isFinite {
      output.append(number.description)
    } else {
      JSONText.append(Double(number), to: &output)
    }
    if options.isTyped { output.append(UInt8(ascii: "}")) }
  }

  /// Writes a date that is an object which others refer to as well.
  private mutating func writeShared(
    _ seconds: Double, _ node: Node, to output: inout ByteBuffer
  ) {
    guard identified.insert(node) else { return writeReference(node, to: &output) }
    output.append(contentsOf: "{\"$id\": ")
    writeIdentity(node, to: &output)
    output.append(contentsOf: ", \"$value\": ")
    writeDate(seconds, to: &output)
    output.append(UInt8(ascii: "}"))
  }

  private func writeDate(_ seconds: Double, to output: inout ByteBuffer) {
    let text = JSONText.date(seconds)
    guard options.isTyped else { return JSONText.append(text, to: &output) }
    let isExact = Timestamp(text: text)?.secondsFromReference.bitPattern == seconds.bitPattern
    if isExact || !seconds.isFinite { return writeTagged("$date", text, to: &output) }
    output.append(contentsOf: "{\"$date\": ")
    JSONText.append(seconds, to: &output)
    output.append(UInt8(ascii: "}"))
  }

  private func writeTagged(_ name: StaticString, _ text: String, to output: inout ByteBuffer) {
    output.append(contentsOf: "{\"")
    output.append(contentsOf: name)
    output.append(contentsOf: "\": ")
    JSONText.append(text, to: &output)
    output.append(UInt8(ascii: "}"))
  }

  private mutating func writeData(
    _ bytes: UnsafeRawBufferPointer, _ node: Node, to output: inout ByteBuffer
  ) {
    // A typed dump keeps the very bytes; a plain one shows the archive that they hold.
    if !options.isTyped, let content = graph.content(of: node) {
      return write(content, to: &output)
    }
    if options.isTyped { output.append(contentsOf: "{\"$data\": ") }
    output.append(UInt8(ascii: "\""))
    Base64.encode(bytes, to: &output)
    output.append(UInt8(ascii: "\""))
    if options.isTyped { output.append(UInt8(ascii: "}")) }
  }

  // MARK: Containers

  private mutating func writeContainer(_ value: Value, _ node: Node, to output: inout ByteBuffer) {
    let isIdentified =
      options.isTyped ? sharing.shared.contains(node) : sharing.cyclic.contains(node)
    if isIdentified, !identified.insert(node) { return writeReference(node, to: &output) }
    if let depth = options.depth, stack.count >= depth {
      return output.append(contentsOf: "\"…\"")
    }
    if options.isTyped {
      writeTyped(value, node, isIdentified: isIdentified, to: &output)
    } else {
      writePlain(value, node, isIdentified: isIdentified, to: &output)
    }
  }

  private func writeReference(_ node: Node, to output: inout ByteBuffer) {
    output.append(contentsOf: "{\"$ref\": ")
    writeIdentity(node, to: &output)
    output.append(UInt8(ascii: "}"))
  }

  private func writeIdentity(_ node: Node, to output: inout ByteBuffer) {
    if options.isTyped {
      JSONText.append(UInt64(node.index), to: &output)
    } else {
      JSONText.append(graph.label(of: node), to: &output)
    }
  }

  private mutating func writePlain(
    _ value: Value, _ node: Node, isIdentified: Bool, to output: inout ByteBuffer
  ) {
    switch value {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      guard isIdentified else {
        return open(
          Frame(children: .elements(elements), count: elements.count, closing: "]"), "[",
          to: &output)
      }
      openMembers(identity: node, "$array", .elements(elements), elements.count, "]}", to: &output)
    case .dictionary(let pairs):
      writeDictionary(pairs, identity: isIdentified ? node : nil, to: &output)
    case .object(let index, let pairs):
      let identity = isIdentified ? node : nil
      writeObject(graph.classes[index].displayName, pairs, identity, to: &output)
    default: break
    }
  }

  /// `{"$id": …, "NAME": [`: a list that must be named because it is referred to.
  private mutating func openMembers(
    identity: Node?, _ name: StaticString, _ children: Children, _ count: Int,
    _ closing: StaticString,
    to output: inout ByteBuffer
  ) {
    output.append(UInt8(ascii: "{"))
    if let identity {
      writeMember("$id", to: &output)
      writeIdentity(identity, to: &output)
      output.append(contentsOf: options.isCompact ? "," : ", ")
    }
    writeMember(name, to: &output)
    open(Frame(children: children, count: count, closing: closing), "[", to: &output)
  }

  private mutating func writeDictionary(
    _ pairs: Pairs, identity: Node?, to output: inout ByteBuffer
  ) {
    if identity == nil, !pairs.isFields, let list = names.find(pairs, in: graph) {
      return openNamed(pairs, list, to: &output)
    }
    let keyBase = keys.count
    guard gatherKeys(pairs), identity == nil || !hasMember("$id", pairs) else {
      keys.removeSubrange(keyBase...)
      return openMembers(
        identity: identity, "$entries", .entries(pairs), pairs.count, "]}", to: &output)
    }
    if identity == nil, !pairs.isFields, let list = names.add(pairs, in: graph) {
      keys.removeSubrange(keyBase...)
      return openNamed(pairs, list, to: &output)
    }
    var frame = Frame(children: .members(pairs, keyBase: keyBase), count: pairs.count, closing: "}")
    frame.leading = identity == nil ? 0 : 1
    open(frame, "{", to: &output)
    if let identity { writeLeading("$id", graph.label(of: identity), false, to: &output) }
  }

  /// Begins a dictionary whose keys are known to be names of members; of a dictionary no pair is hidden.
  private mutating func openNamed(_ pairs: Pairs, _ list: Int, to output: inout ByteBuffer) {
    let children = Children.named(pairs.values, list: list)
    open(Frame(children: children, count: pairs.count, closing: "}"), "{", to: &output)
  }

  private mutating func writeObject(
    _ name: String, _ pairs: Pairs, _ identity: Node?, to output: inout ByteBuffer
  ) {
    let keyBase = keys.count
    for position in 0..<pairs.count { keys.append(graph.key(pairs, position)) }
    var frame = Frame(children: .members(pairs, keyBase: keyBase), count: pairs.count, closing: "}")
    frame.leading = identity == nil ? 1 : 2
    frame.isMangled = hasAmbiguousNames(pairs, isIdentified: identity != nil)
    open(frame, "{", to: &output)
    if let identity { writeLeading("$id", graph.label(of: identity), false, to: &output) }
    writeLeading("$class", name, identity != nil, to: &output)
  }

  /// Whether members of an object would have the name of a mark, or one name, without the archiver's `$` before it.
  private func hasAmbiguousNames(_ pairs: Pairs, isIdentified: Bool) -> Bool {
    let marked = (0..<pairs.count).filter {
      graph.keyText(of: graph.key(pairs, $0))?.starts(with: 0x24) ?? false
    }
    if marked.isEmpty { return false }
    var names: Set<String> = isIdentified ? ["$class", "$id"] : ["$class"]
    for position in marked {
      let name = graph.memberName(pairs, position)?.string ?? ""
      if !names.insert(name).inserted { return true }
    }
    return false
  }

  private func hasMember(_ name: String, _ pairs: Pairs) -> Bool {
    (0..<pairs.count).contains {
      graph.memberName(pairs, $0)?.sameCharacters(as: name) == true
    }
  }

  private func writeLeading(
    _ name: StaticString, _ text: String, _ isFollowing: Bool, to output: inout ByteBuffer
  ) {
    separate(isFollowing, to: &output)
    writeMember(name, to: &output)
    JSONText.append(text, to: &output)
  }

  /// Puts the keys on the stack of keys; false if they cannot be the names of members.
  ///
  /// - Parameter marksKeys: whether keys that are stored inline in their list must be marked.
  private mutating func gatherKeys(_ pairs: Pairs, marksKeys: Bool = false) -> Bool {
    let base = keys.count
    for position in 0..<pairs.count {
      let key = graph.key(pairs, position)
      guard let text = graph.keyText(of: key) else { return false }
      // Names with `$` would be treated as type tags.
      if options.isTyped, text.starts(with: 0x24) { return false }
      if marksKeys, standsInHolder(pairs.keys, pairs.position(position)) { return false }
      // The name of a member is not an object with its own class.
      if options.isTyped, graph.mayHold(key) { return false }
      keys.append(key)
    }
    return !graph.repeatKeys(keys[base...])
  }

  // MARK: Typed containers

  private mutating func writeTyped(
    _ value: Value, _ node: Node, isIdentified: Bool, to output: inout ByteBuffer
  ) {
    if isIdentified {
      output.append(contentsOf: "{\"$id\": ")
      writeIdentity(node, to: &output)
      output.append(contentsOf: ", \"$value\": ")
      // The value itself follows in its own frame, after which the brace is closed.
    }
    let suffix = isIdentified
    switch value {
    case .array(let elements):
      open(
        Frame(children: .elements(elements), count: elements.count, closing: suffix ? "]}" : "]"),
        "[",
        to: &output)
    case .set(let elements):
      open(
        Frame(children: .elements(elements), count: elements.count, closing: suffix ? "]}}" : "]}"),
        "{\"$set\": [", to: &output)
    case .orderedSet(let elements):
      open(
        Frame(children: .elements(elements), count: elements.count, closing: suffix ? "]}}" : "]}"),
        "{\"$orderedSet\": [", to: &output)
    case .dictionary(let pairs):
      let keyBase = keys.count
      let isObject = graph.classIndex(of: node) != nil
      guard gatherKeys(pairs, marksKeys: isObject) else {
        keys.removeSubrange(keyBase...)
        return open(
          Frame(children: .entries(pairs), count: pairs.count, closing: suffix ? "]}}" : "]}"),
          "{\"$entries\": [", to: &output)
      }
      open(
        Frame(
          children: .members(pairs, keyBase: keyBase), count: pairs.count,
          closing: suffix ? "}}" : "}"), "{", to: &output)
    case .object(let index, let pairs):
      writeTypedObject(graph.classes[index], pairs, suffix, to: &output)
    default: break
    }
  }

  private mutating func writeTypedObject(
    _ description: ClassDescription, _ pairs: Pairs, _ suffix: Bool, to output: inout ByteBuffer
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
    output.append(contentsOf: ", \"fields\": ")
    let keyBase = keys.count
    for position in 0..<pairs.count { keys.append(graph.key(pairs, position)) }
    if graph.repeatKeys(keys[keyBase...]) || isOnlyEntries(pairs) {
      keys.removeSubrange(keyBase...)
      return open(
        Frame(children: .entries(pairs), count: pairs.count, closing: suffix ? "]}}}}" : "]}}}"),
        "{\"$entries\": [", to: &output)
    }
    let frame = Frame(
      children: .members(pairs, keyBase: keyBase), count: pairs.count,
      closing: suffix ? "}}}}" : "}}}")
    open(frame, "{", to: &output)
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
