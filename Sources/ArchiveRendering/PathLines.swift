// A graph as lines that git compares: `$.path = value` and `$.path: class`, each object once.

import ArchiveBasics
import ArchiveGraph
import ArchiveQueries

/// Writes each value of a graph as a line of its own that depends on nothing but its path and itself.
///
/// Members come in the order of their names. An object is shown at its shortest path, and anywhere else is a reference to
/// that. Where a path is long, its container has a mark, with which the paths of what it contains begin: what objects of
/// a chain take grows with their number, and not with its square.
package struct PathLines: ~Copyable {
  /// Not a `GraphWalk`: members have an order of their own.
  private struct Frame {
    let number: Int
    /// The positions of the children in the order of their lines.
    let order: [Int]
    /// What the paths of the children begin with.
    let path: String
    var next = 0
  }

  private let graph: ObjectGraph
  private let tree: PathTree
  private let digest: (ByteView) -> String
  /// The marks of containers whose paths are long.
  private var marks: [Int: String] = [:]
  private let order: (Node, GraphContainer) -> [Int]

  /// Data of more bytes are identified by their digest.
  private static let mostBytes = 32
  /// A container has a mark if its path has more bytes.
  private static let longestPath = 256
  /// How many hexadecimal digits of its digest the mark of a container has.
  private static let markDigits = 16

  /// Writes a graph from its root on.
  ///
  /// - Parameters:
  ///   - ignored: values that have no lines.
  ///   - digest: what identifies long data, and containers with long paths.
  /// - Throws: `ArchiveError` with code `limit` if the lines take too many bytes.
  package static func write(
    _ graph: ObjectGraph, ignoring ignored: IgnoredValues = IgnoredValues(),
    to output: inout OutputBuffer, digest: @escaping (ByteView) -> String
  ) throws(ArchiveError) {
    if ignored.isRootIgnored { return }
    let lines = PathLines(graph, ignored, digest)
    output.allow(graph.outputLimit)
    lines.run(to: &output)
    if let error = output.endBound() { throw error }
  }

  private init(
    _ graph: ObjectGraph, _ ignored: IgnoredValues, _ digest: @escaping (ByteView) -> String
  ) {
    (self.graph, self.digest) = (graph, digest)
    order = { node, container in
      graph.lineOrder(of: container).filter {
        !ignored.contains(node, container.pair(at: $0))
      }
    }
    tree = PathTree(graph, container: graph.lineContainer, positions: order)
    addMarks()
  }

  /// Gives each container with a long path its mark, those on the way to others first.
  private mutating func addMarks() {
    var lengths: [Int] = []
    for (number, entry) in tree.entries.enumerated() {
      guard let (holder, position) = entry.origin else {
        lengths.append(1)
        continue
      }
      let before = marks[holder]?.utf8.count ?? lengths[holder]
      lengths.append(before + step(position, in: tree.entries[holder].container).utf8.count)
      guard lengths[number] > Self.longestPath else { continue }
      var path = path(number)
      marks[number] = "…" + path.withByteView { String(digest($0).suffix(Self.markDigits)) }
    }
  }

  /// The text of a step; the key of an entry has the path of its value with a word after it.
  private func step(_ position: Int, in container: GraphContainer) -> String {
    let text = GraphPath([container.step(position, in: graph)]).description.dropFirst()
    return container.isKey(at: position) ? text + " key" : String(text)
  }

  /// The shortest path of a container, from the last mark on.
  private func path(_ number: Int) -> String {
    var steps: [String] = []
    var number = number
    var start = "$"
    while let (holder, position) = tree.entries[number].origin {
      steps.append(step(position, in: tree.entries[holder].container))
      number = holder
      if let mark = marks[holder] {
        start = mark
        break
      }
    }
    return start + steps.reversed().joined()
  }

  private func run(to output: inout OutputBuffer) {
    var stack: [Frame] = []
    if let frame = show(graph.root, "$", nil, to: &output.bytes) { stack.append(frame) }
    while let frame = stack.last, !output.hasProblem {
      guard frame.next < frame.order.count else {
        stack.removeLast()
        continue
      }
      stack[stack.count - 1].next += 1
      let position = frame.order[frame.next]
      let container = tree.entries[frame.number].container
      let path = frame.path + step(position, in: container)
      let child = container.child(position, in: graph)
      if let frame = show(child, path, (frame.number, position), to: &output.bytes) {
        stack.append(frame)
      }
      output.flushIfFull()
    }
  }

  /// Writes the line of a value.
  ///
  /// - Returns: its children; nil if it has none that are shown here.
  private func show(
    _ node: Node, _ path: String, _ origin: (holder: Int, position: Int)?,
    to output: inout ByteBuffer
  ) -> Frame? {
    ScalarText.append(plain: path, to: &output)
    defer { output.append(UInt8(ascii: "\n")) }
    let number = graph.isContainerOrData(node) ? tree.number(of: node) : nil
    let entry = number.map { tree.entries[$0] }
    if let number,
      entry?.origin?.holder != origin?.holder
        || entry?.origin?.position != origin?.position
    {
      output.append(" = → ")
      ScalarText.append(plain: self.path(number), to: &output)
      return nil
    }
    var current = node
    var kinds = ""
    while let content = graph.content(of: current) {
      kinds += "data ⟨\(graph.contentKind(of: content))⟩ "
      current = content
    }
    let value = graph.value(of: current)
    output.append((number == nil ? " = " : ": ") + kinds)
    let name = graph.classIndex(of: current).map { graph.classes[$0].displayName }
    let shown =
      number == nil ? name.flatMap { ScalarText.says($0) ? $0 : nil } : name ?? value.typeName
    if let shown { ScalarText.append(plain: shown, to: &output) }
    if shown != nil, number == nil { output.append(UInt8(ascii: " ")) }
    if case .data(let bytes) = value, bytes.count > Self.mostBytes {
      ScalarText.append(recognizing: bytes, to: &output)
      output.append(" SHA-256 \(digest(bytes))")
    } else {
      ScalarText.append(value, to: &output)
    }
    guard let number, let entry else { return nil }
    let order = order(entry.node, entry.container)
    if order.isEmpty { return nil }
    let mark = marks[number]
    if let mark { output.append(" \(mark)") }
    return Frame(number: number, order: order, path: mark ?? path)
  }
}

