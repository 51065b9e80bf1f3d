// Applies lenses in both directions, and as a whole migration with the verification of its inverse.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

@testable import ArchiveMigrations
@testable import ArchiveSchemas

enum FuzzLenses {
  /// A lens on the first line, and a value of any kind behind it; or an archive of a family.
  static func feed(_ storage: ByteStorage) {
    guard storage.bytes.first == UInt8(ascii: "{") else { return migrate(storage) }
    let (line, rest) = split(storage)
    do throws(ArchiveError) {
      let tree = try JSONTree(json: line)
      let lens = try LensReader.read(tree)
      let file = LensFile(source: "a", target: "b", lens: lens)
      var choice = FuzzChoice(storage)
      for direction in choice.among([LensDirection.forward, .backward]) {
        let step = LensStep(file: file, direction: direction)
        applyThereAndBack(step, rest)
        for losses in choice.among([LossPolicy.standard, .keepInside]) {
          migrate(rest, by: step, losses, &choice)
        }
      }
    } catch {}
  }

  private static func applyThereAndBack(_ step: LensStep, _ storage: ByteStorage) {
    do throws(ArchiveError) {
      let graph = try ArchiveReader(limits: limits).read(storage)
      guard let model = graph.unwrapModel() else { return }
      let there = try LensInterpreter.apply([step], to: model.root, of: graph)
      _ = try LensInterpreter.apply([step.reversed], to: there.root, of: graph, kept: there.lost)
    } catch {}
  }

  // MARK: Whole migrations

  /// A family of two versions that anything of an envelope fits.
  private static func family(_ source: Envelope, _ target: Envelope) throws(ArchiveError)
    -> SchemaFamily
  {
    let tree = JSONTree.members([
      ("family", .string("F")), ("versions", .list([.string("a"), .string("b")])),
    ])
    return try SchemaFamily(tree) { (family, name) throws(ArchiveError) in
      let envelope = name == "a" ? source : target
      let rule = JSONTree.members([("envelope", .string(envelope.rawValue))])
      return try SchemaVersion(
        family: family, name: name,
        tree: .members([("$id", .string("urn:f:" + name)), ("x-archive", rule)]),
        uri: "urn:f:" + name)
    }
  }

  /// What a migration gives out after its own verification is taken back once more, and must be what it was.
  private static func migrate(
    _ storage: ByteStorage, by step: LensStep, _ losses: LossPolicy,
    _ choice: inout FuzzChoice
  ) {
    do throws(ArchiveError) {
      let graph = try ArchiveReader(limits: limits, marksWide: true).read(storage)
      guard let model = graph.unwrapModel() else { return }
      for target in choice.among([model.envelope, .dictionariable]) {
        let family = try family(model.envelope, target)
        let (first, last) = (family.versions[0], family.versions[1])
        guard
          case .changed(let archive) = try run(
            storage, [step], family, from: first, to: last, losses)
        else { continue }
        guard
          case .changed(let back) = try run(
            archive.storage, [step.reversed], family, from: last, to: first, .keepInside)
        else { continue }
        // What was lost by leave is not looked for, and a way back that must lose is another's choice.
        guard !step.isAgainstOneWay, !step.file.lens.isOneWay else { continue }
        let again = try ArchiveReader(limits: limits).read(back.storage)
        guard let copy = again.unwrapModel() else { fatalError("the way back has no model") }
        if copy.lost != nil { continue }
        let path = ModelComparison.firstDifference(
          model.root, of: graph, copy.root, of: again, mayGainNull: true)
        if let path { fatalError("the way back differs at \(path)") }
      }
    } catch {}
  }

  private static func run(
    _ storage: ByteStorage, _ path: [LensStep], _ family: SchemaFamily, from source: SchemaVersion,
    to target: SchemaVersion, _ losses: LossPolicy
  ) throws(ArchiveError) -> Rewritten {
    let graph = try ArchiveReader(limits: limits, marksWide: true).read(storage)
    guard let model = graph.unwrapModel() else { return .refused("no model", violations: []) }
    let kept = try LostValues.find(
      for: RewriteInput(storage: storage, name: "fuzz", path: nil), graph, model,
      isOptional: false)
    var request = Migration.Request(to: target.name, losses: losses)
    if target.envelope == .nscoding, source.envelope != .nscoding { request.className = "Thing" }
    return try MigrationTask(
      input: storage, graph: graph, model: model, kept: kept, family: family, source: source,
      target: target, path: path,
      lenses: FamilyLenses(
        family: family.name, versions: family.versions.map(\.name), files: path.map(\.file)),
      request: request, limits: limits,
      archives: ArchiveSteps(catalog: catalog, limits: limits, depth: 0)
    ).run()
  }

  private static func migrate(_ storage: ByteStorage) {
    var choice = FuzzChoice(storage)
    for target in choice.among(["v0", "v1", "v2", "v3", "v5"]) {
      for losses in choice.among([LossPolicy.standard, .keepInside]) {
        do throws(ArchiveError) {
          var migration = Migration(
            catalog: catalog, Migration.Request(to: target, className: "Thing", losses: losses),
            limits: limits)
          let input = RewriteInput(storage: storage, name: "fuzz", path: nil)
          guard case .changed(let archive) = try migration.rewrite(input) else { continue }
          FuzzTransformations.mustBeRead(archive.storage)
        } catch {}
      }
    }
  }
}

extension LossPolicy {
  static let standard = LossPolicy()
  static let keepInside = LossPolicy(keeping: .inside)
}
