// XML property lists as a format.

import Basics
import ObjectGraph

extension Encoding {
  /// XML, document type plist.
  public static let xmlPropertyList = Encoding("XML property list", [.text, .archives, .vowel])
}

/// XML property lists.
package enum XMLFormat: PropertyListFormat {
  package static let encoding = Encoding.xmlPropertyList
  package static let word = "xml"
  package static let targetName: String? = "xml1"
  package static let keepsStoredValues = true

  package static func recognizes(_ beginning: inout InputBeginning) -> Bool {
    beginning.textEncoding() == encoding
  }

  package static func opensContent(_ bytes: UnsafeRawBufferPointer) -> Bool {
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
        || XMLBeginning.isPropertyList(UnsafeRawBufferPointer(rebasing: start))
    }
  }

  package static func read(_ input: FormatInput) throws(ArchiveError) -> FormatReading {
    let options = input.options
    do {
      let (document, warnings) = try XMLReader.read(
        input.bytes, fileOffset: input.fileOffset, limits: options.limits,
        keepsPlaces: options.keepsPlaces, givingBack: input.storageToGiveBack)
      return FormatReading(document, warnings: warnings)
    } catch {
      guard options.isRecovering else { throw error }
      let (document, losses) = try XMLReader.read(
        input.bytes, fileOffset: input.fileOffset, limits: options.limits, recovering: true)
      return FormatReading(document, losses: losses)
    }
  }

  package static func write(
    _ document: Document, _ options: WritingOptions, to output: inout OutputBuffer
  ) throws(ArchiveError) -> [ArchiveError] {
    let lost = try XMLWriter.write(
      document, limits: options.limits, keepsControlCharacters: options.keepsControlCharacters,
      to: &output)
    let widened = ArchiveError.widened(lost.singles, in: "XML")
    if lost.fractions == 0 { return widened }
    let dates = lost.fractions == 1 ? "date" : "dates"
    return [
      ArchiveError(
        .unrepresentable, "XML has whole seconds only: \(lost.fractions) \(dates) lost a fraction")
    ] + widened
  }

  package static func extent(of value: UnsafeRawBufferPointer) -> Int? {
    SourceExtent.element(value)
  }
}
