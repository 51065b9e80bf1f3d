// How the archive of a record is written in its line, and which members answers have.

import ArchiveBasics
import ArchivePropertyLists

/// How records are read and answers are written.
package struct RecordFormat: Sendable {
  /// The digits of archives.
  package enum Encoding: String, CaseIterable, Sendable {
    case base64
    case hexadecimal = "hex"
  }

  /// The digits of archives, in records and in answers.
  package var encoding = Encoding.base64
  /// Whether a line may also be the digits of an archive alone.
  package var allowsBareLines = false
  /// The name of the member with the archive.
  package var key = Self.usualKey
  /// The names of the members that answers may have.
  ///
  /// A record's own members of these names are in the member `record` of its answer.
  package var answerNames = Self.rewritingNames

  /// The usual name of the member with the archive.
  package static let usualKey = "data"

  /// The names in answers about archives that are validated or rewritten.
  package static let rewritingNames: Set = [
    "outcome", "summary", "error", "line", "family", "from", "to", "path", "operations",
    "lossless", "losses", "withoutPlace", "warnings", "violations", "violationCount", "version",
    "reason", "rules", "record",
  ]

  /// The names in all answers about archives that are read.
  package static let readingNames: Set = [
    "outcome", "error", "errors", "warnings", "line", "record",
  ]

  /// Makes the usual format: objects with archives in Base64.
  package init() {}

  /// How much of a file is looked at for its first two lines.
  private static let beginning = 1 << 24

  /// What the first two lines of a file encode, if they are digits alone.
  package static func data(
    inFirstLinesOf storage: ByteStorage, _ encoding: Encoding
  ) -> [ByteStorage] {
    var format = RecordFormat()
    (format.encoding, format.allowsBareLines) = (encoding, true)
    let lines = storage.bytes.prefix(beginning).split(separator: UInt8(ascii: "\n"), maxSplits: 2)
    guard lines.count > 1 else { return [] }
    return lines.prefix(2).compactMap {
      try? RecordLine(ByteStorage(copying: ByteView(rebasing: $0)), format).archive()
    }
  }

  /// The strings in Base64 of a file's first line, if there are more lines and it is an object.
  package static func strings(
    inFirstLineOf storage: ByteStorage
  ) -> [(name: String, data: ByteStorage)] {
    guard let end = storage.bytes.firstIndex(of: UInt8(ascii: "\n")),
      let line = try? RecordLine(ByteStorage(copying: storage.bytes.part(0..<end)))
    else { return [] }
    return line.members.compactMap { member in (try? line.data(member)).map { (member.name, $0) } }
  }
}

extension RecordFormat.Encoding {
  /// What the digits are called in messages.
  var title: String {
    switch self {
    case .base64: "Base64"
    case .hexadecimal: "hexadecimal"
    }
  }

  /// Appends the bytes that a text encodes; nothing if the text has anything else.
  ///
  /// - Parameter isDense: whether the text may not have white space, nor a prefix.
  func decode(_ text: ByteView, isDense: Bool = false, to buffer: inout ByteBuffer) -> Bool {
    switch self {
    case .base64: Base64.decodeWellFormed(text, isDense: isDense, to: &buffer)
    case .hexadecimal: Self.decodeDigits(isDense ? text : Self.digits(in: text), to: &buffer)
    }
  }

  /// Appends the digits of bytes.
  func encode(_ bytes: ByteView, to buffer: inout ByteBuffer) {
    switch self {
    case .base64: Base64.encode(bytes, to: &buffer)
    case .hexadecimal:
      for byte in bytes {
        buffer.append(Self.digit(byte >> 4))
        buffer.append(Self.digit(byte & 15))
      }
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ (value &- 10)
  }

  /// The text without `\x` or `0x` before it, which databases write.
  private static func digits(in text: ByteView) -> ByteView {
    let isPrefixed =
      text.count >= 2 && text[1] == UInt8(ascii: "x")
      && (text[0] == UInt8(ascii: "\\") || text[0] == UInt8(ascii: "0"))
    return isPrefixed ? text.part(from: 2) : text
  }

  private static func decodeDigits(_ text: ByteView, to buffer: inout ByteBuffer) -> Bool {
    guard text.count % 2 == 0 else { return false }
    let count = buffer.count
    for position in stride(from: 0, to: text.count, by: 2) {
      guard let high = hexadecimalDigit(text[position]),
        let low = hexadecimalDigit(text[position + 1])
      else {
        buffer.truncate(to: count)
        return false
      }
      buffer.append(high << 4 | low)
    }
    return true
  }

  /// The digits of an archive, by the first of them; nil for other texts.
  init?(beginning text: ByteView) {
    if Self.beginsHexadecimal(text) {
      self = .hexadecimal
    } else if ["YnBsaXN0", "BAtzdHJl", "PD94bWwg"].contains(where: { text.starts(with: $0.utf8) }) {
      self = .base64
    } else {
      return nil
    }
  }

  /// Whether a text is the beginning of an archive in hexadecimal digits.
  ///
  /// Most such digits are Base64 as well, but these encode nothing that is a property list or an archive.
  static func beginsHexadecimal(_ text: ByteView) -> Bool {
    var bytes = ByteBuffer(capacity: 16)
    let digits = digits(in: text)
    guard digits.count >= 8, decodeDigits(digits.part(0..<8), to: &bytes) else { return false }
    let magic = bytes.array
    return [Array("bpli".utf8), [0x04, 0x0B] + Array("st".utf8), Array("<?xm".utf8)].contains(magic)
  }
}
