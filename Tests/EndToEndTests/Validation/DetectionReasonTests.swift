// The reason that `archtool validate` gives for its choice of a schema, or for finding none.

import Foundation
import TestSupport
import Testing

@Suite struct DetectionReasonTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let data: String
    /// Parts of the verdict.
    let parts: [String]
    var testDescription: String { data }
  }

  /// A family whose second version has one member more, for JSON; the third is of another envelope.
  static let family = [
    "Trips/family.json": #"{"family": "Trip", "versions": ["v1", "v2", "v3"]}"#,
    "Trips/v1.schema.json":
      #"{"x-archive": {"envelope": "json"}, "required": ["from", "to"], "properties": {"from": {}, "to": {}}}"#,
    "Trips/v2.schema.json": """
    {"x-archive": {"envelope": "json"}, "required": ["from", "to", "when"],
    "properties": {"from": {}, "to": {}, "when": {"type": "string"}}}
    """,
    "Trips/v3.schema.json": """
    {"x-archive": {"envelope": "plist"}, "required": ["origin", "target", "legs", "price", "class", "seat"],
    "properties": {"origin": {}, "target": {}, "legs": {}, "price": {}, "class": {}, "seat": {}}}
    """,
  ]

  @Test(arguments: [
    Case(
      data: #"{"from": 1, "to": 2}"#,
      parts: ["valid, Trip@v1", "(envelope json, 2 of 2 required members)"]),
    Case(
      data: #"{"from": 1, "to": 2, "when": "now"}"#,
      parts: ["valid, Trip@v2", "(envelope json, 3 of 3 required members)"]),
    Case(
      data: #"{"from": 1, "when": 2}"#,
      parts: ["invalid, Trip@v2", "2 of 3 required members", "2 violations"]),
    // The nearest is of another envelope.
    Case(
      data: #"{"origin": 1, "target": 2, "legs": 3, "colour": 4}"#,
      parts: [
        "no known schema fits (envelope json); the nearest is Trip@v3, which",
        "has the envelope plist, not json", "requires price, class, seat", "does not define colour",
      ]),
    Case(data: #"{"nothing": 1}"#, parts: ["no known schema fits (envelope json)\n"]),
    Case(data: "5", parts: ["no known schema fits"]),
  ]) func verdictsSayWhy(_ item: Case) throws {
    let bench = try Workbench(Self.family)
    try bench.write(item.data, to: "trip.json")
    let result = try bench.run("validate", "--schemas", "Trips", "trip.json")
    for part in item.parts { #expect(result.text.contains(part), "\(result.text)") }
    #expect(result.status == (item.parts[0].hasPrefix("valid") ? 0 : 1))
  }

  /// Of more members than a person reads the first are named.
  @Test func longListsAreCutShort() throws {
    let bench = try Workbench(Self.family)
    let members = ["seat", "a", "b", "c", "d", "e", "f", "g"].map { "\"\($0)\": 1" }
    try bench.write("{" + members.joined(separator: ", ") + "}", to: "trip.json")
    let text = try bench.run("validate", "--schemas", "Trips", "trip.json").text
    #expect(text.contains("requires origin, target, legs, price, class, "), "\(text)")
    #expect(text.contains("does not define a, b, c, d, e and 2 more\n"), "\(text)")
  }

  @Test func aGivenVersionNeedsNoReason() throws {
    let bench = try Workbench(Self.family)
    try bench.write(#"{"from": 1, "to": 2}"#, to: "trip.json")
    let result = try bench.run(
      "validate", "--schemas", "Trips", "--schema", "Trip@v1", "trip.json")
    #expect(result.text == "trip.json: valid, Trip@v1\n")
    let other = try bench.run(
      "validate", "--schemas", "Trips", "--schema", "Trip@v3", "trip.json")
    #expect(other.status == 1)
    #expect(other.errors.contains("expected the envelope plist, found the envelope json"))
  }

  @Test func classesThatAreNotAllowedAreNamed() throws {
    let path = TestArchives.root.appendingPathComponent("Graphs/unknown-class").path
    let result = try Workbench().run("validate", path)
    #expect(result.text.contains("allows only the classes "), "\(result.text)")
    #expect(result.text.contains("(envelope nscoding)"))
  }
}
