// Builds a table of values from scratch: what readers of text encodings, lenses and envelopes write into.

import ArchiveBasics

/// Makes a document value by value.
///
/// Children come before the containers that hold them.
///
/// Scalars are canonical: integers in the fewest bytes, strings as ASCII or else UTF-16; equal scalars
/// become one value, as CoreFoundation's binary writer makes them.
///
/// What loops ask of it is `mutating` as well: Swift 6.3 copies all 268 bytes of a builder that is only borrowed.
public struct GraphBuilder: ~Copyable {
  /// How many bytes a reference takes in a built table.
  static let referenceWidth = 4

  var bytes: ByteBuffer
  var offsets = ByteBuffer(capacity: 1024)
  /// How many bytes an offset takes: 4, and 8 from 4 GiB of values on.
  private(set) var offsetWidth = 4
  var sources = ByteBuffer(capacity: 16)
  var scalars = ScalarIndex()
  /// Scalars without an index yet.
  var staged = StagedScalars()
  @usableFromInline var pending = RawStack<UInt32>()
  /// Where the values of each open container begin in `pending`, and where it begins in the source.
  private var frames = RawStack<(start: Int, origin: Int?)>()
  var highestUID: UInt64?

  /// The number of values.
  public private(set) var count = 0
  /// The source position of the next values; recorded for each value when it is set.
  package var sourceOffset: Int?
  /// Whether a scalar that is added again is where the first of its sources is, not where it was added first.
  package var keepsFirstSource = false
  /// Whether equal scalars become one value; without it each keeps its own source position.
  package var isUniquing = true
  /// Whether scalars get their indexes several at once, which is quicker for many values.
  ///
  /// Until `settle` is called or a container is closed, the index of a scalar is only good for one `append`.
  package var isDeferring = false

  /// Makes an empty builder.
  ///
  /// - Parameter capacity: how many bytes of values to expect.
  package init(capacity: Int = 4096) { bytes = ByteBuffer(capacity: capacity) }

  /// The pages of large buffers that are filled next.
  package var comingPages: [Range<UInt>] {
    [bytes.comingPages, offsets.comingPages, sources.comingPages].compactMap { $0 }
  }

  // MARK: Scalars

  /// Adds null.
  package mutating func addNull() -> UInt32 { addScalar { $0.append(0x00) } }

  /// Adds a boolean.
  package mutating func add(_ value: Bool) -> UInt32 {
    addScalar { $0.append(value ? 0x09 : 0x08) }
  }

  /// Adds an integer.
  package mutating func add(_ value: Int64) -> UInt32 {
    let (marker, number, width) = Self.encoding(of: value)
    return addNumber(marker, number, width: width)
  }

  @inline(__always)
  private static func encoding(of value: Int64) -> (marker: UInt8, number: UInt64, width: Int) {
    // Negative ones are above all here, and take 8 bytes as well.
    let number = UInt64(bitPattern: value)
    let width = width(of: number)
    return (0x10 | UInt8(width.trailingZeroBitCount), number, width)
  }

  /// Starts to load what an integer that is added soon is looked for in.
  @inline(__always)
  package mutating func prefetch(_ value: Int64) {
    let (marker, number, width) = Self.encoding(of: value)
    scalars.prefetch(hash: ScalarHash.of(marker: marker, number: number, width: width))
  }

  /// Starts to load what a real that is added soon is looked for in.
  @inline(__always)
  package mutating func prefetch(_ value: Double) {
    scalars.prefetch(hash: ScalarHash.of(marker: 0x23, number: value.bitPattern, width: 8))
  }

  /// Adds an unsigned integer; above `Int64.max` it takes 16 bytes.
  package mutating func add(unsigned value: UInt64) -> UInt32 {
    if let signed = Int64(exactly: value) { return add(signed) }
    return add(wide: Int128(value))
  }

  /// Adds an integer in 16 bytes, which is for those that 64 bits do not hold.
  package mutating func add(wide value: Int128) -> UInt32 {
    addScalar { buffer in
      buffer.append(0x14)
      buffer.append(bigEndian: UInt64(truncatingIfNeeded: value >> 64), width: 8)
      buffer.append(bigEndian: UInt64(truncatingIfNeeded: value), width: 8)
    }
  }

