// How the options of a command say that inputs are read.

import CommandLineInterface
import KeyedArchives

extension Session {
  /// A reader for the inputs.
  var reader: ArchiveReader { ArchiveReader(allowsJSON5: arguments.has(.json5)) }
}
