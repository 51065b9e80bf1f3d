// How alike two names of members are.

import ArchiveBasics

enum NameLikeness {
  /// Whether two names differ only in case and separators: `PastDevices`, `past_devices`.
  static func isSame(_ one: String, _ other: String) -> Bool {
    let (one, other) = (words(one).joined(), words(other).joined())
    return !one.isEmpty && one == other
  }

  /// Whether two names have words in common, or one begins or ends with the other.
  static func isSimilar(_ one: String, _ other: String) -> Bool {
    let (first, second) = (words(one), words(other))
    let (whole, part) = (first.joined(), second.joined())
    let (short, long) = whole.utf8.count < part.utf8.count ? (whole, part) : (part, whole)
    if short.utf8.count >= 3, long.hasPrefix(short) || long.hasSuffix(short) { return true }
    let common = Set(first).intersection(second).filter { $0.utf8.count >= 3 }
    return common.count * 2 >= min(first.count, second.count) && !common.isEmpty
  }

  /// The words of a name in small letters: `sessionID` has `session` and `id`.
  private static func words(_ name: String) -> [String] {
    var words: [String] = []
    var (isInWord, wasLower) = (false, false)
    for scalar in name.unicodeScalars {
      guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else {
        isInWord = false
        continue
      }
      let isUpper = scalar.properties.isUppercase
      if !isInWord || isUpper && wasLower { words.append("") }
      words[words.count - 1] += scalar.properties.lowercaseMapping
      (isInWord, wasLower) = (true, !isUpper)
    }
    return words
  }
}
