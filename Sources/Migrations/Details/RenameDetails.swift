// The effect of replacing names in one archive.

import KeyedArchives

/// How often each rule was applied.
public struct RenameDetails: Sendable {
  /// The rules in order, including those that changed nothing.
  public let counts: [SubstitutionCount]

  /// Makes details.
  public init(_ counts: [SubstitutionCount]) { self.counts = counts }
}
