// The rules for one input: each name is looked up once, and changes are counted.

import ArchiveBasics
import ArchiveWriting
import KeyedArchives

/// Rules, and how often they were applied in an input and in all that is nested in it.
///
/// For one thread: each run makes its own.
final class SubstitutionRules {
  /// A rule for keys: its number, the key and the new one.
  typealias KeyRule = (number: Int, old: String, new: String)

  /// The replacement of a name, and its rule.
  struct Renaming {
    let rule: Int
    let name: String
  }

  let substitutions: Substitutions
  private(set) var warnings: [ArchiveError] = []
  private let droppedPatterns: [WildcardPattern]
  private let exemptPatterns: [WildcardPattern]
  /// Names by their bytes: Swift considers a composed letter equal to the decomposed one.
  private var renamings: [[UInt8]: Renaming?] = [:]
  private var drops: [[UInt8]: Int?] = [:]
  private var keyRules: [[UInt8]: [Int]] = [:]

  /// What each rule did, in the order of the rules.
  var counts: [SubstitutionCount]
  /// Where the counts of each kind of rules begin.
  private let starts: [SubstitutionCount.Kind: Int]

  init(_ substitutions: Substitutions) {
    self.substitutions = substitutions
    droppedPatterns = substitutions.droppedClasses.map { WildcardPattern($0) }
    exemptPatterns = substitutions.exemptClasses.map { WildcardPattern($0) }
    let rules: [(SubstitutionCount.Kind, [String])] = [
      (.classRename, substitutions.classRenames.map(\.text)),
      (.archiver, substitutions.archiver.map { [$0] } ?? []),
      (.droppedClass, substitutions.droppedClasses),
      (.keyRename, substitutions.keyRenames.map(\.text)),
      (.topRename, substitutions.topRenames.map(\.text)),
      (.pruning, substitutions.prunes ? [""] : []),
    ]
    var (counts, starts): ([SubstitutionCount], [SubstitutionCount.Kind: Int]) = ([], [:])
    for (kind, texts) in rules where !texts.isEmpty {
      starts[kind] = counts.count
      counts += texts.map { SubstitutionCount(kind, $0) }
    }
    (self.counts, self.starts) = (counts, starts)
    // No rule that a person could have got wrong.
    match(.pruning)
  }

  // MARK: Looking up

  /// The replacement of a class's stored name; nil if it is unchanged.
  func renaming(of name: String) -> Renaming? {
    let key = Array(name.utf8)
    if let known = renamings[key] { return known }
    let found = firstRenaming(of: name)
    renamings[key] = .some(found)
    return found
  }

  private func firstRenaming(of name: String) -> Renaming? {
    if isExempt(name) { return nil }
    for (number, rule) in substitutions.classRenames.enumerated() {
      guard let new = rule.newName(for: name) else { continue }
      match(.classRename, number)
      guard !new.name.utf8.elementsEqual(name.utf8) else { return nil }
      if new.isUnmangled {
        warn(
          ArchiveError(
            .unrepresentable,
            "\(name) becomes \(new.name), because it cannot be mangled; write the rule's new name in mangled form"
          ))
      }
      return Renaming(rule: number, name: new.name)
    }
    return nil
  }

  /// The positions of a chain that stay: after a class that renaming gives the name of a class above it, the classes
  /// above that one.
  func collapsed(_ chain: [String?]) -> [Int] {
    let renamed = chain.map { name in
      name.map { CodePointString(renaming(of: $0)?.name ?? $0) }
    }
    var last: [CodePointString: Int] = [:]
    for (position, name) in renamed.enumerated() { if let name { last[name] = position } }
    var kept: [Int] = []
    var position = 0
    while position < chain.count {
      kept.append(position)
      // A name that the archive has twice stays so.
      if let name = renamed[position], let other = last[name],
        chain[position].map(CodePointString.init) != chain[other].map(CodePointString.init)
      {
        position = other
      }
      position += 1
    }
    return kept
  }

  /// Whether no rule is for a class.
  private func isExempt(_ name: String) -> Bool {
    guard !exemptPatterns.isEmpty else { return false }
    let className = ClassName(stored: name)
    return exemptPatterns.contains { $0.matches(className) }
  }

  /// The rule that drops the objects of a class, or nil.
  func drop(of name: String) -> Int? {
    let key = Array(name.utf8)
    if let known = drops[key] { return known }
    let className = ClassName(stored: name)
    let found = isExempt(name) ? nil : droppedPatterns.firstIndex { $0.matches(className) }
    drops[key] = .some(found)
    return found
  }

  /// The rules that rename keys of a class's objects.
  func keyRenames(of name: String) -> [Int] {
    let key = Array(name.utf8)
    if let known = keyRules[key] { return known }
    let className = ClassName(stored: name)
    let found = substitutions.keyRenames.indices.filter {
      substitutions.keyRenames[$0].pattern.matches(className) && !isExempt(name)
    }
    keyRules[key] = found
    return found
  }

  /// The rules of these numbers for keys.
  func keyRules(_ numbers: [Int]) -> [KeyRule] {
    numbers.map { ($0, substitutions.keyRenames[$0].old, substitutions.keyRenames[$0].new) }
  }

  /// The rules for top-level keys.
  var topRules: [KeyRule] {
    substitutions.topRenames.enumerated().map { ($0.offset, $0.element.old, $0.element.new) }
  }

  // MARK: Counting

  /// Takes note that a rule matched something, even if it leaves that as it is.
  func match(_ kind: SubstitutionCount.Kind, _ rule: Int = 0) { count(kind, rule) }

  /// Counts what a rule did.
  func count(
    _ kind: SubstitutionCount.Kind, _ rule: Int = 0, records: Int = 0, objects: Int = 0,
    references: Int = 0
  ) {
    guard let start = starts[kind] else { return }
    counts[start + rule].isMatched = true
    counts[start + rule].records += records
    counts[start + rule].objects += objects
    counts[start + rule].references += references
  }

  /// A file of a thousand oddities is not worth a thousand lines.
  func warn(_ warning: ArchiveError) {
    if warnings.count < 100 { warnings.append(warning) }
  }
}

// MARK: - The common syntax of all rules

/// Takes rules apart.
enum RuleText {
  /// The sides of a rule's one `=`.
  ///
  /// - Parameter form: the rule's form, for the error.
  /// - Throws: `ArchiveError` with code `malformed` if it is missing.
  static func sides(
    of rule: String, form: String
  ) throws(ArchiveError) -> (left: String, right: String) {
    let sides = rule.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    guard sides.count == 2 else {
      let found = sides.count == 1 ? "no '='" : "\(sides.count - 1) '='"
      throw ArchiveError(.malformed, "the rule '\(rule)' should be \(form), but has \(found)")
    }
    return (sides[0], sides[1])
  }
}
