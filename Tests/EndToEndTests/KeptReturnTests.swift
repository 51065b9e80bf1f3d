// Kept values restore the original archive, or the migration is refused before anything is written.

import FileTransactions
import Foundation
import TestSupport
import Testing

@Suite struct KeptReturnTests {
  /// Objects under a root of two members, and why what is kept would not bring them back.
  struct Layout: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let fields: [(String, ArchivedSample)]
    let reason: String
    var option = "--keep-lost"
  }

  private static func text(_ text: String) -> ArchivedSample {
    .instance(
      ["NSMutableString", "NSString", "NSObject"], [("NS.string", .stored(.string(text)))])
  }

  static let layouts = [
    Layout(
      testDescription: "a list in the object itself",
      fields: [("lost", .list([1, .stored(.string("a"))]))], reason: "inline, which becomes boxed")
  ]

  private func bench(_ layout: Layout) throws -> Workbench {
    let bench = try Workbench()
    try bench.write(#"{"family": "F", "versions": ["v1", "v2"]}"#, to: "S/F/family.json")
    for version in ["v1", "v2"] {
      try bench.write(
        #"""
        {"$schema": "https://json-schema.org/draft/2020-12/schema",
         "$id": "urn:archtool:F:\#(version)", "x-archive": {"envelope": "nscoding"},
         "type": "object"}
        """#, to: "S/F/\(version).schema.json")
    }
    try bench.write(
      #"{"lens": [{"remove": {"name": "lost"}}]}"#, to: "S/F/v1-v2.lens.json")
    try bench.write(
      ArchivedSample.instance(["App.Root", "NSObject"], layout.fields).archive, to: "old")
    return bench
  }

  @Test(arguments: layouts)
  func whatWouldNotComeBackIsRefused(_ layout: Layout) throws {
    let bench = try bench(layout)
    let migrate = ["migrate", "--schemas", "S", "--from", "v1", "--to", "v2", "old", "-o", "new"]
    let refused = try bench.run(migrate + [layout.option])
    #expect(refused.status == 1, "\(refused.errors)")
    #expect(refused.errors.contains("would not restore the archive"), "\(refused.errors)")
    #expect(refused.errors.contains(layout.reason), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: bench.url("new").path))
    #expect(try bench.run(migrate + ["--allow-loss"]).status == 0)
  }

  @Test func aMutableStringThatTwoMembersShareStaysOne() throws {
    let bench = try bench(
      Layout(
        testDescription: "", fields: [("p", Self.text("a")), ("lost", .uid(2))], reason: ""))
    for (from, to) in [("old", "new"), ("new", "back")] {
      let versions = from == "old" ? ["v1", "v2"] : ["v2", "v1"]
      let result = try bench.run(
        "migrate", "--schemas", "S", "--from", versions[0], "--to", versions[1], "--keep-lost",
        from, "-o", to)
      #expect(result.status == 0, "\(result.errors)")
    }
    let list = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: bench.url("back")), format: nil)
    let objects = try #require((list as? [String: Any])?["$objects"] as? [Any])
    let strings = objects.compactMap { $0 as? [String: Any] }.filter { $0["NS.string"] != nil }
    #expect(strings.count == 1)
  }
}
