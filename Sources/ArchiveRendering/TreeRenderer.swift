// A graph as an indented tree for people: classes are named, each container is shown once and then by number.

import ArchiveBasics
import ArchiveGraph

/// Draws graphs as trees.
package struct TreeRenderer: ~Copyable {
  /// How a tree is drawn.
  package struct Options: Sendable {
    /// How many containers deep to go; nil for all.
    package var depth: Int?
    /// Whether to color with ANSI escape sequences.
    package var isColoured: Bool
    /// Whether to show each node's position in the file: `@92+7` for the seven bytes from byte 92 on, `@92` in
    /// text encodings, of which only the beginnings are known.
    package var showsOffsets: Bool
    /// What the first value is called.
    package var rootName = "$"
    /// How many columns a line may have: longer strings are cut and tell their length, and an attributed string is a
    /// line a run; nil for lines of any length.
    package var width: Int?
    /// How many elements or members of each container are shown; nil for all.
    package var mostItems: Int?
    /// The time zone of dates.
    package var zone = DateZone.utc

    /// Makes options.
    package init(depth: Int? = nil, isColoured: Bool = false, showsOffsets: Bool = false) {
      self.depth = depth
      self.isColoured = isColoured
      self.showsOffsets = showsOffsets
    }
  }

  private enum Children {
    case elements(Elements)
    case pairs(Pairs)
    /// The runs of an attributed string.
    case runs(Elements)
    /// Some of the members: the attributes of a run that are more than a line.
    case chosen(Pairs, [Int])
  }

  /// Not a `GraphWalk`: a level also draws the guides of its lines.
  private struct Frame {
    let children: Children
    /// How many lines there are: one for each child that is shown, and one if others are not.
    let count: Int
    /// How many children are not shown.
    let hidden: Int
    /// How long the line prefix was before this container's children.
    let prefix: Int
    var next = 0
  }

  let graph: ObjectGraph
  let options: Options
  private let sharing: SharingAnalysis
  /// Where an object is shown that is only named here; nil for all others.
  private let reference: ((Node) -> String?)?
  private var shown: NodeSet
  private var stack: [Frame] = []
  private var prefix = ByteBuffer()
  private var visited = 0
  /// Where the current line begins in the output.
  private var lineStart = 0
  private let limit: Int
  /// The last data that were written.
  private var recognized: (bytes: ByteView, text: [UInt8])?

  private init(
    _ graph: ObjectGraph, root: Node, _ options: Options, _ reference: ((Node) -> String?)?
  ) throws(ArchiveError) {
    self.graph = graph
    self.options = options
    self.reference = reference
    sharing =
      reference == nil
      ? try SharingAnalysis(of: root, in: graph) : SharingAnalysis(withoutCyclesIn: graph)
    limit = graph.expansionLimit
    shown = NodeSet(in: graph)
  }

  /// Draws a value with all its content, one line for each value.
  ///
  /// - Parameter reference: where an object in it is shown that is only named here; nil for all others.
  /// - Throws: `ArchiveError` with code `limit` if values are nested too deep.
  package static func render(
    _ root: Node, of graph: ObjectGraph, options: Options = Options(),
    to output: inout OutputBuffer, reference: ((Node) -> String?)? = nil
  ) throws(ArchiveError) {
    var renderer = try TreeRenderer(graph, root: root, options, reference)
    output.allow(graph.outputLimit)
    try renderer.run(root, to: &output)
    if let error = output.endBound() { throw error }
  }

  private mutating func run(_ root: Node, to output: inout OutputBuffer) throws(ArchiveError) {
    lineStart = output.bytes.count
    output.bytes.append("\(options.rootName): ")
    show(root, to: &output.bytes)
    while let frame = stack.last {
      guard frame.next < frame.count else {
        stack.removeLast()
        prefix.truncate(to: frame.prefix)
        continue
      }
      stack[stack.count - 1].next = frame.next + 1
      step(frame, to: &output.bytes)
      output.flushIfFull()
      visited &+= 1
      // Errors of the output are reported by its `finish`.
      if output.hasProblem { return }
      if visited > limit {
        throw ArchiveError(.limit, "the tree would have over \(visited) lines")
      }
    }
  }

  private mutating func step(_ frame: Frame, to output: inout ByteBuffer) {
    let isLast = frame.next + 1 == frame.count
    prefix.truncate(to: frame.prefix)
    lineStart = output.count
    style("\u{1B}[2m", to: &output)
    output.append(prefix.bytes)
    output.append(contentsOf: isLast ? "└─ " : "├─ ")
    if frame.hidden > 0, isLast {
      output.append("… \(Counted.number(frame.hidden)) more")
      style("\u{1B}[0m", to: &output)
      return output.append(UInt8(ascii: "\n"))
    }
    style("\u{1B}[0m", to: &output)
    prefix.append(contentsOf: isLast ? "   " : "│  ")
    switch frame.children {
    case .elements(let elements):
      output.append("[\(frame.next)]: ")
      show(graph.node(elements, frame.next), to: &output)
    case .pairs(let pairs): showMember(pairs, frame.next, to: &output)
    case .chosen(let pairs, let chosen): showMember(pairs, chosen[frame.next], to: &output)
    case .runs(let elements): showRun(graph.node(elements, frame.next), to: &output)
    }
  }

  private mutating func showMember(_ pairs: Pairs, _ index: Int, to output: inout ByteBuffer) {
    writeStyledKey(pairs, index, to: &output)
    if options.width != nil, let folded = FoldedTypes(pairs, index, graph) {
      output.append("\(folded.text)\n")
    } else {
      show(graph.value(pairs, index), to: &output)
    }
  }

  private func writeStyledKey(_ pairs: Pairs, _ index: Int, to output: inout ByteBuffer) {
    style("\u{1B}[34;1m", to: &output)
    writeKey(pairs, index, to: &output)
    style("\u{1B}[0m", to: &output)
    output.append(contentsOf: ": ")
  }

  // MARK: Lines

  /// Writes a value, ends its line, and pushes its children on the stack.
  private mutating func show(_ node: Node, to output: inout ByteBuffer) {
    if !stack.isEmpty, let path = reference?(node) {
      output.append("→ ")
      ScalarText.append(plain: path, to: &output)
      return endLine(node, to: &output)
    }
    let isShared = sharing.shared.contains(node) && isShownOnce(node)
    if isShared, sharing.isNearer(node, than: stack.count) || !shown.insert(node) {
      output.append("→ \(graph.label(of: node))")
      return endLine(node, to: &output)
    }
    var current = node
    // Data with an archive is shown with its content, on one line.
    while case .data(let bytes) = graph.value(of: current), let content = graph.content(of: current)
    {
      output.append("data (\(Counted.text(bytes.count, "byte"))) ")
      if options.showsOffsets {
        writeOffset(of: current, to: &output)
        output.append(UInt8(ascii: " "))
      }
      output.append("⟨\(graph.contentKind(of: content))⟩ ")
      current = content
    }
    let value = graph.value(of: current)
    writeClass(of: current, value, to: &output)
    if graph.isContainerOrData(current), let summary = graph.summary(of: current) {
      output.append(UInt8(ascii: " "))
      ScalarText.append(plain: summary, to: &output)
    }
    if value.isContainer {
      if isShared { output.append(" \(graph.label(of: node))") }
      enter(value, current, to: &output)
    } else {
      if case .data(let bytes) = value {
        writeData(bytes, of: current, to: &output)
      } else {
        writeScalar(value, to: &output)
      }
      endLine(current, to: &output)
    }
  }

  /// Writes data; those that a list has over and over are looked at once.
  private mutating func writeData(_ bytes: ByteView, of node: Node, to output: inout ByteBuffer) {
    if let error = graph.contentError(of: node) {
      // What begins as a known kind and is none is data like any other.
      writeScalar(.data(bytes), to: &output)
      if !error.isAboutData {
        output.append(" ⟨broken: \(error.message.escapedForTerminal)⟩")
      }
      return
    }
    if let known = recognized, known.bytes.baseAddress == bytes.baseAddress,
      known.bytes.count == bytes.count
    {
      return known.text.withByteView { output.append($0) }
    }
    let start = output.count
    ScalarText.append(recognizing: bytes, to: &output)
    recognized = (bytes, Array(output.bytes[start...]))
  }

  /// Writes a scalar with the colors of jq, a string as far as the line has room.
  private func writeScalar(_ value: Value, to output: inout ByteBuffer) {
    let color: StaticString? =
      switch value {
      case .null: "\u{1B}[90m"
      case .string: "\u{1B}[32m"
      // Numbers and booleans have the color of text.
      default: nil
      }
    if case .string(let text) = value, let room = room(in: output) {
      return writeString(text, columns: room, to: &output)
    }
    if let color { style(color, to: &output) }
    ScalarText.append(value, zone: options.zone, to: &output)
    if color != nil { style("\u{1B}[0m", to: &output) }
  }

  /// How many columns are left of the current line; nil if lines have no end.
  private func room(in output: borrowing ByteBuffer) -> Int? {
    guard let width = options.width else { return nil }
    let line = output.bytes.part(from: lineStart)
    let offsetColumns = options.showsOffsets ? Self.offsetWidth : 0
    return max(width - TerminalCells.count(ofLine: line) - offsetColumns, Self.leastRoom)
  }

  /// How many columns a string gets in a line that is full without it, and how many the place of a value takes.
  private static let (leastRoom, offsetWidth) = (32, 14)

  // MARK: Attributed strings

  /// Writes a run as a line: `[5..8) "Dad"  name: value`; attributes that are more than a line are its children.
  private mutating func showRun(_ node: Node, to output: inout ByteBuffer) {
    guard let run = AttributedRuns.run(node, graph) else { return show(node, to: &output) }
    output.append("[\(run.location)..\(run.location &+ run.length)) ")
    // The attributes get the other half of the line.
    let room = room(in: output).map { max($0 / 2, Self.leastRoom) }
    writeString(run.text, columns: room ?? .max, to: &output)
    guard let pairs = attributes(of: run) else { return output.append(UInt8(ascii: "\n")) }
    var containers: [Int] = []
    var (omitted, isFull) = (0, false)
    // Many runs may share a dictionary of many attributes.
    let most = min(pairs.count, Self.mostAttributes)
    omitted = pairs.count - most
    for index in 0..<most {
      let value = graph.value(pairs, index)
      if isShownOnce(value) {
        containers.append(index)
        continue
      }
      // Measured on a line of its own.
      var item = ByteBuffer()
      item.append(contentsOf: "  ")
      writeStyledKey(pairs, index, to: &item)
      writeClass(of: value, graph.value(of: value), to: &item)
      if case .string(let text) = graph.value(of: value) {
        writeString(text, columns: Self.longestAttribute, to: &item)
      } else {
        ScalarText.append(graph.value(of: value), zone: options.zone, to: &item)
      }
      let used = TerminalCells.count(
        ofLine: output.bytes.part(from: lineStart))
      let size = TerminalCells.count(ofLine: item.bytes)
      if !isFull, used + size <= (options.width ?? .max) - 10 {
        output.append(item.bytes)
      } else {
        isFull = true
        omitted += 1
      }
    }
    if omitted > 0 { output.append("  … \(Counted.number(omitted)) more") }
    output.append(UInt8(ascii: "\n"))
    guard !containers.isEmpty, options.depth.map({ stack.count < $0 }) ?? true else { return }
    stack.append(
      Frame(
        children: .chosen(pairs, containers), count: containers.count, hidden: 0,
        prefix: prefix.count))
  }

  private func attributes(of run: AttributedRuns.Run) -> Pairs? {
    switch graph.value(of: run.attributes) {
    case .dictionary(let pairs), .object(_, let pairs): pairs.count > 0 ? pairs : nil
    default: nil
    }
  }

  /// Writes a string that takes no more than some columns.
  private func writeString(_ text: Text, columns: Int, to output: inout ByteBuffer) {
    style("\u{1B}[32m", to: &output)
    let length = ScalarText.append(quoted: text, columns: columns, to: &output)
    style("\u{1B}[0m", to: &output)
    if let length { output.append(length) }
  }

  /// How many columns the value of an attribute takes.
  private static let mostAttributes = 32
  private static let longestAttribute = 40

  // MARK: Parts of lines

  /// Whether a node is more than a line: scalars that occur again are simply repeated.
  private func isShownOnce(_ node: Node) -> Bool {
    graph.value(of: node).isContainer || graph.content(of: node) != nil
  }

  private func writeClass(of node: Node, _ value: Value, to output: inout ByteBuffer) {
    let name =
      graph.isContainerOrData(node)
      ? graph.classIndex(of: node).map { graph.classes[$0].displayName } : nil
    switch value {
    case .array(let elements): summary(name ?? "array", elements.count, to: &output)
    case .set(let elements): summary(name ?? "set", elements.count, to: &output)
    case .orderedSet(let elements): summary(name ?? "ordered set", elements.count, to: &output)
    case .dictionary(let pairs): summary(name ?? "dictionary", pairs.count, to: &output)
    case .object(_, let pairs): summary(name ?? "object", pairs.count, to: &output)
    default:
      guard let name, ScalarText.says(name) else { return }
      output.append(name)
      output.append(UInt8(ascii: " "))
    }
  }

  private func summary(_ name: String, _ count: Int, to output: inout ByteBuffer) {
    style("\u{1B}[1m", to: &output)
    ScalarText.append(plain: name, to: &output)
    style("\u{1B}[0m", to: &output)
    output.append(" (\(count))")
  }

  private func endLine(_ node: Node, to output: inout ByteBuffer) {
    if options.showsOffsets {
      output.append(UInt8(ascii: " "))
      writeOffset(of: node, to: &output)
    }
    output.append(UInt8(ascii: "\n"))
  }

  private func writeOffset(of node: Node, to output: inout ByteBuffer) {
    style("\u{1B}[2m", to: &output)
    let document = graph.document(of: node)
    if let offset = document.fileOffset(of: node.index) {
      output.append("@\(offset)")
      if document.encoding.isTable {
        output.append("+\(document.table.bytes(of: node.index).count)")
      }
    } else {
      output.append(contentsOf: "@?")
    }
    style("\u{1B}[0m", to: &output)
  }

  private mutating func enter(_ value: Value, _ node: Node, to output: inout ByteBuffer) {
    let children: Children
    let total: Int
    switch value {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      (children, total) = (.elements(elements), elements.count)
    case .dictionary(let pairs), .object(_, let pairs):
      if options.width != nil, !options.showsOffsets,
        let runs = AttributedRuns(of: value, in: graph)
      {
        (children, total) = (.runs(runs.elements), runs.elements.count)
      } else {
        (children, total) = (.pairs(pairs), pairs.count)
      }
    default: return
    }
    let hidden = options.mostItems.map { max(0, total - $0) } ?? 0
    let frame = Frame(
      children: children, count: total - hidden + (hidden > 0 ? 1 : 0), hidden: hidden,
      prefix: prefix.count)
    if let depth = options.depth, stack.count >= depth, frame.count > 0 {
      output.append(contentsOf: " …")
      endLine(node, to: &output)
    } else {
      endLine(node, to: &output)
      if frame.count > 0 { stack.append(frame) }
    }
  }

  private func writeKey(_ pairs: Pairs, _ index: Int, to output: inout ByteBuffer) {
    if let text = graph.memberName(pairs, index) {
      return ScalarText.append(key: text, to: &output)
    }
    let node = graph.key(pairs, index)
    let value = graph.value(of: node)
    writeClass(of: node, value, to: &output)
    if !value.isContainer { ScalarText.append(value, zone: options.zone, to: &output) }
  }

  private func style(_ sequence: StaticString, to output: inout ByteBuffer) {
    if options.isColoured { output.append(contentsOf: sequence) }
  }
}
