// Two files matched with all that they store: what a merge must not change unseen.

import ArchiveBasics
import ArchiveGraph
import KeyedArchives

extension StoredMatching {
  /// The path of a difference between two files; nil if both store the same.
  ///
  /// The numbers of objects may differ, and the order of members and of the elements of sets. Everything else counts, also
  /// what an unarchiver does not see: the archiver, the records of classes, the types of numbers, whether an element is
  /// stored inline, and how an archive in a data value is encoded.
  package static func firstDifference(
    betweenFiles left: ObjectGraph, _ right: ObjectGraph
  ) -> GraphPath? {
    var matching = StoredMatching(left, right, Policy(isOfFiles: true))
    matching.matchDocuments(0, 0, PathTrails.root, areFiles: true)
    while matching.firstDifference == nil, matching.matchNext() {}
    return matching.firstDifference
  }

  /// Whether it matters that an object is the same as another: not for values that never change.
  package static func hasIdentity(_ node: Node, in graph: ObjectGraph) -> Bool {
    let side = Side(graph)
    return !side.isPlain(node) && graph.classIndex(of: node) != nil && side.hasIdentity(node, false)
  }

  /// Matches what two documents store at their tops.
  ///
  /// - Parameter areFiles: whether they are the files themselves, of which a merge has one written anew; those in data
  ///   must have one encoding, also at the root, whose path is that of the file.
  mutating func matchDocuments(
    _ one: UInt32, _ other: UInt32, _ trail: Int, areFiles: Bool = false
  ) {
    let (document, counterpart) = (
      left.graph.documents[Int(one)], right.graph.documents[Int(other)]
    )
    guard areFiles || document.encoding == counterpart.encoding,
      (document.archive == nil) == (counterpart.archive == nil)
    else {
      return differ(
        .value, "\(document.encoding.name), which becomes \(counterpart.encoding.name)", trail)
    }
    let tops = (
      Node(document: one, index: document.top), Node(document: other, index: counterpart.top)
    )
    guard document.archive != nil else { return expect([(tops.0, tops.1, nil)], .element, trail) }
    // Objects are matched where something refers to them, and what top-level keys lead to with its path.
    let (members, others) = (Members(document), Members(counterpart))
    let names = members.names + others.names.filter { members.values[$0] == nil }
    for name in names where name.text != "$objects" {
      let (value, pair) = (members.values[name], others.values[name])
      if name.text == "$top", let value, let pair {
        matchTops(Node(document: one, index: value), Node(document: other, index: pair), trail)
      } else if !areStored(value, document, pair, counterpart) {
        differ(.value, "\(name.text), which changes", trail)
      }
    }
  }

  private mutating func matchTops(_ one: Node, _ other: Node, _ trail: Int) {
    let (document, counterpart) = (left.graph.document(of: one), right.graph.document(of: other))
    let (tops, others) = (Members(document, one.index), Members(counterpart, other.index))
    guard tops.count == others.count, tops.values.count == tops.count,
      tops.values.keys.allSatisfy({ others.values[$0] != nil })
    else {
      return differ(.value, "top-level keys, which change", trail)
    }
    // The root's path has no name.
    expect(
      tops.names.compactMap { name in
        guard let value = tops.values[name], let pair = others.values[name] else { return nil }
        return (
          Node(document: one.document, index: value), Node(document: other.document, index: pair),
          tops.count == 1 ? nil : .key(name.text)
        )
      }, .element, trail)
  }

  /// Matches the records of two classes that have the same name and superclasses.
  mutating func matchRecords(_ one: Node, _ other: Node, _ trail: Int) {
    let (document, counterpart) = (left.graph.document(of: one), right.graph.document(of: other))
    let records = (record(of: one, in: left.graph), record(of: other, in: right.graph))
    guard records.0 != nil || records.1 != nil else { return }
    if let old = records.0, let new = records.1 {
      let pair = Pair(
        left: Node(document: one.document, index: old),
        right: Node(document: other.document, index: new))
      if !knownRecords.insert(pair).inserted { return }
    }
    if !areStored(records.0, document, records.1, counterpart) {
      differ(.class, "a class, whose record changes", trail)
    }
  }

  private func record(of node: Node, in graph: ObjectGraph) -> UInt32? {
    let table = graph.document(of: node).table
    guard table.marker(of: node.index) >> 4 == Marker.dictionary else { return nil }
    return table.value("$class", of: node.index).map {
      graph.follow($0, in: node.document).index
    }
  }

  private func areStored(
    _ one: UInt32?, _ document: Document, _ other: UInt32?, _ counterpart: Document
  ) -> Bool {
    guard let one, let other else { return one == other }
    var comparison = StoredComparison(
      StoredComparison.Side(document, nil), StoredComparison.Side(counterpart, nil),
      scalars: .stored)
    return comparison.isSame(one, other)
  }

  /// The members of a stored dictionary by their names.
  private struct Members {
    private(set) var values: [CodePointString: UInt32] = [:]
    private(set) var names: [CodePointString] = []
    let count: Int

    init(_ document: Document, _ index: UInt32? = nil) {
      let children = document.table.children(of: index ?? document.top)
      count = children.count / 2
      for position in 0..<count {
        guard let text = document.table.text(at: children[position])?.string else { continue }
        let name = CodePointString(text)
        if values[name] == nil { names.append(name) }
        values[name] = children[count + position]
      }
    }
  }
}
