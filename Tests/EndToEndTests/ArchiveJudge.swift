// Archives as a program reads them that shares no code with archtool.

import Foundation
import TestSupport
import Testing

/// Compares archives with Python's plistlib.
enum ArchiveJudge {
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Judges/archive_differences.py")

  /// How two archives of one envelope differ in values, classes, storage and sharing: a kind and a path for each.
  static func differences(_ left: URL, _ right: URL, envelope: String) throws -> [String] {
    let python = try #require(Program.find("python3"))
    let result = try Program.run(at: python, [script.path, envelope, left.path, right.path])
    try #require(result.status == 0, "\(result.errors)")
    return result.text.split(separator: "\n").map(String.init)
  }

  /// The envelope of a version.
  static func envelope(of schema: URL) throws -> String {
    let tree = try JSONSerialization.jsonObject(with: Data(contentsOf: schema)) as? [String: Any]
    return try #require((tree?["x-archive"] as? [String: Any])?["envelope"] as? String)
  }
}
