// The values that an earlier migration kept for the inverse one: in the archive, or in the file beside it.

import Basics
import FileTransactions
import KeyedArchives
import ObjectGraph

/// The values that were kept for an archive, and the version that the archive had.
package struct KeptRecord {
  /// The family of the archive.
  let family: String
  /// The version that the archive is in.
  let version: String
  /// The values.
  let values: [LostValue]
  /// Whether they were found in the archive's model, rather than in the file beside it.
  let isInside: Bool

  /// Looks for the kept values of an archive; nil if there are none.
  ///
  /// - Parameter isOptional: whether to ignore a record that cannot be read, or that belongs to other bytes.
  /// - Throws: `ArchiveError` for such a record, unless it is ignored.
  static func find(
    for input: RewriteInput, _ graph: ObjectGraph, _ model: UnwrappedModel, isOptional: Bool
  ) throws(ArchiveError) -> KeptRecord? {
    if let text = model.lost {
      let record = KeptRecord(try LostValues(text: text, of: graph), isInside: true)
      if !isOptional { try record.checkAnchors() }
      return record
    }
    do throws(ArchiveError) {
      return try companion(of: input).map { (storage) throws(ArchiveError) in
        try KeptRecord(storage, beside: input, graph)
      }
    } catch {
      if isOptional { return nil }
      throw error.inFile(SideFile.lostValues(of: input.path ?? input.name))
    }
  }

  private init(_ record: LostValues, isInside: Bool) {
    (family, version, values) = (record.family, record.version, record.values)
    self.isInside = isInside
  }

  private init(
    _ storage: ByteStorage, beside input: RewriteInput, _ graph: ObjectGraph
  ) throws(ArchiveError) {
    let node = try graph.add(typedJSON: storage)
    self.init(try LostValues(node, of: graph), isInside: false)
    guard LostValues.hash(in: node, of: graph) == (try ContentHash(of: input.original).description)
    else {
      throw ArchiveError(
        .mismatch,
        "its lost values belong to a different version of the archive; remove it, or use --allow-loss to ignore them"
      )
    }
  }

  /// Values inside a list must have anchors, since an application may have changed the list.
  private func checkAnchors() throws(ArchiveError) {
    guard let stray = values.first(where: { $0.anchors.count < $0.indexCount }) else { return }
    throw ArchiveError(
      .mismatch,
      "the lost values in the archive do not identify what they belong to; use --allow-loss to ignore them",
      path: stray.path)
  }

  /// The name of the file with lost values beside an input, if it belongs to the bytes of the input; nil otherwise.
  ///
  /// - Throws: `ArchiveError` if it cannot be read.
  package static func belongs(to input: RewriteInput) throws(ArchiveError) -> String? {
    guard let path = input.path, let record = try companion(of: input) else { return nil }
    let hash = Array(try ContentHash(of: input.original).description.utf8)
    return record.bytes.firstOccurrence(of: hash) == nil ? nil : SideFile.lostValues(of: path)
  }

  /// The companion that was passed with an archive, or that is beside it; nil if there is none.
  static func companion(of input: RewriteInput) throws(ArchiveError) -> ByteStorage? {
    if let lost = input.lost { return lost }
    guard let path = input.path.map(SideFile.lostValues), FolderListing.isFile(path) else {
      return nil
    }
    return try ByteStorage.open(path: path)
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
    do throws(ArchiveError) {
      let node = try model.graph.node(at: path, from: model.root)
      return (model.graph.value(of: node), SyntheticValue(scalar: node, of: model.graph))
    } catch {
      return nil
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