  /// Adds a real of 8 bytes.
  package mutating func add(_ value: Double) -> UInt32 {
    addNumber(0x23, value.bitPattern, width: 8)
  }

  /// Adds a real of 4 bytes.
  package mutating func add(_ value: Float) -> UInt32 {
    addNumber(0x22, UInt64(value.bitPattern), width: 4)
  }

  /// Adds a date in seconds from 2001-01-01T00:00:00Z.
  package mutating func add(date: Double) -> UInt32 {
    addNumber(0x33, date.bitPattern, width: 8)
  }

  /// Adds bytes.
  package mutating func add(data: ByteView) -> UInt32 {
    addBytes(Marker.data, data)
  }

  /// Adds a scalar by the bytes that encode it, marker included: numbers keep their width.
  package mutating func add(encoded bytes: ByteView) -> UInt32 {
    addScalar { $0.append(bytes) }
  }

  /// Adds a string from another graph or text.
  package mutating func add(_ text: Text) -> UInt32 {
    if isDeferring, text.byteCount > StagedScalars.longest { return addAtOnce { $0.add(text) } }
    if text.isSevenBit { return addBytes(Marker.ascii, text.bytes) }
    if text.form == .utf8, let index = add(utf8: text.bytes) { return index }
    // UTF-16 is kept as it is, lone surrogates included, unless it is really ASCII.
    if text.form == .utf16, !text.isASCIIInUTF16 {
      return addScalar { buffer in
        appendCount(text.byteCount / 2, marker: Marker.utf16, to: &buffer)
        buffer.append(text.bytes)
      }
    }
    return add(text.string)
  }

  /// Adds a string of characters below 0x80, which the caller has looked at.
  @inline(__always)
  package mutating func add(ascii bytes: ByteView) -> UInt32 {
    addBytes(Marker.ascii, bytes)
  }

  /// Adds a string in UTF-8 that is not ASCII; nil, and nothing is added, if it is not well formed.
  package mutating func add(utf8 bytes: ByteView) -> UInt32? {
    guard let count = UTF16Units.count(in: bytes) else { return nil }
    return addScalar { buffer in
      appendCount(count, marker: Marker.utf16, to: &buffer)
      UTF16Units.append(bytes, count: count, to: &buffer)
    }
  }

  /// Adds a string.
  package mutating func add(_ string: String) -> UInt32 {
    var string = string
    return string.withUTF8 { utf8 in
      let bytes = ByteView(utf8)
      // Every string has well-formed UTF-8.
      return bytes.isASCII ? add(ascii: bytes) : add(utf8: bytes) ?? addNull()
    }
  }

  // MARK: Containers

  /// The position of the open container's first value.
  var openStart: Int { mutating get { frames.last?.pointee.start ?? 0 } }

  /// Begins a container; what `append` adds until `close` belongs to it.
  public mutating func open() {
    frames.push((pending.count, sourceOffset))
  }

  /// Adds a value to the container that is open; keys and values of a dictionary in turn.
  @inlinable @inline(__always)
  public mutating func append(_ index: UInt32) {
    if index >> 31 != 0 { keepPendingIndex(of: index) }
    pending.push(index)
  }

  /// Remembers where a scalar that waits for its index is appended.
  @usableFromInline
  mutating func keepPendingIndex(of index: UInt32) {
    guard isDeferring, index & StagedScalars.mark != 0 else { return }
    staged[Int(index ^ StagedScalars.mark)].pointee.pendingIndex = pending.count
  }

  /// How many values the open container has.
  package var openCount: Int { mutating get { pending.count - openStart } }

  /// The number of the first pair of the open dictionary whose key an earlier one has; nil if there is none.
  ///
  /// Equal keys are one value, so their numbers identify them.
  package mutating func repeatedPair() -> Int? {
    let values = openValues
    return firstRepeated(values.count / 2) { UInt64(values[$0 &* 2]) }
  }

