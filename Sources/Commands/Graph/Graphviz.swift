// Graphviz, which makes SVG of pictures where it is installed.

import Basics
import Batches
import CommandLineInterface
import PropertyLists
import Rendering

/// Runs the program dot.
enum Graphviz {
  /// Writes a picture as SVG.
  ///
  /// - Throws: `ArchiveError` if Graphviz is missing or fails.
  static func write(_ picture: Picture, to output: inout OutputBuffer) throws(ArchiveError) {
    guard system("command -v dot >/dev/null 2>&1") == 0 else {
      throw ArchiveError(
        .cannotCreate,
        "SVG needs Graphviz, whose program 'dot' is not installed; --format dot needs no other program"
      )
    }
    let source = try PrivateFile.write(suffix: ".dot") { (output) throws(ArchiveError) in
      picture.write(as: .dot, to: &output)
    }
    defer { unlink(source) }
    let result = try PrivateFile.make(suffix: ".svg")
    defer { unlink(result) }
    guard system("dot -Tsvg -o \(result.quotedWord) \(source.quotedWord)") == 0 else {
      throw ArchiveError(.cannotCreate, "Graphviz cannot draw the picture")
    }
    let drawing = try Input(operand: result).open()
    output.bytes.append(drawing.bytes)
    withExtendedLifetime(drawing) {}
  }
}
