// Edits to a file by the paths of values, one after another, all or none.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting

/// One edit: what to do at a path.
package struct DocumentEdit: Sendable {
  /// What is done.
  package enum Operation: Sendable {
    /// Replaces a value, or adds a member to a dictionary.
    case set(EditValue)
    /// Adds a member that is not there yet, or inserts an element before the one at the index.
    case insert(EditValue)
    /// Adds an element after the last of the list at the path.
    case append(EditValue)
    /// Removes a value.
    case remove
    /// Gives a member another key.
    case renameKey(String)
    /// `add` of JSON Patch: replaces an existing member.
    case add(TypedValue)
    /// `replace` of JSON Patch.
    case replace(TypedValue)
    /// `move` of JSON Patch, from a path.
    case move(ValuePath)
    /// `copy` of JSON Patch, from a path.
    case copy(ValuePath)
    /// `test` of JSON Patch.
    case test(TypedValue)
  }

  /// Where it is done.
  package let path: ValuePath
  /// What is done.
  package let operation: Operation

  /// Makes an edit.
  package init(_ operation: Operation, at path: ValuePath) {
    self.operation = operation
    self.path = path
  }
}

// MARK: - JSON Patch (RFC 6902), whose values may be typed JSON

enum PatchKind: String, CaseIterable {
  case add, remove, replace, move, copy, test
}

extension DocumentEdit {
  /// Reads a JSON Patch document: an array of operations.
  ///
  /// - Throws: `ArchiveError` if it is not JSON, or with the number of an operation that is malformed.
  package static func readPatch(
    _ storage: ByteStorage, limits: Limits = Limits()
  ) throws(ArchiveError) -> [DocumentEdit] {
    let document = try JSONReader.read(
      storage.bytes, limits: limits, keepsPositions: true, marksWide: true)
    guard document.table.marker(of: document.top) >> 4 == Marker.array else {
      throw ArchiveError(
        .malformed, "a JSON Patch must be an array of operations", path: GraphPath())
    }
    var edits: [DocumentEdit] = []
    for (position, index) in document.table.children(of: document.top).enumerated() {
      do throws(ArchiveError) {
        edits.append(try DocumentEdit(operation: index, of: document, limits))
      } catch {
        throw ArchiveError(
          error.code, "operation \(position): \(error.message)", offset: error.offset)
      }
    }
    return edits
  }

  /// Reads one operation: an object of a JSON document.
  private init(
    operation index: UInt32, of document: Document, _ limits: Limits
  ) throws(ArchiveError) {
    let table = document.table
    let offset = document.fileOffset(of: index)
    guard table.marker(of: index) >> 4 == Marker.dictionary else {
      throw ArchiveError(.malformed, "must be an object", offset: offset)
    }
    func text(_ name: StaticString) throws(ArchiveError) -> String? {
      guard let member = table.value(name, of: index) else { return nil }
      guard let text = table.text(at: member) else {
        throw ArchiveError(
          .malformed, "the member '\(name)' must be a string",
          offset: document.fileOffset(of: member))
      }
      return text.string
    }
    let name = try text("op")
    guard let kind = name.flatMap({ PatchKind(rawValue: $0) }) else {
      let found = name.map { "'\($0)' is not an operation" } ?? "the member 'op' is missing"
      let names = PatchKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw ArchiveError(.malformed, "\(found); use one of \(names)", offset: offset)
    }
    func needed<Member>(_ member: Member?, _ name: String) throws(ArchiveError) -> Member {
      guard let member else {
        throw ArchiveError(
          .malformed, "\(kind.rawValue) needs the member '\(name)'", offset: offset)
      }
      return member
    }
    func pointer(_ text: String) throws(ArchiveError) -> ValuePath {
      guard JSONPointer.tokens(of: text) != nil else {
        throw ArchiveError(.malformed, "'\(text)' is not a JSON Pointer", offset: offset)
      }
      return try ValuePath(parsing: text)
    }
    func value() throws(ArchiveError) -> TypedValue {
      try TypedValue(
        document, at: try needed(table.value("value", of: index), "value"), limits: limits)
    }
    let path = try needed(try text("path"), "path")
    let from = try text("from")
    func source() throws(ArchiveError) -> ValuePath { try pointer(try needed(from, "from")) }
    switch kind {
    case .add: self.init(.add(try value()), at: try pointer(path))
    case .replace: self.init(.replace(try value()), at: try pointer(path))
    case .test: self.init(.test(try value()), at: try pointer(path))
    case .remove: self.init(.remove, at: try pointer(path))
    case .move: self.init(.move(try source()), at: try pointer(path))
    case .copy: self.init(.copy(try source()), at: try pointer(path))
    }
  }

  // MARK: Edits in lines of JSON, one per line

