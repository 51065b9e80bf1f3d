// What can be read of a damaged binary property list: every object that is found; the rest is marked as lost.

import Basics
import ObjectGraph

/// Reads damaged binary property lists.
public enum BinaryRecovery {
  /// The offset of an object that was not found.
  static let missing = UInt64(Int.max)

  /// Recovers a binary property list.
  ///
  /// A lost value becomes a dictionary with the single key `$lost`, whose value describes the object and
  /// what became of it.
  ///
  /// - Parameters:
  ///   - bytes: the remaining bytes, from the header on.
  ///   - fileOffset: the position of the bytes in the input file; nil if they are not stored there.
  ///   - limits: the depth that is allowed.
  /// - Returns: the values, findings and losses; nil if no object remains.
  public static func read(
    _ bytes: UnsafeRawBufferPointer, fileOffset: Int?, limits: Limits
  ) -> (document: Document, losses: [ArchiveError])? {
    guard let base = bytes.baseAddress, let layout = BinaryLayout.find(in: bytes) else {
      return nil
    }
    let count = min(max(layout.offsets.count, layout.top + 1), bytes.count)
    // Objects that something refers to and that are not there count as well: they are lost.
    let places = UnsafeMutableRawBufferPointer.allocate(byteCount: (count + 1) * 8, alignment: 8)
    let owner = ByteStorage(taking: UnsafeRawBufferPointer(places)) { _ in places.deallocate() }
    for number in 0..<count {
      let offset = number < layout.offsets.count ? layout.offsets[number] : nil
      storeBigEndian(
        offset.map { UInt64($0) } ?? missing, width: 8,
        to: (places.baseAddress ?? UnsafeMutableRawPointer(mutating: base)) + number * 8)
    }
    let table = ValueTable(
      base: base, byteCount: layout.end, offsets: owner.bytes.baseAddress ?? base, offsetWidth: 8,
      referenceWidth: layout.referenceWidth, count: count)
    let cut = layout.cut.map {
      (index: UInt32(truncatingIfNeeded: layout.offsets.count - 1), value: $0)
    }
    var walk = RecoveryWalk(table, cut, limits, fileOffset)
    let document = withExtendedLifetime(owner) { walk.run(from: UInt32(layout.top)) }
    let first = ArchiveError(.malformed, layout.source, offset: fileOffset)
    return (document, [first] + walk.losses)
  }
}
