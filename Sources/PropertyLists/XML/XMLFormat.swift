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
    let text = UnsafeRawBufferPointer(rebasing: withoutByteOrderMark(bytes))
    if text.starts(with: "<?xml") { return XMLBeginning.isPropertyList(text) }
    return text.starts(with: "<!DOCTYPE plist") || text.starts(with: "<plist")
  }

  private static func withoutByteOrderMark(
    _ bytes: UnsafeRawBufferPointer
  ) -> Slice<UnsafeRawBufferPointer> {
    for mark in [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF], [0, 0, 0xFE, 0xFF]] as [[UInt8]]
    where bytes.starts(with: mark) {
      return bytes.dropFirst(mark.count)
    }
    return bytes.dropFirst(0)
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
    let lost = try XMLWriter.write(document, limits: options.limits, to: &output)
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
