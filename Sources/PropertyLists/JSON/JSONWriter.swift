// A graph as JSON: plain for people and jq, or typed so that nothing is lost.

import Basics
import ObjectGraph

/// Writes graphs as JSON.
public struct JSONWriter: ~Copyable {
  /// How the JSON is written.
  public struct Options: Sendable {
    /// Whether every type is written, so that the same graph can be made again.
    public var isTyped = false
    /// Whether everything is on one line.
    public var isCompact = false
    /// Whether typed JSON includes the archiver and the version of an archive if they are not the usual ones.
    public var includesArchiver = false
    /// How many containers deep to go; deeper ones are shown as `"…"`.
    ///
    /// Nil for all.
    public var depth: Int?

    /// Makes the default options: plain, indented, whole.
    public init(isTyped: Bool = false, isCompact: Bool = false, depth: Int? = nil) {
      self.isTyped = isTyped
      self.isCompact = isCompact
      self.depth = depth
    }
  }

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
    /// Whether the brace of `$inline` or `$boxed` is closed as well.
    var isMarked = false
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
  let sharing: SharingAnalysis
  var identified: NodeSet
  var stack = RawStack<Frame>()
  /// The indexes of values of open containers that were looked up before the first of them was written.
  var lookedUp = RawStack<UInt32>()
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
  public init(_ graph: ObjectGraph, root: Node, options: Options) throws(ArchiveError) {
    self.graph = graph
    self.options = options
    // Plain JSON writes what is shared again in each place, and refers only to what holds itself.
    sharing =
      options.isTyped
      ? try SharingAnalysis(of: root, in: graph, typed: true)
      : try SharingAnalysis(cyclesOf: root, in: graph)
    limit = graph.expansionLimit
    isScattered = Self.isScattered(graph)
    archives = options.isTyped ? graph.documents.map { $0.archive != nil } : []
    identified = NodeSet(in: graph)
    names = MemberNames(isCompact: options.isCompact)
    mostAlone = textForOneThread
  }

  /// Makes a writer for a part of what another writes.
  init(partOf division: JSONDivision) {
    graph = division.graph
    options = division.options
    sharing = division.sharing
    limit = graph.expansionLimit
    isScattered = Self.isScattered(graph)
    archives = []
    identified = NodeSet(in: graph)
    names = MemberNames(isCompact: options.isCompact)
    keys = division.keys
    indentation = division.indentation
  }

  /// Writes a value with all its content, with a newline at the end.
  ///
  /// - Throws: `ArchiveError` with code `limit` if the expansion of shared values becomes too large.
  public static func write(
    _ root: Node, of graph: ObjectGraph, options: Options = Options(),
    to output: inout OutputBuffer
  ) throws(ArchiveError) {
    var writer = try JSONWriter(graph, root: root, options: options)
    output.allow(graph.outputLimit)
    let isOpen = writer.openArchive(to: &output.bytes)
    try writer.run(root, to: &output)
    if isOpen { output.bytes.append(contentsOf: "}}") }
    if let error = output.takeOverflow() { throw error }
    output.bytes.append(UInt8(ascii: "\n"))
    output.flushIfFull()
  }

  mutating func run(_ root: Node, to output: inout OutputBuffer) throws(ArchiveError) {
    write(root, to: &output.bytes)
    try runOpen(to: &output)
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
      open(Frame(children: .entry(pairs, index), count: 2, closing: "}"), "{", to: &output)
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
  func standsInHolder(_ elements: Elements, _ position: Int) -> Bool {
    guard !archives.isEmpty, Int(elements.document) < archives.count,
      archives[Int(elements.document)]
    else { return false }
    return graph.isInline(elements, position)
  }

  // MARK: Layout

  /// Begins a container.
  mutating func open(_ frame: Frame, _ opening: StaticString, to output: inout ByteBuffer) {
    output.append(contentsOf: opening)
    stack.push(frame)
    indentation += 1
    if isScattered { lookUp(frame.children) }
  }

  private static func isScattered(_ graph: ObjectGraph) -> Bool {
    // Tests look up the values of small lists as well.
    if graph.limits.dividesAll { return true }
    return graph.documents.contains { $0.archive != nil && $0.table.isBeyondCaches }
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
    if case .members(_, let keyBase) = frame.children { keys.removeSubrange(keyBase...) }
    if frame.count + frame.leading > 0 { newline(to: &output) }
    output.append(contentsOf: frame.closing)
    if frame.isMarked { output.append(UInt8(ascii: "}")) }
  }

  @inline(__always)
  func separate(_ isFollowing: Bool, to output: inout ByteBuffer) {
    if isFollowing { output.append(UInt8(ascii: ",")) }
    newline(to: &output)
  }

  @inline(__always)
  private func newline(to output: inout ByteBuffer) {
    if !options.isCompact { output.appendLine(indentedBy: indentation &* 2) }
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
