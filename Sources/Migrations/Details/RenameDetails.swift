// What putting new names in the place of old ones did to one archive.

import KeyedArchives

/// How often each rule was applied.
public struct RenameDetails: Sendable {
  /// The rules in their order, those that changed nothing among them.
  public let counts: [SubstitutionCount]

  /// Makes details.
  public init(_ counts: [SubstitutionCount]) { self.counts = counts }
}
