// A mangled name, decoded for people.

/// A mangled name that could not be read, whole and within the bounds.
struct NotUnderstood: Error {}

/// The parts of a name from the module down, in two spellings.
struct NamePath: Hashable, Sendable {
  /// Private names as `(Name in _HEX)`, local ones as `Name #1`, extensions named.
  let marked: [String]
  /// Nothing but the declared names.
  let plain: [String]
}

/// The content of a mangled name.
struct DemangledName {
  /// The longest mangled name that is read, in bytes.
  static let longestInput = 4096

  /// How deep types and contexts may be nested.
  static let deepestNesting = 64

  /// The longest text that a name may become, in bytes: substitutions can double it at each level.
  static let longestOutput = 16384

  /// The name as `swift-demangle` writes it.
  let display: String
  /// The parts of the name.
  let path: NamePath

  /// Reads a name in the old mangling (`_Tt…`) or the new one (`$s…`), or gives nil.
  init?(_ stored: String) {
    guard stored.utf8.first == UInt8(ascii: "_") || stored.utf8.first == UInt8(ascii: "$"),
      stored.utf8.count <= Self.longestInput
    else { return nil }
    do throws(NotUnderstood) {
      let tree = try Self.read(stored)
      display = try NameText.spell(tree, as: .marked)
      path = NamePath(
        marked: try NameText.path(in: tree, as: .marked),
        plain: try NameText.path(in: tree, as: .plain))
    } catch {
      return nil
    }
  }

  /// Chooses the mangling by its prefix; a linker's symbol has one more underscore.
  static func read(_ stored: String) throws(NotUnderstood) -> NameTree {
    if stored.hasPrefix("_Tt") {
      return try OldMangling.read(NameCursor(stored.utf8.dropFirst(3)))
    }
    for prefix in ["$s", "_$s", "$S", "_$S"] where stored.hasPrefix(prefix) {
      return try NewMangling.read(NameCursor(stored.utf8.dropFirst(prefix.utf8.count)))
    }
    throw NotUnderstood()
  }
}
