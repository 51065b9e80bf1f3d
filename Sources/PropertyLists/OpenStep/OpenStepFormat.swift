// OpenStep property lists as a format.

import Basics
import ObjectGraph

extension Encoding {
  /// The text property lists of NeXTSTEP, GNUstep and Xcode.
  public static let openStepPropertyList = Encoding(
    "OpenStep property list", [.text, .archives, .textualNumbers, .vowel])
}

/// OpenStep property lists, with GNUstep's types for those that OpenStep lacks.
package enum OpenStepFormat: PropertyListFormat {
  package static let encoding = Encoding.openStepPropertyList
  package static let word = "openstep"
  package static let targetName: String? = "openstep"
  package static let keepsStoredValues = true

  package static func recognizes(_ beginning: inout InputBeginning) -> Bool {
    beginning.textEncoding() == encoding
  }

  package static func read(_ input: FormatInput) throws(ArchiveError) -> FormatReading {
    try OpenStepReader.read(
      input.bytes, fileOffset: input.fileOffset, limits: input.options.limits,
      recovering: input.options.isRecovering)
  }

  package static func write(
    _ document: Document, _ options: WritingOptions, to output: inout OutputBuffer
  ) throws(ArchiveError) -> [ArchiveError] {
    let singles = try OpenStepWriter.write(document, limits: options.limits, to: &output)
    return ArchiveError.widened(singles, in: "an OpenStep property list")
  }

  package static func extent(of value: UnsafeRawBufferPointer) -> Int? {
    SourceExtent.bracketed(value, open: "({<", close: ")}>", end: ",)}>;=")
  }
}
