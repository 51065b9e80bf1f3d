// A text in UTF-8, converted from any encoding, with a mapping from its positions to the source's.

import Basics
import ObjectGraph

/// A text to parse.
struct DecodedText {
  /// The encoding of the source.
  let encoding: TextEncoding
  /// The text in UTF-8, without byte order mark; not checked to be well formed if the source is UTF-8.
  let utf8: UnsafeRawBufferPointer
  /// The bytes after the byte order mark.
  private let source: UnsafeRawBufferPointer
  private let mark: Int
  /// What keeps `utf8` alive if it is not the source.
  private let storage: ByteStorage?

  /// Makes a text of bytes that must outlive it.
  ///
  /// - Throws: `ArchiveError` with code `malformed` at the first invalid code unit.
  init(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
    let (encoding, mark) = TextEncoding.detect(bytes)
    try self.init(bytes, encoding, mark: mark, isLenient: false)
  }

  /// Decodes the beginning of an input for inspection: invalid code units become U+FFFD.
  init(prefixOf bytes: UnsafeRawBufferPointer, count: Int) {
    let (encoding, mark) = TextEncoding.detect(bytes)
    let length = min(bytes.count, count / 4 * 4 + mark)
    let prefix = UnsafeRawBufferPointer(rebasing: bytes.prefix(length))
    do throws(ArchiveError) {
      try self.init(prefix, encoding, mark: mark, isLenient: true)
    } catch {
      self.init(utf8: prefix)
    }
  }

  /// Makes a text of bytes in a given encoding without a byte order mark.
  init(_ bytes: UnsafeRawBufferPointer, in encoding: TextEncoding) throws(ArchiveError) {
    try self.init(bytes, encoding, mark: 0, isLenient: false)
  }

  private init(utf8: UnsafeRawBufferPointer) {
    (encoding, self.utf8, source, mark, storage) = (.utf8, utf8, utf8, 0, nil)
  }

  private init(
    _ bytes: UnsafeRawBufferPointer, _ encoding: TextEncoding, mark: Int, isLenient: Bool
  ) throws(ArchiveError) {
    self.encoding = encoding
    self.mark = mark
    source = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(mark))
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
      appendUTF8(unit.character ?? "\u{FFFD}", to: &converted)
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
        utf8.loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        position &+= 8
      }
      while position < utf8.count, utf8[position] < 0x80 { position &+= 1 }
      // A run of bytes beyond ASCII is whole characters or is malformed by itself.
      var end = position
      while end < utf8.count, utf8[end] >= 0x80 { end &+= 1 }
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
  private let bytes: UnsafeRawBufferPointer
  private let encoding: TextEncoding
  private(set) var position = 0

  init(_ bytes: UnsafeRawBufferPointer, _ encoding: TextEncoding) {
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
  /// The encoding, as errors and warnings name it.
  var name: String {
    switch self {
    case .utf8: return "UTF-8"
    case .utf16: return "UTF-16"
    case .utf32: return "UTF-32"
    case .oneByte(.nextStep): return "NeXTSTEP text"
    case .oneByte(.macRoman): return "Mac Roman text"
    }
  }
}

/// The character of two surrogates.
func joined(_ lead: UInt16, _ trail: UInt16) -> Unicode.Scalar? {
  Unicode.Scalar(0x10000 + (UInt32(lead) & 0x3FF) << 10 + UInt32(trail) & 0x3FF)
}

/// Appends a character in UTF-8.
func appendUTF8(_ character: Unicode.Scalar, to output: inout ByteBuffer) {
  let value = character.value
  if value < 0x80 { return output.append(UInt8(truncatingIfNeeded: value)) }
  let length = value < 0x800 ? 2 : value < 0x10000 ? 3 : 4
  let lead: UInt32 = length == 2 ? 0xC0 : length == 3 ? 0xE0 : 0xF0
  output.append(UInt8(truncatingIfNeeded: lead | value >> UInt32(6 * (length - 1))))
  for place in stride(from: length - 2, through: 0, by: -1) {
    output.append(UInt8(truncatingIfNeeded: 0x80 | (value >> UInt32(6 * place)) & 0x3F))
  }
}
