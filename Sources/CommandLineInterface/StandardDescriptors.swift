// Standard input, output and error, opened even if the parent process has closed them.

import ArchiveBasics

/// The descriptors 0, 1 and 2.
package enum StandardDescriptors {
  /// Opens the closed ones, so that no other file can get their numbers and be mistaken for them.
  ///
  /// All are opened for reading: standard input is at its end, and writing to the others fails as it would on
  /// a closed descriptor.
  package static func fill() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest number that is free is this one, since those below it are open.
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
