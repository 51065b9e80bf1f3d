// A set of nodes as bits: a hundred thousand cities cost some kilobytes, not a hash table.

/// A set of visited nodes.
public struct NodeSet {
  private var words: [[UInt64]] = []
  private let counts: (UInt32) -> Int

  /// Makes an empty set for the nodes of a graph.
  public init(in graph: ObjectGraph) {
    counts = { [unowned graph] in graph.documents[Int($0)].table.count }
  }

  /// Whether a node is in the set.
  public func contains(_ node: Node) -> Bool {
    guard Int(node.document) < words.count else { return false }
    let bits = words[Int(node.document)]
    let word = Int(node.index >> 6)
    return word < bits.count && bits[word] & (1 << UInt64(node.index & 63)) != 0
  }

  /// Adds a node.
  ///
  /// - Returns: whether it was new.
  @discardableResult
  public mutating func insert(_ node: Node) -> Bool {
    prepare(node)
    let mask: UInt64 = 1 << UInt64(node.index & 63)
    let word = Int(node.index >> 6)
    if words[Int(node.document)][word] & mask != 0 { return false }
    words[Int(node.document)][word] |= mask
    return true
  }

  /// Removes a node.
  public mutating func remove(_ node: Node) {
    prepare(node)
    words[Int(node.document)][Int(node.index >> 6)] &= ~(1 << UInt64(node.index & 63))
  }

  private mutating func prepare(_ node: Node) {
    while words.count <= Int(node.document) { words.append([]) }
    if words[Int(node.document)].isEmpty {
      words[Int(node.document)] = Array(repeating: 0, count: counts(node.document) / 64 + 1)
    }
  }
}
