// Escapes of a regular expression, in classes and out of them.

extension PatternParser {
  /// What an escape stands for.
  enum Escaped {
    /// A code point; a lone surrogate is one, though no text holds it.
    case scalar(UInt32)
    case set(ScalarSet)
  }

  /// An escape outside of classes, with its backslash.
  mutating func atomEscape() throws(PatternFault) -> (PatternNode, isRepeatable: Bool) {
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
      return (reference(.name(try groupName()), at: start), true)
    case .some("1"..."9"):
      position += 1
      return (reference(.number(decimalNumber() ?? 0), at: start), true)
    default: break
    }
    switch try escape() {
    case .scalar(let scalar): return (.literal(scalar), true)
    case .set(let set): return (.set(set), true)
    }
  }

  private mutating func reference(_ reference: Reference, at start: Int) -> PatternNode {
    references.append((reference, position: start))
    return .backreference([references.count - 1], position: start)
  }

  /// An escape that is the same in a class, with its backslash.
  mutating func escape() throws(PatternFault) -> Escaped {
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
    case "c": return .scalar(try controlLetter(at: start))
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

  private mutating func controlLetter(at start: Int) throws(PatternFault) -> UInt32 {
    guard let letter = peek(), letter.isASCII, letter.properties.isAlphabetic else {
      throw fault("'\\c' needs a letter", at: start)
    }
    position += 1
    return letter.value % 32
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
  mutating func unicodeEscape() throws(PatternFault) -> UInt32 {
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
