// An item during its restoration.

import Basics
import ObjectGraph

/// An item whose old bytes are beside the new ones under temporary names.
struct StagedRestoration {
  /// One file that comes back, or goes.
  struct Step {
    let place: FileLocation
    let folder: FolderHandle
    /// The old bytes; nil if the file did not exist.
    let temporary: TemporaryFile?
    /// The current file, or nil.
    let present: FileIdentity?
    /// The hash of the current file.
    let content: ContentHash?

    /// Whether nobody has replaced the file since it was checked.
    func isUntouched() throws(ArchiveError) -> Bool {
      let now = try folder.status(of: place.name).map { FileIdentity($0) }
      guard let now, let present else { return now == nil && present == nil }
      return now.isLike(present)
    }

    /// Restores the old bytes, or removes a file that did not exist.
    ///
    /// - Throws: `ArchiveError`, also if somebody writes there at this moment; theirs stays then.
    func perform() throws(ArchiveError) {
      guard let temporary else { return try folder.remove(place.name) }
      guard let present else {
        return try folder.rename(temporary.name, toNew: place.name)
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
  /// In the order of restoration.
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
