// The test scenario of a command: its options, and command lines in which they have a visible effect.

import Testing

/// The options of a command, and the contexts in which pairs of them are tried.
struct PairScenario: Sendable, CustomTestStringConvertible {
  /// The command's name.
  let command: String
  /// The words that spell each option; `@` is the folder of the bench.
  let options: [String: String?]
  /// Command lines to which options are added; an option that is added replaces that of the context.
  let contexts: [[String]]
  /// Options that no output of a single run shows, and why.
  var invisible: [String: String] = [:]
  /// Pairs that are allowed although one has no effect beside the other, and why.
  var allowed: [AllowedPairs] = []

  var testDescription: String { command }

  /// Options that may be given together with others, for a reason.
  struct AllowedPairs: Sendable {
    let first: Set<String>
    let second: Set<String>
    let reason: String

    init(_ first: Set<String>, with second: Set<String>, _ reason: String) {
      (self.first, self.second, self.reason) = (first, second, reason)
    }

    func covers(_ left: String, _ right: String) -> Bool {
      first.contains(left) && second.contains(right)
        || first.contains(right) && second.contains(left)
    }
  }

  /// Pairs of any command that are allowed.
  private static let everywhere = [
    AllowedPairs(["archives-only"], with: ["recursive"], "-r passes over the same files")
  ]

  /// Whether a pair need not show.
  func allows(_ left: String, _ right: String) -> Bool {
    (allowed + Self.everywhere).contains { $0.covers(left, right) }
  }

  /// An option as it is written.
  func word(_ name: String) -> String {
    (options[name] ?? nil).map { "--\(name)=\($0)" } ?? "--\(name)"
  }
}
