// The rules for one input: each name is looked up once, and changes are counted.

import ArchiveBasics
import KeyedArchives
import Synchronization

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
      counts += texts.map { SubstitutionCount(kind: kind, rule: $0) }
    }
    (self.counts, self.starts) = (counts, starts)
    // No rule that a person could have got wrong.
    match(.pruning)
  }

  // MARK: Looking up

  /// The replacement of a class's stored name; nil if it is unchanged.
  func renaming(of name: String) -> Renaming? {
    Self.found(name, in: &renamings) { firstRenaming(of: name) }
  }

  /// What is known of a name, found when it is first asked for.
  private static func found<Answer>(
    _ name: String, in known: inout [[UInt8]: Answer], _ find: () -> Answer
  ) -> Answer {
    let key = Array(name.utf8)
    if let answer = known[key] { return answer }
    let answer = find()
    known[key] = answer
    return answer
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
    Self.found(name, in: &drops) {
      let className = ClassName(stored: name)
      return isExempt(name) ? nil : droppedPatterns.firstIndex { $0.matches(className) }
    }
  }

  /// The rules that rename keys of a class's objects.
  func keyRenames(of name: String) -> [Int] {
    Self.found(name, in: &keyRules) {
      let className = ClassName(stored: name)
      return substitutions.keyRenames.indices.filter {
        substitutions.keyRenames[$0].pattern.matches(className) && !isExempt(name)
      }
    }
  }

  /// The rules of these numbers for keys.
  func keyRules(_ numbers: [Int]) -> [KeyRule] {
    numbers.map { ($0, substitutions.keyRenames[$0].old, substitutions.keyRenames[$0].new) }
  }

  var topRules: [KeyRule] {
    substitutions.topRenames.enumerated().map { ($0.offset, $0.element.old, $0.element.new) }
  }

  // MARK: Counting

  /// Takes note that a rule matched something, even if it leaves that as it is.
  func match(_ kind: SubstitutionCount.Kind, _ rule: Int = 0) { count(kind, rule) }

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

  /// Requires that a part of a rule is not empty.
  static func require(_ part: String, _ name: String, in rule: String) throws(ArchiveError) {
    if part.isEmpty { throw ArchiveError(.malformed, "the rule '\(rule)' lacks \(name)") }
  }
}

// MARK: - How often a rule was applied

/// What one rule did in an archive and in all that are nested in it.
package struct SubstitutionCount: Hashable, Sendable {
  /// What kind of rule it is.
  package enum Kind: String, Sendable {
    /// A class gets another name.
    case classRename = "rename-class"
    /// The archiver gets another name.
    case archiver = "set-archiver"
    /// The objects of a class become nil.
    case droppedClass = "drop-class"
    /// A key of a class gets another name.
    case keyRename = "rename-key"
    /// A top-level key gets another name.
    case topRename = "rename-top"
    /// What nothing reaches is removed.
    case pruning = "prune"
  }

  /// The kind of rule.
  package let kind: Kind
  /// The rule as it is written.
  package let rule: String
  /// Whether the rule matched anything, even if it left it unchanged.
  package internal(set) var isMatched = false
  /// How many class records or classes of a typedstream were changed, or how many archives named their archiver
  /// or had the top-level key, or held what nothing reaches.
  package internal(set) var records = 0
  /// How many objects are concerned: of a class that was renamed or dropped, with a key that was, or removed.
  package internal(set) var objects = 0
  /// How many references to dropped objects are gone.
  package internal(set) var references = 0

  /// Whether the rule changed nothing.
  package var isZero: Bool { records == 0 && objects == 0 && references == 0 }

  /// A summary of the changes, in one phrase; empty without changes.
  package var summary: String {
    if isZero { return "" }
    switch kind {
    case .classRename:
      return "\(rule) (\(times(records, "class record")), \(times(objects, "object")))"
    case .archiver: return "$archiver=\(rule) (\(times(records, "archive")))"
    case .droppedClass:
      return "\(rule)=nil (\(times(objects, "object")), \(times(references, "reference")))"
    case .keyRename: return "\(rule) (\(times(objects, "object")))"
    case .pruning:
      return objects == 0
        ? "unused values removed" : "\(times(objects, "unused object")) removed"
    case .topRename: return "$top: \(rule) (\(times(records, "archive")))"
    }
  }

  private func times(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}

// MARK: - Which rules matched anything at all, over all the inputs of a run

/// Gathers from all threads of a run what its rules matched.
package final class SubstitutionTally: Sendable {
  private struct State {
    var matched: Set<Int> = []
    var rules: [SubstitutionCount] = []
  }

  private let state = Mutex(State())

  /// Makes a tally of nothing.
  package init() {}

  func add(_ counts: [SubstitutionCount]) {
    state.withLock { state in
      if state.rules.isEmpty { state.rules = counts }
      for (number, count) in counts.enumerated() where count.isMatched || !count.isZero {
        state.matched.insert(number)
      }
    }
  }

  /// The rules that matched nothing in any input, as a command line gives them: `--rename-class A=B`.
  package var unmatchedRules: [String] {
    state.withLock { state in
      state.rules.indices.filter { !state.matched.contains($0) }
        .map { "--\(state.rules[$0].kind.rawValue) \(state.rules[$0].rule)" }
    }
  }
}
