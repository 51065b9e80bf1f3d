// The name of one run over files: its temporary files bear it, so that they are known after a crash.

import ArchiveBasics

/// 16 hexadecimal digits that no other run has.
package struct RunIdentifier: Hashable, Sendable, CustomStringConvertible {
  /// The prefix of all files that archtool makes beside its users' own.
  package static let filePrefix = ".archtool-"

  /// The digits.
  package let description: String

  /// Makes a new one.
  package init() { description = String(UInt64.random(in: 0 ... .max), radix: 16, width: 16) }

  /// Reads an identifier; nil if the text is malformed.
  package init?(_ text: String) {
    guard text.isHexadecimal(count: 16) else { return nil }
    description = text
  }

  /// The prefix of the run's temporary files.
  package var temporaryPrefix: String { "\(Self.filePrefix)\(description)-" }
}
