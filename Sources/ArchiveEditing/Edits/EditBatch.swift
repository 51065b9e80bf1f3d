// Edits to one document of a file, made together: in the innermost archive first, then in the data values that contain it.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

/// Edits to a file that are written and verified together.
///
/// Only what was asked for changes: everything else keeps its value, class, storage and identity. What nothing refers
/// to any more because of the edits is removed. The result is read again and compared with the original.
///
/// Some edits depend on others in ways that only the written file shows; `add` throws for them, and the caller finishes
/// the batch and begins another with the result. The first edit of a batch is never refused for that reason.
package struct EditBatch {
  /// The file as `EditableFile.read` returns it.
  package let graph: ObjectGraph
  private let storage: ByteStorage
  private let sharing: SharedObjects
  private var editor: StoredEditor?
  /// The location of the first edit: all have the same data values around them.
  private var first: EditLocation?

  /// Begins with a file.
  ///
  /// - Parameters:
  ///   - graph: the file as `EditableFile.read` returns it.
  ///   - storage: its bytes.
  ///   - sharing: what happens to objects that others refer to as well.
  package init(_ graph: ObjectGraph, of storage: ByteStorage, sharing: SharedObjects) {
    self.graph = graph
    self.storage = storage
    self.sharing = sharing
  }

  // MARK: The state after the edits so far

  /// Whether no edit can be added.
  package var isFull: Bool { editor?.isFull ?? false }
  /// Whether an edit has failed half way, so that the batch can only be made again without it.
  package private(set) var isBroken = false

  /// Where a step leads; nil from a value whose children were not edited.
  package func child(_ step: GraphPath.Step, of node: Node) -> EditedChild? {
    guard let editor, hasEdits(in: node), node.document == editor.host.number else { return nil }
    return editor.find(step, in: node)
  }

  /// How many edits there are.
  package var editCount: Int { editor?.results.count ?? 0 }

  /// How many elements a list has; nil if none was added or removed.
  package func count(of node: Node) -> Int? { editor?.count(of: node) }

  /// Whether something in a value was edited.
  package func hasEdits(in node: Node) -> Bool { editor?.hasEdits(in: node) ?? false }

  /// The error for values that were edited before.
  package static var touched: ArchiveError { EditHistory.touched }

  // MARK: Edits

  /// Does an edit.
  ///
  /// - Parameter location: where, after the edits so far.
  /// - Throws: `ArchiveError` with code `mismatch` or `unrepresentable` if the edit is refused; or, unless it is the
  ///   first, if it must be tried again in a batch of its own.
  package mutating func add(
    _ action: EditAction, at location: EditLocation
  ) throws(ArchiveError) {
    var editor = try editor(at: location)
    self.editor = nil
    do throws(ArchiveError) {
      try editor.apply(action, at: location)
    } catch {
      isBroken = editor.isChanging
      self.editor = editor
      throw error
    }
    self.editor = editor
    if first == nil { first = location }
  }

  /// The editor of the innermost document of a location.
  private func editor(at location: EditLocation) throws(ArchiveError) -> StoredEditor {
    guard let editor, let first else { return try makeEditor(at: location) }
    let outer = location.steps[..<location.start]
    guard number(of: location) == editor.host.number, outer == first.steps[..<first.start] else {
      throw Self.touched
    }
    return editor
  }

  private func number(of location: EditLocation) -> UInt32 {
    if case .content? = location.steps.last, let node = location.nodes.last,
      let content = graph.content(of: node)
    {
      return content.document
    }
    return location.nodes.last?.document ?? 0
  }

  private func makeEditor(at location: EditLocation) throws(ArchiveError) -> StoredEditor {
    guard graph.losses.isEmpty else {
      throw ArchiveError(.mismatch, "the file is damaged and is not edited")
    }
    if let wrapping = graph.wrappings.first(where: { $0 != .gzip }) {
      throw ArchiveError(
        .mismatch, "is \(wrapping.phrase), and would not be any more; \(wrapping.remedy)",
        path: GraphPath())
    }
    let number = number(of: location)
    // Rows and other values that a view makes are a document in memory.
    if graph.documents[Int(number)].encoding == .memory {
      throw StoredMembers.derived.moved(to: location.parentPath)
    }
    var source = graph.inflated ?? storage
    if let holder = graph.documents[Int(number)].parent,
      case .data(let bytes) = graph.value(of: holder)
    {
      source = ByteStorage(copying: bytes)
    }
    let host = try OpenedArchive(editing: graph, document: number, source: source)
    try host.encoding.requireReproducible(graph.root(of: number), of: graph)
    return StoredEditor(host, sharing: sharing)
  }

  // MARK: The result

  /// What came of a batch.
  package struct Result {
    /// The bytes of the file, in its own encoding.
    package let storage: ByteStorage
    /// The document that was edited, as it is now.
    package let graph: ObjectGraph
    /// For each edit the value that it made; nil if it made none.
    package let values: [Node?]
    /// What texts in data values lose that are written anew.
    package let warnings: [ArchiveError]
  }

  /// Writes and verifies the file.
  ///
  /// - Returns: nil if there are no edits.
  package mutating func finish() throws(ArchiveError) -> Result? {
    guard let editor, let first else { return nil }
    self.editor = nil
    let result = try editor.finish()
    let values = editor.results.map { number in number.map { result.nodes[$0] } }
    var warnings: [ArchiveError] = []
    let bytes = try enclosed(result.storage, first, &warnings)
    result.graph.nestedReader = ArchiveReader(limits: graph.limits, forEditing: true)
    return Result(
      storage: bytes, graph: result.graph,
      values: editor.whole == nil ? values : [result.graph.root], warnings: warnings)
  }

  /// The file with the new bytes of a document in it.
  private func enclosed(
    _ new: ByteStorage, _ location: EditLocation, _ warnings: inout [ArchiveError]
  ) throws(ArchiveError) -> ByteStorage {
    var bytes = new
    var holder = location.holder
    var inner = location
    while let outer = holder {
      let node = inner.nodes[outer.steps.count]
      if case .data(let old) = graph.value(of: node) {
        warnings += EditableFile.warnings(about: ByteStorage(copying: old)).map {
          $0.at(path: GraphPath(outer.steps))
        }
        if Formats.isCompressed(old) { bytes = try GzipWriter.write(bytes.bytes) }
      }
      var editor = try makeEditor(at: outer)
      bytes = try editor.replaceData(at: outer, with: bytes)
      (inner, holder) = (outer, outer.holder)
    }
    return graph.wrappings.isEmpty ? bytes : try GzipWriter.write(bytes.bytes)
  }
}

