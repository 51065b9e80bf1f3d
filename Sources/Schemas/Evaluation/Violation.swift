// One violation of a schema by a value.

import Basics

/// A violation of a schema, with its location.
public struct Violation: Sendable, Equatable {
  /// The rule of a warning for a value that the schema marks as deprecated; reports omit it unless it is requested.
  public static let deprecation = "deprecated"

  /// The violated keyword of the schema.
  public let rule: String
  /// The path of the value in the model.
  public let path: String
  /// What was expected.
  public let expected: String
  /// What was found.
  public let found: String
  /// The byte offset of the value in the input, if it is known.
  public let offset: Int?
  /// How many bytes the value occupies there, if that is known.
  public let byteCount: Int?
  /// The location of the value as a JSON Pointer.
  public let instanceLocation: String
  /// The keyword, as a JSON Pointer along the path that validation took through the schemas.
  public let keywordLocation: String
  /// The keyword's own location: a URI with a fragment.
  public let absoluteKeywordLocation: String
  /// Why none of several schemas fits.
  public let causes: [Violation]
  /// The message if it does not consist of an expectation and a finding, such as for a missing member.
  private let wording: String?
  /// The line and column of the offset, if the input is text and they were computed.
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

  /// The same violation and its causes, with byte counts where they had none.
  ///
  /// - Parameter byteCount: how many bytes the value at an offset occupies.
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

/// The violations of a validation: all are counted, the first of them get a message.
struct ViolationLog {
  /// The most bytes of all messages, since very many long paths would help nobody.
  private static let mostBytes = 1 << 23
  /// How many violations of a schema that was tried may be causes of a failure.
  private static let mostCauses = 64
  /// How many nested applicators report the causes of their failure.
  private static let deepestCauses = 16

  private let most: Int
  /// How many applicators on the current path are looking for the causes of their failure.
  private var causeDepth = 0
  private var wordedBytes = 0
  /// The violations with a message.
  private(set) var violations: [Violation] = []
  /// How many violations there are.
  private(set) var total = 0

  /// - Parameter most: how many violations get a message.
  init(most: Int) { self.most = most }

  /// Counts a violation.
  ///
  /// - Returns: whether it gets a message.
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
  /// - Returns: the arguments for `endCauses`; nil if too many searches are in progress.
  mutating func beginCauses() -> (Int, Int)? {
    guard causeDepth < Self.deepestCauses else { return nil }
    causeDepth += 1
    return (violations.count, total)
  }

  /// Removes and returns what was added since the search for causes began.
  mutating func endCauses(from mark: Int, count: Int) -> [Violation] {
    causeDepth -= 1
    let causes = Array(violations[mark...])
    violations.removeSubrange(mark...)
    total = count
    return causes
  }

  /// Keeps only the last of the violations since a mark; false if there are none.
  mutating func keepLast(from mark: Int) -> Bool {
    guard let last = violations.last, mark < violations.count else { return false }
    total -= violations.count - mark - 1
    violations.replaceSubrange(mark..., with: [last])
    return true
  }
}
