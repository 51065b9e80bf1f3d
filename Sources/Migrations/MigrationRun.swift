// Migrates one archive: finds kept values, applies lenses, writes the envelope, and verifies the result.

import Basics
import FileTransactions
import KeyedArchives
import ObjectGraph
import PropertyLists
import Schemas

/// Migrates one archive to its target.
struct MigrationRun {
  let task: MigrationTask
  let request: Migration.Request
  let limits: Limits
  /// Migrates the archives in data values.
  let archives: ArchiveSteps

  var graph: ObjectGraph { task.graph }
  private var isIdentity: Bool { task.way.allSatisfy(\.file.lens.isIdentity) }

  func run() throws(ArchiveError) -> Rewritten {
    if let refusal = task.oneWayRefusal {
      return .refused(
        refusal, violations: [], details: RewriteDetails(migration: MigrationDetails(task)))
    }
    do throws(ArchiveError) {
      return try migrate()
    } catch {
      guard let reason = error.refusal else { throw error }
      return .refused(
        reason, violations: [],
        details: RewriteDetails(migration: MigrationDetails(task, refusedAt: error.path)))
    }
  }

  private func migrate() throws(ArchiveError) -> Rewritten {
    let kept = task.kept
    let result = try LensInterpreter.apply(
      task.way, to: task.model.root, of: graph, isList: task.isList,
      kept: kept?.values ?? [],
      anchoring: LostAnchoring(
        isRequested: request.losses == .keepInside || kept?.isInside == true,
        isForgiving: request.losses == .allow), archives: archives)
    let trial = try trial(of: result)
    let structure = try structureLosses() + wayBackLosses(trial)
    let losses = Losses(result.lost, structure: structure)
    if !losses.isEmpty, request.losses == .refuse {
      return .refused(
        losses.refusal, violations: [],
        details: RewriteDetails(migration: losses.details(of: task, orphaned: 0)))
    }
    // Values that were kept for a lens outside this path remain kept.
    let names = Set(task.way.map(\.file.name))
    let carried = result.unused.filter {
      $0.kind == .structure ? $0.lens != task.target.name : !names.contains($0.lens)
    }
    let orphaned = result.unused.count { $0.kind != .structure && names.contains($0.lens) }
    let lost = LostValues(
      family: task.family.name, version: task.target.name,
      values: carried + result.lost + blueprint(structure))
    let isInside =
      !lost.values.isEmpty && (request.losses == .keepInside || kept?.isInside == true)
      && request.losses != .allow
    let root = isInside ? try inside(result.root, lost) : result.root
    let (bytes, changes) = try encoded(assembled(root, trial: isInside ? nil : trial))
    let warnings = changes + graph.decompressionWarnings + archives.warnings + unusedClass
    let copy = try prove(
      bytes, made: result.root, lost: result.lost, trial: bytes === trial?.bytes ? trial : nil)
    try compareStructure(root, with: copy, isInside: isInside)
    let companion = try companion(of: bytes, lost, isInside: isInside)
    if !lost.values.isEmpty, request.losses == .keepBeside || request.losses == .keepInside,
      let reason = try returnFailure(of: bytes, companion)
    {
      return .refused(
        "the kept values would not restore the archive (--allow-loss ignores them): \(reason)",
        violations: [],
        details: RewriteDetails(migration: losses.details(of: task, orphaned: orphaned)))
    }
    return .changed(
      RewrittenArchive(
        storage: bytes, summary: "\(task.source.label) to \(task.target.name)",
        details: RewriteDetails(
          migration: losses.details(of: task, orphaned: orphaned), warnings: warnings),
        lost: companion))
  }

  // MARK: The envelope

  /// Whether the archive keeps its envelope, so that parts that no lens changes keep their stored form.
  var keepsStructure: Bool {
    task.model.envelope == task.target.envelope && isObjectEnvelope
  }

  /// Whether the target is a keyed archive of objects.
  private var isObjectEnvelope: Bool {
    task.target.envelope == .nscoding || task.target.envelope == .dictionariable
  }

  /// The class for the root object; nil to keep its class.
  private var rootClass: String? {
    guard task.target.envelope == .nscoding else { return nil }
    return request.className ?? (keepsStructure ? nil : task.target.newRootClass)
  }

  /// A warning for a user who specified a class for objects that the target does not have.
  private var unusedClass: [ArchiveError] {
    guard let name = request.className, task.target.envelope != .nscoding else { return [] }
    return [
      ArchiveError(
        .mismatch,
        "the class \(name) was not used: \(task.target.label) has no objects of an application's class"
      )
    ]
  }

