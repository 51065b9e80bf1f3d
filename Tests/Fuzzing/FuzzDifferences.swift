// Differences: the input is split at its first empty line into two archives, which are compared both ways, and merged.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import KeyedArchives

enum FuzzDifferences {
  static func feed(_ storage: ByteStorage) {
    let bytes = Array(storage.bytes)
    let middle = (bytes.indices.dropLast().first { bytes[$0] == 10 && bytes[$0 + 1] == 10 }) ?? 0
    guard middle > 0, let old = graph(Array(bytes[..<middle])),
      let new = graph(Array(bytes[(middle + 2)...]))
    else {
      if let one = graph(bytes) { same(one, one) }
      return
    }
    same(old, old)
    let there = differences(old, new)
    let back = differences(new, old)
    if let there, let back, (there == 0) != (back == 0) {
      fatalError("\(there) differences, and \(back) the other way")
    }
    if there != nil {
      var output = OutputBuffer(descriptor: nil, limit: limits.outputBytes)
      do throws(ArchiveError) {
        try PatchWriter.write(from: old, to: new, to: &output)
      } catch {}
      merge(old, Array(bytes[..<middle]), with: new, Array(bytes[(middle + 2)...]))
    }
  }

  /// What one side alone has changed is what a merge gives, or it is refused.
  private static func merge(
    _ old: ObjectGraph, _ bytes: [UInt8], with new: ObjectGraph, _ newBytes: [UInt8]
  ) {
    let (bytes, newBytes) = (ByteStorage(copying: bytes), ByteStorage(copying: newBytes))
    let versions = [
      (MergedVersions(base: old, ours: old, theirs: new), bytes, new),
      (MergedVersions(base: new, ours: old, theirs: new), newBytes, old),
      (MergedVersions(base: new, ours: old, theirs: old), newBytes, old),
    ]
    for (versions, base, expected) in versions {
      guard let merge = try? FileMerge(versions, ours: bytes, base: base) else { continue }
      if !merge.conflicts.isEmpty { fatalError("a change of one side is a conflict") }
      guard let result = graph(Array(merge.storage.bytes)) else {
        fatalError("what was merged cannot be read")
      }
      if let count = differences(expected, result), count > 0 {
        fatalError("\(count) differences after a merge")
      }
    }
  }

  private static func graph(_ bytes: [UInt8]) -> ObjectGraph? {
    do throws(ArchiveError) {
      return try ArchiveReader(limits: limits).read(ByteStorage(copying: bytes))
    } catch {
      return nil
    }
  }

  private static func same(_ old: ObjectGraph, _ new: ObjectGraph) {
    if let count = differences(old, new), count > 0 { fatalError("a value differs from itself") }
  }

  private static func differences(_ old: ObjectGraph, _ new: ObjectGraph) -> Int? {
    var count = 0
    do throws(ArchiveError) {
      try Difference.report(between: old, and: new) { _ throws(ArchiveError) in count += 1 }
      return count
    } catch {
      return nil
    }
  }
}
