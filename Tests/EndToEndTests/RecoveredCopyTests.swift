// Damaged files that are converted, validated and described: what is left is used, and every loss is an error.

import Foundation
import TestSupport
import Testing

@Suite struct RecoveredCopyTests {
  private func cut(_ name: String, _ count: Int) throws -> Data {
    try Data(contentsOf: TestArchives.root.appendingPathComponent(name)).prefix(count)
  }

  /// Wherever the file ends: a property list that another program reads, and status 65.
  @Test(arguments: ["Movie/v1", "WeatherFeed/v1-1-city", "TypedStreams/foundation"])
  func areSoundPropertyLists(_ name: String) throws {
    let whole = try cut(name, .max)
    let python = try #require(Program.find("python3"))
    for count in stride(from: whole.count / 3, to: whole.count - 26, by: 41) {
      let words = ["convert", "--plain", "--recover", "--to", "xml", "-"]
      let result = try Program.run(arguments: words, input: whole.prefix(count))
      #expect(result.status == 65, "\(count): \(result.errors)")
      #expect(result.errors.contains("error: "))
      let script = "import plistlib, sys; plistlib.load(sys.stdin.buffer); print('read')"
      let answer = try Program.run(at: python, ["-c", script], input: result.output)
      #expect(answer.text == "read\n", "\(count): \(answer.errors)")
    }
  }

  @Test func areWrittenToFolders() throws {
    let bench = try Workbench()
    try bench.write(try cut("Movie/v1", 250), to: "in/cut")
    try bench.write(try cut("Movie/v1", .max), to: "in/whole")
    let result = try bench.run(
      ["convert", "--plain", "--recover", "--to", "xml", "--output-dir", "out", "-r", "in"])
    #expect(result.status == 65)
    #expect(result.errors.contains("cut: error: object 36 is lost"))
    let list = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: bench.url("out/cut")), options: [], format: nil)
    #expect("\(list)".contains("James Cameron"))
    #expect(FileManager.default.fileExists(atPath: bench.url("out/whole").path))
  }

  @Test(arguments: [
    (["convert", "--to", "xml", "--recover"], "'--recover' needs '--plain'"),
    (["convert", "--to", "xml", "--recover", "--plain", "--in-place"], "--in-place"),
  ])
  func needsAPlainCopy(_ words: [String], _ message: String) throws {
    let path = TestArchives.root.appendingPathComponent("Movie/v1").path
    let result = try Program.run(arguments: words + [path])
    #expect(result.status == 64)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  /// A sound file is what it is without the option.
  @Test(arguments: [
    ["convert", "--plain", "--to", "xml"], ["validate"], ["validate", "--format-only"], ["info"],
  ])
  func leavesSoundFilesAlone(_ words: [String]) throws {
    for name in ["Movie/v1", "WeatherFeed/v1-1-city"] {
      let path = TestArchives.root.appendingPathComponent(name).path
      let plain = try Program.run(arguments: words + [path])
      let result = try Program.run(arguments: words + ["--recover", path])
      #expect(result.status == 0)
      #expect(result.text == plain.text)
      #expect(result.errors == plain.errors)
    }
  }

  /// The schema is checked on what is left, and each loss is an error of the report.
  @Test func areInvalidWithEveryLoss() throws {
    let input = try cut("WeatherFeed/v1-1-city", 1000)
    let unread = try Program.run(arguments: ["validate", "-"], input: input)
    #expect(unread.status == 65)
    let result = try Program.run(
      arguments: ["validate", "--recover", "--format", "ndjson", "-"], input: input)
    #expect(result.status == 1)
    #expect(result.text.contains("WeatherFeed@v1"))
    #expect(result.text.contains("the trailer is missing"))
    let described = try Program.run(arguments: ["info", "--recover", "-"], input: input)
    #expect(described.status == 65)
    #expect(described.text.contains("schema: WeatherFeed@v1"))
    #expect(described.errors.contains("the trailer is missing"))
  }
}
