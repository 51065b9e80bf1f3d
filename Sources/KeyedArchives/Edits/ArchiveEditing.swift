// One edit to a file: in the innermost archive first, then in the data values that contain it.

import Basics
import ObjectGraph
import PropertyLists

/// Edits files, and archives in their data values.
public enum ArchiveEditing {
  /// Reads a file that is to be edited.
  ///
  /// - Throws: `ArchiveError` if it cannot be read, or has integers of more than 64 bits in JSON, which would change.
  public static func read(
    _ storage: ByteStorage, limits: Limits = Limits()
  ) throws(ArchiveError) -> ObjectGraph {
    let graph = try ArchiveReader(limits: limits, marksWide: true).read(storage)
    if graph.documents[0].encoding == .json { try WideIntegers.refuse(in: graph.root, of: graph) }
    return graph
  }

  /// What the text of a file has beside its values, and an edited file has not.
  public static func warnings(about storage: ByteStorage) -> [ArchiveError] {
    let mark: StaticString
    switch Formats.all.detect(storage.bytes).encoding {
    case Encoding.xmlPropertyList?: mark = "<!--"
    case Encoding.openStepPropertyList?: mark = "/*"
    default: return []
    }
    let bytes = UnsafeRawBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount)
    guard storage.bytes.firstRange(of: bytes) != nil else { return [] }
    return [ArchiveError(.unrepresentable, "the comments in the text are not kept")]
  }

  /// Does an edit.
  ///
  /// Only what was asked for changes: everything else keeps its value, class, storage and identity. What nothing refers
  /// to any more because of the edit is removed. The result is read again and compared with the original.
  ///
  /// - Parameters:
  ///   - action: what to do.
  ///   - location: where, in `graph`.
  ///   - graph: the file as `read` gives it.
  ///   - storage: its bytes.
  ///   - sharing: what happens to objects that others refer to as well.
  /// - Returns: the new bytes of the file, in its own encoding.
  /// - Throws: `ArchiveError` with code `mismatch` or `unrepresentable` if the edit is refused.
  public static func apply(
    _ action: EditAction, at location: EditLocation, in graph: ObjectGraph, of storage: ByteStorage,
    sharing: SharedObjects = .refused
  ) throws(ArchiveError) -> ByteStorage {
    guard graph.losses.isEmpty else {
      throw ArchiveError(.mismatch, "the file is damaged and is not edited")
    }
    if let wrapping = graph.wrappings.first(where: { $0 != .gzip }) {
      throw ArchiveError(
        .mismatch, "is \(wrapping.phrase), and would not be any more; \(wrapping.remedy)",
        path: GraphPath())
    }
    var editor = try editor(at: location, in: graph, storage, sharing)
    var bytes = try editor.apply(action)
    var holder = location.holder
    var inner = location
    while let outer = holder {
      let node = inner.nodes[outer.steps.count]
      if case .data(let old) = graph.value(of: node), Formats.isCompressed(old) {
        bytes = try GzipWriter.write(bytes.bytes)
      }
      editor = try self.editor(at: outer, in: graph, storage, sharing)
      bytes = try editor.replaceData(with: bytes)
      (inner, holder) = (outer, outer.holder)
    }
    return graph.wrappings.isEmpty ? bytes : try GzipWriter.write(bytes.bytes)
  }

  private static func editor(
    at location: EditLocation, in graph: ObjectGraph, _ storage: ByteStorage,
    _ sharing: SharedObjects
  ) throws(ArchiveError) -> StoredEditor {
    var number = location.nodes.last?.document ?? 0
    if case .content? = location.steps.last, let node = location.nodes.last,
      let content = graph.content(of: node)
    {
      number = content.document
    }
    var source = graph.inflated ?? storage
    if let holder = graph.documents[Int(number)].parent,
      case .data(let bytes) = graph.value(of: holder)
    {
      source = ByteStorage(copying: bytes)
    }
    let host = try OpenedArchive(editing: graph, document: number, source: source)
    try host.encoding.requireReproducible(graph.root(of: number), of: graph)
    return StoredEditor(host, at: location, sharing: sharing)
  }
}
