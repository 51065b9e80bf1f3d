// Checks an archive that fits two versions: it is migrated only if the choice is irrelevant or the user has named one.

import Basics
import KeyedArchives
import ObjectGraph
import Schemas

/// Prevents a lens from being applied to an archive whose version was detected wrongly.
struct VersionAmbiguity {
  let task: MigrationTask
  let lenses: FamilyLenses

  /// Why the archive cannot be migrated unless its version is specified; nil if it can.
  func refusal() throws(ArchiveError) -> String? {
    let source = task.source
    let rivals = try rivals()
    if rivals.isEmpty { return nil }
    let (graph, root) = (task.graph, task.model.root)
    guard let result = Self.result(of: task.way, root, graph, task.isList) else {
      return rivals.first { !distinguishes($0) }.map(reason)
    }
    for rival in rivals {
      // Members distinguish the two, unless the result of the lens would be detected as the source again.
      if distinguishes(rival),
        try !Self.changes(
          result, by: task.way, in: graph, from: source, isList: task.isList)
      {
        continue
      }
      let isSame: Bool
      if rival === task.target {
        isSame = Self.areSame(root, result, in: graph)
      } else if let way = lenses.path(from: rival.name, to: task.target.name),
        let other = Self.result(of: way, root, graph, task.isList)
      {
        isSame = Self.areSame(other, result, in: graph)
      } else {
        isSame = false
      }
      if !isSame { return reason(rival) }
    }
    return nil
  }

  private func reason(_ rival: SchemaVersion) -> String {
    let (one, other) = (task.source, rival)
    return "fits \(one.label) and \(other.label), with different results; "
      + "pass --from \(one.name) or --from \(other.name)"
  }

  /// Adds a warning to a result that another run with the same `--from` would change again.
  func warned(_ result: Rewritten, limits: Limits) throws(ArchiveError) -> Rewritten {
    guard case .changed(var archive) = result,
      let warning = try warning(of: archive, limits: limits)
    else { return result }
    archive.details.warnings.append(warning)
    return .changed(archive)
  }

  private func warning(of result: RewrittenArchive, limits: Limits) throws(ArchiveError)
    -> ArchiveError?
  {
    guard task.source.envelope == task.target.envelope,
      !task.way.allSatisfy(\.file.lens.isIdentity)
    else { return nil }
    let copy = try ArchiveReader(limits: limits, marksWide: true).read(result.storage)
    guard let model = UnwrappedModel(copy).map({ task.source.model($0, in: copy) }),
      try Self.changes(
        model.root, by: task.way, in: copy, from: task.source, isList: task.isList)
    else { return nil }
    return ArchiveError(
      .mismatch,
      "the result fits \(task.source.label) as well: another run with --from \(task.source.name) would change it again"
    )
  }

  /// Whether a result of a lens fits its source again and would be changed again.
  static func changes(
    _ root: Node, by way: [LensStep], in graph: ObjectGraph, from source: SchemaVersion,
    isList: Bool = false
  ) throws(ArchiveError) -> Bool {
    guard try source.validate(root, in: graph).isEmpty,
      let twice = result(of: way, root, graph, isList)
    else { return false }
    return !areSame(root, twice, in: graph)
  }

  // MARK: Other versions

  /// The other versions that the archive fits and that its members do not distinguish from the detected one.
  private func rivals() throws(ArchiveError) -> [SchemaVersion] {
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
    let way =
      version === task.target ? [] : lenses.path(from: version.name, to: task.target.name)
    return way?.allSatisfy(\.file.lens.isIdentity) == true
      && task.way.allSatisfy(\.file.lens.isIdentity)
  }

  /// Whether the source requires a member that another version does not name.
  private func distinguishes(_ rival: SchemaVersion) -> Bool {
    let named = rival.schema.members
    return !task.source.schema.requiredMembers.allSatisfy(named.contains)
  }

  private static func result(
    of way: [LensStep], _ root: Node, _ graph: ObjectGraph, _ isList: Bool
  ) -> Node? {
    do throws(ArchiveError) {
      return try LensInterpreter.apply(way, to: root, of: graph, isList: isList).root
    } catch {
      return nil
    }
  }

  private static func areSame(_ one: Node, _ other: Node, in graph: ObjectGraph) -> Bool {
    ModelComparison.firstDifference(one, of: graph, other, of: graph) == nil
  }
}
