// The seals of a plan: each line is bound to the first one, so that lines may be removed but not changed.

import FileTransactions

/// Seals the lines of a plan.
package struct PlanSeal: Sendable {
  /// The name of the key.
  package let key: String
  private var chain: SealChain

  /// Begins a plan.
  package init(_ key: SealingKey) {
    self.key = key.name
    chain = SealChain(key)
  }

  /// Seals the first line.
  package mutating func begin(_ line: String) -> String {
    String(decoding: chain.seal(line.utf8), as: UTF8.self)
  }

  /// Seals another line.
  package func line(_ line: String) -> String {
    var copy = chain
    return String(decoding: copy.seal(line.utf8), as: UTF8.self)
  }
}
