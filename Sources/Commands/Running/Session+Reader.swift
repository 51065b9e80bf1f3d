// How the options of a command say that inputs are read.

import Basics
import Batches
import CommandLineInterface
import KeyedArchives
import ObjectGraph
import PropertyLists

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
    for message in Self.messages(of: graph, input, storage) { tell(message) }
  }

  /// What a person should know of an input that could be read, and in which bytes its offsets count.
  static func messages(
    of graph: ObjectGraph, _ input: Input, _ storage: ByteStorage
  ) -> [MessageLine] {
    var messages = graph.warnings.map { warning in
      let located = warning.located(in: storage.bytes)
      return MessageLine.warning(located.line(file: input.name, severity: "warning"))
    }
    if let contents = graph.inflated {
      let count = Counted.text(contents.bytes.count, "byte")
      messages.append(
        .note("\(input.name): is gzip-compressed; offsets count in the \(count) that it holds"))
    }
    return messages
  }
}
