// The description of an input of a known kind that is not read.

import Basics
import KeyedArchives
import PropertyLists

/// A description of an input whose encoding is known, but not read.
public struct UnreadInfo {
  private let byteCount: Int
  private let encoding: String

  /// Looks at the beginning of an input; nil if it is read, or of no known kind.
  public init?(_ storage: ByteStorage) {
    guard case .unsupported(let kind) = Formats.all.detect(storage.bytes) else { return nil }
    encoding = kind
    byteCount = storage.bytes.count
  }

  /// The description as lines of `name: value`.
  public func text(file: String) -> String {
    [
      "file: \(file.shownPath)", "size: \(Counted.text(byteCount, "byte"))",
      "encoding: \(encoding)",
    ].map(\.escapedForTerminal).joined(separator: "\n") + "\n"
  }

  /// The description for programs.
  public func report(file: String) -> JSONTree {
    .members([
      ("file", .string(file.shownPath)), ("size", .integer(byteCount)),
      ("encoding", .string(encoding)),
    ])
  }
}
