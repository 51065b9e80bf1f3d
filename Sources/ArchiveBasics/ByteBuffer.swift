// A growable run of bytes without the checks that a class or an array would put on every append.

/// Bytes that grow at their end.
public struct ByteBuffer: ~Copyable {
  /// How many bytes beyond its last can be read, whatever is in them: so that 8 can be read where fewer are wanted.
  package static let slack = 8

  /// The first byte; moves when the buffer grows.
  @usableFromInline package internal(set) var base: UnsafeMutableRawPointer
  @usableFromInline var length: Int
  /// The number of bytes that there is room for without a look at `reserved`.
  @usableFromInline var capacity: Int
  /// The number of bytes that the memory has, which has `slack` more.
  ///
  /// Of a large buffer, `capacity` follows what is written: pages come some at once, shortly before they are filled.
  private(set) var reserved: Int

  /// The number of bytes.
  @inlinable public var count: Int { length }

  /// Makes an empty buffer.
  package init(capacity: Int = 256) {
    reserved = max(capacity, 16)
    base = resizedMemory(nil, 0, reserved + Self.slack, .small)
    length = 0
    self.capacity = Self.isMapped(reserved) ? 0 : reserved
  }

  deinit { releaseMemory(base, reserved + Self.slack) }

  /// The bytes.
  ///
  /// Valid until the next append.
  @inlinable
  public var bytes: ByteView { ByteView(start: base, count: count) }

  /// The bytes as an array.
  public var array: [UInt8] { Array(bytes) }

  /// Makes room for bytes that `filled` then declares.
  ///
  /// - Returns: where to write them.
  @inlinable @inline(__always)
  public mutating func reserve(_ more: Int) -> UnsafeMutableRawPointer {
    if count &+ more > capacity { grow(more) }
    return base + count
  }

  /// Declares bytes written after `reserve`.
  @inlinable @inline(__always)
  public mutating func filled(_ more: Int) { length &+= more }

  /// Appends one byte.
  @inlinable @inline(__always)
  public mutating func append(_ byte: UInt8) {
    reserve(1).storeBytes(of: byte, as: UInt8.self)
    length &+= 1
  }

  /// Appends bytes.
  @inlinable
  public mutating func append(_ bytes: ByteView) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count).copyMemory(from: source, byteCount: bytes.count)
    length &+= bytes.count
  }

  /// Appends the bytes of another buffer.
  package mutating func append(_ other: borrowing ByteBuffer) { append(other.bytes) }

  /// Appends the low bytes of a number, most significant first.
  @inlinable @inline(__always)
  public mutating func append(bigEndian value: UInt64, width: Int) {
    storeBigEndian(value, width: width, to: reserve(width))
    length &+= width
  }

  /// Appends the characters of an ASCII string; inlined, it is a store or two.
  @inlinable @inline(__always)
  public mutating func append(contentsOf text: StaticString) {
    append(ByteView(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a string in UTF-8.
  package mutating func append(_ string: String) {
    var string = string
    string.withByteView { append($0) }
  }

  /// Drops all but the first bytes.
  package mutating func truncate(to length: Int) { self.length = min(self.length, length) }

  /// Hands the bytes to an owner that keeps them alive, and leaves the buffer empty.
  package consuming func intoStorage() -> ByteStorage {
    // The bytes beyond the slack are not touched again, so that large buffers need no memory for them.
    let (owned, size) = (base, reserved + Self.slack)
    (reserved, capacity) = (16, 16)
    base = resizedMemory(nil, 0, reserved + Self.slack, .small)
    return ByteStorage(owning: UnsafeRawBufferPointer(start: owned, count: count)) { _ in
      releaseMemory(owned, size)
    }
  }

  /// Has memory for bytes that will be appended, none of which is touched before.
  package mutating func expect(_ more: Int) {
    let needed = count + more
    if needed > reserved { extend(to: needed) }
  }

  @inline(never) @usableFromInline
  mutating func grow(_ more: Int) {
    let needed = count + more
    if needed > reserved { extend(to: max(reserved * 2, needed)) }
    guard Self.isMapped(reserved) else { return }
    let step = max(needed - capacity, PagePrefaulter.fillStep)
    let end = min(capacity + step, reserved)
    // Where much is reserved at once, not all of it may be filled.
    if step == PagePrefaulter.fillStep { PagePrefaulter.get(base + capacity, end - capacity) }
    capacity = end
  }

  /// The pages that `append` gets next, if the buffer is large: to clear them takes as long as to fill them, and another
  /// thread can do that (`PagePrefaulter`).
  package var comingPages: Range<UInt>? {
    guard Self.isMapped(reserved), capacity < reserved else { return nil }
    let start = UInt(bitPattern: base + capacity)
    return start..<start + UInt(min(2 * PagePrefaulter.fillStep, reserved - capacity))
  }

  /// Moves the bytes into larger memory.
  private mutating func extend(to larger: Int) {
    base = resizedMemory(base, reserved + Self.slack, larger + Self.slack, .small)
    if !Self.isMapped(larger) {
      capacity = larger
    } else if !Self.isMapped(reserved) {
      // What there was is copied: pages come for what follows.
      capacity = count
    }
    reserved = larger
  }

  /// Whether memory for so many bytes has pages of its own, which are there only once they are touched.
  private static func isMapped(_ reserved: Int) -> Bool { isMappedMemory(reserved + slack) }
}

/// Stores the low bytes of a number, most significant first.
@inlinable @inline(__always)
public func storeBigEndian(_ value: UInt64, width: Int, to pointer: UnsafeMutableRawPointer) {
  switch width {
  case 1: pointer.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
  case 2: pointer.storeBytes(of: UInt16(truncatingIfNeeded: value).bigEndian, as: UInt16.self)
  case 4: pointer.storeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian, as: UInt32.self)
  case 8: pointer.storeBytes(of: value.bigEndian, as: UInt64.self)
  default:
    for index in 0..<width {
      let byte = UInt8(truncatingIfNeeded: value >> UInt64(8 * (width - 1 - index)))
      pointer.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
  }
}

extension String {
  /// The text that a closure appends to a buffer.
  package init(appending append: (inout ByteBuffer) -> Void) {
    var buffer = ByteBuffer()
    append(&buffer)
    self.init(decoding: buffer.bytes, as: UTF8.self)
  }
}
