// The encoding of a text: by its byte order mark, or by the positions of its zero bytes (RFC 4627 section 3).

/// The encodings that text formats come in.
enum TextEncoding: Equatable {
  case utf8
  case utf16(isBigEndian: Bool)
  case utf32(isBigEndian: Bool)
  /// One byte a character.
  case oneByte(OneByteEncoding)

  /// The encoding of a text, and how many bytes its byte order mark takes.
  static func detect(_ bytes: UnsafeRawBufferPointer) -> (encoding: TextEncoding, mark: Int) {
    func starts(_ mark: [UInt8]) -> Bool { bytes.starts(with: mark) }
    if starts([0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    // The mark of UTF-32 begins as that of UTF-16 does; no text begins with U+0000.
    if starts([0xFF, 0xFE, 0, 0]) { return (.utf32(isBigEndian: false), 4) }
    if starts([0, 0, 0xFE, 0xFF]) { return (.utf32(isBigEndian: true), 4) }
    if starts([0xFF, 0xFE]) { return (.utf16(isBigEndian: false), 2) }
    if starts([0xFE, 0xFF]) { return (.utf16(isBigEndian: true), 2) }
    return (guess(bytes), 0)
  }

  /// Without a mark the first character, which is ASCII in every text format, shows the width.
  private static func guess(_ bytes: UnsafeRawBufferPointer) -> TextEncoding {
    let isZero = bytes.prefix(4).map { $0 == 0 }
    switch isZero {
    case [true, true, true, false]: return .utf32(isBigEndian: true)
    case [false, true, true, true]: return .utf32(isBigEndian: false)
    default: break
    }
    guard isZero.count >= 2, bytes.count % 2 == 0 else { return .utf8 }
    if isZero[0], !isZero[1] { return .utf16(isBigEndian: true) }
    if !isZero[0], isZero[1] { return .utf16(isBigEndian: false) }
    return .utf8
  }

  /// How many bytes a code unit takes.
  var width: Int {
    switch self {
    case .utf8, .oneByte: return 1
    case .utf16: return 2
    case .utf32: return 4
    }
  }
}
