// A file that is edited: operations one after another, all or none.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph

/// A file that is edited step by step.
package struct EditedDocument {
  /// The bytes of the file as they are now.
  package private(set) var storage: ByteStorage
  /// What was changed, in order.
  package private(set) var records: [EditRecord] = []
  /// Warnings of keys that occur twice in the file as it was, of which an edit changes one value, and of comments and
  /// encodings of texts in data values that are lost.
  package private(set) var warnings: [ArchiveError] = []
  private let sharing: SharedObjects
  private let limits: Limits

  /// Begins to edit a file.
  package init(_ storage: ByteStorage, sharing: SharedObjects = .refused, limits: Limits = Limits())
  {
    self.storage = storage
    self.sharing = sharing
    self.limits = limits
  }

  /// Does edits in order; if one fails, none is done.
  ///
  /// As many as possible are made to the values of the file together, and written and verified once.
  ///
  /// - Parameter failed: receives the number of the edit that failed.
  /// - Throws: `ArchiveError` of that edit.
  package mutating func apply(
    _ edits: [DocumentEdit], failed: (Int) -> Void = { _ in }
  ) throws(ArchiveError) {
    let before = self
    var next = 0
    var most = edits.count
    while next < edits.count {
      do throws(ArchiveError) {
        let done = try advance(edits[next...].prefix(most))
        next += done
        // A batch whose result is refused is halved until the edit is found that is the reason.
        most =
          done == 0
          ? max(1, min(most, edits.count - next) / 2) : min(edits.count, max(most, done &* 2))
      } catch {
        self = before
        failed(next)
        throw error
      }
    }
  }

  /// Does the first of some edits, and those after it that can be done with it.
  ///
  /// - Returns: how many were done; 0 if several of them are refused together.
  /// - Throws: `ArchiveError` if the first one is refused.
  private mutating func advance(
    _ edits: ArraySlice<DocumentEdit>
  ) throws(ArchiveError) -> Int {
    let graph = try EditableFile.read(storage, limits: limits)
    if records.isEmpty { warnings = graph.warnings.filter { $0.subject == .repeatedKey } }
    if let first = edits.first {
      do throws(ArchiveError) {
        if try moveAcross(first, graph) { return 1 }
      } catch {
        throw located(error, in: graph)
      }
    }
    var batch = EditBatch(graph, of: storage, sharing: sharing)
    var drafts: [EditDraft] = []
    var done = 0
    for edit in edits {
      do throws(ArchiveError) {
        drafts += try EditDraft.add(edit, to: &batch)
      } catch {
        if done == 0 { throw located(error, in: graph) }
        // Each of these could be added.
        if batch.isBroken { return try advance(edits.prefix(done)) }
        break
      }
      done += 1
      if batch.isFull { break }
    }
    do throws(ArchiveError) {
      try finish(&batch, drafts)
    } catch {
      guard done > 1 else {
        let path = try? edits.first?.path.resolve(in: graph).path
        throw located(path.map(error.at(path:)) ?? error, in: graph)
      }
      return 0
    }
    return done
  }

  /// The same error at the innermost value that exists at its path, as long as the file is the one that was given.
  private func located(_ error: ArchiveError, in graph: ObjectGraph) -> ArchiveError {
    guard records.isEmpty, error.offset == nil, error.file == nil, let path = error.path else {
      return error
    }
    return error.moved(to: path, offset: graph.fileOffset(near: path))
  }

  private mutating func finish(
    _ batch: inout EditBatch, _ drafts: [EditDraft]
  ) throws(ArchiveError) {
    guard let result = try batch.finish() else { return }
    storage = result.storage
    warnings += result.warnings
    for draft in drafts {
      var record = draft.record
      if let edit = draft.edit {
        let node = edit < result.values.count ? result.values[edit] : nil
        record = EditRecord(
          path: record.path, old: record.old,
          new: node.map { EditDraft.text($0, result.graph) } ?? "?")
      }
      records.append(record)
    }
  }

  /// Moves a value to another archive, in which it is a new one.
  ///
  /// - Returns: false if the edit is not such a move.
  private mutating func moveAcross(
    _ edit: DocumentEdit, _ graph: ObjectGraph
  ) throws(ArchiveError) -> Bool {
    guard case .move(let source) = edit.operation,
      let move = try MoveLocations(
        edit.path, source, after: EditBatch(graph, of: storage, sharing: sharing)),
      !move.isInOneDocument
    else { return false }
    let text = EditDraft.text(move.node, graph)
    let value = try TypedValue(move.node, of: graph)
    try run(.remove, at: move.source, in: graph)
    let rest = try EditableFile.read(storage, limits: limits)
    try run(.add(.typed(value)), at: try edit.path.location(in: rest), in: rest)
    records.append(EditRecord(path: move.source.path.description, old: text, new: nil))
    records.append(EditRecord(path: move.targetPath.description, old: nil, new: text))
    return true
  }

  private mutating func run(
    _ action: EditAction, at location: EditLocation, in graph: ObjectGraph
  ) throws(ArchiveError) {
    var batch = EditBatch(graph, of: storage, sharing: sharing)
    try batch.add(action, at: location)
    if let result = try batch.finish() { storage = result.storage }
  }
}

