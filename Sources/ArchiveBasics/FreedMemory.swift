// What the C library does with memory that was freed.

import CMemory

/// Memory that a run frees.
public enum FreedMemory {
  /// Keeps some of it for what comes next, where it would go back to the system with each small file or record.
  ///
  /// Each page that comes again costs a page fault.
  @usableFromInline
  package static func keep() { archtool_keep_freed_memory(1 << 20, 4 << 20) }
}
