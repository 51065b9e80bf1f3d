// The losses that a family decides once: `"losses"` in family.json, by the versions that an archive is migrated between.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveWriting

/// What a family says of the losses of migrations between its versions.
package struct FamilyLosses: Sendable {
  /// Losses that are no reason to refuse an archive, by a family or an option.
  package struct Allowance: Sendable {
    /// The kind; nil for every kind.
    package let kind: StoredDifference.Kind?
    /// The values, with those in them; nil for every value.
    package let path: DataPath?
    /// Where the family says it: `$.losses.v1-v2.allow.absence`.
    package let location: GraphPath

    /// Allows losses of a kind, nil for any, at a path and below it, nil for everywhere.
    package init(
      kind: StoredDifference.Kind? = nil, path: DataPath? = nil, location: GraphPath = GraphPath()
    ) {
      (self.kind, self.path, self.location) = (kind, path, location)
    }
  }

  /// Where lost values are kept for migrating back.
  package enum Keeping: String, Sendable, CaseIterable {
    /// In the file `FILE.lost.json`.
    case beside
    /// In the model's member `x-lost`.
    case inside
  }

  /// The rules for the migrations from one version to another.
  package struct Rules: Sendable {
    /// What is allowed.
    package fileprivate(set) var allowances: [Allowance] = []
    /// Where losses are kept; nil for nowhere.
    package fileprivate(set) var keeping: Keeping?
    /// Whether classes, storage and mutability are refused as well.
    package fileprivate(set) var isStrict = false

    fileprivate var text: String {
      var parts = allowances.map { allowance in
        let path = allowance.path.map { " \($0)" } ?? ""
        return "allow \(allowance.kind?.rawValue ?? FamilyLosses.allKinds)\(path)"
      }
      if let keeping { parts.append("keep \(keeping.rawValue)") }
      if isStrict { parts.append("strict") }
      return parts.joined(separator: ", ")
    }
  }

  fileprivate struct Pair: Hashable {
    let source: String
    let target: String
  }

  /// The member's name.
  package static let member = "losses"
  /// The names of the kinds, that of all kinds first.
  package static let words = [allKinds] + StoredDifference.Kind.allCases.map(\.rawValue)
  fileprivate static let allKinds = "all"

  private var rules: [Pair: Rules] = [:]

  /// Everything that the family allows, with the versions.
  package var allowances: [(source: String, target: String, allowance: Allowance)] {
    sorted.flatMap { pair, rules in
      rules.allowances.map { (source: pair.source, target: pair.target, allowance: $0) }
    }
  }

  /// The rules in words, one line for two versions: `v1-v2: allow absence $.name`.
  package var lines: [String] {
    sorted.map { pair, rules in "\(pair.source)-\(pair.target): \(rules.text)" }
  }

  private var sorted: [(Pair, Rules)] {
    rules.sorted { ($0.key.source, $0.key.target) < ($1.key.source, $1.key.target) }
      .map { ($0.key, $0.value) }
  }

  /// The rules of a migration: those of its source and target, or else those of all its steps.
  ///
  /// - Parameter versions: the versions on the path, source and target included.
  package func rules(along versions: [String]) -> Rules? {
    guard let source = versions.first, let target = versions.last else { return nil }
    if let known = rules[Pair(source: source, target: target)] { return known }
    let steps = zip(versions, versions.dropFirst()).compactMap {
      rules[Pair(source: $0, target: $1)]
    }
    guard var joined = steps.first else { return nil }
    for step in steps.dropFirst() {
      joined.allowances += step.allowances
      joined.keeping = joined.keeping == .inside ? .inside : step.keeping ?? joined.keeping
      joined.isStrict = joined.isStrict || step.isStrict
    }
    return joined
  }
}

// MARK: - Reading

extension FamilyLosses {
  /// Reads the member.
  ///
  /// - Parameters:
  ///   - tree: its value; nil if it is missing.
  ///   - versions: the names of the family's versions.
  /// - Throws: `ArchiveError` with the path of what is wrong.
  init(_ tree: JSONTree?, versions: [String]) throws(ArchiveError) {
    guard let tree else { return }
    let path = GraphPath([.key(Self.member)])
    guard let members = tree.members else {
      throw Self.malformed("'losses' is an object with a member FROM-TO for two versions", path)
    }
    let pairs = versions.flatMap { source in
      versions.filter { $0 != source }.map { Pair(source: source, target: $0) }
    }
    for (name, value) in members {
      let location = path.appending(.key(name))
      guard let pair = pairs.first(where: { "\($0.source)-\($0.target)" == name }) else {
        throw Self.malformed(
          "'\(name)' does not name two versions of the family as FROM-TO", location)
      }
      rules[pair] = try Self.rules(value, location)
    }
  }

