// Memory that grows without copying: of the C library, whose `realloc` moves large blocks, or of large pages.

/// Memory of a size, aligned for any value of up to 16 bytes.
///
/// - Parameters:
///   - old: memory whose bytes it begins with, which is given up.
///   - oldByteCount: the size that it was asked for with.
///   - byteCount: the size.
@usableFromInline
func resizedMemory(
  _ old: UnsafeMutableRawPointer?, _ oldByteCount: Int, _ byteCount: Int
) -> UnsafeMutableRawPointer {
  #if os(Linux)
    if byteCount >= LargePages.threshold {
      if let memory = LargePages.resized(old, oldByteCount, byteCount) { return memory }
      fatalError("no memory for \(byteCount) bytes")
    }
    precondition(oldByteCount < LargePages.threshold, "memory only grows")
  #endif
  guard let memory = realloc(old, byteCount) else {
    fatalError("no memory for \(byteCount) bytes")
  }
  return memory
}

/// Gives back what `resizedMemory` gave for a size.
@usableFromInline
func releaseMemory(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
  #if os(Linux)
    if byteCount >= LargePages.threshold { return LargePages.release(memory, byteCount) }
  #endif
  free(memory)
}
