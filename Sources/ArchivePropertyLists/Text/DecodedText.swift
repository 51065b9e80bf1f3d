// A text in UTF-8, converted from any encoding, with a mapping from its positions to the source's.

import ArchiveBasics
import ArchiveGraph

struct DecodedText {
  let encoding: TextEncoding
  /// The text in UTF-8, without byte order mark; not checked to be well formed if the source is UTF-8.
  let utf8: ByteView
  /// The bytes after the byte order mark.
  private let source: ByteView
  private let mark: Int
  /// What keeps `utf8` alive if it is not the source.
  private let storage: ByteStorage?

  /// Makes a text of bytes that must outlive it.
  ///
  /// - Throws: `ArchiveError` with code `malformed` at the first invalid code unit.
  init(_ bytes: ByteView) throws(ArchiveError) {
    let (encoding, mark) = TextEncoding.detect(bytes)
    try self.init(bytes, encoding, mark: mark, isLenient: false)
  }

  /// Decodes the beginning of an input for inspection: invalid code units become U+FFFD.
  init(prefixOf bytes: ByteView, count: Int) {
    let (encoding, mark) = TextEncoding.detect(bytes)
    let length = min(bytes.count, count / 4 * 4 + mark)
    let prefix = ByteView(rebasing: bytes.prefix(length))
    do throws(ArchiveError) {
      try self.init(prefix, encoding, mark: mark, isLenient: true)
    } catch {
      self.init(utf8: prefix)
    }
  }

  /// Makes a text of bytes in a given encoding without a byte order mark.
  init(_ bytes: ByteView, in encoding: TextEncoding) throws(ArchiveError) {
    try self.init(bytes, encoding, mark: 0, isLenient: false)
  }

  private init(utf8: ByteView) {
    (encoding, self.utf8, source, mark, storage) = (.utf8, utf8, utf8, 0, nil)
  }

  private init(
    _ bytes: ByteView, _ encoding: TextEncoding, mark: Int, isLenient: Bool
  ) throws(ArchiveError) {
    self.encoding = encoding
    self.mark = mark
    source = bytes.part(from: mark)
    if encoding == .utf8 {
      (utf8, storage) = (source, nil)
      return
    }
    var reading = CharacterReading(source, encoding)
    var converted = ByteBuffer(capacity: source.count / encoding.width * 3 / 2 + 16)
    while let unit = reading.next() {
      if unit.character == nil, !isLenient {
        throw ArchiveError(
          .malformed, "the text is not valid \(encoding.name)", offset: mark + unit.start)
      }
      converted.append(utf8: unit.character ?? "\u{FFFD}")
    }
    let storage = converted.intoStorage()
    (utf8, self.storage) = (storage.bytes, storage)
  }

  /// Whether positions in `utf8` are positions in the source, but for the byte order mark.
  var isSource: Bool { storage == nil }

  /// The position in the source of a position of `utf8`, including its byte order mark.
  func sourceOffset(of position: Int) -> Int {
    guard !isSource else { return mark + position }
    var reading = CharacterReading(source, encoding)
    var length = 0
    while length < position, let unit = reading.next() {
      length += UTF8.width(unit.character ?? "\u{FFFD}")
    }
    return mark + reading.position
  }

  /// An error with a position of `utf8`, with that of the input instead.
  ///
  /// - Parameter fileOffset: the position of the source in the input; nil if it is not stored there.
  func located(_ error: ArchiveError, _ fileOffset: Int?) -> ArchiveError {
    error.moved(to: error.path, offset: error.offset.map { sourceOffset(of: $0) })
      .shifted(by: fileOffset)
  }

  /// The same for warnings; without a position in the input they name the line.
  func located(_ warnings: [ArchiveError], _ fileOffset: Int?) -> [ArchiveError] {
    warnings.map { warning in
      guard fileOffset == nil, let position = warning.offset else {
        return located(warning, fileOffset)
      }
      return ArchiveError(
        warning.code, "line \(line(of: position)): \(warning.message)", about: warning.subject)
    }
  }

  /// The line of a position of `utf8`, from 1.
  func line(of position: Int) -> Int {
    var line = 1
    var previous: UInt8 = 0
    for byte in utf8.prefix(position) {
      let isBreak = byte == 0x0D || (byte == 0x0A && previous != 0x0D)
      if isBreak { line += 1 }
      previous = byte
    }
    return line
  }

  /// Where `utf8` stops being well formed, nil if it nowhere does.
  var firstFault: Int? {
    var position = 0
    while position < utf8.count {
      // Eight bytes of ASCII at a time.
      while position &+ 8 <= utf8.count,
        utf8.unchecked.loadUnaligned(fromByteOffset: position, as: UInt64.self)
          & 0x8080_8080_8080_8080 == 0
      {
        position &+= 8
      }
      while let byte = utf8.byte(at: position), byte < 0x80 { position &+= 1 }
      // A run of bytes beyond ASCII is whole characters or is malformed by itself.
      var end = position
      while let byte = utf8.byte(at: end), byte >= 0x80 { end &+= 1 }
      if end > position, String(validating: utf8[position..<end], as: UTF8.self) == nil {
        return position
      }
      position = end
    }
    return nil
  }
}

/// The characters of a text one by one.
private struct CharacterReading {
  private let bytes: ByteView
  private let encoding: TextEncoding
  private(set) var position = 0

  init(_ bytes: ByteView, _ encoding: TextEncoding) {
    self.bytes = bytes
    self.encoding = encoding
  }

