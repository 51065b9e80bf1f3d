// How many columns of a terminal a text takes: most characters one, those of East Asian scripts and emoji two, marks none.

/// Measures texts in the cells of a terminal.
public enum TerminalCells {
  /// The scalars with the property East_Asian_Width W or F (Unicode Standard Annex 11), without emoji, which
  /// `Emoji_Presentation` finds; blocks of ideographs are whole, with what is not assigned in them.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E,
    0x3041...0x3247, 0x3250...0x4DBF, 0x4DC0...0x4DFF, 0x4E00...0xA4CF, 0xA960...0xA97F,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1D300...0x1D376,
    0x1F200...0x1F202, 0x1F210...0x1F23B, 0x1F240...0x1F248, 0x1F250...0x1F251,
    0x1F260...0x1F265, 0x20000...0x3FFFD,
  ]

  /// How many columns a text takes that has no control characters.
  public static func count(of text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + count(of: $1) }
  }

  /// How many columns a character takes: as many as its widest part, and two if a selector makes it an emoji.
  public static func count(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if first.value < 0x80, scalars.dropFirst().isEmpty { return 1 }
    // U+FE0F asks for the colored picture of a character that is text by itself.
    if scalars.count > 1, scalars.contains("\u{FE0F}") { return 2 }
    return scalars.reduce(0) { max($0, count(of: $1)) }
  }

  private static func count(of scalar: Unicode.Scalar) -> Int {
    if isWide(scalar) { return 2 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return scalar == "\u{AD}" ? 1 : 0
    default: return scalar.value == 0 ? 0 : 1
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x1100 { return false }
    if scalar.properties.isEmojiPresentation { return true }
    var (low, high) = (0, wide.count)
    while low < high {
      let middle = (low + high) / 2
      if wide[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
    }
    return low < wide.count && wide[low].contains(scalar.value)
  }

  /// How many columns the bytes of a line take on a terminal, which obeys the styles in them.
  public static func count(ofLine bytes: UnsafeRawBufferPointer) -> Int {
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var isStyle = false
    for byte in bytes {
      if isStyle {
        isStyle = byte != UInt8(ascii: "m")
      } else if byte == 0x1B {
        isStyle = true
      } else {
        plain.append(byte)
      }
    }
    return count(of: String(decoding: plain, as: UTF8.self))
  }

  /// The beginning of a text that takes no more than some columns.
  public static func prefix(_ text: String, columns: Int) -> String {
    if text.utf8.count <= columns { return text }
    var kept = ""
    var used = 0
    for character in text {
      used += count(of: character)
      if used > columns { break }
      kept.append(character)
    }
    return kept
  }
}
