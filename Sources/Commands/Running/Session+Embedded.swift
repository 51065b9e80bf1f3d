// The option --at: the archives that lie in data values.

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
