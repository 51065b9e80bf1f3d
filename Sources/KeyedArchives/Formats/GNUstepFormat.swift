// GNUstep archives as a format.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveTypedStreams

/// What NSArchiver of gnustep-base writes; opened within other archives, too.
enum GNUstepFormat: PropertyListFormat {
  static let encoding = Encoding.gnustepArchive
  static let word = "gnustep"

  static func opensContent(_ bytes: ByteView) -> Bool {
    bytes.starts(with: "GNUstep archive")
  }

  static func read(_ input: FormatInput) throws(ArchiveError) -> FormatReading {
    let reading = try GNUstepReader.read(
      input.bytes, fileOffset: input.fileOffset, keepsGroups: input.options.keepsGroups,
      limits: input.options.limits, recovering: input.options.isRecovering)
    return FormatReading(reading.document, warnings: reading.warnings, losses: reading.losses)
  }
}
