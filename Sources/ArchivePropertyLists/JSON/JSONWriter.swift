// A graph as JSON: plain for people and jq, or typed so that nothing is lost.

import ArchiveBasics
import ArchiveGraph

/// Writes graphs as JSON.
package struct JSONWriter: ~Copyable {
  /// The remaining children of a container.
  enum Children {
    case elements(Elements)
    /// Members of a JSON object; the keys are the strings in `keys` from the given index on.
    case members(Pairs, keyBase: Int)
    /// The same; the keys are a list of `names`.
    case named(Elements, list: Int)
    /// `{"key": …, "value": …}` for each pair.
    case entries(Pairs)
    /// The key and the value of one entry, as the lists at a position hold them.
    case entry(Pairs, Int)
  }

  /// Not a `GraphWalk`: every dump as JSON passes here, and a level remembers how it is closed.
  struct Frame {
    let children: Children
    let count: Int
    /// What ends the container, innermost first.
    let closing: StaticString
    /// Whether the names of members are written as an archiver stores them.
    var isMangled = false
    /// How many braces of `$inline`, `$boxed` or `$id` are closed as well.
    var braces = 0
    /// The number of members that were written before the first of `children`.
    var leading = 0
    var next = 0
    /// Where the output was when the first child that is a container began; 0 before.
    var start = 0
    /// Where the indexes of `children` are in `lookedUp`; negative if they are not.
    var indexes = -1
  }

  let graph: ObjectGraph
  let options: Options
  let tags: JSONTags
  var sharing: SharingAnalysis
  /// Where an object is written that is only named here; nil for all others.
  private let reference: ((Node) -> String?)?
  var identified: NodeSet
  var stack = RawStack<Frame>()
  /// The indexes of values of open containers that were looked up before the first of them was written.
  var lookedUp = RawStack<UInt32>()
  /// How many open frames are entries of others.
  private var entryDepth = 0
  var keys: [Node] = []
  var names: MemberNames
  var indentation = 0
  var visited = 0
  let limit: Int
  /// Whether the values of a container are anywhere in more memory than the processor has at hand.
  private let isScattered: Bool
  /// How much text of a container is more than one thread should write.
  var mostAlone = Int.max
  /// Whether each document is a keyed archive, whose values may be stored inline.
  private let archives: [Bool]

  /// Makes a writer for a graph.
  ///
  /// - Throws: `ArchiveError` with code `limit` if values are nested too deep.
  package init(
    _ graph: ObjectGraph, root: Node, options: Options, reference: ((Node) -> String?)? = nil
  ) throws(ArchiveError) {
    // Plain JSON writes what is shared again in each place unless asked, and refers only to what holds itself.
    let sharing =
      reference != nil
      ? SharingAnalysis(withoutCyclesIn: graph)
      : options.isTyped || options.refersToShared
        ? try SharingAnalysis(
          of: root, in: graph, typed: options.isTyped, texts: options.refersToShared)
        : try SharingAnalysis(cyclesOf: root, in: graph)
    let archives = options.isTyped ? graph.documents.map { $0.archive != nil } : []
    self.init(graph, options, reference, sharing, archives)
    if reference == nil { mostAlone = textForOneThread }
  }

  /// Makes a writer for a part of what another writes.
  init(partOf division: JSONDivision) {
    self.init(division.graph, division.options, nil, division.sharing, [])
    keys = division.keys
    indentation = division.indentation
  }

  /// Sets all properties, for every initializer.
  ///
  /// Here `||` reads a parameter. If it read a property before all were set, the optimizer of Swift 6.3 would destroy
  /// those that were not (Documentation/Toolchain.md).
  private init(
    _ graph: ObjectGraph, _ options: Options, _ reference: ((Node) -> String?)?,
    _ sharing: SharingAnalysis, _ archives: [Bool]
  ) {
    (self.graph, self.options, self.reference) = (graph, options, reference)
    (self.sharing, self.archives) = (sharing, archives)
    tags = JSONTags(areUsed: options.isTyped || options.valueTag != nil)
    limit = graph.expansionLimit
    isScattered = Self.isScattered(graph)
    identified = NodeSet(in: graph)
    names = MemberNames(isCompact: options.isCompact)
  }

  /// Writes a value with all its content, with a newline at the end.
  ///
  /// - Parameter reference: where an object in it is written that is only named here; nil for all others.
  /// - Throws: `ArchiveError` with code `limit` if the expansion of shared values becomes too large.
  package static func write(
    _ root: Node, of graph: ObjectGraph, options: Options = Options(),
    to output: inout OutputBuffer, reference: ((Node) -> String?)? = nil
  ) throws(ArchiveError) {
    var writer = try JSONWriter(graph, root: root, options: options, reference: reference)
    output.allow(graph.outputLimit)
    var isOpen = false
    if options.isTyped, options.includesArchiver, let document = graph.documents.first,
      document.isKeyedArchive, let archive = document.archive
    {
      isOpen = writer.tags.open(archive, to: &output.bytes)
    }
    writer.write(root, to: &output.bytes)
    try writer.runOpen(to: &output)
    if isOpen { output.bytes.append(contentsOf: "}}") }
    if let error = output.endBound() { throw error }
    output.bytes.append(UInt8(ascii: "\n"))
    output.flushIfFull()
  }

  /// Writes the rest of the containers that are open.
  mutating func runOpen(to output: inout OutputBuffer) throws(ArchiveError) {
    while let top = stack.last {
      let start = top.pointee.start
      if start > 0, output.mark &- start > mostAlone { try divide(top, to: &output) }
      let frame = top.pointee
      let level = stack.count
      var next = frame.next
      // Scalars are written one after another; a container that begins interrupts its holder.
      while next < frame.count, stack.count == level, !output.hasProblem {
        writeChild(next, of: frame, to: &output.bytes)
        next += 1
        output.flushIfFull()
      }
      visited &+= next &- frame.next
      if stack.count == level {
        finish(frame, to: &output.bytes)
      } else {
        stack[level - 1].pointee.next = next
        if frame.start == 0 { stack[level - 1].pointee.start = output.mark }
      }
      // Errors of the output are reported by its `finish`.
      if output.hasProblem { return }
      if visited > limit {
        throw ArchiveError(
          .limit, "over \(visited) values: shared values multiply when they are written out")
      }
    }
  }

  @inline(__always)
  mutating func writeChild(_ index: Int, of frame: Frame, to output: inout ByteBuffer) {
    separate(index + frame.leading > 0, to: &output)
    switch frame.children {
    case .elements(let elements): writeElement(elements, index, indexes: frame.indexes, to: &output)
    case .members(let pairs, let keyBase):
      writeKey(
        keys[keyBase + index], isField: pairs.isFields && !frame.isMangled, to: &output)
      if options.isTyped, pairs.isObject {
        writeField(graph.value(pairs, index), pairs, index, to: &output)
      } else {
        writeElement(pairs.values, pairs.position(index), indexes: frame.indexes, to: &output)
      }
    case .named(let values, let list):
      names.append(index, of: list, to: &output)
      writeElement(values, index, indexes: frame.indexes, to: &output)
    case .entries(let pairs):
      open(.entry(pairs, index), 2, "{", "}", to: &output)
    case .entry(let pairs, let position): writeEntry(pairs, position, index, to: &output)
    }
  }

  /// An entry's key, or its value: the name of a member is written without the archiver's mark.
  private mutating func writeEntry(
    _ pairs: Pairs, _ position: Int, _ index: Int, to output: inout ByteBuffer
  ) {
    writeMember(index == 0 ? "key" : "value", to: &output)
    if options.isTyped, pairs.isObject {
      writeFieldEntry(pairs, position, index, to: &output)
    } else if index == 1 {
      writeElement(pairs.values, pairs.position(position), to: &output)
    } else if pairs.isFields, let name = graph.memberName(pairs, position) {
      JSONText.append(name, to: &output)
    } else {
      writeElement(pairs.keys, pairs.position(position), to: &output)
    }
  }

  /// The entry of a field keeps its key as the archiver stores it, and its value is marked like that of a member.
  private mutating func writeFieldEntry(
    _ pairs: Pairs, _ position: Int, _ index: Int, to output: inout ByteBuffer
  ) {
    if index == 1 {
      writeField(graph.value(pairs, position), pairs, position, to: &output)
    } else if let name = graph.keyText(of: graph.key(pairs, position)) {
      JSONText.append(name, to: &output)
    } else {
      JSONText.append(graph.label(of: graph.key(pairs, position)), to: &output)
    }
  }

  /// Whether a value is stored inline, where archives usually have references: typed JSON marks that.
  @inline(__always)
  func isInline(_ elements: Elements, _ position: Int) -> Bool {
    guard !archives.isEmpty, Int(elements.document) < archives.count,
      archives[Int(elements.document)]
    else { return false }
    return graph.isInline(elements, position)
  }

  // MARK: Layout

  mutating func open(
    _ children: Children, _ count: Int, _ opening: StaticString, _ closing: StaticString,
    leading: Int = 0, to output: inout ByteBuffer
  ) {
    output.append(contentsOf: opening)
    stack.push(Frame(children: children, count: count, closing: closing, leading: leading))
    if case .entry = children { entryDepth += 1 }
    indentation += 1
    if isScattered { lookUp(children) }
  }

  private static func isScattered(_ graph: ObjectGraph) -> Bool {
    graph.limits.largeInputs.looksUp(
      beyondCaches: graph.documents.contains { $0.archive != nil && $0.table.isBeyondCaches })
  }

  /// Containers with more elements are lists, whose elements are mostly stored one after another.
  private static var mostLookedUp: Int { 64 }

  /// Looks up the values of the container that was opened last.
  @inline(never)
  private mutating func lookUp(_ children: Children) {
    let values: Elements
    switch children {
    case .elements(let elements), .named(let elements, _): values = elements
    case .members(let pairs, _): values = pairs.values
    case .entries, .entry: return
    }
    guard values.width > 0, values.count <= Self.mostLookedUp else { return }
    stack.top.pointee.indexes = lookedUp.count
    graph.lookUp(values, to: &lookedUp)
  }

  private mutating func finish(_ frame: Frame, to output: inout ByteBuffer) {
    stack.drop()
    indentation -= 1
    if frame.indexes >= 0 { lookedUp.truncate(to: frame.indexes) }
    switch frame.children {
    case .members(_, let keyBase): keys.removeSubrange(keyBase...)
    case .entry: entryDepth -= 1
    case .elements, .named, .entries: break
    }
    if frame.count + frame.leading > 0 { newline(to: &output) }
    output.append(contentsOf: frame.closing)
    for _ in 0..<frame.braces { output.append(UInt8(ascii: "}")) }
  }

  @inline(__always)
  func separate(_ isFollowing: Bool, to output: inout ByteBuffer) {
    if isFollowing { output.append(UInt8(ascii: ",")) }
    newline(to: &output)
  }

  @inline(__always)
  private func newline(to output: inout ByteBuffer) {
    guard !options.isCompact else { return }
    output.appendLine(indentedBy: min(indentation, SharingAnalysis.readableDepth) &* 2)
  }

  private mutating func writeKey(_ node: Node, isField: Bool, to output: inout ByteBuffer) {
    guard let text = graph.keyText(of: node) else {
      // A field whose key is not a string: no archiver writes one, but its value must not be lost.
      JSONText.append(graph.label(of: node), to: &output)
      return writeColon(to: &output)
    }
    // Typed JSON is converted back to an archive, whose keys are mangled.
    JSONText.append(isField && !options.isTyped ? text.unmangledKey : text, to: &output)
    writeColon(to: &output)
  }

  /// Writes the name of a member that JSON needs and the graph does not have.
  func writeMember(_ name: StaticString, to output: inout ByteBuffer) {
    output.append(UInt8(ascii: "\""))
    output.append(contentsOf: name)
    output.append(UInt8(ascii: "\""))
    writeColon(to: &output)
  }

  private func writeColon(to output: inout ByteBuffer) {
    output.append(UInt8(ascii: ":"))
    if !options.isCompact { output.append(UInt8(ascii: " ")) }
  }
}

