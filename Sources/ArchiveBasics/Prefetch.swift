// A hint to the processor, which Swift has no function for.

public import CMemory

/// Asks the processor for the memory at a place, which is going to be read soon; nothing else happens.
@inlinable @inline(__always)
public func prefetchMemory(at place: UnsafeRawPointer) { archtool_prefetch(place) }

/// The same for the memory so many bytes after a place; it may be beyond what the place belongs to.
@inlinable @inline(__always)
public func prefetchMemory(beyond place: UnsafeRawPointer, by distance: Int) {
  archtool_prefetch_beyond(place, distance)
}
