// Finds versions of a family that one value may fit, so that an archive does not determine its version.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists
import Schemas

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
      guard let way = lenses.path(from: source.name, to: target.name),
        !way.allSatisfy(\.file.lens.isIdentity),
        let value = values.first(where: { Self.changesAgain($0, source, way) })
      else { continue }
      return Self.finding(
        file,
        "\(value.sampleTree.compactText) fits \(older.name) and \(newer.name), and each run of the lens from "
          + "\(source.name) to \(target.name) would change it again: give one of the versions a member that distinguishes them",
        isError: true)
    }
    let what: String
    switch (isNewerWithin, isOlderWithin) {
    case (true, true):
      what =
        "each of \(SchemaOverlap.tries) values of \(older.name) and \(newer.name) fits the other"
    case (true, false):
      what = "each of \(SchemaOverlap.tries) values of \(newer.name) fits \(older.name) too"
    case (false, true):
      what = "each of \(SchemaOverlap.tries) values of \(older.name) fits \(newer.name) too"
    case (false, false):
      what =
        "\(values.first?.sampleTree.compactText ?? "a value") fits \(older.name) and \(newer.name)"
    }
    return Self.finding(
      file,
      "\(what): detection cannot distinguish them, and migrate needs --from for such archives if a lens would change them",
      isError: false)
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
    do throws(ArchiveError) {
      let (root, graph) = value.inGraph()
      let once = try LensInterpreter.apply(path, to: root, of: graph).root
      return try VersionAmbiguity.changes(once, by: path, in: graph, from: source)
    } catch {
      return false
    }
  }

  private static func finding(
    _ file: String, _ message: String, isError: Bool
  ) -> FamilyCheck.Finding {
    FamilyCheck.Finding(
      file: file, error: ArchiveError(.mismatch, message, path: GraphPath()), isError: isError)
  }
}
