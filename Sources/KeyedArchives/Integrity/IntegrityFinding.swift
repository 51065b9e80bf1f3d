// A finding of an archive's check, with its location.

/// A finding of a check.
public struct IntegrityFinding: Sendable, Equatable {
  /// The check that found it.
  public let lint: Lint
  /// What was expected, what was found, and what to do, in one line without a period.
  public let message: String
  /// The byte offset in the input file, where one is known.
  public let offset: Int?
  /// How many bytes the value takes there, where that is known.
  public let byteCount: Int?
  /// The location among the stored values as text (`$['$objects'][3]`), if known.
  public let path: String?

  /// Makes a finding.
  public init(
    lint: Lint, message: String, offset: Int? = nil, byteCount: Int? = nil, path: String? = nil
  ) {
    self.lint = lint
    self.message = message
    self.offset = offset
    self.byteCount = byteCount
    self.path = path
  }
}
