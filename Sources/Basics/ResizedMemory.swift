// Memory of the C library, whose `realloc` moves large blocks without copying them.

/// Memory of a size, aligned for any value of up to 16 bytes.
///
/// - Parameter old: memory whose bytes it begins with, which is given up.
@usableFromInline
func resizedMemory(
  _ old: UnsafeMutableRawPointer?, _ byteCount: Int
) -> UnsafeMutableRawPointer {
  guard let memory = realloc(old, byteCount) else {
    fatalError("no memory for \(byteCount) bytes")
  }
  #if os(Linux)
    if byteCount >= largeSize { useLargePages(memory, byteCount) }
  #endif
  return memory
}

/// Gives back what `resizedMemory` gave.
@usableFromInline
func releaseMemory(_ memory: UnsafeMutableRawPointer) { free(memory) }

#if os(Linux)
  /// Buffers of at least this many bytes want large pages.
  private let largeSize = 8 << 20

  /// Large pages are quicker to get, and to look into at random.
  private func useLargePages(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
    let page = 1 << 21
    let start = (Int(bitPattern: memory) + page - 1) & ~(page - 1)
    let end = (Int(bitPattern: memory) + byteCount) & ~(page - 1)
    if start < end, let place = UnsafeMutableRawPointer(bitPattern: start) {
      _ = madvise(place, end - start, Int32(MADV_HUGEPAGE))
    }
  }
#endif
