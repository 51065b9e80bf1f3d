// Characters that XML 1.0 does not have, though property lists hold them: Foundation writes them as they are and reads
// them back, as it does their references. For libxml2 they are replaced by stand-ins that do not occur in the text.

import ArchiveBasics

/// A text of XML in which every forbidden character has a stand-in of a private use area.
struct XMLStandIns {
  /// The text with stand-ins.
  let text: ByteStorage
  /// The first forbidden character, and its position in the source.
  let first: (character: UInt16, position: Int)
  /// The number of forbidden characters.
  let count: Int
  /// What could not be read at all, if the text was to be mended.
  let losses: [ArchiveError]
  /// The third byte of the stand-ins, whose first two are F4 8F.
  private let block: UInt8
  /// Positions of the text after which everything is further on than in the source, and by how much.
  private let shifts: [(position: Int, shift: Int)]

  /// Looks for forbidden characters.
  ///
  /// - Parameters:
  ///   - bytes: a text in UTF-8.
  ///   - mending: whether invalid bytes become U+FFFD, and an ampersand without a reference becomes text.
  /// - Returns: nil if there are no forbidden characters, or no block of characters is free.
  init?(for bytes: UnsafeRawBufferPointer, mending: Bool = false) {
    guard Self.isDeclaredUTF8(bytes), let block = Self.freeBlock(bytes) else { return nil }
    var scan = XMLStandInScan(bytes: bytes, block: block, isMending: mending)
    scan.run()
    guard scan.count > 0 || !scan.losses.isEmpty, !scan.isExhausted else { return nil }
    self.block = block
    (count, losses, shifts) = (scan.count, scan.losses, scan.shifts)
    first = scan.first ?? (0, 0)
    text = ByteStorage(copying: scan.output)
  }

