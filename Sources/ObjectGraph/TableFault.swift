// What can be wrong with one value of a table, by kind: messages are for people, kinds for code.

import Basics

/// A fault of one stored value.
public struct TableFault: Sendable {
  /// The part of the value that is wrong.
  public enum Kind: Sendable {
    /// The entry in the table of offsets.
    case offset
    /// The marker byte.
    case marker
    /// The end of the value, beyond the last byte.
    case extent
    /// The count of elements, characters or bytes.
    case count
    /// A reference to a value that is not there.
    case reference
    /// The UTF-8 of a string.
    case spelling
  }

  /// The part that is wrong.
  public let kind: Kind
  /// The same with its location, as readers throw it.
  public let error: ArchiveError

  init(_ kind: Kind, _ error: ArchiveError) {
    self.kind = kind
    self.error = error
  }
}
