// Names and texts with control characters for terminals and editors: every command escapes them in its output.

import ArchiveBasics
import ArchiveGraph
import Foundation
import TestSupport
import Testing

@Suite struct EscapedTextTests {
  /// A reset in eight bits, a mark that turns the direction, separators of lines, an Arabic letter mark, tags.
  private static let hostile =
    "a\u{9B}31m\u{202E}b\u{2028}c\u{2029}\u{61C}\u{200F}\u{2066}\u{85}\u{7F}é\u{E0041}\u{E0001}\u{E007F}"

  private static func obeyed(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { $0.isObeyed && $0 != "\n" }
  }

  private static let commands = [
    ["dump"], ["dump", "--raw"], ["dump", "--format", "json"],
    ["dump", "--format", "json", "--typed"], ["info"], ["validate", "--format-only"],
    ["convert", "--to", "json", "-o", "-"], ["convert", "--to", "swift", "-o", "-"],
    ["convert", "--to", "objc", "-o", "-"], ["validate"], ["migrate", "--to", "v2", "--dry-run"],
    ["rename-class", "-c", "*=X*", "--dry-run"], ["validate", "--format", "ndjson"],
    ["validate", "--lint"],
  ]

  @Test(arguments: commands) func textsAreEscaped(_ command: [String]) throws {
    let bench = try Workbench()
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      let list = [Self.hostile: [Self.hostile, "\(Self.hostile)x"]]
      // XML has no C0 but tabs and ends of lines, and takes all of these.
      let data = try PropertyListSerialization.data(
        fromPropertyList: list, format: format, options: 0)
      try bench.write(data, to: "list")
      let result = try bench.run(command + ["list"])
      #expect([0, 1, 65].contains(result.status), "\(result.errors)")
      #expect(Self.obeyed(result.text + result.errors).isEmpty, "\(result.text)\(result.errors)")
    }
  }

  @Test(arguments: commands) func namesOfFilesAreEscaped(_ command: [String]) throws {
    let bench = try Workbench()
    let name = "a\u{1B}[31m\nb: valid\(Self.hostile)"
    for archive in ["WeatherFeed/v1-1-city", "Broken/truncated"] {
      try bench.copy(archive, to: "in/" + name)
      let operands = command.contains("-o") ? ["in/" + name] : ["-r", "in"]
      let result = try bench.run(command + operands)
      #expect([0, 1, 65].contains(result.status), "\(result.errors)")
      #expect(Self.obeyed(result.text + result.errors).isEmpty, "\(result.text)\(result.errors)")
      #expect(!result.text.contains("\nb: valid"))
    }
  }

  /// A text that is shown as it is must not be obeyed by a terminal; elsewhere it is not changed.
  @Test(arguments: [["git", "text"], ["get", "--format", "xml1"], ["convert", "--to", "xml1"]])
  func textsAreEscapedOnATerminal(_ command: [String]) throws {
    let bench = try Workbench()
    let isGit = command[0] == "git"
    let text =
      isGit ? "<plist>\t<no \(Self.hostile)\n" : "<plist><string>\(Self.hostile)</string></plist>"
    try bench.write(text, to: "list")
    let rest = isGit ? ["list"] : command[0] == "get" ? ["list", "$"] : ["list", "-o", "-"]
    let piped = try bench.run(command + rest)
    #expect(piped.text.contains(Self.hostile), "\(piped.errors)")
    let shown = try Program.runOnTerminal(
      command + rest, in: bench.url("."), environment: ["PAGER": "cat", "TERM": "xterm"])
    #expect(shown.status == 0, "\(shown.text)")
    #expect(
      Self.obeyed(shown.text).allSatisfy { $0 == "\r" || $0 == "\t" }
        && shown.text.contains("\\udb40\\udc41"), "\(shown.text)")
  }

  @Test func namesOfClassesAreEscaped() throws {
    let bench = try Workbench()
    let archive = try Workbench.archive("Movie/v0-mirror-class")
    let old = Data("Demo.MovieClass".utf8)
    let range = try #require(archive.range(of: old))
    try bench.write(
      archive.replacingCharacters(range, with: "Demo.\u{1B}[31mXXX\u{7F}Z"), to: "movie")
    for command in Self.commands {
      let result = try bench.run(command + ["movie"])
      #expect([0, 1, 65].contains(result.status), "\(result.errors)")
      #expect(Self.obeyed(result.text + result.errors).isEmpty, "\(result.text)\(result.errors)")
    }
  }

  /// The error of an archive in an archive.
  @Test func errorsOfInnerArchivesAreEscaped() throws {
    let bench = try Workbench()
    let evil = "\u{1B}]0;EVIL\u{7}\u{1B}[31m"
    var inner = Data([4, 11]) + Data("streamtyped".utf8) + Data([0x81, 0xE8, 3, 0x84])
    inner += Data([UInt8(evil.utf8.count)]) + Data(evil.utf8)
    try bench.write(
      try PropertyListSerialization.data(fromPropertyList: inner, format: .binary, options: 0),
      to: "list")
    for command in Self.commands {
      let result = try bench.run(command + ["list"])
      #expect(Self.obeyed(result.text + result.errors).isEmpty, "\(result.text)\(result.errors)")
    }
  }

  @Test func whatWasTypedIsEscaped() throws {
    let bench = try Workbench()
    try bench.copy("WeatherFeed/v1-1-city", to: "feed")
    for command in [
      ["migrate", "--to", Self.hostile, "feed", "-n"],
      ["validate", "--schema", Self.hostile, "feed"],
      ["migrate", "--from", "\u{1B}[31m", "--to", "v2", "feed", "-n"], [Self.hostile],
      ["dump", "--\(Self.hostile)"], ["dump", Self.hostile], ["schema", "show", Self.hostile],
    ] {
      let result = try bench.run(command)
      #expect(result.status != 0)
      #expect(Self.obeyed(result.text + result.errors).isEmpty, "\(command): \(result.errors)")
    }
  }
}

extension Data {
  fileprivate func replacingCharacters(_ range: Range<Int>, with text: String) -> Data {
    let new = Data(text.utf8)
    precondition(new.count == range.count)
    return self[..<range.lowerBound] + new + self[range.upperBound...]
  }
}
