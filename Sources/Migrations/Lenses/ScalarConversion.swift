// What `convert` makes of a scalar, in both directions.

import PropertyLists

/// A conversion between two spellings of a scalar.
public enum ScalarConversion: Sendable, Equatable {
  /// A table of pairs: the left value forward, the right one backward; the first that matches counts,
  /// one of the same type before one that is equal as a number; a boolean is no number.
  case table([Pair])
  /// A change of type.
  case types(source: ScalarType, destination: ScalarType)

  /// Two values that stand for one another.
  public struct Pair: Sendable, Equatable {
    /// The value in the source version.
    public let source: JSONTree
    /// The value in the destination version.
    public let destination: JSONTree

    /// Makes a pair.
    public init(source: JSONTree, destination: JSONTree) {
      self.source = source
      self.destination = destination
    }
  }

  /// A type of scalars, and how a string or number of it spells what the other side holds.
  public enum ScalarType: Sendable, Equatable {
    /// An integer of 64 bits; a real becomes the nearest one.
    case integer
    /// A real; an integer that no real holds has none.
    case real
    /// A boolean; as a number 0 or 1, as a string `false` or `true`.
    case boolean
    /// A string; numbers are spelled in decimal, those without a fraction as integers.
    case string
    /// A date.
    case date
    /// A string that spells a date in a named format.
    case dateText(DateFormat)
    /// A number that counts from a moment; an integer becomes the nearest one.
    case dateNumber(DateEpoch, isInteger: Bool)
    /// Bytes.
    case data
    /// A string that spells bytes in Base64.
    case base64
  }

  /// A named format of dates in strings.
  public enum DateFormat: Sendable, Equatable {
    /// `2019-04-06T03:50:00Z` (RFC 3339); any offset is read, and UTC written.
    case iso8601
    /// `Sat, 06 Apr 2019 03:50:00 +0000` (RFC 5322).
    case rfc5322
    /// `Apr 6, 2019 at 12:50:00 PM`, DateFormatter's medium style in American English, at an offset from UTC in seconds.
    case medium(offset: Int)
  }

  /// The moment that a number of a date counts from.
  public enum DateEpoch: String, Sendable, Equatable {
    /// Seconds from 1970-01-01T00:00:00Z.
    case unix
    /// Milliseconds from 1970-01-01T00:00:00Z.
    case unixMilliseconds = "unix-milliseconds"
    /// Seconds from 2001-01-01T00:00:00Z, as `timeIntervalSinceReferenceDate` counts.
    case reference
  }
}
