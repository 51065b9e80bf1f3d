// Numbers of things in words.

/// Writes counts.
public enum Counted {
  /// `1 violation`, `2 violations`.
  public static func text(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}
