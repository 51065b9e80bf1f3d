// The present moment as journals and locks have it.

/// Now.
public enum Moment {
  /// Seconds from 1970-01-01T00:00:00Z to 2001-01-01T00:00:00Z.
  private static let reference = 978_307_200

  /// The present moment in ISO 8601, to the second, in UTC.
  public static var now: String {
    Timestamp(secondsFromReference: Double(Int(time(nil)) - reference))?.text ?? ""
  }
}
