// The names to be replaced in archives: the rules, without an archive.

import ArchiveBasics
import ArchiveWriting
import KeyedArchives

/// Rules for names in archives: classes, the archiver, the keys of fields.
///
/// All rules apply to the original archive, independently of each other. Of several for one name the first counts, so that
/// `A=B` and `B=A` together swap two names.
package struct Substitutions: Hashable, Sendable {
  /// Classes that get other names, wherever class records and typedstreams name them.
  package var classRenames: [ClassRename] = []
  /// The name that archives give for their archiver; nil to leave it.
  package var archiver: String?
  /// Classes, or patterns for them, whose objects become nil.
  package var droppedClasses: [String] = []
  /// Keys of fields that get other names.
  package var keyRenames: [KeyRename] = []
  /// Top-level keys that get other names.
  package var topRenames: [TopRename] = []
  /// Whether what nothing reaches is removed: dropped objects with what they alone held, and what lay there before.
  package var prunes = false
  /// Classes, or patterns for them, that no rule is for.
  package var exemptClasses: [String] = []

  /// Makes no rules.
  package init() {}

  /// Reads rules as they are written.
  ///
  /// - Parameters:
  ///   - classRenames: rules `OLD=NEW`.
  ///   - archiver: the name of an archiver.
  ///   - droppedClasses: class names or patterns.
  ///   - keyRenames: rules `CLASS.OLD=NEW`.
  ///   - topRenames: rules `OLD=NEW`.
  ///   - exemptClasses: names or patterns of classes that the rules leave alone.
  ///   - prunes: whether what nothing reaches is removed.
  /// - Throws: `ArchiveError` with code `malformed` at the first text that is not a rule.
  package init(
    classRenames: [String], archiver: String?, droppedClasses: [String], keyRenames: [String],
    topRenames: [String] = [], exemptClasses: [String] = [], prunes: Bool = false
  ) throws(ArchiveError) {
    (self.archiver, self.exemptClasses, self.prunes) = (archiver, exemptClasses, prunes)
    for rule in classRenames { self.classRenames.append(try ClassRename(rule: rule)) }
    for name in droppedClasses {
      guard !name.isEmpty else {
        throw ArchiveError(.malformed, "the name of a class to drop is empty")
      }
      self.droppedClasses.append(name)
    }
    for rule in keyRenames { self.keyRenames.append(try KeyRename(rule: rule)) }
    for rule in topRenames { self.topRenames.append(try TopRename(rule: rule)) }
    if archiver?.isEmpty == true {
      throw ArchiveError(.malformed, "the name of the archiver is empty")
    }
  }

  /// Whether there are no rules.
  package var isEmpty: Bool {
    classRenames.isEmpty && archiver == nil && droppedClasses.isEmpty && keyRenames.isEmpty
      && topRenames.isEmpty && !prunes
  }
  /// The rules that would give a name that they gave another one, were the archive rewritten a second time.
  package var repeatingRenames: [ClassRename] {
    let rules = SubstitutionRules(self)
    return classRenames.enumerated().compactMap { number, rename in
      rules.renaming(of: rename.exampleOfNew)?.rule == number ? rename : nil
    }
  }
}

// MARK: - One rule for class names: `OldApp.Movie=NewApp.Movie`, `OldApp.*=NewApp.*`

