// The output of `archtool dump` for an archive, as lines.

import ArchiveBasics
import ArchiveGraph
import ArchiveRendering
import Foundation
import KeyedArchives
import TestSupport

/// The tree of an archive as `dump` draws it.
struct ShownTree {
  /// Every line, the first without `$: `.
  let lines: [String]

  init(_ data: Data, resolving: Bool = true) throws {
    let graph = try readGraph(data, resolving: resolving)
    var output = OutputBuffer(descriptor: nil)
    try TreeRenderer.render(graph.root, of: graph, to: &output)
    self.init(text: String(decoding: output.bytes.bytes, as: UTF8.self))
  }

  /// A tree that was drawn.
  init(text: String) {
    lines = text.dropFirst(3).split(separator: "\n").map(String.init)
  }

  init(_ sample: ArchivedSample) throws { try self.init(sample.archive) }

  /// The line of the root.
  var root: String { lines.first ?? "" }

  /// The line of the root without how many members it has: `NSNull (0) x` is `NSNull x`.
  var meaning: String {
    guard let open = root.range(of: " ("), let close = root[open.upperBound...].firstIndex(of: ")"),
      Int(root[open.upperBound..<close]) != nil
    else { return root }
    return String(root[..<open.lowerBound] + root[root.index(after: close)...])
  }

  /// The lines of the root's own members, without what draws the tree.
  var members: [String] {
    lines.dropFirst().filter { $0.hasPrefix("├") || $0.hasPrefix("└") }.map {
      String($0.dropFirst(3))
    }
  }

  /// The member of a name, as shown behind it.
  func member(_ name: String) -> String? {
    members.first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
  }

  var text: String { lines.joined(separator: "\n") }
}
