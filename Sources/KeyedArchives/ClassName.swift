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
    let pattern = WildcardPattern(pattern, hasOnes: false)
    if pattern.matches(stored) { return true }
    guard let path else { return false }
    return pattern.matches(path.plain.joined(separator: ".")) || pattern.matches(display)
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

  /// Whether no more names are read.
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