  /// The values of the open container, where they are; valid until the builder is changed.
  package var openValues: UnsafeBufferPointer<UInt32> {
    mutating get { UnsafeBufferPointer(pending.values(from: openStart)) }
  }

  /// Ends an array, set or ordered set (`Marker.array`, …).
  ///
  /// - Returns: its index.
  public mutating func close(_ kind: UInt8 = Marker.array) -> UInt32 {
    settle()
    let (start, index) = beginClosing()
    appendCount(pending.count - start, marker: kind, to: &bytes)
    appendReferences(from: start, step: 1)
    pending.truncate(to: start)
    return index
  }

  /// Ends a dictionary.
  ///
  /// - Returns: its index.
  public mutating func closeDictionary() -> UInt32 {
    settle()
    let (start, index) = beginClosing()
    appendCount((pending.count - start) / 2, marker: Marker.dictionary, to: &bytes)
    for parity in 0..<2 { appendReferences(from: start + parity, step: 2) }
    pending.truncate(to: start)
    return index
  }

  /// Adds an array, or another list (`Marker.set`, …), of values that were added before.
  @inlinable
  public mutating func add(
    list values: some Sequence<UInt32>, _ kind: UInt8 = Marker.array
  ) -> UInt32 {
    open()
    for value in values { append(value) }
    return close(kind)
  }

  /// Adds a dictionary of keys and values that were added before.
  @inlinable
  public mutating func add(pairs: some Sequence<(UInt32, UInt32)>) -> UInt32 {
    open()
    for (key, value) in pairs {
      append(key)
      append(value)
    }
    return closeDictionary()
  }

  /// Adds a dictionary of strings and values that were added before.
  package mutating func add(members: [(String, UInt32)]) -> UInt32 {
    add(pairs: members.map { (add($0.0), $0.1) })
  }

  /// Ends the open container, whose own value is the next.
  private mutating func beginClosing() -> (start: Int, index: UInt32) {
    guard !frames.isEmpty else { return (0, begin(at: nil)) }
    let open = frames.pop()
    return (open.start, begin(at: open.origin))
  }

  /// Writes references to the pending values from a position on.
  private mutating func appendReferences(from start: Int, step: Int) {
    let width = Self.referenceWidth
    var pointer = bytes.reserve((pending.count - start + 1) * width)
    var position = start
    while position < pending.count {
      storeBigEndian(UInt64(pending[position].pointee), width: width, to: pointer)
      pointer += width
      position &+= step
    }
    bytes.filled((position - start) / step * width)
  }

  /// Takes the last value out of the open container.
  package mutating func dropLast() {
    if pending.count > openStart { pending.truncate(to: pending.count - 1) }
  }

  /// Forgets the container that is open; its values stay.
  package mutating func discardOpen() {
    pending.truncate(to: openStart)
    if !frames.isEmpty { frames.drop() }
  }

  // MARK: The end

  /// Ends building.
  ///
  /// - Parameters:
  ///   - top: the index of the top value.
  ///   - encoding: the encoding of the source.
  ///   - source: the text that `sourceOffset` counted in, kept alive with the document.
  /// - Returns: a document that needs no check.
  package consuming func finish(
    top: UInt32, encoding: Encoding = .memory, source: ByteStorage? = nil
  ) -> Document {
    let count = self.count
    let highestUID = self.highestUID
    let offsetWidth = self.offsetWidth
    // Most documents have no positions.
    let positions = sources.count > 0 ? SourceOffsets(sources.intoStorage()) : .none
    let values = bytes.intoStorage()
    let table = offsets.intoStorage()
    return Document(
      encoding: encoding,
      table: ValueTable(
        base: values.start, byteCount: values.bytes.count, offsets: table.start,
        offsetWidth: offsetWidth, referenceWidth: Self.referenceWidth, count: count),
      storage: [values, table] + (source.map { [$0] } ?? []), fileOffset: nil,
      sourceOffsets: positions, top: top, highestUID: highestUID)
  }

  // MARK: Inside

