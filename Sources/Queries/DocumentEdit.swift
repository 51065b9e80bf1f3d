// Edits to a file by the paths of values, one after another, all or none.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists

/// One edit: what to do at a path.
public struct DocumentEdit: Sendable {
  /// What is done.
  public enum Operation: Sendable {
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
  public let path: ValuePath
  /// What is done.
  public let operation: Operation

  /// Makes an edit.
  public init(_ operation: Operation, at path: ValuePath) {
    self.operation = operation
    self.path = path
  }

  /// Takes an operation of JSON Patch.
  ///
  /// - Throws: `ArchiveError` with code `malformed` if a member is missing, or a path is not a JSON Pointer.
  public init(_ operation: PatchOperation) throws(ArchiveError) {
    path = try ValuePath(parsing: operation.path)
    func value() throws(ArchiveError) -> TypedValue {
      guard let value = operation.value else {
        throw ArchiveError(.malformed, "\(operation.kind.rawValue) needs the member 'value'")
      }
      return value
    }
    func source() throws(ArchiveError) -> ValuePath {
      guard let from = operation.from else {
        throw ArchiveError(.malformed, "\(operation.kind.rawValue) needs the member 'from'")
      }
      return try ValuePath(parsing: from)
    }
    switch operation.kind {
    case .add: self.operation = .add(try value())
    case .replace: self.operation = .replace(try value())
    case .test: self.operation = .test(try value())
    case .remove: self.operation = .remove
    case .move: self.operation = .move(try source())
    case .copy: self.operation = .copy(try source())
    }
  }
}

/// What an edit changed, for people.
public struct EditRecord: Sendable {
  /// The path of the edited value.
  public let path: String
  /// The value before; nil if there was none.
  public let old: String?
  /// The value after; nil if there is none.
  public let new: String?
  /// The new key, if only the key has changed.
  public var key: String?

  /// A line: `$.title: "A" -> "B"`.
  public var line: String {
    switch (old, new, key) {
    case (_, _, let key?): "\(path): renamed to '\(key)'"
    case (let old?, let new?, _): "\(path): \(old) -> \(new)"
    case (let old?, nil, _): "\(path): removed \(old)"
    case (nil, let new?, _): "\(path): added \(new)"
    case (nil, nil, _): "\(path): unchanged"
    }
  }
}

/// A file that is edited step by step.
public struct EditedDocument {
  /// The bytes of the file as they are now.
  public private(set) var storage: ByteStorage
  /// What was changed, in order.
  public private(set) var records: [EditRecord] = []
  private let sharing: SharedObjects
  private let limits: Limits

  /// Begins to edit a file.
  public init(_ storage: ByteStorage, sharing: SharedObjects = .refused, limits: Limits = Limits())
  {
    self.storage = storage
    self.sharing = sharing
    self.limits = limits
  }

  /// Does edits in order; if one fails, none is done.
  ///
  /// - Parameter failed: receives the number of the edit that failed.
  /// - Throws: `ArchiveError` of that edit.
  public mutating func apply(
    _ edits: [DocumentEdit], failed: (Int) -> Void = { _ in }
  ) throws(ArchiveError) {
    let before = self
    for (number, edit) in edits.enumerated() {
      do throws(ArchiveError) {
        try apply(edit)
      } catch {
        self = before
        failed(number)
        throw error
      }
    }
  }

  /// Does one edit.
  ///
  /// - Throws: `ArchiveError` if the file cannot be read, or the edit is refused.
  public mutating func apply(_ edit: DocumentEdit) throws(ArchiveError) {
    let graph = try ArchiveEditing.read(storage, limits: limits)
    let isAppending = if case .append = edit.operation { true } else { false }
    if case .move(let source) = edit.operation { return try move(edit, from: source, graph) }
    let location = try edit.path.location(in: graph, isAppending: isAppending)
    let old = isAppending ? nil : Self.node(at: location, in: graph)
    let action: EditAction
    switch edit.operation {
    case .test(let value):
      guard let old else { throw Self.missing(location) }
      guard try graph.equals(value, at: old) else {
        throw ArchiveError(
          .mismatch, "the value is \(Self.text(old, graph)), not \(Self.shortened(value.text))",
          path: location.path)
      }
      return
    case .set(let value):
      guard old == nil else {
        action = .replace(value)
        break
      }
      try requireDictionary(location, graph)
      action = .add(value)
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
      action = .add(value)
    case .append(let value): action = .add(value)
    case .add(let value): action = .add(.typed(value))
    case .replace(let value):
      guard old != nil else { throw Self.missing(location) }
      action = .replace(.typed(value))
    case .remove:
      guard old != nil else { throw Self.missing(location) }
      action = .remove
    case .renameKey(let key):
      guard old != nil else { throw Self.missing(location) }
      action = .renameKey(key)
    case .copy(let source):
      let from = try source.location(in: graph)
      guard Self.node(at: from, in: graph) != nil else { throw Self.missing(from) }
      action = .add(.copy(of: from))
    case .move: return
    }
    let oldText = old.map { Self.text($0, graph) }
    storage = try ArchiveEditing.apply(
      action, at: location, in: graph, of: storage, sharing: sharing)
    try record(edit, location, oldText)
  }

