// A file that is edited: operations one after another, all or none.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

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

  /// Does one edit.
  ///
  /// - Throws: `ArchiveError` if the file cannot be read, or the edit is refused.
  package mutating func apply(_ edit: DocumentEdit) throws(ArchiveError) { try apply([edit]) }

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
