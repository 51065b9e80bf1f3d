// Standard input, output and error, open whatever the parent process has closed.

import Basics

/// The descriptors 0, 1 and 2.
public enum StandardDescriptors {
  /// Opens those that are closed, so that no other file can get their numbers and be taken for them.
  ///
  /// All are opened for reading: standard input is at its end, and what is written to the others fails as it would on
  /// a closed descriptor.
  public static func fill() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest number that is free is this one, since those below it are open.
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
