// Edits: the first line is a JSON Patch or an edit, the remaining bytes are the archive that it changes.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import KeyedArchives

enum FuzzPatches {
  static func feed(_ storage: ByteStorage) {
    let (line, rest) = split(storage)
    var choice = FuzzChoice(storage)
    for sharing in choice.among([SharedObjects.refused, .changed, .copied]) {
      do throws(ArchiveError) {
        let edits = try read(ByteStorage(copying: Array(line.prefix(2000))))
        // Without edits the file is what it was, which nobody need be able to read.
        if edits.isEmpty { return }
        var document = EditedDocument(rest, sharing: sharing, limits: limits)
        for edit in edits.prefix(5) {
          try document.apply([edit])
          mustBeRead(document.storage)
        }
        mustBePossible(Array(edits.prefix(5)), in: rest, sharing)
      } catch {}
    }
  }

  /// Edits that are possible one after another are possible together.
  private static func mustBePossible(
    _ edits: [DocumentEdit], in storage: ByteStorage, _ sharing: SharedObjects
  ) {
    var document = EditedDocument(storage, sharing: sharing, limits: limits)
    do throws(ArchiveError) {
      try document.apply(edits)
      mustBeRead(document.storage)
    } catch {
      if error.code != .limit { fatalError("edits are refused together: \(error)") }
    }
  }

  private static func read(_ line: ByteStorage) throws(ArchiveError) -> [DocumentEdit] {
    guard line.bytes.first == UInt8(ascii: "[") else { return try DocumentEdit.readLines(line) }
    return try DocumentEdit.readPatch(line, limits: limits)
  }

  private static func mustBeRead(_ storage: ByteStorage) {
    do throws(ArchiveError) {
      _ = try ArchiveReader(limits: limits).read(storage)
    } catch {
      if error.code != .limit { fatalError("an edited file cannot be read: \(error)") }
    }
  }
}
