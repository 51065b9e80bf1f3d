// The values of `enum` and `const`.

import ObjectGraph
import PropertyLists

/// Values one of which must stand in a place.
struct AllowedValues {
  /// `enum` or `const`.
  let keyword: String
  /// The values as messages list them.
  let text: String
  /// The strings among them, in UTF-8: Swift takes canonically equivalent strings for equal, JSON Schema does not.
  private let strings: Set<[UInt8]>
  /// All others, in canonical form.
  private let others: Set<[UInt8]>

  init(keyword: String, _ trees: [JSONTree]) throws(ArchiveError) {
    self.keyword = keyword
    strings = Set(trees.compactMap { $0.string.map { Array($0.utf8) } })
    var others: Set<[UInt8]> = []
    for tree in trees where tree.string == nil {
      let graph = tree.makeGraph()
      others.insert(try CanonicalValue.bytes(of: graph.root, in: graph))
    }
    self.others = others
    text = trees.map(Self.text).joined(separator: ", ")
  }

  private static func text(of tree: JSONTree) -> String {
    if let string = tree.string { return string }
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
  /// - Throws: `ArchiveError` with code `limit` if the value is too large to be compared.
  func contain(_ node: Node, _ value: Value, in graph: ObjectGraph) throws(ArchiveError) -> Bool {
    if case .string(let text) = value { return strings.contains(Array(text.string.utf8)) }
    if let text = JSONForm.text(of: value) { return strings.contains(Array(text.utf8)) }
    if others.isEmpty { return false }
    return others.contains(try CanonicalValue.bytes(of: node, in: graph))
  }
}
