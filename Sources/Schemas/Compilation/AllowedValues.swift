// The values of `enum` and `const`.

import Basics
import ObjectGraph
import PropertyLists

/// Values one of which must stand in a place.
struct AllowedValues {
  /// `enum` or `const`.
  let keyword: String
  /// How many values messages list.
  private static let mostListed = 16

  /// What is expected of a value, in words.
  let expectation: String
  /// The strings among them, in UTF-8: Swift takes canonically equivalent strings for equal, JSON Schema does not.
  private let strings: Set<[UInt8]>
  /// All others.
  private let others: Others?

  /// Values that are no strings, in a graph of their own.
  final class Others {
    let graph: ObjectGraph
    let nodes: [Node]

    init(_ trees: [JSONTree]) {
      graph = JSONTree.list(trees).makeGraph()
      guard case .array(let elements) = graph.value(of: graph.root) else {
        nodes = []
        return
      }
      nodes = (0..<elements.count).map { [graph] in graph.node(elements, $0) }
    }
  }

  init(keyword: String, _ trees: [JSONTree]) {
    self.keyword = keyword
    strings = Set(trees.compactMap { $0.string.map { Array($0.utf8) } })
    let others = trees.filter { $0.string == nil }
    self.others = others.isEmpty ? nil : Others(others)
    let listed = trees.prefix(Self.mostListed).map(Self.text).joined(separator: ", ")
    let rest = trees.count > Self.mostListed ? " and \(trees.count - Self.mostListed) others" : ""
    expectation = keyword == "const" ? listed : "one of \(listed)\(rest)"
  }

  private static func text(of tree: JSONTree) -> String {
    if let string = tree.string {
      return string.count > 60 ? string.prefix(60) + "…" : string
    }
    var output = OutputBuffer(descriptor: nil)
    do throws(ArchiveError) {
      try tree.write(isCompact: true, to: &output)
      try output.finish()
    } catch {
      return "…"
    }
    let text = String(decoding: output.bytes.bytes, as: UTF8.self).filter { $0 != "\n" }
    return text.count > 60 ? text.prefix(60) + "…" : text
  }

  /// Whether a value is one of them.
  ///
  /// - Parameter canonical: the numbers of the graph's values.
  /// - Throws: `ArchiveError` with code `limit` if the value is too deep to be compared.
  func contain(
    _ node: Node, _ value: Value, _ canonical: CanonicalTable
  ) throws(ArchiveError) -> Bool {
    if case .string(let text) = value { return strings.contains(Array(text.string.utf8)) }
    if let text = JSONForm.text(of: value) { return strings.contains(Array(text.utf8)) }
    guard let others else { return false }
    return try canonical.numbers(of: others).contains(canonical.number(of: node))
  }
}
