// Files that `-o` and `--output-dir` create: complete or absent.

import FileTransactions
import Foundation
import TestSupport
import Testing

@Suite struct OutputFileTests {
  static let trip = "Families/Itinerary/samples/v3/two-cities"
  let bench: Workbench
  let keeping: [String]

  init() throws {
    bench = try Workbench()
    try bench.copy(Self.trip, to: "trip")
    keeping = [
      "migrate", "--schemas", TestArchives.root.appendingPathComponent("Families").path, "--to",
      "v5", "--keep-lost",
    ]
  }

  private func names(_ folder: String = ".") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: bench.url(folder).path).sorted()
  }

  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: bench.url(name)) }

  @Test(arguments: [["--in-place", "--no-journal"], ["--output-dir", "out"]])
  func namesInTwoSpellingsAreTwoFiles(_ options: [String]) throws {
    try bench.copy("WeatherFeed/v1-1-city", to: "e\u{301}")
    try bench.copy("WeatherFeed/v1-1-city", to: "\u{E9}")
    let result = try bench.run(["migrate", "--to", "v2"] + options + ["e\u{301}", "\u{E9}"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("2 files: 2 changed"), "\(result.errors)")
  }

  /// What is made of a file that others may not read, they may not read either.
  @Test(arguments: [0o600, 0o640, 0o644, 0o400], [false, true])
  func aCopyIsNotMoreReadableThanItsSource(_ mode: Int, _ isReplacing: Bool) throws {
    let commands = [
      ["convert", "--to", "xml1"], ["rename-class", "-c", "Demo.*=New.*"],
      keeping,
    ]
    for (number, command) in commands.enumerated() {
      let source = "source-\(number)"
      try bench.copy(Self.trip, to: source)
      #expect(chmod(bench.url(source).path, mode_t(mode)) == 0)
      let (file, folder) = ("copy-\(number)", "folder-\(number)")
      if isReplacing {
        for name in [file, "\(folder)/\(source)"] {
          try bench.write("old", to: name)
          #expect(chmod(bench.url(name).path, 0o644) == 0)
        }
      }
      let force = isReplacing ? ["--force"] : []
      #expect(try bench.run(command + force + [source, "-o", file]).status == 0)
      #expect(try bench.run(command + force + [source, "--output-dir", folder]).status == 0)
      let made =
        try names().filter { $0.hasPrefix(file) } + names(folder).map { "\(folder)/\($0)" }
      for name in made {
        var status = stat()
        #expect(stat(bench.url(name).path, &status) == 0)
        #expect(status.st_mode & 0o077 & ~mode_t(mode) == 0, "\(command[0]) \(name)")
      }
    }
  }

  /// The same for what is made of several files, whatever the mask; `OptionPairTests` has all options of all commands.
  @Test(arguments: [
    ["dump", "a", "b", "-o", "new"], ["extract", "$", "a", "-o", "new"],
    ["merge", "x=a", "y=b", "-o", "new"], ["schema", "infer", "a", "b", "-o", "new"],
    ["schema", "infer", "a", "--family", "F", "--version", "v1"], ["dump", "-", "-o", "new"],
    ["validate", "a", "b", "--report", "new"], ["validate", "a", "b", "--report", "old"],
    ["scan", "--extract", "new", "a"], ["dump", "--output-dir", "new", "a"],
    ["graph", "a", "-o", "new"], ["get", "a", "name", "-o", "old", "-f"],
  ])
  func whatIsMadeOfSeveralFilesIsNotMoreReadable(_ command: [String]) throws {
    for name in ["b", "a"] {
      try bench.copy("Movie/v1", to: name)
      #expect(chmod(bench.url(name).path, name == "a" ? 0o640 : 0o604) == 0)
    }
    try bench.write("old", to: "old")
    #expect(chmod(bench.url("old").path, 0o666) == 0)
    let shell = "umask 0; exec \"$0\" \"$@\"" + (command.contains("-") ? " <a" : "")
    let result = try Program.run(
      at: URL(fileURLWithPath: "/bin/sh"), ["-c", shell, Program.folder + "/archtool"] + command,
      in: bench.url("."), environment: ["HOME": bench.url("home").path, "XDG_CONFIG_HOME": ""])
    #expect(result.status == 0, "\(result.errors)")
    let isOfBoth = command.contains { $0.hasSuffix("b") }
    let isOld = command.contains("old")
    var made = 0
    for name in try FileManager.default.subpathsOfDirectory(atPath: bench.url(".").path)
    where !["a", "b", "trip"].contains(name) && (name == "old") == isOld {
      var status = stat()
      #expect(stat(bench.url(name).path, &status) == 0)
      guard status.st_mode & S_IFMT == S_IFREG else { continue }
      #expect(status.st_mode & 0o077 & ~(isOfBoth ? 0 : 0o040) == 0, "\(name)")
      made += 1
    }
    #expect(made > 0)
  }

  /// Another group, or an access control list, may let in people whom the source does not.
  @Test(.enabled(if: geteuid() == 0, "only root gives files to other groups"))
  func theGroupOfTheSourceIsMeant() throws {
    try bench.copy("Movie/v1", to: "a")
    #expect(chown(bench.url("a").path, 0, 4321) == 0 && chmod(bench.url("a").path, 0o640) == 0)
    for command in [["dump", "a", "-o", "d"], ["rename-class", "-c", "A=B", "a", "-o", "r"]] {
      #expect(try bench.run(command).status == 0)
      var status = stat()
      #expect(stat(bench.url(command[command.count - 1]).path, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600, "\(command)")
    }
  }

  @Test func aFileAndItsLostValuesAreMadeTogether() throws {
    let result = try bench.run(keeping + ["trip", "-o", "new"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try names() == ["new", "new.lost.json", "trip"])
    let back = try bench.run(Array(keeping.prefix(3)) + ["--to", "v3", "new", "-o", "back"])
    #expect(back.status == 0, "\(back.errors)")
  }

  @Test(arguments: ["new", "new.lost.json", "trip"])
  func whatIsRefusedLeavesNothing(_ existing: String) throws {
    if existing != "trip" { try bench.write("precious", to: existing) }
    let (before, content) = (try names(), try bytes(existing))
    let output = existing == "trip" ? "trip" : "new"
    let result = try bench.run(keeping + ["trip", "-o", output])
    #expect(result.status == 73, "\(result.errors)")
    #expect(result.errors.contains("exists"))
    #expect(try names() == before)
    #expect(try bytes(existing) == content)
    #expect(try bench.run(keeping + ["trip", "-o", "other"]).status == 0)
  }

  @Test func forceReplacesBoth() throws {
    try bench.write("old", to: "new")
    try bench.write("old", to: "new.lost.json")
    let result = try bench.run(keeping + ["trip", "--force", "-o", "new"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try bytes("new") != Data("old".utf8))
    #expect(try bytes("new.lost.json") != Data("old".utf8))
  }

  @Test func forceFollowsALink() throws {
    try bench.write("old", to: "real")
    try FileManager.default.createSymbolicLink(
      atPath: bench.url("link").path, withDestinationPath: "real")
    #expect(try bench.run(keeping + ["trip", "--force", "-o", "link"]).status == 0)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: bench.url("link").path) == "real")
    #expect(try bytes("real").starts(with: Data("bplist00".utf8)))
  }

  @Test(arguments: ["no/such/folder", "folder", "folder/", "dangling"], [[], ["--force"]])
  func whereNoFileCanBeIsAnError(_ place: String, _ force: [String]) throws {
    try bench.write("", to: "folder/x")
    try FileManager.default.createSymbolicLink(
      atPath: bench.url("dangling").path, withDestinationPath: "nowhere")
    let before = try names()
    #expect(try bench.run(keeping + force + ["trip", "-o", place]).status == 73)
    #expect(try names() == before)
  }

  @Test(arguments: [
    ["migrate", "--to", "v1"], ["rename-class", "-c", "No.Such=Other.Name"],
  ])
  func whatNeedsNoChangeIsCopied(_ command: [String]) throws {
    try bench.copy("WeatherFeed/v1-1-city", to: "feed")
    let feed = try bytes("feed")
    let result = try bench.run(command + ["feed", "-o", "copy"])
    #expect(result.status == 0)
    #expect(result.errors.contains("; copied to copy"))
    #expect(try bytes("copy") == feed)
    #expect(try bench.run(command + ["feed", "-o", "copy"]).status == 73)
    #expect(try bench.run(command + ["feed", "-o", "-"]).output == feed)
    #expect(try bench.run(command + ["-"] + ["-o", "-"], input: feed).output == feed)
  }

  @Test func anOutputFolderIsComplete() throws {
    try bench.copy("WeatherFeed/v1-1-city", to: "in/first")
    try bench.copy("WeatherFeed/v2-1-city", to: "in/deep/second")
    try bench.write("no archive", to: "in/third")
    try bench.copy("Broken/movie-year-string", to: "in/fourth")
    let migration = ["migrate", "--to", "v2", "--output-dir", "out", "-r", "in"]
    #expect(try bench.run(migration + ["--dry-run"]).status == 65)
    let result = try bench.run(migration + ["--journal", "j"])
    #expect(result.status == 65)
    #expect(result.errors.contains("already; copied to out/deep/second"), "\(result.errors)")
    #expect(try names("out") == ["deep", "first"])
    #expect(try bytes("out/deep/second") == bytes("in/deep/second"))
    #expect(try bench.run("undo", "j").status == 0)
    #expect(try names("out/deep").isEmpty)
  }
}
