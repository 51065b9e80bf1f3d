// One archive on its way: kept values found, lenses applied, the envelope put on, and all of it proved.

import KeyedArchives
import ObjectGraph
import PropertyLists
import Schemas

/// Takes one archive to its target.
struct MigrationRun {
  let travel: Travel
  let request: Migration.Request
  let limits: Limits

  private var graph: ObjectGraph { travel.graph }
  private var isIdentity: Bool { travel.way.allSatisfy(\.file.lens.isIdentity) }

  func run() throws(ArchiveError) -> Rewritten {
    if let refusal = travel.oneWayRefusal {
      return .refused(
        refusal, violations: [], facts: Losses([]).facts(ofRefused: travel, at: nil))
    }
    do throws(ArchiveError) {
      return try migrate()
    } catch {
      guard let reason = error.refusal else { throw error }
      return .refused(
        reason, violations: [], facts: Losses([]).facts(ofRefused: travel, at: error.path))
    }
  }

  private func migrate() throws(ArchiveError) -> Rewritten {
    let kept = travel.kept
    let result = try LensRun.apply(
      travel.way, to: travel.model.root, of: graph, isList: travel.isList,
      kept: kept?.values ?? [])
    if !result.lost.isEmpty, request.losses == .refuse {
      let losses = Losses(result.lost)
      return .refused(
        losses.refusal, violations: [], facts: losses.facts(of: travel, orphaned: 0))
    }
    // What was kept for a lens that is not on this way is kept on.
    let names = Set(travel.way.map(\.file.name))
    let carried = result.unused.filter { !names.contains($0.lens) }
    let orphaned = result.unused.count - carried.count
    let lost = LostValues(
      family: travel.family.name, version: travel.target.name, values: carried + result.lost)
    let isInside =
      !lost.values.isEmpty && (request.losses == .keepInside || kept?.isInside == true)
      && request.losses != .allow
    let root = isInside ? try inside(result.root, lost) : result.root
    let bytes = try EnvelopeWriter.wrap(
      root, of: graph, in: travel.target.envelope ?? .plist, shape: travel.target.schema,
      className: request.className ?? travel.target.defaultClassName
    ).intoStorage()
    let copy = try prove(bytes, made: result.root, lost: result.lost)
    let companion = try companion(of: bytes, lost, isInside: isInside)
    return .changed(
      RewrittenArchive(
        storage: bytes, summary: "\(travel.source.label) to \(travel.target.name)",
        facts: Losses(result.lost).facts(of: travel, orphaned: orphaned), lost: companion,
        warnings: warnings(of: copy)))
  }

  // MARK: Lost values

  /// The model with its lost values in the member `x-lost`.
  private func inside(_ root: Node, _ lost: LostValues) throws(ArchiveError) -> Node {
    let pairs: Pairs
    switch graph.value(of: root) {
    case .dictionary(let found), .object(_, let found): pairs = found
    default:
      throw ArchiveError(
        .unrepresentable,
        "lost values can be kept inside an object only, not beside a list of models; --keep-lost keeps them in a file"
      )
    }
    if travel.target.envelope == .sequential {
      throw ArchiveError(
        .unrepresentable,
        "a typedstream cannot carry lost values; --keep-lost keeps them in a file")
    }
    let members = (0..<pairs.count).map { index -> (key: DerivedForm, value: DerivedForm) in
      let name = graph.memberName(pairs, index)?.string
      return (
        name.map { .string($0) } ?? .node(graph.key(pairs, index)),
        .node(graph.value(pairs, index))
      )
    }
    let record = try lost.bytes(of: graph, hash: nil)
    let text = String(decoding: record.bytes, as: UTF8.self)
    let form = DerivedForm.pairs(
      members + [(.string(UnwrappedModel.lostMember), .string(text))])
    return graph.add(form, near: root)
  }

  /// What becomes of the file with lost values beside the archive.
  private func companion(
    of bytes: ByteStorage, _ lost: LostValues, isInside: Bool
  ) throws(ArchiveError) -> RewrittenArchive.Companion {
    if lost.values.isEmpty || isInside || request.losses == .allow {
      return travel.kept?.isInside == false ? .removed : .unchanged
    }
    let hash = try ContentHash(of: bytes.bytes).description
    return .written(try lost.bytes(of: graph, hash: hash))
  }

  // MARK: The proof

  /// Decodes the new bytes, validates them, takes them back and compares every value with the source's; without a way
  /// back, with what the lenses made.
  ///
  /// - Returns: the new archive.
  private func prove(
    _ bytes: ByteStorage, made: Node, lost: [LostValue]
  ) throws(ArchiveError) -> ObjectGraph {
    let copy = try ArchiveReader(limits: limits).read(bytes)
    let violations = try travel.target.validate(copy, family: travel.family)
    if let first = violations.first {
      throw ArchiveError(
        .unrepresentable, "the value does not fit \(travel.target.label): \(first.message)",
        path: first.path)
    }
    guard let model = UnwrappedModel(copy) else {
      throw ArchiveError(.unrepresentable, "the value has no place in \(travel.target.label)")
    }
    let isDirect = isIdentity || !travel.oneWay.isEmpty
    let back = isDirect ? model.root : try goBack(model, of: copy, lost: lost)
    let before = travel.oneWay.isEmpty ? travel.model.root : made
    if let path = ModelComparison.firstDifference(before, of: graph, back, of: copy) {
      throw ArchiveError(
        .unrepresentable,
        "\(travel.target.label) cannot keep the value as it is"
          + UnkeptValue.reason(
            path, of: (before, graph), as: (back, copy), in: travel.target.envelope), path: path)
    }
    return copy
  }

  /// A model does not tell the classes of the objects in it: an application that archived some will miss them.
  private func warnings(of copy: ObjectGraph) -> [ArchiveError] {
    guard travel.target.envelope == .nscoding,
      copy.classes.contains(where: { $0.name == "NSDictionary" })
    else { return [] }
    return [
      ArchiveError(
        .unrepresentable,
        "objects inside the root are dictionaries now, since a model does not tell their classes")
    ]
  }

  /// The new model in the version that it came from, with what was lost on the way.
  private func goBack(
    _ model: UnwrappedModel, of copy: ObjectGraph, lost: [LostValue]
  ) throws(ArchiveError) -> Node {
    var kept: [LostValue] = []
    if let text = model.lost {
      kept = try LostValues(text: text, of: copy).values
    } else if !lost.isEmpty {
      // In the form in which they are put aside.
      let record = LostValues(family: "", version: "", values: lost)
      let node = try copy.add(typedJSON: record.bytes(of: graph, hash: nil))
      kept = try LostValues(node, of: copy).values
    }
    return try LensRun.apply(
      travel.way.reversed().map(\.reversed), to: model.root, of: copy, isList: travel.isList,
      kept: kept
    ).root
  }
}
