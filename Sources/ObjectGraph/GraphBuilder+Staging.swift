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

// MARK: - UIDs of a builder, and the positions of values that are added again

extension GraphBuilder {
  /// Adds a UID.
  public mutating func add(uid: UInt64) -> UInt32 {
    highestUID = max(highestUID ?? 0, uid)
    return addScalar { Self.store(uid: uid, to: &$0) }
  }

  /// Adds a UID that was not added before, which needs no search for an equal one.
  package mutating func addNew(uid: UInt64) -> UInt32 {
    guard !isDeferring else { return add(uid: uid) }
    highestUID = max(highestUID ?? 0, uid)
    let index = begin(at: sourceOffset)
    Self.store(uid: uid, to: &bytes)
    return index
  }

  /// Adds a UID whose number `setUID` sets.
  package mutating func addUIDPlace() -> UInt32 {
    let index = begin(at: sourceOffset)
    Self.store(Marker.uid << 4, 0, width: 8, to: &bytes)
    return index
  }

  /// Sets the number of a UID that `addUIDPlace` added; it is where the source is now.
  package mutating func setUID(_ index: UInt32, _ uid: UInt64) {
    precondition(Int(index) < count)
    highestUID = max(highestUID ?? 0, uid)
    // Each value has an offset below the count of bytes, and this one has 9 bytes there: written in place, it needs no
    // other offset, and offsets stay in the order of values.
    let place = UnsafeRawPointer(offsets.base) + Int(index) * offsetWidth
    let width = Self.width(of: uid)
    let value = bytes.base + Int(bigEndian(place, offsetWidth))
    value.storeBytes(of: Self.marker(width: width), as: UInt8.self)
    storeBigEndian(uid, width: width, to: value + 1)
    if let sourceOffset { setSource(of: index, sourceOffset) }
  }

  /// How many bytes the number of a UID takes.
  @inline(__always)
  private static func width(of uid: UInt64) -> Int {
    uid <= 0xFF ? 1 : uid <= 0xFFFF ? 2 : uid <= 0xFFFF_FFFF ? 4 : 8
  }

  @inline(__always)
  private static func marker(width: Int) -> UInt8 { Marker.uid << 4 | UInt8(width - 1) }

  @inline(__always)
  private static func store(uid: UInt64, to buffer: inout ByteBuffer) {
    let width = width(of: uid)
    store(marker(width: width), uid, width: width, to: &buffer)
  }

  // MARK: Positions

  /// Says that a value that was added before is also where the source is now.
  ///
  /// - Returns: its index.
  @inline(__always)
  package func known(_ index: UInt32) -> UInt32 { known(index, at: sourceOffset) }

  /// The same of another place in the source.
  @inline(__always)
  func known(_ index: UInt32, at offset: Int?) -> UInt32 {
    if keepsFirstSource, let offset { lowerSource(of: index, offset) }
    return index
  }

  private func lowerSource(of index: UInt32, _ offset: Int) {
    let place = sources.base + Int(index) * 4
    guard Int(index) * 4 < sources.count, place.load(as: UInt32.self) > offset else { return }
    setSource(of: index, offset)
  }

  private func setSource(of index: UInt32, _ offset: Int) {
    guard Int(index) * 4 < sources.count else { return }
    let source = UInt32(truncatingIfNeeded: offset)
    (sources.base + Int(index) * 4).storeBytes(of: source, as: UInt32.self)
  }
}

// MARK: - Values of a builder that are read while it is built

extension GraphBuilder {
  private func lookBack<Result>(_ read: (ValueTable) -> Result?) -> Result? {
    guard let base = bytes.bytes.baseAddress, let table = offsets.bytes.baseAddress else {
      return nil
    }
    return read(
      ValueTable(
        base: base, byteCount: bytes.count, offsets: table, offsetWidth: offsetWidth,
        referenceWidth: Self.referenceWidth, count: count))
  }

  /// The string at an index, nil for other values.
  public func string(at index: UInt32) -> String? {
    lookBack { $0.text(at: index)?.string }
  }

  /// Whether the value at an index is the string of these ASCII characters.
  public func isString(_ ascii: StaticString, at index: UInt32) -> Bool {
    lookBack { $0.text(at: index)?.equals(ascii) } == true
  }

  /// Whether the value at an index is no container.
  @inline(__always)
  package func isScalar(at index: UInt32) -> Bool {
    let place = UnsafeRawPointer(offsets.base) + Int(index) &* offsetWidth
    let offset = offsetWidth == 4 ? bigEndian(place, 4) : bigEndian(place, 8)
    return (bytes.base + Int(offset)).load(as: UInt8.self) >> 4 < Marker.array
  }

  /// The integer at an index, nil for other values or above `Int64.max`.
  public func integer(at index: UInt32) -> Int64? {
    lookBack { table in
      let marker = table.marker(of: index)
      guard marker >> 4 == Marker.integer, marker & 0x0F < 4 else { return nil }
      let width = 1 << Int(marker & 0x0F)
      return Int64(bitPattern: bigEndian(table.base + table.offset(of: index) + 1, width))
    }
  }
}
