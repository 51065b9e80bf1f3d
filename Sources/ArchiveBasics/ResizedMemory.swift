// Memory that grows without copying: of the C library, whose `realloc` moves large blocks, or of pages of its own.

/// Whether memory of a size has pages of its own.
func isMappedMemory(_ byteCount: Int) -> Bool {
  #if os(Linux)
    return byteCount >= MappedMemory.threshold
  #else
    return false
  #endif
}

/// Memory of a size, aligned for any value of up to 16 bytes.
///
/// - Parameters:
///   - old: memory whose bytes it begins with, which is given up.
///   - oldByteCount: the size that it was asked for with.
///   - byteCount: the size.
///   - pages: the pages that large memory is of.
@usableFromInline
func resizedMemory(
  _ old: UnsafeMutableRawPointer?, _ oldByteCount: Int, _ byteCount: Int, _ pages: PageSize
) -> UnsafeMutableRawPointer {
  #if os(Linux)
    if isMappedMemory(byteCount) {
      if let memory = MappedMemory.resized(old, oldByteCount, byteCount, pages) { return memory }
      fatalError("no memory for \(byteCount) bytes")
    }
    precondition(!isMappedMemory(oldByteCount), "memory only grows")
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
    if isMappedMemory(byteCount) { return MappedMemory.release(memory, byteCount) }
  #endif
  free(memory)
}
