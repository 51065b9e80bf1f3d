// How much of a proof may be spent on checking single values: branches of recursive schemas multiply.

/// Counts the schemas that values are held against in one proof.
final class CheckEffort {
  /// The schemas for one value.
  private static let callLimit = 5_000

  private var call = 0
  /// The schemas for all values together.
  private var total = 300_000

  /// Begins with a value.
  func begin() { call = Self.callLimit }

  /// Spends a step; false if there is none left, so that nothing is known of the value.
  func spend() -> Bool {
    guard call > 0, total > 0 else { return false }
    call -= 1
    total -= 1
    return true
  }
}
