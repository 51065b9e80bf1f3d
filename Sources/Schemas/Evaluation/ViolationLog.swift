// The violations of a validation in progress.

import Basics

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
  private(set) var violations: [Diagnostic] = []
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
  mutating func add(_ violation: Diagnostic) {
    let expectation = violation.expectation
    // The JSON Pointer is about as long as the path.
    wordedBytes &+= (expectation?.instanceLocation.utf8.count ?? 0) &+ 256
    wordedBytes &+= expectation?.found.utf8.count ?? 0
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
  mutating func endCauses(from mark: Int, count: Int) -> [Diagnostic] {
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