  /// The bytes of the target's archive.
  private func wrap(_ root: Node) throws(ArchiveError) -> ByteStorage {
    if let kept = try keptStructure(for: root) { return try wrap(kept: kept) }
    let isPlain = task.target.envelope == .dictionariable && !task.target.schema.hasStructure
    guard isObjectEnvelope, isSourceOfObjects || !isPlain else {
      return try EnvelopeWriter.wrap(
        root, of: graph, in: task.target.envelope ?? .plist, shape: task.target.schema,
        topKey: task.target.topKey ?? UnwrappedModel.rootKey
      ).intoStorage()
    }
    // If no operation changes anything, the archive is the same.
    if keepsStructure, rootClass == nil, isUnchanged(root), graph.inflated == nil {
      return task.input
    }
    var request = ArchiveAssembly.Request(
      root: root, shape: task.target.schema, envelope: task.target.envelope ?? .nscoding,
      keepsStructure: keepsStructure, rootClass: rootClass)
    (request.topKey, request.newTopKey) = (task.model.topKey, task.target.topKey)
    return BinaryWriter.write(try ArchiveAssembly.document(request, of: graph)).intoStorage()
  }

  /// The bytes of the target's archive; those of a trial if there was one.
  private func assembled(_ root: Node, trial: Trial?) throws(ArchiveError) -> ByteStorage {
    if let trial { return trial.bytes }
    return try wrap(root)
  }

  /// The new archive in the encoding of the old one, if that is a property list encoding that can represent all of it.
  ///
  /// Otherwise it is unchanged, with a warning.
  private func encoded(_ bytes: ByteStorage) -> (ByteStorage, [ArchiveError]) {
    let encoding = graph.documents[0].encoding
    guard bytes !== task.input, ![.json, .sequential].contains(task.target.envelope),
      let stored = StoredEncoding(encoding)
    else { return (bytes, []) }
    do throws(ArchiveError) {
      return (try stored.faithful(bytes, limits: limits), [])
    } catch {
      let warning = ArchiveError(
        .unrepresentable,
        "becomes a binary property list, because \(encoding.name) cannot represent it: \(error.message)",
        path: error.path)
      return (bytes, [warning])
    }
  }

  /// Whether a model is identical to the archive's stored one.
  private func isUnchanged(_ root: Node) -> Bool {
    root == task.model.root && task.model.lost == nil
      && task.model.topKey == task.target.topKey
  }

  // MARK: Classes and storage

  /// Whether the source is a keyed archive of objects.
  var isSourceOfObjects: Bool {
    task.model.envelope == .nscoding || task.model.envelope == .dictionariable
  }

  /// The classes and storage that the target cannot store, and that the source's schema does not specify.
  private func structureLosses() -> [StructureLoss] {
    guard isSourceOfObjects, !keepsStructure else { return [] }
    return StructureLosses.find(
      task.model.root, of: graph, shape: task.source.schema,
      target: isIdentity ? task.target.schema : nil, rootClass: task.source.newRootClass,
      envelope: task.model.envelope,
      keepsFoundation: isObjectEnvelope)
  }

  /// The original model, which is kept for its classes and its storage.
  private func blueprint(_ losses: [StructureLoss]) -> [LostValue] {
    guard !losses.isEmpty else { return [] }
    return [
      LostValue(
        place: InstanceLocation(lens: task.source.name, operation: "", elements: []),
        kind: .structure,
        title: "classes and storage", path: GraphPath(), value: .node(task.model.root),
        became: nil)
    ]
  }

  /// The model that was kept for its classes and its storage, if its values equal those of the new one.
  ///
  /// - Throws: `ArchiveError` with the path of a value that the application has changed in the meantime.
  private func keptStructure(for root: Node) throws(ArchiveError) -> Node? {
    guard isObjectEnvelope, request.losses != .allow,
      let kept = task.kept?.values.first(where: {
        $0.kind == .structure && $0.lens == task.target.name
      }), case .node(let node)? = kept.value
    else { return nil }
    let difference = ModelComparison.firstDifference(node, of: graph, root, of: graph)
    guard let path = difference else { return node }
    throw ArchiveError(
      .unrepresentable,
      "the value differs from the one whose class and storage were kept; --allow-loss ignores them",
      path: path)
  }

  /// The bytes of an archive of objects that were kept.
  private func wrap(kept: Node) throws(ArchiveError) -> ByteStorage {
    var request = ArchiveAssembly.Request(
      root: kept, shape: task.target.schema, envelope: task.target.envelope ?? .nscoding,
      keepsStructure: true, rootClass: request.className)
    (request.topKey, request.newTopKey) = (task.model.topKey, task.target.topKey)
    return BinaryWriter.write(try ArchiveAssembly.document(request, of: graph)).intoStorage()
  }

