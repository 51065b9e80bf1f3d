// The option --at: the archives that lie in data values of an input.

import Basics
import Batches
import CommandLineInterface
import KeyedArchives
import PropertyLists

extension Session {
  /// The path of `--at`; nil for files as a whole.
  static func dataPath(_ arguments: ParsedArguments) throws(UsageError) -> DataPath? {
    guard let text = arguments.value(of: .at) else { return nil }
    do {
      return try DataPath(parsing: text)
    } catch {
      throw UsageError(
        "'--at' needs a path such as '$.name[*]': \(error.message)",
        command: arguments.command.name)
    }
  }
}

extension Input {
  /// Hands over the input, or each of the archives at a path in it.
  ///
  /// - Parameters:
  ///   - path: where the archives are; nil for the input itself.
  ///   - failed: is told of an archive in the input that `body` gave up, which does not stop the others.
  /// - Throws: `ArchiveError` if there are no archives at the path, or what `body` throws of the input itself.
  func forEachArchive(
    at path: DataPath?, in storage: ByteStorage,
    _ body: (Input, ByteStorage) throws(ArchiveError) -> Void,
    failed: (Input, ArchiveError) -> Void
  ) throws(ArchiveError) {
    guard let path else { return try body(self, storage) }
    for part in try EmbeddedArchives(at: path, in: storage).parts {
      let inside = within(part.path)
      do throws(ArchiveError) {
        try body(inside, part.storage)
      } catch {
        failed(inside, error.located(in: part.storage.bytes))
      }
    }
  }
}
