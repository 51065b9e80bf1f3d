// The nodes of a container, and of a whole archive, as collections.

import ObjectGraph

/// The elements of an array or a set.
public struct ArchiveElements: RandomAccessCollection {
  private let archive: Archive
  private let elements: Elements?

  init(_ archive: Archive, _ elements: Elements?) {
    self.archive = archive
    self.elements = elements
  }

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { elements?.count ?? 0 }

  /// The element at a position.
  public subscript(position: Int) -> ArchiveNode {
    guard let elements, elements.count > position, position >= 0 else {
      preconditionFailure("no element \(position)")
    }
    return ArchiveNode(archive, archive.graph.node(elements, position))
  }
}

/// The keys and values of a dictionary, or the fields of an object, in stored order.
public struct ArchiveMembers: RandomAccessCollection {
  /// A pair.
  public struct Member {
    /// The key, which a dictionary may have of any kind.
    public let key: ArchiveNode
    /// The value.
    public let value: ArchiveNode
    /// The key as the coder named it; nil if it is not a string.
    public let name: String?
  }

  private let archive: Archive
  private let pairs: Pairs?

  init(_ archive: Archive, _ pairs: Pairs?) {
    self.archive = archive
    self.pairs = pairs
  }

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of pairs.
  public var endIndex: Int { pairs?.count ?? 0 }

  /// The pair at a position.
  public subscript(position: Int) -> Member {
    guard let pairs, pairs.count > position, position >= 0 else {
      preconditionFailure("no member \(position)")
    }
    let graph = archive.graph
    return Member(
      key: ArchiveNode(archive, graph.key(pairs, position)),
      value: ArchiveNode(archive, graph.value(pairs, position)),
      name: graph.memberName(pairs, position)?.string)
  }
}

/// Every node reachable from one, each once, itself first; archives in data values are entered.
public struct ArchiveNodes: Sequence, IteratorProtocol {
  private var waiting: [ArchiveNode]
  private var seen: Set<ArchiveNode> = []

  init(from start: ArchiveNode) { waiting = [start] }

  /// The next node.
  public mutating func next() -> ArchiveNode? {
    while let node = waiting.popLast() {
      guard seen.insert(node).inserted else { continue }
      waiting.append(contentsOf: children(of: node).reversed())
      return node
    }
    return nil
  }

  private func children(of node: ArchiveNode) -> [ArchiveNode] {
    switch node.kind {
    case .array, .set, .orderedSet: Array(node.elements)
    case .dictionary, .object: node.members.flatMap { [$0.key, $0.value] }
    case .data: node.contents.map { [$0] } ?? []
    default: []
    }
  }
}
