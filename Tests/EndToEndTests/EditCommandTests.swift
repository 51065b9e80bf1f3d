// `archtool set`, `insert`, `append`, `remove`, `rename-key` and `patch` as a user types them.

import Foundation
import TestSupport
import Testing

@Suite struct EditCommandTests {
  private static func archive(_ root: Any) -> Data {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.encode(root, forKey: NSKeyedArchiveRootObjectKey)
    return archiver.encodedData
  }

  private static func judge(_ arguments: String...) throws -> String {
    try Program.run("FoundationJudge", arguments).text
  }

  @Test(arguments: [
    (["set", "f", "list.0", "\"z\""], "{\"list\":[\"z\",\"b\"],\"n\":1}\n"),
    (["set", "--string", "f", "/list/0", "5"], "{\"list\":[\"5\",\"b\"],\"n\":1}\n"),
    (["set", "f", "n", "-5"], "{\"list\":[\"a\",\"b\"],\"n\":-5}\n"),
    (["set", "--real", "f", "n", "2.5"], "{\"list\":[\"a\",\"b\"],\"n\":2.5}\n"),
    (["set", "--bool", "f", "n", "yes"], "{\"list\":[\"a\",\"b\"],\"n\":true}\n"),
    (["set", "f", "new", "{\"k\": []}"], "{\"list\":[\"a\",\"b\"],\"n\":1,\"new\":{\"k\":[]}}\n"),
    (["insert", "f", ":list:1", "\"x\""], "{\"list\":[\"a\",\"x\",\"b\"],\"n\":1}\n"),
    (["append", "f", "list", "null"], "{\"list\":[\"a\",\"b\",null],\"n\":1}\n"),
    (["remove", "f", "$.list"], "{\"n\":1}\n"),
    (["rename-key", "f", "$.n", "m"], "{\"list\":[\"a\",\"b\"],\"m\":1}\n"),
    (["set", "--edits", "lines", "f"], "{\"list\":[\"a\"],\"n\":2}\n"),
    (["patch", "f", "changes"], "{\"list\":[\"b\",\"a\"],\"n\":1,\"o\":1}\n"),
    (["set", "f", "n", "--from", "part"], "{\"list\":[\"a\",\"b\"],\"n\":[\"p\"]}\n"),
    (["insert", "f", "list.0", "--from", "part"], "{\"list\":[[\"p\"],\"a\",\"b\"],\"n\":1}\n"),
  ]) func foundationOpensWhatWasEdited(_ words: [String], _ expected: String) throws {
    let bench = try Workbench([
      "lines": """
      {"op": "remove", "path": "list.1"}
      {"op": "set", "path": "n", "value": 2}
      """,
      "changes": """
      [{"op": "test", "path": "/n", "value": 1.0}, {"op": "move", "from": "/list/0", "path": "/list/1"},
       {"op": "copy", "from": "/n", "path": "/o"}]
      """,
    ])
    try bench.write(Self.archive(["list": ["a", "b"], "n": 1] as [String: Any]), to: "f")
    try bench.write(Self.archive(["p"]), to: "part")
    let old = try Data(contentsOf: bench.url("f"))
    let result = try bench.run(words)
    #expect(result.status == 0, "\(result.errors)")
    try bench.write(result.output, to: "out")
    #expect(try Self.judge("dictionary", bench.url("out").path) == expected)
    #expect(try Data(contentsOf: bench.url("f")) == old)
    let place = try bench.run(
      [words[0], "--in-place", "--backup", ".old", "--journal", "j"] + words.dropFirst())
    #expect(place.status == 0, "\(place.errors)")
    #expect(try Data(contentsOf: bench.url("f")) == result.output)
    #expect(try Data(contentsOf: bench.url("f.old")) == old)
    let undone = try bench.run("undo", "j")
    #expect(undone.status == 0, "\(undone.errors)")
    #expect(try Data(contentsOf: bench.url("f")) == old)
    let shown = try bench.run([words[0], "-n"] + words.dropFirst())
    #expect(shown.status == 0 && !shown.output.isEmpty, "\(shown.errors)")
    #expect(try Data(contentsOf: bench.url("f")) == old)
  }

