// Inputs found by `make fuzz` that once caused faults: every command reads or refuses them.

import ArchiveBasics
import Foundation
import TestSupport
import Testing

@Suite struct RegressionTests {
  static let files: [String] = {
    let folder = TestArchives.root.appendingPathComponent("Regressions").path
    return (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()) ?? []
  }()

  private static let commands =
    HostileShapeTests.commands + [["dump", "--recover", "--format", "json", "--typed"]]
    + ["json", "swift", "objc", "openstep", "keyed-archive", "typedstream"].map {
      ["convert", "--to", $0, "-o", "/dev/null", "--force"]
    }
    + ["v0", "v1", "v2"].map { ["migrate", "--to", $0, "--dry-run"] }
    + [
      ["-c", "*=X*"], ["-c", "NSArray=Demo.Array"], ["--drop-class", "NS*Date"],
      ["--set-archiver", "A"], ["--rename-key", "NSDictionary.NS.keys=k"],
      ["-c", "NSDictionary=D", "--drop-class", "NSString", "--rename-key", "*.a=b"],
    ].map { ["rename-class", "--dry-run"] + $0 }

  @Test(arguments: files) func doesNoMoreHarm(_ name: String) throws {
    for command in Self.commands {
      let result = try Program.run(arguments: command + ["Regressions/\(name)"])
      // 1: no schema that is known fits, so nothing is migrated.
      #expect([0, 1, 65].contains(result.status), "\(command): \(result.errors.prefix(300))")
    }
  }

  /// Readers of text keep one value of a key: what a damaged file has twice is not written.
  @Test(arguments: ["xml1", "openstep", "json", "objc", "swift"])
  func keysOfTheSameTextAreNotLost(_ format: String) throws {
    let file = "Regressions/convert-keys-of-the-same-text"
    let text = try Program.run(arguments: ["convert", "--to", format, file, "-o", "-"])
    #expect(text.status == 1)
    #expect(text.output.isEmpty)
    #expect(
      text.errors.contains("a dictionary with the key 'title' twice (at $)"), "\(text.errors)")
    let binary = try Program.run(arguments: ["convert", "--to", "binary1", file, "-o", "-"])
    let dumps = try [
      Program.run(arguments: ["dump", file]),
      Program.run(arguments: ["dump", "-"], input: binary.output),
    ]
    #expect(dumps[0].text == dumps[1].text)
  }

  @Test func thereAreSome() { #expect(!Self.files.isEmpty) }

  /// UIDs have no sign, and up to eight bytes.
  @Test func aUIDBeyondSignedIntegersComesBackFromTypedJSON() throws {
    let bench = try Workbench()
    let file = "Regressions/convert-uid-beyond-int64"
    let json = try Program.run(
      arguments: ["convert", "--to", "json", "--typed", file, "-o", "-"])
    try bench.write(json.text, to: "typed.json")
    let binary = try bench.run(["convert", "--to", "binary1", "typed.json", "-o", "back"])
    #expect(binary.status == 0, "\(binary.errors)")
    let again = try bench.run(["dump", "--format", "json", "--typed", "--compact", "back"])
    #expect(again.text == "{\"a\":{\"$uid\": 10199964370168810893}}\n")
  }

  /// As text, a UID of more than 63 bits would be read back as a dictionary.
  @Test(arguments: ["xml1", "openstep"])
  func aUIDBeyondSignedIntegersHasNoTextForm(_ format: String) throws {
    let result = try Program.run(
      arguments: ["convert", "--to", format, "Regressions/convert-uid-beyond-int64", "-o", "-"])
    #expect(result.status == 1, "\(result.errors)")
    #expect(result.text.isEmpty)
  }
}
