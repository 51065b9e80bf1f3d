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
    guard let words = storage.known(node.document) else { return false }
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
    ///
    /// Both are behind constant pointers, because each read of a class's variable is checked.
    private let words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<UInt64>?>>
    private let count: UnsafeMutablePointer<Int>

    init(_ graph: ObjectGraph) {
      self.graph = graph
      words = .allocate(capacity: 1)
      count = .allocate(capacity: 1)
      words.initialize(to: Self.noWords(1))
      count.initialize(to: 1)
    }

    deinit {
      for number in 0..<count.pointee { words.pointee[number]?.deallocate() }
      words.pointee.deallocate()
      words.deallocate()
      count.deallocate()
    }

    private static func noWords(_ count: Int)
      -> UnsafeMutablePointer<UnsafeMutablePointer<UInt64>?>
    {
      let words = UnsafeMutablePointer<UnsafeMutablePointer<UInt64>?>.allocate(capacity: count)
      words.initialize(repeating: nil, count: count)
      return words
    }

    /// The bits of a document's nodes; nil if none is in the set.
    @inline(__always)
    fileprivate func known(_ document: UInt32) -> UnsafeMutablePointer<UInt64>? {
      Int(document) < count.pointee ? words.pointee[Int(document)] : nil
    }

    /// The bits of a document's nodes, whose indexes are below the count of its table.
    @inline(__always)
    fileprivate func bits(of document: UInt32) -> UnsafeMutablePointer<UInt64> {
      known(document) ?? make(document)
    }

    @inline(never)
    private func make(_ document: UInt32) -> UnsafeMutablePointer<UInt64> {
      if Int(document) >= count.pointee { grow(to: Int(document) + 1) }
      let size = graph.documents[Int(document)].table.count / 64 + 1
      let bits = UnsafeMutablePointer<UInt64>.allocateTable(capacity: size)
      bits.initialize(repeating: 0, count: size)
      words.pointee[Int(document)] = bits
      return bits
    }

    private func grow(to least: Int) {
      let capacity = max(least, count.pointee * 2)
      let larger = Self.noWords(capacity)
      larger.update(from: words.pointee, count: count.pointee)
      words.pointee.deallocate()
      words.pointee = larger
      count.pointee = capacity
    }
  }
}
