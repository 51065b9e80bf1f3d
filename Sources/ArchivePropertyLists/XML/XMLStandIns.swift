// Characters that XML 1.0 does not have, though property lists hold them: Foundation writes them as they are and reads
// them back, as it does their references. For libxml2 they are replaced by stand-ins: a mark and another character. The
// mark itself, U+10FFFD, has a stand-in as well, so that no other is in the text.

import ArchiveBasics
import ArchiveGraph

/// A text of XML in which every forbidden character has a stand-in.
struct XMLStandIns {
  let text: ByteStorage
  /// The first forbidden character, and its position in the source.
  let first: (character: UInt16, position: Int)
  /// The number of forbidden characters.
  let count: Int
  /// What could not be read at all, if the text was to be mended.
  let losses: [ArchiveError]
  /// What a stand-in begins with: the mark, and the first byte of a letter that is no digit of Base64.
  fileprivate static let mark: [UInt8] = [0xF4, 0x8F, 0xBF, 0xBD, 0xC3]
  /// The characters that have stand-ins, in the order of the letters; before them those below U+0020.
  fileprivate static let characters: [Unicode.Scalar] = ["\u{FFFE}", "\u{FFFF}", "\u{10FFFD}"]
  /// Positions of the text after which everything is further on than in the source, and by how much.
  private let shifts: [(position: Int, shift: Int)]

  /// Looks for forbidden characters.
  ///
  /// - Parameters:
  ///   - bytes: a text in UTF-8.
  ///   - mending: whether invalid bytes become U+FFFD, and an ampersand without a reference becomes text.
  /// - Returns: nil if there are no forbidden characters.
  init?(for bytes: ByteView, mending: Bool = false) {
    let declared = XMLDeclaration.encoding(of: bytes)?.lowercased() ?? "utf-8"
    guard declared.hasPrefix("utf") || ["us-ascii", "ascii"].contains(declared) else { return nil }
    var scan = XMLStandInScan(bytes: bytes, isMending: mending)
    scan.run()
    guard scan.count > 0 || !scan.losses.isEmpty, !scan.isExhausted else { return nil }
    (count, losses, shifts) = (scan.count, scan.losses, scan.shifts)
    first = scan.first ?? (0, 0)
    text = ByteStorage(copying: scan.output)
  }

  /// The position in the source of a position of the text.
  func sourcePosition(of position: Int) -> Int {
    let next = shifts.indices.firstNumber { shifts[$0].position > position }
    return next == 0 ? position : position - shifts[next - 1].shift
  }

  /// Replaces stand-ins in a string by their characters again.
  func restore(_ bytes: ByteView, into output: inout ByteBuffer) {
    var rest = bytes[...]
    while let found = rest.firstOccurrence(of: Self.mark), found.upperBound < rest.endIndex {
      output.append(ByteView(rebasing: rest[..<found.lowerBound]))
      let number = Int(rest[found.upperBound] & 0x3F)
      if number < 0x20 {
        output.append(UInt8(number))
      } else {
        output.append(utf8: Self.characters[min(number - 0x20, 2)])
      }
      rest = rest[(found.upperBound + 1)...]
    }
    output.append(ByteView(rebasing: rest))
  }

  /// The warning of the first of them.
  func warning(fileOffset: Int?) -> ArchiveError? {
    guard count > 0 else { return nil }
    let name = "U+" + String(first.character, radix: 16, width: 4, uppercase: true)
    let more = count > 1 ? " and \(count - 1) more like it" : ""
    return ArchiveError(
      .malformed,
      "XML 1.0 has no character \(name)\(more); Foundation reads it, other programs may not",
      offset: fileOffset.map { $0 + first.position }, about: .forbiddenCharacters)
  }
}

/// The pass over a text that inserts stand-ins.
private struct XMLStandInScan {
  let bytes: ByteView
  let isMending: Bool
  var output: [UInt8] = []
  var shifts: [(position: Int, shift: Int)] = []
  var first: (character: UInt16, position: Int)?
  var count = 0
  var losses: [ArchiveError] = []
  private var copied = 0
  private var position = 0

