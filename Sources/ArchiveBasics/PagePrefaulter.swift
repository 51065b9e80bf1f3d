// Pages that are there before they are touched.

import CMemory

/// Has pages of memory mapped in one step, instead of a page fault for each.
package enum PagePrefaulter {
  /// Gets pages of the heap for a small input in one step, instead of a page fault for each.
  package static func prepare() { archtool_prepare_heap(96 << 10) }

  private static let page: UInt = 4096

  /// Whether the system can get pages before they are touched, and has got them.
  private static func populate(_ addresses: Range<UInt>) -> Bool {
    guard let address = UnsafeMutableRawPointer(bitPattern: addresses.lowerBound) else {
      return false
    }
    return archtool_populate(address, addresses.count) != 0
  }

  /// How many bytes of large memory are got at once: their pages stay in the processor's cache until they are filled.
  static let fillStep = 256 << 10

  /// Gets pages that another thread fills soon (`ByteBuffer.comingPages`).
  ///
  /// That thread may move or free them meanwhile: whatever is mapped there then has its pages sooner.
  package static func get(_ addresses: Range<UInt>) {
    let start = (addresses.lowerBound + page - 1) & ~(page - 1)
    let end = addresses.upperBound & ~(page - 1)
    // Where the system cannot do that, the faults come.
    if start < end { _ = populate(start..<end) }
  }

  /// Gets the pages of bytes that are filled next in one step, instead of a page fault for each.
  static func get(_ address: UnsafeMutableRawPointer, _ count: Int) {
    let start = UInt(bitPattern: address)
    get(start..<start + UInt(count))
  }
}
