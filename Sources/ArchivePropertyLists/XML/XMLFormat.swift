// XML property lists as a format.

import ArchiveBasics
import ArchiveGraph

extension Encoding {
  /// XML, document type plist.
  package static let xmlPropertyList = Encoding("XML property list", [.text, .archives, .vowel])
}

/// XML property lists.
package enum XMLFormat: PropertyListFormat {
  package static let encoding = Encoding.xmlPropertyList
  package static let word = "xml"
  package static let targetName: String? = "xml1"
  package static let keepsStoredValues = true

  package static func opensContent(_ bytes: ByteView) -> Bool {
    // White space, a byte order mark, or half of a character; everything else is no XML.
    guard let first = bytes.first, first <= 0x20 || first == UInt8(ascii: "<") || first >= 0xEF
    else { return false }
    let text = DecodedText(prefixOf: bytes, count: XMLBeginning.reach)
    return withExtendedLifetime(text) {
      let start = text.utf8.drop { [0x20, 0x0A, 0x0D, 0x09].contains($0) }
      let openings = ["<?xml", "<!--", "<!DOCTYPE plist", "<plist", "<dict", "<array"]
      guard let opening = openings.first(where: { start.starts(with: $0.utf8) }) else {
        return false
      }
      return opening.hasSuffix("plist")
        || XMLBeginning.isPropertyList(ByteView(rebasing: start))
    }
  }

  package static func read(_ input: FormatInput) throws(ArchiveError) -> FormatReading {
    let options = input.options
    do {
      return try XMLReader.read(
        input.bytes, fileOffset: input.fileOffset, limits: options.limits,
        keepsPositions: options.keepsPositions, givingBack: input.storageToGiveBack)
    } catch {
      guard options.isRecovering else { throw error }
      let reading = try XMLReader.read(
        input.bytes, fileOffset: input.fileOffset, limits: options.limits, recovering: true)
      return FormatReading(reading.document, losses: reading.warnings)
    }
  }

  /// Writes values; a UID becomes the dictionary `CF$UID`.
  ///
  /// XML has whole seconds only: fractions of dates are left out. A real of four bytes becomes one of eight.
  package static func write(
    _ document: Document, _ options: WritingOptions, to output: inout OutputBuffer
  ) throws(ArchiveError) -> [ArchiveError] {
    output.bytes.append(
      contentsOf: """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """)
    let syntax = XMLSyntax(keepsControlCharacters: options.keepsControlCharacters)
    let written = try TreeWriter.write(
      document, as: syntax, end: "\n</plist>\n", limits: options.limits, to: &output)
    let widened = ArchiveError.widened(written.singles, in: "XML")
    let fractions = written.syntax.fractions
    if fractions == 0 { return widened }
    let dates = fractions == 1 ? "date" : "dates"
    return [
      ArchiveError(
        .unrepresentable, "XML has whole seconds only: \(fractions) \(dates) lost a fraction")
    ] + widened
  }

  package static func extent(of value: ByteView) -> Int? {
    SourceExtent.element(value)
  }
}

// MARK: - The first line of a text of XML, which may name its encoding

enum XMLDeclaration {
  private static let reach = 256

  /// The name of the encoding that is declared; nil if none is.
  static func encoding(of bytes: ByteView) -> Substring? {
    let head = String(decoding: bytes.prefix(reach), as: UTF8.self)
    guard let end = head.firstOccurrence(of: "?>")?.lowerBound,
      let name = head[..<end].firstOccurrence(of: "encoding")?.lowerBound
    else { return nil }
    return head[name..<end].drop { $0 != "\"" && $0 != "'" }.dropFirst()
      .prefix { $0 != "\"" && $0 != "'" }
  }

  /// How many bytes of white space and comments are before the declaration, where XML allows none but Apple's readers do.
  ///
  /// - Returns: 0 if there is no declaration, or nothing before it but a byte order mark.
  static func displacement(in bytes: ByteView) -> Int {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF] as [UInt8]) ? 3 : 0
    guard start < bytes.count, bytes[start] != UInt8(ascii: "<") || isComment(bytes, start) else {
      return 0
    }
    var position = start
    while position < bytes.count {
      if [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) {
        position += 1
      } else if isComment(bytes, position) {
        position += 4
        while position < bytes.count, !bytes[position...].starts(with: "-->".utf8) { position += 1 }
        position += 3
      } else {
        return bytes[position...].starts(with: "<?xml ".utf8) ? position : 0
      }
    }
    return 0
  }

  private static func isComment(_ bytes: ByteView, _ position: Int) -> Bool {
    bytes[position...].starts(with: "<!--".utf8)
  }

  /// Whether libxml2 reads a text as it is: in UTF-8, by its first bytes and by its declaration.
  static func isUTF8(_ bytes: ByteView) -> Bool {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF] as [UInt8]) ? 3 : 0
    let head = ByteView(rebasing: bytes.dropFirst(start).prefix(reach))
    guard head.count >= 4, head.prefix(4).allSatisfy({ $0 > 0 && $0 < 0x80 }) else { return false }
    guard head.starts(with: "<?xml") else { return true }
    guard let end = head.firstIndex(of: UInt8(ascii: ">")) else { return false }
    let declaration = ByteView(rebasing: head[...end])
    return ["utf-8", "utf8", nil].contains(encoding(of: declaration)?.lowercased())
  }
}

// MARK: - Whether an XML text begins like a property list, without reading further

/// The first elements of a text of XML.
struct XMLBeginning {
  static let reach = 64 * 1024

  private let bytes: Slice<ByteView>
  private var position: Int

  /// Whether the root is `plist`, or a list or dictionary without it, which CoreFoundation also reads.
  static func isPropertyList(_ text: ByteView) -> Bool {
    var beginning = XMLBeginning(bytes: text.prefix(reach), position: 0)
    switch beginning.nextTag() {
    case "plist"?: return true
    case "dict"?: return ["key", "/dict"].contains(beginning.nextTag())
    case "array"?:
      let elements: Set<String?> = [
        "/array", "dict", "array", "string", "integer", "real", "date", "data", "true", "false",
      ]
      return elements.contains(beginning.nextTag())
    default: return false
    }
  }

  /// The name of the next element, with a slash if it ends; nil if it is out of reach.
  private mutating func nextTag() -> String? {
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = start + 1
      if skip("!--", to: "-->") || skip("?", to: "?>") || skipDeclaration() { continue }
      let name = bytes[position...].prefix { byte in
        !(byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "<"))
      }
      position = name.endIndex
      guard name.endIndex < bytes.endIndex else { return nil }
      let text = String(decoding: name, as: UTF8.self)
      // An empty element is one that ends as well.
      return text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text
    }
    return nil
  }

  private mutating func skip(_ opening: StaticString, to closing: String) -> Bool {
    guard ByteView(rebasing: bytes[position...]).starts(with: opening) else {
      return false
    }
    position += opening.utf8CodeUnitCount
    while position < bytes.endIndex, !bytes[position...].starts(with: closing.utf8) {
      position += 1
    }
    return true
  }

  /// The document type, whose subset may hold declarations of its own.
  private mutating func skipDeclaration() -> Bool {
    guard position < bytes.endIndex, bytes[position] == UInt8(ascii: "!") else { return false }
    var depth = 1
    while position < bytes.endIndex, depth > 0 {
      if bytes[position] == UInt8(ascii: "<") { depth += 1 }
      if bytes[position] == UInt8(ascii: ">") { depth -= 1 }
      position += 1
    }
    return true
  }
}