  /// The next character and its position; nil for the character if the bytes are invalid.
  mutating func next() -> (character: Unicode.Scalar?, start: Int)? {
    let start = position
    guard start < bytes.count else { return nil }
    let width = encoding.width
    guard bytes.count - start >= width else {
      position = bytes.count
      return (nil, start)
    }
    position += width
    switch encoding {
    case .utf8: return (nil, start)
    case .oneByte(let table): return (Unicode.Scalar(table.character(bytes[start])), start)
    case .utf32(let isBigEndian):
      let unit = bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)
      return (Unicode.Scalar(isBigEndian ? unit.bigEndian : unit.littleEndian), start)
    case .utf16(let isBigEndian):
      let first = unit(at: start, isBigEndian)
      guard UTF16.isLeadSurrogate(first) else { return (Unicode.Scalar(first), start) }
      guard bytes.count - position >= 2 else { return (nil, start) }
      let second = unit(at: position, isBigEndian)
      guard UTF16.isTrailSurrogate(second) else { return (nil, start) }
      position += 2
      return (joined(first, second), start)
    }
  }

  private func unit(at offset: Int, _ isBigEndian: Bool) -> UInt16 {
    let unit = bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
    return isBigEndian ? unit.bigEndian : unit.littleEndian
  }
}

extension TextEncoding {
  var name: String {
    switch self {
    case .utf8: return "UTF-8"
    case .utf16: return "UTF-16"
    case .utf32: return "UTF-32"
    case .oneByte(.nextStep): return "NeXTSTEP text"
    case .oneByte(.macRoman): return "Mac Roman text"
    case .oneByte(.windows1252): return "Windows-1252 text"
    }
  }
}

/// The character of two surrogates.
func joined(_ lead: UInt16, _ trail: UInt16) -> Unicode.Scalar? {
  Unicode.Scalar(0x10000 + (UInt32(lead) & 0x3FF) << 10 + UInt32(trail) & 0x3FF)
}

// MARK: - The encoding of a text: by its mark, or by its zero bytes (RFC 4627 section 3)

enum TextEncoding: Equatable {
  case utf8
  case utf16(isBigEndian: Bool)
  case utf32(isBigEndian: Bool)
  case oneByte(OneByteEncoding)

  /// The encoding of a text, and how many bytes its byte order mark takes.
  static func detect(_ bytes: ByteView) -> (encoding: TextEncoding, mark: Int) {
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
  private static func guess(_ bytes: ByteView) -> TextEncoding {
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

  /// Whether the first byte of a code unit is the most significant one.
  var isBigEndian: Bool {
    switch self {
    case .utf8, .oneByte: false
    case .utf16(let isBigEndian), .utf32(let isBigEndian): isBigEndian
    }
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

// MARK: - Encodings of one byte a character, in which old property lists and web pages come
//
// Facts: the mapping tables NEXTSTEP.TXT and ROMAN.TXT that the Unicode Consortium publishes; the Encoding Standard of WHATWG.

/// An encoding whose low half is ASCII.
enum OneByteEncoding: Equatable {
  /// What octal escapes of OpenStep property lists count in.
  case nextStep
  /// The encoding of the classic Mac.
  case macRoman
  /// What web pages call ISO-8859-1, too.
  case windows1252

  /// The character of a byte; U+FFFD for unassigned bytes.
  func character(_ byte: UInt8) -> UInt16 {
    guard byte >= 0x80 else { return UInt16(byte) }
    let position = Int(byte) - 0x80
    switch self {
    case .nextStep: return Self.nextStepHigh[position]
    case .macRoman: return Self.macRomanHigh[position]
    case .windows1252: return position < 32 ? Self.windowsMiddle[position] : UInt16(byte)
    }
  }

  /// The characters of 0x80 to 0x9F.
  private static let windowsMiddle: [UInt16] = [
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
    0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
  ]

  private static let nextStepHigh = Array(
    """
    \u{A0}ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖÙÚÛÜÝÞµ×÷©¡¢£⁄¥ƒ§¤’“«‹›ﬁﬂ®–†‡·¦¶•‚„”»…‰¬¿\
    ¹ˋ´ˆ˜¯˘˙¨²˚¸³˝˛ˇ—±¼½¾àáâãäåçèéêëìÆíªîïðñŁØŒºòóôõöæùúûıüýłøœßþÿ\u{FFFD}\u{FFFD}
    """.utf16)

  private static let macRomanHigh = Array(
    """
    ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø\
    ¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ
    """.utf16)
}

// MARK: - Texts whose encoding has a name, as that of a web page has

extension String {
  /// Decodes bytes; nil for bytes that are not valid, and for encodings other than UTF-8, UTF-16, Latin-1, Windows-1252 and
  /// Mac Roman.
  package init?(_ bytes: ByteView, inEncodingNamed name: String) {
    let encoding: TextEncoding
    switch name.lowercased() {
    case "utf-8", "utf8": encoding = .utf8
    case "us-ascii", "ascii", "iso-8859-1", "latin1", "windows-1252", "cp1252":
      encoding = .oneByte(.windows1252)
    case "macintosh", "x-mac-roman": encoding = .oneByte(.macRoman)
    case "utf-16", "utf-16le": encoding = .utf16(isBigEndian: false)
    case "utf-16be": encoding = .utf16(isBigEndian: true)
    default: return nil
    }
    guard let text = try? DecodedText(bytes, in: encoding) else { return nil }
    self.init(validating: text.utf8, as: UTF8.self)
  }
}
