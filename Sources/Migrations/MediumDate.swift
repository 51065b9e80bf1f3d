// The medium date and time style of DateFormatter in American English, which apps stamp feeds with:
// `Apr 6, 2019 at 12:50:00 PM`.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The present moment in the medium style, in the local time zone.
public enum MediumDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Now.
  public static var now: String { text(of: time(nil)) }

  /// A moment in seconds from 1970-01-01T00:00:00Z.
  static func text(of moment: time_t) -> String {
    var moment = moment
    var fields = tm()
    _ = localtime_r(&moment, &fields)
    let month = months[min(max(Int(fields.tm_mon), 0), 11)]
    let hour = Int(fields.tm_hour) % 12
    let clock =
      "\(hour == 0 ? 12 : hour):\(twoDigits(fields.tm_min)):\(twoDigits(fields.tm_sec))"
    let half = fields.tm_hour < 12 ? "AM" : "PM"
    return "\(month) \(fields.tm_mday), \(Int(fields.tm_year) + 1900) at \(clock) \(half)"
  }

  private static func twoDigits(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
