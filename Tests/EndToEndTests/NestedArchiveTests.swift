// Archives in data values, at any depth: shown inline, and addressed by a path that leads into them.

import Foundation
import TestSupport
import Testing

@Suite struct NestedArchiveTests {
  private func list(_ object: Any, _ format: PropertyListSerialization.PropertyListFormat)
    throws -> Data
  {
    try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0)
  }

  private func archive(_ root: Any) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false)
  }

  /// A binary list in an archive in an XML list in a JSON text would be too much; three levels do.
  private func nested() throws -> Data {
    let inner = try list(["city": "Tokyo"], .binary)
    let middle = try archive(["feed": inner] as NSDictionary)
    let outer = try list(["weather": middle, "bytes": Data([1, 2])], .xml)
    return try list(["prefs": outer], .binary)
  }

  @Test func everyLevelIsShownWhereItIs() throws {
    let result = try Program.run(arguments: ["dump", "-"], input: try nested())
    #expect(result.status == 0)
    #expect(result.text.contains("⟨XML property list⟩"))
    #expect(result.text.contains("⟨keyed archive⟩"))
    #expect(result.text.contains("⟨binary property list⟩"))
    #expect(result.text.contains("city: \"Tokyo\""))
  }

  @Test(arguments: [
    "$.prefs⟨XML property list⟩.weather⟨keyed archive⟩.feed⟨binary property list⟩.city",
    "$.prefs.weather.feed.city",
  ])
  func aPathCrossesIntoThem(_ path: String) throws {
    let result = try Program.run(arguments: ["dump", "--hex", path, "-"], input: try nested())
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.text.contains("Tokyo"))
  }

  /// Data with an archive is found as data and as the root of the archive, which is what is shown.
  @Test(arguments: [
    (["find", "--class", "NSDictionary", "-"], ["<stdin>: $.root: NSDictionary (1)"]),
    (
      ["find", "--type", "string", "-"], ["<stdin>: $.text: Kyoto", "<stdin>: $.root.city: Tokyo"]
    ),
    (
      ["find", "--type", "data", "-"],
      [
        "<stdin>: $.note: data (13 bytes)", "<stdin>: $.root: NSDictionary (1)",
        "<stdin>: $.text: Kyoto",
      ]
    ),
    (["find", "--text", "K.oto", "-"], ["<stdin>: $.text: Kyoto"]),
    (["find", "--text", "K.to,", "-"], ["<stdin>: $.note: data (13 bytes)"]),
    (["find", "--value", "\"Kyoto\"", "-"], ["<stdin>: $.text: Kyoto"]),
    (
      ["query", "$[?class(@) == 'NSDictionary']", "-"],
      ["$.root: NSDictionary (1)", "└─ city: \"Tokyo\""]
    ),
    (["query", "--format", "paths", "$[?isa(@, 'NSDictionary')]", "-"], ["$['root']"]),
    (["query", "--format", "paths", "$[?type(@) == 'string']", "-"], ["$['text']"]),
    (
      ["query", "--format", "paths", "$[?type(@) == 'data']", "-"],
      ["$['note']", "$['root']", "$['text']"]
    ),
    (["query", "--format", "raw", "$[?@ == 'Kyoto']", "-"], ["Kyoto"]),
    (["get", "-", "root"], ["{\"city\":\"Tokyo\"}"]), (["get", "-", "text"], ["Kyoto"]),
    (["get", "--type", "-", "text"], ["string"]),
    (["get", "--type", "--bytes", "-", "text"], ["data"]),
    (["get", "--expect", "data", "-", "text"], ["Kyoto"]),
    (["get", "-", "note"], ["Koto, a harp."]),
  ])
  func dataIsTheRootOfItsArchive(_ arguments: [String], _ lines: [String]) throws {
    let data = try list(
      [
        "root": try archive(["city": "Tokyo"] as NSDictionary),
        "text": try archive(try archive("Kyoto") as NSData), "note": Data("Koto, a harp.".utf8),
      ], .xml)
    let result = try Program.run(arguments: arguments, input: data)
    let expected = lines.joined(separator: "\n")
    #expect(result.text == expected || result.text == expected + "\n", "\(result.errors)")
  }

  @Test func theBytesOfAnArchiveAreTheData() throws {
    let inner = try archive("Kyoto")
    let result = try Program.run(
      arguments: ["get", "--bytes", "-", "text"], input: try list(["text": inner], .binary))
    #expect(result.output == inner)
  }

  @Test func aPathThatCannotBeFollowedSaysHowFarItLed() throws {
    let result = try Program.run(
      arguments: ["dump", "--hex", "$.prefs⟨XML property list⟩.weather.feed.town", "-"],
      input: try nested())
    #expect(result.status == 1)
    #expect(result.errors.contains("$.prefs⟨XML property list⟩.weather.feed"))
  }

  @Test func aTypedStreamIsNoKeyedArchive() throws {
    let stream = try Data(
      contentsOf: TestArchives.root.appendingPathComponent("TypedStreams/attributed-string"))
    let result = try Program.run(
      arguments: ["dump", "-"], input: try list(["text": stream], .binary))
    #expect(result.status == 0)
    #expect(result.text.contains("⟨typedstream⟩"), "\(result.text)")
    #expect(!result.text.contains("⟨keyed archive⟩"))
  }

  /// Bytes that begin as a property list or compressed data may be any: a hash, a text.
  static let chances: [(name: String, bytes: Data)] = [
    ("gzip", Data([0x1F, 0x8B, 8, 0] + (200..<218))),
    ("no method", Data([0x1F, 0x8B] + (200..<218))),
    ("a binary list", Data("bplist00".utf8) + Data(repeating: 0x41, count: 60)),
    ("a NIBArchive", Data("NIBArchiveTest".utf8)),
    ("a typedstream", Data("\u{4}\u{B}streamtyped and more".utf8)),
    ("XML", Data("<?xml version='1.0'?><plist><dict>".utf8)),
    ("a document type", Data("<!DOCTYPE plist and no more".utf8)),
  ]

  @Test(arguments: chances)
  func dataThatBeginAsAListAreData(_ chance: (name: String, bytes: Data)) throws {
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      let outer = try list(["files": ["a.png": chance.bytes], "n": 1], format)
      for arguments in [
        ["dump"], ["dump", "--format", "json"], ["validate", "--format-only"], ["validate"],
        ["validate", "--lint"], ["validate", "--format-only", "--lint"],
      ] {
        let result = try Program.run(arguments: arguments + ["-"], input: outer)
        #expect(result.status == 0, "\(arguments) \(result.errors)")
        #expect(!result.errors.contains("error:") && !result.errors.contains("warning:"))
        #expect(result.errors.components(separatedBy: "note: ").count <= 2, "\(result.errors)")
      }
      let named = try Program.run(
        arguments: ["dump", "--at", "$.files['a.png']", "-"], input: outer)
      #expect(named.status == 65)
      let strict = try Program.run(
        arguments: ["validate", "--format-only", "--fail-on", "note", "-"], input: outer)
      #expect(strict.status == (chance.name == "no method" ? 0 : 1), "\(strict.errors)")
    }
  }

  /// Data that begin as an archive and are none are shown as data, with a note that has their path.
  @Test func whatIsBrokenWithinIsNamedWithItsPath() throws {
    let broken = Data("bplist00 and no more of it than this, but longer than a trailer".utf8)
    let middle = try archive(["feed": broken] as NSDictionary)
    let outer = try list(["prefs": ["weather": middle, "same": broken]], .binary)
    let dump = try Program.run(arguments: ["dump", "-"], input: outer)
    #expect(dump.status == 0)
    #expect(dump.errors.contains("note:") && !dump.errors.contains("error:"))
    #expect(dump.text.contains("weather"))
    #expect(!dump.errors.contains("warning:"))
    let (inner, same) = (
      "(at $.prefs.weather⟨keyed archive⟩.feed⟨binary property list⟩)",
      "(at $.prefs.same⟨binary property list⟩)"
    )
    #expect(dump.errors.contains(inner), "\(dump.errors)")
    #expect(dump.errors.contains(same))
    for line in dump.errors.split(separator: "\n") {
      let offset = Int(line.dropFirst("<stdin>:".count).prefix { $0.isNumber }) ?? 0
      // The trailer is the last thing of the data.
      #expect(outer.prefix(offset).range(of: broken.dropLast(32)) != nil, "\(line)")
    }
    let check = try Program.run(arguments: ["validate", "--format-only", "-"], input: outer)
    #expect(check.status == 0)
    #expect(check.errors.contains("note:") && !check.errors.contains("error:"))
    #expect(check.errors.contains("(at $.prefs.weather⟨keyed archive⟩.feed⟨"))
    #expect(check.errors.contains("(at $.prefs.same⟨"))
  }

  @Test func asDeepAsTheLimitAndNoDeeper() throws {
    var data = try list(["leaf": true], .binary)
    for _ in 0..<40 { data = try list(["inner": data], .binary) }
    let result = try Program.run(arguments: ["dump", "-"], input: data)
    #expect(result.status == 0)
    #expect(!result.text.contains("leaf"))
    #expect(result.text.components(separatedBy: "⟨binary property list⟩").count == 33)
  }

  @Test func theyCanBeLeftClosed() throws {
    let result = try Program.run(arguments: ["dump", "--no-nested", "-"], input: try nested())
    #expect(result.status == 0)
    #expect(!result.text.contains("Tokyo"))
  }
}
