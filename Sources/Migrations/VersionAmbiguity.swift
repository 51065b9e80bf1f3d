// Checks an archive that fits two versions: it is migrated only if the choice is irrelevant or the user has named one.

import Basics
import KeyedArchives
import ObjectGraph
import Schemas

/// Prevents a lens from being applied to an archive whose version was detected wrongly.
struct VersionAmbiguity {
  let travel: Travel
  let lenses: FamilyLenses

  /// Why the archive cannot be migrated unless its version is specified; nil if it can.
  func refusal() throws(ArchiveError) -> String? {
    let source = travel.source
    let rivals = try rivals()
    if rivals.isEmpty { return nil }
    let (graph, root) = (travel.graph, travel.model.root)
    guard let result = Self.result(of: travel.way, root, graph, travel.isList) else {
      return rivals.first { !tellsApart($0) }.map(reason)
    }
    for rival in rivals {
      // Members distinguish the two, unless the result of the lens would be detected as the source again.
      if tellsApart(rival),
        try !Self.changes(
          result, by: travel.way, in: graph, from: source, isList: travel.isList)
      {
        continue
      }
      let isSame: Bool
      if rival === travel.target {
        isSame = Self.areSame(root, result, in: graph)
      } else if let way = lenses.path(from: rival.name, to: travel.target.name),
        let other = Self.result(of: way, root, graph, travel.isList)
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
    let (one, other) = (travel.source, rival)
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
    guard travel.source.envelope == travel.target.envelope,
      !travel.way.allSatisfy(\.file.lens.isIdentity)
    else { return nil }
    let copy = try ArchiveReader(limits: limits, marksWide: true).read(result.storage)
    guard let model = UnwrappedModel(copy).map({ travel.source.model($0, in: copy) }),
      try Self.changes(
        model.root, by: travel.way, in: copy, from: travel.source, isList: travel.isList)
    else { return nil }
    return ArchiveError(
      .mismatch,
      "the result fits \(travel.source.label) as well: another run with --from \(travel.source.name) would change it again"
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
    let source = travel.source
    var found: [SchemaVersion] = []
    for version in travel.family.versions where version !== source {
      guard version.envelope == source.envelope, !isTrivial(version),
        try version.validate(travel.graph, family: travel.family).isEmpty
      else { continue }
      found.append(version)
    }
    return found
  }

  /// Whether a different version of the archive would make no difference.
  private func isTrivial(_ version: SchemaVersion) -> Bool {
    let way =
      version === travel.target ? [] : lenses.path(from: version.name, to: travel.target.name)
    return way?.allSatisfy(\.file.lens.isIdentity) == true
      && travel.way.allSatisfy(\.file.lens.isIdentity)
  }

  /// Whether the source requires a member that another version does not name.
  private func tellsApart(_ rival: SchemaVersion) -> Bool {
    let named = rival.schema.members
    return !travel.source.schema.requiredMembers.allSatisfy(named.contains)
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
