// UIDs of a builder, and the positions of values that are added again.

import Basics

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
