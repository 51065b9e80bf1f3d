// Scalars of a builder that wait for their indexes: several at once are found sooner than one after another.

import Basics

extension GraphBuilder {
  /// Where the next scalar that waits begins.
  @inline(__always)
  mutating func beginStaging() -> Int {
    if staged.isFull || staged.buffer.count > 1 << 16 { settle() }
    return staged.buffer.count
  }

  /// Gives all scalars that were added their indexes.
  package mutating func settle() {
    guard staged.count > 0 else { return }
    staged.fetch(
      scalars, UnsafeRawPointer(bytes.base), UnsafeRawPointer(offsets.base), offsetWidth)
    for position in 0..<staged.count {
      let entry = staged[position].pointee
      let index = settled(entry, staged.bytes(entry))
      staged[position].pointee.index = index
      if entry.place >= 0 { pending[entry.place].pointee = index }
    }
    staged.removeAll()
  }

  /// The index of the scalar that was added last, which is no member of a container.
  package mutating func settled(_ index: UInt32) -> UInt32 {
    guard isDeferring, index & StagedScalars.mark != 0 else { return index }
    settle()
    return staged[Int(index ^ StagedScalars.mark)].pointee.index
  }

  /// Adds a scalar that is too long to be copied twice.
  @inline(never)
  mutating func addAtOnce(_ add: (inout GraphBuilder) -> UInt32) -> UInt32 {
    settle()
    isDeferring = false
    defer { isDeferring = true }
    return add(&self)
  }

  @inline(__always)
  private mutating func settled(_ entry: StagedScalars.Entry, _ new: UnsafeRawPointer) -> UInt32 {
    // An equal scalar ends where the others do, or before.
    let last = UnsafeRawPointer(bytes.base) + bytes.count - entry.length
    let known = find(entry.hash) { $0 <= last && isSame(new, $0, entry.length) }
    if let known { return self.known(known, at: entry.sourceOffset) }
    let index = begin(at: entry.sourceOffset)
    bytes.append(UnsafeRawBufferPointer(start: new, count: entry.length))
    scalars.insert(index, hash: entry.hash)
    return index
  }
}

/// Whether bytes are equal; most scalars have few.
@inline(__always)
private func isSame(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
  guard count >= 8, count <= 16 else { return memcmp(left, right, count) == 0 }
  let end = count &- 8
  return left.loadUnaligned(as: UInt64.self) == right.loadUnaligned(as: UInt64.self)
    && left.loadUnaligned(fromByteOffset: end, as: UInt64.self)
      == right.loadUnaligned(fromByteOffset: end, as: UInt64.self)
}
