// Output that is long enough to be written by a thread of its own.

import Foundation
import TestSupport
import Testing

@Suite struct LargeOutputTests {
  /// Strings whose XML takes 13 MB.
  private static let strings = (0..<30_000).map { "\($0) " + String(repeating: "x", count: 400) }

  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder(inMemory: true)
    try PropertyListSerialization.data(fromPropertyList: strings, format: .binary, options: 0)
      .write(to: folder.file("input"))
    return folder
  }

  private static func arguments(_ output: String) -> [String] {
    ["convert", "--to", "xml1", "input", "-o", output]
  }

  @Test func aFileHasWhatAPipeGets() throws {
    let folder = try Self.folder()
    let written = try Program.run("archtool", Self.arguments("output"), in: folder.url)
    #expect(written.status == 0, "\(written.errors)")
    let piped = try Program.run("archtool", Self.arguments("-"), in: folder.url)
    let file = try Data(contentsOf: folder.file("output"))
    #expect(file == piped.output)
    let read = try PropertyListSerialization.propertyList(from: file, format: nil) as? [String]
    #expect(read == Self.strings)
  }

  /// Limits in blocks of 512 bytes: before the thread starts, while it writes, and a little too small for all.
  @Test(arguments: [1, 15_000, 20_000, 24_500])
  func aFileThatCannotGrowIsReportedAndLeavesNothing(_ blocks: Int) throws {
    let folder = try Self.folder()
    let program = URL(fileURLWithPath: Program.folder).appendingPathComponent("archtool").path
    let script = "ulimit -f \(blocks); exec \"$0\" \"$@\""
    let result = try Program.run(
      at: URL(fileURLWithPath: "/bin/sh"), ["-c", script, program] + Self.arguments("output"),
      in: folder.url)
    #expect(result.status == 74, "\(result.errors)")
    #expect(result.errors.contains("File too large"), "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["input"])
  }
}
