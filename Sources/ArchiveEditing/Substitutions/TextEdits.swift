// Strings to be replaced, decided together: a string without other references is replaced
// in place, any other gets a new one beside it.

import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

/// New strings for references to strings.
struct TextEdits {
  private struct Edit {
    let container: UInt32
    let position: Int
    let text: String
  }

  private var edits: [UInt32: [Edit]] = [:]
  private var order: [UInt32] = []

  /// Replaces the string of a reference.
  ///
  /// - Parameter old: the current string of the reference.
  mutating func replace(_ old: UInt32, in container: UInt32, at position: Int, by text: String) {
    if edits[old] == nil { order.append(old) }
    edits[old, default: []].append(Edit(container: container, position: position, text: text))
  }

  /// Makes the edits.
  ///
  /// Writers make equal strings one: what names a class may be a user's value as well, and is split from it here.
  func apply(to patch: inout TablePatch) {
    for old in order {
      guard let edits = edits[old], let first = edits.first else { continue }
      let isAlone = patch.uses(of: old) == edits.count
      if isAlone, edits.allSatisfy({ $0.text.utf8.elementsEqual(first.text.utf8) }) {
        patch.replace(old, with: TablePatch.encoded(first.text))
        continue
      }
      for edit in edits {
        patch.setChild(of: edit.container, at: edit.position, to: patch.add(edit.text))
      }
    }
  }
}
