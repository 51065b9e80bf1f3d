// In streams of lines of JSON a file that cannot be read has its line, in its turn.

import Foundation
import TestSupport
import Testing

@Suite struct ErrorLineTests {
  static let commands = [
    "dump --format ndjson", "dump --format ndjson --typed", "dump --typed=resolved --compact",
    "dump --format json --compact", "query --format ndjson $.name",
    "find --format ndjson --key name",
    "scan --format ndjson", "classes --format ndjson",
  ]

  @Test(arguments: commands, ["1", "4"])
  func filesThatCannotBeReadHaveLines(_ command: String, _ jobs: String) throws {
    let files = ["Movie/v1", "missing", "Broken/bad-trailer", "Movie/v2", "Broken/bad-offset"]
    let words = command.split(separator: " ").map(String.init) + ["--jobs", jobs]
    let result = try Program.run("archtool", words + files, in: TestArchives.root)
    let lines = try result.text.split(separator: "\n").map {
      try #require(try TestArchives.json(Data($0.utf8)) as? [String: Any])
    }
    #expect(lines.map { $0["file"] as? String } == files)
    for (line, file) in zip(lines, files) {
      let isBroken = !file.hasPrefix("Movie")
      let error = line["error"] as? [String: Any]
      #expect((error != nil) == isBroken, "\(line)")
      guard isBroken else { continue }
      #expect(error?["code"] as? String == (file == "missing" ? "cannotOpen" : "malformed"))
      #expect((error?["message"] as? String)?.isEmpty == false)
      #expect((error?["offset"] is NSNumber) == (file != "missing"))
      // People are told as before; an archive that is damaged is none of a scan's errors.
      let isToldOf = file == "missing" || words[0] != "scan"
      let isTold = result.errors.split(separator: "\n").contains {
        $0.hasPrefix(file) && $0.contains(": error: ")
      }
      #expect(isTold == isToldOf, "\(result.errors)")
    }
    #expect(result.status == 66)
  }

  /// One file has no name in its line, as it has none where it is not on one line.
  @Test func oneFileIsItsValueAlone() throws {
    let result = try Program.run(
      "archtool", ["dump", "--typed", "--compact", "Movie/v1"], in: TestArchives.root)
    #expect(result.text.hasPrefix(#"{"director":"#) && result.status == 0)
    let broken = try Program.run(
      "archtool", ["dump", "--typed", "--compact", "Broken/bad-trailer"], in: TestArchives.root)
    #expect(broken.text.isEmpty && broken.status == 65)
  }

  @Test func archivesAtAPathHaveLines() throws {
    let result = try Program.run(
      "archtool",
      ["dump", "--format", "ndjson", "--at", "$.Movie", "Graphs/user-defaults.plist", "Movie/v1"],
      in: TestArchives.root)
    let lines = result.text.split(separator: "\n")
    #expect(
      lines.count == 2 && lines[1].contains(#""file":"Movie/v1","error":{"code":"missingValue""#))
  }
}
