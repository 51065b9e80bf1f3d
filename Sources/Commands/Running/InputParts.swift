// The option --at: the archives in data values of an input.

import Basics
import Batches
import CommandLineInterface
import KeyedArchives
import PropertyLists

extension Session {
  /// The paths of `--at`; nil for whole files.
  static func dataPath(_ arguments: ParsedArguments) throws(UsageError) -> DataPath? {
    do throws(ArchiveError) {
      var paths: [DataPath] = []
      for text in arguments.values(of: .at) { paths.append(try DataPath(parsing: text)) }
      return DataPath(joining: paths)
    } catch {
      throw UsageError(
        "'--at' needs a path such as '$.name[*]': \(error.message)",
        command: arguments.command.name)
    }
  }
}

extension Input {
  /// Passes on the input, or each of the archives at a path in it.
  ///
  /// - Parameters:
  ///   - path: the path of the archives; nil for the input itself.
  ///   - failed: called for a nested archive in which `body` failed; the others are still processed.
  /// - Throws: `ArchiveError` if there are no archives at the path, or the error of `body` for the input itself.
  func forEachArchive(
    at path: DataPath?, in storage: ByteStorage,
    _ body: (Input, ByteStorage) throws(ArchiveError) -> Void,
    failed: (Input, ArchiveError) -> Void
  ) throws(ArchiveError) {
    guard let path else { return try body(self, storage) }
    for part in try EmbeddedArchives(at: path, in: storage).parts {
      let inside = within(part.path.description)
      do throws(ArchiveError) {
        try body(inside, part.storage)
      } catch {
        failed(inside, error.located(in: part.storage.bytes))
      }
    }
  }
}

// MARK: - Lines and columns for messages about files that are texts

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
