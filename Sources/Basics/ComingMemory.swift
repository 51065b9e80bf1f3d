// Pages that are there before they are touched.

import CMemory

/// Memory that a run will need.
package enum ComingMemory {
  /// Gets pages of the heap for a small input in one step, in place of a page fault for each.
  package static func prepare() { archtool_prepare_heap(96 << 10) }

  /// The rest of a buffer of large pages.
  package struct Rest: Sendable {
    /// Where the free bytes begin and end.
    fileprivate let place: Range<UInt>
    /// How many of them should be there before they are filled.
    fileprivate let wanted: UInt

    /// - Parameter wanted: how many bytes should be there before they are filled; nil for some.
    package init?(_ base: UnsafeRawPointer, filled: Int, of capacity: Int, wanted: Int? = nil) {
      guard capacity >= 4 * Int(step) else { return nil }
      place = UInt(bitPattern: base + filled)..<UInt(bitPattern: base + capacity)
      self.wanted = UInt(wanted ?? 2 * Int(step))
    }
  }

  private static let step: UInt = 2 << 20
  /// Inputs of fewer bytes are read by one thread.
  private static let leastInput = 16 << 20

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
    let start = rest.place.contains(end) ? end : first
    guard start + step <= min(rest.place.upperBound, rest.place.lowerBound + rest.wanted) else {
      return false
    }
    end = start + step
    return populate(start)
  }

  private static func populate(_ start: UInt) -> Bool {
    guard let place = UnsafeMutableRawPointer(bitPattern: start) else { return false }
    return archtool_populate(place, Int(step)) != 0
  }

  /// Gets the pages of the second half of a large buffer, of which the first is filled meanwhile.
  ///
  /// - Returns: the thread that does it, which must have ended when the buffer is given up; nil if there is none.
  static func getHalf(of buffer: UnsafeMutableRawBufferPointer) -> WorkerThreads? {
    #if os(Linux)
      guard buffer.count >= leastInput, ProcessorCount.available > 1 else { return nil }
      let start = (UInt(bitPattern: buffer.baseAddress) + UInt(buffer.count) / 2) & ~(step - 1)
      let end = UInt(bitPattern: buffer.baseAddress) + UInt(buffer.count)
      return WorkerThreads(count: 1) {
        var place = start
        while place + step <= end, populate(place) { place += step }
      }
    #else
      return nil
    #endif
  }
}

extension ByteBuffer {
  /// The bytes that will be filled next; nil for small buffers.
  package var rest: ComingMemory.Rest? {
    ComingMemory.Rest(UnsafeRawPointer(base), filled: count, of: capacity)
  }
}

extension RawStack {
  /// The bytes that will be filled next; nil for small stacks.
  package var rest: ComingMemory.Rest? {
    let stride = MemoryLayout<Element>.stride
    return ComingMemory.Rest(UnsafeRawPointer(base), filled: count * stride, of: capacity * stride)
  }
}
