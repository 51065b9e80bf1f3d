// NIBArchives as a format.

import Basics
import ObjectGraph

extension Encoding {
  /// What UIKit's nib encoder wrote: compiled interface files of iOS.
  public static let nibArchive = Encoding(
    "NIBArchive", [.archives, .translated, .verbatimData])
}

/// The compiled interface files of iOS; opened within other archives, too.
enum NibFormat: PropertyListFormat {
  static let encoding = Encoding.nibArchive
  static let word = "nib"

  static func recognizes(_ beginning: inout InputBeginning) -> Bool {
    opensContent(beginning.bytes)
  }

  static func opensContent(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.starts(with: "NIBArchive")
  }

  static func read(_ input: FormatInput) throws(ArchiveError) -> FormatReading {
    do {
      return FormatReading(
        try NibReader.read(
          input.bytes, fileOffset: input.fileOffset, keepsGroups: input.options.keepsGroups))
    } catch {
      throw error.shifted(by: input.fileOffset)
    }
  }
}
