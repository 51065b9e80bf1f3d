// The settings of JSON in `x-archive`.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists

extension JSONCoding {
  /// The settings that `x-archive` tells; those of a new JSONEncoder where it says nothing.
  ///
  /// - Throws: `ArchiveError` naming the member that is wrong.
  init(archive: JSONTree?) throws(ArchiveError) {
    self.init()
    if let dates = archive?["dates"] {
      guard let known = Self.dates(dates) else {
        throw Self.fault(
          "dates",
          "is reference, iso8601, unix, unixMilliseconds or {\"format\": PATTERN}, a pattern of dates such as \"yyyy-MM-dd HH:mm\""
        )
      }
      self.dates = known
    }
    if let data = archive?["data"], data != .string("base64") {
      throw Self.fault("data", "is base64")
    }
    if let keys = archive?["keys"] {
      guard keys == .string("snake_case") else { throw Self.fault("keys", "is snake_case") }
      hasSnakeCaseKeys = true
    }
  }

  private static func dates(_ tree: JSONTree) -> Dates? {
    switch tree.string {
    case "reference"?: return .reference
    case "iso8601"?: return .iso8601
    case "unix"?: return .unix
    case "unixMilliseconds"?: return .unixMilliseconds
    default:
      guard let members = tree.members, members.count == 1 else { return nil }
      return tree["format"]?.string.flatMap { DatePattern($0) }.map { .format($0) }
    }
  }

  private static func fault(_ name: String, _ message: String) -> ArchiveError {
    ArchiveError(
      .malformed, "the schema is wrong: '\(name)' of 'x-archive' \(message)",
      path: GraphPath([.key("x-archive"), .key(name)]).description)
  }
}
