// Memory of whole pages, which grows without being copied.

/// The pages of memory that grows.
@usableFromInline
enum PageSize {
  /// Pages for bytes that are written from first to last.
  ///
  /// A virtual machine gives free large pages back to its host, from where each takes long to come; small ones are mostly
  /// there. A system that gives large pages to whoever does not ask for them gives them here as well.
  case small
  /// Pages for what is looked into at random, which are quicker to find, and to move.
  case large
}

#if os(Linux)
  import CMemory

  /// Mappings that begin and end where large pages do.
  ///
  /// Each is one mapping from its first byte on: `realloc` copies a block if `madvise` was said of a part of it.
  enum MappedMemory {
    /// Memory of at least this many bytes is mapped.
    static let threshold = page
    private static let page = 1 << 21

    /// As `resizedMemory`, of at least `threshold` bytes; nil if there is no memory.
    static func resized(
      _ old: UnsafeMutableRawPointer?, _ oldByteCount: Int, _ byteCount: Int, _ pages: PageSize
    ) -> UnsafeMutableRawPointer? {
      let count = rounded(byteCount)
      guard let old, oldByteCount >= threshold else {
        guard let address = reserve(count, pages) else { return nil }
        if let old {
          memcpy(address, old, oldByteCount)
          free(old)
        }
        return address
      }
      let oldCount = rounded(oldByteCount)
      if count == oldCount || archtool_extend(old, oldCount, count) != 0 { return old }
      // Page tables are moved whole if both places begin where a large page does.
      guard let address = reserve(count, pages) else { return nil }
      if archtool_move(old, oldCount, count, address) != 0 { return address }
      memcpy(address, old, oldByteCount)
      munmap(old, oldCount)
      return address
    }

    static func release(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
      munmap(memory, rounded(byteCount))
    }

    private static func rounded(_ byteCount: Int) -> Int { (byteCount + page - 1) & ~(page - 1) }

    /// Pages that nobody touched, at a multiple of a large page.
    private static func reserve(_ count: Int, _ pages: PageSize) -> UnsafeMutableRawPointer? {
      let access = PROT_READ | PROT_WRITE
      guard let address = mmap(nil, count + page, access, MAP_PRIVATE | MAP_ANON, -1, 0),
        address != MAP_FAILED
      else { return nil }
      let start = Int(bitPattern: address)
      let before = rounded(start) - start
      if before > 0 { munmap(address, before) }
      munmap(address + before + count, page - before)
      if pages == .large { madvise(address + before, count, Int32(MADV_HUGEPAGE)) }
      return address + before
    }
  }
#endif
