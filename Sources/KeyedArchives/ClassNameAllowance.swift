// How much of an archive's class names is read: records that share long names cost far more than their bytes.

import Basics
import ObjectGraph

/// What may still be read of the names in an archive's class records.
struct ClassNameAllowance {
  /// The error of an archive whose class names exceed the limit, or nil.
  private(set) var excess: String?
  /// Names of Swift's generic classes take some hundred bytes; the longest that are known, a few thousand.
  private static let longest = 16_384
  /// The cost of a name in addition to its bytes.
  private static let overhead = 32

  private var rest: Int
  private let limit: Int
  private var isReported = false

  /// Makes an allowance for an archive of so many bytes.
  init(archiveSize: Int) {
    limit = max(1 << 24, archiveSize &* 4)
    rest = limit
  }

  /// Whether no more names are read.
  var isExceeded: Bool { excess != nil }

  /// A name; nil if it is missing or exceeds the limit.
  mutating func string(_ text: Text?) -> String? {
    guard let text, !isExceeded else { return nil }
    rest -= text.byteCount + Self.overhead
    if text.byteCount > Self.longest {
      excess = "the class name is \(text.byteCount) bytes long; the limit is \(Self.longest)"
    } else if rest < 0 {
      excess = "the class records share so many names that they take more than \(limit) bytes"
    }
    return isExceeded ? nil : text.string
  }

  /// The error of names that exceed the limit; nil if they do not, or if it was reported.
  mutating func takeExcess() -> ArchiveError? {
    guard let excess, !isReported else { return nil }
    isReported = true
    return ArchiveError(.limit, excess)
  }
}
