// ECMA-262 regular expressions (22.2.1 Patterns, with the flag `u`) read into a tree.
//
// Stricter engines refuse some patterns that are accepted here under Annex B's web-compatible grammar: a lone `{`
// or `}`, an escaped punctuation mark that needs no escape, and a class escape beside a `-`.

struct PatternParser {
  static let depthLimit = 200
  private static let lengthLimit = 100_000

  private let scalars: [Unicode.Scalar]
  fileprivate var position = 0
  private var depth = 0
  private var flags = Flags()
  /// How many capturing groups were opened.
  private var captureCount = 0
  /// The numbers of the groups by their name, and by their number.
  private var names: [String: [Int]] = [:]
  /// The number or the name in a backreference and its position, until every group is known.
  private var references: [(name: String, position: Int)] = []

  /// The modifiers of the enclosing groups.
  struct Flags {
    fileprivate var ignoresCase = false
    fileprivate var isMultiline = false
    fileprivate var dotMatchesAll = false
  }

  private init(_ source: String) { scalars = Array(source.unicodeScalars) }

  /// Reads a whole pattern: its tree, and the numbers of the groups that each of its backreferences names.
  static func parse(
    _ source: String
  ) throws(PatternFault) -> (tree: PatternNode, references: [[Int]]) {
    var parser = PatternParser(source)
    guard parser.scalars.count <= lengthLimit else {
      throw PatternFault(.unsupported, "the pattern is longer than \(lengthLimit) characters")
    }
    var names: Set<String> = []
    let node = try parser.disjunction(&names)
    guard parser.position == parser.scalars.count else {
      throw parser.fault("')' without a group")
    }
    return (node, try parser.resolvedReferences())
  }

  // MARK: - Characters

