// Which archtool this is.

/// The version of the program.
public enum Version {
  /// The version's number, as `archtool --version` prints it.
  public static let number = "0.1.0"
  /// The day that the manual page bears, as mdoc writes days.
  static let manualDate = "November 20, 2026"
}
