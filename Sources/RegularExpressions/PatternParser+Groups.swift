// Groups of a regular expression: captures, names, lookaround, modifiers; and what refers to them.

extension PatternParser {
  /// A group with its parentheses.
  mutating func group(
    _ outerNames: inout Set<String>
  ) throws(PatternFault) -> (PatternNode, isRepeatable: Bool) {
    let start = position
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else {
      throw PatternFault(
        .unsupported, "groups stand deeper than \(Self.depthLimit) in one another", at: start)
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
    return .capture(number, try body(&names, openedAt: start))
  }

  /// What stands in a group, up to its closing parenthesis.
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

  private mutating func look() -> PatternLook? {
    if skip("=") { return PatternLook(isBehind: false, isNegative: false) }
    if skip("!") { return PatternLook(isBehind: false, isNegative: true) }
    if skip("<", "=") { return PatternLook(isBehind: true, isNegative: false) }
    if skip("<", "!") { return PatternLook(isBehind: true, isNegative: true) }
    return nil
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
  mutating func groupName() throws(PatternFault) -> String {
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
  func resolvedReferences() throws(PatternFault) -> [[Int]] {
    var groups: [[Int]] = []
    for (reference, place) in references {
      switch reference {
      case .number(let number):
        guard number <= captureCount else { throw fault("there is no group \(number)", at: place) }
        groups.append([number])
      case .name(let name):
        guard let numbers = names[name] else {
          throw fault("there is no group '\(name)'", at: place)
        }
        groups.append(numbers)
      }
    }
    return groups
  }
}

extension PatternNode {
  /// The tree with each reference, known by its place in the list, replaced by the groups it names.
  func resolving(_ groups: [[Int]]) -> PatternNode {
    switch self {
    case .set, .assertion: self
    case .sequence(let parts): .sequence(parts.map { $0.resolving(groups) })
    case .alternatives(let parts): .alternatives(parts.map { $0.resolving(groups) })
    case .capture(let number, let part): .capture(number, part.resolving(groups))
    case .backreference(let place, let position):
      .backreference(place.flatMap { groups[$0] }, position: position)
    case .look(let part, let look, let position):
      .look(part.resolving(groups), look, position: position)
    case .repeated(let part, let repetition): .repeated(part.resolving(groups), repetition)
    case .caseIgnored(let isOn, let part): .caseIgnored(isOn, part.resolving(groups))
    }
  }
}
