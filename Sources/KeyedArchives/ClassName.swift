// The name of a class as an archive stores it, and as people write it: Swift classes that are nested,
// private or generic are stored mangled, `_TtCV3App5Movie10MovieClass` for App.Movie.MovieClass.

/// The name of a class, as stored and as people read it.
///
/// A mangled name that is not understood is shown as it is stored. The parsing is the project's own,
/// with bounds, because names come from files that may be hostile.
public struct ClassName: Hashable, Sendable {
  /// The name exactly as the archive holds it.
  public let stored: String

  /// The name as people read it: demangled, or the stored text where that is not a mangled name.
  public let display: String

  /// The parts of a demangled name; absent where the stored text is shown.
  private let path: NamePath?

  /// Reads a name as an archive stores it.
  public init(stored: String) {
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
  public var module: String? {
    let parts = plainComponents
    return parts.count > 1 ? parts.first : nil
  }

  /// The parts of the name from the module down, private and local names marked as `display` marks them.
  ///
  /// `["App", "Movie", "MovieClass"]`, or `["App", "Movie", "(MovieClass in _HEX)"]` where the class
  /// is private. The functions around a local class are parts too, without their types.
  public var components: [String] {
    path?.marked ?? Self.split(stored)
  }

  /// The parts of the name with nothing but the declared names: `["App", "Movie", "MovieClass"]`.
  public var plainComponents: [String] {
    path?.plain ?? Self.split(stored)
  }

  /// Tells whether a pattern describes the name.
  ///
  /// In a pattern `*` stands for any run of characters and all else for itself. It must fit the whole
  /// of one of three spellings: the plain components joined by dots, the stored text, or `display`.
  /// So `MovieClass` fits only a class stored by that bare name, and `*.MovieClass` one in any module.
  public func matches(pattern: String) -> Bool {
    let pattern = WildcardPattern(pattern, hasOnes: false)
    if pattern.matches(stored) { return true }
    guard let path else { return false }
    return pattern.matches(path.plain.joined(separator: ".")) || pattern.matches(display)
  }

  /// Splits a name that is not mangled at the dots that stand outside of brackets.
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
  public var description: String { display }
}
