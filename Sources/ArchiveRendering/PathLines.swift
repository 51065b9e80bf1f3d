// A graph as lines that git compares: `$.path = value` and `$.path: class`, each object once.

import ArchiveBasics
import ArchiveGraph
import ArchiveQueries

/// Writes each value of a graph as a line of its own that depends on nothing but its path and itself.
///
/// Members come in the order of their names. An object is shown at its shortest path, and anywhere else is a reference to
/// that.
package struct PathLines: ~Copyable {
  /// Not a `GraphWalk`: members have an order of their own.
  private struct Frame {
    let node: Node
    let container: GraphContainer
    /// The positions of the children in the order of their lines.
    let order: [Int]
    /// How long the path of the container is.
    let path: Int
    var next = 0
  }

  private let graph: ObjectGraph
  private let ignored: IgnoredValues
  private let digest: (ByteView) -> String
  /// A container and the position of a child there.
  private struct Origin: Equatable {
    let holder: Node
    let position: Int
  }

  /// The last step of the shortest path to each container.
  private var origins: [Node: Origin] = [:]
  private var stack: [Frame] = []
  private var path = ByteBuffer()

  /// Data of more bytes are identified by their digest.
  private static let mostBytes = 32

  /// Writes a graph from its root on.
  ///
  /// - Parameters:
  ///   - ignored: values that have no lines.
  ///   - digest: what identifies long data.
  /// - Throws: `ArchiveError` with code `limit` if values are nested too deep, or the lines take too many bytes.
  package static func write(
    _ graph: ObjectGraph, ignoring ignored: IgnoredValues = IgnoredValues(),
    to output: inout OutputBuffer, digest: @escaping (ByteView) -> String
  ) throws(ArchiveError) {
    if ignored.isRootIgnored { return }
    var lines = PathLines(graph, ignored, digest)
    lines.findOrigins()
    output.allow(graph.outputLimit)
    lines.run(to: &output)
    if let error = output.endBound() { throw error }
  }

  private init(
    _ graph: ObjectGraph, _ ignored: IgnoredValues,
    _ digest: @escaping (ByteView) -> String
  ) {
    (self.graph, self.ignored, self.digest) = (graph, ignored, digest)
    path.append(contentsOf: "$")
  }

  /// Walks over all containers, breadth first.
  private mutating func findOrigins() {
    var waiting = [opened(graph.root)]
    var next = 0
    while next < waiting.count {
      let holder = waiting[next]
      next += 1
      guard let container = GraphContainer(graph.value(of: holder)) else { continue }
      let order = order(of: container, holder)
      for position in order {
        let child = container.child(position, in: graph)
        guard graph.isContainerOrData(child) else { continue }
        let value = opened(child)
        guard origins[value] == nil, value != waiting[0], graph.value(of: value).isContainer else {
          continue
        }
        origins[value] = Origin(holder: holder, position: position)
        waiting.append(value)
      }
    }
  }

  /// A value, or the root of the archive in it.
  private func opened(_ node: Node) -> Node {
    var node = node
    while let content = graph.content(of: node) { node = content }
    return node
  }

  /// The shortest path of a container.
  private func path(of node: Node) -> String {
    var steps: [GraphPath.Step] = []
    var node = node
    while let origin = origins[node] {
      node = origin.holder
      if let container = GraphContainer(graph.value(of: node)) {
        steps.append(container.step(origin.position, in: graph))
      }
    }
    return GraphPath(steps.reversed()).description
  }

  private mutating func run(to output: inout OutputBuffer) {
    show(graph.root, nil, to: &output.bytes)
    while let frame = stack.last, !output.hasProblem {
      path.truncate(to: frame.path)
      guard frame.next < frame.order.count else {
        stack.removeLast()
        continue
      }
      stack[stack.count - 1].next += 1
      let position = frame.order[frame.next]
      let step = GraphPath([frame.container.step(position, in: graph)]).description
      ScalarText.append(plain: String(step.dropFirst()), to: &path)
      show(
        frame.container.child(position, in: graph), Origin(holder: frame.node, position: position),
        to: &output.bytes)
      output.flushIfFull()
    }
  }

  /// Writes the line of a value, and enters it.
  private mutating func show(_ node: Node, _ origin: Origin?, to output: inout ByteBuffer) {
    output.append(path.bytes)
    let target = opened(node)
    if graph.value(of: target).isContainer, origins[target] != origin {
      output.append(" = → ")
      ScalarText.append(plain: path(of: target), to: &output)
      return output.append(UInt8(ascii: "\n"))
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
    stack.append(
      Frame(
        node: current, container: container, order: order(of: container, current),
        path: path.count))
  }

  /// The positions of the children that have lines.
  private func order(of container: GraphContainer, _ holder: Node) -> [Int] {
    sorted(container).filter { !ignored.contains(holder, $0) }
  }

  private func sorted(_ container: GraphContainer) -> [Int] {
    guard case .members(let pairs) = container else { return Array(0..<container.childCount) }
    let names = (0..<pairs.count).map { position in
      CodePointString(
        graph.memberName(pairs, position)?.string ?? graph.label(of: graph.key(pairs, position)))
    }
    return names.indices.sorted { (names[$0], $0) < (names[$1], $1) }
  }
}
