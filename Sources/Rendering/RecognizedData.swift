// What data values hold that are not archives: pictures, documents, compressed files, text.

import Basics
import ObjectGraph
import PropertyLists

/// The kind of bytes, by their beginning.
struct RecognizedData {
  /// A beginning that a kind of file has.
  private struct Signature {
    let kind: String
    let offset: Int
    let bytes: [UInt8]

    init(_ kind: String, _ text: String, at offset: Int = 0) {
      self.kind = kind
      self.offset = offset
      bytes = Array(text.utf8)
    }

    init(_ kind: String, _ bytes: [UInt8]) {
      self.kind = kind
      self.bytes = bytes
      offset = 0
    }
  }

  private static let signatures =
    [
      Signature("PNG", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
      Signature("JPEG", [0xFF, 0xD8, 0xFF]), Signature("gzip", [0x1F, 0x8B, 0x08]),
      Signature("ZIP", [0x50, 0x4B, 3, 4]), Signature("ZIP", [0x50, 0x4B, 5, 6]),
      Signature("GIF", "GIF87a"), Signature("GIF", "GIF89a"), Signature("PDF", "%PDF-"),
      Signature("SQLite", "SQLite format 3\0"),
    ]
    + ["heic", "heix", "heim", "heis", "hevc", "mif1", "msf1"].map {
      Signature("HEIC", "ftyp\($0)", at: 4)
    }

  /// How many bytes of a text are examined.
  private static let reach = 1024
  /// How many characters of a text are shown.
  private static let shownCharacters = 40
  /// The shortest text that is not a coincidence.
  private static let leastText = 4

  /// The name of the kind.
  let kind: String
  /// The size of a picture, as in `64×48`; the beginning of a text.
  let detail: String?

  /// Recognizes bytes; nil for others.
  init?(_ bytes: UnsafeRawBufferPointer) {
    let signature = Self.signatures.first { signature in
      bytes.dropFirst(signature.offset).starts(with: signature.bytes)
    }
    if let signature {
      kind = signature.kind
      detail = Self.size(of: bytes, signature.kind)
      return
    }
    guard bytes.count >= Self.leastText, let text = Self.text(bytes) else { return nil }
    let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.shownCharacters)))
    let rest = shown.utf8.count < bytes.count ? "…" : ""
    if Self.isJSON(bytes) {
      kind = "JSON"
      detail = shown.escapedForTerminal + rest
    } else {
      kind = "UTF-8"
      var quoted = ByteBuffer()
      ScalarText.append(plain: shown, quote: true, to: &quoted)
      detail = "\"" + String(decoding: quoted.bytes, as: UTF8.self) + rest + "\""
    }
  }

  // MARK: Pictures

  private static func size(of bytes: UnsafeRawBufferPointer, _ kind: String) -> String? {
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
  private static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
    var beginning = bytes.prefix(reach)
    // The last character may be cut.
    if bytes.count > reach {
      for _ in 0..<3 where beginning.last.map({ $0 & 0xC0 == 0x80 }) == true {
        beginning.removeLast()
      }
      if beginning.last.map({ $0 >= 0x80 }) == true { beginning.removeLast() }
    }
    guard let text = String(validating: beginning, as: UTF8.self), PartialText.isPlausible(text),
      text.utf8.allSatisfy({ $0 < 0x80 }) || isLikely(text.unicodeScalars)
    else { return nil }
    return text
  }

  /// Whether characters beyond ASCII are likely to be meant: most are of words, of few scripts, and all are assigned.
  ///
  /// The bytes of a few small numbers can be characters of scripts that nobody would mix.
  private static func isLikely(_ characters: String.UnicodeScalarView) -> Bool {
    var inWords = 0
    var scripts: Set<UInt32> = []
    for character in characters {
      let properties = character.properties
      switch properties.generalCategory {
      case .unassigned, .privateUse: return false
      default: break
      }
      guard
        properties.isAlphabetic || properties.numericType != nil
          || properties.isWhitespace
            && character.value != 0x0A
          || properties.isEmojiPresentation
      else { continue }
      inWords += 1
      if properties.isAlphabetic { scripts.insert(script(of: character.value)) }
    }
    return inWords * 2 >= characters.count && scripts.count <= 2 + characters.count / 32
  }

  /// A number for the script of a letter: the blocks of Latin are one, those of East Asia another, others by themselves.
  private static func script(of character: UInt32) -> UInt32 {
    switch character {
    case ..<0x250, 0x1E00..<0x1F00: 0
    case 0x1100..<0x1200, 0x3000..<0xD800, 0x20000...: 1
    default: character >> 8
    }
  }

  /// Whether a text begins and ends as an object or an array of JSON does.
  private static func isJSON(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let first = bytes.first { $0 > 0x20 }
    let last = bytes.suffix(16).last { $0 > 0x20 }
    guard
      first == UInt8(ascii: "{") && last == UInt8(ascii: "}")
        || first == UInt8(ascii: "[") && last == UInt8(ascii: "]")
    else { return false }
    let beginning = UnsafeRawBufferPointer(rebasing: bytes.prefix(reach))
    return Formats.propertyLists.detect(beginning) == .known(.json)
  }
}
