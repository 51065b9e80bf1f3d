// The frames of a validation, where they are changed without the checks of an array.

/// Frames, the innermost last.
struct FrameStack: ~Copyable {
  private var base: UnsafeMutablePointer<Frame>
  private var capacity = 64
  /// How many frames there are.
  private(set) var count = 0

  init() { base = .allocate(capacity: capacity) }

  deinit {
    base.deinitialize(count: count)
    base.deallocate()
  }

  /// Whether there is no frame.
  @inline(__always) var isEmpty: Bool { count == 0 }

  /// The innermost frame, of which there must be one; valid until a frame is added.
  @inline(__always) var top: UnsafeMutablePointer<Frame> { base + (count &- 1) }

  /// The innermost frame, nil if there is none.
  var last: UnsafeMutablePointer<Frame>? { count > 0 ? top : nil }

  /// The frame at a position; valid until a frame is added.
  subscript(position: Int) -> UnsafeMutablePointer<Frame> { base + position }

  /// Adds a frame.
  mutating func push(_ frame: consuming Frame) {
    if count == capacity { grow() }
    (base + count).initialize(to: frame)
    count &+= 1
  }

  /// Takes the innermost frame, of which there must be one.
  mutating func pop() -> Frame {
    count &-= 1
    return (base + count).move()
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Frame>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    base = larger
    capacity *= 2
  }
}
