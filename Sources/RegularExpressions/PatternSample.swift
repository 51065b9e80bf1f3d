// Makes texts that a regular expression matches, from its tree.

/// Makes texts that match a pattern.
package struct PatternSample {
  /// How many texts are made until one matches: what a pattern looks around for is left to chance.
  private static let tryLimit = 8
  /// How often a part without an upper limit is repeated beyond its minimum.
  private static let repetitionLimit = 3
  /// No longer text is made.
  private static let lengthLimit = 2_000

  private let tree: PatternNode
  private let pattern: ECMAPattern

  /// Reads a pattern; nil if it is invalid.
  package init?(_ source: String) {
    guard let parsed = try? PatternParser.parse(source), let pattern = try? ECMAPattern(source)
    else { return nil }
    (tree, self.pattern) = (parsed.tree, pattern)
  }

  /// Whether a text matches; false also if that takes too long.
  package func matches(_ text: String) -> Bool { (try? pattern.matches(text)) == true }

  /// A text that matches; nil if none was found.
  package func text(using numbers: inout some RandomNumberGenerator) -> String? {
    for _ in 0..<Self.tryLimit {
      var text = String.UnicodeScalarView()
      var captures: [Int: String.UnicodeScalarView] = [:]
      append(tree, to: &text, &captures, &numbers)
      if matches(String(text)) { return String(text) }
    }
    return nil
  }

  /// The parser bounds how deep parts are nested.
  private func append(
    _ node: PatternNode, to text: inout String.UnicodeScalarView,
    _ captures: inout [Int: String.UnicodeScalarView], _ numbers: inout some RandomNumberGenerator
  ) {
    guard text.count < Self.lengthLimit else { return }
    switch node {
    case .set(let set):
      if let scalar = set.sample(using: &numbers) { text.append(scalar) }
    case .assertion, .look: break
    case .sequence(let parts): for part in parts { append(part, to: &text, &captures, &numbers) }
    case .alternatives(let branches):
      if let branch = branches.randomElement(using: &numbers) {
        append(branch, to: &text, &captures, &numbers)
      }
    case .capture(let number, let part):
      let start = text.count
      append(part, to: &text, &captures, &numbers)
      captures[number] = String.UnicodeScalarView(text.dropFirst(start))
    case .backreference(let groups, _):
      for group in groups { text += captures[group] ?? String.UnicodeScalarView() }
    case .repeated(let part, let repetition):
      let most = min(
        repetition.maximum ?? .max, repetition.minimum.addingClamped(Self.repetitionLimit))
      let count = Int.random(
        in: repetition.minimum...max(most, repetition.minimum), using: &numbers)
      for _ in 0..<count {
        guard text.count < Self.lengthLimit else { break }
        append(part, to: &text, &captures, &numbers)
      }
    case .caseIgnored(_, let part): append(part, to: &text, &captures, &numbers)
    }
  }
}

extension Int {
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }
}

extension ScalarSet {
  /// Printable ASCII.
  private static let printable: ClosedRange<UInt32> = 0x20...0x7E

  /// A scalar of the set, printable ASCII if it has any; of a property, a letter or a digit that may have it.
  fileprivate func sample(using numbers: inout some RandomNumberGenerator) -> Unicode.Scalar? {
    let ranges =
      isNegated
      ? ScalarSet(ranges.sorted { $0.lowerBound < $1.lowerBound }).complement.ranges : ranges
    let plain = ranges.filter { $0.overlaps(Self.printable) }.map { $0.clamped(to: Self.printable) }
    if let range = (plain.isEmpty ? ranges : plain).randomElement(using: &numbers),
      !properties.isEmpty ? Bool.random(using: &numbers) || isNegated : true
    {
      return Unicode.Scalar(UInt32.random(in: range, using: &numbers))
    }
    return "aZ5 é日_".unicodeScalars.randomElement(using: &numbers)
  }
}
