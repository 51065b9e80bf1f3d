// How the options of a command say that inputs are read.

import Basics
import Batches
import CommandLineInterface
import KeyedArchives
import ObjectGraph
import PropertyLists

extension ParsedArguments {
  /// A reader for the inputs.
  ///
  /// - Parameter recovering: whether damaged inputs are read as far as they go.
  func reader(recovering: Bool = false) -> ArchiveReader {
    ArchiveReader(recovering: recovering, allowsJSON5: has(.json5))
  }
}

extension Session {
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

extension ObjectGraph {
  /// Why a root that begins as an archive cannot be read as one, though its bytes could be shown.
  var rootError: ArchiveError? {
    content(of: root) == nil ? contentError(of: root)?.below(path: "$") : nil
  }
}
