// A set of nodes as bits: a hundred thousand cities cost some kilobytes, not a hash table.

import Basics

/// A set of visited nodes; a copy is the same set.
public struct NodeSet {
  private let storage: Storage

  /// Makes an empty set for the nodes of a graph.
  public init(in graph: ObjectGraph) { storage = Storage(graph) }

  /// Whether a node is in the set.
  @inline(__always)
  public func contains(_ node: Node) -> Bool {
    guard Int(node.document) < storage.count, let words = storage.words[Int(node.document)] else {
      return false
    }
    return words[Int(node.index >> 6)] & mask(node) != 0
  }

  /// Adds a node.
  ///
  /// - Returns: whether it was new.
  @discardableResult @inline(__always)
  public mutating func insert(_ node: Node) -> Bool {
    let word = storage.bits(of: node.document) + Int(node.index >> 6)
    let isNew = word.pointee & mask(node) == 0
    word.pointee |= mask(node)
    return isNew
  }

  /// Removes a node.
  @inline(__always)
  public mutating func remove(_ node: Node) {
    (storage.bits(of: node.document) + Int(node.index >> 6)).pointee &= ~mask(node)
  }

  @inline(__always)
  private func mask(_ node: Node) -> UInt64 { 1 << UInt64(node.index & 63) }
}

extension NodeSet {
  /// The bits of each document, made when the first of its nodes is added.
  private final class Storage {
    private unowned let graph: ObjectGraph
    /// As many as `count`, nil for documents without a node in the set.
    fileprivate private(set) var words: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>?>
    fileprivate private(set) var count = 1

    init(_ graph: ObjectGraph) {
      self.graph = graph
      words = .allocate(capacity: 1)
      words.initialize(to: nil)
    }

    deinit {
      for number in 0..<count { words[number]?.deallocate() }
      words.deallocate()
    }

    /// The bits of a document's nodes, whose indexes are below the count of its table.
    @inline(__always)
    fileprivate func bits(of document: UInt32) -> UnsafeMutablePointer<UInt64> {
      if Int(document) < count, let bits = words[Int(document)] { return bits }
      return make(document)
    }

    @inline(never)
    private func make(_ document: UInt32) -> UnsafeMutablePointer<UInt64> {
      if Int(document) >= count { grow(to: Int(document) + 1) }
      let size = graph.documents[Int(document)].table.count / 64 + 1
      let bits = UnsafeMutablePointer<UInt64>.allocateTable(capacity: size)
      bits.initialize(repeating: 0, count: size)
      words[Int(document)] = bits
      return bits
    }

    private func grow(to least: Int) {
      let capacity = max(least, count * 2)
      let larger = UnsafeMutablePointer<UnsafeMutablePointer<UInt64>?>.allocate(capacity: capacity)
      larger.initialize(repeating: nil, count: capacity)
      larger.update(from: words, count: count)
      words.deallocate()
      words = larger
      count = capacity
    }
  }
}
