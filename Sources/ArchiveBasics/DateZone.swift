// The time zones in which dates are shown: UTC, a fixed offset, or one of the IANA database of the system.

/// A time zone.
///
/// The offsets of a named zone are those of the C library, for which it becomes the zone of the process.
package struct DateZone: Sendable {
  /// UTC.
  package static let utc = DateZone(fixedOffset: 0)

  /// The seconds that local time is ahead of UTC; nil where they are those of the process's zone.
  private let fixedOffset: Int?

  private init(fixedOffset: Int?) { self.fixedOffset = fixedOffset }

  private static let folder = "/usr/share/zoneinfo/"

  /// Takes `UTC`, an offset such as `+02:00`, or a name such as `Europe/Zurich`; nil for what is none of them.
  package init?(named name: String) {
    if name == "UTC" || name == "Z" {
      self = .utc
    } else if let offset = Self.offset(name) {
      self.init(fixedOffset: offset)
    } else {
      guard Self.isName(name), Self.isZone(Self.folder + name) else { return nil }
      setenv("TZ", ":" + Self.folder + name, 1)
      tzset()
      self.init(fixedOffset: nil)
    }
  }

  private static func offset(_ text: String) -> Int? {
    var cursor = DigitCursor(text)
    guard text.first == "+" || text.first == "-", let minutes = cursor.offset(), cursor.isAtEnd
    else { return nil }
    return minutes * 60
  }

  /// Whether a text is words with slashes between them, as no path to another folder is.
  ///
  /// The zones in `right` count leap seconds, which dates do not.
  private static func isName(_ text: String) -> Bool {
    let words = text.split(separator: "/", omittingEmptySubsequences: false)
    return words[0] != "right"
      && words.allSatisfy { word in
        !word.isEmpty
          && word.utf8.allSatisfy {
            PercentEncoding.isLetterOrDigit($0) || "_+-".utf8.contains($0)
          }
      }
  }

  /// Whether a file describes a time zone (RFC 8536).
  private static func isZone(_ path: String) -> Bool {
    guard FolderListing.isFile(path), let storage = try? ByteStorage.open(path: path) else {
      return false
    }
    return storage.bytes.starts(with: Array("TZif".utf8))
  }

  // MARK: Dates

  /// How many seconds local time is ahead of UTC at a moment, in seconds from 2001-01-01T00:00:00Z.
  private func offset(at seconds: Double) -> Int {
    if let fixedOffset { return fixedOffset }
    guard
      var moment = time_t(exactly: (seconds + Timestamp.referenceSecondsFrom1970).rounded(.down))
    else { return 0 }
    var fields = tm()
    return localtime_r(&moment, &fields) == nil ? 0 : Int(fields.tm_gmtoff)
  }

  /// A date in ISO 8601, with the offset of the zone in place of `Z`; nil for what is no date.
  package func text(of seconds: Double) -> String? {
    guard let moment = Timestamp(secondsFromReference: seconds) else { return nil }
    let offset = offset(at: seconds)
    if offset == 0, fixedOffset == 0 { return moment.text }
    // The fraction stays as it is: sums would lose digits of it.
    var whole = moment
    whole.second.round(.down)
    let fraction = moment.second - whole.second
    guard
      var local = Timestamp(secondsFromReference: whole.secondsFromReference + Double(offset))
    else { return nil }
    local.second += fraction
    return local.text.dropLast() + Self.text(ofOffset: offset)
  }

  private static func text(ofOffset offset: Int) -> String {
    let size = abs(offset)
    var text = offset < 0 ? "-" : "+"
    text += String(size / 3600, width: 2) + ":" + String(size / 60 % 60, width: 2)
    // Local mean times, before there were zones.
    if size % 60 > 0 { text += ":" + String(size % 60, width: 2) }
    return text
  }

  /// The moment of a local time, in seconds from 2001-01-01T00:00:00Z.
  ///
  /// Of a time that occurs twice it is the first; of one that clocks skip, that by the offset before they do.
  package func moment(of local: Timestamp) -> Double {
    let seconds = local.secondsFromReference
    let day = 86_400.0
    let candidates = [seconds - day, seconds + day].map { seconds - Double(offset(at: $0)) }
    return candidates.first { $0 + Double(offset(at: $0)) == seconds } ?? candidates[0]
  }
}

// MARK: - A span of time, as options name it

/// The dates from one moment to another, either of which may be open.
package struct DateSpan: Sendable {
  private let start: Double?
  private let end: Double?
  /// Whether the end belongs to the span: it does not as the end of a day.
  private let includesEnd: Bool

  /// Parses `FROM..TO`, each a day, a date with a time, or nothing; or a day alone.
  ///
  /// A day is meant from its beginning to its end, in the zone; a time without an offset is one of the zone.
  ///
  /// - Throws: `ArchiveError` with code `malformed`.
  package init(parsing text: String, in zone: DateZone) throws(ArchiveError) {
    // A day alone is a span.
    let dots = text.firstOccurrence(of: "..")
    let from = dots.map { String(text[..<$0.lowerBound]) } ?? text
    let to = dots.map { String(text[$0.upperBound...]) } ?? text
    if dots == nil, (try? Self.moment(text, in: zone).isDay) != true {
      throw ArchiveError(
        .malformed, "a span is a day or FROM..TO, such as 2024-01-01..2024-03-31")
    }
    if from.isEmpty, to.isEmpty {
      throw ArchiveError(.malformed, "a span has a beginning or an end")
    }
    start = from.isEmpty ? nil : try Self.moment(from, in: zone).seconds
    guard !to.isEmpty else {
      (end, includesEnd) = (nil, true)
      return
    }
    let (moment, isDay) = try Self.moment(to, in: zone, dayOffset: 1)
    (end, includesEnd) = (moment, !isDay)
    if let start, isDay ? moment <= start : moment < start {
      throw ArchiveError(.malformed, "the span ends before it begins")
    }
  }

  /// Whether a date, in seconds from 2001-01-01T00:00:00Z, is in the span.
  package func contains(_ seconds: Double) -> Bool {
    if seconds.isNaN { return false }
    if let start, seconds < start { return false }
    return end.map { includesEnd ? seconds <= $0 : seconds < $0 } ?? true
  }

  /// The moment that a text names, and whether it names a day.
  ///
  /// - Parameter dayOffset: how many days after a day begins the moment is.
  private static func moment(
    _ text: String, in zone: DateZone, dayOffset: Int = 0
  ) throws(ArchiveError) -> (seconds: Double, isDay: Bool) {
    let day = text.prefix { $0 != "T" }
    if let midnight = Timestamp(text: day + "T00:00:00Z"), isInCalendar(midnight) {
      if day.endIndex == text.endIndex {
        var next = midnight
        next.day += dayOffset
        return (zone.moment(of: next), true)
      }
      if let moment = Timestamp(text: text) { return (moment.secondsFromReference, false) }
      if let local = Timestamp(text: text + "Z") { return (zone.moment(of: local), false) }
    }
    throw ArchiveError(
      .malformed, "'\(text)' is not a date such as 2024-01-31 or 2024-01-31T12:00:00Z")
  }

  /// Whether a month has the day: others carry over.
  private static func isInCalendar(_ midnight: Timestamp) -> Bool {
    Timestamp(secondsFromReference: midnight.secondsFromReference) == midnight
  }
}
