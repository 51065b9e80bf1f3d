// Many objects that share one long field: the output for all of them together is bounded.

import ArchiveBasics
import ArchiveGraph
import ArchiveRendering
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct SharedFieldTests {
  private static let text = String(repeating: "x", count: 4000)

  /// Classes with a long field, and a member that is shown only of the fields as they are stored.
  static let classes: [(name: String, fields: [(String, ArchivedSample)], stored: String)] = [
    ("NSAttributedString", [("NSString", .uid(2))], "NSString"),
    ("NSURL", [("NS.relative", "#f"), ("NS.base", .uid(3))], "NS.relative"),
    ("NSURLQueryItem", [("NS.name", .uid(2))], "NS.name"),
    ("NSKeyPathExpression", [("NSKeyPath", .uid(2))], "NSKeyPath"),
    ("NSCountedSet", [("NS.objects", .uid(5)), ("NS.counts", .uid(5))], "NS.counts"),
    (
      "NSIndexSet", [("NSRangeCount", 500), ("NSRangeData", .uid(7))], "NSRangeData"
    ),
  ]

  private static func tree(
    _ name: String, _ fields: [(String, ArchivedSample)], _ limits: Limits
  ) throws -> (tree: ShownTree, losses: [ArchiveError.Code]) {
    let ranges = (1...500).flatMap { number -> [UInt8] in
      [0x80 | UInt8((number * 2) & 0x7F), UInt8((number * 2) >> 7), 1]
    }
    // Objects are numbered in this order, each class behind its first object: 2, 3, 5, 7 and 8.
    let shared: [(String, ArchivedSample)] = [
      ("text", .stored(.string(text))),
      ("url", .object("NSURL", ["NS.relative": .uid(2), "NS.base": .null])),
      ("list", .object("NSArray", ["NS.objects": .list((0..<300).map { _ in .uid(8) })])),
      ("ranges", .stored(.data(ranges))), ("one", .stored(.integer(1))),
    ]
    let objects = (0..<40).map { number in
      ("object\(number)", ArchivedSample.instance([name, "NSObject"], fields))
    }
    let sample = ArchivedSample.instance(["Holder", "NSObject"], shared + objects)
    let graph = try readGraph(sample.archive, limits: limits)
    var output = OutputBuffer(descriptor: nil)
    try TreeRenderer.render(graph.root, of: graph, to: &output)
    let text = String(decoding: output.bytes.bytes, as: UTF8.self)
    return (ShownTree(text: text), graph.losses.map(\.code))
  }

  @Test(arguments: classes.indices)
  func objectsBeyondTheBoundShowTheirFields(_ index: Int) throws {
    let (name, fields, stored) = Self.classes[index]
    let (free, none) = try Self.tree(name, fields, Limits())
    #expect(none.isEmpty)
    #expect(!free.lines.contains { $0.contains("  ├─ \(stored): ") })
    #expect(!free.lines.contains { $0.contains("  └─ \(stored): ") })
    let (bound, losses) = try Self.tree(name, fields, Limits(derivedBytes: 100_000))
    let shown = bound.lines.filter {
      $0.contains("  ├─ \(stored): ") || $0.contains("  └─ \(stored): ")
    }
    #expect(losses == [.limit])
    #expect((1..<40).contains(shown.count), "\(name): \(shown.count)")
  }
}
