// Checks an archive that fits two versions: it is migrated only if the choice is irrelevant or the user has named one.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import KeyedArchives

/// Prevents a lens from being applied to an archive whose version was detected wrongly.
struct VersionAmbiguity {
  let task: MigrationTask

  /// Why the archive cannot be migrated unless its version is specified; nil if it can.
  func refusal() throws(ArchiveError) -> String? {
    let source = task.source
    let otherCandidates = try otherCandidates()
    if otherCandidates.isEmpty { return nil }
    let (graph, root) = (task.graph, task.model.root)
    guard let result = Self.result(of: task.path, root, graph, task.isList) else {
      return otherCandidates.first { !distinguishes($0) }.map(reason)
    }
    for candidate in otherCandidates {
      // Members distinguish the two, unless the result of the lens would be detected as the source again.
      if distinguishes(candidate),
        try !Self.changes(
          result, by: task.path, in: graph, from: source, isList: task.isList)
      {
        continue
      }
      let other =
        candidate === task.target
        ? root
        : task.lenses.path(from: candidate.name, to: task.target.name).flatMap {
          Self.result(of: $0, root, graph, task.isList)
        }
      guard let other, Self.areSame(other, result, in: graph) else { return reason(candidate) }
    }
    return nil
  }

  private func reason(_ candidate: SchemaVersion) -> String {
    let (one, other) = (task.source, candidate)
    return "fits \(one.label) and \(other.label), with different results; "
      + "pass --from \(one.name) or --from \(other.name)"
  }

  /// Adds a warning to a result that another run with the same `--from` would change again.
  func warned(_ result: Rewritten, limits: Limits) throws(ArchiveError) -> Rewritten {
    guard case .changed(var archive) = result, task.source.envelope == task.target.envelope,
      !task.isIdentity
    else { return result }
    let copy = try ArchiveReader(limits: limits, marksWide: true).read(archive.storage)
    guard let model = copy.unwrapModel().map({ task.source.model($0, in: copy) }),
      try Self.changes(
        model.root, by: task.path, in: copy, from: task.source, isList: task.isList)
    else { return result }
    archive.details.warnings.append(
      ArchiveError(
        .mismatch,
        "the result fits \(task.source.label) as well: another run with --from \(task.source.name) would change it again"
      ))
    return .changed(archive)
  }

  /// Whether a result of a lens fits its source again and would be changed again.
  static func changes(
    _ root: Node, by path: [LensStep], in graph: ObjectGraph, from source: SchemaVersion,
    isList: Bool = false
  ) throws(ArchiveError) -> Bool {
    guard try source.validate(root, in: graph).isEmpty,
      let twice = result(of: path, root, graph, isList)
    else { return false }
    return !areSame(root, twice, in: graph)
  }

  // MARK: Other versions

  /// The other versions that the archive fits and that its members do not distinguish from the detected one.
  private func otherCandidates() throws(ArchiveError) -> [SchemaVersion] {
    let source = task.source
    var found: [SchemaVersion] = []
    for version in task.family.versions where version !== source {
      guard version.envelope == source.envelope, !isTrivial(version),
        try version.validate(task.graph, family: task.family).isEmpty
      else { continue }
      found.append(version)
    }
    return found
  }

  /// Whether a different version of the archive would make no difference.
  private func isTrivial(_ version: SchemaVersion) -> Bool {
    let path =
      version === task.target ? [] : task.lenses.path(from: version.name, to: task.target.name)
    return path?.allSatisfy(\.file.lens.isIdentity) == true && task.isIdentity
  }

  /// Whether the source requires a member that another version does not name.
  private func distinguishes(_ candidate: SchemaVersion) -> Bool {
    let named = candidate.schema.members
    return !task.source.schema.requiredMembers.allSatisfy(named.contains)
  }

  private static func result(
    of path: [LensStep], _ root: Node, _ graph: ObjectGraph, _ isList: Bool
  ) -> Node? {
    (try? LensInterpreter.apply(path, to: root, of: graph, isList: isList))?.root
  }

  private static func areSame(_ one: Node, _ other: Node, in graph: ObjectGraph) -> Bool {
    ModelComparison.firstDifference(one, of: graph, other, of: graph) == nil
  }
}

// MARK: - Versions of a family that one value may fit

