// Files that are not archives, in a folder of an app: one line for each, and their count.

import Foundation
import TestSupport
import Testing

@Suite struct ForeignFileTests {
  private func bench() throws -> Workbench {
    let bench = try Workbench(["box/readme.txt": "hello world", "box/notes.txt": "notes\n"])
    try bench.write(Data([0x89, 0x50, 0x4E, 0x47, 0xD, 0xA, 0x1A, 0xA]), to: "box/picture.png")
    try bench.copy("Movie/v2", to: "box/movie")
    return bench
  }

  @Test(arguments: [
    ["convert", "--to", "xml1", "--output-dir", "out"],
    ["migrate", "--to", "v2", "-n"], ["rename-class", "-c", "A=B", "-n"],
  ]) func areCounted(_ command: [String]) throws {
    let bench = try bench()
    let result = try bench.run(command + ["-r", "box"])
    #expect(result.status == 65)
    let lines = result.errors.split(separator: "\n").filter { $0.contains("error:") }
    #expect(lines.count == 3, "\(result.errors)")
    let note = "archtool: 3 files are neither property lists nor archives\n"
    #expect(result.errors.contains(note), "\(result.errors)")
    #expect(try !bench.run(command + ["-q", "-r", "box"]).errors.contains(note))
  }

  @Test(arguments: [
    ["dump"], ["info"], ["classes"], ["find", "--type", "string"], ["query", "$.*"], ["validate"],
    ["schema", "infer"],
  ]) func arePassedOverAndCounted(_ command: [String]) throws {
    let result = try bench().run(command + ["-r", "box"])
    #expect(result.status == 0)
    #expect(result.errors.contains("3 files passed over: 2 text, 1 binary\n"), "\(result.errors)")
  }

  /// A file that should fit a schema and is no archive does not fit it.
  @Test(arguments: [["--schema", "Movie"], ["--require-schema"], ["--format-only"]])
  func areUnreadableWhereASchemaIsAskedFor(_ options: [String]) throws {
    let result = try bench().run(["validate", "-r"] + options + ["box"])
    #expect(result.errors.contains("4 files: 1 valid, 0 invalid, 3 unreadable\n"))
  }

  /// One is said to be none by its own line.
  @Test func oneIsNotCounted() throws {
    let result = try bench().run("info", "box/readme.txt", "box/movie")
    #expect(!result.errors.contains("neither property lists nor"))
  }

  @Test func aPipeWithoutItsOperandIsReported() throws {
    let bench = try bench()
    for command in [["dump"], ["validate"], ["create", "--schema", "Movie@v2", "-o", "x"]] {
      let result = try bench.run(command, input: try Workbench.archive("Movie/v2"))
      #expect(result.status == 64)
      #expect(
        result.errors.hasPrefix(
          "archtool: error: missing operand FILE for \(command[0]); use '-' for standard input"),
        "\(result.errors)")
    }
  }

  /// An option that a version has no use for is refused.
  @Test(arguments: [
    ("Movie@v2", "--class", "'--class' is for objects of an application's class"),
    ("Movie@v2", "--fetched-at", "'--fetched-at' is for the member fetchedAt"),
    ("Movie@v0", "--fetched-at", "'--fetched-at' is for the member fetchedAt"),
  ]) func createRefusesWhatHasNoEffect(_ schema: String, _ option: String, _ part: String) throws {
    let bench = try Workbench(["f": #"{"name":"a","director":"b","releaseYear":1}"#])
    let result = try bench.run("create", "--schema", schema, option, "App.Film", "f", "-o", "x")
    #expect(result.status == 64)
    #expect(result.errors.contains(part), "\(result.errors)")
  }
}