  private static func rules(
    _ tree: JSONTree, _ path: GraphPath
  ) throws(ArchiveError) -> Rules {
    guard let members = tree.members else {
      throw malformed("an object with 'allow', 'keep' or 'strict' is expected", path)
    }
    var rules = Rules()
    for (name, value) in members {
      let location = path.appending(.key(name))
      switch (name, value) {
      case ("allow", .members(let kinds)): rules.allowances = try allowances(kinds, location)
      case ("keep", .string(let word)):
        guard let keeping = Keeping(rawValue: word) else {
          throw malformed("'keep' is \"beside\" or \"inside\"; found '\(word)'", location)
        }
        rules.keeping = keeping
      case ("strict", .boolean(let isStrict)): rules.isStrict = isStrict
      case ("allow", _):
        throw malformed("'allow' is an object with a member for each kind of loss", location)
      case ("keep", _): throw malformed("'keep' is \"beside\" or \"inside\"", location)
      case ("strict", _): throw malformed("'strict' is true or false", location)
      default:
        throw malformed("'\(name)' is unknown; there are 'allow', 'keep' and 'strict'", location)
      }
    }
    // As of the options of migrate.
    if rules.keeping != nil, !rules.allowances.isEmpty || rules.isStrict {
      let other = rules.isStrict ? "strict" : "allow"
      throw malformed("'keep' and '\(other)' exclude each other", path)
    }
    return rules
  }

  private static func allowances(
    _ kinds: [(String, JSONTree)], _ path: GraphPath
  ) throws(ArchiveError) -> [Allowance] {
    var allowances: [Allowance] = []
    for (word, value) in kinds {
      let location = path.appending(.key(word))
      guard words.contains(word) else {
        throw malformed(
          "'\(word)' is not a kind of loss (\(words.joined(separator: ", ")))", location)
      }
      let kind = StoredDifference.Kind(rawValue: word)
      let paths: [JSONTree]
      switch value {
      case .boolean(true):
        allowances.append(Allowance(kind: kind, path: nil, location: location))
        continue
      case .list(let list): paths = list
      default: paths = [value]
      }
      for (index, path) in paths.enumerated() {
        let location = value.list == nil ? location : location.appending(.index(index))
        guard let text = path.string else {
          throw malformed("a path such as $.name, a list of paths or true is expected", location)
        }
        do throws(ArchiveError) {
          allowances.append(
            Allowance(kind: kind, path: try DataPath(parsing: text), location: location))
        } catch {
          throw malformed("'\(text)' is not a path: \(error.message)", location)
        }
      }
    }
    return allowances
  }

  private static func malformed(_ message: String, _ path: GraphPath) -> ArchiveError {
    ArchiveError(.malformed, "the losses of the family are wrong: \(message)", path: path)
  }
}

// MARK: - Checking the paths

extension FamilyLosses {
  /// The allowances whose path leads nowhere in the models of both versions.
  func unknownPaths(in family: SchemaFamily) -> [(path: DataPath, location: GraphPath)] {
    allowances.compactMap { source, target, allowance in
      guard let path = allowance.path else { return nil }
      let isKnown = [source, target].compactMap { family.version($0) }.contains {
        $0.schema.mayHave(path.pattern)
      }
      return isKnown ? nil : (path: path, location: allowance.location)
    }
  }
}

extension CompiledSchema {
  /// Whether a model may have a value at a path: members are those that the schema names, unless it names none.
  fileprivate func mayHave(_ path: GraphPath) -> Bool {
    var indexes: Set<Int> = [root]
    for step in path.steps {
      var next: Set<Int> = []
      for index in indexes {
        guard let reached = children(step, of: index) else { return true }
        next.formUnion(reached)
      }
      if next.isEmpty { return false }
      indexes = next
    }
    return true
  }

  /// The schemas of the values that a step leads to; nil if anything may be there.
  private func children(_ step: GraphPath.Step, of index: Int) -> [Int]? {
    let (names, element) = (memberNames(index), element(index))
    let isOpen = names.isEmpty && element == 0
    switch step {
    case .key(let name):
      if isOpen { return nil }
      if names.contains(name) { return [schemaIndex(of: name, in: index)] }
      // A list of models at the root has no members itself.
      let other = schemaIndex(of: name, in: index)
      return other == 0 ? [] : [other]
    case .index, .anyElement:
      if isOpen { return nil }
      let elements = element == 0 ? [] : [element]
      if step != .anyElement { return elements }
      let others = schemaIndex(of: "", in: index)
      return elements + names.map { schemaIndex(of: $0, in: index) } + (others == 0 ? [] : [others])
    default: return nil
    }
  }
}
