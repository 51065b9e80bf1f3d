// A three-way merge of a file: the changes of one version are made to the other, as edits, and checked.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting

/// A merge of two versions of a file that were made from one.
package struct FileMerge {
  /// The merged file, in the encoding of ours.
  ///
  /// Where there is a conflict it is as ours.
  package let storage: ByteStorage
  /// What could not be merged.
  package let conflicts: [MergeConflict]
  private let versions: MergedVersions

  /// Merges the changes of theirs into ours.
  ///
  /// The changes are made by the same edits as those of `EditedDocument`: everything else in ours keeps its class, storage,
  /// identity and value. The result is compared with both versions.
  ///
  /// - Parameters:
  ///   - storage: the bytes of ours.
  ///   - old: the bytes of the base.
  ///   - key: the path from an element of a list to what identifies it; nil to align lists by content.
  /// - Throws: `ArchiveError` with the path of a change that cannot be made.
  package init(
    _ versions: MergedVersions, ours storage: ByteStorage, base old: ByteStorage,
    key: ValuePath? = nil
  ) throws(ArchiveError) {
    self.versions = versions
    let rules = try Self.rules(versions)
    var identity = MergeIdentity(
      base: versions.base, version: versions.theirs, rules, key: key)
    try identity.requireSameObjects()
    try Self.requireEdits(versions, old, rules, key: key)
    let plan = try MergePlan.make(versions, rules, key: key)
    conflicts = plan.conflicts
    guard !plan.operations.isEmpty else {
      self.storage = storage
      return
    }
    var ours = MergeIdentity(base: versions.base, version: versions.ours, rules, key: key)
    try ours.requireSameObjects(where: plan.touched)
    self.storage = try Self.merged(storage, plan, versions)
    try Self.requireValues(of: plan, versions.theirs, in: self.storage, rules)
  }

  /// Requires that edits make theirs of the base: they change nothing that is not seen in values, such as the version of a
  /// class, or which objects are the same.
  ///
  /// - Throws: `ArchiveError` with code `mismatch` and the path in theirs of what edits cannot make.
  private static func requireEdits(
    _ versions: MergedVersions, _ old: ByteStorage, _ rules: ComparisonRules, key: ValuePath?
  ) throws(ArchiveError) {
    let single = MergedVersions(
      base: versions.base, ours: versions.base, theirs: versions.theirs)
    let plan = try MergePlan.make(single, rules, key: key)
    let made = plan.operations.isEmpty ? old : try merged(old, plan, single)
    let graph = try EditableFile.read(made, limits: versions.base.limits)
    if let path = StoredMatching.firstDifference(betweenFiles: graph, versions.theirs) {
      throw ArchiveError(
        .mismatch,
        "theirs has changed what edits cannot change: a class, how a value is stored, or which objects are the same",
        path: path)
    }
  }

  /// Requires that the merged file has what was planned, in the same types, classes and storage.
  private static func requireValues(
    of plan: MergePlan, _ theirs: ObjectGraph, in storage: ByteStorage, _ rules: ComparisonRules
  ) throws(ArchiveError) {
    let graph = try EditableFile.read(storage, limits: theirs.limits)
    let (found, wanted) = (ValueDigests(graph, rules), ValueDigests(theirs, rules))
    for (path, value) in plan.expectations {
      let node = try ValuePath(parsing: path.pointer()).find(in: graph, from: graph.root)
      if let node, let value, try found.digest(of: node) == wanted.digest(of: value) { continue }
      if node == nil, value == nil { continue }
      throw ArchiveError(
        .mismatch, "the value of theirs cannot be stored here in the same way", path: path)
    }
  }

  /// The rules for comparing the versions, which are the same for all of them.
  private static func rules(_ versions: MergedVersions) throws(ArchiveError) -> ComparisonRules {
    var rules = ComparisonRules(versions.base, versions.ours)
    guard rules == ComparisonRules(versions.base, versions.theirs),
      rules == ComparisonRules(versions.ours, versions.theirs)
    else {
      throw ArchiveError(
        .mismatch, "the versions have different formats; convert them to one before you merge")
    }
    rules.isExact = true
    return rules
  }

  // MARK: Edits

  private static func merged(
    _ storage: ByteStorage, _ plan: MergePlan, _ versions: MergedVersions
  ) throws(ArchiveError) -> ByteStorage {
    let limits = versions.ours.limits
    var edits: [DocumentEdit] = []
    for step in plan.operations { edits.append(try edit(step, of: versions.theirs)) }
    let refusal: ArchiveError
    do throws(ArchiveError) {
      return try edited(storage, edits, .refused, limits)
    } catch {
      refusal = error
    }
    // An object that others refer to may be changed if it is changed for all of them.
    if refusal.code == .limit { throw refusal }
    guard let result = try? edited(storage, edits, .changed, limits),
      let graph = try? EditableFile.read(result, limits: limits),
      try isCovered(versions.ours, graph, plan)
    else {
      throw Self.refusal(refusal, plan)
    }
    return result
  }

  /// The reason without the options of the commands that edit values.
  private static func refusal(_ error: ArchiveError, _ plan: MergePlan) -> ArchiveError {
    var reason = error.message.split(separator: ";", maxSplits: 1).first ?? ""
    // Nothing is written yet: the edit found that it would change more than was asked of it.
    if error.code == .inputOutput { reason = "no edit makes this change alone" }
    return ArchiveError(
      .mismatch, String(reason), offset: error.offset,
      path: error.path ?? plan.operations.first?.path)
  }

  private static func edited(
    _ storage: ByteStorage, _ edits: [DocumentEdit], _ sharing: SharedObjects, _ limits: Limits
  ) throws(ArchiveError) -> ByteStorage {
    var document = EditedDocument(storage, sharing: sharing, limits: limits)
    try document.apply(edits)
    return document.storage
  }

  private static func edit(
    _ step: PatchStep, of graph: ObjectGraph
  ) throws(ArchiveError) -> DocumentEdit {
    let path = try ValuePath(parsing: step.path.pointer())
    if let source = step.source {
      return DocumentEdit(.move(try ValuePath(parsing: source.pointer())), at: path)
    }
    guard let node = step.value else { return DocumentEdit(.remove, at: path) }
    var value = try TypedValue(node, of: graph)
    if case .integer = graph.value(of: node), graph.classIndex(of: node) == nil,
      value.text.first != "{"
    {
      // An untagged integer would become a real where a real is now.
      value = try TypedValue(json: "{\"$int\":\"\(value.text)\"}")
    }
    return DocumentEdit(step.kind == .add ? .add(value) : .replace(value), at: path)
  }

  /// Whether only what was planned is different now.
  private static func isCovered(
    _ ours: ObjectGraph, _ merged: ObjectGraph, _ plan: MergePlan
  ) throws(ArchiveError) -> Bool {
    var options = DifferenceOptions()
    options.isExact = true
    var difference = try GraphDifference(ours, merged, options, receiver: PlannedChanges(plan))
    try difference.run()
    return difference.receiver.areAll
  }

  // MARK: Conflicts

  /// Writes the conflicts as a JSON document.
  ///
  /// - Parameters:
  ///   - file: the name of the merged file.
  ///   - mark: how the document begins.
  /// - Throws: `ArchiveError` with code `limit` if shared values multiply too much.
  package func writeConflicts(
    of file: String, mark: String, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    output.bytes.append(mark)
    output.bytes.append("\"file\": ")
    JSONText.append(file, to: &output.bytes)
    output.bytes.append(",\n \"conflicts\": [")
    for (position, conflict) in conflicts.enumerated() {
      output.bytes.append(position == 0 ? "\n    " : ",\n    ")
      try conflict.write(versions, to: &output.bytes)
      output.flushIfFull()
    }
    output.bytes.append("\n]}\n")
  }
}

