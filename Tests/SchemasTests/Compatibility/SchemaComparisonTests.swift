// Verdicts and changes, keyword by keyword, each case in both directions, and the classical cases of schema registries.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveSchemas
import Foundation
import Testing

@Suite struct SchemaComparisonTests {
  @Test(arguments: ComparisonCase.scalars + ComparisonCase.parts + ComparisonCase.registry)
  func givesVerdictAndKinds(_ example: ComparisonCase) throws {
    let old = try JSONTree(json: Array(example.old.utf8))
    let new = try JSONTree(json: Array(example.new.utf8))
    let options = SchemaComparison.Options(tries: 300)
    let comparison = try SchemaComparison(old: old, new: new, options: options)
    #expect(comparison.verdict == example.verdict, "\(comparison.changes)")
    let kinds = comparison.changes.map(\.kind.rawValue)
    #expect(kinds.sorted() == example.kinds.sorted())
    expectReasons(comparison)

    let reversed = try SchemaComparison(old: new, new: old, options: options)
    let mirrored: [Compatibility: Compatibility] = [.backward: .forward, .forward: .backward]
    #expect(reversed.verdict == mirrored[example.verdict] ?? example.verdict)
    expectReasons(reversed)
  }

  /// A direction that does not hold has a reason, and one that holds has none.
  private func expectReasons(_ comparison: SchemaComparison) {
    let broken = Set(comparison.changes.flatMap(\.effects).map(\.direction))
    let isBackward = [.backward, .full].contains(comparison.verdict)
    let isForward = [.forward, .full].contains(comparison.verdict)
    #expect(broken.contains(.backward) == !isBackward)
    #expect(broken.contains(.forward) == !isForward)
  }

