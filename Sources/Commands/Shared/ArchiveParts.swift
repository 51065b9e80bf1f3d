// What the commands share that take archives apart and put them together.

import Basics
import Batches
import CommandLineInterface
import KeyedArchives
import ObjectGraph

extension Session {
  /// The path that an operand spells.
  func path(_ text: String) throws(UsageError) -> GraphPath {
    do {
      return try GraphPath(parsing: text)
    } catch {
      throw UsageError(
        "'\(text)' is not a path: \(error.message)", command: arguments.command.name)
    }
  }

  /// Makes a result of a file and writes it to its place.
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