  /// Checks that classes, storage and identity are unchanged, except for what the lenses change.
  private func compareStructure(
    _ root: Node, with copy: ObjectGraph, isInside: Bool
  ) throws(ArchiveError) {
    guard keepsStructure, !isUnchanged(root) || rootClass != nil,
      try keptStructure(for: root) == nil,
      let model = UnwrappedModel(copy)
    else { return }
    let difference = StructureComparison.firstDifference(
      root, of: graph, isInside ? model.stored : model.root, of: copy, rootClass: rootClass)
    if let (path, what) = difference {
      throw ArchiveError(
        .unrepresentable, "\(task.target.label) cannot keep the archive's objects: \(what)",
        path: path)
    }
  }

  /// The archive without kept values, read again and taken back through the lenses.
  private struct Trial {
    let bytes: ByteStorage
    let copy: ObjectGraph
    /// The model that the inverse makes of the copy; nil if it is refused, which the verification reports.
    let back: Node?
  }

  /// Tries the inverse if the envelope is unchanged; nil if there is nothing to try.
  private func trial(of result: LensInterpreter.Result) throws(ArchiveError) -> Trial? {
    guard keepsStructure, !isIdentity, task.oneWay.isEmpty else { return nil }
    let bytes = try wrap(result.root)
    let copy = try ArchiveReader(limits: limits).read(bytes)
    let model = UnwrappedModel(copy).map { task.target.model($0, in: copy) }
    let back: Node?
    do throws(ArchiveError) {
      back = try model.map { model throws(ArchiveError) in
        try goBack(model, of: copy, lost: result.lost)
      }
    } catch {
      guard error.refusal != nil else { throw error }
      back = nil
    }
    return Trial(bytes: bytes, copy: copy, back: back)
  }

  /// The classes, storage and identity that the inverse would not restore if the envelope is unchanged.
  ///
  /// Operations that take containers apart create new ones.
  private func wayBackLosses(_ trial: Trial?) throws(ArchiveError) -> [StructureLoss] {
    guard let copy = trial?.copy, let back = trial?.back else { return [] }
    var request = ArchiveAssembly.Request(
      root: back, shape: task.source.schema, envelope: task.source.envelope ?? .nscoding,
      keepsStructure: true,
      rootClass: self.request.className == nil ? nil : task.model.className?.stored)
    (request.topKey, request.newTopKey) = (task.target.topKey, task.model.topKey)
    let document: Document
    do throws(ArchiveError) {
      document = try ArchiveAssembly.document(request, of: copy)
    } catch {
      guard error.refusal != nil else { throw error }
      return [
        StructureLoss(kind: .form, path: error.path ?? GraphPath(), text: error.message, count: 1)
      ]
    }
    let again = try ArchiveReader(limits: limits).read(BinaryWriter.write(document).intoStorage())
    guard let root = UnwrappedModel(again)?.root,
      let (path, what) = ObjectDifference.first(
        task.model.stored, of: graph, root, of: again)
    else { return [] }
    return [StructureLoss(kind: .form, path: path, text: what, count: 1)]
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
    if task.target.envelope == .sequential {
      throw ArchiveError(
        .unrepresentable,
        "a typedstream cannot carry lost values; --keep-lost keeps them in a file")
    }
    let record = try lost.bytes(of: graph, hash: nil)
    let text = SyntheticValue.string(String(decoding: record.bytes, as: UTF8.self))
    // An object keeps its identity.
    let whole = LensValue(.node(root))
    if keepsStructure, let members = whole.open(in: graph) {
      let member = LensValue.Member(
        name: UnwrappedModel.lostMember, key: nil, value: LensValue(.scalar(text)))
      whole.content = .members(members + [member])
      return graph.add(whole.form, near: root)
    }
    let members = (0..<pairs.count).map { index -> (key: SyntheticValue, value: SyntheticValue) in
      let name = graph.memberName(pairs, index)?.string
      return (
        name.map { .string($0) } ?? .node(graph.key(pairs, index)),
        .node(graph.value(pairs, index))
      )
    }
    return graph.add(.pairs(members + [(.string(UnwrappedModel.lostMember), text)]), near: root)
  }

  /// The change to the file with lost values beside the archive.
  private func companion(
    of bytes: ByteStorage, _ lost: LostValues, isInside: Bool
  ) throws(ArchiveError) -> RewrittenArchive.Companion {
    if lost.values.isEmpty || isInside || request.losses == .allow {
      return task.kept?.isInside == false ? .removed : .unchanged
    }
    let hash = try ContentHash(of: bytes.bytes).description
    return .written(try lost.bytes(of: graph, hash: hash))
  }

  // MARK: Verification

