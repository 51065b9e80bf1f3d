// gzip-compressed inputs, created by gzip itself.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Program.find("gzip") != nil)) struct CompressedInputTests {
  private func compressed(_ path: String) throws -> Data {
    let gzip = try #require(Program.find("gzip"))
    let file = TestArchives.root.appendingPathComponent(path).path
    return try Program.run(at: gzip, ["-c", file]).output
  }

  @Test(arguments: [
    "Movie/v1", "Movie/v2", "WeatherFeed/v1-50-cities", "WeatherFeed/topcities.json",
  ])
  func showTheSameAsWhatTheyHold(_ path: String) throws {
    let plain = try Program.run(arguments: ["dump", path])
    let result = try Program.run(arguments: ["dump", "-"], input: try compressed(path))
    #expect(result.status == 0)
    #expect(result.text == plain.text)
    #expect(result.errors.hasPrefix("<stdin>: is gzip-compressed; offsets refer to the "))
    #expect(!result.errors.contains("warning"))
    let quiet = try Program.run(arguments: ["dump", "-q", "-"], input: try compressed(path))
    #expect(quiet.errors.isEmpty)
  }

  /// What a file is belongs to its description; what it is no more is worth a warning.
  @Test func isPartOfTheEncoding() throws {
    let input = try compressed("Movie/v1")
    let info = try Program.run(arguments: ["info", "-"], input: input)
    #expect(info.text.contains("\nencoding: binary property list, gzip-compressed (375 bytes)\n"))
    #expect(info.errors.isEmpty)
    let report = try Program.run(arguments: ["info", "--format", "json", "-"], input: input).text
    #expect(report.contains("\"compression\": \"gzip\","))
    #expect(report.contains("\"inflatedSize\": 375,"))
    let converted = try Program.run(
      arguments: ["convert", "--to", "json", "--typed", "-"], input: input)
    #expect(
      converted.errors == "<stdin>: warning: was gzip-compressed, and is not any more (at $)\n")
  }

  @Test func saysWhatFollowsAndIsSkipped() throws {
    let input = try compressed("Movie/v1") + compressed("Movie/v1").prefix(0) + Data("\nend".utf8)
    let result = try Program.run(arguments: ["dump", "-"], input: input)
    #expect(result.status == 0)
    #expect(result.errors.contains("4 bytes after the compressed data skipped"))
  }

  @Test func joinsMembers() throws {
    let gzip = try #require(Program.find("gzip"))
    let whole = try Data(
      contentsOf: TestArchives.root.appendingPathComponent("WeatherFeed/v1-50-cities"))
    let parts = try [whole.prefix(1000), whole.dropFirst(1000)].map { part in
      try Program.run(at: gzip, ["-c"], input: Data(part)).output
    }
    let result = try Program.run(arguments: ["validate", "-"], input: parts[0] + parts[1])
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test(arguments: [0.2, 0.5, 0.9]) func cutShortIsAnError(_ share: Double) throws {
    let input = try compressed("WeatherFeed/v1-50-cities")
    let result = try Program.run(
      arguments: ["dump", "-"], input: input.prefix(Int(Double(input.count) * share)))
    #expect(result.status == 65)
    #expect(result.errors.contains("the gzip-compressed data ends too early"))
  }

  @Test func damageIsAnError() throws {
    var input = try compressed("WeatherFeed/v1-50-cities")
    input[input.count / 2] ^= 0xFF
    let result = try Program.run(arguments: ["dump", "-"], input: input)
    #expect(result.status == 65)
    #expect(result.errors.contains("damaged"))
  }

  /// What came out before the cut is read as any damaged file is.
  @Test func whatIsLeftOfACutFileIsRecovered() throws {
    let gzip = try #require(Program.find("gzip"))
    let list = try PropertyListSerialization.data(
      fromPropertyList: (0..<2000).map { "string \($0 &* 7_919 % 2000)" }, format: .xml, options: 0)
    let whole = try Program.run(at: gzip, ["-c"], input: list).output
    let cut = whole.prefix(whole.count * 2 / 3)
    let refused = try Program.run(arguments: ["dump", "-"], input: cut)
    #expect(refused.status == 65)
    #expect(refused.output.isEmpty)
    let result = try Program.run(arguments: ["dump", "--recover", "-"], input: cut)
    #expect(result.status == 65)
    #expect(result.errors.contains("ends too early"))
    #expect(result.text.contains("[500]: \"string \(500 &* 7_919 % 2000)\""))
  }

  /// The bound is the same whether the data is the file or a value in it, and needs no number that is used up.
  @Test func whatBecomesFarLargerIsLeftToGunzip() throws {
    let zeros = "(printf bplist00; head -c 33554432 /dev/zero) | gzip -c"
    let bomb = try Program.run(at: URL(fileURLWithPath: "/bin/sh"), ["-c", zeros]).output
    let values = try PropertyListSerialization.data(
      fromPropertyList: [bomb, Data(bomb)] as NSArray, format: .binary, options: 0)
    for input in [bomb, values] {
      let result = try Program.run(arguments: ["dump", "-"], input: input)
      #expect(result.errors.contains("decompress it with gunzip"), "\(result.errors)")
      #expect(!result.errors.contains("0 bytes"))
    }
  }

  /// Compressed data whose content begins as no list is not decompressed any further.
  @Test func whatIsNoListInDataStaysData() throws {
    let zeros = "head -c 33554432 /dev/zero | gzip -c"
    let bomb = try Program.run(at: URL(fileURLWithPath: "/bin/sh"), ["-c", zeros]).output
    let values = try PropertyListSerialization.data(
      fromPropertyList: [bomb], format: .binary, options: 0)
    for words in [["dump", "-"], ["validate", "--lint", "--format-only", "-"]] {
      let result = try Program.run(arguments: words, input: values)
      #expect(result.status == 0 && !result.errors.contains("gunzip"), "\(result.errors)")
    }
  }

  /// What is wrong with the decompressed bytes is located in these.
  @Test func errorsSayWhichBytesTheirOffsetsReferTo() throws {
    let gzip = try #require(Program.find("gzip"))
    let whole = try Data(contentsOf: TestArchives.root.appendingPathComponent("Movie/v1"))
    let cut = try Program.run(at: gzip, ["-c"], input: whole.prefix(200)).output
    let result = try Program.run(arguments: ["dump", "-"], input: cut)
    #expect(result.status == 65)
    #expect(result.errors.contains("in the 200 bytes that the compressed data holds"))
  }
}
