// The nodes of one container, for loops over all of them.

/// Reads the nodes of a container without looking up its document for each.
///
/// Valid until the graph gets another document; a loop that may open an archive makes a new one.
package struct NodeCursor {
  @usableFromInline let elements: Elements
  /// Where stored values lead; nil if the graph is to be asked.
  @usableFromInline let targets: UnsafeMutablePointer<UInt32>?

  /// Makes a cursor over a container's nodes.
  @inlinable @inline(__always)
  package init(_ elements: Elements, in graph: ObjectGraph) {
    self.elements = elements
    // Other widths are rare in archives that have targets.
    targets =
      elements.width == 2 || elements.width == 1
      ? graph.views[Int(elements.document)].targets : nil
  }

  /// The node at a position of the container.
  @inlinable @inline(__always)
  package func node(_ position: Int, in graph: ObjectGraph) -> Node {
    guard let targets else { return graph.node(elements, position) }
    let reference: Int
    if elements.narrowWidth == 2 {
      reference = Int(
        UInt16(
          bigEndian: elements.start.loadUnaligned(
            fromByteOffset: position &* 2, as: UInt16.self)))
    } else {
      reference = Int(elements.start.load(fromByteOffset: position, as: UInt8.self))
    }
    return Node(document: elements.document, index: targets[reference])
  }
}