  /// Decodes the new bytes, validates them, takes them back, and compares every value with the source's.
  ///
  /// If there is no inverse, it compares them with the results of the lenses.
  ///
  /// - Returns: the new archive.
  private func prove(
    _ bytes: ByteStorage, made: Node, lost: [LostValue], trial: Trial?
  ) throws(ArchiveError) -> ObjectGraph {
    let copy: ObjectGraph
    if let trial { copy = trial.copy } else { copy = try ArchiveReader(limits: limits).read(bytes) }
    let violations = try task.target.validate(copy, family: task.family)
    if let first = violations.first {
      throw ArchiveError(
        .mismatch, "the new value does not fit \(task.target.label): \(first.message)",
        path: first.path)
    }
    guard let model = UnwrappedModel(copy).map({ task.target.model($0, in: copy) }) else {
      throw ArchiveError(
        .unrepresentable, "the value cannot be represented in \(task.target.label)")
    }
    // The same bytes have the same values.
    if isIdentity, bytes === task.input { return copy }
    let isDirect = isIdentity || !task.oneWay.isEmpty
    let back: Node
    if isDirect {
      back = model.root
    } else if let known = trial?.back {
      back = known
    } else {
      back = try goBack(model, of: copy, lost: lost)
    }
    let before = task.oneWay.isEmpty ? task.model.root : made
    let difference = ModelComparison.firstDifference(
      before, of: graph, back, of: copy,
      shape: task.oneWay.isEmpty ? task.source.schema : task.target.schema,
      followsChanges: keepsStructure,
      mayGainNull: isObjectEnvelope && !isSourceOfObjects && task.source.envelope != .json)
    if let path = difference {
      throw ArchiveError(
        .unrepresentable,
        "\(task.target.label) cannot keep the value unchanged"
          + UnkeptValue.reason(
            path, of: (before, graph), as: (back, copy), in: task.target.envelope), path: path)
    }
    return copy
  }

  /// The new model in its original version, with the values that were lost.
  private func goBack(
    _ model: UnwrappedModel, of copy: ObjectGraph, lost: [LostValue]
  ) throws(ArchiveError) -> Node {
    var kept: [LostValue] = []
    if let text = model.lost {
      kept = try LostValues(text: text, of: copy).values
    } else if !lost.isEmpty {
      // The lost values in their stored form.
      let record = LostValues(family: "", version: "", values: lost)
      let node = try copy.add(typedJSON: record.bytes(of: graph, hash: nil))
      kept = try LostValues(node, of: copy).values
    }
    return try LensInterpreter.apply(
      task.way.reversed().map(\.reversed), to: model.root, of: copy, isList: task.isList,
      kept: kept, archives: archives, isGoingBack: true
    ).root
  }
}

// MARK: - Checks that an archive can be restored from its kept values before the result is returned

extension MigrationRun {
  /// Takes the new archive back, by the lenses and its kept values, as a later migration would.
  ///
  /// - Parameters:
  ///   - bytes: the new archive.
  ///   - companion: the file beside it.
  /// - Returns: why its class, storage, identity or values differ from the original archive; nil if they do not.
  /// - Throws: `ArchiveError` for an error that is not a refusal.
  func returnFailure(
    of bytes: ByteStorage, _ companion: RewrittenArchive.Companion
  ) throws(ArchiveError) -> String? {
    guard task.oneWay.isEmpty else { return nil }
    var lost: ByteStorage?
    if case .written(let record) = companion { lost = record }
    var migration = Migration(
      catalog: archives.catalog, family: task.family,
      Migration.Request(
        from: task.target.name, to: task.source.name, via: request.intermediateVersions.reversed(),
        className: request.className == nil ? nil : task.model.className?.stored),
      limits: limits)
    migration.depth = archives.depth
    let input = RewriteInput(storage: bytes, name: task.target.label, path: nil, lost: lost)
    let result: Rewritten
    do throws(ArchiveError) {
      result = try migration.rewrite(input)
    } catch {
      guard let reason = error.refusal else { throw error }
      return reason
    }
    switch result {
    case .refused(let reason, let violations, _):
      return violations.first.map { "\($0.message) (at \($0.path ?? GraphPath()))" }
        ?? Losses.withoutRemedy(reason)
    case .unchanged(let reason, _): return reason
    case .changed(let archive): return try difference(from: archive.storage)
    }
  }

  /// A difference between the restored archive and the original one.
  private func difference(from bytes: ByteStorage) throws(ArchiveError) -> String? {
    guard isSourceOfObjects, task.model.lost == nil else { return nil }
    let again = try ArchiveReader(limits: limits).read(bytes)
    guard let model = UnwrappedModel(again), model.lost == nil else { return nil }
    return ObjectDifference.first(
      task.model.stored, of: graph, model.stored, of: again, comparingValues: keepsStructure
    ).map { "\($0.what) (at \($0.path))" }
  }
}
