// The text that every match of a regular expression contains: where it is missing, there is no match to search for.

import Basics

/// The longest run of literal characters that no match can do without, as UTF-8.
struct RequiredLiteral {
  /// The bytes; empty if there is no run, or none that is worth a search before the match.
  let bytes: [UInt8]

  /// PCRE2 looks for a single byte itself.
  private static let leastCount = 2

  /// Finds the run in a pattern that was parsed, which bounds how deep its parts are nested.
  init(of tree: PatternNode) {
    var search = Search()
    search.add(tree)
    search.endRun()
    bytes = search.longest.count < Self.leastCount ? [] : search.longest
  }

  /// Whether a text that is given as its UTF-8 contains the run.
  @inline(__always)
  func occurs(in text: UnsafeRawBufferPointer) -> Bool {
    bytes.isEmpty || text.count >= bytes.count && text.includes(bytes)
  }
}

/// The runs of a pattern from its beginning to its end.
private struct Search {
  private(set) var longest: [UInt8] = []
  private var run: [UInt8] = []

  mutating func add(_ node: PatternNode) {
    switch node {
    case .set(let set):
      guard let scalar = set.single.flatMap(Unicode.Scalar.init), let code = UTF8.encode(scalar)
      else { return endRun() }
      run += code
    // They match no character, so that those before and after are neighbours.
    case .assertion, .look: break
    case .sequence(let parts):
      for part in parts { add(part) }
    case .capture(_, let part): add(part)
    case .repeated(let part, let repetition):
      endRun()
      guard repetition.minimum > 0 else { return }
      add(part)
      endRun()
    case .alternatives, .backreference, .caseIgnored: endRun()
    }
  }

  mutating func endRun() {
    if run.count > longest.count { longest = run }
    run = []
  }
}