  /// The position in the source of a position of the text.
  func sourcePosition(of position: Int) -> Int {
    var (low, high) = (0, shifts.count)
    while low < high {
      let middle = (low + high) / 2
      if shifts[middle].position <= position { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? position : position - shifts[low - 1].shift
  }

  /// Replaces stand-ins in a string by their characters again.
  func restore(_ bytes: UnsafeRawBufferPointer, into output: inout ByteBuffer) {
    var start = 0
    var position = 0
    while position + 3 < bytes.count {
      guard bytes[position] == 0xF4, bytes[position + 1] == 0x8F, bytes[position + 2] == block
      else {
        position += 1
        continue
      }
      output.append(UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
      let number = bytes[position + 3] & 0x3F
      if number < 0x20 {
        output.append(number)
      } else {
        for byte in [0xEF, 0xBF, number == 0x20 ? 0xBE : 0xBF] as [UInt8] { output.append(byte) }
      }
      position += 4
      start = position
    }
    output.append(UnsafeRawBufferPointer(rebasing: bytes[start...]))
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

  // MARK: What can be read

  /// Whether no other encoding is declared.
  private static func isDeclaredUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let name = XMLDeclaration.encoding(of: bytes) else { return true }
    return name.hasPrefix("utf") || name == "us-ascii" || name == "ascii"
  }

  /// A block of 64 characters that do not occur in the text, not even as references.
  private static func freeBlock(_ bytes: UnsafeRawBufferPointer) -> UInt8? {
    var used: Set<UInt8> = []
    for position in bytes.indices.dropLast(2)
    where bytes[position] == 0xF4 && bytes[position + 1] == 0x8F {
      used.insert(bytes[position + 2])
    }
    var scan = XMLStandInScan(bytes: bytes, block: 0, isMending: false)
    used.formUnion(scan.referredBlocks())
    return (0x80...0xBE).first { !used.contains($0) }
  }
}

/// The pass over a text that inserts stand-ins.
private struct XMLStandInScan {
  let bytes: UnsafeRawBufferPointer
  let block: UInt8
  let isMending: Bool
  var output: [UInt8] = []
  var shifts: [(position: Int, shift: Int)] = []
  var first: (character: UInt16, position: Int)?
  var count = 0
  var losses: [ArchiveError] = []
  private var copied = 0
  private var position = 0

  init(bytes: UnsafeRawBufferPointer, block: UInt8, isMending: Bool) {
    (self.bytes, self.block, self.isMending) = (bytes, block, isMending)
  }

  /// Whether more was replaced than any real text needs; each replacement costs more than its bytes.
  var isExhausted: Bool { shifts.count > 1 << 20 }

  mutating func run() {
    output.reserveCapacity(bytes.count + 256)
    while position < bytes.count, !isExhausted {
      let byte = bytes[position]
      switch byte {
      case 0x09, 0x0A, 0x0D: position += 1
      case 0..<0x20: standIn(for: UInt16(byte), length: 1)
      case UInt8(ascii: "&"): reference()
      case UInt8(ascii: "<"): skipSection()
      case 0x20..<0x80: position += 1
      default: character()
      }
    }
    copy(upTo: bytes.count)
  }

  /// The blocks of stand-ins that references name.
  mutating func referredBlocks() -> Set<UInt8> {
    var blocks: Set<UInt8> = []
    for start in bytes.indices where bytes[start] == UInt8(ascii: "&") {
      position = start
      guard let (number, _) = referredNumber(), (0x10F000...0x10FFFF).contains(number) else {
        continue
      }
      blocks.insert(UInt8(0x80 + (number >> 6) & 0x3F))
    }
    return blocks
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

  private mutating func standIn(for character: UInt16, length: Int) {
    if first == nil { first = (character, position) }
    count += 1
    let number = character < 0x20 ? UInt8(character) : character == 0xFFFE ? 0x20 : 0x21
    replace(length, by: [0xF4, 0x8F, block, 0x80 + number])
  }

  /// The content of a CDATA section has no references.
  private mutating func skipSection() {
    position += 1
    guard starts("![CDATA[") else { return }
    while position < bytes.count, !isExhausted, !starts("]]>") {
      let byte = bytes[position]
      if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D {
        standIn(for: UInt16(byte), length: 1)
      } else if byte >= 0x80 {
        character()
      } else {
        position += 1
      }
    }
  }

  private func starts(_ text: StaticString) -> Bool {
    bytes[position...].starts(
      with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// A character beyond ASCII.
  private mutating func character() {
    let length = wellFormedLength()
    guard length > 0 else {
      guard isMending else {
        position += 1
        return
      }
      if losses.count < 100 {
        losses.append(
          ArchiveError(
            .malformed, "an invalid byte became U+FFFD", offset: position))
      }
      return replace(1, by: [0xEF, 0xBF, 0xBD])
    }
    if length == 3, bytes[position] == 0xEF, bytes[position + 1] == 0xBF,
      bytes[position + 2] >= 0xBE
    {
      return standIn(for: bytes[position + 2] == 0xBE ? 0xFFFE : 0xFFFF, length: 3)
    }
    position += length
  }

  /// The number of bytes of the character here; 0 if it is invalid.
  private func wellFormedLength() -> Int {
    let lead = bytes[position]
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard lead >= 0xC2, position + length <= bytes.count,
      String(validating: bytes[position..<position + length], as: UTF8.self) != nil
    else { return 0 }
    return length
  }

  /// A reference by number to a forbidden character; in mending, an ampersand that begins no reference.
  private mutating func reference() {
    if let (number, length) = referredNumber() {
      switch number {
      case 0x09, 0x0A, 0x0D: position += length
      case 0..<0x20, 0xFFFE, 0xFFFF: standIn(for: UInt16(number), length: length)
      default: position += length
      }
    } else if isMending, !["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"].contains(where: starts) {
      if losses.count < 100 {
        losses.append(
          ArchiveError(
            .malformed, "an ampersand without a reference was read as text",
            offset: position))
      }
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
