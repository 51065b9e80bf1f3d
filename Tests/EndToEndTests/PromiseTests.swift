// What users were promised and did not get once: small things, each from its command line.

import Foundation
import TestSupport
import Testing

@Suite struct PromiseTests {
  /// Three numbers of single precision are no text, whatever letters their bytes are.
  @Test func numbersInDataAreShownAsBytes() throws {
    let bench = try Workbench()
    let scale = Data(
      [Float](repeating: 0.02, count: 3).flatMap { withUnsafeBytes(of: $0, Array.init) })
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["scale": scale], format: .binary, options: 0)
    try bench.write(list, to: "list")
    let shown = try bench.run("dump", "list")
    #expect(shown.text.contains("data (12 bytes) 0ad7a33c0ad7a33c"), "\(shown.text)")
  }

  @Test func eachLineOfRecordsHasAnAnswer() throws {
    let bench = try Workbench()
    let archive = try Workbench.archive("Movie/v1").base64EncodedString()
    let lines = "{\"data\": \"\(archive)\"}\n\n{\"data\": \"\(archive)\"}\n"
    let result = try Program.run(
      "archtool", ["validate", "--records"], input: Data(lines.utf8),
      in: bench.url("."))
    #expect(result.text.split(separator: "\n").count == 3, "\(result.text)\(result.errors)")
  }

  /// What Foundation archives as a matter of course is no finding.
  @Test func foundationsArchivesHaveNoWarnings() throws {
    let bench = try Workbench()
    let objects: [Any] = [
      NSNotFound, Float(0.1), NSMutableString(string: "s"), NSMutableDictionary(), NSNull(),
      NSURL(string: "https://example.org/a") as Any, NSDate(timeIntervalSinceReferenceDate: 1),
    ]
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: objects as NSArray, requiringSecureCoding: false)
    try bench.write(data, to: "archive")
    let result = try bench.run("validate", "--lint", "--format-only", "archive")
    #expect(result.status == 0)
    #expect(!(result.text + result.errors).contains("warning"), "\(result.text)\(result.errors)")
  }

  /// IOKit's lists refer to elements that came before.
  @Test func referencesOfXMLAreTheirElements() throws {
    let bench = try Workbench()
    try bench.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>a</key><string ID="1">text</string><key>b</key><string IDREF="1"/></dict></plist>
      """, to: "list")
    let shown = try bench.run("get", "list", "b")
    #expect(shown.text == "text\n", "\(shown.text)\(shown.errors)")
  }

  /// On a narrow terminal nothing of a run is cut.
  @Test func aRunIsListedWhole() throws {
    let bench = try Workbench()
    let name = String(repeating: "long-name-", count: 12)
    try bench.copy("Movie/v1", to: name)
    #expect(
      try bench.run("set", "--in-place", "--journal", "a.journal", name, "$.name", "\"x\"").status
        == 0)
    let shown = try Program.runOnTerminal(
      ["journal", "list", "--no-pager", "a.journal"], in: bench.url("."),
      environment: ["COLUMNS": "60", "TERM": "xterm", "HOME": bench.url("home").path])
    let lines = shown.text.replacingOccurrences(of: "\r", with: "").split(separator: "\n")
    #expect(lines.count == 4, "\(shown.text)")
    #expect(
      lines.contains { $0.contains("set --in-place --journal=a.journal \(name) ") }, "\(shown.text)"
    )
    #expect(lines.last?.hasSuffix(".journal") == true, "\(shown.text)")
  }

  /// A column is a line for each kind of archive in it; every address is the last of its line.
  @Test func theInventoryIsATable() throws {
    let result = try Program.run(
      "archtool", ["scan", "-q", "Databases", "Movie/v1", "Broken/truncated"], in: TestArchives.root
    )
    let lines = result.text.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines[0] == ["COUNT", "CLASS", "ENCODING", "SCHEMA", "BYTES", "ADDRESS"])
    #expect(
      lines.dropFirst().compactMap { $0.last.map(String.init) }.prefix(5) == [
        "Databases/Library.db#feeds.archive", "Databases/Library.db#feeds.archive",
        "Databases/Library.db#settings.value", "Movie/v1", "Broken/truncated",
      ], "\(result.text)")
    #expect(lines[1].prefix(2) == ["2", "NSData"])
  }

  /// What data in a value are is said by the explorer as by `dump`.
  @Test func theExplorerNamesTheKindOfData() throws {
    let bench = try Workbench()
    let header: [UInt8] =
      [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0, 2, 0, 0, 0, 3, 8, 0, 0, 0, 0]
    let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + header + [0, 0, 0, 0])
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["picture": picture], format: .binary, options: 0)
    try bench.write(list, to: "list")
    #expect(try bench.run("dump", "list").text.contains(") PNG 2×3"))
    #expect(try bench.run("graph", "--format", "html", "list").text.contains("PNG 2×3"))
  }

  @Test func zerosWithoutAnEndAreRecognized() throws {
    let result = try Program.run(
      at: URL(fileURLWithPath: "/bin/sh"),
      ["-c", "head -c 3000000 /dev/zero | \"$0\" dump -", Program.folder + "/archtool"])
    #expect(result.status == 65 && result.errors.contains("begins with 1 MiB of zeros"))
  }

  /// What README says of installing can be copied: each target of make is one, and the action has its line.
  @Test func theFirstLinesOfTheReadmeCanBeCopied() throws {
    let root = TestArchives.root.deletingLastPathComponent()
    let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let makefile = try String(contentsOf: root.appendingPathComponent("Makefile"), encoding: .utf8)
    let parts = readme.components(separatedBy: "\n## ")
    let install = try #require(parts.first { $0.hasPrefix("Install") })
    let targets = install.matches(of: #/(?:^|\n|`)make ([a-z]+)/#).map { String($0.output.1) }
    #expect(targets.count >= 3)
    for target in targets {
      #expect(makefile.contains("\n\(target):"), "\(target)")
    }
    #expect(install.contains("- uses: OWNER/archtool@"))
  }
}
