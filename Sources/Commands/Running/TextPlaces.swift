// Lines and columns for messages about files that are texts, whichever command meets the problem.

import Basics
import PropertyLists

/// Finds lines and columns in the files that messages are about.
///
/// Inputs, schemas, plans and journals are all texts at times, and errors carry offsets. The file is looked at only when
/// there is an error, and the last one is kept, since a file with one error often has more.
final class TextPlaces {
  private var known: (path: String, storage: ByteStorage, positions: TextPositions?)?

  /// The line and column of a byte; nil if the file is not a text, or not there.
  func position(at offset: Int, in path: String) -> TextPosition? {
    if known?.path != path {
      // Not a pipe, which opening would disturb.
      guard FolderListing.isFile(path), let storage = try? ByteStorage.open(path: path) else {
        return nil
      }
      known = (path, storage, TextPositions(of: storage.bytes))
    }
    return known?.positions?.position(at: offset)
  }
}

extension Session {
  /// An error with the line and column of its offset, if the file that it is about is a text.
  func located(_ error: ArchiveError, file: String) -> ArchiveError {
    guard let offset = error.offset, error.position == nil else { return error }
    return error.at(position: textPlaces.position(at: offset, in: error.file ?? file))
  }
}
