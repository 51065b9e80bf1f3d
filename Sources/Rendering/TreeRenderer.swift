// A graph as an indented tree for people: classes are named, each container is shown once and then by number.

import Basics
import ObjectGraph
import PropertyLists

/// Draws graphs as trees.
public struct TreeRenderer: ~Copyable {
  /// How a tree is drawn.
  public struct Options: Sendable {
    /// How many containers deep to go; nil for all.
    public var depth: Int?
    /// Whether to color with ANSI escape sequences.
    public var isColoured: Bool
    /// Whether to show each node's position in the file: `@92+7` for the seven bytes from byte 92 on, `@92` in
    /// text encodings, of which only the beginnings are known.
    public var showsOffsets: Bool
    /// Whether members are drawn in the order of their names, not in that in which they are stored.
    public var sortsMembers = false
    /// What the first value is called.
    public var rootName = "$"

    /// Makes options.
    public init(depth: Int? = nil, isColoured: Bool = false, showsOffsets: Bool = false) {
      self.depth = depth
      self.isColoured = isColoured
      self.showsOffsets = showsOffsets
    }
  }

  private enum Children {
    case elements(Elements)
    case pairs(Pairs)
    /// Members, and the order in which they are drawn.
    case sorted(Pairs, [Int])
  }

  /// Not a `GraphWalk`: a level also draws the guides of its lines.
  private struct Frame {
    let children: Children
    let count: Int
    /// How long the line prefix was before this container's children.
    let prefix: Int
    var next = 0
  }

  let graph: ObjectGraph
  let options: Options
  private let sharing: SharingAnalysis
  private var shown: NodeSet
  private var stack: [Frame] = []
  private var prefix = ByteBuffer()
  private var visited = 0
  private let limit: Int

  private init(_ graph: ObjectGraph, root: Node, _ options: Options) throws(ArchiveError) {
    self.graph = graph
    self.options = options
    sharing = try SharingAnalysis(of: root, in: graph)
    limit = graph.expansionLimit
    shown = NodeSet(in: graph)
  }

  /// Draws a value with all its content, one line for each value.
  ///
  /// - Throws: `ArchiveError` with code `limit` if values are nested too deep.
  public static func render(
    _ root: Node, of graph: ObjectGraph, options: Options = Options(),
    to output: inout OutputBuffer
  ) throws(ArchiveError) {
    var renderer = try TreeRenderer(graph, root: root, options)
    output.allow(graph.outputLimit)
    try renderer.run(root, to: &output)
    if let error = output.takeOverflow() { throw error }
  }

  private mutating func run(_ root: Node, to output: inout OutputBuffer) throws(ArchiveError) {
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
    output.append(prefix.bytes)
    style("\u{1B}[2m", to: &output)
    output.append(contentsOf: isLast ? "└─ " : "├─ ")
    style("\u{1B}[0m", to: &output)
    prefix.append(contentsOf: isLast ? "   " : "│  ")
    switch frame.children {
    case .elements(let elements):
      output.append("[\(frame.next)]: ")
      show(graph.node(elements, frame.next), to: &output)
    case .pairs(let pairs): show(pairs, frame.next, to: &output)
    case .sorted(let pairs, let order): show(pairs, order[frame.next], to: &output)
    }
  }

  private mutating func show(_ pairs: Pairs, _ position: Int, to output: inout ByteBuffer) {
    style("\u{1B}[36m", to: &output)
    writeKey(pairs, position, to: &output)
    style("\u{1B}[0m", to: &output)
    output.append(contentsOf: ": ")
    show(graph.value(pairs, position), to: &output)
  }

  // MARK: Lines

