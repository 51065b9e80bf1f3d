// The heap's pages for a small input.

import CMemory

/// Memory that a run will need.
package enum ComingMemory {
  /// Gets pages of the heap for a small input in one step, in place of a page fault for each.
  package static func prepare() { archtool_prepare_heap(96 << 10) }
}
