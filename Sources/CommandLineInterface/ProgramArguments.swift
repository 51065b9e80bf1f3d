// The words that the program was started with, as the system has them.

import Basics

/// The arguments of this process.
package enum ProgramArguments {
  /// The arguments after the program's name; one may be a path that is not UTF-8.
  package static var words: [String] {
    // CommandLine.arguments replaces each such byte by a character of its own.
    let vector = ArgumentVector.ofProcess
    var words: [String] = []
    for position in 1..<max(1, vector.count) {
      if let word = vector.words[position] { words.append(String(path: word)) }
    }
    return words
  }
}