  /// Writes a value, ends its line, and pushes its children on the stack.
  private mutating func show(_ node: Node, to output: inout ByteBuffer) {
    let isShared = sharing.shared.contains(node) && isShownOnce(node)
    if isShared, !shown.insert(node) {
      output.append("→ \(graph.label(of: node))")
      return endLine(node, to: &output)
    }
    var current = node
    // Data with an archive is shown with its content, on one line.
    while case .data(let bytes) = graph.value(of: current), let content = graph.content(of: current)
    {
      output.append("data (\(bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes")) ")
      if options.showsOffsets {
        writePlace(of: current, to: &output)
        output.append(UInt8(ascii: " "))
      }
      output.append("⟨\(graph.contentKind(of: content))⟩ ")
      current = content
    }
    let value = graph.value(of: current)
    writeClass(of: current, value, to: &output)
    writeSummary(of: current, to: &output)
    if value.isContainer {
      if isShared { output.append(" \(graph.label(of: node))") }
      enter(value, current, to: &output)
    } else {
      if let error = graph.contentError(of: current) {
        ScalarText.append(value, to: &output)
        output.append(" ⟨broken: \(error.message.escapedForTerminal)⟩")
      } else if case .data(let bytes) = value {
        ScalarText.append(recognizing: bytes, to: &output)
      } else {
        ScalarText.append(value, to: &output)
      }
      endLine(current, to: &output)
    }
  }

  /// Whether a node is more than a line: scalars that occur again are simply repeated.
  private func isShownOnce(_ node: Node) -> Bool {
    graph.value(of: node).isContainer || graph.content(of: node) != nil
  }

  private func writeClass(of node: Node, _ value: Value, to output: inout ByteBuffer) {
    let name =
      graph.mayHold(node)
      ? graph.classIndex(of: node).map { graph.classes[$0].displayName } : nil
    switch value {
    case .array(let elements): summary(name ?? "array", elements.count, to: &output)
    case .set(let elements): summary(name ?? "set", elements.count, to: &output)
    case .orderedSet(let elements): summary(name ?? "ordered set", elements.count, to: &output)
    case .dictionary(let pairs): summary(name ?? "dictionary", pairs.count, to: &output)
    case .object(_, let pairs): summary(name ?? "object", pairs.count, to: &output)
    default:
      // A class that adds to the value: a URL's, a mutable string's; not NSDate's or NSNull's.
      guard let name, name != "NSDate", name != "NSNull" else { return }
      output.append(name)
      output.append(UInt8(ascii: " "))
    }
  }

  /// Writes what an object means, before its fields.
  private func writeSummary(of node: Node, to output: inout ByteBuffer) {
    guard graph.mayHold(node), let summary = graph.summary(of: node) else { return }
    output.append(UInt8(ascii: " "))
    ScalarText.append(plain: summary, to: &output)
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
      writePlace(of: node, to: &output)
    }
    output.append(UInt8(ascii: "\n"))
  }

  private func writePlace(of node: Node, to output: inout ByteBuffer) {
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
    let frame: Frame
    switch value {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      frame = Frame(children: .elements(elements), count: elements.count, prefix: prefix.count)
    case .dictionary(let pairs), .object(_, let pairs):
      let children = options.sortsMembers ? sorted(pairs) : .pairs(pairs)
      frame = Frame(children: children, count: pairs.count, prefix: prefix.count)
    default: return
    }
    if let depth = options.depth, stack.count >= depth, frame.count > 0 {
      output.append(contentsOf: " …")
      endLine(node, to: &output)
    } else {
      endLine(node, to: &output)
      if frame.count > 0 { stack.append(frame) }
    }
  }

  private func sorted(_ pairs: Pairs) -> Children {
    let names = (0..<pairs.count).map { position in
      CodePointString(
        graph.memberName(pairs, position)?.string ?? graph.label(of: graph.key(pairs, position)))
    }
    return .sorted(pairs, names.indices.sorted { (names[$0], $0) < (names[$1], $1) })
  }

  private func writeKey(_ pairs: Pairs, _ index: Int, to output: inout ByteBuffer) {
    if let text = graph.memberName(pairs, index) {
      return ScalarText.append(key: text, to: &output)
    }
    let node = graph.key(pairs, index)
    let value = graph.value(of: node)
    writeClass(of: node, value, to: &output)
    if !value.isContainer { ScalarText.append(value, to: &output) }
  }

  private func style(_ sequence: StaticString, to output: inout ByteBuffer) {
    if options.isColoured { output.append(contentsOf: sequence) }
  }
}
