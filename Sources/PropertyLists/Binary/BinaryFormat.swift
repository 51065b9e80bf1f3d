// Binary property lists as a format.

import Basics
import ObjectGraph

extension Encoding {
  /// `bplist00`.
  public static let binaryPropertyList = Encoding("binary property list", [.table, .archives])
}

/// Binary property lists.
package enum BinaryFormat: PropertyListFormat {
  package static let encoding = Encoding.binaryPropertyList
  package static let word = "binary"
  package static let targetName: String? = "binary1"
  package static let keepsStoredValues = true

  package static func recognizes(_ beginning: inout InputBeginning) -> Bool {
    beginning.starts(with: "bplist0")
  }

  package static func opensContent(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.starts(with: "bplist0")
  }

  package static func read(_ input: FormatInput) throws(ArchiveError) -> FormatReading {
    do {
      var (document, warnings) = try BinaryReader.read(
        input.bytes, storage: input.storage, fileOffset: input.fileOffset)
      if input.options.warnsOfEqualKeys, !warnings.contains(where: { $0.subject == .repeatedKey }),
        let (dictionary, key) = document.table.equalKeys()
      {
        warnings.append(
          .repeatedKey(
            document.table.text(at: key)?.string ?? "", offset: document.fileOffset(of: dictionary))
        )
      }
      return FormatReading(document, warnings: warnings)
    } catch {
      guard input.options.isRecovering,
        let (document, losses) = BinaryRecovery.read(
          input.bytes, fileOffset: input.fileOffset, limits: input.options.limits)
      else { throw error }
      return FormatReading(document, losses: [error] + losses)
    }
  }

  package static func write(
    _ document: Document, _ options: WritingOptions, to output: inout OutputBuffer
  ) throws(ArchiveError) -> [ArchiveError] {
    let canonical = try TableCopy.canonical(document, limits: options.limits)
    BinaryWriter.write(canonical, to: &output)
    return []
  }
}
