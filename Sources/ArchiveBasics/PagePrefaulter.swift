// Pages that are there before they are touched.

import CMemory

/// Has pages of memory mapped in one step, in place of a page fault for each.
package enum PagePrefaulter {
  /// Gets pages of the heap for a small input in one step, in place of a page fault for each.
  package static func prepare() { archtool_prepare_heap(96 << 10) }

  private static let page: UInt = 4096

  /// Whether the system can get pages before they are touched, and has got them.
  private static func populate(_ places: Range<UInt>) -> Bool {
    guard let place = UnsafeMutableRawPointer(bitPattern: places.lowerBound) else { return false }
    return archtool_populate(place, places.count) != 0
  }

  /// How many bytes of large memory are got at once: their pages stay in the processor's cache until they are filled.
  static let fillStep = 256 << 10

  /// Gets the pages of bytes that are filled next in one step, in place of a page fault for each.
  static func get(_ place: UnsafeMutableRawPointer, _ count: Int) {
    let start = (UInt(bitPattern: place) + page - 1) & ~(page - 1)
    let end = (UInt(bitPattern: place) + UInt(count)) & ~(page - 1)
    // Where the system cannot do that, the faults come.
    if start < end { _ = populate(start..<end) }
  }
}
