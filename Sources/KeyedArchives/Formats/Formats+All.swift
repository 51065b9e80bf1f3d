// All formats: property lists and those of archives.

import PropertyLists

extension Formats {
  /// Every format that archtool reads.
  public static let all = propertyLists.adding([TypedStreamFormat.self])
}
