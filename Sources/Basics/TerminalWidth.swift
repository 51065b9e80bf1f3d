// How wide a text may be on a terminal.

/// The number of columns that prose is filled to.
public enum TerminalWidth {
  /// Prose is hard to read in narrower or wider lines.
  static let bounds = 60...100
  /// The width without a terminal, so that output is the same everywhere.
  public static let standard = 80

  /// The width for a stream: `COLUMNS` or the width of its terminal, within bounds.
  public static func columns(of descriptor: Int32) -> Int {
    columns(
      isTerminal: isatty(descriptor) == 1, size: { size(of: descriptor) },
      environment: { name in getenv(name).map { String(cString: $0) } })
  }

  /// The width for a stream in an environment.
  static func columns(
    isTerminal: Bool, size: () -> Int?, environment: (String) -> String?
  ) -> Int {
    guard isTerminal else { return standard }
    let named = environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    let columns = named ?? size() ?? standard
    return min(max(columns, bounds.lowerBound), bounds.upperBound)
  }

  /// The width that the terminal reports, or nil.
  private static func size(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