// MARK: - One edit on its way into a batch: what it does and where, and the record that it leaves

struct EditDraft {
  /// What it has changed, without the new value.
  var record: EditRecord
  /// The number of the edit whose value the record shows; nil if the record is complete.
  var edit: Int?

  /// Adds an edit to a batch.
  ///
  /// - Returns: nothing for an edit that changes nothing.
  /// - Throws: `ArchiveError` if the edit is refused, or needs a batch of its own.
  static func add(
    _ edit: DocumentEdit, to batch: inout EditBatch
  ) throws(ArchiveError) -> [EditDraft] {
    let graph = batch.graph
    if case .move(let source) = edit.operation { return try move(edit, from: source, &batch) }
    let isAppending = if case .append = edit.operation { true } else { false }
    let location = try edit.path.location(in: graph, isAppending: isAppending, after: batch)
    let old = isAppending ? nil : try node(at: location, after: batch)
    if case .test(let value) = edit.operation {
      try test(old, location, value, batch)
      return []
    }
    if try changesNothing(edit, old, batch) { return [] }
    let action: EditAction
    do throws(ArchiveError) { action = try Self.action(edit, location, old, batch) } catch {
      guard let holder = location.nodes.last, error.subject == .missingKey else { throw error }
      throw error.noting(edit.path.hint(edit.path.steps.suffix(1), at: holder, in: graph))
    }
    let isInsertion: Bool
    switch (edit.operation, location.steps.last) {
    case (.insert, .index?), (.add, .index?), (.append, _), (.copy, .index?): isInsertion = true
    default: isInsertion = false
    }
    // The batch may contain changes to what is not replaced, and such an edit is not added to it.
    let oldText = isInsertion ? nil : old.map { text($0, graph) }
    try batch.add(action, at: location)
    let record = EditRecord(path: location.path.description, old: oldText, new: nil)
    var draft = EditDraft(record: record)
    switch edit.operation {
    case .remove: break
    case .renameKey(let key): draft.record.key = key
    default: draft.edit = batch.editCount - 1
    }
    return [draft]
  }

  /// Whether a value is set to itself: the same value in the same type, of no class or storage that is named.
  private static func changesNothing(
    _ edit: DocumentEdit, _ old: Node?, _ batch: EditBatch
  ) throws(ArchiveError) -> Bool {
    guard let old, !batch.hasEdits(in: old) else { return false }
    let value: TypedValue
    switch edit.operation {
    case .set(.typed(let new)), .replace(let new): value = new
    default: return false
    }
    return try batch.graph.isAlready(value, at: old)
  }

  private static func test(
    _ old: Node?, _ location: EditLocation, _ value: TypedValue, _ batch: EditBatch
  ) throws(ArchiveError) {
    guard let old else { throw missing(location) }
    if batch.hasEdits(in: old) { throw EditBatch.touched }
    guard try batch.graph.equals(value, at: old) else {
      throw ArchiveError(
        .mismatch,
        "the value is \(text(old, batch.graph)), not \(shortened(value.text))", path: location.path)
    }
  }

