// Patterns for the names of rules: `*` for any run of characters, `?` for one, each remembering what it matched.

import ArchiveBasics

/// A pattern whose wildcards remember their matches.
package struct WildcardPattern: Hashable, Sendable {
  private enum Piece: Hashable, Sendable {
    case literal(Unicode.Scalar)
    case one
    case run
  }

  /// The matches of the wildcards of a pattern, each kind from left to right.
  package struct Captures {
    fileprivate var runs: [String] = []
    fileprivate var ones: [String] = []
  }

  private let pieces: [Piece]

  /// Reads a pattern; every text is one.
  ///
  /// - Parameter hasOnes: whether `?` is a wildcard. Patterns of `--allow-classes` and of schemas have `*` alone.
  package init(_ text: String, hasOnes: Bool = true) {
    pieces = text.unicodeScalars.map {
      $0 == "*" ? .run : hasOnes && $0 == "?" ? .one : .literal($0)
    }
  }

  /// The number of `*` and of `?`.
  package var wildcards: (runs: Int, ones: Int) {
    (pieces.count { $0 == .run }, pieces.count { $0 == .one })
  }

  /// The matches of the wildcards in a name; nil if the pattern does not match.
  ///
  /// Each `*` takes as little as it can, from left to right.
  package func captures(in name: String) -> Captures? {
    let scalars = Array(name.unicodeScalars)
    return match(scalars).map { captures(of: scalars, $0.starts) }
  }

  /// Whether the pattern fits the whole name.
  package func matches(_ name: String) -> Bool { match(Array(name.unicodeScalars)) != nil }

  /// The name of the pattern with its wildcards filled in from another of as many.
  package func filled(with captures: Captures) -> String {
    var runs = captures.runs[...]
    var ones = captures.ones[...]
    var text = ""
    for piece in pieces {
      switch piece {
      case .literal(let scalar): text.unicodeScalars.append(scalar)
      case .run: text += runs.popFirst() ?? ""
      case .one: text += ones.popFirst() ?? ""
      }
    }
    return text
  }

  /// The name of the pattern with one text for each wildcard.
  package func filled(with text: String) -> String {
    pieces.reduce(into: "") { name, piece in
      if case .literal(let scalar) = piece {
        name.unicodeScalars.append(scalar)
      } else {
        name += text
      }
    }
  }

  private func match(_ scalars: [Unicode.Scalar]) -> WildcardMatch? {
    WildcardMatch(
      of: pieces, in: scalars, isRun: { $0 == .run },
      fits: { piece, scalar in piece == .one || piece == .literal(scalar) })
  }

  private func captures(of scalars: [Unicode.Scalar], _ starts: [Int]) -> Captures {
    var captures = Captures()
    for (number, piece) in pieces.enumerated() {
      var text = ""
      text.unicodeScalars.append(contentsOf: scalars[starts[number]..<starts[number + 1]])
      switch piece {
      case .literal: continue
      case .one: captures.ones.append(text)
      case .run: captures.runs.append(text)
      }
    }
    return captures
  }
}

extension WildcardPattern {
  /// Whether the pattern fits a class's name as it is stored, as its plain parts joined by dots, or as it is shown.
  package func matches(_ name: ClassName) -> Bool {
    if matches(name.stored) { return true }
    guard name.display != name.stored else { return false }
    return matches(name.plainComponents.joined(separator: ".")) || matches(name.display)
  }

  /// The same for a name as it is stored.
  package func matches(class stored: String) -> Bool { matches(ClassName(stored: stored)) }
}
