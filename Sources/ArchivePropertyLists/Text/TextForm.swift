// What a text has beside its values, and a text that is written anew has not: comments, and another encoding than UTF-8.

import ArchiveBasics
import ArchiveGraph

/// The form of a property list in text, or of a JSON document.
package struct TextForm {
  /// Whether there are comments.
  package let hasComments: Bool
  /// The name of the encoding; nil for UTF-8 and its subset ASCII, in which archtool writes.
  package let foreignEncoding: String?

  /// Looks at a text.
  ///
  /// - Returns: nil for bytes of an encoding that is no text, or that are not valid.
  package init?(of bytes: ByteView, _ encoding: Encoding) {
    guard encoding.isText, let text = try? DecodedText(bytes) else { return nil }
    let isXML = encoding == .xmlPropertyList
    if isXML {
      hasComments = text.utf8.firstOccurrence(of: "<!--".utf8) != nil
    } else {
      hasComments = Self.hasSlashComments(text.utf8)
    }
    if text.encoding != .utf8 {
      foreignEncoding = text.encoding.name
    } else if isXML {
      foreignEncoding = Self.declaredEncoding(text.utf8)
    } else {
      // As the reader of OpenStep texts reads them.
      foreignEncoding = text.firstFault == nil ? nil : "Mac Roman"
    }
  }

  /// The encoding that an XML declaration names, unless it is UTF-8 or ASCII.
  private static func declaredEncoding(_ bytes: ByteView) -> String? {
    guard bytes.drop(while: { isSpace($0) }).starts(with: "<?xml".utf8),
      let name = XMLDeclaration.encoding(of: bytes),
      !["utf-8", "utf8", "us-ascii", "ascii"].contains(name.lowercased())
    else { return nil }
    return String(name)
  }

  /// Whether a text has `/*` or `//` outside of strings; a string without quotation marks may have slashes, too.
  private static func hasSlashComments(_ bytes: ByteView) -> Bool {
    var quote: UInt8?
    var before = UInt8(ascii: " ")
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      if let end = quote {
        if byte == UInt8(ascii: "\\") { position += 1 }
        if byte == end { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "/"), position + 1 < bytes.count {
        let next = bytes[position + 1]
        let isInWord = before > UInt8(ascii: " ") && !"{}()[]=,;<>".utf8.contains(before)
        if next == UInt8(ascii: "*") || next == UInt8(ascii: "/") && !isInWord { return true }
      }
      before = byte
      position += 1
    }
    return false
  }
}

// MARK: - Texts that are merged by their lines

/// A text of UTF-16 or UTF-32 as UTF-8, and back.
package struct TranscodedText {
  /// The text in UTF-8.
  package let utf8: ByteStorage
  private let encoding: TextEncoding
  private let hasMark: Bool

  /// Decodes a text.
  ///
  /// - Returns: nil for a text of one byte a unit, and for bytes that are no text.
  package init?(_ bytes: ByteView) {
    guard let text = try? DecodedText(bytes), text.encoding.width > 1 else { return nil }
    encoding = text.encoding
    hasMark = text.sourceOffset(of: 0) > 0
    utf8 = ByteStorage(copying: text.utf8)
  }

  /// Whether another text has the same encoding, with or without a byte order mark alike.
  package func isEncoded(as other: TranscodedText) -> Bool {
    encoding == other.encoding && hasMark == other.hasMark
  }

  /// Another text in UTF-8, in the encoding of this one.
  ///
  /// - Returns: nil if it is not valid UTF-8.
  package func encoded(_ text: ByteView) -> [UInt8]? {
    guard let text = String(validating: text, as: UTF8.self) else { return nil }
    var bytes: [UInt8] = []
    let scalars = (hasMark ? ["\u{FEFF}"] : []) + Array(text.unicodeScalars)
    for scalar in scalars {
      switch encoding {
      case .utf16(let isBigEndian):
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          let unit = isBigEndian ? unit.bigEndian : unit.littleEndian
          withUnsafeBytes(of: unit) { bytes.append(contentsOf: $0) }
        }
      case .utf32(let isBigEndian):
        let unit = isBigEndian ? scalar.value.bigEndian : scalar.value.littleEndian
        withUnsafeBytes(of: unit) { bytes.append(contentsOf: $0) }
      case .utf8, .oneByte: return nil
      }
    }
    return bytes
  }
}