/// A class's old name or a pattern for several, and the new one.
package struct ClassRename: Hashable, Sendable {
  /// The old name: `*` matches any run of characters, `?` one.
  package let old: String
  /// The new name, whose wildcards take what those of the old one matched, in their order; one without wildcards is that
  /// of all that match.
  package let new: String

  private let oldPattern: WildcardPattern
  private let newPattern: WildcardPattern
  /// The declared names in an old name that is written mangled, and in such a new one.
  private let oldPath: String?
  private let newPath: String?

  /// The rule as it is written.
  package var text: String { "\(old)=\(new)" }

  /// Makes a rule of its two sides.
  ///
  /// - Throws: `ArchiveError` with code `malformed` if a side is empty or the wildcards of the sides do not pair.
  package init(old: String, new: String) throws(ArchiveError) {
    let text = "\(old)=\(new)"
    try RuleText.require(old, "the old class name before '='", in: text)
    try RuleText.require(new, "the new class name after '='", in: text)
    oldPattern = WildcardPattern(old)
    newPattern = WildcardPattern(new)
    let (left, right) = (oldPattern.wildcards, newPattern.wildcards)
    // Without wildcards after '=' all matches get one name.
    guard left == right || right == (0, 0) else {
      let mark = left.runs == right.runs ? "?" : "*"
      throw ArchiveError(
        .malformed, "the rule '\(text)' needs as many '\(mark)' after '=' as before it, or none")
    }
    self.old = old
    self.new = new
    oldPath = Self.path(of: old)
    newPath = Self.path(of: new)
  }

  /// Reads a rule `OLD=NEW`.
  ///
  /// - Throws: `ArchiveError` with code `malformed` for other text.
  package init(rule: String) throws(ArchiveError) {
    let sides = try RuleText.sides(of: rule, form: "OLD=NEW")
    try self.init(old: sides.left, new: sides.right)
  }

  private static func path(of name: String) -> String? {
    DemangledName(name)?.path.plain.joined(separator: ".")
  }

  /// The replacement of a stored name.
  struct NewName: Equatable {
    let name: String
    /// Whether a mangled name had to be replaced by one that is not.
    let isUnmangled: Bool
  }

  /// The new name for a stored one; nil if the rule does not match it.
  ///
  /// A mangled name is matched by its declared names, or whole by a rule that is written mangled.
  func newName(for stored: String) -> NewName? {
    guard let demangled = DemangledName(stored) else {
      if let captures = oldPattern.captures(in: stored) {
        return NewName(name: newPattern.filled(with: captures), isUnmangled: false)
      }
      return oldPath == stored ? NewName(name: newPath ?? new, isUnmangled: false) : nil
    }
    if stored == old { return renaming(of: stored, as: new) }
    let plain = demangled.path.plain.joined(separator: ".")
    if let oldPath { return oldPath == plain ? renaming(of: stored, as: new) : nil }
    if isMangledPattern {
      guard let captures = oldPattern.captures(in: stored) else { return nil }
      return NewName(name: newPattern.filled(with: captures), isUnmangled: false)
    }
    guard
      let captures = oldPattern.captures(in: plain) ?? oldPattern.captures(in: demangled.display)
    else { return nil }
    return renaming(of: stored, as: newPattern.filled(with: captures))
  }

  /// An example of a name that the rule makes: its wildcards become a letter.
  var exampleOfNew: String { newPattern.filled(with: "x") }

  /// Whether the pattern is one for mangled names themselves.
  private var isMangledPattern: Bool {
    ["_Tt", "$s", "_$s", "$S", "_$S"].contains { old.hasPrefix($0) }
  }

  private func renaming(of stored: String, as name: String) -> NewName {
    if DemangledName(name) != nil { return NewName(name: name, isUnmangled: false) }
    let components = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let mangled = MangledNominal(stored)?.renamed(components) else {
      return NewName(name: name, isUnmangled: true)
    }
    return NewName(name: mangled, isUnmangled: false)
  }
}

// MARK: - One rule for the keys of a class's fields: `NewApp.Movie.title=name`

/// A class or a pattern for several, a key of its objects, and the new key.
package struct KeyRename: Hashable, Sendable {
  /// The name of the class; `*` matches any run of characters, `?` one.
  package let className: String
  /// The key, as in the class's own code.
  package let old: String
  /// The new key.
  package let new: String

  let pattern: WildcardPattern

  /// The rule as it is written.
  package var text: String { "\(className).\(old)=\(new)" }

  /// Makes a rule of its parts.
  ///
  /// - Throws: `ArchiveError` with code `malformed` if one is empty.
  package init(className: String, old: String, new: String) throws(ArchiveError) {
    let text = "\(className).\(old)=\(new)"
    try RuleText.require(className, "a class name before the key", in: text)
    try RuleText.require(old, "the old key before '='", in: text)
    try RuleText.require(new, "the new key after '='", in: text)
    self.className = className
    self.old = old
    self.new = new
    pattern = WildcardPattern(className)
  }

  /// Reads a rule `CLASS.old=new`, whose last dot precedes the key.
  ///
  /// - Throws: `ArchiveError` with code `malformed` for other text.
  package init(rule: String) throws(ArchiveError) {
    let sides = try RuleText.sides(of: rule, form: "CLASS.OLD=NEW")
    guard let dot = sides.left.lastIndex(of: ".") else {
      throw ArchiveError(
        .malformed, "the rule '\(rule)' should be CLASS.OLD=NEW, but has no '.' before the key")
    }
    try self.init(
      className: String(sides.left[..<dot]),
      old: String(sides.left[sides.left.index(after: dot)...]), new: sides.right)
  }
}

// MARK: - The keys of one object under the rules for its class, or those of the top level

/// What becomes of an object's keys.
struct KeyRenaming {
  /// The position of a key, its new stored form, and the rule.
  typealias Change = (position: Int, key: String, rule: Int)

  private(set) var changes: [Change] = []
  /// The rules that matched a key, even one that they leave as it is.
  private(set) var matched: Set<Int> = []
  /// A key that would be repeated, as it is stored; nil if there is none.
  private(set) var collision: String?