  /// Records the position of a new value.
  @inline(__always)
  mutating func begin(at sourceOffset: Int?) -> UInt32 {
    if offsetWidth == 4, bytes.count <= Int(UInt32.max) {
      let offset = UInt32(truncatingIfNeeded: bytes.count)
      offsets.reserve(4).storeBytes(of: offset.bigEndian, as: UInt32.self)
      offsets.filled(4)
    } else {
      if offsetWidth == 4 { widenOffsets() }
      offsets.append(bigEndian: UInt64(bytes.count), width: offsetWidth)
    }
    if let sourceOffset {
      let source = UInt32(truncatingIfNeeded: sourceOffset)
      sources.reserve(4).storeBytes(of: source, as: UInt32.self)
      sources.filled(4)
    }
    count &+= 1
    return UInt32(truncatingIfNeeded: count &- 1)
  }

  @inline(never)
  private mutating func widenOffsets() {
    var wide = ByteBuffer(capacity: (count + 1) * 16)
    for index in 0..<count {
      let offset = bigEndian(UnsafeRawPointer(offsets.base) + index * 4, 4)
      wide.append(bigEndian: offset, width: 8)
    }
    offsets = wide
    offsetWidth = 8
  }

  /// Writes a scalar, and takes it back if an equal one is there.
  @inline(__always)
  mutating func addScalar(_ write: (inout ByteBuffer) -> Void) -> UInt32 {
    if isDeferring {
      let start = beginStaging()
      write(&staged.buffer)
      let new = UnsafeRawPointer(staged.buffer.base) + start
      let hash = ScalarHash.of(encoded: new, staged.buffer.count &- start)
      return staged.stage(from: start, hash: hash, sourceOffset: sourceOffset)
    }
    let start = bytes.count
    write(&bytes)
    let length = bytes.count &- start
    guard isUniquing else {
      bytes.truncate(to: start)
      let index = begin(at: sourceOffset)
      bytes.filled(length)
      return index
    }
    let new = UnsafeRawPointer(bytes.base) + start
    let hash = ScalarHash.of(encoded: new, length)
    // The first bytes of a scalar say how many it has, so no scalar is the beginning of another; and all that is
    // compared lies before the end of the new one.
    if let known = find(hash, { memcmp(new, $0, length) == 0 }) {
      bytes.truncate(to: start)
      return self.known(known)
    }
    bytes.truncate(to: start)
    let index = begin(at: sourceOffset)
    bytes.filled(length)
    scalars.insert(index, hash: hash)
    return index
  }

  /// Writes a number of 1, 2, 4 or 8 bytes, unless an equal one is there.
  @inline(__always)
  private mutating func addNumber(_ marker: UInt8, _ value: UInt64, width: Int) -> UInt32 {
    addScalar { Self.store(marker, value, width: width, to: &$0) }
  }

  /// Writes data or a string of ASCII, unless an equal one is there.
  private mutating func addBytes(_ kind: UInt8, _ content: ByteView) -> UInt32 {
    if isDeferring, content.count > StagedScalars.longest {
      return addAtOnce { $0.addBytes(kind, content) }
    }
    return addScalar { buffer in
      appendCount(content.count, marker: kind, to: &buffer)
      buffer.append(content)
    }
  }

  @inline(__always)
  static func store(
    _ marker: UInt8, _ value: UInt64, width: Int, to buffer: inout ByteBuffer
  ) {
    let pointer = buffer.reserve(1 + width)
    pointer.storeBytes(of: marker, as: UInt8.self)
    storeBigEndian(value, width: width, to: pointer + 1)
    buffer.filled(1 + width)
  }

  @inline(__always)
  func find(_ hash: UInt32, _ isEqual: (UnsafeRawPointer) -> Bool) -> UInt32? {
    scalars.find(
      hash: hash, values: UnsafeRawPointer(bytes.base), offsets: UnsafeRawPointer(offsets.base),
      offsetWidth: offsetWidth, isEqual)
  }
}

extension ByteStorage {
  /// The first byte; a valid pointer even if there are no bytes to read.
  var start: UnsafeRawPointer { bytes.baseAddress ?? UnsafeRawPointer(emptyByte) }
}

