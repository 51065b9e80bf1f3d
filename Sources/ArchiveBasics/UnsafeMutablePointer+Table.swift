// Memory for tables of a fixed size.

extension UnsafeMutablePointer {
  /// Memory for so many values, which `deallocate()` gives back: of large pages if it is large, since each page costs a
  /// fault when it is first touched.
  package static func allocateTable(capacity: Int) -> UnsafeMutablePointer<Pointee> {
    let size = capacity * MemoryLayout<Pointee>.stride
    guard size >= 1 << 21 else { return .allocate(capacity: capacity) }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1 << 21)
    #if os(Linux)
      madvise(memory, size, Int32(MADV_HUGEPAGE))
    #endif
    return memory.bindMemory(to: Pointee.self, capacity: capacity)
  }
}
