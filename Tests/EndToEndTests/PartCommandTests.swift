// `archtool extract`, `insert` and `merge` as a user types them.

import Foundation
import TestSupport
import Testing

@Suite struct PartCommandTests {
  private static func archive(_ root: Any) -> Data {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.encode(root, forKey: NSKeyedArchiveRootObjectKey)
    return archiver.encodedData
  }

  private static func judge(_ arguments: String...) throws -> String {
    try Program.run("FoundationJudge", arguments).text
  }

  @Test func aPartIsTakenOutAndPutIn() throws {
    let bench = try Workbench()
    try bench.write(Self.archive(["list": ["a", ["k": "b"]]]), to: "f")
    let out = try bench.run("extract", "$.list[1]", "f", "-o", "part")
    #expect(out.status == 0, "\(out.errors)")
    #expect(out.errors.isEmpty && out.output.isEmpty)
    #expect(try Self.judge("dictionary", bench.url("part").path) == "{\"k\":\"b\"}\n")
    let old = try Data(contentsOf: bench.url("f"))
    let new = try bench.run(
      "set", "f", "$.list[0]", "--from", "part", "--in-place", "--backup", ".old", "--no-journal")
    #expect(new.status == 0, "\(new.errors)")
    #expect(
      try Self.judge("dictionary", bench.url("f").path)
        == "{\"list\":[{\"k\":\"b\"},{\"k\":\"b\"}]}\n")
    #expect(try Data(contentsOf: bench.url("f.old")) == old)
    let merged = try bench.run("merge", "-o", "both", "one=part", "two=f.old")
    #expect(merged.status == 0, "\(merged.errors)")
    #expect(try Self.judge("top", "one", bench.url("both").path) == "{\"k\":\"b\"}\n")
    let piped = try bench.run(
      ["extract", "$.two.list[0]", "-", "-o", "-"], input: Data(contentsOf: bench.url("both")))
    try bench.write(piped.output, to: "piped")
    #expect(try Self.judge("dictionary", bench.url("piped").path) == "\"a\"\n")
  }

  @Test(arguments: [
    (["extract", "$[", "f", "-o", "-"], 64, "is not a path"),
    (["extract", "x", "f", "-o", "-"], 1, "no key 'x'"),
    (["extract", "$", "f", "f"], 64, "extract of several files needs '--output-dir'"),
    (["extract", "$", "f", "f", "--output-dir", "."], 73, "exists"),
    (["extract", "$", "-o", "-"], 64, "missing operand FILE for"),
    (["extract", "$.a", "f", "-o", "-"], 1, "f@"),
    (["extract", "$.a", "none", "-o", "-"], 66, "none"),
    (["extract", "$", "f", "-o", "f"], 73, "exists"),
    (["insert", "$.a", "f", "f"], 64, "FILE comes first"),
    (["insert", "-", "$.a", "--from", "-", "-o", "x"], 64, "only once"),
    (["insert", "f", "$[7]", "--from", "f", "--in-place"], 1, "(at $)"),
    (["insert", "f", "$[0]", "--from", "none", "--in-place"], 66, "none"),
    (["merge", "-o", "-", "f"], 64, "KEY=FILE"),
    (["merge", "-o", "-", "a=f", "a=f"], 64, "is repeated"),
    (["merge", "-o", "-", "a=f", "b=text"], 1, "text:"),
  ])
  func whatMeansNothingIsRefused(_ words: [String], _ status: Int32, _ text: String) throws {
    let bench = try Workbench(["text": "<plist><array/></plist>"])
    let archive = Self.archive(["x"])
    try bench.write(archive, to: "f")
    let result = try bench.run(words)
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.contains(text), "\(result.errors)")
    #expect(result.output.isEmpty)
    #expect(try Data(contentsOf: bench.url("f")) == archive)
  }
}
