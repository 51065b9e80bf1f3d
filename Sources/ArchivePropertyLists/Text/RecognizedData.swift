// What data values hold that are not archives: pictures, documents, compressed files, text.

import ArchiveBasics
import ArchiveGraph

/// The kind of bytes, by their beginning.
package struct RecognizedData {
  /// Bytes at an offset that a kind of file has.
  private static let signatures: [(kind: String, offset: Int, bytes: [UInt8])] =
    [
      ("PNG", 0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
      ("JPEG", 0, [0xFF, 0xD8, 0xFF]), ("gzip", 0, [0x1F, 0x8B, 0x08]),
      ("ZIP", 0, [0x50, 0x4B, 3, 4]), ("ZIP", 0, [0x50, 0x4B, 5, 6]),
      ("GIF", 0, Array("GIF87a".utf8)), ("GIF", 0, Array("GIF89a".utf8)),
      ("PDF", 0, Array("%PDF-".utf8)),
      ("SQLite", 0, Array("SQLite format 3\0".utf8)),
    ]
    + ["heic", "heix", "heim", "heis", "hevc", "mif1", "msf1"].map {
      ("HEIC", 4, Array("ftyp\($0)".utf8))
    }

  private static let reach = 1024
  /// The shortest text that is not a coincidence.
  private static let leastText = 4

  /// The name of the kind.
  package let kind: String
  /// The size of a picture, as in `64×48`.
  package let size: String?
  /// The beginning of a text; nil for others.
  package let beginning: String?

  /// Recognizes bytes; nil for others.
  package init?(_ bytes: ByteView) {
    let signature = Self.signatures.first { signature in
      bytes.dropFirst(signature.offset).starts(with: signature.bytes)
    }
    if let signature {
      kind = signature.kind
      size = Self.size(of: bytes, signature.kind)
      beginning = nil
      return
    }
    guard bytes.count >= Self.leastText, let text = Self.text(bytes) else { return nil }
    kind = Self.isJSON(bytes) ? "JSON" : "UTF-8"
    size = nil
    beginning = text
  }

  // MARK: Pictures

  private static func size(of bytes: ByteView, _ kind: String) -> String? {
    let size: (width: UInt64, height: UInt64)
    switch kind {
    // The first chunk has the size (PNG specification, 11.2.2).
    case "PNG" where bytes.count >= 24 && bytes[12..<16].elementsEqual("IHDR".utf8):
      size = (number(bytes[16..<20]), number(bytes[20..<24]))
    case "GIF" where bytes.count >= 10:
      size = (number(bytes[6..<8].reversed()), number(bytes[8..<10].reversed()))
    default: return nil
    }
    return "\(size.width)×\(size.height)"
  }

  private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  // MARK: Text

  /// The beginning of a text; nil for bytes that are not UTF-8, have control characters, or are hardly meant as text.
  private static func text(_ bytes: ByteView) -> String? {
    var beginning = bytes.prefix(reach)
    // The last character may be cut.
    if bytes.count > reach {
      for _ in 0..<3 where beginning.last.map({ $0 & 0xC0 == 0x80 }) == true {
        beginning.removeLast()
      }
      if beginning.last.map({ $0 >= 0x80 }) == true { beginning.removeLast() }
    }
    var highest: UInt8 = 0
    for byte in beginning {
      if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D { return nil }
      if byte == 0x7F { return nil }
      highest = max(highest, byte)
    }
    guard let text = String(validating: beginning, as: UTF8.self) else { return nil }
    let isMeant =
      highest < 0x80 || PartialText.isPlausible(text) && isLikely(text.unicodeScalars)
    return isMeant ? text : nil
  }

  /// Whether characters beyond ASCII are likely to be meant: half of all or more are no signs of ASCII, all are assigned,
  /// and few words are of several scripts.
  ///
  /// The bytes of a few small numbers can be characters of scripts that nobody would mix.
  private static func isLikely(_ characters: String.UnicodeScalarView) -> Bool {
    var meant = 0
    var letters = 0
    var changes = 0
    var script: UInt32?
    for character in characters {
      let properties = character.properties
      switch properties.generalCategory {
      case .unassigned, .privateUse: return false
      default: break
      }
      if character.value >= 0x80 || properties.isAlphabetic || properties.numericType != nil
        || character == " "
      {
        meant += 1
      }
      guard properties.isAlphabetic else {
        script = nil
        continue
      }
      letters += 1
      let next = Self.script(of: character.value)
      if let script, script != next { changes += 1 }
      script = next
    }
    return meant * 2 >= characters.count && changes * 4 <= letters
  }

  /// A number for the script of a letter, by its block: those of Latin are one, as are those of Greek, of Cyrillic and of
  /// East Asia.
  private static func script(of character: UInt32) -> UInt32 {
    switch character {
    case ..<0x370, 0x1D00..<0x1F00, 0x2C60..<0x2C80, 0xA720..<0xA800, 0xAB30..<0xAB70,
      0xFF21..<0xFF5B:
      0
    case 0x1100..<0x1200, 0x2E80..<0xA4D0, 0xA960..<0xA980, 0xAC00..<0xD800, 0xF900..<0xFB00,
      0xFF66..<0xFFE0,
      0x20000...:
      1
    case 0x370..<0x400, 0x1F00..<0x2000: 2
    case 0x400..<0x530, 0x1C80..<0x1C90, 0x2DE0..<0x2E00, 0xA640..<0xA6A0: 3
    default: character >> 8
    }
  }

  /// Whether a text begins and ends as an object or an array of JSON does.
  private static func isJSON(_ bytes: ByteView) -> Bool {
    let first = bytes.first { $0 > 0x20 }
    let last = bytes.suffix(16).last { $0 > 0x20 }
    guard
      first == UInt8(ascii: "{") && last == UInt8(ascii: "}")
        || first == UInt8(ascii: "[") && last == UInt8(ascii: "]")
    else { return false }
    let beginning = ByteView(rebasing: bytes.prefix(reach))
    return Formats.propertyLists.detect(beginning) == .known(.json)
  }
}