/// Finds pairs of versions that detection may not distinguish.
///
/// It is a warning, since `migrate` refuses such archives without `--from`. It is an error if a value of both versions
/// changes again each time that the lens is applied.
package struct VersionOverlap {
  private let family: SchemaFamily
  private let folder: String

  /// Specifies the family to check.
  ///
  /// - Parameter folder: the folder that the family was read from, as messages show it.
  package init(family: SchemaFamily, folder: String) {
    self.family = family
    self.folder = folder
  }

  /// Checks each pair of versions that have one envelope.
  ///
  /// - Throws: `ArchiveError` that names the file if a lens cannot be read or is invalid.
  package func run() throws(ArchiveError) -> [FamilyCheck.Finding] {
    let lenses = try FamilyLenses(of: family)
    var findings: [FamilyCheck.Finding] = []
    for (index, newer) in family.versions.enumerated() {
      for older in family.versions[..<index] where Self.shareArchives(older, newer) {
        if let finding = try finding(older, newer, lenses) { findings.append(finding) }
      }
    }
    return findings
  }

  /// Whether the archive of a value is the same in both versions: one envelope, and a class that both allow.
  private static func shareArchives(_ one: SchemaVersion, _ other: SchemaVersion) -> Bool {
    guard one.envelope == other.envelope else { return false }
    if one.classPatterns.isEmpty || other.classPatterns.isEmpty { return true }
    // Patterns are compared as if one were a name; two that only overlap are not examined.
    return one.classPatterns.contains { pattern in
      other.classPatterns.contains {
        ClassName(stored: pattern).matches(pattern: $0)
          || ClassName(stored: $0).matches(pattern: pattern)
      }
    }
  }

  private func finding(
    _ older: SchemaVersion, _ newer: SchemaVersion, _ lenses: FamilyLenses
  ) throws(ArchiveError) -> FamilyCheck.Finding? {
    let isNewerWithin = try Self.isWithin(newer, older)
    let isOlderWithin = try Self.isWithin(older, newer)
    let values = try SchemaOverlap.values(of: older, and: newer)
    guard isNewerWithin || isOlderWithin || !values.isEmpty else { return nil }
    let file = folder + "/" + FamilyFolder.schemaFile(newer.name)
    for (source, target) in [(older, newer), (newer, older)] {
      guard let path = lenses.path(from: source.name, to: target.name),
        !path.allSatisfy(\.file.lens.isIdentity),
        let value = values.first(where: { Self.changesAgain($0, source, path) })
      else { continue }
      return FamilyCheck.Finding(
        file,
        "\(value.sampleTree.compactText) fits \(older.name) and \(newer.name), and each run of the lens from "
          + "\(source.name) to \(target.name) would change it again: give one of the versions a member that distinguishes them",
        at: GraphPath())
    }
    let what: String
    if isNewerWithin || isOlderWithin {
      let (one, other) = isNewerWithin ? (newer, older) : (older, newer)
      let values = "each of \(SchemaOverlap.tries) values of"
      what =
        isNewerWithin && isOlderWithin
        ? "\(values) \(older.name) and \(newer.name) fits the other"
        : "\(values) \(one.name) fits \(other.name) too"
    } else {
      what =
        "\(values.first?.sampleTree.compactText ?? "a value") fits \(older.name) and \(newer.name)"
    }
    return FamilyCheck.Finding(
      file,
      "\(what): detection cannot distinguish them, and migrate needs --from for such archives if a lens would change them",
      at: GraphPath(), isError: false)
  }

  /// Whether the generated values of a version fit another, and no member shows that they belong to the first.
  private static func isWithin(
    _ inner: SchemaVersion, _ outer: SchemaVersion
  ) throws(ArchiveError) -> Bool {
    let named = outer.schema.members
    guard inner.schema.requiredMembers.allSatisfy(named.contains) else { return false }
    return try SchemaOverlap.isWithin(inner, outer)
  }

  // MARK: Values

  /// Whether the result of a lens for a value fits the source again and would be changed again.
  private static func changesAgain(
    _ value: SyntheticValue, _ source: SchemaVersion, _ path: [LensStep]
  ) -> Bool {
    let (root, graph) = value.inGraph()
    guard let once = try? LensInterpreter.apply(path, to: root, of: graph).root else {
      return false
    }
    return (try? VersionAmbiguity.changes(once, by: path, in: graph, from: source)) ?? false
  }
}
