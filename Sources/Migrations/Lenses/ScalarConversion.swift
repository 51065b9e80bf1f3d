// What `convert` makes of a scalar, in both directions.

import Basics

/// A conversion between two spellings of a scalar.
public enum ScalarConversion: Sendable, Equatable {
  /// A table of pairs.
  case table(ConversionTable)
  /// A change of type.
  case types(source: ScalarType, destination: ScalarType)

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
    /// Texts of a pattern that the lens spells.
    case pattern(DatePattern)
    /// The number of seconds or milliseconds, in decimal.
    case number(DateEpoch)
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
