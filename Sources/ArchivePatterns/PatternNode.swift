// A regular expression as a tree: the parser's result for ECMA-262, before it is written for PCRE2.

/// A part of a regular expression.
///
/// The parser bounds how deep parts are nested.
indirect enum PatternNode {
  case set(ScalarSet)
  case assertion(PatternAssertion)
  case sequence([PatternNode])
  case alternatives([PatternNode])
  /// A capturing group by its number, from 1.
  case capture(Int, PatternNode)
  /// The captures of the groups that a reference names, by its number from 0; at most one of them took part.
  case backreference(Int, position: Int)
  case look(PatternNode, PatternLook, position: Int)
  case repeated(PatternNode, PatternRepetition)
  /// A part in which case counts, or does not.
  case caseIgnored(Bool, PatternNode)

  /// One scalar that means itself.
  static func literal(_ scalar: UInt32) -> PatternNode { .set(ScalarSet([scalar...scalar])) }
}

/// A position in the text, with PCRE2's syntax for it.
enum PatternAssertion: String {
  case textStart = #"\A"#
  case textEnd = #"\z"#
  case lineStart = #"(?<![^\n\r\x{2028}\x{2029}])"#
  case lineEnd = #"(?![^\n\r\x{2028}\x{2029}])"#
  case wordBoundary = #"\b"#
  case noWordBoundary = #"\B"#
}

/// The kinds of looking around, with what opens their groups.
enum PatternLook: String, CaseIterable {
  case ahead = "(?="
  case notAhead = "(?!"
  case behind = "(?<="
  case notBehind = "(?<!"
}

struct PatternRepetition {
  var minimum: Int
  /// Nil for no limit.
  var maximum: Int?
  var isLazy = false
  var position: Int
}

// MARK: - The properties of parts for PCRE2

extension PatternNode {
  /// Whether the node is one scalar.
  var isSet: Bool {
    if case .set = self { true } else { false }
  }

  var matchesEmpty: Bool {
    switch self {
    case .set: false
    case .assertion, .look, .backreference: true
    case .capture(_, let part), .caseIgnored(_, let part): part.matchesEmpty
    case .sequence(let parts): parts.allSatisfy(\.matchesEmpty)
    case .alternatives(let branches): branches.contains(where: \.matchesEmpty)
    case .repeated(let part, let repetition): repetition.minimum == 0 || part.matchesEmpty
    }
  }

  /// PCRE2 looks no further back.
  private static let widthLimit = 60_000

  /// How many scalars the part matches; nil if that varies or is too much.
  fileprivate var width: Int? {
    switch self {
    case .set: return 1
    case .assertion, .look: return 0
    case .capture(_, let part), .caseIgnored(_, let part): return part.width
    case .backreference: return nil
    case .sequence(let parts):
      var sum = 0
      for part in parts {
        guard let width = part.width, sum + width <= Self.widthLimit else { return nil }
        sum += width
      }
      return sum
    case .alternatives(let branches):
      guard let first = branches.first?.width else { return nil }
      return branches.allSatisfy { $0.width == first } ? first : nil
    case .repeated(let part, let repetition):
      guard let width = part.width, repetition.minimum == repetition.maximum,
        repetition.minimum <= Self.widthLimit, width * repetition.minimum <= Self.widthLimit
      else { return nil }
      return width * repetition.minimum
    }
  }
}

extension ScalarSet {
  /// The only scalar of the set, if there is exactly one and a text can contain it.
  var single: UInt32? {
    guard !isNegated, properties.isEmpty, ranges.count == 1, ranges[0].count == 1,
      Unicode.Scalar(ranges[0].lowerBound) != nil
    else { return nil }
    return ranges[0].lowerBound
  }
}

// MARK: - Makes texts that a regular expression matches, from its tree

