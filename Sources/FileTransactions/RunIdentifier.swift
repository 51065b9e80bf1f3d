// The name of one run over files: its temporary files bear it, so that they are known after a crash.

import Basics

/// 16 hexadecimal digits that no other run has.
public struct RunIdentifier: Hashable, Sendable, CustomStringConvertible {
  /// What the names of all files begin with that archtool makes beside its users' own.
  public static let filePrefix = ".archtool-"

  /// The digits.
  public let description: String

  /// Makes a new one.
  public init() { description = String(UInt64.random(in: 0 ... .max), radix: 16, width: 16) }

  /// Reads one; nil if the text is none.
  public init?(_ text: String) {
    guard text.utf8.count == 16,
      text.utf8.allSatisfy({ (0x30...0x39) ~= $0 || (0x61...0x66) ~= $0 })
    else { return nil }
    description = text
  }

  /// What the names of the run's temporary files begin with.
  public var temporaryPrefix: String { "\(Self.filePrefix)\(description)-" }
}
