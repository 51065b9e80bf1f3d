// A graph as lines that git compares: `$.path = value` and `$.path: class`, each object once.

import ArchiveBasics
import ArchiveGraph

/// Writes each value of a graph as a line of its own that depends on nothing but its path and itself.
///
/// Members come in the order of their names. An object that is met again is a reference to the path of its line.
package struct PathLines: ~Copyable {
  /// Not a `GraphWalk`: members have an order of their own.
  private struct Frame {
    let container: GraphContainer
    /// The positions of members in the order of their names; nil for elements.
    let order: [Int]?
    /// How long the path of the container is.
    let path: Int
    var next = 0
  }

  private let graph: ObjectGraph
  private let sharing: SharingAnalysis
  private let digest: (ByteView) -> String
  /// The paths of the objects that are met again.
  private var paths: [Node: String] = [:]
  private var stack: [Frame] = []
  private var path = ByteBuffer()

  /// Data of more bytes are identified by their digest.
  private static let mostBytes = 32

  /// Writes a graph from its root on.
  ///
  /// - Parameter digest: what identifies long data.
  /// - Throws: `ArchiveError` with code `limit` if values are nested too deep, or the lines take too many bytes.
  package static func write(
    _ graph: ObjectGraph, to output: inout OutputBuffer,
    digest: @escaping (ByteView) -> String
  ) throws(ArchiveError) {
    var lines = PathLines(graph, try SharingAnalysis(of: graph.root, in: graph), digest)
    output.allow(graph.outputLimit)
    lines.run(to: &output)
    if let error = output.endBound() { throw error }
  }

  private init(
    _ graph: ObjectGraph, _ sharing: SharingAnalysis,
    _ digest: @escaping (ByteView) -> String
  ) {
    (self.graph, self.sharing, self.digest) = (graph, sharing, digest)
    path.append(contentsOf: "$")
  }

  private mutating func run(to output: inout OutputBuffer) {
    show(graph.root, to: &output.bytes)
    while let frame = stack.last, !output.hasProblem {
      path.truncate(to: frame.path)
      guard frame.next < frame.container.childCount else {
        stack.removeLast()
        continue
      }
      stack[stack.count - 1].next += 1
      let position = frame.order.map { $0[frame.next] } ?? frame.next
      let step = GraphPath([frame.container.step(position, in: graph)]).description
      ScalarText.append(plain: String(step.dropFirst()), to: &path)
      show(frame.container.child(position, in: graph), to: &output.bytes)
      output.flushIfFull()
    }
  }

  /// Writes the line of a value, and enters it.
  private mutating func show(_ node: Node, to output: inout ByteBuffer) {
    output.append(path.bytes)
    if sharing.shared.contains(node),
      graph.value(of: node).isContainer || graph.content(of: node) != nil
    {
      if let known = paths[node] {
        output.append(" = → \(known)\n")
        return
      }
      paths[node] = String(decoding: path.bytes, as: UTF8.self)
    }
    var current = node
    var kinds = ""
    while let content = graph.content(of: current) {
      kinds += "data ⟨\(graph.contentKind(of: content))⟩ "
      current = content
    }
    let value = graph.value(of: current)
    let container = GraphContainer(value)
    output.append((container == nil ? " = " : ": ") + kinds)
    let name = graph.classIndex(of: current).map { graph.classes[$0].displayName }
    let shown =
      container == nil ? name.flatMap { ScalarText.says($0) ? $0 : nil } : name ?? value.typeName
    if let shown { ScalarText.append(plain: shown, to: &output) }
    if shown != nil, container == nil { output.append(UInt8(ascii: " ")) }
    if case .data(let bytes) = value, bytes.count > Self.mostBytes {
      ScalarText.append(recognizing: bytes, to: &output)
      output.append(" SHA-256 \(digest(bytes))")
    } else {
      ScalarText.append(value, to: &output)
    }
    output.append(UInt8(ascii: "\n"))
    guard let container, container.childCount > 0 else { return }
    stack.append(Frame(container: container, order: order(of: container), path: path.count))
  }

  private func order(of container: GraphContainer) -> [Int]? {
    guard case .members(let pairs) = container else { return nil }
    let names = (0..<pairs.count).map { position in
      CodePointString(
        graph.memberName(pairs, position)?.string ?? graph.label(of: graph.key(pairs, position)))
    }
    return names.indices.sorted { (names[$0], $0) < (names[$1], $1) }
  }
}
