// Operands in the wrong order: a file where something else belongs.

import Basics
import CommandLineInterface

extension ParsedArguments {
  /// The command line that was meant, as the end of a message; nil unless another operand than FILE is a file.
  var swappedHint: String? {
    let words = command.operands.words
    // A patch is a file as well.
    guard words.count > 1, !words.contains("PATCH"), let place = words.firstIndex(of: "FILE"),
      place < operands.count, operands[place] != "-", !FolderListing.isFile(operands[place]),
      !FolderListing.isFolder(operands[place]),
      let found = operands.indices.first(where: {
        // Several files may follow each other.
        ($0 < place || !command.operands.isRepeated && $0 > place)
          && FolderListing.isFile(operands[$0])
      })
    else { return nil }
    var right = operands
    let file = right.remove(at: found)
    right.insert(file, at: place)
    let line = ([command.name] + right.map(\.shellWord)).joined(separator: " ")
    let order = place == 0 ? "first" : "after \(words[place - 1])"
    return "; \(quoted(file)) is a file, and FILE comes \(order): archtool \(line)"
  }
}
