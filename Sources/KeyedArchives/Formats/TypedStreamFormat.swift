// Typedstreams as a format.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveTypedStreams

/// What NSArchiver writes, either byte order.
package enum TypedStreamFormat: PropertyListFormat {
  package static let encoding = Encoding.typedStream
  package static let word = "typedstream"
  package static let targetName: String? = "typedstream"

  /// The version byte, the length of the name, and the name, which determines the byte order.
  package static func opensContent(_ bytes: ByteView) -> Bool {
    guard let version = bytes.first, (1...4).contains(version) else { return false }
    let rest = ByteView(rebasing: bytes.dropFirst())
    return rest.starts(with: "\u{0B}streamtyped") || rest.starts(with: "\u{0B}typedstream")
  }

  package static func read(_ input: FormatInput) throws(ArchiveError) -> FormatReading {
    let reading = try TypedStreamReader.read(
      input.bytes, fileOffset: input.fileOffset,
      layouts: input.options.keepsGroups ? nil : ClassRegistry.streamLayouts,
      limits: input.options.limits, recovering: input.options.isRecovering,
      forEditing: input.options.isForEditing, givingBack: input.storageToGiveBack)
    return FormatReading(
      reading.document, warnings: reading.warnings, losses: reading.losses)
  }

  package static func write(
    _ document: Document, _ options: WritingOptions, to output: inout OutputBuffer
  ) throws(ArchiveError) -> [ArchiveError] {
    let graph = ObjectGraph(limits: options.limits)
    let number = graph.add(document)
    try KeyedArchive.resolve(document: number, in: graph)
    output.bytes.append(try TypedStreamEncoder.encode(graph.root(of: number), of: graph))
    return []
  }
}

// MARK: - All formats: property lists and those of archives

extension Formats {
  /// Every format that archtool reads.
  package static let all = propertyLists.adding([TypedStreamFormat.self, GNUstepFormat.self])
}
