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