/// What an empty storage points at.
private nonisolated(unsafe) let emptyByte = UnsafeMutableRawPointer.allocate(
  byteCount: 16, alignment: 16)

extension Text {
  /// Whether UTF-16 text has only characters below 0x80.
  var isASCIIInUTF16: Bool {
    for position in stride(from: 0, to: byteCount, by: 2) {
      if base.load(fromByteOffset: position, as: UInt8.self) != 0
        || base.load(fromByteOffset: position + 1, as: UInt8.self) >= 0x80
      {
        return false
      }
    }
    return true
  }
}

// MARK: - Scalars that wait for their indexes: several at once are found sooner than one by one

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
      if entry.pendingIndex >= 0 { pending[entry.pendingIndex].pointee = index }
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
    let known = find(entry.hash) { $0 <= last && memcmp(new, $0, entry.length) == 0 }
    if let known { return self.known(known, at: entry.sourceOffset) }
    let index = begin(at: entry.sourceOffset)
    bytes.append(ByteView(start: new, count: entry.length))
    scalars.insert(index, hash: entry.hash)
    return index
  }
}

// MARK: - UIDs of a builder, and the positions of values that are added again

extension GraphBuilder {
  /// Adds a UID.
  package mutating func add(uid: UInt64) -> UInt32 {
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
  package mutating func addUnsetUID() -> UInt32 {
    let index = begin(at: sourceOffset)
    Self.store(Marker.uid << 4, 0, width: 8, to: &bytes)
    return index
  }

  /// Sets the number of a UID that `addUnsetUID` added; it is where the source is now.
  package mutating func setUID(_ index: UInt32, _ uid: UInt64) {
    precondition(Int(index) < count)
    highestUID = max(highestUID ?? 0, uid)
    // Each value has an offset below the count of bytes, and this one has 9 bytes there: written in place, it needs no
    // other offset, and offsets stay in the order of values.
    let pointer = UnsafeRawPointer(offsets.base) + Int(index) * offsetWidth
    let width = Self.width(of: uid)
    let value = bytes.base + Int(bigEndian(pointer, offsetWidth))
    value.storeBytes(of: Self.marker(width: width), as: UInt8.self)
    storeBigEndian(uid, width: width, to: value + 1)
    if let sourceOffset { setSource(of: index, sourceOffset) }
  }

  /// The fewest bytes of 1, 2, 4 and 8 that a number fits in.
  @inline(__always)
  package static func width(of number: UInt64) -> Int {
    number <= 0xFF ? 1 : number <= 0xFFFF ? 2 : number <= 0xFFFF_FFFF ? 4 : 8
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
    let pointer = sources.base + Int(index) * 4
    guard Int(index) * 4 < sources.count, pointer.load(as: UInt32.self) > offset else { return }
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
  package func string(at index: UInt32) -> String? {
    lookBack { $0.text(at: index)?.string }
  }

  /// Whether the value at an index is the string of these ASCII characters.
  package func isString(_ ascii: StaticString, at index: UInt32) -> Bool {
    lookBack { $0.text(at: index)?.equals(ascii) } == true
  }

  /// Whether the value at an index is no container.
  @inline(__always)
  package func isScalar(at index: UInt32) -> Bool {
    let pointer = UnsafeRawPointer(offsets.base) + Int(index) &* offsetWidth
    let offset = offsetWidth == 4 ? bigEndian(pointer, 4) : bigEndian(pointer, 8)
    return (bytes.base + Int(offset)).load(as: UInt8.self) >> 4 < Marker.array
  }

  /// The integer at an index, nil for other values or above `Int64.max`.
  public func integer(at index: UInt32) -> Int64? {
    lookBack { table in
      let marker = table.marker(of: index)
      guard marker >> 4 == Marker.integer, marker & 0x0F < 4 else { return nil }
      let width = 1 << Int(marker & 0x0F)
      return Int64(bitPattern: bigEndian(table.pointer(of: index) + 1, width))
    }
  }
}
