// Inputs, or with --at the archives that lie in their data values.

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

  /// Opens each input in turn, or each archive in it.
  ///
  /// An error in one is reported and does not stop the others.
  func forEachArchive(
    at path: DataPath?, until isEnough: () -> Bool = { false },
    _ body: (Input, ByteStorage) throws(ArchiveError) -> Void,
    failed: (String, ArchiveError) -> Void
  ) {
    guard let path else { return forEachInput(until: isEnough, body, failed: failed) }
    forEachInput(
      until: isEnough,
      { (input, storage) throws(ArchiveError) in
        let embedded = try EmbeddedArchives(at: path, in: storage)
        for part in embedded.parts where !isEnough() {
          let inside = input.within(part.path)
          do throws(ArchiveError) {
            try body(inside, part.storage)
          } catch {
            failed(inside.name, error.located(in: part.storage.bytes))
          }
        }
      }, failed: failed)
  }

  /// The same, errors being reported.
  func forEachArchive(
    at path: DataPath?, _ body: (Input, ByteStorage) throws(ArchiveError) -> Void
  ) {
    forEachArchive(at: path, body, failed: { report($1, file: $0) })
  }
}
