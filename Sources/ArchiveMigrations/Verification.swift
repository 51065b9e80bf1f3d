// The third part of a migration: the new bytes read, validated, taken back by the code of the backward command, and
// matched with the source object by object.

import ArchiveBasics
import ArchiveGraph
import ArchiveSchemas
import ArchiveWriting
import KeyedArchives

/// Verifies the result of a migration before anything is written.
struct Verification {
  let task: MigrationTask
  let bytes: ByteStorage
  /// The new archive, read from its bytes.
  let copy: ObjectGraph
  private let model: UnwrappedModel

  /// Reads the new bytes, and validates them against the target's schema.
  ///
  /// - Throws: `ArchiveError` if they cannot be read or do not fit.
  init(of bytes: ByteStorage, _ task: MigrationTask) throws(ArchiveError) {
    (self.task, self.bytes) = (task, bytes)
    copy = try ArchiveReader(limits: task.limits, marksWide: true).read(bytes)
    let violations = try task.target.validate(copy, family: task.family)
    if let first = violations.first {
      throw ArchiveError(
        .mismatch, "the new value does not fit \(task.target.label): \(first.message)",
        path: first.path)
    }
    guard let model = copy.unwrapModel() else {
      throw ArchiveError(
        .unrepresentable, "the value cannot be represented in \(task.target.label)")
    }
    self.model = task.target.model(model, in: copy)
  }

  /// Compares the written values with those that the lenses made.
  ///
  /// - Throws: `ArchiveError` with the path of the first value that differs.
  func compare(with made: Node) throws(ArchiveError) {
    let difference = ModelComparison.firstDifference(
      made, of: task.graph, model.root, of: copy, shape: task.target.schema,
      followsChanges: task.keepsStructure,
      mayGainNull: task.target.envelope?.isOfObjects == true && !task.isSourceOfObjects
        && task.source.envelope != .json)
    guard let path = difference else { return }
    throw ArchiveError(
      .unrepresentable,
      "\(task.target.label) cannot keep the value unchanged"
        + UnkeptValue.reason(
          path, of: (made, task.graph), as: (model.root, copy), in: task.target.envelope),
      path: path)
  }

  /// Takes the archive back as `archtool migrate --from TARGET --to SOURCE` does, and matches the result with the source.
  ///
  /// - Parameter record: the file with the kept values beside the new archive; nil if there is none.
  /// - Returns: all differences; if it cannot be taken back, that is the only one.
  /// - Throws: `ArchiveError` for an error that is not a refusal.
  func differences(record: ByteStorage?) throws(ArchiveError) -> [StoredDifference] {
    if bytes === task.input { return [] }
    if record == nil, isReversible { return [] }
    var back = task.backward()
    // What an earlier migration lost, and this one restores, is lost again on the way back.
    back.isForgiving = task.kept != nil
    let returned: ArchiveEncoding.Result
    do throws(ArchiveError) {
      returned = try back.migrateBack(
        RewriteInput(storage: bytes, name: task.target.label, path: nil, lost: record), copy)
    } catch {
      guard error.refusal != nil else { throw error }
      return [
        StoredDifference(
          kind: .value, path: error.path ?? GraphPath(),
          text: "cannot be taken back: \(error.message)")
      ]
    }
    let again = try ArchiveReader(limits: task.limits).read(returned.bytes)
    let found = match(again)
    // What was written for lack of a name may be right; the backward command refuses it all the same.
    let known = Set(found.map { "\($0.kind) \($0.path)" })
    return found + returned.unknowns.filter { !known.contains("\($0.kind) \($0.path)") }
  }

  private func match(_ again: ObjectGraph) -> [StoredDifference] {
    guard let model = again.unwrapModel() else {
      return [
        StoredDifference(kind: .value, path: GraphPath(), text: "a model, which becomes none")
      ]
    }
    // JSON is compared as its schema decodes it, everything else as it is stored.
    let isJSON = task.source.envelope == .json
    let hasKept = task.model.lost != nil || model.lost != nil
    let policy = task.policy
    let split: ((StoredDifference.Kind, GraphPath) -> Bool)? =
      policy.hasPaths ? { policy.allows($0, at: $1) } : nil
    return StoredMatching.differences(
      isJSON ? task.model.root : task.model.stored, of: task.graph,
      isJSON ? task.source.model(model, in: again).root : model.stored, of: again,
      areCollectionsValues: task.target.envelope?.isOfObjects != true,
      ignoring: hasKept ? UnwrappedModel.lostMember : nil,
      splitBy: split)
  }

  // MARK: The fast path

  /// Whether the way back is known to restore the source, because the values are the same one by one and nothing else
  /// of the source needs to be restored.
  private var isReversible: Bool {
    guard task.request.usesFastVerification, task.isIdentity,
      task.source.envelope == .dictionariable, !task.source.schema.hasStructure,
      task.target.envelope == .codable || task.target.envelope == .plist
    else { return false }
    return ModelComparison.areIdentical(
      task.model.root, of: task.graph, model.root, of: copy)
  }
}

// MARK: - Explains why a value would be restored differently, and what to do

/// Describes a value that an envelope cannot preserve.
enum UnkeptValue {
  /// The end of a message: the value, what would be restored, and what a lens could do.
  ///
  /// - Parameters:
  ///   - path: the path of the values.
  ///   - before: the original model.
  ///   - after: the restored model.
  static func reason(
    _ path: GraphPath, of before: (root: Node, graph: ObjectGraph),
    as after: (root: Node, graph: ObjectGraph), in envelope: Envelope?
  ) -> String {
    let (source, target) = (value(path, before), value(path, after))
    let remedy = source.flatMap { Self.remedy($0, envelope) } ?? ""
    return ": \(display(source)) would come back as \(display(target))\(remedy)"
  }

  private static func value(
    _ path: GraphPath, _ model: (root: Node, graph: ObjectGraph)
  ) -> (value: Value, form: SyntheticValue?)? {
    (try? model.graph.node(at: path, from: model.root)).map { node in
      (model.graph.value(of: node), SyntheticValue(scalar: node, of: model.graph))
    }
  }

  private static func display(_ value: (value: Value, form: SyntheticValue?)?) -> String {
    guard let value else { return "nothing" }
    if let form = value.form { return form.display }
    switch value.value {
    case .array(let elements), .orderedSet(let elements), .set(let elements):
      return elements.count == 0 ? "an empty list" : "a list of \(elements.count)"
    case .dictionary(let pairs), .object(_, let pairs):
      return pairs.count == 0 ? "an empty object" : "an object of \(pairs.count)"
    default: return "a value"
    }
  }

  private static func remedy(
    _ source: (value: Value, form: SyntheticValue?), _ envelope: Envelope?
  ) -> String? {
    guard envelope == .json else { return nil }
    switch source.form {
    case .date: return " (JSON has no dates: 'convert' in a lens makes a text or a number of one)"
    case .data: return " (JSON has no data: 'convert' in a lens makes a text in Base64 of it)"
    default: return nil
    }
  }
}
