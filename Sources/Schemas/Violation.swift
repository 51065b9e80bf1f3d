// One way in which a value does not fit its schema.

/// A violation of a schema, with its place.
public struct Violation: Sendable, Equatable {
  /// The keyword of the schema that does not hold.
  public let rule: String
  /// The place of the value in the model.
  public let path: String
  /// What was expected.
  public let expected: String
  /// What was found.
  public let found: String
  /// The byte offset of the value in the input, where one is known.
  public let offset: Int?

  /// Makes a violation.
  public init(rule: String, path: String, expected: String, found: String, offset: Int?) {
    self.rule = rule
    self.path = path
    self.expected = expected
    self.found = found
    self.offset = offset
  }

  /// Expectation and finding in one line.
  public var message: String { "expected \(expected), found \(found)" }
}
