// Schemas and lenses that could make a proof run forever, or nest without bound.

import Migrations
import PropertyLists
import Schemas
import Testing

@Suite struct HostileLensTests {
  private static let rename = #"[{"rename": {"source": "a", "destination": "b"}}]"#

  @Test(arguments: [
    ##"{"$ref": "#"}"##,
    ##"{"allOf": [{"$ref": "#"}], "anyOf": [{"$ref": "#"}, {"$ref": "#"}]}"##,
    ##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}"##,
    ##"{"$ref": "#/nowhere"}"##, #"{"$ref": 5, "allOf": 5, "properties": 5, "required": 5}"#,
    #"{"$ref": "https://example.com/other.json"}"#,
  ])
  func loopsAndMissingReferencesEnd(_ schema: String) throws {
    let tree = try JSONTree(text: schema)
    // What is not known allows objects of any kind.
    let result = LensProof.schema(
      of: try Lens(text: Self.rename), .forward, appliedTo: tree)
    let branches = result["anyOf"]?.list ?? [result]
    #expect(branches.allSatisfy { $0["type"] == .string("object") }, "\(result.line)")
  }

  @Test func aLongChainOfReferencesEnds() throws {
    let definitions = (0..<5000).map { number in
      (
        "d\(number)", JSONTree.members([("$ref", .string("#/$defs/d\(number + 1)"))])
      )
    }
    let schema = JSONTree.members([
      ("$ref", .string("#/$defs/d0")), ("$defs", .members(definitions)),
    ])
    let lens = try Lens(text: Self.rename)
    #expect(LensProof.schema(of: lens, .forward, appliedTo: schema)["type"] == .string("object"))
  }

  @Test func branchesThatMultiplyAreLeftOut() throws {
    let branch = JSONTree.members([("properties", .members([("a", .boolean(true))]))])
    let choice = JSONTree.members([("anyOf", .list([branch, branch, branch]))])
    let schema = JSONTree.members([("allOf", .list((0..<40).map { _ in choice }))])
    let lens = try Lens(text: Self.rename)
    let result = LensProof.schema(of: lens, .forward, appliedTo: schema)
    #expect((result["anyOf"]?.list?.count ?? 1) <= 64)
  }

  @Test func aLensThatDoublesItsValuesEnds() throws {
    let step =
      #"{"plunge": {"host": "a", "name": "b"}}, {"rename": {"source": "a", "destination": "b"}}"#
    let steps = (0..<60).map { _ in step }.joined(separator: ", ")
    let schema = try JSONTree(
      text: #"{"type": "object", "properties": {"a": {"type": "object"}, "b": {}}}"#)
    let result = LensProof.schema(
      of: try Lens(text: "[\(steps)]"), .forward, appliedTo: schema)
    #expect(result["type"] == .string("object"))
  }

  /// A value could be held against the branches of such a schema for ever.
  @Test func recursionInBranchesEnds() throws {
    let branch =
      ##"{"properties": {"a": {"$ref": "#"}}, "anyOf": [{"$ref": "#/$defs/n"}, {"$ref": "#/$defs/m"}]}"##
    let schema = ##"""
      {"x-archive": {"envelope": "json"}, "type": "object", "anyOf": [{"$ref": "#/$defs/n"}, {"$ref": "#/$defs/m"}],
       "$defs": {"n": {"properties": {"a": \##(branch)}, "pattern": "(x|y)+"},
                 "m": {"properties": {"a": \##(branch)}, "not": {"$ref": "#/$defs/n"}}}}
      """##
    let other = schema.replacing("(x|y)+", with: "(y|x)+")
    let versions = try [schema, other].map {
      try SchemaVersion(family: "Test", name: "v", tree: JSONTree(text: $0), uri: "urn:test:v")
    }
    // It ends, whatever it comes to.
    let proof = LensProof(Lens(operations: []), .forward, from: versions[0], to: versions[1])
    #expect(proof.problems().count < 1000)
  }
}
