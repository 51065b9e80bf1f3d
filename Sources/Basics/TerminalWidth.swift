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
      isTerminal: isatty(descriptor) == 1, size: { size(of: descriptor)?.columns },
      environment: { name in getenv(name).map { String(cString: $0) } })
  }

  /// The width of a stream's terminal, whatever it is, or `COLUMNS`; nil if the stream is no terminal.
  public static func terminal(_ descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    let named = getenv("COLUMNS").flatMap { Int(String(cString: $0)) }.flatMap { $0 > 0 ? $0 : nil }
    return named ?? size(of: descriptor)?.columns ?? standard
  }

  /// The number of lines of a stream's terminal, or `LINES`; nil if the stream is no terminal.
  public static func lines(_ descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    let named = getenv("LINES").flatMap { Int(String(cString: $0)) }.flatMap { $0 > 0 ? $0 : nil }
    return named ?? size(of: descriptor)?.lines
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

  /// The size that the terminal reports, or nil.
  private static func size(of descriptor: Int32) -> (columns: Int, lines: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
