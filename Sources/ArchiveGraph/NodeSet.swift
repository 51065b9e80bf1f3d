// A set of nodes as bits: a hundred thousand cities cost some kilobytes, not a hash table.

import ArchiveBasics

/// A set of visited nodes; a copy is the same set.
public struct NodeSet {
  private let storage: Storage

  /// Makes an empty set for the nodes of a graph.
  package init(in graph: ObjectGraph) { storage = Storage(graph) }

  /// Whether a node is in the set.
  @inline(__always)
  package func contains(_ node: Node) -> Bool {
    guard let words = storage.known(node.document) else { return false }
    return words[Int(node.index >> 6)] & mask(node) != 0
  }

  /// Adds a node.
  ///
  /// - Returns: whether it was new.
  @discardableResult @inline(__always)
  package mutating func insert(_ node: Node) -> Bool {
    let word = storage.bits(of: node.document) + Int(node.index >> 6)
    let isNew = word.pointee & mask(node) == 0
    word.pointee |= mask(node)
    return isNew
  }

  /// Removes a node.
  @inline(__always)
  package mutating func remove(_ node: Node) {
    (storage.bits(of: node.document) + Int(node.index >> 6)).pointee &= ~mask(node)
  }

  @inline(__always)
  private func mask(_ node: Node) -> UInt64 { 1 << UInt64(node.index & 63) }
}

extension NodeSet {
  /// The bits of a document's nodes.
  private typealias Words = UnsafeMutablePointer<UInt64>

  /// The bits of each document, made when the first of its nodes is added.
  private final class Storage {
    private unowned let graph: ObjectGraph
    /// Behind a constant pointer, because each read of a class's variable is checked.
    private let documents = UnsafeMutablePointer<RawStack<Words?>>.allocate(capacity: 1)

    init(_ graph: ObjectGraph) {
      self.graph = graph
      documents.initialize(to: RawStack())
    }

    deinit {
      for words in documents.pointee.values(from: 0) { words?.deallocate() }
      documents.deinitialize(count: 1)
      documents.deallocate()
    }

    /// The bits of a document's nodes; nil if none is in the set.
    @inline(__always)
    fileprivate func known(_ document: UInt32) -> Words? {
      let number = Int(document)
      return number < documents.pointee.count ? documents.pointee[number].pointee : nil
    }

    /// The bits of a document's nodes, whose indexes are below the count of its table.
    @inline(__always)
    fileprivate func bits(of document: UInt32) -> Words { known(document) ?? make(document) }

    @inline(never)
    private func make(_ document: UInt32) -> Words {
      let size = graph.documents[Int(document)].table.count / 64 + 1
      let bits = Words.allocateTable(capacity: size)
      bits.initialize(repeating: 0, count: size)
      while documents.pointee.count <= document { documents.pointee.push(nil) }
      documents.pointee[Int(document)].pointee = bits
      return bits
    }
  }
}
