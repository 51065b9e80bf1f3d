// The rules for one input: each name is looked up once, and changes are counted.

import Basics

/// Rules, and how often they were applied in an input and in all that is nested in it.
///
/// For one thread: each run makes its own.
final class SubstitutionRules {
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

  private var renameCounts: [SubstitutionCount]
  private var archiverCount: SubstitutionCount?
  private var dropCounts: [SubstitutionCount]
  private var keyCounts: [SubstitutionCount]
  private var topCounts: [SubstitutionCount]
  private var pruningCount: SubstitutionCount?

  init(_ substitutions: Substitutions) {
    self.substitutions = substitutions
    droppedPatterns = substitutions.droppedClasses.map { WildcardPattern($0) }
    exemptPatterns = substitutions.exemptClasses.map { WildcardPattern($0) }
    renameCounts = substitutions.classRenames.map { SubstitutionCount(.classRename, $0.text) }
    archiverCount = substitutions.archiver.map { SubstitutionCount(.archiver, $0) }
    dropCounts = substitutions.droppedClasses.map { SubstitutionCount(.droppedClass, $0) }
    keyCounts = substitutions.keyRenames.map { SubstitutionCount(.keyRename, $0.text) }
    topCounts = substitutions.topRenames.map { SubstitutionCount(.topRename, $0.text) }
    if substitutions.prunes {
      // No rule that a person could have got wrong.
      var count = SubstitutionCount(.pruning, "")
      count.isMatched = true
      pruningCount = count
    }
  }

  /// What each rule did, in the order of the rules.
  var counts: [SubstitutionCount] {
    renameCounts + (archiverCount.map { [$0] } ?? []) + dropCounts + keyCounts + topCounts
      + (pruningCount.map { [$0] } ?? [])
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
      renameCounts[number].isMatched = true
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
  func keyRules(_ numbers: [Int]) -> [(number: Int, old: String, new: String)] {
    numbers.map { number in
      let rule = substitutions.keyRenames[number]
      return (number, rule.old, rule.new)
    }
  }

  /// The rules for top-level keys.
  var topRules: [(number: Int, old: String, new: String)] {
    substitutions.topRenames.enumerated().map { ($0.offset, $0.element.old, $0.element.new) }
  }

  // MARK: Counting

  func countRecord(rule: Int) { renameCounts[rule].records += 1 }
  func countObjects(_ count: Int = 1, rule: Int) { renameCounts[rule].objects += count }
  func countArchiver() { archiverCount?.records += 1 }
  func matchArchiver() { archiverCount?.isMatched = true }

  func matchKey(rule: Int) { keyCounts[rule].isMatched = true }
  func countKey(rule: Int) { keyCounts[rule].objects += 1 }
  func matchTop(rule: Int) { topCounts[rule].isMatched = true }
  func countTop(rule: Int) { topCounts[rule].records += 1 }

  func countPruning(objects: Int) {
    pruningCount?.records += 1
    pruningCount?.objects += objects
  }

  func countDrop(rule: Int, objects: Int = 0, references: Int = 0) {
    dropCounts[rule].isMatched = true
    dropCounts[rule].objects += objects
    dropCounts[rule].references += references
  }

  /// A file of a thousand oddities is not worth a thousand lines.
  func warn(_ warning: ArchiveError) {
    if warnings.count < 100 { warnings.append(warning) }
  }

  /// The current counts, to restore them if the counted changes are abandoned.
  var mark: [[SubstitutionCount]] {
    [
      renameCounts, archiverCount.map { [$0] } ?? [], dropCounts, keyCounts, topCounts,
      pruningCount.map { [$0] } ?? [],
    ]
  }

  /// Goes back to counts that were marked.
  func rollBack(to mark: [[SubstitutionCount]]) {
    renameCounts = mark[0]
    archiverCount = mark[1].first
    dropCounts = mark[2]
    keyCounts = mark[3]
    topCounts = mark[4]
    pruningCount = mark[5].first
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
