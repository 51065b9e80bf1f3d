// Shared code of the commands that split and combine archives.

import Basics
import Batches
import CommandLineInterface
import KeyedArchives
import ObjectGraph
import PropertyLists

extension Session {
  /// The path in an operand.
  func path(_ text: String) throws(UsageError) -> GraphPath {
    do {
      return try GraphPath(parsing: text)
    } catch {
      throw UsageError(
        "'\(text)' is not a path: \(error.message)", command: arguments.command.name)
    }
  }

  /// Creates a result from a file and writes it to its destination.
  func make(
    of file: String, _ make: (ByteStorage) throws(ArchiveError) -> ByteStorage
  ) {
    let input = Input(operand: file)
    do throws(ArchiveError) {
      let storage = try input.open(streams)
      let result: ByteStorage
      do throws(ArchiveError) { result = try make(storage) } catch {
        throw error.located(in: storage.bytes)
      }
      try write(to: OutputDestination(for: input, arguments), result)
    } catch {
      report(error, file: input.name)
    }
  }
}
