// What an earlier migration kept for the way back: in the archive, or in the file beside it.

import KeyedArchives
import ObjectGraph
import Schemas

/// The values that were kept for an archive.
struct KeptRecord {
  let values: [LostValue]
  /// Whether they were found in the archive's model.
  let isInside: Bool
  /// Whether they were found in the file beside it.
  let isBeside: Bool

  /// Looks for what was kept for an archive.
  ///
  /// - Parameter ignoringForeign: whether a file that belongs to other bytes is passed over.
  /// - Throws: `ArchiveError` if there is a record that cannot be read, or that belongs to other bytes.
  init(of travel: Travel, ignoringForeign: Bool) throws(ArchiveError) {
    let graph = travel.graph
    if let text = travel.model.lost {
      values = try LostValues(text: text, of: graph).values
      (isInside, isBeside) = (true, false)
      return
    }
    isInside = false
    guard let storage = try Self.companion(of: travel.input) else {
      (values, isBeside) = ([], false)
      return
    }
    let name = RewrittenArchive.lostFile(of: travel.input.path ?? travel.input.name)
    do throws(ArchiveError) {
      let node = try graph.add(typedJSON: storage)
      let record = try LostValues(node, of: graph)
      let hash = try ContentHash(of: travel.input.original).description
      let isOwn =
        record.family == travel.family.name && record.version == travel.source.name
        && LostValues.hash(in: node, of: graph) == hash
      guard isOwn || ignoringForeign else {
        throw ArchiveError(
          .mismatch,
          "it keeps lost values of other bytes than the archive has now; remove it, or give --allow-loss to do without them"
        )
      }
      (values, isBeside) = (isOwn ? record.values : [], isOwn)
    } catch {
      throw error.inFile(name)
    }
  }

  /// What came with an archive, or lies beside it; nil if there is nothing.
  private static func companion(of input: RewriteInput) throws(ArchiveError) -> ByteStorage? {
    if let lost = input.lost { return lost }
    return try input.path.flatMap { (path) throws(ArchiveError) in
      try open(RewrittenArchive.lostFile(of: path))
    }
  }

  /// The bytes of the file; nil if there is none.
  private static func open(_ path: String) throws(ArchiveError) -> ByteStorage? {
    guard FolderListing.isFile(path) else { return nil }
    do throws(ArchiveError) {
      return try ByteStorage.open(path: path)
    } catch {
      throw error.inFile(path)
    }
  }

  /// Parts what the way did not ask for: values of lenses that are not on it, and those that found no place.
  func split(
    _ unused: [LostValue], way: [LensStep]
  ) -> (carried: [LostValue], orphaned: Int) {
    let names = Set(way.map(\.file.name))
    let carried = unused.filter { !names.contains($0.lens) }
    return (carried, unused.count - carried.count)
  }
}
