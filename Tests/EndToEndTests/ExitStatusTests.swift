// Typical mistakes of new users, and the exit status of each.

import Foundation
import TestSupport
import Testing

@Suite struct ExitStatusTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let status: Int32
    let message: String
    var testDescription: String { arguments.joined(separator: " ") }
  }

  @Test(arguments: [
    Case(arguments: [], status: 64, message: "Usage: archtool"),
    Case(arguments: ["dmp", "x"], status: 64, message: "did you mean 'dump'?"),
    Case(
      arguments: ["dump", "--formt", "json", "x"], status: 64, message: "did you mean '--format'?"),
    Case(arguments: ["dump", "--format", "jsn", "x"], status: 64, message: "json"),
    Case(arguments: ["dump"], status: 64, message: "missing operand"),
    Case(arguments: ["dump", "--depth", "x", "Movie/v1"], status: 64, message: "--depth"),
    Case(
      arguments: ["validate", "--schema", "WeatherFed", "x"], status: 64,
      message: "did you mean 'WeatherFeed'?"),
    Case(arguments: ["validate", "--schema", "WeatherFeed@v9", "x"], status: 64, message: "v9"),
    Case(arguments: ["migrate", "Movie/v1"], status: 64, message: "--to"),
    Case(
      arguments: ["migrate", "--from", "v1", "--to", "v1", "--dry-run", "Movie/v1"], status: 64,
      message: "same version"),
    Case(
      arguments: ["migrate", "--from", "v1", "--to", "v7", "--dry-run", "Movie/v1"], status: 64,
      message: "unknown version 'v7'"),
    Case(
      arguments: ["create", "--schema", "WeatherFed", "WeatherFeed/topcities.json", "-o", "-"],
      status: 64, message: "did you mean 'WeatherFeed'?"),
    Case(
      arguments: ["migrate", "--schema", "Movie@v1", "--to", "v1", "-n", "Movie/v1"], status: 64,
      message: "'--schema' and '--to' name the same version"),
    Case(
      arguments: [
        "migrate", "--schema", "Movie@v1", "--from", "v0", "--to", "v2", "-n", "Movie/v1",
      ], status: 64, message: "'--from' and '--schema' name different versions"),
    Case(
      arguments: ["migrate", "--schema", "Movie@v1", "--to", "v2", "-n", "Movie/v0-nested-class"],
      status: 1, message: "is Movie@v0, not Movie@v1"),
    Case(
      arguments: ["migrate", "--to", "v9", "-n", "Movie/v1"], status: 64,
      message: "unknown version 'v9'; there are v0, v1, v2"),
    Case(
      arguments: ["convert", "--to", "xml1", "Movie/v1", "-o", "Movie"], status: 73,
      message: "Movie is a folder; name a file in it"),
    Case(
      arguments: ["migrate", "--to", "v2", "Movie/v1", "-f", "-o", "Movie"], status: 73,
      message: "Movie is a folder; name a file in it"),
    Case(
      arguments: ["Movie/v1"], status: 64, message: "did you mean 'archtool dump Movie/v1'?"),
    Case(
      arguments: ["migrate", "--to", "v2", "--plan", "--format", "json", "Movie/v1", "-"],
      status: 64, message: "cannot be about standard input"),
    Case(arguments: ["dump", "no-such-file"], status: 66, message: "No such file or directory"),
    Case(arguments: ["dump", "Movie"], status: 66, message: "use -r to read the files in it"),
    Case(arguments: ["dump", "Broken/empty"], status: 65, message: "the input is empty"),
    Case(
      arguments: ["migrate", "--from", "v1", "--to", "v2", "Movie/v1", "-o", "no/such/folder/x"],
      status: 73, message: "cannot create"),
    Case(
      arguments: ["dump", "Movie/v1", "no-such-file"], status: 66, message: "no-such-file: error"),
    Case(
      arguments: ["dump", "no-such-file", "Broken/empty"], status: 66,
      message: "Broken/empty@0: error"),
    Case(
      arguments: ["validate", "Movie/v1", "Broken/movie-year-string"], status: 1,
      message: "$.releaseYear"),
    Case(
      arguments: ["migrate", "--from", "v1", "--to", "v2", "Movie/v0-nested-class", "--dry-run"],
      status: 1, message: "is Movie@v0, not Movie@v1"),
    Case(
      arguments: ["migrate", "--to", "v2", "--in-place", "--backup", "/", "Movie/v1"], status: 64,
      message: "'--backup' ends the names of files, which have no '/'; found '/'"),
    Case(
      arguments: ["set", "Movie/v1", "name", "1", "--in-place", "--backup", "a/b"],
      status: 64, message: "found 'a/b'"),
    Case(
      arguments: ["set", "-", "name", "1", "--in-place"], status: 64,
      message: "cannot be used with standard input"),
    Case(
      arguments: [
        "rename-class", "--rename-key", "Demo.MovieClass.name=director", "-n",
        "Movie/v0-mirror-class",
      ],
      status: 1, message: "is there already"),
    Case(
      arguments: ["rename-class", "--drop-class", "NSDictionary", "-n", "Movie/v1"], status: 1,
      message: "an archive needs its root"),
    Case(
      arguments: ["extract", "$", "-o", "-", "Movie/no-such"], status: 66, message: "No such file"),
    // A path without a target is not a file that cannot be decoded.
    Case(
      arguments: ["extract", "$.nope", "-o", "-", "Movie/v1"], status: 1,
      message: "Movie/v1@94: error: no key 'nope'"),
    Case(
      arguments: ["convert", "--at", "$.nope", "--to", "json", "Movie/v1"], status: 1,
      message: "no data value or string at $.nope"),
    Case(arguments: ["info", "--at", "$.nope", "Movie/v1"], status: 1, message: "(at $)"),
    Case(
      arguments: ["validate", "--at", "$.nope", "Movie/v1"], status: 1,
      message: "Movie/v1@94: error: no data value or string at $.nope (at $)"),
    Case(
      arguments: ["migrate", "--at", "$.nope", "--to", "v2", "-n", "Movie/v1"], status: 1,
      message: "no data value or string at $.nope"),
    Case(
      arguments: ["schema", "infer", "-r", "--include", "no-such", "Movie"], status: 66,
      message: "a schema needs at least one example"),
    Case(
      arguments: ["convert", "--to", "json", "Movie/v1", "-o", "-"], status: 1,
      message: "plain JSON cannot represent UID"),
  ])
  func saysWhatIsWrong(_ example: Case) throws {
    let result = try Program.run(arguments: example.arguments)
    #expect(result.status == example.status, "\(result.errors)")
    #expect(result.errors.contains(example.message), "\(result.errors)")
  }

  /// A refused input may have what a rule names: that is not denied.
  @Test func aRuleIsSaidToMatchNothingInWhatWasNotRefused() throws {
    let words = ["rename-class", "--drop-class", "NSDictionary", "-n", "Movie/v1"]
    let refused = "matched nothing in any input that was not refused\n"
    #expect(try Program.run(arguments: words).errors.contains(refused))
    let other = ["rename-class", "--drop-class", "App.None", "-n", "Movie/v1"]
    #expect(try Program.run(arguments: other).errors.contains("matched nothing in any input\n"))
  }

  @Test func theTopLevelKeysOfAnArchiveWithoutAVersionAreReported() throws {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.encode("x" as NSString, forKey: "first")
    archiver.encode("y" as NSString, forKey: "second")
    archiver.finishEncoding()
    let words = ["migrate", "--schema", "Movie", "--to", "v2", "-n", "-"]
    for command in [words, ["validate", "--schema", "Movie", "-"]] {
      let result = try Program.run(arguments: command, input: archiver.encodedData)
      #expect(result.status == 1)
      #expect((result.errors + result.text).contains("has 2 top-level keys: "))
    }
  }

  /// Advice names nothing that the same command line would be refused for.
  @Test func adviceCanBeFollowed() throws {
    let cases: [(arguments: [String], said: String, unsaid: String)] = [
      (["migrate", "--to", "v2", "--in-place"], "missing operand FILE", "standard input"),
      (["convert", "--to", "xml1", "--output-dir", "x"], "missing operand FILE", "standard input"),
      (["convert", "--to", "xml1", "a", "b"], "'--output-dir'", "--compact"),
      (["convert", "--to", "json", "a", "b"], "'--compact'", "--recursive"),
      (
        ["validate", "--schema", "WeatherFeed", "Movie/v0-mirror-class"], "--schemas",
        "--format-only"
      ),
    ]
    for (arguments, said, unsaid) in cases {
      let errors = try Program.run(arguments: arguments).errors
      #expect(errors.contains(said) && !errors.contains(unsaid), "\(errors)")
    }
  }

  /// The part may come from standard input where the archive is a file.
  @Test func aPartFromStandardInputIsInsertedInPlace() throws {
    let bench = try Workbench()
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: ["a": "old"] as NSDictionary, requiringSecureCoding: false)
    let part = try NSKeyedArchiver.archivedData(
      withRootObject: "new" as NSString, requiringSecureCoding: false)
    try bench.write(archive, to: "archive")
    let result = try bench.run(["set", "archive", "$.a", "--from", "-", "--in-place"], input: part)
    #expect(result.status == 0, "\(result.errors)")
    let root = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(
      try Data(contentsOf: bench.url("archive")))
    #expect(root as? NSDictionary == ["a": "new"])
  }

  @Test(arguments: [
    ("folder", "is a folder; remove it"), ("pipe", "is not a regular file; remove it"),
  ])
  func aKeyThatIsNoFileIsSaidToBeNone(_ kind: String, _ message: String) throws {
    let bench = try Workbench()
    try bench.copy("Movie/v1", to: "Movie")
    try bench.write("", to: "state/archtool/x")
    let key = bench.url("state/archtool/key")
    if kind == "folder" {
      try FileManager.default.createDirectory(at: key, withIntermediateDirectories: true)
    } else {
      mkfifo(key.path, 0o600)
    }
    let result = try bench.run(
      ["migrate", "--to", "v2", "--in-place", "Movie"],
      environment: ["XDG_STATE_HOME": bench.url("state").path])
    #expect(result.status == 66)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test func nothingOfAFileReachesTheTerminalUnescaped() throws {
    let answer =
      "[{\"Key\":5,\"LocalizedName\":[],\"\\u001b[2J\":1,\"EnglishName\":\"\\u001b[31m\\n\"}]"
    let create = try Program.run(
      arguments: ["create", "--schema", "WeatherFeed@v2", "-", "-o", "-"], input: Data(answer.utf8))
    let movie = try NSKeyedArchiver.archivedData(
      withRootObject: ["name": "x", "director": "y", "releaseYear": "\u{1B}[2J\n", "\u{9B}1m": 1]
        as NSDictionary,
      requiringSecureCoding: false)
    let validate = try Program.run(arguments: ["validate", "-"], input: movie)
    let info = try Program.run(arguments: ["info", "-"], input: movie)
    #expect(create.status == 1)
    #expect(validate.status == 1)
    #expect(validate.errors.split(separator: "\n").count == 2)
    for text in [create.errors, validate.errors, validate.text, info.text, info.errors] {
      #expect(
        !text.unicodeScalars.contains {
          $0 != "\n" && ($0.value < 0x20 || (0x7F..<0xA0).contains($0.value))
        })
    }
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"),
    arguments: ["", "--format json"], [1, 12])
  func aFullDeviceIsAnError(_ format: String, _ copies: Int) throws {
    // One archive fits the output buffer, a dozen do not.
    let files = Array(repeating: "WeatherFeed/v1-50-cities", count: copies)
    let result = try Program.run(
      at: URL(fileURLWithPath: "/bin/sh"),
      [
        "-c",
        "\"\(Program.folder)/archtool\" dump \(format) \(files.joined(separator: " ")) > /dev/full",
      ])
    #expect(result.status == 74)
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    #expect(result.errors.contains("No space left on device"))
  }

  @Test(.enabled(if: geteuid() != 0, "permissions do not bind the superuser"))
  func aReadOnlyFolderIsAnErrorAndChangesNothing() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("Movie")
    try FileManager.default.copyItem(
      at: TestArchives.root.appendingPathComponent("Movie/v1"), to: file)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
    defer {
      try? FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
    }
    let result = try Program.run(arguments: [
      "migrate", "--from", "v1", "--to", "v2", "--in-place", file.path,
    ])
    #expect(result.status == 73)
  }

  @Test(arguments: TestArchives.all)
  func validateTellsValidInvalidAndBrokenApart(_ entry: ManifestEntry) throws {
    let result = try Program.run(arguments: ["validate", entry.path])
    let isInvalid = entry.family != nil && entry.valid != true
    #expect(result.status == (entry.decodable ? (isInvalid ? 1 : 0) : 65))
    if entry.valid == true {
      let label = "\(entry.family ?? "")@\(entry.version ?? "")"
      let verdict = "\(entry.path): valid, \(label) (envelope \(entry.envelope ?? ""), "
      #expect(result.text.hasPrefix(verdict), "\(result.text)")
      #expect(result.text.hasSuffix(" required members)\n"), "\(result.text)")
      #expect(result.errors.isEmpty)
    } else {
      #expect(!result.errors.isEmpty)
    }
  }

  @Test func colourIsForTerminalsUnlessAskedFor() throws {
    let plain = try Program.run(arguments: ["dump", "Movie/v1"])
    #expect(!plain.text.contains("\u{1B}"))
    let coloured = try Program.run(arguments: ["dump", "--color", "always", "Movie/v1"])
    #expect(coloured.text.contains("\u{1B}["))
  }
}