/// Checks that differences are those of a plan.
private struct PlannedChanges: DifferenceReceiver {
  static let comparesObjectsOnce = true

  private let plan: MergePlan
  private var pairing: GraphPairing?
  private(set) var areAll = true

  init(_ plan: MergePlan) { self.plan = plan }

  mutating func begin(_ pairing: GraphPairing) { self.pairing = pairing }

  mutating func store(_ change: StoredChange, _ old: Node, _ new: Node, at paths: PathPair) {
    require(paths.new.steps.last)
  }

  mutating func replace(_ old: Node, by new: Node, at paths: PathPair) {
    require(paths.new.steps.last)
  }

  mutating func changeClass(_ old: Node, _ new: Node, at paths: PathPair) -> Bool {
    if !isInChanged { areAll = false }
    return false
  }

  mutating func change(
    removed: [(name: String, value: Node)], added: [(name: String, value: Node)],
    at paths: PathPair
  ) {
    for (name, _) in removed + added { require(.key(name)) }
  }

  mutating func change(
    _ alignment: ListAlignment, old: Elements, new: Elements, isSet: Bool, at paths: PathPair
  ) {
    let holder = pairing?.holders?.left
    if holder.map(plan.reordered.contains) != true, !isInChanged { areAll = false }
  }

  private mutating func require(_ step: GraphPath.Step?) {
    let location = MergedLocation(holder: pairing?.holders?.left, step: step)
    if !plan.changed.contains(location), !isInChanged { areAll = false }
  }

  /// Whether the containers that are being compared are in a value that is changed as a whole, and nowhere else.
  private var isInChanged: Bool {
    if plan.changed.contains(MergedLocation(holder: nil, step: nil)) { return true }
    guard let pairing else { return false }
    var holders = pairing.holders
    while let pair = holders {
      if pairing.old.digests.isShared(pair.left) || pairing.new.digests.isShared(pair.right) {
        return false
      }
      guard let meeting = pairing.meeting(of: pair) else { return false }
      let location = MergedLocation(holder: meeting.holders.left, step: meeting.new)
      if plan.changed.contains(location) { return true }
      holders = meeting.holders
    }
    return false
  }
}
