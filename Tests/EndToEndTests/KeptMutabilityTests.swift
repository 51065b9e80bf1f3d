// Mutable dictionaries, migrated between archives of dictionaries and of objects: shared properties are not a loss.

import Foundation
import TestSupport
import Testing

@Suite struct KeptMutabilityTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  /// A family without lenses, whose schemas say so much of the member `value`.
  private func family(_ old: String, _ new: String) throws {
    try bench.write(#"{"family": "M", "versions": ["v0", "v1"]}"#, to: "S/M/family.json")
    let versions = [
      ("v0", #""envelope": "nscoding", "classes": ["App.M"]"#, old),
      ("v1", #""envelope": "dictionariable""#, new),
    ]
    for (version, archive, words) in versions {
      try bench.write(
        #"""
        {"x-archive": {\#(archive)}, "type": "object", "required": ["value"],
          "properties": {"value": {\#(words)"type": "object"}}}
        """#, to: "S/M/\(version).schema.json")
    }
    try bench.write(
      #"""
      {"value": {"$object": {
        "class": "NSMutableDictionary", "classes": ["NSMutableDictionary", "NSDictionary", "NSObject"],
        "fields": {"NS.keys": {"$inline": ["k"]}, "NS.objects": {"$inline": ["x"]}}}}}
      """#, to: "m.json")
    let made = try bench.run("convert", "--to", "keyed-archive", "m.json", "-o", "m1")
    try #require(made.status == 0, "\(made.errors)")
  }

  private func migrate(_ file: String, to version: String, _ output: String) throws -> ProgramResult
  {
    try bench.run("migrate", "--schemas", "S", "--to", version, file, "-o", output)
  }

  @Test(arguments: [
    (#""x-class": "NSDictionary", "#, ""),
    (#""x-class": "NSMutableDictionary", "#, ""),
    (#""x-class": ["NSDictionary", "NSMutableDictionary"], "#, #""x-class": "NSDictionary", "#),
    (#""x-class": "NSDictionary", "x-mutable": true, "#, #""x-mutable": true, "#),
  ])
  func whatBothHoldIsKept(_ old: String, _ new: String) throws {
    try family(old, new)
    let there = try migrate("m1", to: "v0", "m0")
    try #require(there.status == 0, "\(there.errors)")
    #expect(try bench.run("dump", "--typed", "m0").text.contains("NSMutableDictionary"))
    let back = try migrate("m0", to: "v1", "again")
    try #require(back.status == 0, "\(back.errors)")
    let dumps = try ["m1", "again"].map { try bench.run("dump", "--typed", $0).text }
    #expect(dumps[0] == dumps[1])
  }

  /// An object of the application cannot be mutable as a dictionary is.
  @Test func whatBecomesAnObjectIsALoss() throws {
    try family(#""x-class": "App.V", "#, "")
    let there = try migrate("m1", to: "v0", "m0")
    #expect(there.status == 0)
    #expect(there.errors.contains("(mutability 1)"))
  }
}
