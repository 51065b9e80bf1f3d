// The identifiers of the new mangling, which writes a word once and then refers to it by a letter.

/// Reads identifiers and keeps their words.
struct NewIdentifiers {
  private static let mostWords = 26

  var input: NameCursor

  /// The words so far; letters are available only for this many.
  private var words: [String] = []

  init(input: NameCursor) {
    self.input = input
  }

  /// Reads an identifier; a digit must follow.
  ///
  /// A count of bytes and so many of them; or `00` and the same in Punycode; or `0` and a mixture of
  /// letters, which represent words, and counted text. The last letter is in upper case.
  mutating func read() throws(NotUnderstood) -> String {
    guard input.skip("0") else { return try countedText() }
    guard input.skip("0") else { return try mixture() }
    guard input.peek != "0", let count = try input.number() else { throw NotUnderstood() }
    // The underscore only keeps the count apart from text that begins with a digit.
    _ = input.skip("_")
    return try Punycode.decode(try input.text(count: count))
  }

  /// Text may follow the last word; a zero means that none does.
  private mutating func mixture() throws(NotUnderstood) -> String {
    var text = ""
    var wordsMayFollow = true
    repeat {
      while wordsMayFollow, isLetter(input.peek) {
        let letter = try input.next()
        wordsMayFollow = ("a"..."z").contains(letter)
        text += try word(letter)
        guard text.utf8.count <= DemangledName.longestOutput else { throw NotUnderstood() }
      }
      if input.skip("0") { break }
      text += try countedText()
    } while wordsMayFollow
    guard !text.isEmpty else { throw NotUnderstood() }
    return text
  }

  private func isLetter(_ byte: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(byte) || ("A"..."Z").contains(byte)
  }

  private func word(_ letter: Unicode.Scalar) throws(NotUnderstood) -> String {
    let index = Int(letter.value) - (("a"..."z").contains(letter) ? 97 : 65)
    guard words.indices.contains(index) else { throw NotUnderstood() }
    return words[index]
  }

  private mutating func countedText() throws(NotUnderstood) -> String {
    guard let count = try input.number() else { throw NotUnderstood() }
    let text = try input.text(count: count)
    rememberWords(of: text)
    return text
  }

  /// A word ends before an underscore and before an upper-case letter that follows one that is not;
  /// it begins with anything but a digit or an underscore.
  private mutating func rememberWords(of text: String) {
    var word: [UInt8] = []
    for byte in text.utf8 {
      let isUpper = isUpperCase(byte)
      let isUnderscore = byte == UInt8(ascii: "_")
      if let last = word.last, isUnderscore || (isUpper && !isUpperCase(last)) {
        remember(word)
        word = []
      }
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      if !word.isEmpty || !(isDigit || isUnderscore) { word.append(byte) }
    }
    remember(word)
  }

  private mutating func remember(_ word: [UInt8]) {
    guard word.count >= 2, words.count < Self.mostWords else { return }
    words.append(String(decoding: word, as: UTF8.self))
  }

  private func isUpperCase(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }
}

// MARK: - Names with characters beyond ASCII

/// Swift's variant of Punycode.
///
/// The digits are `a`…`z` and `A`…`J`, the delimiter is `_`, and an ASCII character that cannot stand
/// in an identifier is written as its code point above 0xD800.
enum Punycode {
  private static let base = 36
  private static let firstBias = 72
  private static let firstCodePoint = 0x80

  /// Decodes an identifier, all of whose bytes must be ASCII: any other would pass for a code point.
  static func decode(_ text: String) throws(NotUnderstood) -> String {
    guard text.utf8.allSatisfy({ $0 < firstCodePoint }) else { throw NotUnderstood() }
    var digits = Array(text.utf8)[...]
    var codePoints: [Int] = []
    if let delimiter = digits.lastIndex(of: UInt8(ascii: "_")) {
      codePoints = digits[..<delimiter].map { Int($0) }
      digits = digits[(delimiter + 1)...]
    }
    var codePoint = firstCodePoint
    var position = 0
    var bias = firstBias
    while !digits.isEmpty {
      let delta = try readDelta(from: &digits, bias: bias)
      let count = codePoints.count + 1
      bias = adapt(delta: delta, count: count, isFirst: position == 0)
      let sum = position + delta
      codePoint += sum / count
      guard codePoint <= 0x10FFFF else { throw NotUnderstood() }
      position = sum % count
      codePoints.insert(codePoint, at: position)
      position += 1
    }
    return try notation(codePoints)
  }

  /// Takes one number of variable length.
  ///
  /// Each weight stays below 2^31, so the sums cannot overflow.
  private static func readDelta(
    from digits: inout ArraySlice<UInt8>, bias: Int
  ) throws(NotUnderstood) -> Int {
    var delta = 0
    var weight = 1
    var position = base
    while true {
      guard let digit = digits.popFirst().flatMap(value(ofDigit:)) else { throw NotUnderstood() }
      delta += digit * weight
      let threshold = min(max(position - bias, 1), 26)
      if digit < threshold { break }
      weight *= base - threshold
      guard delta < 1 << 31, weight < 1 << 31 else { throw NotUnderstood() }
      position += base
    }
    return delta
  }

  private static func value(ofDigit digit: UInt8) -> Int? {
    switch Unicode.Scalar(digit) {
    case "a"..."z": Int(digit) - 97
    case "A"..."J": Int(digit) - 65 + 26
    default: nil
    }
  }

  private static func adapt(delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var position = 0
    while delta > 455 {
      delta /= 35
      position += base
    }
    return position + 36 * delta / (delta + 38)
  }

  private static func notation(_ codePoints: [Int]) throws(NotUnderstood) -> String {
    guard !codePoints.isEmpty else { throw NotUnderstood() }
    var text = ""
    for codePoint in codePoints {
      let isMovedASCII = (0xD800..<0xD880).contains(codePoint)
      guard let value = UInt32(exactly: isMovedASCII ? codePoint - 0xD800 : codePoint),
        let scalar = Unicode.Scalar(value)
      else { throw NotUnderstood() }
      text.unicodeScalars.append(scalar)
    }
    return text
  }
}