// MARK: - Each kind of value in JSON, plain and typed

extension JSONWriter {
  mutating func write(_ node: Node, to output: inout ByteBuffer) {
    let value = options.isTyped ? graph.typedValue(of: node) : graph.value(of: node)
    switch value {
    case .null: output.append(contentsOf: "null")
    case .boolean(let flag): output.append(contentsOf: flag ? "true" : "false")
    case .integer(let number): tags.append(number, to: &output)
    case .unsigned(let number): tags.append(large: "\(number)", to: &output)
    case .wide(let number): tags.append(large: "\(number)", to: &output)
    case .real(let number): tags.append(number, to: &output)
    case .single(let number): tags.append(number, to: &output)
    case .string(let text):
      if options.valueTag != nil, let tag = tag(of: node) {
        return tags.append(tag, text.string, to: &output)
      }
      let isLong = options.refersToShared && text.byteCount > SharingAnalysis.longText
      writeScalar(node, onceIf: isLong, to: &output) { _, output in
        JSONText.append(text, to: &output)
      }
    case .date(let seconds):
      let isObject = options.isTyped && graph.isContainerOrData(node)
      writeScalar(node, onceIf: isObject, to: &output) { $0.tags.append(date: seconds, to: &$1) }
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
    guard isInline(elements, position) else { return write(node, to: &output) }
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
      stack[level].pointee.braces += 1
    }
  }

