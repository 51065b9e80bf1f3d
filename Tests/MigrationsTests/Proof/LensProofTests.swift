// Which lenses are proved, and which operation is responsible if one is not.

import Basics
import Foundation
import Migrations
import PropertyLists
import Schemas
import TestSupport
import Testing

/// Two versions, a lens between them, and what is not proved.
struct LensProofCase: Sendable, CustomTestStringConvertible {
  let name: String
  let source: String
  let target: String
  let lens: String
  var direction = LensDirection.forward
  var envelopes = ("dictionariable", "dictionariable")
  /// A path, the operation to blame and the message's beginning for each problem.
  var problems: [(String, String?, String)] = []

  var testDescription: String { name }

  func version(_ name: String, _ schema: String, _ envelope: String) throws -> SchemaVersion {
    let tree = try JSONTree(text: schema)
    let archive = JSONTree.members([("envelope", .string(envelope))])
    let members = (tree.members ?? [("allOf", .list([tree]))]) + [("x-archive", archive)]
    return try SchemaVersion(
      family: "Test", name: name, tree: .members(members), uri: "urn:test:\(name)")
  }

  func proof() throws -> LensProof {
    LensProof(
      try Lens(text: lens), direction, from: try version("old", source, envelopes.0),
      to: try version("new", target, envelopes.1))
  }
}

@Suite struct LensProofTests {
  @Test(arguments: cases)
  func provesOrNamesTheOperation(_ example: LensProofCase) throws {
    let problems = try example.proof().problems()
    let found = problems.map { "\($0.path) \($0.operation?.pointer ?? "-") \($0.message)" }
    #expect(problems.count == example.problems.count, "\(found)")
    for (problem, expected) in zip(problems, example.problems) {
      #expect(problem.path.description == expected.0, "\(found)")
      #expect(problem.operation?.pointer == expected.1, "\(found)")
      #expect(problem.message.hasPrefix(expected.2), "\(found)")
    }
  }

  @Test(arguments: ["WeatherFeed", "Movie", "Actor", "Person"])
  func builtInVersionsHoldOneModel(_ name: String) throws {
    let family = try #require(try SchemaCatalog.builtIn().families.first { $0.name == name })
    for (older, newer) in zip(family.versions, family.versions.dropFirst()) {
      for (source, target) in [(older, newer), (newer, older)] {
        let problems = LensProof(Lens(operations: []), .forward, from: source, to: target)
          .problems()
        #expect(problems.isEmpty, "\(source.name) to \(target.name): \(problems)")
      }
    }
  }

  /// What the schemas allow and no value becomes refutes nothing.
  @Test(
    arguments: [
      (
        #"{"type": "array", "items": {"type": "integer"}, "contains": {"const": 1}}"#,
        #"{"type": "array", "items": {"type": "string"}, "contains": {"const": "1"}}"#, false
      ),
      (
        #"{"type": "array", "items": {"enum": [1, 2]}, "maxItems": 3}"#,
        #"{"type": "array", "items": {"type": "string"}, "maxItems": 2}"#, true
      ),
    ])
  func onlyWhatAValueBecomesRefutes(_ source: String, _ target: String, _ isRefuted: Bool) throws {
    let (before, after) = (
      #"{"type": "object", "properties": {"l": \#(source)}, "additionalProperties": false}"#,
      #"{"type": "object", "properties": {"l": \#(target)}, "additionalProperties": false}"#
    )
    let example = LensProofCase(
      name: "", source: before, target: after,
      lens: #"""
        [{"in": {"name": "l", "lens": [{"map": {"lens": [
          {"convert": {"sourceType": "integer", "destinationType": "string"}}]}}]}}]
        """#)
    let problem = try #require(try example.proof().problems().first)
    #expect(problem.isRefuted == isRefuted)
    #expect((problem.counterexample != nil) == isRefuted)
  }

  @Test func givesAValueThatDoesNotFit() throws {
    let example = try #require(Self.cases.first { $0.name == "a type that is not converted" })
    let problem = try #require(try example.proof().problems().first)
    #expect(problem.isRefuted)
    #expect(problem.counterexample?["count"]?.string != nil)
  }
}
