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
        "no schema (well-formed JSON); the nearest is Trip@v3, which",
        "has the envelope plist, not json", "requires price, class, seat", "does not define colour",
      ]),
    // Another is far.
    Case(data: #"{"origin": 1, "a": 1, "b": 1}"#, parts: ["no schema (well-formed JSON)\n"]),
    Case(data: #"{"nothing": 1}"#, parts: ["no schema (well-formed JSON)\n"]),
    Case(data: "5", parts: ["no schema (well-formed JSON)\n"]),
  ]) func verdictsSayWhy(_ item: Case) throws {
    let bench = try Workbench(Self.family)
    try bench.write(item.data, to: "trip.json")
    let result = try bench.run("validate", "--schemas", "Trips", "trip.json")
    for part in item.parts { #expect(result.text.contains(part), "\(result.text)") }
    #expect(result.status == (item.parts[0].hasPrefix("invalid") ? 1 : 0))
  }

  /// Of more members than a person reads the first are named.
  @Test func longListsAreCutShort() throws {
    let shared = (0..<7).map { "m\($0)" }
    let required = ["origin", "target", "legs", "price", "class", "seat"]
    let names = (shared + required).map { "\"\($0)\"" }
    let bench = try Workbench([
      "Trips/family.json": #"{"family": "Trip", "versions": ["v1"]}"#,
      "Trips/v1.schema.json": """
      {"x-archive": {"envelope": "plist"}, "required": [\(names.joined(separator: ","))],
      "properties": {\(names.map { $0 + ": {}" }.joined(separator: ","))}}
      """,
    ])
    let members = (shared + ["a", "b", "c", "d", "e", "f", "g"]).map { "\"\($0)\": 1" }
    try bench.write("{" + members.joined(separator: ", ") + "}", to: "trip.json")
    let text = try bench.run("validate", "--schemas", "Trips", "trip.json").text
    #expect(text.contains("requires origin, target, legs, price, class and 1 more, "), "\(text)")
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

  /// An archive of a family whose class is another one.
  @Test func classesThatAreNotAllowedAreNamed() throws {
    let bench = try Workbench([
      "Odd/family.json": #"{"family": "Odd", "versions": ["v1"]}"#,
      "Odd/v1.schema.json": """
      {"x-archive": {"envelope": "nscoding", "classes": ["Odd.Thing"]},
      "properties": {"name": {}, "count": {}, "ratio": {}, "isOn": {}}}
      """,
    ])
    try bench.copy("Graphs/unknown-class", to: "f")
    let result = try bench.run("validate", "--schemas", "Odd", "f")
    #expect(result.text.contains("allows only the classes Odd.Thing"), "\(result.text)")
    #expect(result.text.contains("no schema (well-formed keyed archive); the nearest is Odd@v1"))
  }
}
