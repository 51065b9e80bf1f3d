// How the options of a command say that inputs are read.

import CommandLineInterface
import KeyedArchives

extension Session {
  /// A reader for the inputs.
  ///
  /// - Parameter recovering: whether damaged inputs are read as far as they go.
  func reader(recovering: Bool = false) -> ArchiveReader {
    ArchiveReader(recovering: recovering, allowsJSON5: arguments.has(.json5))
  }
}
