// A regular expression's tree written in PCRE2's syntax, with the meaning that ECMA-262 gives it.
//
// Both backtrack in the same order, so what differs is spelled out: sets of scalars, anchors, and groups that
// backreferences name. Where PCRE2 would remember what ECMA-262 forgets, the pattern is refused.

/// Writes one pattern.
struct PatternTranslation {
  /// The pattern for PCRE2.
  private(set) var text = ""
  /// Groups that something refers to; the others capture nothing.
  private let referenced: Set<Int>
  /// How many groups capture in `text`.
  private var captureCount = 0
  /// Capturing groups by their number in the pattern, once they are complete.
  private var captures: [Int: Capture] = [:]
  /// Groups that are begun and not complete.
  private var open: Set<Int> = []
  private var place = Place()
  private var scopeCount = 0

  /// A complete group.
  private struct Capture {
    /// Its number in `text`.
    let number: Int
    /// The innermost part around it that an iteration may pass by; nil if there is none.
    let scope: Int?
    /// The lookbehinds around it.
    let lookbehinds: [Int]
    /// Whether something other than the plain order of the text decides what it holds.
    fileprivate let isReordered: Bool
  }

  /// Where in the pattern the writing stands.
  private struct Place {
    /// Whether a part around is repeated.
    var isRepeated = false
    /// The parts around that an iteration of a repeated part may pass by.
    fileprivate var scopes: [Int] = []
    var lookbehinds: [Int] = []
    /// Whether the lookbehind around is searched, or repeats what is here.
    fileprivate var isReordered = false
  }

  /// Counts up to here PCRE2 takes.
  private static let countLimit = 65_535

  /// Writes a pattern that was parsed.
  init(_ tree: PatternNode, referenced: Set<Int>) throws(PatternFault) {
    self.referenced = referenced
    try write(tree)
  }

  private mutating func write(_ node: PatternNode) throws(PatternFault) {
    switch node {
    case .set(let set): text += set.single.map(ScalarSet.escape) ?? set.translation
    case .assertion(let assertion): text += assertion.translation
    case .sequence(let parts):
      for part in parts { try write(part) }
    case .alternatives(let branches): try write(branches: branches)
    case .capture(let number, let part): try write(capture: number, part)
    case .backreference(let numbers, let position): try write(references: numbers, at: position)
    case .look(let part, let look, let position): try write(look: look, part, at: position)
    case .repeated(let part, let repetition): try write(part, repetition)
    case .caseIgnored(let isOn, let part):
      text += isOn ? "(?i:" : "(?-i:"
      try write(part)
      text += ")"
    }
  }

  private mutating func write(branches: [PatternNode]) throws(PatternFault) {
    text += "(?:"
    for (index, branch) in branches.enumerated() {
      if index > 0 { text += "|" }
      let outer = place
      if place.isRepeated { enterScope() }
      try write(branch)
      place = outer
    }
    text += ")"
  }

  /// Marks what follows as a part that an iteration around it may pass by.
  private mutating func enterScope() {
    scopeCount += 1
    place.scopes.append(scopeCount)
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
      number: captureCount, scope: place.scopes.last, lookbehinds: place.lookbehinds,
      isReordered: place.isReordered)
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
        if place.lookbehinds.isEmpty || open.contains(number) { continue }
        throw Self.unsupported("a reference forward in a lookbehind", at: position)
      }
      if let scope = capture.scope, !place.scopes.contains(scope) {
        throw Self.unsupported("a reference to a group that an iteration may skip", at: position)
      }
      let isInside = capture.lookbehinds.last.map(place.lookbehinds.contains) ?? false
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
    guard look.isBehind else {
      text += look.isNegative ? "(?!" : "(?="
      try write(part)
      text += ")"
      return
    }
    let outer = place
    scopeCount += 1
    place.lookbehinds.append(scopeCount)
    if part.hasFixedBranches {
      text += look.isNegative ? "(?<!" : "(?<="
      try writeBranches(of: part)
      text += ")"
    } else {
      try write(searched: part, isNegative: look.isNegative)
    }
    place = outer
  }

  /// A lookbehind's branches without a group around them, since each may have a length of its own there.
  private mutating func writeBranches(of part: PatternNode) throws(PatternFault) {
    guard case .alternatives(let branches) = part else { return try write(part) }
    for (index, branch) in branches.enumerated() {
      if index > 0 { text += "|" }
      let outer = place
      if place.isRepeated { enterScope() }
      try write(branch)
      place = outer
    }
  }

  /// A lookbehind whose length varies, which PCRE2 does not have.
  ///
  /// The rest of the text is captured. Then a group calls itself, one character further back at each call, until
  /// the part matches from there to where the same rest begins.
  private mutating func write(searched part: PatternNode, isNegative: Bool) throws(PatternFault) {
    let rest = captureCount + 1
    let search = captureCount + 2
    captureCount += 2
    place.isReordered = true
    text += "(?=([\\s\\S]*))" + (isNegative ? "(?!" : "(?=") + "((?="
    try write(part)
    text += "\\g{\(rest)}\\z)|(?<=(?=(?\(search)))[\\s\\S])))"
  }

  // MARK: - Repetition

  private mutating func write(
    _ part: PatternNode, _ repetition: PatternRepetition
  ) throws(PatternFault) {
    let outer = place
    defer { place = outer }
    // An iteration may be left out; and ECMA-262 gives up one that is empty, with all that it captured.
    if repetition.minimum == 0 && place.isRepeated
      || repetition.minimum != repetition.maximum && !referenced.isEmpty && part.matchesEmpty
    {
      enterScope()
    }
    if repetition.maximum != 1 {
      place.isRepeated = true
      if !place.lookbehinds.isEmpty { place.isReordered = true }
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
