// The present moment as apps stamp feeds with it.

extension MediumDate {
  /// Now, in the local time zone.
  public static var now: String {
    var moment = time(nil)
    var fields = tm()
    _ = localtime_r(&moment, &fields)
    return text(
      of: Timestamp(
        year: Int(fields.tm_year) + 1900, month: Int(fields.tm_mon) + 1, day: Int(fields.tm_mday),
        hour: Int(fields.tm_hour), minute: Int(fields.tm_min), second: Double(fields.tm_sec)))
  }
}