  // MARK: Scalars

  /// Writes a scalar, or refers to it if it is shared, written once, and was written before.
  private mutating func writeScalar(
    _ node: Node, onceIf isOnce: Bool, to output: inout ByteBuffer,
    _ write: (borrowing JSONWriter, inout ByteBuffer) -> Void
  ) {
    guard isOnce, sharing.shared.contains(node) else { return write(self, &output) }
    guard identified.insert(node) else { return writeReference(node, to: &output) }
    output.append(contentsOf: "{\"$id\": ")
    writeIdentity(node, to: &output)
    output.append(contentsOf: ", \"$value\": ")
    write(self, &output)
    output.append(UInt8(ascii: "}"))
  }

  private mutating func writeData(_ bytes: ByteView, _ node: Node, to output: inout ByteBuffer) {
    // A typed dump keeps the very bytes; a plain one shows the archive that they hold.
    if !options.isTyped, let content = graph.content(of: node) {
      if options.refersToShared || sharing.isByDistance, sharing.shared.contains(node) {
        sharing.shared.insert(content)
      }
      return write(content, to: &output)
    }
    let isLong = options.refersToShared && bytes.count > SharingAnalysis.longText
    if tags.areUsed { output.append(contentsOf: "{\"$data\": ") }
    writeScalar(node, onceIf: isLong, to: &output) { _, output in
      output.append(UInt8(ascii: "\""))
      Base64.encode(bytes, to: &output)
      output.append(UInt8(ascii: "\""))
    }
    if tags.areUsed { output.append(UInt8(ascii: "}")) }
  }