  @Test(arguments: [
    (["set", "f"], 64, "missing operand PATH"),
    (["set", "f", "a"], 64, "missing operand VALUE"),
    (["set", "f", "a", "b"], 64, "'b' is not JSON"),
    (["set", "f", "a", "b", "c"], 64, "one too many"),
    (["set", "--integer", "f", "a", "1.5"], 64, "is not an integer"),
    (["set", "--date", "f", "a", "now"], 64, "is not a date"),
    (["set", "--data", "f", "a", "?"], 64, "is not Base64"),
    (["set", "--bool", "f", "a", "1"], 64, "is not true, false"),
    (["set", "--shared", "--copy", "f", "a", "1"], 64, "cannot be used together"),
    (["set", "--from", "f", "f", "a", "1"], 64, "replaces VALUE"),
    (["set", "--schema", "Movie", "f", "a", "1"], 64, "needs"),
    (["set", "--in-place", "-", "a", "1"], 64, "standard input"),
    (["insert", "$.a", "p", "f"], 64, "FILE comes first"),
    (["patch", "-", "-"], 64, "cannot both be standard input"),
    (["set", "f", "/~2", "1"], 64, "is not a path"),
    (["set", "none", "a", "1"], 66, "none"),
    (["set", "text", "a", "1"], 65, "text"),
    (["set", "--check", "f", "a", "1"], 1, "does not fit its schema"),
    (["set", "f", "a.b.c", "1"], 1, "there is no key 'b' here"),
    (["remove", "--in-place", "f", "b"], 1, "there is no key 'b' here"),
    (["patch", "f", "bad"], 1, "operation 1 (/nowhere): there is no key 'nowhere' here"),
    (["patch", "f", "text"], 65, "text"),
    (["set", "f", "a", "1", "-o", "f"], 73, "exists"),
  ]) func nothingIsWrittenAfterAnError(_ words: [String], _ status: Int32, _ text: String) throws {
    let bench = try Workbench([
      "text": "neither",
      "bad": #"[{"op":"add","path":"/x","value":1},{"op":"remove","path":"/nowhere"}]"#,
    ])
    let archive = Self.archive(["a": ["k": "v"]])
    try bench.write(archive, to: "f")
    let result = try bench.run(words)
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.contains(text), "\(result.errors)")
    #expect(result.output.isEmpty)
    #expect(try Data(contentsOf: bench.url("f")) == archive)
  }

  /// A value that was taken from memory that had been given back would show in the filled memory.
  @Test(arguments: [0, 165]) func eachOfManyDatesIsReplaced(_ filling: Int) throws {
    let bench = try Workbench()
    let dates = (0..<200).map { Date(timeIntervalSinceReferenceDate: Double($0)) }
    try bench.write(Self.archive(["dates": dates, "last": dates[199]] as [String: Any]), to: "f")
    var operations: [[String: Any]] = []
    for number in 0..<200 {
      let time = Double(number) * 86_400.5
      let text = Date(timeIntervalSinceReferenceDate: time).ISO8601Format(
        .init(includingFractionalSeconds: true))
      operations.append(
        ["op": "replace", "path": "/dates/\(number)", "value": ["$date": text]])
    }
    try bench.write(try JSONSerialization.data(withJSONObject: operations), to: "p")
    let result = try bench.run(
      ["patch", "f", "p", "-o", "out"], environment: ["MALLOC_PERTURB_": "\(filling)"])
    #expect(result.status == 0, "\(result.errors)")
    let text = try Self.judge("dictionary", bench.url("out").path)
    let read = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let found = try #require(read["dates"] as? [Any])
    let expected = (0..<200).map { Double($0) * 86_400.5 }
    #expect(found.map { Self.seconds($0) } == expected, "\(text.prefix(300))")
    #expect(Self.seconds(read["last"] ?? 0) == 199)
  }

  private static func seconds(_ value: Any) -> Double? { (value as? [String: Double])?["date"] }

  /// No command that edits a file enters folders.
  @Test(arguments: [
    ["set", "d", "a", "1"], ["set", "--in-place", "d", "a", "1"], ["insert", "d", "a", "1"],
    ["append", "d", "a", "1"], ["remove", "d", "a"], ["rename-key", "d", "a", "b"],
    ["patch", "d", "p"], ["patch", "f", "d"], ["edit", "d"], ["set", "f", "a", "--from", "d"],
    ["set", "f", "--edits", "d"],
  ]) func folderIsNoFile(_ words: [String]) throws {
    let bench = try Workbench(["d/x": "{}", "p": "[]"])
    try bench.write(Self.archive(["a": 1]), to: "f")
    let result = try bench.run(words)
    #expect(result.status == 66, "\(result.errors)")
    #expect(result.errors == "d: error: is a directory; name a file in it\n")
  }

  @Test func messagesNameJSONOnce() throws {
    let bench = try Workbench()
    try bench.write(Self.archive(["a": 1]), to: "f")
    for text in ["\"x", "b", "[1", "{\"a\""] {
      let result = try bench.run("set", "f", "a", text)
      #expect(result.status != 0)
      #expect(result.errors.components(separatedBy: "not JSON").count <= 2, "\(result.errors)")
    }
  }

  /// The kernel refuses changes in these folders to everyone.
  @Test(arguments: [["set", "a", "1"], ["remove", "a"], ["append", "b", "1"]])
  func folderThatCannotBeWrittenIsOneError(_ words: [String]) throws {
    let bench = try Workbench()
    let archive = Self.archive(["a": 1, "b": []] as [String: Any])
    try bench.write(archive, to: "sub/f")
    let folder = bench.url("sub").path
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    }
    var file = "sub/f"
    var output = "/proc/self/none"
    if getuid() == 0 { file = "f" } else { output = "sub/none" }
    if getuid() == 0 { try bench.write(archive, to: "f") }
    let result = try bench.run([words[0], file] + words.dropFirst() + ["-o", output])
    #expect(result.status == 73, "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    #expect(try Data(contentsOf: bench.url("sub/f")) == archive)
    if getuid() == 0 { return }
    let place = try bench.run([words[0], "--in-place", file] + words.dropFirst())
    #expect(place.status == 73, "\(place.errors)")
    #expect(place.errors.split(separator: "\n").count == 1, "\(place.errors)")
    #expect(try Data(contentsOf: bench.url("sub/f")) == archive)
  }

  @Test func lostValuesOfAnotherVersionAreNotOrphaned() throws {
    let families = TestArchives.root.appendingPathComponent("Families").path
    let trip = families + "/Itinerary/samples/v3/two-cities"
    let bench = try Workbench()
    let kept = try bench.run(
      "migrate", "--schemas", families, "--to", "v4", "--keep-lost", trip, "-o", "trip")
    #expect(kept.status == 0, "\(kept.errors)")
    let before = try Data(contentsOf: bench.url("trip"))
    let place = try bench.run("set", "--in-place", "trip", "title", "\"x\"")
    #expect(
      place.status == 1 && place.errors.contains("trip.lost.json has values"), "\(place.errors)")
    #expect(try Data(contentsOf: bench.url("trip")) == before)
    let other = try bench.run("set", "trip", "title", "\"x\"", "-o", "other")
    #expect(other.status == 0, "\(other.errors)")
    #expect(other.errors.contains("trip.lost.json does not belong"), "\(other.errors)")
    try FileManager.default.removeItem(at: bench.url("trip.lost.json"))
    let free = try bench.run("set", "--in-place", "trip", "title", "\"x\"")
    #expect(free.status == 0, "\(free.errors)")
  }

  @Test func aResultFitsItsSchema() throws {
    let movie = TestArchives.root.appendingPathComponent("Movie/v1").path
    let bench = try Workbench()
    let good = try bench.run("set", "--check", "-n", movie, "/name", "\"X\"")
    #expect(good.status == 0, "\(good.errors)")
    #expect(good.text == "$.name: \"Avatar\" -> \"X\"\n")
    let bad = try bench.run("set", "--check", "-o", "out", movie, "/releaseYear", "\"X\"")
    #expect(bad.status == 1 && bad.errors.contains("does not fit its schema"), "\(bad.errors)")
    #expect(!FileManager.default.fileExists(atPath: bench.url("out").path))
  }

  @Test func textWithoutCommentsHasNoWarning() throws {
    let bench = try Workbench([
      "j": #"{"a": "/* no <!-- note"}"#, "o": #"{ a = "// no"; b = http://x; }"#,
    ])
    for name in ["j", "o"] {
      let result = try bench.run("set", "-o", "out", "-f", name, "a", "\"c\"")
      #expect(result.status == 0 && !result.errors.contains("not kept"), "\(result.errors)")
    }
  }

  /// A text, and how it is stored.
  struct Text: Sendable, CustomTestStringConvertible {
    static let xml =
      "<plist version=\"1.0\"><!-- note --><dict><key>a</key><string>b</string></dict></plist>"
    static let list = "{ a = b; /* note */ }"
    static let strings = "// note\n\"a\" = \"caf\u{E9}\";\n"

    let text: String
    let encoding: String.Encoding
    /// The name of the encoding, if it is lost.
    var name: String?
    var isCompressed = false

    var testDescription: String { "\(name ?? "UTF-8") \(isCompressed) \(text)" }

    func bytes() throws -> Data {
      let data = try #require(text.data(using: encoding))
      guard isCompressed else { return data }
      return PairInputs.compressed(data)
    }
  }

  static let texts: [Text] =
    [Text.xml, Text.list, Text.strings].flatMap { text in
      [
        Text(text: text, encoding: .utf8), Text(text: text, encoding: .utf8, isCompressed: true),
        Text(text: text, encoding: .utf16, name: "UTF-16"),
        Text(text: text, encoding: .utf16, name: "UTF-16", isCompressed: true),
        Text(text: text, encoding: .utf32, name: "UTF-32"),
      ]
    } + [
      Text(text: Text.strings, encoding: .macOSRoman, name: "Mac Roman"),
      Text(
        text: "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + Text.xml, encoding: .isoLatin1,
        name: "ISO-8859-1"),
    ]

  static let rewritings: [[String]] = [
    ["set", "-n", "f", "a", "\"c\""], ["set", "-o", "out", "-f", "f", "a", "\"c\""],
    ["remove", "--in-place", "--no-journal", "f", "a"],
    ["rename-key", "--in-place", "--no-journal", "f", "a", "z"],
    ["convert", "--in-place", "--no-journal", "--to", "same", "f"],
    ["convert", "--output-dir", "new", "--to", "same", "f"],
  ]

  @Test(arguments: texts, rewritings)
  func whatATextLosesIsSaid(_ text: Text, _ arguments: [String]) throws {
    let bench = try Workbench()
    try text.bytes().write(to: bench.url("f"))
    let format = text.text.contains("<plist") ? "xml1" : "openstep"
    let result = try bench.run(arguments.map { $0 == "same" ? format : $0 })
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.errors.components(separatedBy: "comments in the text are not kept").count == 2,
      "\(result.errors)")
    #expect(
      text.name.map { result.errors.contains("the text was in \($0) and is in UTF-8 now") }
        ?? !result.errors.contains("the text was in"), "\(result.errors)")
  }

  /// A file that is replaced loses its comments in any format; a copy in another format is made beside them.
  @Test(arguments: [("--in-place", true), ("--output-dir=new", false)])
  func commentsOfAConvertedTextAreLostInPlace(_ option: String, _ isLost: Bool) throws {
    let bench = try Workbench(["f": Text.xml])
    let journal = option == "--in-place" ? ["--no-journal"] : []
    let result = try bench.run(["convert", "--to", "binary1", option] + journal + ["f"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("comments in the text are not kept") == isLost)
  }

  @Test(arguments: [
    (["convert", "--to", "xml1", "f", "-o", "new"], true),
    (["convert", "--to", "xml1", "f"], true),
    (["convert", "--to", "binary1", "f", "-o", "new"], false),
    (["convert", "--to", "binary1", "-f", "f", "-o", "f"], true),
    (["convert", "--to", "json", "f"], false),
  ]) func aCopyInTheSameFormatHasNoComments(_ words: [String], _ isLost: Bool) throws {
    let bench = try Workbench(["f": Text.xml])
    let result = try bench.run(words)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("comments in the text are not kept") == isLost)
  }

  @Test func anArchiveInDataLosesItsCommentsWhenAClassIsRenamed() throws {
    let bench = try Workbench()
    let archive = """
      <plist version="1.0"><!-- hi --><dict><key>$archiver</key><string>NSKeyedArchiver</string>
      <key>$version</key><integer>100000</integer><key>$top</key><dict><key>root</key>
      <dict><key>CF$UID</key><integer>1</integer></dict></dict><key>$objects</key><array>
      <string>$null</string><dict><key>$class</key><dict><key>CF$UID</key><integer>2</integer></dict>
      </dict><dict><key>$classname</key><string>C</string><key>$classes</key><array><string>C</string>
      <string>NSObject</string></array></dict></array></dict></plist>
      """
    try PropertyListSerialization.data(
      fromPropertyList: ["d": Data(archive.utf8)], format: .binary, options: 0
    ).write(to: bench.url("f"))
    let result = try bench.run("rename-class", "C=D", "f", "-o", "new")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("the comments in the text are not kept"), "\(result.errors)")
  }

  @Test func aTextInDataLosesItsCommentsWithItsPath() throws {
    let bench = try Workbench()
    try PropertyListSerialization.data(
      fromPropertyList: ["d": Data(Text.xml.utf8)], format: .binary, options: 0
    ).write(to: bench.url("f"))
    let result = try bench.run("set", "-o", "out", "f", "$.d.a", "\"c\"")
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.errors.contains("comments in the text are not kept (at $.d)"), "\(result.errors)")
  }

  /// A value that a field of a typedstream does not hold is refused with its type.
  @Test(arguments: [
    ("$1", "300", "the type c (an integer from -128 to 127)"), ("$2", "-1", "the type C"),
    ("$3", "70000", "the type s"), ("$4", "-1", "the type S"),
    ("$5", "4242424242", "the type i (an integer from -2147483648 to 2147483647)"),
    ("$6", "4294967296", "the type I"), ("$10", "-1", "the type Q"), ("$8", "-1", "the type L"),
    ("$19", "5", "the type #, which holds a class"),
    ("$25", #"{"$data":"AQIDBAU="}"#, "the type [4C]"), ("$23", "[1]", "the type {_NSRect="),
  ]) func valuesThatTheirTypeDoesNotHoldAreRefused(
    _ key: String, _ value: String, _ words: String
  ) throws {
    let bench = try Workbench()
    try bench.copy("TypedStreams/unknown-class", to: "f")
    let result = try bench.run("set", "f", "$['\(key)']", value, "-o", "new")
    #expect(result.status == 1, "\(result.errors)")
    #expect(result.errors.contains("the value does not fit \(words)"), "\(result.errors)")
    #expect(result.errors.contains("(at $['\(key)']"), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: bench.url("new").path))
  }

  /// A stream of a list: its elements are two equal strings, or two equal numbers, that are objects of their own, and a string.
  private static func list(_ elements: String) -> Data {
    let head =
      "040b73747265616d747970656481e8038401408484840e4e534d757461626c654172726179008484074e5341727261790084"
      + "84084e534f626a656374008584016903928484"
    let digits = Array((head + elements).utf8)
    return Data(
      stride(from: 0, to: digits.count, by: 2).map { position in
        UInt8(String(decoding: digits[position..<position + 2], as: UTF8.self), radix: 16) ?? 0
      })
  }

  private static let equalStrings = list(
    "84084e53537472696e67019584012b0473616d6586928497980473616d65869284979801788686")
  private static let equalNumbers = list(
    "84084e534e756d626572008484074e5356616c7565009584012a8496960586928497999996058692848484084e53537472696e67019584012b01788686"
  )

  /// Equal values that are objects of their own stay so, and objects that are not written from what they show stay as they are.
  @Test(arguments: [
    ("", "$[2]"), ("numbers", "$[2]"), ("TypedStreams/interface", "$.NSFramework"),
    ("TypedStreams/interface-big-endian", "$.NSConnections[0].NSLabel"),
    ("TypedStreams/color-list", "$['$4']"), ("TypedStreams/wide-integers-big-endian", "$[1]"),
  ]) func anEditOfATypedstreamChangesNothingElse(_ name: String, _ path: String) throws {
    let bench = try Workbench()
    if name.contains("/") {
      try bench.copy(name, to: "f")
    } else {
      try bench.write(name.isEmpty ? Self.equalStrings : Self.equalNumbers, to: "f")
    }
    let result = try bench.run("set", "f", path, "\"other\"", "--shared", "-o", "new")
    #expect(result.status == 0, "\(result.errors)")
    // The groups of a stream without a root are named only while it is edited.
    let shown = try ["f", "new"].map { file in
      try bench.run("dump", "--raw", "--typed", "--compact", file).text
        .components(separatedBy: #"{"key""#)
    }
    #expect(shown[0].count == shown[1].count)
    let changed = zip(shown[0], shown[1]).filter { $0 != $1 }
    #expect(changed.count == 1 && changed.allSatisfy { $1.contains("other") }, "\(changed)")
  }

  @Test func aTypedstreamWithAColorIsEditedBesideIt() throws {
    let bench = try Workbench()
    for name in ["colors", "geometry"] {
      try bench.copy("TypedStreams/\(name)", to: name)
      let result = try bench.run("append", name, "$", "\"last\"", "-o", "new-\(name)")
      #expect(result.status == 0, "\(result.errors)")
      let difference = try bench.run("diff", name, "new-\(name)")
      #expect(difference.text.split(separator: "\n").count == 1, "\(difference.text)")
    }
  }

  /// What was typed stays, whatever is wrong with it, and the message is about that text.
  @Test(arguments: [
    ("s/\"a\",/\"a\"/", ": error: not JSON", 65), ("s/1/9999999999999999999999/", "64 bits", 1),
    ("s/1/\"x\"/", "the result does not fit its schema", 1),
  ]) func whatWasTypedIsKept(_ script: String, _ message: String, _ status: Int32) throws {
    let bench = try Workbench(["s.json": #"{"properties":{"n":{"type":"integer"}}}"#])
    let old = Self.archive(["list": ["a", "b"], "n": 1, "k": ["x": "y"]] as [String: Any])
    try bench.write(old, to: "f")
    let editor = #"sh -c 'sed "$0" "$1" >"$1.new"; mv "$1.new" "$1"' '\#(script)'"#
    let result = try bench.run(
      ["edit", "--in-place", "--no-journal", "--check", "--schema-file", "s.json", "f"],
      environment: ["EDITOR": editor, "TMPDIR": bench.url(".").path])
    #expect(result.status == status, "\(result.errors)")
    let kept = try FileManager.default.contentsOfDirectory(atPath: bench.url(".").path)
      .filter { $0.hasSuffix(".json") && $0 != "s.json" }
    let file = try #require(kept.first, "\(result.errors)")
    #expect(kept.count == 1)
    #expect(
      result.errors.contains("/\(file)") && result.errors.contains(message), "\(result.errors)")
    #expect(result.errors.contains("what you typed is kept in "), "\(result.errors)")
    #expect(!result.errors.contains("f@"), "\(result.errors)")
    #expect(
      result.errors.contains(/\.json:[0-9]+:[0-9]+: error/) == !message.contains("schema"),
      "\(result.errors)")
    #expect(try Data(contentsOf: bench.url("f")) == old)
    var facts = stat()
    #expect(stat(bench.url(file).path, &facts) == 0 && facts.st_mode & 0o077 == 0)
  }

  /// An edit that the file refuses is shown at its value in the text.
  @Test func aRefusedEditIsShownInTheText() throws {
    let bench = try Workbench()
    try bench.copy("TypedStreams/unknown-class", to: "f")
    let result = try bench.run(
      ["edit", "--in-place", "--no-journal", "f"],
      environment: [
        "EDITOR": "sed -i.old s/-70000/4242424242/", "VISUAL": "", "TMPDIR": bench.url(".").path,
      ])
    #expect(result.status == 1, "\(result.errors)")
    #expect(
      result.errors.contains(/\.json:8:9: error: the value does not fit the type i .*\$5/),
      "\(result.errors)")
    #expect(try Data(contentsOf: bench.url("f")) == Workbench.archive("TypedStreams/unknown-class"))
  }

  /// On a terminal the text is opened again, with the error in its first line, until it is right or the user gives up.
  @Test(arguments: [("e\n", 0), ("\n", 0), ("q\n", 65)])
  func aPersonIsAskedAndTriesAgain(_ answer: String, _ status: Int) throws {
    let bench = try Workbench()
    try bench.write(Self.archive(["n": 1]), to: "f")
    // The first try lacks a comma; the second finds the comment and repairs the text.
    let editor =
      #"sh -c 'if grep "^// archtool: line 3: not JSON" "$0" >>seen; then sed -i.old "s/1 /2, /" "$0"; else sed -i.old "s/1/1 \"m\": 3/" "$0"; fi'"#
    let result = try Program.runOnTerminal(
      ["edit", "--in-place", "f"], input: Data(answer.utf8), in: bench.url("."),
      environment: [
        "EDITOR": editor, "VISUAL": "", "TMPDIR": bench.url(".").path,
        "HOME": bench.url("home").path, "XDG_STATE_HOME": "",
      ])
    #expect(result.status == status, "\(result.text)\(result.errors)")
    #expect(result.text.contains("e edits the text again"), "\(result.text)")
    let judged = try Self.judge("dictionary", bench.url("f").path)
    #expect(judged == (status == 0 ? "{\"m\":3,\"n\":2}\n" : "{\"n\":1}\n"), "\(result.text)")
    #expect(result.text.contains("what you typed is kept in") == (status != 0), "\(result.text)")
  }

  @Test func anEditorChangesTheSmallestValues() throws {
    let bench = try Workbench()
    try bench.write(
      Self.archive(["list": ["a", "b", "c"], "n": 1, "k": ["x": "y"]] as [String: Any]), to: "f")
    // Removes one line, and changes and adds others.
    let script =
      "sed -i.old -e '/\"b\",/d' -e 's/\"y\"/\"z\"/' -e 's/\"n\": 1/\"m\": true, \"n\": 1/'"
    let shown = try bench.run(["edit", "-n", "f"], environment: ["VISUAL": script])
    #expect(shown.status == 0, "\(shown.errors)")
    let lines = Set(shown.text.split(separator: "\n").map(String.init))
    #expect(
      lines == [#"$.list[1]: removed "b""#, #"$.k.x: "y" -> "z""#, "$.m: added true"], "\(lines)")
    let done = try bench.run(
      ["edit", "--in-place", "--no-journal", "f"], environment: ["EDITOR": script])
    #expect(done.status == 0, "\(done.errors)")
    #expect(
      try Self.judge("dictionary", bench.url("f").path)
        == "{\"k\":{\"x\":\"z\"},\"list\":[\"a\",\"c\"],\"m\":true,\"n\":1}\n")
    let failed = try bench.run(["edit", "-n", "f"], environment: ["EDITOR": "false"])
    #expect(failed.status == 74 && failed.errors.contains("nothing is changed"), "\(failed.errors)")
    let same = try bench.run(["edit", "-n", "f"], environment: ["EDITOR": "true"])
    #expect(same.status == 0 && same.output.isEmpty && same.errors.contains("not changed"))
  }
}