extension GraphContainer {
  /// The position of the pair, or of the element, that a child belongs to.
  fileprivate func pair(at position: Int) -> Int {
    if case .pairs(let pairs) = self, position >= pairs.count {
      position - pairs.count
    } else {
      position
    }
  }

  fileprivate func isKey(at position: Int) -> Bool {
    if case .pairs(let pairs) = self { position < pairs.count } else { false }
  }
}

extension ObjectGraph {
  /// The children of a value; keys are some if one of them is a container.
  fileprivate func lineContainer(_ node: Node) -> GraphContainer? {
    let value = value(of: node)
    guard case .dictionary(let pairs) = value, !pairs.isFields else { return GraphContainer(value) }
    return GraphContainer(value, keys: (0..<pairs.count).contains { isObjectKey(pairs, $0) })
  }

  private func isObjectKey(_ pairs: Pairs, _ position: Int) -> Bool {
    self.value(of: key(pairs, position)).isContainer
  }

  /// The positions of the children that have lines, in their order.
  fileprivate func lineOrder(of container: GraphContainer) -> [Int] {
    switch container {
    case .elements, .content: Array(0..<container.childCount)
    case .members(let pairs): sorted(pairs)
    case .pairs(let pairs):
      sorted(pairs).flatMap {
        isObjectKey(pairs, $0) ? [$0, pairs.count + $0] : [pairs.count + $0]
      }
    }
  }

  private func sorted(_ pairs: Pairs) -> [Int] {
    let names = (0..<pairs.count).map { position in
      CodePointString(memberName(pairs, position)?.string ?? label(of: key(pairs, position)))
    }
    return names.indices.sorted { (names[$0], $0) < (names[$1], $1) }
  }
}
