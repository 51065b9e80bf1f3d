// A hint to the processor, which Swift has no function for.

public import CMemory

/// Asks the processor for the memory at a pointer, which is going to be read soon; nothing else happens.
@inlinable @inline(__always)
public func prefetchMemory(at pointer: UnsafeRawPointer) { archtool_prefetch(pointer) }

/// The same for the memory so many bytes after a pointer; it may be beyond what the pointer belongs to.
@inlinable @inline(__always)
public func prefetchMemory(beyond pointer: UnsafeRawPointer, by distance: Int) {
  archtool_prefetch_beyond(pointer, distance)
}
