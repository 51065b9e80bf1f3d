// Values that are not stored in this form: a URL's text, the elements of old array notations.

/// Memory for values that are computed from stored ones; it lives as long as its graph.
public final class SyntheticArena {
  var known: [Node: Value] = [:]
  private var allocations: [UnsafeMutableRawPointer] = []
  /// How many bytes were copied or looked at for values.
  private(set) var spent = 0
  /// Whether a value was refused.
  var isExhausted = false

  deinit {
    for allocation in allocations { allocation.deallocate() }
  }

  /// A string that the graph keeps.
  public func text(_ string: String) -> Text {
    var string = string
    return string.withUTF8 { bytes in
      let copy = allocate(bytes.count)
      UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyBytes(from: bytes)
      return Text(base: UnsafeRawPointer(copy), byteCount: bytes.count, form: .utf8)
    }
  }

  /// Elements that are listed one by one.
  public func elements(_ nodes: [Node]) -> Elements {
    let copy = allocate(nodes.count * MemoryLayout<Node>.stride)
    let typed = copy.bindMemory(to: Node.self, capacity: nodes.count)
    for (position, node) in nodes.enumerated() { (typed + position).initialize(to: node) }
    return Elements(start: UnsafeRawPointer(copy), count: nodes.count, width: 0, document: 0)
  }

  /// Counts bytes.
  func spend(_ bytes: Int) {
    let (sum, isOver) = spent.addingReportingOverflow(max(bytes, 0))
    spent = isOver ? .max : sum
  }

  private func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    spend(byteCount)
    let allocation = UnsafeMutableRawPointer.allocate(
      byteCount: max(byteCount, 1), alignment: MemoryLayout<Node>.alignment)
    allocations.append(allocation)
    return allocation
  }
}
