// ECMA-262 regular expressions (22.2.1 Patterns, with the flag `u`) read into a tree.
//
// Stricter engines refuse some of what is accepted here as Annex B's web-compatible grammar has it: a lone `{`
// or `}`, an escaped punctuation mark that needs no escape, and a class escape beside a `-`.

/// Reads one pattern.
struct PatternParser {
  /// How deep groups may stand in one another.
  static let depthLimit = 200
  /// How many scalars a pattern may have.
  static let lengthLimit = 100_000

  let scalars: [Unicode.Scalar]
  var position = 0
  var depth = 0
  var flags = Flags()
  /// How many capturing groups were opened.
  var captureCount = 0
  /// The numbers of the groups that have a name.
  var names: [String: [Int]] = [:]
  /// What a backreference says, and where, until every group is known.
  var references: [(Reference, position: Int)] = []

  /// What the modifiers of the groups around say.
  struct Flags {
    var ignoresCase = false
    var isMultiline = false
    var dotMatchesAll = false
  }

  enum Reference {
    case number(Int)
    case name(String)
  }

  private init(_ source: String) { scalars = Array(source.unicodeScalars) }

  /// Reads a whole pattern: its tree, and the numbers of the groups that backreferences name.
  static func parse(
    _ source: String
  ) throws(PatternFault) -> (tree: PatternNode, referenced: Set<Int>) {
    var parser = PatternParser(source)
    guard parser.scalars.count <= lengthLimit else {
      throw PatternFault(.unsupported, "the pattern is longer than \(lengthLimit) characters")
    }
    var names: Set<String> = []
    let node = try parser.disjunction(&names)
    guard parser.position == parser.scalars.count else {
      throw parser.fault("')' without a group")
    }
    let groups = try parser.resolvedReferences()
    return (groups.isEmpty ? node : node.resolving(groups), Set(groups.joined()))
  }

  // MARK: - Characters

  func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    position + offset < scalars.count ? scalars[position + offset] : nil
  }

  mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard peek() == scalar else { return false }
    position += 1
    return true
  }

  mutating func skip(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
    guard peek() == first, peek(1) == second else { return false }
    position += 2
    return true
  }

  func fault(_ reason: String, at place: Int? = nil) -> PatternFault {
    PatternFault(.syntax, reason, at: place ?? position)
  }

  // MARK: - Disjunction, alternative, term

  /// Alternatives up to the end of the group; `names` gets the names of all groups in them.
  mutating func disjunction(_ names: inout Set<String>) throws(PatternFault) -> PatternNode {
    var alternatives: [PatternNode] = []
    repeat {
      // Two groups may share a name if they stand in different alternatives (ECMA-262 22.2.1.1).
      var ownNames: Set<String> = []
      alternatives.append(try alternative(&ownNames))
      names.formUnion(ownNames)
    } while skip("|")
    return alternatives.count == 1 ? alternatives[0] : .alternatives(alternatives)
  }

  private mutating func alternative(_ names: inout Set<String>) throws(PatternFault) -> PatternNode
  {
    var terms: [PatternNode] = []
    while let next = peek(), next != "|", next != ")" {
      let start = position
      let (term, isRepeatable) = try term(&names)
      if let repetition = try quantifier() {
        guard isRepeatable else { throw fault("nothing to repeat", at: start) }
        terms.append(.repeated(term, repetition))
      } else {
        terms.append(term)
      }
    }
    return terms.count == 1 ? terms[0] : .sequence(terms)
  }

  /// A term without its quantifier, and whether it may have one.
  private mutating func term(
    _ names: inout Set<String>
  ) throws(PatternFault) -> (PatternNode, isRepeatable: Bool) {
    guard let scalar = peek() else { throw fault("the pattern ends too early") }
    switch scalar {
    case "^":
      position += 1
      return (.assertion(flags.isMultiline ? .lineStart : .textStart), false)
    case "$":
      position += 1
      return (.assertion(flags.isMultiline ? .lineEnd : .textEnd), false)
    case ".":
      position += 1
      return (.set(flags.dotMatchesAll ? .all : ScalarSet.lineTerminators.complement), true)
    case "(": return try group(&names)
    case "[": return (.set(try characterClass()), true)
    case "\\": return try atomEscape()
    case "*", "+", "?": throw fault("nothing to repeat")
    case "{" where startsQuantifier(): throw fault("nothing to repeat")
    // Unlike a brace it stays refused: `[[:alpha:]]` would silently mean something else.
    case "]": throw fault("']' without a class")
    default:
      position += 1
      return (.literal(scalar.value), true)
    }
  }

  // MARK: - Quantifiers

  /// Whether a `{` here is that of `{n}`, `{n,}` or `{n,m}`, and not a brace that means itself.
  private func startsQuantifier() -> Bool {
    var copy = self
    do {
      return try copy.quantifier() != nil
    } catch {
      return true
    }
  }

  private mutating func quantifier() throws(PatternFault) -> PatternRepetition? {
    let start = position
    guard var repetition = try range(at: start) else { return nil }
    repetition.isLazy = skip("?")
    return repetition
  }

  private mutating func range(at start: Int) throws(PatternFault) -> PatternRepetition? {
    if skip("*") { return PatternRepetition(minimum: 0, maximum: nil, position: start) }
    if skip("+") { return PatternRepetition(minimum: 1, maximum: nil, position: start) }
    if skip("?") { return PatternRepetition(minimum: 0, maximum: 1, position: start) }
    guard skip("{") else { return nil }
    guard let minimum = decimalNumber() else {
      position = start
      return nil
    }
    var maximum: Int? = minimum
    if skip(",") { maximum = decimalNumber() }
    guard skip("}") else {
      position = start
      return nil
    }
    if let maximum, maximum < minimum { throw fault("numbers out of order", at: start) }
    return PatternRepetition(minimum: minimum, maximum: maximum, position: start)
  }

  /// A number, no greater than what an `Int` of 32 bits holds; nil if there is no digit.
  mutating func decimalNumber() -> Int? {
    let start = position
    var number = 0
    while let digit = peek(), ("0"..."9").contains(digit) {
      number = min(number * 10 + Int(digit.value - 0x30), Int(Int32.max))
      position += 1
    }
    return position > start ? number : nil
  }
}
