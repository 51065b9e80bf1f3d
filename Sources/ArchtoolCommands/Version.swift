// The version of archtool.

enum Version {
  /// The version's number, as `archtool --version` prints it.
  static let number = "0.2.0"
  /// The date on the manual page, in the format of mdoc.
  static let manualDate = "November 28, 2026"
}
