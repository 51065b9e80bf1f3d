// A stack that is changed in place, without an array's checks: for walks in which they would be much of the time. Debug
// builds check.
//
// It is public since only public functions are inlined into the modules with these walks.

/// A stack of values; the innermost is last.
@frozen
public struct RawStack<Element>: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<Element>
  @usableFromInline var capacity = 64
  @usableFromInline var storedCount = 0

  /// Makes an empty stack.
  @inlinable
  public init() {
    precondition(MemoryLayout<Element>.alignment <= 16)
    base = Self.memory(nil, 0, capacity: 64)
  }

  @inlinable
  deinit {
    base.deinitialize(count: storedCount)
    releaseMemory(base, MemoryLayout<Element>.stride * capacity)
  }

  /// How many values there are.
  @inlinable @inline(__always)
  public var count: Int { storedCount }

  /// Whether there is no value.
  @inlinable @inline(__always)
  public var isEmpty: Bool { storedCount == 0 }

  /// The innermost value; the stack must not be empty; valid until a value is added.
  @inlinable @inline(__always)
  public var top: UnsafeMutablePointer<Element> {
    assert(storedCount > 0)
    return base + (storedCount &- 1)
  }

  /// The innermost value; nil if there is none.
  @inlinable @inline(__always)
  public var last: UnsafeMutablePointer<Element>? { storedCount > 0 ? top : nil }

  /// The value at a position below the count; valid until a value is added.
  @inlinable @inline(__always)
  public subscript(position: Int) -> UnsafeMutablePointer<Element> {
    assert(position >= 0 && position < storedCount)
    return base + position
  }

  /// Adds a value.
  @inlinable @inline(__always)
  public mutating func push(_ element: consuming Element) {
    if storedCount == capacity { grow() }
    (base + storedCount).initialize(to: element)
    storedCount &+= 1
  }

  /// Adds copies of values.
  @inlinable
  public mutating func push(all elements: UnsafeBufferPointer<Element>) {
    guard let first = elements.baseAddress else { return }
    while storedCount &+ elements.count > capacity { grow() }
    (base + storedCount).initialize(from: first, count: elements.count)
    storedCount &+= elements.count
  }

  /// Removes the innermost value; the stack must not be empty.
  @inlinable @inline(__always) @discardableResult
  public mutating func pop() -> Element {
    assert(storedCount > 0)
    storedCount &-= 1
    return (base + storedCount).move()
  }

  /// Removes the innermost value where it is; the stack must not be empty.
  @inlinable @inline(__always)
  public mutating func drop() {
    assert(storedCount > 0)
    storedCount &-= 1
    (base + storedCount).deinitialize(count: 1)
  }

  /// Removes the values from a position on.
  @inlinable @inline(__always)
  public mutating func truncate(to count: Int) {
    assert(count >= 0)
    guard count < storedCount else { return }
    (base + count).deinitialize(count: storedCount &- count)
    storedCount = count
  }

  /// The values from a position on, the innermost last; valid until one is added.
  @inlinable @inline(__always)
  public func values(from position: Int) -> UnsafeMutableBufferPointer<Element> {
    assert(position >= 0 && position <= storedCount)
    return UnsafeMutableBufferPointer(start: base + position, count: storedCount &- position)
  }

  @inlinable @inline(never)
  mutating func grow() {
    base = Self.memory(base, capacity, capacity: capacity * 2)
    capacity *= 2
  }

  /// Memory that begins with the values of a smaller one, which is given up: a value may be moved by moving its bytes.
  @inlinable
  static func memory(
    _ old: UnsafeMutablePointer<Element>?, _ oldCapacity: Int, capacity: Int
  ) -> UnsafeMutablePointer<Element> {
    let stride = MemoryLayout<Element>.stride
    return resizedMemory(old, stride * oldCapacity, stride * capacity, .large)
      .bindMemory(to: Element.self, capacity: capacity)
  }
}

// MARK: - Memory for tables of a fixed size

extension UnsafeMutablePointer {
  /// Memory for so many values, which `deallocate()` gives back: of large pages if it is large, since each page costs a
  /// fault when it is first touched.
  package static func allocateTable(capacity: Int) -> UnsafeMutablePointer<Pointee> {
    let size = capacity * MemoryLayout<Pointee>.stride
    guard size >= 1 << 21 else { return .allocate(capacity: capacity) }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1 << 21)
    #if os(Linux)
      madvise(memory, size, Int32(MADV_HUGEPAGE))
    #endif
    return memory.bindMemory(to: Pointee.self, capacity: capacity)
  }
}
