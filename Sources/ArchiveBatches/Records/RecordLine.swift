// The text of a record in its line: the ranges of its members' values, so that they can be copied unchanged.

import ArchiveBasics
import ArchivePropertyLists

/// A JSON object in a line (NDJSON), or the digits of an archive alone.
struct RecordLine {
  struct Member {
    let name: String
    /// The range of the name as written, with its quotes.
    let quotedName: Range<Int>
    /// The range of the value as written.
    let value: Range<Int>
  }

  let storage: ByteStorage
  let members: [Member]
  private let format: RecordFormat
  /// Where the digits are of a line that has nothing else.
  private let bareRange: Range<Int>?
  /// What a long string of digits encodes, and where it is written: the archive in most records.
  private let decoded: (range: Range<Int>, data: ByteStorage)?

  /// The least length of a string that is decoded before the line is checked.
  private static let longLength = 512

  /// Finds the members of a line.
  ///
  /// - Throws: `ArchiveError` at the first fault; the offset is relative to the line.
  init(_ storage: ByteStorage, _ format: RecordFormat = RecordFormat()) throws(ArchiveError) {
    guard let start = storage.bytes.firstIndex(where: { !Self.isSpace($0) }),
      let last = storage.bytes.lastIndex(where: { !Self.isSpace($0) })
    else {
      throw ArchiveError(.mismatch, "the line is blank", offset: 0)
    }
    self.storage = storage
    self.format = format
    // No digit is a brace, nor a byte order mark.
    if format.allowsBareLines, ![UInt8(ascii: "{"), 0xEF].contains(storage.bytes[start]) {
      bareRange = start..<last + 1
      (members, decoded) = ([], nil)
      return
    }
    bareRange = nil
    var scan = RecordScan(storage.bytes)
    let spans = scan.members()
    let decoded = spans.flatMap {
      Self.longData(in: storage.bytes, $0.map(\.value), format.encoding)
    }
    // The code below requires valid JSON.
    if !Self.isJSON(storage.bytes, without: decoded?.range) {
      do throws(ArchiveError) {
        _ = try JSONReader.read(storage.bytes)
      } catch {
        guard let encoding = RecordFormat.Encoding(beginning: storage.bytes.part(start..<last + 1))
        else { throw error }
        throw ArchiveError(
          .mismatch, "the line is an archive alone, which --records=\(encoding.rawValue) reads",
          offset: start)
      }
    }
    guard let spans else {
      throw ArchiveError(.mismatch, "a record is a JSON object", offset: 0)
    }
    self.decoded = decoded
    var members: [Member] = []
    for (name, value) in spans {
      let text = try Self.string(storage.bytes.part(name))
      members.append(Member(name: text, quotedName: name, value: value))
    }
    self.members = members
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D
  }

  /// The longest value, if it is a long string of digits in quotes.
  private static func longData(
    in bytes: ByteView, _ values: [Range<Int>], _ encoding: RecordFormat.Encoding
  ) -> (range: Range<Int>, data: ByteStorage)? {
    guard let range = values.max(by: { $0.count < $1.count }), range.count >= longLength,
      bytes[range.lowerBound] == UInt8(ascii: "\""),
      bytes[range.upperBound - 1] == UInt8(ascii: "\"")
    else { return nil }
    let digits = bytes.part(range.lowerBound + 1..<range.upperBound - 1)
    var buffer = ByteBuffer(capacity: digits.count / 4 * 3 + 16)
    guard encoding.decode(digits, isDense: true, to: &buffer) else { return nil }
    return (range, buffer.intoStorage())
  }

  /// Whether a line is JSON, of which a part in quotes is known to have nothing but digits.
  ///
  /// The part is replaced by an empty string. That it is one in the line, too, follows: the text before it is the same,
  /// and a scan of valid JSON from its beginning found a value there.
  private static func isJSON(_ line: ByteView, without part: Range<Int>?) -> Bool {
    guard let part else { return false }
    var rest = ByteBuffer(capacity: line.count - part.count + 16)
    rest.append(line.part(0..<part.lowerBound))
    rest.append(contentsOf: "\"\"")
    rest.append(line.part(from: part.upperBound))
    return (try? JSONReader.read(rest.bytes)) != nil
  }

  /// The last member with a name, which is the one that JSON readers use.
  func member(_ name: String) -> Member? {
    members.last { $0.name.utf8.elementsEqual(name.utf8) }
  }

  func bytes(_ range: Range<Int>) -> ByteView {
    storage.bytes.part(range)
  }

  /// The digits of a line that has nothing else.
  var bareDigits: String? { bareRange.map { String(decoding: bytes($0), as: UTF8.self) } }

  private static func string(_ quoted: ByteView) throws(ArchiveError) -> String {
    if !quoted.contains(UInt8(ascii: "\\")) {
      return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
    }
    return try JSONTree(json: ByteStorage(copying: quoted)).string ?? ""
  }