  /// References are resolved against the identifiers around them, as validation resolves them.
  @Test(arguments: [
    "item.json", "https://example.com/models/item.json", "../models/item.json", "item.json#it",
    "item.json#/$defs/n/..", "#/$defs/item",
  ]) func referencesAreResolvedBeforeTheyAreCompared(_ reference: String) throws {
    let number = #"{"type": "object", "properties": {"n": {"type": "integer"}}}"#
    let old = try tree(#"{"properties": {"one": \#(number)}}"#)
    let new = try tree(
      """
      {"$id": "https://example.com/models/root.json", "properties": {"one": {"$ref": "\(reference)"}},
      "$defs": {"item": {"$id": "item.json", "$anchor": "it", "type": "object",
      "properties": {"n": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "integer"}}}}}
      """)
    let isFound = !reference.hasSuffix("..")
    // A reference that leads nowhere is an error in the schema.
    #expect((try? SchemaComparison(old: old, new: new))?.verdict == (isFound ? .full : nil))
  }

  @Test func changesHavePlacesReasonsAndCounterexamples() throws {
    let old = try tree(
      ##"{"type":"object","properties":{"list":{"type":"array","items":{"$ref":"#/$defs/a b"}}},"##
        + #""required":["list"],"$defs":{"a b":{"type":"object","properties":{"n":{"type":"integer"}}}}}"#
    )
    let new = try tree(
      #"{"type":"object","properties":{"list":{"type":"array","items":{"type":"object","#
        + #""properties":{"n":{"type":"string"}}}}},"required":["list"]}"#)
    let comparison = try SchemaComparison(old: old, new: new)
    let change = try #require(comparison.changes.first)
    #expect(comparison.changes.count == 1)
    #expect(change.kind == .typeChanged)
    #expect(change.path.description == "$.list[*].n")
    #expect(change.oldPointer == "/$defs/a b/properties/n/type")
    #expect(change.newPointer == "/properties/list/items/properties/n/type")
    #expect(change.description == "type was integer, now string")
    let effect = try #require(change.effects.first { $0.direction == .backward })
    #expect(effect.reason == "expected string, found integer 0")
    #expect(effect.counterexample?.line == #"{"list":[{"n":0}]}"#)
  }

  @Test func aRequiredMemberThatWasAddedHasAnObjectWithoutIt() throws {
    let comparison = try SchemaComparison(
      old: try tree(#"{"type":"object","properties":{"a":{"type":"string"}}}"#),
      new: try tree(
        #"{"type":"object","properties":{"a":{"type":"string"},"b":{}},"required":["b"]}"#))
    let change = try #require(comparison.changes.first)
    #expect(change.path.description == "$.b")
    #expect(change.effects.map(\.direction) == [.backward])
    #expect(change.effects.first?.counterexample?.line == "{}")
  }

  @Test func aRenameIsNamedAsSuch() throws {
    let comparison = try SchemaComparison(
      old: try tree(#"{"properties":{"year":{"type":"integer"}},"additionalProperties":false}"#),
      new: try tree(
        #"{"properties":{"releaseYear":{"type":"integer"}},"additionalProperties":false}"#))
    #expect(comparison.verdict == .none)
    #expect(comparison.changes.map(\.kind) == [.memberRemoved, .memberAdded])
    #expect(comparison.changes[0].description.hasSuffix("perhaps it was renamed"))
  }

  @Test func notesAreListedOnRequestAndBreakNothing() throws {
    let old = try tree(#"{"title":"A","properties":{"a":{"description":"x"}}}"#)
    let new = try tree(#"{"title":"B","properties":{"a":{"description":"y"}}}"#)
    #expect(try SchemaComparison(old: old, new: new).changes.isEmpty)
    let comparison = try SchemaComparison(old: old, new: new, includesNotes: true)
    #expect(comparison.verdict == .full)
    #expect(comparison.changes.map(\.path.description) == ["$", "$.a"])
    #expect(comparison.changes.allSatisfy { $0.kind == .annotationChanged && $0.effects.isEmpty })
  }

  @Test func aFormatThatIsNotAssertedIsANote() throws {
    let old = try tree(#"{"format":"date"}"#)
    let new = try tree(#"{"format":"time"}"#)
    #expect(try SchemaComparison(old: old, new: new).verdict == .none)
    let options = SchemaComparison.Options(assertsFormat: false)
    #expect(try SchemaComparison(old: old, new: new, options: options).verdict == .full)
  }

  @Test func patternsAreComparedByTextsThatMatchThem() throws {
    let comparison = try SchemaComparison(
      old: try tree(#"{"type":"string","pattern":"^[a-c]+$"}"#),
      new: try tree(#"{"type":"string","pattern":"^[a-d]+$"}"#))
    #expect(comparison.verdict == .backward)
    #expect(comparison.changes.flatMap(\.effects).map(\.direction) == [.forward])
  }

  @Test func whatCannotBeTriedIsNotCompatible() throws {
    // No text of so many characters is generated.
    let old = try tree(#"{"type":"string","minLength":5000}"#)
    let new = try tree(#"{"type":"string","minLength":4000}"#)
    let comparison = try SchemaComparison(old: old, new: new)
    #expect(comparison.verdict == .none)
    #expect(
      comparison.changes.flatMap(\.effects).allSatisfy { $0.reason.contains("none was tried") })
  }

  @Test(arguments: [("v0", "v1"), ("v1", "v2")])
  func anotherEnvelopeIsReadByNeither(_ versions: (String, String)) throws {
    let old = try family("Movie", versions.0)
    let new = try family("Movie", versions.1)
    let comparison = try SchemaComparison(old: old, new: new)
    #expect(comparison.verdict == .none)
    #expect(comparison.changes.allSatisfy { $0.kind == .envelopeChanged })
    #expect(comparison.changes.map(\.oldPointer).contains("/x-archive/envelope"))
    let options = SchemaComparison.Options(comparesArchives: false)
    #expect(try SchemaComparison(old: old, new: new, options: options).verdict == .full)
  }

  @Test func theWeatherFeedKeepsItsModelButNarrowsIt() throws {
    let old = try family("WeatherFeed", "v1")
    let new = try family("WeatherFeed", "v2")
    #expect(try SchemaComparison(old: old, new: new).verdict == .none)
    let options = SchemaComparison.Options(comparesArchives: false)
    let comparison = try SchemaComparison(old: old, new: new, options: options)
    // A boolean has no minimum, so that v1 takes what v2 writes.
    #expect(comparison.verdict == .forward)
    let city = "$.topCityWeathers[*]"
    #expect(
      comparison.changes.map { "\($0.kind.rawValue) \($0.path)" } == [
        "type-narrowed \(city).WeatherIcon", "type-narrowed \(city).IsDayTime",
        "range-widened \(city).IsDayTime", "type-narrowed \(city).Temperature.Metric.Value",
        "type-narrowed \(city).Temperature.Imperial.Value",
      ])
    let narrowed = comparison.changes.filter { $0.kind == .typeNarrowed }
    #expect(narrowed.allSatisfy { $0.effects.first?.counterexample != nil })
  }

  @Test func eachFamilyIsCompatibleWithItself() throws {
    for (name, version) in [("WeatherFeed", "v1"), ("Movie", "v0"), ("Actor", "v2")] {
      let schema = try family(name, version)
      let comparison = try SchemaComparison(old: schema, new: schema, includesNotes: true)
      #expect(comparison.verdict == .full)
      #expect(comparison.changes.isEmpty)
    }
  }

  private func family(_ name: String, _ version: String) throws -> JSONTree {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Sources/ArchiveSchemas/Families").standardizedFileURL
    let file = root.appendingPathComponent("\(name)/\(name).\(version).schema.json")
    return try JSONTree(json: Array(Data(contentsOf: file)))
  }

  private func tree(_ json: String) throws -> JSONTree { try JSONTree(json: Array(json.utf8)) }
}

extension SchemaComparison {
  /// Compares two schemas without a family.
  init(
    old: JSONTree, new: JSONTree, includesNotes: Bool = false, options: Options = Options()
  ) throws(ArchiveError) {
    func version(_ tree: JSONTree) throws(ArchiveError) -> SchemaVersion {
      try SchemaVersion(
        family: "", name: "schema", tree: tree, uri: "", assertsFormats: options.assertsFormat)
    }
    try self.init(
      old: version(old), new: version(new), includesNotes: includesNotes, options: options)
  }
}
