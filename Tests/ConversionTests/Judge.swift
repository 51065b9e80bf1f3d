// Other programs that read the output of archtool and report what they found.

import Foundation
import TestSupport

enum Judge {
  private static let script = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Judges/plistlib_judge.py")

  /// What Python's plistlib finds in property lists, a line each, in the form of `SampleValue.canonical`.
  static func plistlib(_ lists: [Data]) throws -> [String] { try read(lists, []) }

  /// What Python's json finds in JSON texts, likewise.
  static func json(_ texts: [Data]) throws -> [String] { try read(texts, ["json"]) }

  private static func read(_ lists: [Data], _ arguments: [String]) throws -> [String] {
    var records = Data()
    for list in lists {
      withUnsafeBytes(of: UInt64(list.count).bigEndian) { records.append(contentsOf: $0) }
      records.append(list)
    }
    guard let python = Program.find("python3") else { throw Missing(program: "python3") }
    let result = try Program.run(at: python, [script.path] + arguments, input: records)
    return result.text.split(separator: "\n").map(String.init)
  }

  /// A property list after plistutil read and wrote it.
  static func plistutil(_ list: Data, to format: String) throws -> Data {
    guard let plistutil = Program.find("plistutil") else { throw Missing(program: "plistutil") }
    let folder = try TemporaryFolder()
    try list.write(to: folder.file("in"))
    let arguments = ["-i", folder.file("in").path, "-o", folder.file("out").path, "-f", format]
    _ = try Program.run(at: plistutil, arguments)
    return try Data(contentsOf: folder.file("out"))
  }

  struct Missing: Error {
    let program: String
  }
}