  /// The archive of the record.
  ///
  /// - Throws: `ArchiveError` if there is none, or it is not written in the digits of the format.
  func archive() throws(ArchiveError) -> ByteStorage {
    if let bareRange { return try decode(bytes(bareRange), "the line", at: 0) }
    guard let member = member(format.key) else {
      let hint = format.key == RecordFormat.usualKey ? otherKeyHint : ""
      throw ArchiveError(.mismatch, "the record has no member '\(format.key)'\(hint)")
    }
    return try data(member)
  }

  /// How to read the archive in another member, as the end of a message.
  private var otherKeyHint: String {
    for member in members {
      let quoted = bytes(member.value)
      guard quoted.first == UInt8(ascii: "\""), quoted.count > 2 else { continue }
      if RecordFormat.Encoding(beginning: quoted.part(1..<quoted.count - 1)) != nil {
        return "; its archive is in another one: --data-key '\(member.name)'"
      }
    }
    return "; --data-key names another one"
  }

  /// The bytes that a member's string encodes.
  ///
  /// - Throws: `ArchiveError` if the value is not a string, or the string has other characters than digits.
  func data(_ member: Member) throws(ArchiveError) -> ByteStorage {
    if let decoded, decoded.range == member.value { return decoded.data }
    let quoted = bytes(member.value)
    guard quoted.first == UInt8(ascii: "\"") else {
      throw ArchiveError(
        .mismatch, "'\(member.name)' must be a string in \(format.encoding.title)",
        offset: member.value.lowerBound)
    }
    let (name, offset) = ("'\(member.name)'", member.value.lowerBound)
    if unsafe quoted.baseAddress.flatMap({ unsafe memchr($0, 0x5C, quoted.count) }) != nil {
      // Many writers escape the slash, which is a Base64 digit.
      let text = ByteStorage(copying: Array(try Self.string(quoted).utf8))
      return try decode(text.bytes, name, at: offset)
    }
    return try decode(quoted.part(1..<quoted.count - 1), name, at: offset)
  }

  private func decode(
    _ text: ByteView, _ name: String, at offset: Int
  ) throws(ArchiveError) -> ByteStorage {
    if format.encoding == .base64, RecordFormat.Encoding.beginsHexadecimal(text) {
      throw ArchiveError(
        .mismatch, "\(name) is hexadecimal, which --records=hex reads", offset: offset)
    }
    var buffer = ByteBuffer(capacity: text.count / 4 * 3 + 16)
    guard format.encoding.decode(text, to: &buffer) else {
      throw ArchiveError(.malformed, "\(name) is not \(format.encoding.title)", offset: offset)
    }
    return buffer.intoStorage()
  }
}

/// Finds the members of an object in a text that is known to be JSON.
struct RecordScan {
  private let bytes: ByteView
  private var position = 0

  init(_ bytes: ByteView) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  private var byte: UInt8 { bytes.byte(at: position) ?? 0 }

  /// The names and values of the object; nil if the text is not an object.
  mutating func members() -> [(name: Range<Int>, value: Range<Int>)]? {
    skipSpace()
    guard byte == UInt8(ascii: "{") else { return nil }
    var members: [(name: Range<Int>, value: Range<Int>)] = []
    repeat {
      position += 1
      skipSpace()
      if byte == UInt8(ascii: "}") { return members }
      guard let name = string() else { return nil }
      skipSpace()
      guard byte == UInt8(ascii: ":") else { return nil }
      position += 1
      skipSpace()
      guard let value = value() else { return nil }
      members.append((name, value))
      skipSpace()
    } while byte == UInt8(ascii: ",")
    return byte == UInt8(ascii: "}") ? members : nil
  }

  private mutating func skipSpace() {
    while position < bytes.count, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      position += 1
    }
  }

  private mutating func value() -> Range<Int>? {
    if byte == UInt8(ascii: "\"") { return string() }
    let start = position
    var depth = 0
    while position < bytes.count {
      switch byte {
      case UInt8(ascii: "\""):
        guard string() != nil else { return nil }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return start..<position }
        depth -= 1
        if depth == 0 {
          position += 1
          return start..<position
        }
      case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D:
        if depth == 0 { return start..<position }
      default: break
      }
      position += 1
    }
    return nil
  }

  /// A string with its quotes: ends at a quote after an even number of backslashes.
  private mutating func string() -> Range<Int>? {
    guard byte == UInt8(ascii: "\""), let base = unsafe bytes.baseAddress else { return nil }
    let start = position
    position += 1
    while position < bytes.count,
      let found = unsafe memchr(base + position, Int32(UInt8(ascii: "\"")), bytes.count - position)
    {
      let quote = unsafe UnsafeRawPointer(found) - base
      var first = quote
      while first > position, bytes[first - 1] == UInt8(ascii: "\\") { first -= 1 }
      position = quote + 1
      if (quote - first) % 2 == 0 { return start..<position }
    }
    return nil
  }
}
