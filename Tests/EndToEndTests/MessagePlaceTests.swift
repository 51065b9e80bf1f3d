// Locations in messages: line and column in text, otherwise the byte offset in the outermost file.

import Foundation
import TestSupport
import Testing

@Suite struct MessagePlaceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let place: String
    var command = ["dump"]
    var testDescription: String { "\(place) \(text)" }
  }

  @Test(arguments: [
    Case(text: "{\n \"a\": 1,\n  \"b\": \"é\", x\n}", place: "f:3:13: error"),
    Case(text: "{\"a\": 1,}", place: "f:1:9: error"),
    Case(text: "[1,\r\n 2 3]", place: "f:2:4: error"),
    Case(
      text: "<plist version=\"1.0\">\n<dict>\n  <key>a</key><nope/>\n</dict></plist>",
      place: "f:3:"),
    Case(
      text: "<plist><dict>\n<key>a</key><true/>\n<key>a</key><true/></dict></plist>",
      place: "f:3:"),
    Case(text: "{\n a = 1;\n b = ;\n}", place: "f:3:"),
    Case(
      text: "{\n \"n\": 1}", place: "f:2:7: error", command: ["validate", "--schema-file", "s"]),
    Case(
      text: "{\n \"é\": 1, \"n\": 2}", place: "f:2:15: error",
      command: ["validate", "--schema-file", "s"]),
    Case(text: "{\n}x", place: "f:2:2:", command: ["info"]),
    Case(text: "{\n}x", place: "f:2:2:", command: ["convert", "--to", "xml1"]),
    Case(text: "{\n}x", place: "f:2:2:", command: ["migrate", "--to", "v2", "-n"]),
    Case(text: "{\n}x", place: "f:2:2:", command: ["validate", "--format-only"]),
    Case(text: "{\n}x", place: "f:2:2:", command: ["validate"]),
    // Files beside the one that is read, and commands that read two.
    Case(text: "{\n}x", place: "f:2:2:", command: ["diff", "s"]),
    Case(text: "{\n}x", place: "f:2:2:", command: ["patch", "-n", "s"]),
    Case(text: "{\n \"a\" 1}", place: "f:2:6:", command: ["validate", "s", "--schema-file"]),
    Case(text: "{\n}x", place: "f:2:2:", command: ["graph"]),
    Case(
      text: "{\"op\": \"set\", \"path\": \"$.a\", \"value\": 1}\n{\"é\" 1}", place: "f:2:6:",
      command: ["set", "s", "-n", "--edits"]),
    Case(text: "{\n}x", place: "f:2:2:", command: ["set", "-n", "s", "a", "--from"]),
    Case(text: "{\n}x", place: "f:2:1:", command: ["journal", "show"]),
    Case(text: "{\n}x", place: "f:2:2:", command: ["create", "--schema", "Movie@v2", "-o", "g"]),
  ]) func areLinesAndColumnsInTexts(_ example: Case) throws {
    let bench = try Workbench([
      "f": example.text, "s": #"{"properties": {"n": {"type": "string"}}}"#,
    ])
    let result = try bench.run(example.command + ["f"])
    #expect(result.errors.contains(example.place), "\(result.errors)")
  }

  /// Strings files are often in UTF-16.
  @Test(
    arguments: [
      String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian,
      .utf32BigEndian,
    ], [true, false])
  func areTheSameInEveryEncoding(_ encoding: String.Encoding, _ hasMark: Bool) throws {
    let bench = try Workbench()
    let text = (hasMark ? "\u{FEFF}" : "") + "{\n \"é😀\" = 1; b = ;\n}"
    try bench.write(try #require(text.data(using: encoding)), to: "f")
    let result = try bench.run("dump", "f")
    #expect(result.errors.hasPrefix("f:2:16: error: "), "\(result.errors)")
  }

  /// Nothing that reads lines takes an offset for one.
  @Test(arguments: [
    (["dump"], "f@"), (["info"], "f@"), (["validate"], "f@"), (["convert", "--to", "json"], "f@"),
    (["query", "$"], "f@"), (["diff", "s"], "f@"), (["graph"], "f@"),
  ]) func areOffsetsInBinaryFiles(_ command: [String], _ place: String) throws {
    let bench = try Workbench(["s": "{}"])
    try bench.copy("Broken/bad-offset", to: "f")
    let result = try bench.run(command + ["f"])
    #expect(result.errors.contains(place + "909: error: "), "\(result.errors)")
  }

  /// Bytes that a typedstream holds stand in the file as they are.
  @Test func countFromTheFileInDataOfATypedStream() throws {
    let inner = try PropertyListSerialization.data(
      fromPropertyList: ["needle": "haystack"], format: .binary, options: 0)
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: ["blob": inner as NSData] as NSDictionary, requiringSecureCoding: false)
    let bench = try Workbench()
    try bench.write(archive, to: "archive")
    let made = try bench.run("convert", "--to", "typedstream", "archive", "-o", "stream")
    #expect(made.status == 0, "\(made.errors)")
    let stream = try Data(contentsOf: bench.url("stream"))
    let word = try #require(stream.range(of: Data("haystack".utf8)))
    let dump = try bench.run("dump", "--offsets", "stream")
    // The marker stands before the characters.
    #expect(dump.text.contains("\"haystack\" @\(word.lowerBound - 1)+9\n"), "\(dump.text)")
    let hex = try bench.run("dump", "--hex", "$.blob.needle", "stream")
    #expect(hex.text.contains("bytes \(word.lowerBound - 1) to \(word.upperBound - 1), 9 in all\n"))
  }

  /// In Base64 no byte of the file is one of the data.
  @Test func sayWhatTheyCountInElsewhere() throws {
    let inner = try PropertyListSerialization.data(
      fromPropertyList: ["needle": "haystack"], format: .binary, options: 0)
    let bench = try Workbench()
    try bench.write(
      try PropertyListSerialization.data(
        fromPropertyList: ["blob": inner], format: .xml, options: 0), to: "f")
    let hex = try bench.run("dump", "--hex", "$.blob.needle", "f")
    #expect(hex.text.contains("in all of the decoded data\n"), "\(hex.text)")
  }

  @Test func missingAndUnexpectedMembersAreCalledSo() throws {
    let bench = try Workbench([
      "s": """
      {"properties": {"title": {"type": "string"}, "any": {}, "in": {"minItems": 1, "maxLength": 1}},
       "required": ["title", "any"], "additionalProperties": false}
      """,
      "f": #"{"color": "red", "in": []}"#, "g": #"{"title": "a", "any": 1, "in": "ab"}"#,
    ])
    let result = try bench.run("validate", "--schema-file", "s", "f", "g")
    for message in [
      "missing required member 'title' (string) (at $.title)",
      "missing required member 'any' (at $.any)",
      "unexpected member 'color' (string \"red\") (at $.color)",
      "expected at least 1 item, found array of 0 (at $.in)",
      "expected at most 1 character, found string \"ab\" (at $.in)",
    ] { #expect(result.errors.contains(": error: " + message + "\n"), "\(result.errors)") }
  }
}
