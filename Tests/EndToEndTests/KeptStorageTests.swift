// What a migration preserves of the file itself and of fields that a lens removes: encoding, storage, class.

import Foundation
import TestSupport
import Testing

@Suite struct KeptStorageTests {
  private let bench: Workbench

  init() throws { bench = try Workbench() }

  /// A family of two versions.
  private func family(
    _ envelope: String, _ old: String, _ new: String, lens: String
  ) throws {
    try bench.write(#"{"family": "K", "versions": ["v1", "v2"]}"#, to: "S/K/family.json")
    for (version, properties) in [("v1", old), ("v2", new)] {
      try bench.write(
        #"""
        {"x-archive": {"envelope": "\#(envelope)"}, "type": "object", "properties": {\#(properties)},
          "required": ["a"], "additionalProperties": false}
        """#, to: "S/K/\(version).schema.json")
    }
    try bench.write(#"{"lens": [\#(lens)]}"#, to: "S/K/v1-v2.lens.json")
  }

  private func migrate(_ file: String, to version: String, _ options: String...) throws
    -> ProgramResult
  {
    try bench.run(
      ["migrate", "--schemas", "S", "--from", version == "v2" ? "v1" : "v2", "--to", version, file]
        + ["-o", version + "-of-" + file] + options)
  }

  private func fields(_ file: String) throws -> NSDictionary {
    let dump = try bench.run("dump", "--typed", file)
    let value = try #require(try TestArchives.json(dump.output) as? [String: NSDictionary])
    return try #require(value["$object"])
  }

  /// The value would come back, its type would not.
  @Test func aRealOfSinglePrecisionIsNotLostThroughAnInteger() throws {
    try family(
      "nscoding", #""a": true, "r": {"type": "number"}"#, #""a": true, "r": {"type": "integer"}"#,
      lens: #"{"convert": {"name": "r", "sourceType": "number", "destinationType": "integer"}}"#)
    for (kind, status) in [("$real", 0), ("$float", 1)] {
      try bench.write(
        #"{"$object": {"class": "App.M", "fields": {"a": "x", "r": {"\#(kind)": 2.0}}}}"#,
        to: "m.json")
      try bench.run("convert", "--to", "keyed-archive", "m.json", "-o", "m", "-f")
      let there = try migrate("m", to: "v2", "-f")
      #expect(there.status == Int32(status), "\(there.errors)")
      #expect(there.errors.contains("of single precision") == (status == 1))
    }
    #expect(try migrate("m", to: "v2", "-f", "--keep-lost").status == 0)
    #expect(try migrate("v2-of-m", to: "v1").status == 0)
    #expect(try fields("v1-of-v2-of-m") == fields("m"))
  }

  /// Neither schema tells how the values are stored.
  @Test(arguments: ["--keep-lost", "--keep-lost-inside"])
  func aRemovedFieldComesBackInItsStorage(_ option: String) throws {
    try family(
      "nscoding", #""a": true, "n": true, "m": true, "b": true, "d": true, "l": true"#,
      #""a": true"#,
      lens: ["n", "m", "b", "d", "l"].map { #"{"remove": {"name": "\#($0)"}}"# }
        .joined(separator: ", "))
    try bench.write(
      #"""
      {"$object": {"class": "App.M", "classes": ["App.M", "App.Base", "NSObject"], "fields": {
        "a": "x", "n": 5, "m": {"$boxed": 6}, "b": {"$boxed": true}, "d": {"$inline": {"$data": "YWJj"}},
        "l": {"$inline": ["a", "b"]}}}}
      """#, to: "m.json")
    #expect(try bench.run("convert", "--to", "keyed-archive", "m.json", "-o", "m").status == 0)
    let there = try migrate("m", to: "v2", option)
    try #require(there.status == 0, "\(there.errors)")
    let back = try migrate("v2-of-m", to: "v1")
    try #require(back.status == 0, "\(back.errors)")
    #expect(try fields("v1-of-v2-of-m") == fields("m"))
  }

  /// NSCoder tells a key that holds nil from one that is not there.
  @Test(arguments: [#"{"name": "n"}"#, #"{"name": "n", "default": 5}"#])
  func aRemovedNilIsALoss(_ member: String) throws {
    try family(
      "nscoding", #""a": true, "n": true"#, #""a": true"#, lens: #"{"remove": \#(member)}"#)
    try bench.write(
      #"{"$object": {"class": "App.M", "classes": ["App.M"], "fields": {"a": "x", "n": null}}}"#,
      to: "m.json")
    #expect(try bench.run("convert", "--to", "keyed-archive", "m.json", "-o", "m").status == 0)
    #expect(try references(to: 0, from: "m") == ["n"])
    let refused = try migrate("m", to: "v2")
    #expect(refused.status != 0)
    #expect(refused.errors.contains("$.n"))
    let there = try migrate("m", to: "v2", "--keep-lost")
    try #require(there.status == 0, "\(there.errors)")
    #expect(try references(to: 0, from: "v2-of-m") == [])
    let back = try migrate("v2-of-m", to: "v1")
    try #require(back.status == 0, "\(back.errors)")
    #expect(try references(to: 0, from: "v1-of-v2-of-m") == ["n"])
  }

  /// The keys of objects that hold a reference to an object, as Foundation finds them stored.
  private func references(to number: Int, from file: String) throws -> [String] {
    let text = try bench.run("convert", "--to", "xml1", file, "-o", "-").text
    let plain = text.replacingOccurrences(of: "CF$UID", with: "UID")
    let archive = try PropertyListSerialization.propertyList(from: Data(plain.utf8), format: nil)
    let objects = try #require((archive as? [String: Any])?["$objects"] as? [Any])
    return objects.compactMap { $0 as? [String: Any] }.flatMap { object in
      object.filter { ($0.value as? [String: Any])?["UID"] as? Int == number }.map(\.key)
    }
  }

  /// XML has UIDs, but neither null nor fractions of seconds, OpenStep's form no numbers.
  @Test(arguments: [
    ("xml1", "nscoding", #"{"$object": {"class": "M", "classes": ["M"], "fields": {"a": 1}}}"#),
    ("xml1", "dictionariable", #"{"a": {"b": [1, 2.5, "ä"]}}"#),
    ("xml1", "plist", #"{"a": {"$date": "2020-01-02T03:04:05Z"}}"#),
    ("xml1", "codable", #"{"a": 1}"#), ("openstep", "plist", #"{"a": "b"}"#),
    ("binary1", "plist", #"{"a": "b"}"#),
  ])
  func aPropertyListKeepsItsEncoding(
    _ encoding: String, _ envelope: String, _ text: String
  ) throws {
    try family(
      envelope, #""a": true"#, #""a": true, "added": true"#,
      lens: #"{"add": {"name": "added", "default": "x"}}"#)
    try bench.write(text, to: "value.json")
    if envelope == "codable" {
      try bench.run("convert", "--to", "binary1", "value.json", "-o", "inner")
      let inner = try Data(contentsOf: bench.url("inner")).base64EncodedString()
      try bench.write(#"{"$data": "\#(inner)"}"#, to: "value.json")
    }
    let isArchive = envelope != "plist"
    let made = try bench.run(
      "convert", "--to", isArchive ? "keyed-archive" : encoding, "value.json", "-o", "binary")
    try #require(made.status == 0, "\(made.errors)")
    let file = try bench.run("convert", "--to", encoding, "binary", "-o", "f")
    try #require(file.status == 0, "\(file.errors)")
    let there = try migrate("f", to: "v2")
    try #require(there.status == 0, "\(there.errors)")
    #expect(there.errors.contains("warning") == false)
    let info = try bench.run("info", "--format", "json", "v2-of-f")
    let old = try bench.run("info", "--format", "json", "f")
    let encodings = try [info, old].map {
      (try TestArchives.json($0.output) as? [NSDictionary])?.first?["encoding"] as? String
    }
    #expect(encodings[0] == encodings[1] && encodings[0] != nil)
    // Foundation reads it, too.
    let list = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: bench.url("v2-of-f")), format: nil)
    #expect(list is NSDictionary)
  }

  @Test func anEncodingThatCannotHoldItIsSaidToBeLeft() throws {
    try family(
      "plist", #""a": true"#, #""a": true, "b": true"#,
      lens: #"{"add": {"name": "b", "default": {"$date": "2020-01-02T03:04:05.25Z"}}}"#)
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["a": 1], format: .xml, options: 0)
    try bench.write(list, to: "f")
    let there = try migrate("f", to: "v2", "--report", "report.ndjson")
    try #require(there.status == 0, "\(there.errors)")
    #expect(there.errors.contains("warning: becomes a binary property list"))
    let report = try String(contentsOf: bench.url("report.ndjson"), encoding: .utf8)
    #expect(report.contains("becomes a binary property list"))
    #expect(try Data(contentsOf: bench.url("v2-of-f")).starts(with: Data("bplist00".utf8)))
  }
}