  init(bytes: ByteView, isMending: Bool) {
    (self.bytes, self.isMending) = (bytes, isMending)
  }

  /// Whether more was replaced than any real text needs; each replacement costs more than its bytes.
  var isExhausted: Bool { shifts.count > 1 << 20 }

  mutating func run() {
    output.reserveCapacity(bytes.count + 256)
    while position < bytes.count, !isExhausted {
      let byte = bytes[position]
      switch byte {
      case 0x09, 0x0A, 0x0D: position += 1
      case 0..<0x20: standIn(for: UInt32(byte), length: 1)
      case UInt8(ascii: "&"): reference()
      case UInt8(ascii: "<"): skipSection()
      case 0x20..<0x80: position += 1
      default: character()
      }
    }
    copy(upTo: bytes.count)
  }

  // MARK: Pieces

  private mutating func copy(upTo end: Int) {
    output += bytes[copied..<end]
    copied = end
  }

  private mutating func replace(_ length: Int, by replacement: [UInt8]) {
    copy(upTo: position)
    output += replacement
    position += length
    copied = position
    shifts.append((output.count, output.count - position))
  }

  private mutating func note(_ message: String) {
    guard losses.count < 100 else { return }
    losses.append(ArchiveError(.malformed, message, offset: position))
  }

  /// Replaces a character, if it is one that has a stand-in; else skips it.
  private mutating func standIn(for character: UInt32, length: Int) {
    let others = XMLStandIns.characters.firstIndex { $0.value == character }
    guard let number = others.map({ 0x20 + $0 }) ?? (character < 0x20 ? Int(character) : nil) else {
      position += length
      return
    }
    // The mark itself is not forbidden.
    if let forbidden = UInt16(exactly: character) {
      if first == nil { first = (forbidden, position) }
      count += 1
    }
    replace(length, by: XMLStandIns.mark + [0x80 + UInt8(number)])
  }

  /// The content of a CDATA section has no references.
  private mutating func skipSection() {
    position += 1
    guard starts("![CDATA[") else { return }
    while position < bytes.count, !isExhausted, !starts("]]>") {
      let byte = bytes[position]
      if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D {
        standIn(for: UInt32(byte), length: 1)
      } else if byte >= 0x80 {
        character()
      } else {
        position += 1
      }
    }
  }

  private func starts(_ text: StaticString) -> Bool {
    bytes.part(from: position).starts(with: text)
  }

  private mutating func character() {
    let length = bytes.characterLength(at: position)
    guard length > 0 else {
      guard isMending else {
        position += 1
        return
      }
      note("an invalid byte became U+FFFD")
      return replace(1, by: [0xEF, 0xBF, 0xBD])
    }
    standIn(for: bytes.character(at: position, length), length: length)
  }

  /// A reference by number to a forbidden character; in mending, an ampersand that begins no reference.
  private mutating func reference() {
    if let (number, length) = referredNumber() {
      switch number {
      case 0x09, 0x0A, 0x0D: position += length
      default: standIn(for: number, length: length)
      }
    } else if isMending, !["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"].contains(where: starts) {
      note("an ampersand without a reference was read as text")
      replace(1, by: Array("&amp;".utf8))
    } else {
      position += 1
    }
  }

  /// The number of `&#1;` or `&#x1;`, and its length; nil if no such reference follows.
  private func referredNumber() -> (number: UInt32, length: Int)? {
    guard starts("&#") else { return nil }
    var end = position + 2
    let isHexadecimal = end < bytes.count && bytes[end] == UInt8(ascii: "x")
    if isHexadecimal { end += 1 }
    let start = end
    while end < bytes.count, end - start < 12, bytes[end] != UInt8(ascii: ";") { end += 1 }
    guard end < bytes.count, bytes[end] == UInt8(ascii: ";"),
      bytes[start..<end].allSatisfy({ $0 != UInt8(ascii: "+") }),
      let number = UInt32(
        String(decoding: bytes[start..<end], as: UTF8.self), radix: isHexadecimal ? 16 : 10)
    else { return nil }
    return (number, end + 1 - position)
  }
}