  /// Reads edits, an object per line: `{"op": "set", "path": "$.title", "value": "A"}`.
  ///
  /// The operations are those of the commands (`set`, `insert`, `append`, `remove`, `rename-key`) and of JSON Patch; a
  /// path may have any notation.
  ///
  /// - Throws: `ArchiveError` with code `malformed`, with the line and column.
  package static func readLines(
    _ storage: ByteStorage, limits: Limits = Limits()
  ) throws(ArchiveError) -> [DocumentEdit] {
    var edits: [DocumentEdit] = []
    var number = 0
    for line in storage.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    {
      number += 1
      let isEmpty = line.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
      if isEmpty { continue }
      do throws(ArchiveError) {
        let document = try JSONReader.read(
          ByteView(rebasing: line), limits: limits, keepsPositions: true,
          marksWide: true)
        edits.append(try DocumentEdit(line: document, limits))
      } catch {
        // Columns count characters, which the continuation bytes of UTF-8 do not begin.
        let before = line.prefix(error.offset ?? 0)
        throw ArchiveError(error.code, error.message, offset: line.startIndex + before.count)
          .at(
            position: TextPosition(
              line: number, column: before.count { $0 & 0xC0 != 0x80 } + 1))
      }
    }
    return edits
  }

  private init(line document: Document, _ limits: Limits) throws(ArchiveError) {
    let table = document.table
    guard table.marker(of: document.top) >> 4 == Marker.dictionary else {
      throw ArchiveError(.malformed, "must be an object")
    }
    func text(_ name: StaticString) -> String? {
      table.value(name, of: document.top).flatMap { table.text(at: $0)?.string }
    }
    func needed(_ name: StaticString) throws(ArchiveError) -> String {
      guard let text = text(name) else {
        throw ArchiveError(.malformed, "the member '\(name)' must be a string")
      }
      return text
    }
    func value() throws(ArchiveError) -> TypedValue {
      guard let member = table.value("value", of: document.top) else {
        throw ArchiveError(.malformed, "the member 'value' is missing")
      }
      return try TypedValue(document, at: member, limits: limits)
    }
    let path = try ValuePath(parsing: try needed("path"))
    switch try needed("op") {
    case "set": self.init(.set(.typed(try value())), at: path)
    case "insert": self.init(.insert(.typed(try value())), at: path)
    case "append": self.init(.append(.typed(try value())), at: path)
    case "rename-key": self.init(.renameKey(try needed("key")), at: path)
    case "remove": self.init(.remove, at: path)
    case "add": self.init(.add(try value()), at: path)
    case "replace": self.init(.replace(try value()), at: path)
    case "test": self.init(.test(try value()), at: path)
    case "move": self.init(.move(try ValuePath(parsing: try needed("from"))), at: path)
    case "copy": self.init(.copy(try ValuePath(parsing: try needed("from"))), at: path)
    case let name:
      throw ArchiveError(
        .malformed,
        "'\(name)' is not an operation; use set, insert, append, remove, rename-key, add, replace, move, copy or test"
      )
    }
  }
}

// MARK: - What edits have changed, as lines for people

/// What an edit changed, for people.
package struct EditRecord: Sendable {
  /// The path of the edited value.
  package let path: String
  /// The value before; nil if there was none.
  package let old: String?
  /// The value after; nil if there is none.
  package let new: String?
  /// The new key, if only the key has changed.
  package var key: String?

  /// A line: `$.title: "A" -> "B"`.
  package var line: String {
    switch (old, new, key) {
    case (_, _, let key?): "\(path): renamed to '\(key)'"
    case (let old?, let new?, _): "\(path): \(old) -> \(new)"
    case (let old?, nil, _): "\(path): removed \(old)"
    case (nil, let new?, _): "\(path): added \(new)"
    case (nil, nil, _): "\(path): unchanged"
    }
  }
}

// MARK: - Where a move takes a value from, and where to

/// The locations of a move, whose target is what it is after the removal (RFC 6902, 4.4).
struct MoveLocations {
  let node: Node
  let source: EditLocation
  /// Where it goes, as it is before the removal.
  let target: EditLocation
  /// The path of the value after the move.
  let targetPath: GraphPath
  /// Whether it stays in one archive, and keeps its identity.
  let isInOneDocument: Bool

  /// Finds the locations; nil if the value is there already.
  ///
  /// - Throws: `ArchiveError` if there is no value, or the target is in it.
  init?(
    _ path: ValuePath, _ from: ValuePath, after batch: EditBatch
  ) throws(ArchiveError) {
    let graph = batch.graph
    source = try from.location(in: graph, after: batch)
    guard let node = try EditDraft.node(at: source, after: batch),
      let holder = source.nodes.last
    else {
      if source.steps.isEmpty {
        throw ArchiveError(.mismatch, "the root cannot be moved into itself", path: GraphPath())
      }
      throw EditDraft.missing(source)
    }
    self.node = node
    let plain = try path.location(in: graph, after: batch)
    if plain.steps == source.steps { return nil }
    if plain.steps.starts(with: source.steps) {
      throw ArchiveError(.mismatch, "a value cannot be moved into itself", path: source.path)
    }
    var removed: (Node, Int)?
    if case .index(let index)? = source.steps.last { removed = (holder, index) }
    let target = try path.location(in: graph, removed: removed, after: batch)
    self.target = target
    isInOneDocument = target.nodes.last?.document == holder.document && !target.steps.isEmpty
    targetPath = GraphPath(
      zip(target.nodes, target.steps).map { node, step in
        guard let removed, removed.0 == node, case .index(let index) = step, index > removed.1
        else { return step }
        return .index(index - 1)
      })
  }
}
