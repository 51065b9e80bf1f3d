// Bytes in memory that another value keeps, read within bounds that are checked in release builds as well.
//
// `UnsafeRawBufferPointer` checks its bounds in debug builds only, and `RawSpan` cannot be stored in a value or returned
// from a function. A view can, so its lifetime remains a promise: whoever makes one of a pointer keeps the memory.

/// A view of bytes, which is valid as long as what it was made of: a storage, a buffer that does not grow, or a graph.
@frozen
public struct ByteView: RandomAccessCollection {
  /// The first byte; nil only without bytes.
  public let baseAddress: UnsafeRawPointer?
  /// The number of bytes.
  public let count: Int

  /// Makes a view of memory that must outlive it.
  @inlinable @inline(__always)
  public init(start: UnsafeRawPointer?, count: Int) {
    precondition(count >= 0 && (count == 0 || start != nil))
    self.init(checkedStart: start, checkedCount: count)
  }

  @inlinable @inline(__always)
  init(checkedStart start: UnsafeRawPointer?, checkedCount count: Int) {
    (baseAddress, self.count) = (start, count)
  }

  /// Makes a view of memory that must outlive it.
  @inlinable
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.init(start: bytes.baseAddress, count: bytes.count)
  }

  /// Makes a view of memory that must outlive it.
  @inlinable
  package init(_ bytes: UnsafeMutableRawBufferPointer) { self.init(UnsafeRawBufferPointer(bytes)) }

  /// Makes a view of memory that must outlive it.
  @inlinable
  package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.init(UnsafeRawBufferPointer(bytes)) }

  /// Makes a view of text that the program contains.
  @inlinable
  package init(_ text: StaticString) {
    self.init(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// Makes a view of no bytes.
  package init() { self.init(start: nil, count: 0) }

  /// Makes a view of a part of another, whose positions count from the part's first byte.
  @inlinable
  package init(rebasing slice: Slice<ByteView>) {
    self = slice.base.part(slice.startIndex..<slice.endIndex)
  }

  /// The bytes from one position to before another, whose positions count from the first of them.
  @inlinable @inline(__always)
  public func part(_ range: Range<Int>) -> ByteView {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return ByteView(
      checkedStart: baseAddress.map { $0 + range.lowerBound },
      checkedCount: range.upperBound &- range.lowerBound)
  }

  /// The bytes from a position on, whose positions count from the first of them.
  @inlinable @inline(__always)
  package func part(from start: Int) -> ByteView { part(start..<count) }

  /// The same memory, for functions of the system and the standard library.
  @inlinable @inline(__always)
  public var unchecked: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: baseAddress, count: count)
  }

  /// 0.
  @inlinable @inline(__always)
  public var startIndex: Int { 0 }

  /// The number of bytes.
  @inlinable @inline(__always)
  public var endIndex: Int { count }

  /// The byte at a position.
  @inlinable @inline(__always)
  public subscript(position: Int) -> UInt8 {
    precondition(UInt(bitPattern: position) < UInt(bitPattern: count))
    return unchecked[position]
  }

  /// The byte at a position; nil outside.
  @inlinable @inline(__always)
  public func byte(at position: Int) -> UInt8? {
    UInt(bitPattern: position) < UInt(bitPattern: count) ? unchecked[position] : nil
  }

  /// The bytes from one position to before another, with their positions in the view.
  @inlinable @inline(__always)
  public subscript(range: Range<Int>) -> Slice<ByteView> {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return Slice(base: self, bounds: range)
  }

  /// Reads a trivial value at a position.
  @inlinable @inline(__always)
  package func loadUnaligned<Number: FixedWidthInteger & BitwiseCopyable>(
    fromByteOffset offset: Int = 0, as type: Number.Type
  ) -> Number {
    precondition(offset >= 0 && offset <= count &- MemoryLayout<Number>.size)
    return unchecked.loadUnaligned(fromByteOffset: offset, as: type)
  }

  /// Calls a function with the memory, as the algorithms of the standard library do.
  @inlinable @inline(__always)
  public func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? {
    try unchecked.withContiguousStorageIfAvailable(body)
  }

  /// Reads bytes one after the other.
  @frozen
  public struct Iterator: IteratorProtocol {
    @usableFromInline var bytes: UnsafeRawBufferPointer.Iterator

    @inlinable @inline(__always)
    init(_ view: ByteView) { bytes = view.unchecked.makeIterator() }

    /// The next byte; nil after the last.
    @inlinable @inline(__always)
    public mutating func next() -> UInt8? { bytes.next() }
  }

  /// Makes an iterator over the bytes.
  @inlinable @inline(__always)
  public func makeIterator() -> Iterator { Iterator(self) }
}

extension Hasher {
  /// Adds bytes.
  package mutating func combine(bytes: ByteView) { combine(bytes: bytes.unchecked) }
}

extension Array where Element == UInt8 {
  /// Calls a function with a view of the bytes, which is valid until it returns.
  @inlinable
  package func withByteView<Result, Failure: Error>(
    _ body: (ByteView) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBufferPointer { bytes throws(Failure) in try body(ByteView(bytes)) }
  }
}

extension String {
  /// Calls a function with a view of the UTF-8 text, which is valid until it returns.
  @inlinable
  package mutating func withByteView<Result>(_ body: (ByteView) throws -> Result) rethrows -> Result
  {
    try withUTF8 { try body(ByteView($0)) }
  }
}
