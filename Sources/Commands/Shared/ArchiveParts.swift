// Shared code of the commands that split and combine archives.

import Basics
import Batches
import CommandLineInterface
import KeyedArchives
import ObjectGraph

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
      let result = try make(try input.open(streams))
      try write(to: OutputDestination(for: input, arguments), result)
    } catch {
      report(error, file: input.name)
    }
  }
}
