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
    Case(
      text: "{\n \"name\": 1}", place: "f:2:10: error: expected string",
      command: ["create", "--schema", "Movie@v1", "-o", "g"]),
    Case(
      text: "{\n \"name\": \"a\"}", place: "f:1:1: error: missing required member 'director'",
      command: ["create", "--schema", "Movie@v1", "-o", "g"]),
    // A problem of a value is at its beginning; the line is named once.
    Case(text: "<plist><dict><key>e</key><foo/>", place: "f:1:26: error: 'foo'"),
    Case(text: "<plist><array>\n<key>e</key>", place: "f:2:1: error: 'key'"),
    Case(text: "<plist>\n <integer>x</integer></plist>", place: "f:2:2: error: 'x'"),
    Case(text: "{ a = 1;\nb = ; }", place: "f:2:5: error: expected a value"),
  ]) func areLinesAndColumnsInTexts(_ example: Case) throws {
    let bench = try Workbench([
      "f": example.text, "s": #"{"properties": {"n": {"type": "string"}}}"#,
    ])
    let result = try bench.run(example.command + ["f"])
    #expect(result.errors.contains(example.place), "\(result.errors)")
  }

  /// A repeated key is reported at the key, in every format and encoding of text.
  @Test(
    arguments: [
      ("\"a\" = 1;\n\"b\" = 2;\n  \"a\" = 3;\n\"c\" = 4;\n", "3:3"),
      ("{\n \"é\" = { x = 1; x = 2; };\n}", "2:17"),
      (
        "<plist>\n<dict>\n<key>a</key><true/>\n<key>é</key><true/> <key>a</key>\n<false/>\n"
          + "<key>c</key><false/></dict></plist>", "4:21"
      ),
      ("{\n\"a\":1,\n\"é\":2, \"a\":3,\n\"c\":4\n}\n", "3:8"),
    ],
    [String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf32])
  func repeatedKeysAreReportedAtTheKey(
    _ text: (content: String, place: String), _ encoding: String.Encoding
  ) throws {
    let bench = try Workbench()
    try bench.write(try #require(text.content.data(using: encoding)), to: "f.strings")
    let result = try bench.run("dump", "f.strings")
    #expect(
      result.errors.contains("f.strings:\(text.place): warning: the key "), "\(result.errors)")
    let report = try bench.run("validate", "--lint", "--format", "github", "f.strings").text
    let (line, column) = (text.place.split(separator: ":")[0], text.place.split(separator: ":")[1])
    #expect(report.contains("line=\(line),col=\(column),title=duplicate-key"), "\(report)")
    for command in [["get", "f.strings", "$"], ["set", "-o", "-", "f.strings", "$.new", "1"]] {
      let errors = try bench.run(command).errors
      #expect(errors.contains("f.strings:\(text.place): warning: the key "), "\(errors)")
    }
  }

  /// Lines of two branches that add the same key.
  @Test(.enabled(if: Program.find("git") != nil)) func aMergeOfLinesNamesTheLine() throws {
    let text = "// !$*UTF8*$!\n{\n\ta = 1;\n\tm = 1;\n\tz = 1;\n}\n"
    let bench = try Workbench([
      "base": text, "ours": text.replacingOccurrences(of: "a = 1;\n", with: "a = 1;\n\tn = 2;\n"),
      "theirs": text.replacingOccurrences(of: "z = 1;\n", with: "z = 1;\n\tn = 2;\n"),
    ])
    let result = try bench.run("git", "merge", "--", "base", "ours", "theirs", "7", "p.pbxproj")
    #expect(result.errors.contains("p.pbxproj:7:2: error: "), "\(result.errors)")
  }

  /// Two equal strings as keys of a stored dictionary, of few members and of many.
  @Test(arguments: [2, 200]) func aKeyThatIsStoredTwiceWarns(_ count: Int) throws {
    var objects: [[UInt8]] = [
      [0xDF, 0x10, UInt8(count)] + (1...count).map { UInt8($0) }
        + [UInt8](repeating: UInt8(count + 1), count: count)
    ]
    for number in 1...count {
      let key = Array("k\(number == count ? 1 : number)".utf8)
      objects.append([0x50 | UInt8(key.count)] + key)
    }
    objects.append([0x09])
    var (bytes, offsets) = (Array("bplist00".utf8), [UInt8]())
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    var trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [objects.count, 0, bytes.count] {
      trailer += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - $0 * 8)) }
    }
    let bench = try Workbench()
    try bench.write(Data(bytes + offsets + trailer), to: "f")
    for command in [["dump", "f"], ["get", "f", "/k1"], ["set", "-o", "-", "f", "/k1", "false"]] {
      let result = try bench.run(command)
      #expect(result.errors.contains("f@8: warning: the key 'k1' is repeated"), "\(result.errors)")
      #expect(result.status == 0)
    }
  }

  /// Paths without a target, and values of another type: the innermost value that exists.
  @Test(
    arguments: [
      ["get", "f", "/a/nope"], ["get", "--expect", "integer", "f", "/a"],
      ["set", "-n", "f", "/a/no/pe", "1"], ["set", "--in-place", "f", "/a/no/pe", "1"],
      ["insert", "-n", "f", "/a/no/pe", "1"], ["append", "-n", "f", "/a/no", "1"],
      ["append", "-n", "f", "/a", "1"], ["remove", "-n", "f", "/a/no"],
      ["rename-key", "-n", "f", "/a/no", "b"], ["patch", "-n", "f", "p"],
      ["edit", "f", "/a/no"], ["dump", "--hex", "$.a.no", "f"],
      ["graph", "--root", "$.a.no", "f"], ["dump", "--at", "$.a.no", "f"],
      ["validate", "--at", "$.a.no", "f"],
    ],
    [
      (#"{"a":\#n {"b": 1}}"#, "f:2:2: error: "),
      (
        "<plist><dict><key>a</key>\n<dict><key>b</key><true/></dict></dict></plist>",
        "f:2:1: error: "
      ),
      ("{ a =\n  { b = c; }; }", "f:2:3: error: "),
    ])
  func areThoseOfTheInnermostValue(_ command: [String], _ file: (text: String, place: String))
    throws
  {
    let bench = try Workbench([
      "f": file.text, "p": #"[{"op": "remove", "path": "/a/no"}]"#,
    ])
    for input in ["f", "binary"] where input == "f" || !file.text.hasPrefix("{ ") {
      let made = try bench.run("convert", "--to", "binary1", "f", "-o", "binary", "-f")
      #expect(made.status == 0, "\(made.errors)")
      let result = try bench.run(command.map { $0 == "f" ? input : $0 })
      #expect(result.status == 1, "\(result.errors)")
      let place = input == "f" ? file.place : "binary@"
      #expect(result.errors.hasPrefix(place), "\(result.errors)")
    }
  }

  /// Standard input is located, too.
  @Test(arguments: [
    ["get", "-", "/a/b"], ["remove", "-n", "-", "/a/b"], ["graph", "--root", "/a/b", "-"],
  ])
  func areThoseOfStandardInput(_ command: [String]) throws {
    let result = try Program.run(arguments: command, input: Data("{\n \"a\": {}}".utf8))
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("<stdin>:2:7: error: "), "\(result.errors)")
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
