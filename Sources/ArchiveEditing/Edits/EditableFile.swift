// Files that are edited, as they are read.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

/// Edits files, and archives in their data values.
package enum EditableFile {
  /// Reads a file that is to be edited.
  ///
  /// - Throws: `ArchiveError` if it cannot be read, or has integers of more than 64 bits in JSON, which would change.
  package static func read(
    _ storage: ByteStorage, limits: Limits = Limits()
  ) throws(ArchiveError) -> ObjectGraph {
    let graph = try ArchiveReader(limits: limits, marksWide: true, warnsOfEqualKeys: true)
      .read(storage)
    if graph.documents[0].encoding == .json { try WideIntegers.refuse(in: graph.root, of: graph) }
    return graph
  }

  /// What a text has beside its values, and a text that is written anew has not.
  ///
  /// - Parameters:
  ///   - bytes: the text; nothing is said of other bytes.
  ///   - isKept: whether what is written of it has its format, too.
  ///   - isReplaced: whether the text is gone then. If it is not, a copy in another format is no loss.
  package static func warnings(
    about storage: ByteStorage, isReplaced: Bool = true,
    ifFormat isKept: (Encoding) -> Bool = { _ in true }
  ) -> [ArchiveError] {
    defer { withExtendedLifetime(storage) {} }
    var storage = storage
    var format = Formats.all.detect(storage.bytes)
    if case .wrapped = format {
      let graph = try? ArchiveReader().read(storage, resolving: false, nested: false)
      guard let content = graph?.unwrapped else { return [] }
      storage = content
      format = Formats.all.detect(storage.bytes)
    }
    guard let encoding = format.encoding, encoding.isText else { return [] }
    let isSame = isKept(encoding)
    guard isSame || isReplaced, let form = TextForm(of: storage.bytes, encoding) else { return [] }
    var lost: [String] = []
    if form.hasComments { lost.append("the comments in the text are not kept") }
    if isSame, let name = form.foreignEncoding {
      lost.append("the text was in \(name) and is in UTF-8 now")
    }
    return lost.map { ArchiveError(.unrepresentable, $0) }
  }
}
