// A table in which every value can be read, from one in which some unreachable values cannot.

import Basics
import ObjectGraph

/// Puts null where a value has a fault.
///
/// CoreFoundation reads property lists whose unreachable values are broken, and so do the readers here. Code that
/// looks through all values of a table must not have to know which of them those are.
enum SoundTable {
  /// A copy of a table in which each value with a fault is null; the others keep their offsets and their bytes.
  ///
  /// - Returns: the table, and the storage of its values and offsets.
  static func replacingFaults(in table: ValueTable) -> (table: ValueTable, storage: ByteStorage) {
    let offsetWidth = 8
    let nullOffset = table.byteCount
    let size = nullOffset + 1 + table.count * offsetWidth
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    bytes.copyMemory(from: UnsafeRawBufferPointer(start: table.base, count: table.byteCount))
    bytes[nullOffset] = 0
    for index in 0..<UInt32(truncatingIfNeeded: table.count) {
      let offset = table.fault(at: index) == nil ? table.offset(of: index) : nullOffset
      bytes.storeBytes(
        of: UInt64(offset).bigEndian, toByteOffset: nullOffset + 1 + Int(index) * offsetWidth,
        as: UInt64.self)
    }
    let storage = ByteStorage(taking: UnsafeRawBufferPointer(bytes)) { $0.deallocate() }
    // `allocate` never gives an empty buffer for a size above zero.
    guard let base = storage.bytes.baseAddress else { return (table, storage) }
    let sound = ValueTable(
      base: base, byteCount: nullOffset + 1, offsets: base + nullOffset + 1,
      offsetWidth: offsetWidth, referenceWidth: table.referenceWidth, count: table.count)
    return (sound, storage)
  }
}
