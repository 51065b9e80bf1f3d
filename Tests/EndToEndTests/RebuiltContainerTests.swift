// Operations that take a mutable container apart: its class is reported as a loss, kept, and restored.

import Foundation
import TestSupport
import Testing

@Suite struct RebuiltContainerTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  private static let list =
    #""classes": ["NSMutableArray", "NSArray", "NSObject"], "class": "NSMutableArray""#
  private static let dictionary =
    #""classes": ["NSMutableDictionary", "NSDictionary", "NSObject"], "class": "NSMutableDictionary""#
  private static let any = #"{"x-class": "NSDictionary"}"#

  @Test(arguments: [
    (
      #"{"group": {"name": "x", "by": "id"}}"#,
      #"{\#(list), "fields": {"NS.objects": {"$inline": [{"id": "a", "v": "1"}, {"id": "b"}]}}}"#,
      #"{"x-class": "NSDictionary"}"#
    ),
    (
      #"{"ungroup": {"name": "x", "by": "id"}}"#,
      #"{\#(dictionary), "fields": {"NS.keys": {"$inline": ["a"]}, "NS.objects": {"$inline": [{"v": "1"}]}}}"#,
      #"{"type": "array", "items": {"x-class": "NSDictionary"}}"#
    ),
    (
      #"{"join": {"name": "x", "separator": ","}}"#,
      #"{\#(list), "fields": {"NS.objects": {"$inline": ["a", "b"]}}}"#, #"{"type": "string"}"#
    ),
    (
      #"{"head": {"name": "x"}}"#, #"{\#(list), "fields": {"NS.objects": {"$inline": ["a"]}}}"#,
      #"{"type": "string"}"#
    ),
    (
      #"{"pluck": {"name": "x", "as": "v"}}"#,
      #"{\#(dictionary), "fields": {"NS.keys": {"$inline": ["v"]}, "NS.objects": {"$inline": ["1"]}}}"#,
      #"{"type": "string"}"#
    ),
  ]) func mutabilityIsNoSilentLoss(_ lens: String, _ object: String, _ after: String) throws {
    let schema = #"{"x-archive": {"envelope": "nscoding", "classes": ["App.G"]}, "type": "object""#
    try bench.write(#"{"family": "G", "versions": ["v1", "v2"]}"#, to: "S/G/family.json")
    let isText = after.contains("string")
    let item = isText ? "" : #""items": {"x-class": "NSDictionary"}"#
    try bench.write(
      schema + #", "required": ["a"], "properties": {"x": {\#(item)}, "b": false}}"#,
      to: "S/G/v1.schema.json")
    try bench.write(
      schema + #", "required": ["b"], "properties": {"x": \#(after), "a": false}}"#,
      to: "S/G/v2.schema.json")
    try bench.write(
      #"{"lens": [{"rename": {"source": "a", "destination": "b"}}, \#(lens)]}"#,
      to: "S/G/v1-v2.lens.json")
    try bench.write(
      #"{"$object": {"class": "App.G", "classes": ["App.G", "NSObject"], "fields": {"a": "t", "x": {"$object": \#(object)}}}}"#,
      to: "g.json")
    #expect(try bench.run("convert", "--to", "keyed-archive", "g.json", "-o", "v1").status == 0)
    let refused = try migrate("v1", "v2", "no")
    #expect(refused.status == 1)
    #expect(refused.errors.contains(" of $.x "), "\(refused.errors)")
    let kept = try migrate("v1", "v2", "v2", "--keep-lost")
    #expect(kept.status == 0, "\(kept.errors)")
    let back = try migrate("v2", "v1", "back")
    #expect(back.status == 0, "\(back.errors)")
    let dumps = try ["v1", "back"].map { try bench.run("dump", "--typed", $0).text }
    #expect(dumps[0] == dumps[1])
  }

  private func migrate(_ file: String, _ version: String, _ output: String, _ more: String...)
    throws -> ProgramResult
  {
    try bench.run(["migrate", "--schemas", "S", "--to", version, file, "-o", output] + more)
  }
}
