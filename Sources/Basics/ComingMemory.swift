// Pages that are there before they are touched.

import CMemory

/// Memory that a run will need.
package enum ComingMemory {
  /// Gets pages of the heap for a small input in one step, in place of a page fault for each.
  package static func prepare() { archtool_prepare_heap(96 << 10) }

  /// The rest of a large buffer.
  package struct Rest: Sendable {
    /// Where the free bytes begin and end.
    fileprivate let place: Range<UInt>
    /// How many of them will be filled soon.
    fileprivate let wanted: UInt

    /// - Parameter wanted: how many bytes will be filled soon.
    package init?(_ base: UnsafeRawPointer, filled: Int, of capacity: Int, wanted: Int) {
      guard capacity >= 2 * Int(step), filled <= capacity else { return nil }
      place = UInt(bitPattern: base + filled)..<UInt(bitPattern: base + capacity)
      self.wanted = UInt(max(wanted, 0))
    }

    /// Takes the next step of a buffer that grows steadily.
    ///
    /// - Parameter share: how much of what will be filled is filled; above 0, at most 1.
    fileprivate init?(
      growing base: UnsafeRawPointer, filled: Int, of capacity: Int, share: Double
    ) {
      let more = min(Double(filled) * (1 - share) / share, Double(step))
      self.init(base, filled: filled, of: capacity, wanted: Int(more))
    }
  }

  private static let step: UInt = 2 << 20
  private static let page: UInt = 4096

  /// Gets some pages of a buffer that another thread fills.
  ///
  /// The other thread may move or free the buffer meanwhile: whatever is mapped at its place then has its pages sooner.
  ///
  /// - Parameters:
  ///   - rest: the free bytes, as they were a while ago.
  ///   - end: the end of the pages that are there.
  /// - Returns: whether there may be more to get.
  package static func get(_ rest: Rest, after end: inout UInt) -> Bool {
    let first = (rest.place.lowerBound + step - 1) & ~(step - 1)
    let start = end > first && end <= rest.place.upperBound ? end : first
    guard start < rest.place.lowerBound + rest.wanted, start + step <= rest.place.upperBound else {
      return false
    }
    end = start + step
    return populate(start..<end)
  }

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

extension ByteBuffer {
  /// The bytes that will be filled next; nil for small buffers.
  ///
  /// - Parameter share: how much of what will be in the buffer is in it.
  package func rest(share: Double) -> ComingMemory.Rest? {
    ComingMemory.Rest(
      growing: UnsafeRawPointer(base), filled: count, of: reserved, share: share)
  }
}

extension RawStack {
  /// The bytes that will be filled next; nil for small stacks.
  ///
  /// - Parameter share: how many of all values that will come are there.
  package func rest(share: Double) -> ComingMemory.Rest? {
    let stride = MemoryLayout<Element>.stride
    return ComingMemory.Rest(
      growing: UnsafeRawPointer(base), filled: count * stride, of: capacity * stride, share: share)
  }
}