  /// Removes a value and adds it elsewhere, where the path is what it is after the removal (RFC 6902, 4.4).
  private mutating func move(
    _ edit: DocumentEdit, from source: ValuePath, _ graph: ObjectGraph
  ) throws(ArchiveError) {
    let from = try source.location(in: graph)
    guard let node = Self.node(at: from, in: graph), let holder = from.nodes.last else {
      if from.steps.isEmpty {
        throw ArchiveError(.mismatch, "the root cannot be moved into itself", path: GraphPath())
      }
      throw Self.missing(from)
    }
    let target = try edit.path.location(in: graph)
    if target.steps == from.steps { return }
    if target.steps.starts(with: from.steps) {
      throw ArchiveError(
        .mismatch, "a value cannot be moved into itself", path: from.path)
    }
    var removed: (Node, Int)?
    if case .index(let index)? = from.steps.last { removed = (holder, index) }
    let text = Self.text(node, graph)
    let location = try edit.path.location(in: graph, removed: removed)
    if location.nodes.last?.document == holder.document, !location.steps.isEmpty {
      storage = try ArchiveEditing.apply(
        .move(from: from), at: location, in: graph, of: storage, sharing: sharing)
    } else {
      let value = try TypedValue(node, of: graph)
      storage = try ArchiveEditing.apply(
        .remove, at: from, in: graph, of: storage, sharing: sharing)
      let rest = try ArchiveEditing.read(storage, limits: limits)
      storage = try ArchiveEditing.apply(
        .add(.typed(value)), at: try edit.path.location(in: rest), in: rest, of: storage,
        sharing: sharing)
    }
    records.append(EditRecord(path: from.path.description, old: text, new: nil))
    records.append(
      EditRecord(path: try current(edit.path, location), old: nil, new: text))
  }

  // MARK: Records

  private mutating func record(
    _ edit: DocumentEdit, _ location: EditLocation, _ old: String?
  ) throws(ArchiveError) {
    var record = EditRecord(path: location.path.description, old: old, new: nil)
    switch edit.operation {
    case .remove: break
    case .renameKey(let key): record.key = key
    default:
      let graph = try ArchiveEditing.read(storage, limits: limits)
      let isInsertion: Bool
      switch (edit.operation, location.steps.last) {
      case (.insert, .index?), (.add, .index?), (.append, _), (.copy, .index?): isInsertion = true
      default: isInsertion = false
      }
      let node = try? graph.node(at: location.path, from: graph.root)
      record = EditRecord(
        path: record.path, old: isInsertion ? nil : old,
        new: node.map { Self.text($0, graph) } ?? "?")
    }
    records.append(record)
  }

  private func current(
    _ path: ValuePath, _ location: EditLocation
  ) throws(ArchiveError) -> String {
    let graph = try ArchiveEditing.read(storage, limits: limits)
    return (try? path.resolve(in: graph))?.path.description ?? location.path.description
  }

  private static let longest = 200

  /// A value as JSON on one line, not too long.
  private static func text(_ node: Node, _ graph: ObjectGraph) -> String {
    var output = OutputBuffer(descriptor: nil)
    do throws(ArchiveError) {
      try JSONWriter.write(
        node, of: graph, options: JSONWriter.Options(isTyped: true, isCompact: true), to: &output)
    } catch {
      return "a value of type \(graph.value(of: node).typeName)"
    }
    return shortened(String(decoding: output.bytes.bytes.dropLast(), as: UTF8.self))
  }

  private static func shortened(_ text: String) -> String {
    text.unicodeScalars.count <= longest
      ? text : String(text.unicodeScalars.prefix(longest)) + "…"
  }

  // MARK: Locations

  /// The value at a location; nil if the last step has no target.
  private static func node(at location: EditLocation, in graph: ObjectGraph) -> Node? {
    guard let step = location.steps.last, let holder = location.nodes.last else {
      return graph.root
    }
    if case .content = step { return graph.content(of: holder) }
    guard let container = QueryContainer(holder, in: graph) else { return nil }
    switch step {
    case .index(let index):
      return container.isList && index < container.count
        ? container.child(index, in: graph) : nil
    case .key(let key):
      return container.position(of: key, in: graph).map { container.child($0, in: graph) }
    case .content, .anyMember, .anyElement: return nil
    }
  }

  private static func missing(_ location: EditLocation) -> ArchiveError {
    let words =
      switch location.steps.last {
      case .key(let key)?: "there is no key '\(key)' here"
      case .index(let index)?: "there is no element \(index) here"
      default: "there is no value here"
      }
    return ArchiveError(.mismatch, words, path: location.parentPath)
  }

  /// A new member is added to dictionaries alone: a field that no decoder reads is most likely a mistake.
  private func requireDictionary(
    _ location: EditLocation, _ graph: ObjectGraph
  ) throws(ArchiveError) {
    guard let holder = location.nodes.last, case .key(let key)? = location.steps.last else {
      throw Self.missing(location)
    }
    switch graph.value(of: holder) {
    case .dictionary: return
    case .object(let index, _):
      throw ArchiveError(
        .mismatch,
        "an object of class \(graph.classes[index].displayName) has no field '\(key)'; insert adds it",
        path: location.parentPath)
    default: throw Self.missing(location)
    }
  }
}