// MARK: - Where an edit takes place, and what it does

/// The location of an edit in a graph.
package struct EditLocation: Sendable {
  /// The values that the steps start from: the root, and so on to the container of the edited value.
  package internal(set) var nodes: [Node] = []
  /// The steps, one from each of `nodes`; none for the root itself.
  ///
  /// An archive in a data value has a step of its own.
  package internal(set) var steps: [GraphPath.Step] = []

  /// Makes the location of the root.
  package init() {}

  /// Adds a step.
  package mutating func append(_ step: GraphPath.Step, from node: Node) {
    nodes.append(node)
    steps.append(step)
  }

  /// The path.
  package var path: GraphPath { GraphPath(steps) }

  /// The path of the container.
  package var parentPath: GraphPath { GraphPath(steps.dropLast()) }

  /// The location of the data value whose archive contains this one; nil in the outermost document.
  var holder: EditLocation? {
    guard let end = steps.lastIndex(where: Self.isContent) else { return nil }
    var holder = EditLocation()
    holder.nodes = Array(nodes[..<end])
    holder.steps = Array(steps[..<end])
    return holder
  }

  /// The index of the first node in the innermost document.
  var start: Int { steps.lastIndex(where: Self.isContent).map { $0 + 1 } ?? 0 }

  /// The values and steps in the innermost document.
  var innerNodes: ArraySlice<Node> { nodes[start...] }
  var innerSteps: ArraySlice<GraphPath.Step> { steps[start...] }

  /// The path of one of the values in the innermost document.
  func path(ofInner position: Int) -> GraphPath { GraphPath(Array(steps[..<(start + position)])) }

  private static func isContent(_ step: GraphPath.Step) -> Bool {
    if case .content = step { true } else { false }
  }
}

/// What an edit does at its location.
package enum EditAction: Sendable {
  /// Adds a member, or inserts an element before the one at the index; an existing member is replaced.
  case add(EditValue)
  /// Replaces a value that is there.
  case replace(EditValue)
  /// Removes a value that is there, with its key.
  case remove
  /// Gives a member another key, at the same position.
  case renameKey(String)
  /// Moves the value from another location, which is given as it is before the edit.
  case move(from: EditLocation)
}

/// What an edit puts into a file.
package enum EditValue: Sendable {
  /// A value in typed JSON.
  case typed(TypedValue)
  /// The root of an archive, or the top of a property list.
  case part(ByteStorage)
  /// A copy of a value of the same file.
  case copy(of: EditLocation)
}

/// What happens to an object that is changed inside, and that others refer to as well.
package enum SharedObjects: Sendable {
  /// The edit is refused.
  case refused
  /// It changes for all.
  case changed
  /// A copy of it is changed, for this path alone.
  case copied
}

// MARK: - Files that are edited, as they are read

/// Edits files, and archives in their data values.
package enum EditableFile {
  /// Reads a file that is to be edited.
  ///
  /// - Throws: `ArchiveError` if it cannot be read, or has integers of more than 64 bits in JSON, which would change.
  package static func read(
    _ storage: ByteStorage, limits: Limits = Limits()
  ) throws(ArchiveError) -> ObjectGraph {
    let reader = ArchiveReader(
      limits: limits, marksWide: true, warnsOfEqualKeys: true, forEditing: true)
    let graph = try reader.read(storage)
    if graph.documents[0].encoding == .json { try WideIntegers.refuse(in: graph.root, of: graph) }
    return graph
  }

  /// What a text has beside its values, and a text that is written anew has not.
  ///
  /// - Parameters:
  ///   - bytes: the text; nothing is said of other bytes.
  ///   - isKept: whether what is written of it has its format, too.
  ///   - isReplaced: whether the text is gone then. If it is not, a copy in another format is no loss.
  package static func warnings(
    about storage: ByteStorage, isReplaced: Bool = true,
    ifFormat isKept: (Encoding) -> Bool = { _ in true }
  ) -> [ArchiveError] {
    defer { withExtendedLifetime(storage) {} }
    var storage = storage
    var format = Formats.all.detect(storage.bytes)
    if case .wrapped = format {
      let graph = try? ArchiveReader().read(storage, resolving: false, nested: false)
      guard let content = graph?.unwrapped else { return [] }
      storage = content
      format = Formats.all.detect(storage.bytes)
    }
    guard let encoding = format.encoding, encoding.isText else { return [] }
    let isSame = isKept(encoding)
    guard isSame || isReplaced, let form = TextForm(of: storage.bytes, encoding) else { return [] }
    var lost: [String] = []
    if form.hasComments { lost.append("the comments in the text are not kept") }
    if isSame, let name = form.foreignEncoding {
      lost.append("the text was in \(name) and is in UTF-8 now")
    }
    return lost.map { ArchiveError(.unrepresentable, $0) }
  }
}