  /// What an edit does at its location, with the value that is there.
  private static func action(
    _ edit: DocumentEdit, _ location: EditLocation, _ old: Node?, _ batch: EditBatch
  ) throws(ArchiveError) -> EditAction {
    switch edit.operation {
    case .set(let value):
      if old != nil { return .replace(value) }
      try requireDictionary(location, batch.graph)
      return .add(value)
    case .insert(let value):
      if old != nil, case .key(let key)? = location.steps.last {
        throw ArchiveError(
          .mismatch, "there is a key '\(key)' already; set replaces its value",
          path: location.parentPath)
      }
      guard !location.steps.isEmpty else {
        throw ArchiveError(
          .mismatch, "the root is there already; set replaces it", path: GraphPath())
      }
      return .add(value)
    case .append(let value): return .add(value)
    case .add(let value): return .add(.typed(value))
    case .copy(let source):
      let from = try source.location(in: batch.graph, after: batch)
      guard let node = try node(at: from, after: batch) else { throw missing(from) }
      if batch.hasEdits(in: node) { throw EditBatch.touched }
      return .add(.copy(of: from))
    case .replace(let value):
      guard old != nil else { throw missing(location) }
      return .replace(.typed(value))
    case .remove:
      guard old != nil else { throw missing(location) }
      return .remove
    case .renameKey(let key):
      guard old != nil else { throw missing(location) }
      return .renameKey(key)
    case .move, .test: throw EditBatch.touched
    }
  }

  /// Removes a value and adds it elsewhere in the same archive.
  private static func move(
    _ edit: DocumentEdit, from source: ValuePath, _ batch: inout EditBatch
  ) throws(ArchiveError) -> [EditDraft] {
    guard let move = try MoveLocations(edit.path, source, after: batch) else { return [] }
    guard move.isInOneDocument, !batch.hasEdits(in: move.node) else { throw EditBatch.touched }
    let text = text(move.node, batch.graph)
    try batch.add(.move(from: move.source), at: move.target)
    return [
      EditDraft(record: EditRecord(path: move.source.path.description, old: text, new: nil)),
      EditDraft(record: EditRecord(path: move.targetPath.description, old: nil, new: text)),
    ]
  }

  // MARK: Texts

  private static let longest = 200

  /// A value as JSON on one line, not too long.
  static func text(_ node: Node, _ graph: ObjectGraph) -> String {
    do throws(ArchiveError) {
      return shortened(try TypedValue(node, of: graph).text)
    } catch {
      return "a value of type \(graph.value(of: node).typeName)"
    }
  }

  private static func shortened(_ text: String) -> String {
    text.unicodeScalars.count <= longest
      ? text : String(text.unicodeScalars.prefix(longest)) + "…"
  }

  // MARK: Locations

  /// The value at a location after the edits so far; nil if the last step has no target.
  static func node(
    at location: EditLocation, after batch: EditBatch
  ) throws(ArchiveError) -> Node? {
    let graph = batch.graph
    guard let step = location.steps.last, let holder = location.nodes.last else {
      return graph.root
    }
    if case .content = step { return graph.content(of: holder) }
    guard let container = QueryContainer(holder, in: graph) else { return nil }
    switch batch.child(step, of: container.node) {
    case .changed?:
      // An element is inserted before another, whatever that is; where it may be is known.
      if case .index = step { return nil }
      throw EditBatch.touched
    case .missing?: return nil
    case .stored(let position)?: return container.storedChild(position, in: graph)
    case nil: return container.child(step, in: graph)
    }
  }

  static func missing(_ location: EditLocation) -> ArchiveError {
    let (words, subject): (String, ArchiveError.Subject?) =
      switch location.steps.last {
      case .key(let key)?: ("there is no key '\(key)' here", .missingKey)
      case .index(let index)?: ("there is no element \(index) here", nil)
      default: ("there is no value here", nil)
      }
    return ArchiveError(.mismatch, words, path: location.parentPath, about: subject)
  }

  /// A new member is added to dictionaries alone: a field that no decoder reads is most likely a mistake.
  private static func requireDictionary(
    _ location: EditLocation, _ graph: ObjectGraph
  ) throws(ArchiveError) {
    guard let holder = location.nodes.last, case .key(let key)? = location.steps.last else {
      throw missing(location)
    }
    switch graph.value(of: holder) {
    case .dictionary: return
    case .object(let index, _):
      // What is shown by members made of its fields takes no new ones.
      let remedy = graph.hiddenFields(of: holder) == nil ? "; insert adds it" : ""
      throw ArchiveError(
        .mismatch,
        "an object of class \(graph.classes[index].displayName) has no field '\(key)'\(remedy)",
        path: location.parentPath)
    default: throw missing(location)
    }
  }
}
