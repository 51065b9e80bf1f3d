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
    private struct Documents {
      /// Those of the first document, which most sets need alone.
      var first: Words?
      /// Those of the others, as many as `count`.
      var others: UnsafeMutablePointer<Words?>?
      var count = 0
    }

    private unowned let graph: ObjectGraph
    /// Behind a constant pointer, because each read of a class's variable is checked.
    private let documents: UnsafeMutablePointer<Documents>

    init(_ graph: ObjectGraph) {
      self.graph = graph
      documents = .allocate(capacity: 1)
      documents.initialize(to: Documents())
    }

    deinit {
      documents.pointee.first?.deallocate()
      for number in 0..<documents.pointee.count { documents.pointee.others?[number]?.deallocate() }
      documents.pointee.others?.deallocate()
      documents.deallocate()
    }

    /// The bits of a document's nodes; nil if none is in the set.
    @inline(__always)
    fileprivate func known(_ document: UInt32) -> Words? {
      if document == 0 { return documents.pointee.first }
      let number = Int(document) &- 1
      return number < documents.pointee.count ? documents.pointee.others?[number] : nil
    }

    /// The bits of a document's nodes, whose indexes are below the count of its table.
    @inline(__always)
    fileprivate func bits(of document: UInt32) -> Words { known(document) ?? make(document) }

    @inline(never)
    private func make(_ document: UInt32) -> Words {
      let size = graph.documents[Int(document)].table.count / 64 + 1
      let bits = Words.allocateTable(capacity: size)
      bits.initialize(repeating: 0, count: size)
      if document == 0 {
        documents.pointee.first = bits
      } else {
        others(for: Int(document))[Int(document) - 1] = bits
      }
      return bits
    }

    /// The bits of all documents but the first, at least as many as given.
    private func others(for least: Int) -> UnsafeMutablePointer<Words?> {
      let (old, count) = (documents.pointee.others, documents.pointee.count)
      if let old, count >= least { return old }
      let capacity = max(least, count * 2)
      let larger = UnsafeMutablePointer<Words?>.allocate(capacity: capacity)
      larger.initialize(repeating: nil, count: capacity)
      if let old { larger.update(from: old, count: count) }
      old?.deallocate()
      (documents.pointee.others, documents.pointee.count) = (larger, capacity)
      return larger
    }
  }
}
