// Keyed archives as Python's plistlib reads them.

import Foundation
import TestSupport
import Testing

/// Follows UIDs without a line of the program under test.
enum KeyedJudge {
  /// What it finds in an archive.
  struct Reading: Decodable {
    /// All that is reached, objects numbered as they are met.
    let graph: String
    /// How many objects are not reached.
    let unreachable: Int
    /// The places of the objects that are reached among one another, as they are met.
    let ranks: [Int]
    /// The first object.
    let null: String
  }

  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Judges/keyed_judge.py")

  /// Reads archives.
  static func read(_ archives: [Data]) throws -> [Reading] {
    var input = Data()
    for archive in archives {
      withUnsafeBytes(of: UInt64(archive.count).bigEndian) { input.append(contentsOf: $0) }
      input.append(archive)
    }
    let python = try #require(Program.find("python3"))
    let result = try Program.run(at: python, [script.path], input: input)
    return try result.text.split(separator: "\n").map {
      try JSONDecoder().decode(Reading.self, from: Data($0.utf8))
    }
  }
}
