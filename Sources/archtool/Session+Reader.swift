// How the options of a command say that inputs are read.

import CommandLineInterface
import KeyedArchives

extension Session {
  /// A reader for the inputs.
  ///
  /// - Parameters:
  ///   - recovering: whether damaged inputs are read as far as they go.
  ///   - keepsPlaces: whether equal values of a text are told apart by their places.
  func reader(recovering: Bool = false, keepsPlaces: Bool = false) -> ArchiveReader {
    ArchiveReader(
      recovering: recovering, allowsJSON5: arguments.has(.json5), keepsPlaces: keepsPlaces)
  }
}