  // MARK: Containers

  private mutating func writeContainer(_ value: Value, _ node: Node, to output: inout ByteBuffer) {
    if stack.last != nil, let path = reference?(node) {
      output.append(contentsOf: "{\"$ref\": ")
      JSONText.append(path, to: &output)
      return output.append(UInt8(ascii: "}"))
    }
    let isIdentified =
      options.isTyped || options.refersToShared || sharing.isByDistance
      ? sharing.shared.contains(node) : sharing.cyclic.contains(node)
    if isIdentified,
      identified.contains(node) || sharing.isNearer(node, than: stack.count - entryDepth)
    {
      return writeReference(node, to: &output)
    }
    // What is left out here is written where it is met again.
    if let depth = options.depth, stack.count >= depth {
      return output.append(contentsOf: "\"…\"")
    }
    if isIdentified { identified.insert(node) }
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

  func writeIdentity(_ node: Node, to output: inout ByteBuffer) {
    if options.isTyped {
      JSONText.append(UInt64(node.index), to: &output)
    } else {
      JSONText.append(graph.label(of: node), to: &output)
    }
  }

  private mutating func writePlain(
    _ value: Value, _ node: Node, isIdentified: Bool, to output: inout ByteBuffer
  ) {
    let identity = isIdentified ? node : nil
    switch value {
    case .set(let elements) where tags.areUsed:
      openMembers(
        identity: identity, "$set", .elements(elements), elements.count, "]}", to: &output)
    case .orderedSet(let elements) where tags.areUsed:
      openMembers(
        identity: identity, "$orderedSet", .elements(elements), elements.count, "]}", to: &output)
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      guard isIdentified else {
        return open(.elements(elements), elements.count, "[", "]", to: &output)
      }
      openMembers(identity: node, "$array", .elements(elements), elements.count, "]}", to: &output)
    case .dictionary(let pairs):
      writeDictionary(pairs, identity: identity, to: &output)
    case .object(let index, let pairs) where tags.areUsed:
      writeTaggedObject(graph.classes[index], pairs, identity, to: &output)
    case .object(let index, let pairs):
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
    openTag(name, identity: identity, to: &output)
    open(children, count, "[", closing, to: &output)
  }

  /// Begins a member after the name of the value, if it has one: `{"$id": …, "NAME": `.
  func openTag(_ name: StaticString, identity: Node?, to output: inout ByteBuffer) {
    output.append(UInt8(ascii: "{"))
    if let identity {
      writeMember("$id", to: &output)
      writeIdentity(identity, to: &output)
      output.append(contentsOf: options.isCompact ? "," : ", ")
    }
    writeMember(name, to: &output)
  }

  private mutating func writeDictionary(
    _ pairs: Pairs, identity: Node?, to output: inout ByteBuffer
  ) {
    if identity == nil, !pairs.isFields, let list = names.find(pairs, in: graph) {
      return openNamed(pairs, list, to: &output)
    }
    let keyBase = keys.count
    guard gatherKeys(pairs), identity == nil || !graph.hasMember("$id", pairs) else {
      keys.removeSubrange(keyBase...)
      return openMembers(
        identity: identity, "$entries", .entries(pairs), pairs.count, "]}", to: &output)
    }
    if identity == nil, !pairs.isFields, let list = names.add(pairs, in: graph) {
      keys.removeSubrange(keyBase...)
      return openNamed(pairs, list, to: &output)
    }
    open(
      .members(pairs, keyBase: keyBase), pairs.count, "{", "}", leading: identity == nil ? 0 : 1,
      to: &output)
    if let identity { writeLeading("$id", graph.label(of: identity), false, to: &output) }
  }

  /// Begins a dictionary whose keys are known to be names of members; of a dictionary no pair is hidden.
  private mutating func openNamed(_ pairs: Pairs, _ list: Int, to output: inout ByteBuffer) {
    open(.named(pairs.values, list: list), pairs.count, "{", "}", to: &output)
  }

  private mutating func writeObject(
    _ name: String, _ pairs: Pairs, _ identity: Node?, to output: inout ByteBuffer
  ) {
    let keyBase = keys.count
    for position in 0..<pairs.count { keys.append(graph.key(pairs, position)) }
    open(
      .members(pairs, keyBase: keyBase), pairs.count, "{", "}", leading: identity == nil ? 1 : 2,
      to: &output)
    stack.top.pointee.isMangled = graph.hasAmbiguousNames(
      pairs, marks: identity == nil ? ["$class"] : ["$class", "$id"])
    if let identity { writeLeading("$id", graph.label(of: identity), false, to: &output) }
    writeLeading("$class", name, identity != nil, to: &output)
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
  mutating func gatherKeys(_ pairs: Pairs, marksKeys: Bool = false) -> Bool {
    let base = keys.count
    for position in 0..<pairs.count {
      let key = graph.key(pairs, position)
      guard let text = graph.keyText(of: key) else { return false }
      // Names with `$` would be treated as type tags.
      if tags.areUsed, text.starts(with: 0x24) { return false }
      if marksKeys, isInline(pairs.keys, pairs.position(position)) { return false }
      // The name of a member is not an object with its own class.
      if options.isTyped, graph.isContainerOrData(key) { return false }
      keys.append(key)
    }
    return !graph.repeatKeys(keys[base...])
  }

  // MARK: Containers in typed JSON: as they are stored, or as they are resolved

  /// The tag of the text that an object is resolved to.
  @inline(never)
  private func tag(of node: Node) -> StaticString? {
    guard graph.isContainerOrData(node), let index = graph.classIndex(of: node) else { return nil }
    return options.valueTag?(graph.classes[index])
  }

  /// `{"$object": {"class": …, "fields": {`: an object by its class and the members that it is shown by.
  private mutating func writeTaggedObject(
    _ description: ClassDescription, _ pairs: Pairs, _ identity: Node?, to output: inout ByteBuffer
  ) {
    openTag("$object", identity: identity, to: &output)
    output.append(contentsOf: "{\"class\": ")
    JSONText.append(description.displayName, to: &output)
    openFields(pairs, to: &output)
    let isList = if case .entries? = stack.last?.pointee.children { true } else { false }
    stack.top.pointee.isMangled = !isList && graph.hasAmbiguousNames(pairs, marks: [])
  }

  private mutating func writeTyped(
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
    case .object(let index, let pairs):
      output.append(contentsOf: "{\"$object\": {")
      tags.append(graph.classes[index], to: &output)
      openFields(pairs, to: &output)
    default: return
    }
    // The frame of the value itself is open.
    if isIdentified { stack.top.pointee.braces += 1 }
  }

  /// Begins the fields of an object; they are entries where names of members could not tell them apart.
  private mutating func openFields(_ pairs: Pairs, to output: inout ByteBuffer) {
    output.append(contentsOf: ", \"fields\": ")
    let keyBase = keys.count
    for position in 0..<pairs.count { keys.append(graph.key(pairs, position)) }
    if graph.repeatKeys(keys[keyBase...]) || graph.hasOnlyMember("$entries", pairs) {
      keys.removeSubrange(keyBase...)
      return open(.entries(pairs), pairs.count, "{\"$entries\": [", "]}}}", to: &output)
    }
    open(.members(pairs, keyBase: keyBase), pairs.count, "{", "}}}", to: &output)
  }
}
