// What new users type first: it works, or the message leads to what does.

import Foundation
import TestSupport
import Testing

@Suite struct FirstTryTests {
  private static func archive(_ root: Any) -> Data {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.encode(root, forKey: NSKeyedArchiveRootObjectKey)
    return archiver.encodedData
  }

  private static func list(_ root: Any) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: root, format: .binary, options: 0)
  }

  /// A file of user defaults with two archives, and a schema that only the first fits.
  private func defaults() throws -> Workbench {
    let bench = try Workbench([
      "s.json": #"{"properties":{"n":{"type":"integer"}},"required":["n"]}"#
    ])
    let good = Self.archive(["n": 1] as [String: Any])
    let bad = Self.archive(["n": "x"] as [String: Any])
    try bench.write(try Self.list(["good": good, "bad": bad, "text": "t"]), to: "f")
    return bench
  }

  /// What was found is seen, however long the text is, and control characters are not.
  @Test func aLongTextIsShownAroundWhatWasFound() throws {
    let (before, after) = (String(repeating: "x", count: 200), String(repeating: "y", count: 200))
    let bench = try Workbench(["f": #"{"a": "\#(before)\tNeedle \#(after)", "b": "a needle"}"#])
    let found = try bench.run("find", "-i", "--text", "nEEDLE", "f")
    #expect(
      found.text.split(separator: "\n") == [
        "f: $.a: …\(String(repeating: "x", count: 19))\\tNeedle \(String(repeating: "y", count: 33))…",
        "f: $.b: a needle",
      ])
    let marked = try bench.run("find", "--color", "always", "--text", "needle", "f").text
    #expect(marked.hasSuffix("a \u{1B}[1m\u{1B}[31mneedle\u{1B}[0m\u{1B}[0m\n"), "\(marked)")
  }

  /// JSON in a folder is passed over, but not what is named.
  @Test func namedJSONIsSearchedBesideFolders() throws {
    let json = #"{"a": "needle"}"#
    let bench = try Workbench(["j.json": json, "d/k.json": json])
    let found = try bench.run("find", "-r", "--text", "needle", "j.json", "d")
    #expect(found.text == "j.json: $.a: needle\n" && found.errors.contains("1 JSON"))
  }

  /// Each `--at` counts, in every order; those at one path are used once.
  @Test(arguments: [["bad", "good"], ["good", "bad"], ["good", "good", "bad"], ["*", "good"]])
  func eachPathCounts(_ keys: [String]) throws {
    let bench = try defaults()
    let paths = keys.flatMap { ["--at", "$.\($0)"] }
    let checked = try bench.run(["validate", "--schema-file", "s.json"] + paths + ["f"])
    #expect(checked.status == 1, "\(checked.errors)")
    #expect(checked.text.contains("$.good: valid"), "\(checked.text)")
    #expect(checked.text.contains("$.bad: invalid"), "\(checked.text)")
    #expect(checked.text.components(separatedBy: "$.good: valid").count == 2, "\(checked.text)")
    let dumped = try bench.run(["dump"] + paths + ["f"])
    #expect(dumped.text.contains("n: 1") && dumped.text.contains("n: \"x\""), "\(dumped.text)")
    let renamed = try bench.run(
      ["rename-class", "NSDictionary=NSMutableDictionary", "-n"] + paths + ["f"])
    #expect(
      renamed.text.components(separatedBy: "(1 class record").count == 3,
      "\(renamed.errors)\(renamed.text)")
  }

  @Test func aPathWithoutDataIsAnErrorBesideOthers() throws {
    let bench = try defaults()
    let result = try bench.run("validate", "--at", "$.good", "--at", "$.none", "f")
    #expect(result.status == 1 && result.text.contains("$.none"), "\(result.text)\(result.errors)")
  }

  // MARK: create

  private static let schema = """
    {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "required": ["a", "d"],
     "x-archive": {"envelope": "ENVELOPE", CLASS "key": "root"}, "properties": {
     "a": {"type": ["string", "null"]}, "d": {"x-plist-type": "date"}, "b": {"x-plist-type": "data"},
     "l": {"type": "array"}, "x": {"type": "string"}}}
    """

  private func family(_ envelope: String) throws -> Workbench {
    let name = envelope == "nscoding" ? #""classes": ["App.Thing"],"# : ""
    return try Workbench([
      "S/Thing/family.json": #"{"family": "Thing", "versions": ["v1"]}"#,
      "S/Thing/v1.schema.json": Self.schema.replacing("ENVELOPE", with: envelope)
        .replacing("CLASS", with: name),
    ])
  }

  /// What dump prints as JSON, plain or typed, makes the archive again: nil, fractions of seconds, data.
  @Test(arguments: ["nscoding", "dictionariable"], [[], ["--typed"]])
  func whatDumpPrintsIsCreatedAgain(_ envelope: String, _ options: [String]) throws {
    let bench = try family(envelope)
    let create = ["create", "--schemas", "S", "--schema", "Thing@v1"]
    try bench.write(
      #"{"a": null, "d": "2020-05-01T04:26:40.25Z", "b": "AAH/", "l": [null, 1], "x": null}"#,
      to: "j")
    let made = try bench.run(create + ["j", "-o", "first"])
    #expect(made.status == 0, "\(made.errors)")
    let shown = try bench.run(["dump", "first"]).text
    #expect(shown.contains("a: null") && shown.contains("2020-05-01T04:26:40.25Z"), "\(shown)")
    // What may not be null is left out, as an answer of a service is read.
    #expect(!shown.contains("x: "), "\(shown)")
    let valid = try bench.run("validate", "--schemas", "S", "--schema", "Thing@v1", "first")
    #expect(valid.status == 0, "\(valid.text)")
    let json = try bench.run(["dump", "--format", "json"] + options + ["first"])
    let again = try bench.run(create + ["-", "-o", "second"], input: json.output)
    #expect(again.status == 0, "\(again.errors)\(json.text)")
    let difference = try bench.run("diff", "first", "second")
    #expect(difference.status == 0, "\(difference.text)")
  }

  // MARK: Files of other programs, and their words

  @Test(arguments: [
    (
      "{ a = {length = 261, bytes = 0x6270...00f4 }; }", ["dump", "f"], 65,
      "'defaults export' keeps it"
    ),
    ("PK\u{3}\u{4}aaaaaaaaaaaa", ["dump", "f"], 65, "ZIP archive, whose files unzip takes out"),
    ("AEA1aaaaaaaaaaaaaaaa", ["dump", "f"], 65, "which 'aea decrypt' opens"),
    (
      "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", ["dump", "f"], 65,
      "Git LFS pointer, whose file 'git lfs pull' fetches"
    ),
    ("{\"a\": 1}\n{\"a\": 2}\n", ["dump", "f"], 65, "'jq -s .' makes one of JSON lines"),
    ("\u{0}\u{5}\u{16}\u{7}aaaaaaaa", ["dump", "f"], 65, "AppleDouble file"),
    ("{\"l\": [1]}", ["get", "f", "-B"], 64, "comes after --"),
    (
      "<plist><date>2020-01-01T00:00:00Z</date></plist>", ["convert", "--to", "json", "f"], 1,
      "'dump --format json' writes it as a string"
    ),
  ]) func theNextStepIsNamed(
    _ text: String, _ words: [String], _ status: Int32, _ hint: String
  ) throws {
    let bench = try Workbench(["f": text])
    let result = try bench.run(words)
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.contains(hint), "\(result.errors)")
  }

  // MARK: Words in the order in which people type them

  @Test func aRenameIsAnOperand() throws {
    let bench = try Workbench()
    try bench.copy("Movie/v0-nested-class", to: "f")
    let wanted = try bench.run("rename-class", "-c", "App.*=Cinema.*", "f", "-o", "-")
    for words in [["App.*=Cinema.*", "f"], ["X=Y", "App.*=Cinema.*", "f", "-o", "-"]] {
      let result = try bench.run(["rename-class"] + words)
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output == wanted.output && !result.output.isEmpty)
    }
    let several = try bench.run("rename-class", "App.*=Cinema.*", "f", "f")
    #expect(
      several.status == 64 && several.errors.contains("of several files"), "\(several.errors)")
    #expect(try bench.run("rename-class", "App.*=Cinema.*").errors.contains("missing operand FILE"))
    // A file of that name is a file.
    try bench.copy("Movie/v0-nested-class", to: "a=b")
    #expect(try bench.run("rename-class", "-n", "-c", "App.*=C.*", "a=b").status == 0)
  }

  @Test(arguments: [
    (["get", "n", "f"], "archtool get f n"), (["set", "n", "f", "2"], "archtool set f n 2"),
    (["query", "f", "$.n"], "archtool query '$.n' f"),
    (["extract", "f", "$.n", "-o", "-"], "archtool extract '$.n' f"),
    (["edit", "n", "f"], "archtool edit f n"),
  ]) func operandsInTheOtherOrderAreRecognized(_ words: [String], _ line: String) throws {
    let bench = try Workbench(["f": #"{"n": 1}"#])
    let result = try bench.run(words)
    #expect([64, 66].contains(result.status), "\(result.errors)")
    #expect(result.errors.contains("'f' is a file, and FILE comes"), "\(result.errors)")
    #expect(result.errors.contains(line), "\(result.errors)")
    let none = try bench.run(words.map { $0 == "f" ? "none" : $0 })
    #expect(!none.errors.contains("is a file"), "\(none.errors)")
  }

  @Test(arguments: [
    (["get", "f", "last.checked"], #"the key 'last.checked' is written last\.checked"#),
    (["get", "f", "/last/checked"], "the key 'last.checked' is written /last.checked"),
    (["get", "f", "$.last.checked"], "the key 'last.checked' is written $['last.checked']"),
    (["set", "f", "last.checked", "5"], #"the key 'last.checked' is written last\.checked"#),
    (["get", "f", "in.a.b.c"], #"the key 'a.b.c' is written a\.b\.c"#),
    (["get", "f", "tilesiz"], "did you mean 'tilesize'?"),
    (["remove", "f", "tilesizes"], "did you mean 'tilesize'?"),
    (["rename-key", "f", "tilsize", "x"], "did you mean 'tilesize'?"),
    (["get", "f", "in.tilesiz"], "no key 'tilesiz' here (at $.in)"),
  ]) func keysAreSuggested(_ words: [String], _ hint: String) throws {
    let bench = try Workbench([
      "f": #"{"last.checked": 1, "tilesize": 48, "in": {"a.b.c": 1, "q": 2}}"#
    ])
    let result = try bench.run(words)
    #expect(result.status == 1 && result.errors.contains(hint), "\(result.errors)")
  }

  /// A value that is set to itself is not written, and leaves no journal.
  @Test(arguments: [
    (["n", "48"], true), (["n", "49"], false), (["r", "3"], true), (["r", "2.5"], false),
    (["--string", "s", "x"], true), (["--string", "n", "48"], false),
    (["--date", "d", "2020-05-01T04:26:40Z"], true), (["--data", "y", "AAH/"], true),
    (["l", "[5, 6]"], true), (["l", "[6, 5]"], false), (["b", "1"], false), (["b", "true"], true),
  ]) func whatIsThereIsUnchanged(_ words: [String], _ isSame: Bool) throws {
    let bench = try Workbench()
    let values: [String: Any] = [
      // Equal numbers become one object.
      "n": 48, "r": 3.0 as Double, "s": "x", "b": true, "y": Data([0, 1, 255]), "l": [5, 6],
      "d": Date(timeIntervalSince1970: 1_588_307_200),
    ]
    let options = words.filter { $0.hasPrefix("--") }
    let operands = words.filter { !$0.hasPrefix("--") }
    for old in [try Self.list(values), Self.archive(values)] {
      try bench.write(old, to: "f")
      let inode = {
        try FileManager.default.attributesOfItem(atPath: bench.url("f").path)[.systemFileNumber]
          as? Int
      }
      let before = try inode()
      let result = try bench.run(
        ["set", "--in-place", "--journal", "j"] + options + ["f"] + operands)
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.errors.contains("unchanged") == isSame, "\(result.errors)")
      #expect(try (inode() == before) == isSame)
      if isSame { #expect(try Data(contentsOf: bench.url("f")) == old) }
      for name in ["j", "j.backup"] { try? FileManager.default.removeItem(at: bench.url(name)) }
    }
  }

  /// A pipe is read without `-`; what is no pipe is not.
  @Test(arguments: [
    ("archtool dump", "$: dictionary (1)"), ("archtool get n", "1"),
    ("archtool query '$.n'", "$.n: 1"),
    ("archtool convert --to binary1 | archtool info", "encoding"),
    ("archtool set n 2 -o - | archtool get n", "2"),
  ]) func aPipeIsRead(_ line: String, _ shown: String) throws {
    let bench = try Workbench(["f": #"{"n": 1}"#])
    let run = { (line: String) in
      try Program.run(
        at: URL(fileURLWithPath: "/bin/sh"), ["-c", line], in: bench.url("."),
        environment: [
          "PATH": Program.folder + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? ""),
          "HOME": bench.url("home").path, "XDG_CONFIG_HOME": "",
        ])
    }
    let result = try run("cat f | \(line)")
    #expect(result.status == 0 && result.text.contains(shown), "\(result.text)\(result.errors)")
    if !line.contains("|") {
      let closed = try run("\(line) </dev/null")
      #expect(closed.status == 64 && closed.errors.contains("missing operand"), "\(closed.errors)")
    }
  }

  // MARK: Journals

  @Test func linksToJournalsThatAreGoneAreRemoved() throws {
    let bench = try Workbench(["f": #"{"n": 1}"#])
    let environment = ["XDG_STATE_HOME": bench.url("state").path]
    let set = try bench.run(
      ["set", "--in-place", "--journal", "j", "f", "n", "2"], environment: environment)
    #expect(set.status == 0, "\(set.errors)")
    let links = {
      try FileManager.default.contentsOfDirectory(atPath: bench.url("state/archtool").path)
        .filter { $0.hasSuffix(".journal") }
    }
    #expect(try links().count == 1)
    try FileManager.default.removeItem(at: bench.url("j"))
    let prune = ["journal", "prune", "--older-than"]
    _ = try bench.run(prune + ["1d"], environment: environment)
    #expect(try links().count == 1)
    let shown = try bench.run(prune + ["0m", "-n"], environment: environment)
    #expect(
      shown.errors.contains("1 link to journals that are gone would be removed"), "\(shown.errors)")
    #expect(try links().count == 1)
    let done = try bench.run(prune + ["0m"], environment: environment)
    #expect(done.status == 0 && done.errors.contains("1 link "), "\(done.errors)")
    #expect(try links().isEmpty)
    #expect(try bench.run(prune + ["0m"], environment: environment).errors == "nothing to remove\n")
  }

  /// A run that began in another folder says where, and on a terminal is undone only if its user wants that.
  @Test(arguments: [("n\n", false), ("\n", false), ("y\n", true)])
  func theLastRunElsewhereIsNotUndoneUnasked(_ answer: String, _ isUndone: Bool) throws {
    let bench = try Workbench(["a/f": #"{"n": 1}"#, "b/x": ""])
    let environment = [
      "XDG_STATE_HOME": bench.url("state").path, "HOME": bench.url("home").path, "TERM": "xterm",
    ]
    let set = try Program.run(
      "archtool", ["set", "--in-place", "f", "n", "2"], in: bench.url("a"), environment: environment
    )
    #expect(set.status == 0, "\(set.errors)")
    let listed = try Program.run(
      "archtool", ["journal", "list"], in: bench.url("b"), environment: environment)
    #expect(listed.text.contains(" n 2 (in "), "\(listed.text)")
    let result = try Program.runOnTerminal(
      ["undo", "--last"], input: Data(answer.utf8), in: bench.url("b"), environment: environment)
    #expect(result.text.contains("undo it? [y/N]"), "\(result.text)")
    #expect(result.status == (isUndone ? 0 : 1), "\(result.text)")
    let text = try String(contentsOf: bench.url("a/f"), encoding: .utf8)
    #expect(text.contains("1") == isUndone)
    let here = try Program.runOnTerminal(
      ["undo", "--last"], in: bench.url("a"), environment: environment)
    #expect(!here.text.contains("undo it?"), "\(here.text)")
  }

  // MARK: Messages

  @Test(arguments: [
    "<plist version=\"1.0\"><dict><key>a</key><true/><key>a</key><true/></dict></plist>",
    #"{"a":1,"a":2}"#, "{ a = 1; a = 2; }",
  ])
  func aWarningIsGivenOnce(_ text: String) throws {
    let bench = try Workbench(["f": text])
    for options in [["--format-only", "--lint"], ["--lint"], ["--lint", "--format", "ndjson"]] {
      let result = try bench.run(["validate"] + options + ["f"])
      let all = result.text + result.errors
      #expect(all.components(separatedBy: "the key 'a' is repeated").count == 2, "\(all)")
    }
  }

  @Test func aListOfModelsIsExplained() throws {
    let bench = try family("dictionariable")
    try bench.write(Self.archive([["a": "b", "d": Date()] as [String: Any]]), to: "f")
    let result = try bench.run("validate", "--schemas", "S", "--schema", "Thing@v1", "f")
    #expect(result.status == 1, "\(result.errors)")
    let all = result.text + result.errors
    #expect(all.contains(#"for a list of models x-archive needs "list": true"#), "\(all)")
  }
}

/// Every command in the tables of README does something, as it stands there.
@Suite struct ReadmeCommandTests {
  /// The commands of the table of what a user wants, one a line.
  static let commands: [String] = {
    let file = TestArchives.root.deletingLastPathComponent().appendingPathComponent("README.md")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { $0.hasPrefix("| ") }.flatMap { line in
      line.split(separator: "`").map(String.init).filter { $0.hasPrefix("archtool ") }
    }
  }()

  @Test func areFound() { #expect(Self.commands.count > 15, "\(Self.commands)") }

  @Test(arguments: commands) func works(_ command: String) throws {
    let bench = try Workbench()
    for name in ["file", "old", "dir/file"] { try bench.copy("Movie/v1", to: name) }
    try bench.copy("Movie/v2", to: "new")
    try bench.copy("Graphs/value-classes", to: "dates/file")
    try bench.copy("Movie/v0-nested-class", to: "class")
    try bench.copy("Wrapped/program", to: "PROGRAM")
    try bench.copy("Databases/Library.db", to: "DB")
    try bench.write(
      #"<plist><dict><key>key</key><string>{"name":"x"}</string></dict></plist>"#, to: "PLIST")
    try bench.copy("Wrapped/page.webarchive", to: "PAGE.webarchive")
    let data = try Workbench.archive("Movie/v1").base64EncodedString()
    try bench.write(#"{"archive":"\#(data)"}"#, to: "rows.ndjson")
    let families = TestArchives.root.appendingPathComponent("Families").path
    let environment = ["BROWSER": "true", "XDG_STATE_HOME": bench.url("state").path]
    let journal = ["set", "--in-place", "--journal", "j", "old", "name", "\"x\""]
    #expect(try bench.run(journal, environment: environment).status == 0)
    let isRename = command.contains("OLD=NEW")
    let words = command.split(separator: " ").dropFirst().map { word -> String in
      switch word {
      case "FILE": isRename ? "class" : "file"
      case "DIR" where command.contains("--type date"): "dates"
      case "DIR": command.contains("--schemas DIR") && !command.hasSuffix(word) ? families : "dir"
      case "NAME=EXPR": "name=@"
      case "PATH", "EXPR": word == "PATH" ? "name" : "$.name"
      case "FAMILY@VERSION": "Movie@v1"
      case "NAME": "NSDictionary"
      case "OLD": "old"
      case "NEW": "new"
      case "OLD=NEW": "App.*=Cinema.*"
      case "VALUE": "\"y\""
      case "N": "0"
      case "FORMAT": "xml1"
      case "VERSION": "v2"
      case "JOURNAL": "j"
      case "DB#table.column": "DB#feeds.archive"
      default: String(word)
      }
    }
    // The first DIR of two is that of the schemas.
    var line = words
    if let place = line.firstIndex(of: "--schemas") { line[place + 1] = families }
    if line.starts(with: ["schema", "infer"]) { line.append("file") }
    if line.first == "git" { line += ["--help"] }
    let result = try bench.run(line, environment: environment)
    #expect((line[0] == "diff" ? [1] : [0]).contains(result.status), "\(line): \(result.errors)")
    #expect(!(result.output.isEmpty && result.errors.isEmpty), "\(line)")
  }
}
