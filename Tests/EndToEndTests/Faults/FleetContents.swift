// The files of a fleet of weather feeds: all different, some that cannot be migrated, some that need no migration.

import FileTransactions
import Foundation
import TestSupport

/// The bytes that a fleet begins with.
struct FleetContents {
  /// What a file is to a migration to v2.
  enum Kind: Equatable {
    /// It is migrated.
    case feed
    /// It is in v2 already.
    case migrated
    /// It is an archive of something that is no feed.
    case stranger
    /// It is no archive.
    case noise
  }

  /// A file with its place below the folder.
  struct File {
    let path: String
    let kind: Kind
    let bytes: Data
    let number: Int

    var mode: mode_t { [0o644, 0o600, 0o640, 0o664][number % 4] }
    /// Long ago, and another moment for each.
    var modified: timespec { timespec(tv_sec: 1_500_000_000 + number, tv_nsec: number * 1001 + 7) }
  }

  let files: [File]

  /// Makes the files; the last ones of every 250 are what cannot or need not be migrated.
  init(count: Int) throws {
    files = try (0..<count).map { number in
      let kind: Kind =
        switch number % 250 {
        case 247: .migrated
        case 248: .stranger
        case 249: .noise
        default: .feed
        }
      // A ten of files a folder, ten of those folders in another.
      let path = "region-\(number / 100)/station-\(number / 10 % 10)/feed-\(number)"
      return File(path: path, kind: kind, bytes: try Self.bytes(kind, number), number: number)
    }
  }

  /// A feed of one city; the number decides what is in it.
  static func feed(_ number: Int) -> [String: Any] { FeedArchives.feed(number * 4) }

  private static func bytes(_ kind: Kind, _ number: Int) throws -> Data {
    switch kind {
    case .feed: try FeedArchives.dictionariable(number * 4)
    case .migrated: try FeedArchives.codable(number * 4)
    case .stranger:
      try NSKeyedArchiver.archivedData(
        withRootObject: ["number": number] as NSDictionary, requiringSecureCoding: false)
    case .noise: Data("no archive \(number)".utf8)
    }
  }
}