/// Makes texts that match a pattern.
package struct PatternSample {
  /// How many texts are made until one matches: what a pattern looks around for is left to chance.
  private static let tryLimit = 8
  /// How often a part without an upper limit is repeated beyond its minimum.
  private static let repetitionLimit = 3
  private static let lengthLimit = 2_000

  private let tree: PatternNode
  /// The groups that each backreference names.
  private let references: [[Int]]
  private let pattern: ECMAPattern

  /// Reads a pattern; nil if it is invalid.
  package init?(_ source: String) {
    guard let parsed = try? PatternParser.parse(source), let pattern = try? ECMAPattern(source)
    else { return nil }
    (tree, references, self.pattern) = (parsed.tree, parsed.references, pattern)
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
    case .backreference(let number, _):
      for group in references[number] { text += captures[group] ?? String.UnicodeScalarView() }
    case .repeated(let part, let repetition):
      let most = min(
        repetition.maximum ?? .max, repetition.minimum + Self.repetitionLimit)
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

// MARK: - A regular expression's tree written in PCRE2's syntax, with the meaning that ECMA-262 gives it
//
// Both backtrack in the same order, so differences are written explicitly: sets of scalars, anchors, and groups that
// backreferences name. Where PCRE2 would remember what ECMA-262 forgets, the pattern is refused.

struct PatternTranslation {
  /// The pattern for PCRE2.
  private(set) var text = ""
  /// Groups that something refers to; the others capture nothing.
  private let referenced: Set<Int>
  /// The groups that each backreference names.
  private let references: [[Int]]
  /// How many groups capture in `text`.
  private var captureCount = 0
  /// Capturing groups by their number in the pattern, when they are complete.
  private var captures: [Int: Capture] = [:]
  /// Groups that are begun and not complete.
  private var open: Set<Int> = []
  private var context = Context()
  private var scopeCount = 0

  /// A complete group.
  private struct Capture {
    /// Its number in `text`.
    let number: Int
    /// The innermost enclosing part that an iteration may skip, or nil.
    let scope: Int?
    let lookbehinds: [Int]
    /// Whether its content is not determined by the order of the text alone.
    fileprivate let isReordered: Bool
  }

  private struct Context {
    var isRepeated = false
    /// The parts around that an iteration of a repeated part may pass by.
    fileprivate var scopes: [Int] = []
    var lookbehinds: [Int] = []
    /// Whether the enclosing lookbehind is searched, or repeats the text here.
    fileprivate var isReordered = false
  }

  private static let countLimit = 65_535

  init(_ tree: PatternNode, references: [[Int]]) throws(PatternFault) {
    (self.references, referenced) = (references, Set(references.joined()))
    try write(tree)
  }

  private mutating func write(_ node: PatternNode) throws(PatternFault) {
    switch node {
    case .set(let set): text += set.single.map(ScalarSet.escape) ?? set.translation
    case .assertion(let assertion): text += assertion.rawValue
    case .sequence(let parts):
      for part in parts { try write(part) }
    case .alternatives:
      text += "(?:"
      try writeBranches(of: node)
      text += ")"
    case .capture(let number, let part): try write(capture: number, part)
    case .backreference(let number, let position):
      try write(references: references[number], at: position)
    case .look(let part, let look, let position): try write(look: look, part, at: position)
    case .repeated(let part, let repetition): try write(part, repetition)
    case .caseIgnored(let isOn, let part):
      text += isOn ? "(?i:" : "(?-i:"
      try write(part)
      text += ")"
    }
  }

  /// Marks what follows as a part that an iteration around it may pass by.
  private mutating func enterScope() {
    scopeCount += 1
    context.scopes.append(scopeCount)
  }

  // MARK: - Groups and what refers to them

  private mutating func write(capture number: Int, _ part: PatternNode) throws(PatternFault) {
    guard referenced.contains(number) else {
      text += "(?:"
      try write(part)
      text += ")"
      return
    }
    captureCount += 1
    let capture = Capture(
      number: captureCount, scope: context.scopes.last, lookbehinds: context.lookbehinds,
      isReordered: context.isReordered)
    open.insert(number)
    text += "("
    try write(part)
    text += ")"
    open.remove(number)
    captures[number] = capture
  }

  private mutating func write(references: [Int], at position: Int) throws(PatternFault) {
    text += "(?:"
    for number in references {
      // A group that is not complete is undefined, also in a later iteration, and matches the empty text.
      guard let capture = captures[number] else {
        if context.lookbehinds.isEmpty || open.contains(number) { continue }
        throw Self.unsupported("a reference forward in a lookbehind", at: position)
      }
      if let scope = capture.scope, !context.scopes.contains(scope) {
        throw Self.unsupported("a reference to a group that an iteration may skip", at: position)
      }
      let isInside = capture.lookbehinds.last.map(context.lookbehinds.contains) ?? false
      if isInside || capture.isReordered {
        throw Self.unsupported("a reference to a group in this lookbehind", at: position)
      }
      text += "\\g{\(capture.number)}"
    }
    text += ")"
  }

  // MARK: - Lookaround

  private mutating func write(
    look: PatternLook, _ part: PatternNode, at position: Int
  ) throws(PatternFault) {
    guard look == .behind || look == .notBehind else {
      text += look.rawValue
      try write(part)
      text += ")"
      return
    }
    let outer = context
    scopeCount += 1
    context.lookbehinds.append(scopeCount)
    // PCRE2 demands of each branch that it matches texts of one length only.
    let branches = if case .alternatives(let branches) = part { branches } else { [part] }
    if branches.allSatisfy({ $0.width != nil }) {
      text += look.rawValue
      try writeBranches(of: part)
      text += ")"
    } else {
      try write(searched: part, look == .notBehind ? .notAhead : .ahead)
    }
    context = outer
  }

  /// Branches without a group around them, since in a lookbehind each may have a length of its own.
  private mutating func writeBranches(of part: PatternNode) throws(PatternFault) {
    guard case .alternatives(let branches) = part else { return try write(part) }
    for (index, branch) in branches.enumerated() {
      if index > 0 { text += "|" }
      let outer = context
      if context.isRepeated { enterScope() }
      try write(branch)
      context = outer
    }
  }

  /// A lookbehind whose length varies, which PCRE2 does not have.
  ///
  /// The rest of the text is captured. Then a group calls itself, one character further back at each call, until
  /// the part matches from there to where the same rest begins.
  private mutating func write(
    searched part: PatternNode, _ look: PatternLook
  ) throws(PatternFault) {
    let rest = captureCount + 1
    let search = captureCount + 2
    captureCount += 2
    context.isReordered = true
    text += "(?=([\\s\\S]*))" + look.rawValue + "((?="
    try write(part)
    text += "\\g{\(rest)}\\z)|(?<=(?=(?\(search)))[\\s\\S])))"
  }

  // MARK: - Repetition

  private mutating func write(
    _ part: PatternNode, _ repetition: PatternRepetition
  ) throws(PatternFault) {
    let outer = context
    defer { context = outer }
    // An iteration may be skipped; and ECMA-262 discards an empty one with all its captures.
    if repetition.minimum == 0 && context.isRepeated
      || repetition.minimum != repetition.maximum && !referenced.isEmpty && part.matchesEmpty
    {
      enterScope()
    }
    if repetition.maximum != 1 {
      context.isRepeated = true
      if !context.lookbehinds.isEmpty { context.isReordered = true }
    }
    let start = text.utf8.count
    if part.isSet {
      try write(part)
    } else {
      text += "(?:"
      try write(part)
      text += ")"
    }
    let suffixes = try Self.quantifiers(repetition, isSingle: part.isSet)
    if suffixes.count > 1 {
      let atom = String(decoding: text.utf8.dropFirst(start), as: UTF8.self)
      text += suffixes.joined(separator: atom)
    } else {
      text += suffixes.joined()
    }
  }

  /// The quantifier; for a single scalar in pieces, if its counts are more than PCRE2 takes.
  private static func quantifiers(
    _ repetition: PatternRepetition, isSingle: Bool
  ) throws(PatternFault) -> [String] {
    let lazy = repetition.isLazy ? "?" : ""
    let minimum = repetition.minimum
    let isEndless = repetition.maximum.map { $0 >= Int(Int32.max) } ?? true
    let maximum = isEndless ? minimum : repetition.maximum ?? minimum
    if max(minimum, maximum) <= countLimit {
      return ["{\(minimum),\(isEndless ? "" : String(maximum))}" + lazy]
    }
    guard isSingle, maximum <= countLimit * 16 else {
      throw unsupported("a count above \(countLimit)", at: repetition.position)
    }
    var pieces: [String] = []
    var rest = minimum
    while rest > 0 {
      pieces.append("{\(min(rest, countLimit))}")
      rest -= min(rest, countLimit)
    }
    if isEndless { return pieces + ["*" + lazy] }
    rest = maximum - minimum
    while rest > 0 {
      pieces.append("{0,\(min(rest, countLimit))}" + lazy)
      rest -= min(rest, countLimit)
    }
    return pieces
  }

  private static func unsupported(_ what: String, at position: Int) -> PatternFault {
    PatternFault(.unsupported, "\(what) is not supported", at: position)
  }
}