  /// Applies rules to stored keys; nil represents a key that is not a string.
  init(_ keys: [String?], _ rules: [SubstitutionRules.KeyRule]) {
    var result = keys
    for (position, key) in keys.enumerated() {
      guard let key, let rule = rules.first(where: { Self.names($0.old, key, among: keys) }) else {
        continue
      }
      matched.insert(rule.number)
      let new = storedKey(rule.new)
      guard !new.utf8.elementsEqual(key.utf8) else { continue }
      changes.append((position, new, rule.number))
      result[position] = new
    }
    findCollision(in: result)
  }

  /// Whether a rule's key is a stored one.
  ///
  /// It is stored as by an archiver, or with the single dollar sign of a writer that does not escape, unless another
  /// key is stored as by an archiver. `$class` belongs to the archive.
  private static func names(_ old: String, _ key: String, among keys: [String?]) -> Bool {
    let stored = storedKey(old)
    if stored.hasSameScalars(as: key) { return true }
    return stored != old && old.hasSameScalars(as: key) && key != "$class"
      && !keys.contains { $0?.hasSameScalars(as: stored) == true }
  }

  private mutating func findCollision(in result: [String?]) {
    for change in changes {
      let isRepeated = result.enumerated().contains {
        $0.offset != change.position && $0.element?.utf8.elementsEqual(change.key.utf8) == true
      }
      if isRepeated { collision = change.key }
    }
  }
}

// MARK: - One rule for the top-level keys of keyed archives: `tabs=root`

/// A top-level key and the new one.
package struct TopRename: Hashable, Sendable {
  /// The key, as in the app's code.
  package let old: String
  /// The new key.
  package let new: String

  /// The rule as it is written.
  package var text: String { "\(old)=\(new)" }

  /// Reads a rule `OLD=NEW`.
  ///
  /// - Throws: `ArchiveError` with code `malformed` for other text.
  package init(rule: String) throws(ArchiveError) {
    (old, new) = try RuleText.sides(of: rule, form: "OLD=NEW")
    try RuleText.require(old, "the old key before '='", in: rule)
    try RuleText.require(new, "the new key after '='", in: rule)
  }
}

// MARK: - Names of a module and types alone, written again in the old mangling
//
// Grammar: the Swift compiler's docs/ABI/OldMangling.rst. The Objective-C runtime's names keep it for good.

/// A mangled name of types nested in types of a module, and nothing else.
struct MangledNominal {
  /// The kinds of the types, outermost first.
  private let kinds: [NameTree.NominalKind]
  /// The discriminators of private names, nil for others; outermost first.
  private let discriminators: [String?]

  /// Reads a name in either mangling; nil if it has generic arguments, functions, extensions or protocols.
  init?(_ stored: String) {
    let tree: NameTree
    do throws(NotUnderstood) {
      tree = try DemangledName.read(stored)
    } catch {
      return nil
    }
    var kinds: [NameTree.NominalKind] = []
    var discriminators: [String?] = []
    var index = tree.root
    while case .nominal(let kind, let context, let name) = tree[index] {
      if kind == .proto { return nil }
      kinds.append(kind)
      switch name {
      case .plain: discriminators.append(nil)
      case .discriminated(_, let discriminator): discriminators.append(discriminator)
      case .local: return nil
      }
      index = context
    }
    guard !kinds.isEmpty, tree.isModule(index) else { return nil }
    self.kinds = kinds.reversed()
    self.discriminators = discriminators.reversed()
  }

  /// The same kinds of types under other names.
  ///
  /// The innermost types keep their kinds, and types that are added around them become classes. A private name keeps
  /// its discriminator, which the compiler makes of the name of the source file.
  ///
  /// - Parameter components: the module, then the types from the outermost on.
  /// - Returns: nil if a component cannot be written in this mangling, or there is no type.
  func renamed(_ components: [String]) -> String? {
    guard components.count > 1, !["Swift", "__C", "__C_Synthesized"].contains(components[0]) else {
      return nil
    }
    let depth = components.count - 1
    var text = "_Tt"
    for level in 0..<depth {
      let kind = level < kinds.count ? kinds[kinds.count - 1 - level] : .classType
      text.append(kind.rawValue)
    }
    guard let module = Self.identifier(components[0]) else { return nil }
    text += module
    for (position, name) in components.dropFirst().enumerated() {
      let level = depth - 1 - position
      if level < discriminators.count,
        let discriminator = discriminators[discriminators.count - 1 - level]
      {
        guard let encoded = Self.identifier(discriminator) else { return nil }
        text += "P" + encoded
      }
      guard let encoded = Self.identifier(name) else { return nil }
      text += encoded
    }
    return text
  }

  /// The length of an identifier and its characters; nil if it is not an identifier of ASCII characters.
  private static func identifier(_ name: String) -> String? {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first),
      name.utf8.allSatisfy({ byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
      })
    else { return nil }
    return "\(name.utf8.count)\(name)"
  }
}
