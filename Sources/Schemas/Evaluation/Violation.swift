// One way in which a value does not fit its schema.

import Basics

/// A violation of a schema, with its place.
public struct Violation: Sendable, Equatable {
  /// The rule of a warning of a value that the schema calls deprecated; reports leave it out unless it is asked for.
  public static let deprecation = "deprecated"

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
  /// How many bytes the value takes there, where that is known.
  public let byteCount: Int?
  /// The place of the value as JSON Pointer.
  public let instanceLocation: String
  /// The keyword, as JSON Pointer along the way that validation took through the schemas.
  public let keywordLocation: String
  /// The keyword's own place: a URI with a fragment.
  public let absoluteKeywordLocation: String
  /// Why none of several schemas fits.
  public let causes: [Violation]
  /// What it says where expectation and finding are one thing, such as a member that is missing.
  private let wording: String?
  /// The line and column of the offset, where the input is a text and they were looked for.
  public var position: TextPosition?

  /// Makes a violation.
  public init(
    rule: String, path: String, expected: String, found: String, offset: Int?,
    byteCount: Int? = nil, instanceLocation: String = "", keywordLocation: String = "",
    absoluteKeywordLocation: String = "", causes: [Violation] = [], wording: String? = nil
  ) {
    self.rule = rule
    self.path = path
    self.expected = expected
    self.found = found
    self.offset = offset
    self.byteCount = byteCount
    self.instanceLocation = instanceLocation
    self.keywordLocation = keywordLocation
    self.absoluteKeywordLocation = absoluteKeywordLocation
    self.causes = causes
    self.wording = wording
  }

  /// The same violation with the extent of its value, and its causes with that of theirs, where they had none.
  ///
  /// - Parameter byteCount: how many bytes the value at an offset takes.
  public func measured(_ byteCount: (Int) -> Int?) -> Violation {
    Violation(
      rule: rule, path: path, expected: expected, found: found, offset: offset,
      byteCount: self.byteCount ?? offset.flatMap(byteCount), instanceLocation: instanceLocation,
      keywordLocation: keywordLocation, absoluteKeywordLocation: absoluteKeywordLocation,
      causes: causes.map { $0.measured(byteCount) }, wording: wording)
  }

  /// Expectation and finding in one line.
  public var message: String { wording ?? "expected \(expected), found \(found)" }
}

/// The violations of a validation: all are counted, the first of them are put into words.
struct ViolationLog {
  /// The bytes of all violations in words: paths that are long, many times over, are worth no more.
  private static let mostBytes = 1 << 23
  /// How many violations a schema that was tried may have as causes of a failure.
  private static let mostCauses = 64
  /// How many applicators in one another tell the causes of their failure.
  private static let deepestCauses = 16

  private let most: Int
  /// How many applicators on the way here are looking for the causes of their failure.
  private var causeDepth = 0
  private var wordedBytes = 0
  /// The violations in words.
  private(set) var violations: [Violation] = []
  /// How many violations there are.
  private(set) var total = 0

  /// - Parameter most: how many violations are put into words.
  init(most: Int) { self.most = most }

  /// Counts a violation.
  ///
  /// - Returns: whether it is to be put into words.
  mutating func count() -> Bool {
    total += 1
    return violations.count < most + causeDepth * Self.mostCauses && wordedBytes < Self.mostBytes
  }

  /// Adds a violation that was counted.
  mutating func add(_ violation: Violation) {
    wordedBytes &+= violation.path.utf8.count &+ violation.found.utf8.count &+ 256
    violations.append(violation)
  }

  /// Begins to look for the causes of a failure.
  ///
  /// - Returns: what `endCauses` takes; nil if too many are looked for already.
  mutating func beginCauses() -> (Int, Int)? {
    guard causeDepth < Self.deepestCauses else { return nil }
    causeDepth += 1
    return (violations.count, total)
  }

  /// Takes back what was added since the search for causes began.
  mutating func endCauses(from mark: Int, count: Int) -> [Violation] {
    causeDepth -= 1
    let causes = Array(violations[mark...])
    violations.removeSubrange(mark...)
    total = count
    return causes
  }

  /// Leaves of the violations since a mark the last; false if there are none.
  mutating func keepLast(from mark: Int) -> Bool {
    guard let last = violations.last, mark < violations.count else { return false }
    total -= violations.count - mark - 1
    violations.replaceSubrange(mark..., with: [last])
    return true
  }
}
