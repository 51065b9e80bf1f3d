// JSON as a format.

import Basics
import ObjectGraph

extension Encoding {
  /// RFC 8259.
  public static let json = Encoding("JSON", .text)
}

/// JSON, and JSON5 where that is allowed.
package enum JSONFormat: PropertyListFormat {
  package static let encoding = Encoding.json
  package static let word = "json"
  package static let targetName: String? = "json"

  package static func recognizes(_ beginning: inout InputBeginning) -> Bool {
    beginning.textEncoding() == encoding
  }

  package static func read(_ input: FormatInput) throws(ArchiveError) -> FormatReading {
    let options = input.options
    let reading = try JSONReader.readWithWarnings(
      input.bytes, fileOffset: input.fileOffset, limits: options.limits,
      allowsJSON5: options.allowsJSON5, keepsPlaces: options.keepsPlaces,
      marksWide: options.marksWide, recovering: options.isRecovering)
    return FormatReading(reading.document, warnings: reading.warnings, losses: reading.losses)
  }

  package static func write(
    _ document: Document, _ options: WritingOptions, to output: inout OutputBuffer
  ) throws(ArchiveError) -> [ArchiveError] {
    if options.isTyped {
      try writeTyped(document, options, to: &output)
      return []
    }
    let lost = try StrictJSONWriter.write(
      document, isCompact: options.isCompact, limits: options.limits, to: &output)
    let widened = ArchiveError.widened(lost.singles, in: "plain JSON")
    if lost.tagLike == 0 { return widened }
    return [
      ArchiveError(
        .mismatch,
        "a dictionary looks like a tag of typed JSON; --no-tags reads it unchanged")
    ] + widened
  }

  private static func writeTyped(
    _ document: Document, _ options: WritingOptions, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    let graph = ObjectGraph(limits: options.limits)
    let number = graph.add(document)
    let style = JSONWriter.Options(isTyped: true, isCompact: options.isCompact)
    try JSONWriter.write(graph.root(of: number), of: graph, options: style, to: &output)
  }

  package static func extent(of value: UnsafeRawBufferPointer) -> Int? {
    SourceExtent.bracketed(value, open: "[{", close: "]}", end: ",]}:")
  }
}
