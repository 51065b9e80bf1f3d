// An item on its way back to what it was before a run.

import Basics
import ObjectGraph

/// An item whose old bytes lie beside the new ones under temporary names.
struct StagedRestoration {
  /// One file that comes back, or goes.
  struct Step {
    let place: FileLocation
    let folder: FolderHandle
    /// The old bytes; nil if there was no file.
    let temporary: TemporaryFile?
    /// What is in the place now; nil if nothing is.
    let present: FileIdentity?
    /// The hash of what is in the place now.
    let content: ContentHash?

    /// Whether nobody has put anything else in the place since it was looked at.
    func isUntouched() throws(ArchiveError) -> Bool {
      let now = try folder.status(of: place.name).map { FileIdentity($0) }
      guard let now, let present else { return now == nil && present == nil }
      return now.isLike(present)
    }

    /// Puts the old bytes in the place, or takes the file away that was not there.
    ///
    /// - Throws: `ArchiveError`, also if somebody writes there at this moment; theirs stays then.
    func perform() throws(ArchiveError) {
      guard let temporary else { return try folder.remove(place.name) }
      guard let present else {
        // Without links the file system leaves a moment in which another file would be replaced.
        if try folder.link(temporary.name, as: place.name) { return try temporary.remove() }
        return try folder.move(temporary.name, to: place.name)
      }
      let exchange = try FileExchange(folder, name: place.name, temporary: temporary.name)
      let outcome = try exchange.perform { (file) throws(ArchiveError) in
        guard let content else { return false }
        return try file.holds(content, as: present)
      }
      switch outcome {
      case .done: try temporary.remove()
      case .putBack(let error), .held(let error): throw error
      case .unsupported: try folder.move(temporary.name, to: place.name)
      }
    }
  }

  /// The file that the item is named for.
  let file: String
  /// What comes back first stands first.
  var steps: [Step] = []
  /// What its files had and cannot be given back, in words.
  var lost: [String] = []

  /// Removes the temporary files.
  func discard() {
    for step in steps {
      // What cannot be removed now, the end of an undo takes away.
      do throws(ArchiveError) { try step.temporary?.remove() } catch {}
    }
  }
}