  private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    position + offset < scalars.count ? scalars[position + offset] : nil
  }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard peek() == scalar else { return false }
    position += 1
    return true
  }

  private func fault(_ reason: String, at offset: Int? = nil) -> PatternFault {
    PatternFault(.syntax, reason, at: offset ?? position)
  }

  // MARK: - Disjunction, alternative, term

  /// Alternatives up to the end of the group; `names` gets the names of all groups in them.
  private mutating func disjunction(_ names: inout Set<String>) throws(PatternFault) -> PatternNode
  {
    var alternatives: [PatternNode] = []
    repeat {
      // Two groups may share a name if they are in different alternatives (ECMA-262 22.2.1.1).
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

  /// A number, at most the largest `Int` of 32 bits; nil without a digit.
  private mutating func decimalNumber() -> Int? {
    let start = position
    var number = 0
    while let digit = peek(), ("0"..."9").contains(digit) {
      number = min(number * 10 + Int(digit.value - 0x30), Int(Int32.max))
      position += 1
    }
    return position > start ? number : nil
  }
}

// MARK: - Groups of a regular expression: captures, names, lookaround, modifiers; and what refers to them

extension PatternParser {
  /// A group with its parentheses.
  private mutating func group(
    _ outerNames: inout Set<String>
  ) throws(PatternFault) -> (PatternNode, isRepeatable: Bool) {
    let start = position
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else {
      throw PatternFault(
        .unsupported, "groups are nested more than \(Self.depthLimit) levels deep", at: start)
    }
    position += 1
    guard skip("?") else { return (try capture(&outerNames, openedAt: start), true) }
    if skip(":") { return (try body(&outerNames, openedAt: start), true) }
    if let look = look() {
      return (.look(try body(&outerNames, openedAt: start), look, position: start), false)
    }
    if skip("<") {
      let name = try groupName()
      guard outerNames.insert(name).inserted else {
        throw fault("two groups have the name '\(name)'", at: start)
      }
      names[name, default: []].append(captureCount + 1)
      return (try capture(&outerNames, openedAt: start), true)
    }
    return (try modified(&outerNames, openedAt: start), true)
  }

  private mutating func capture(
    _ names: inout Set<String>, openedAt start: Int
  ) throws(PatternFault) -> PatternNode {
    captureCount += 1
    let number = captureCount
    self.names["\(number)"] = [number]
    return .capture(number, try body(&names, openedAt: start))
  }

  /// The content of a group, up to its closing parenthesis.
  private mutating func body(
    _ outerNames: inout Set<String>, openedAt start: Int
  ) throws(PatternFault) -> PatternNode {
    var names: Set<String> = []
    let node = try disjunction(&names)
    guard skip(")") else { throw fault("the group is not closed", at: start) }
    if let name = names.first(where: outerNames.contains) {
      throw fault("two groups have the name '\(name)'", at: start)
    }
    outerNames.formUnion(names)
    return node
  }

  /// What follows `(?`, if that looks around.
  private mutating func look() -> PatternLook? {
    let look = PatternLook.allCases.first {
      scalars[position...].starts(with: $0.rawValue.unicodeScalars.dropFirst(2))
    }
    position += (look?.rawValue.count ?? 2) - 2
    return look
  }

  /// A group whose modifiers hold in it alone: `(?i:…)`, `(?s-m:…)` (ECMA-262 2025, 22.2.1).
  private mutating func modified(
    _ names: inout Set<String>, openedAt start: Int
  ) throws(PatternFault) -> PatternNode {
    let outer = flags
    defer { flags = outer }
    var isOn = true
    var seen = Set<Unicode.Scalar>()
    while !skip(":") {
      if isOn, skip("-") {
        isOn = false
        continue
      }
      guard let flag = peek(), seen.insert(flag).inserted, set(flag, to: isOn) else {
        throw fault("'(?' opens no group that ECMA-262 knows", at: start)
      }
      position += 1
    }
    guard !seen.isEmpty else { throw fault("a group's '-' names no modifier", at: start) }
    let node = try body(&names, openedAt: start)
    return flags.ignoresCase == outer.ignoresCase ? node : .caseIgnored(flags.ignoresCase, node)
  }

  private mutating func set(_ flag: Unicode.Scalar, to isOn: Bool) -> Bool {
    switch flag {
    case "i": flags.ignoresCase = isOn
    case "m": flags.isMultiline = isOn
    case "s": flags.dotMatchesAll = isOn
    default: return false
    }
    return true
  }

  /// A name up to its `>`; the `<` was read.
  private mutating func groupName() throws(PatternFault) -> String {
    let start = position
    var name = String.UnicodeScalarView()
    while !skip(">") {
      guard var scalar = peek() else { throw fault("the name is not closed", at: start) }
      position += 1
      if scalar == "\\" {
        guard skip("u"), let named = Unicode.Scalar(try unicodeEscape()) else {
          throw fault("no character of a name", at: start)
        }
        scalar = named
      }
      guard Self.isNamePart(scalar, first: name.isEmpty) else {
        throw fault("no character of a name", at: start)
      }
      name.append(scalar)
    }
    guard !name.isEmpty else { throw fault("the name is empty", at: start) }
    return String(name)
  }

  /// ECMA-262 12.7, IdentifierName.
  private static func isNamePart(_ scalar: Unicode.Scalar, first: Bool) -> Bool {
    if scalar == "$" || scalar == "_" { return true }
    if first { return scalar.properties.isIDStart }
    return scalar.properties.isIDContinue || scalar == "\u{200C}" || scalar == "\u{200D}"
  }

  /// The numbers of the groups that each reference names, in the order of the references.
  private func resolvedReferences() throws(PatternFault) -> [[Int]] {
    var groups: [[Int]] = []
    for (name, offset) in references {
      guard let numbers = names[name] else {
        throw fault("there is no group \(Int(name) == nil ? "'\(name)'" : name)", at: offset)
      }
      groups.append(numbers)
    }
    return groups
  }
}

// MARK: - Character classes of a regular expression: ranges, escapes, and marks that mean themselves

extension PatternParser {
  /// A class with its brackets.
  private mutating func characterClass() throws(PatternFault) -> ScalarSet {
    let start = position
    position += 1
    var set = ScalarSet([])
    set.isNegated = skip("^")
    while !skip("]") {
      guard peek() != nil else { throw fault("the class is not closed", at: start) }
      let offset = position
      let lower = try classAtom()
      // A dash before the closing bracket, or beside a class escape, means itself.
      guard peek() == "-", let next = peek(1), next != "]" else {
        set.insert(lower)
        continue
      }
      position += 1
      let upper = try classAtom()
      if case .scalar(let first) = lower, case .scalar(let last) = upper {
        guard first <= last else { throw fault("range out of order", at: offset) }
        set.ranges.append(first...last)
      } else {
        set.insert(lower)
        set.insert(.scalar(0x2D))
        set.insert(upper)
      }
    }
    return set
  }

  private mutating func classAtom() throws(PatternFault) -> Escaped {
    guard let scalar = peek() else { throw fault("the class is not closed") }
    guard scalar == "\\" else {
      position += 1
      return .scalar(scalar.value)
    }
    if peek(1) == "b" {
      position += 2
      return .scalar(0x08)
    }
    return try escape()
  }
}

extension ScalarSet {
  /// Adds the characters of an escape.
  fileprivate mutating func insert(_ escaped: PatternParser.Escaped) {
    switch escaped {
    case .scalar(let scalar): ranges.append(scalar...scalar)
    case .set(let set): formUnion(set)
    }
  }
}

// MARK: - Escapes of a regular expression, in classes and out of them

extension PatternParser {
  enum Escaped {
    /// A code point; a lone surrogate is one, although no text contains it.
    case scalar(UInt32)
    case set(ScalarSet)
  }

  /// An escape outside of classes, with its backslash.
  private mutating func atomEscape() throws(PatternFault) -> (PatternNode, isRepeatable: Bool) {
    let start = position
    switch peek(1) {
    case "b":
      position += 2
      return (.assertion(.wordBoundary), false)
    case "B":
      position += 2
      return (.assertion(.noWordBoundary), false)
    case "k":
      position += 2
      guard skip("<") else { throw fault("'\\k' needs the name of a group", at: start) }
      return (reference(to: try groupName(), at: start), true)
    case .some("1"..."9"):
      position += 1
      return (reference(to: "\(decimalNumber() ?? 0)", at: start), true)
    default: break
    }
    switch try escape() {
    case .scalar(let scalar): return (.literal(scalar), true)
    case .set(let set): return (.set(set), true)
    }
  }

  private mutating func reference(to name: String, at start: Int) -> PatternNode {
    references.append((name, position: start))
    return .backreference(references.count - 1, position: start)
  }

  /// An escape that is the same in a class, with its backslash.
  private mutating func escape() throws(PatternFault) -> Escaped {
    let start = position
    position += 1
    guard let scalar = peek() else { throw fault("a backslash at the end", at: start) }
    position += 1
    if let set = classEscape(scalar) { return .set(set) }
    switch scalar {
    case "p", "P": return .set(try property(isNegated: scalar == "P", at: start))
    case "t": return .scalar(0x09)
    case "n": return .scalar(0x0A)
    case "v": return .scalar(0x0B)
    case "f": return .scalar(0x0C)
    case "r": return .scalar(0x0D)
    case "0":
      if let digit = peek(), ("0"..."9").contains(digit) {
        throw fault("'\\0' before a digit", at: start)
      }
      return .scalar(0)
    case "c":
      guard let letter = peek(), letter.isASCII, letter.properties.isAlphabetic else {
        throw fault("'\\c' needs a letter", at: start)
      }
      position += 1
      return .scalar(letter.value % 32)
    case "x":
      guard let value = hexadecimal(digits: 2) else {
        throw fault("'\\x' needs two hexadecimal digits", at: start)
      }
      return .scalar(value)
    case "u": return .scalar(try unicodeEscape())
    case "!"..."/", ":"..."@", "["..."`", "{"..."~", " ": return .scalar(scalar.value)
    default: throw fault("'\\\(scalar)' has no meaning", at: start)
    }
  }

  private func classEscape(_ scalar: Unicode.Scalar) -> ScalarSet? {
    let word = flags.ignoresCase ? ScalarSet.wordIgnoringCase : .word
    return switch scalar {
    case "d": .digits
    case "D": ScalarSet.digits.complement
    case "s": .space
    case "S": ScalarSet.space.complement
    case "w": word
    case "W": word.complement
    default: nil
    }
  }

  private mutating func property(
    isNegated: Bool, at start: Int
  ) throws(PatternFault) -> ScalarSet {
    guard skip("{"), let end = scalars[position...].firstIndex(of: "}") else {
      throw fault("'\\p' needs a property in braces", at: start)
    }
    var name = String.UnicodeScalarView()
    name.append(contentsOf: scalars[position..<end])
    guard var property = UnicodeProperty(String(name)) else {
      throw fault("there is no property '\(String(name))'", at: start)
    }
    position = end + 1
    if isNegated { property.isNegated.toggle() }
    return ScalarSet(property)
  }

  /// What follows `\u`: four digits, two surrogates of them, or a code point in braces.
  private mutating func unicodeEscape() throws(PatternFault) -> UInt32 {
    let start = position
    if skip("{") {
      var value: UInt32 = 0
      while let digit = peek().flatMap(Self.hexadecimalValue) {
        value = value * 16 + digit
        guard value <= ScalarSet.last else { throw fault("no code point", at: start) }
        position += 1
      }
      guard position > start + 1, skip("}") else { throw fault("no code point", at: start) }
      return value
    }
    guard let unit = hexadecimal(digits: 4) else {
      throw fault("'\\u' needs four hexadecimal digits", at: start)
    }
    guard (0xD800...0xDBFF).contains(unit), peek() == "\\", peek(1) == "u" else { return unit }
    let middle = position
    position += 2
    guard let low = hexadecimal(digits: 4), (0xDC00...0xDFFF).contains(low) else {
      position = middle
      return unit
    }
    return 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
  }

  private mutating func hexadecimal(digits: Int) -> UInt32? {
    var value: UInt32 = 0
    for offset in 0..<digits {
      guard let digit = peek(offset).flatMap(Self.hexadecimalValue) else { return nil }
      value = value * 16 + digit
    }
    position += digits
    return value
  }

  private static func hexadecimalValue(_ scalar: Unicode.Scalar) -> UInt32? {
    switch scalar {
    case "0"..."9": scalar.value - 0x30
    case "a"..."f": scalar.value - 0x61 + 10
    case "A"..."F": scalar.value - 0x41 + 10
    default: nil
    }
  }
}
