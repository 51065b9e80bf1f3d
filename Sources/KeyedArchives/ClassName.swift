// The name of a class as an archive stores it, and as people write it: Swift classes that are nested,
// private or generic are stored mangled, `_TtCV3App5Movie10MovieClass` for App.Movie.MovieClass.

import ArchiveBasics
import ArchiveGraph

/// The name of a class, as stored and as people read it.
///
/// A mangled name that is not understood is shown as it is stored. The parsing is the project's own,
/// with bounds, because names come from files that may be hostile.
package struct ClassName: Hashable, Sendable {
  /// The name exactly as it is stored in the archive.
  package let stored: String

  /// The name as people read it: demangled, or the stored text where that is not a mangled name.
  package let display: String

  /// The parts of a demangled name; absent where the stored text is shown.
  private let path: NamePath?

  /// Reads a name as an archive stores it.
  package init(stored: String) {
    self.stored = stored
    if let demangled = DemangledName(stored) {
      display = demangled.display
      path = demangled.path
    } else {
      display = stored
      path = nil
    }
  }

  /// The module that the name begins with, or nil where the name is not qualified.
  ///
  /// A type that an extension adds to another module's type begins with that other module.
  package var module: String? {
    let parts = plainComponents
    return parts.count > 1 ? parts.first : nil
  }

  /// The parts of the name from the module down, private and local names marked as `display` marks them.
  ///
  /// `["App", "Movie", "MovieClass"]`, or `["App", "Movie", "(MovieClass in _HEX)"]` where the class
  /// is private. The functions around a local class are parts too, without their types.
  package var components: [String] {
    path?.marked ?? Self.split(stored)
  }

  /// The parts of the name with nothing but the declared names: `["App", "Movie", "MovieClass"]`.
  package var plainComponents: [String] {
    path?.plain ?? Self.split(stored)
  }

  /// Whether a pattern matches the name.
  ///
  /// In a pattern `*` matches any run of characters and all else itself. It must match the whole
  /// in one of three notations: the plain components joined by dots, the stored text, or `display`.
  /// So `MovieClass` fits only a class stored by that bare name, and `*.MovieClass` one in any module.
  package func matches(pattern: String) -> Bool {
    WildcardPattern(pattern, hasOnes: false).matches(self)
  }

  /// Splits a name that is not mangled at the dots outside of brackets.
  ///
  /// What does not look like a qualified name (an empty part, unbalanced brackets) stays whole.
  private static func split(_ name: String) -> [String] {
    let bytes = name.utf8
    guard bytes.count <= DemangledName.longestInput, bytes.contains(UInt8(ascii: ".")) else {
      return [name]
    }
    var parts: [String] = []
    var start = bytes.startIndex
    var nesting = 0
    var previous: Unicode.Scalar = "."
    for index in bytes.indices {
      let byte = Unicode.Scalar(bytes[index])
      switch byte {
      case "<", "(", "[": nesting += 1
      case ")", "]": nesting -= 1
      case ">" where previous != "-": nesting -= 1
      case "." where nesting == 0:
        parts.append(String(name[start..<index]))
        start = bytes.index(after: index)
      default: break
      }
      if nesting < 0 { return [name] }
      previous = byte
    }
    parts.append(String(name[start...]))
    return nesting == 0 && !parts.contains("") ? parts : [name]
  }
}

extension ClassName: CustomStringConvertible {
  /// The same as `display`.
  package var description: String { display }
}

// MARK: - How much of an archive's class names is read

/// What may still be read of the names in an archive's class records.
struct ClassNameAllowance {
  /// The error of an archive whose class names exceed the limit, or nil.
  private(set) var excess: String?
  /// Names of Swift's generic classes take some hundred bytes; the longest that are known, a few thousand.
  private static let longest = 16_384
  /// The cost of a name in addition to its bytes.
  private static let overhead = 32

  private var rest: Int
  private let limit: Int
  private var isReported = false

  /// Makes an allowance for an archive of so many bytes.
  init(archiveSize: Int) {
    limit = max(1 << 24, archiveSize &* 4)
    rest = limit
  }

  var isExceeded: Bool { excess != nil }

  /// A name; nil if it is missing or exceeds the limit.
  mutating func string(_ text: Text?) -> String? {
    guard let text, !isExceeded else { return nil }
    rest -= text.byteCount + Self.overhead
    if text.byteCount > Self.longest {
      excess = "the class name is \(text.byteCount) bytes long; the limit is \(Self.longest)"
    } else if rest < 0 {
      excess = "the class records share so many names that they take more than \(limit) bytes"
    }
    return isExceeded ? nil : text.string
  }

  /// The error of names that exceed the limit; nil if they do not, or if it was reported.
  mutating func reportExcess() -> ArchiveError? {
    guard let excess, !isReported else { return nil }
    isReported = true
    return ArchiveError(.limit, excess)
  }
}

// MARK: - Patterns for names: `*` for any run of characters, `?` for one

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

  /// Whether the pattern fits a class's name as it is stored, as its plain parts joined by dots, or as it is shown.
  package func matches(_ name: ClassName) -> Bool {
    if matches(name.stored) { return true }
    guard name.display != name.stored else { return false }
    return matches(name.plainComponents.joined(separator: ".")) || matches(name.display)
  }

  /// The same for a name as it is stored.
  package func matches(class stored: String) -> Bool { matches(ClassName(stored: stored)) }
}
