// How the options of a command say that inputs are read.

import CommandLineInterface
import KeyedArchives
import ObjectGraph

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

  /// Says what a person should know of an input that could be read, and in which bytes its offsets count.
  func warn(of graph: ObjectGraph, _ input: Input, _ storage: ByteStorage) {
    for warning in graph.warnings { warn(warning.located(in: storage.bytes), file: input.name) }
    guard let contents = graph.inflated else { return }
    let count = Counted.text(contents.bytes.count, "byte")
    say("\(input.name): is gzip-compressed; offsets count in the \(count) that it holds")
  }
}
