// Lines of a stream, one at a time, as long as they may be.

/// Reads a descriptor line by line; no more than a line and a block is held in memory.
public struct LineReader: ~Copyable {
  /// The result of reading.
  public enum Line {
    /// A line without its end.
    case line(ByteStorage)
    /// A line of more bytes than are allowed; it was skipped.
    case tooLong
    /// Nothing that is whole; more may come.
    case nothingYet
    /// The stream has ended.
    case end
  }

  /// The descriptor.
  package let descriptor: Int32
  /// The number of the last line that was given, from 1.
  package private(set) var number = 0
  private let delimiter: UInt8
  private let limit: Int
  private var buffer = ByteBuffer(capacity: Self.block)
  /// Where the line at hand begins in the buffer.
  private var start = 0
  /// Before this position the line does not end.
  private var scanned = 0
  private var isSkipping = false
  private var hasEnded = false
  /// How many bytes were read; they are not counted any further once one of them is no zero.
  private var zeros: Int? = 0
  /// How many bytes of a line that is too long were skipped.
  private var skipped = 0

  private static let block = 1 << 16

  /// Makes a reader; the descriptor stays the caller's.
  ///
  /// - Parameters:
  ///   - delimiter: the byte that ends a line; the last line may go without.
  ///   - limit: how many bytes a line may have.
  package init(descriptor: Int32, delimiter: UInt8 = UInt8(ascii: "\n"), limit: Int = 1 << 30) {
    self.descriptor = descriptor
    self.delimiter = delimiter
    self.limit = limit
  }

  /// Reads a line.
  ///
  /// - Parameter waits: whether to wait for a line; without it `nothingYet` means that none is available yet, and a long
  ///   line is read block by block, so that the caller may stop in between.
  /// - Throws: `ArchiveError` with code `inputOutput`; `limit` or `unrecognized` for a stream without an end.
  package mutating func next(waits: Bool = true) throws(ArchiveError) -> Line {
    var hasFilled = false
    while true {
      if let line = nextLine() { return line }
      if hasEnded { return lastLine() }
      if !waits, hasFilled || !DescriptorPoll.wait(for: [descriptor], milliseconds: 0) {
        return .nothingYet
      }
      try fill()
      hasFilled = true
    }
  }

  private mutating func nextLine() -> Line? {
    let bytes = buffer.bytes
    guard scanned < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + scanned, Int32(delimiter), bytes.count - scanned)
    else {
      scanned = bytes.count
      if isSkipping || scanned - start > limit { skip() }
      return nil
    }
    let end = UnsafeRawPointer(found) - base
    defer { (start, scanned) = (end + 1, end + 1) }
    return give(end)
  }

  private mutating func lastLine() -> Line {
    guard isSkipping || start < buffer.count else { return .end }
    let line = give(buffer.count)
    start = buffer.count
    return line
  }

  private mutating func give(_ end: Int) -> Line {
    number += 1
    if isSkipping || end - start > limit {
      isSkipping = false
      return .tooLong
    }
    let bytes = buffer.bytes.part(start..<end)
    return .line(ByteStorage(copying: bytes))
  }

  /// Discards the rest of a line that is too long.
  private mutating func skip() {
    isSkipping = true
    buffer = ByteBuffer(capacity: Self.block)
    (start, scanned) = (0, 0)
  }

  /// Ends a stream that has only zeros, or a line without an end.
  private mutating func checkEnd(_ more: ByteView) throws(ArchiveError) {
    if isSkipping { skipped += more.count } else { skipped = 0 }
    if skipped > ByteStorage.longestStream {
      throw ArchiveError(
        .limit, "line \(number + 1) has no end within \(ByteStorage.longestStream >> 20) MiB")
    }
    guard let known = zeros else { return }
    zeros = more.allSatisfy { $0 == 0 } ? known + more.count : nil
    guard known + more.count >= ByteStorage.endlessStart, zeros != nil else { return }
    zeros = nil
    if let problem = ByteStorage.endless(descriptor, more, .max) { throw problem }
  }

  private mutating func fill() throws(ArchiveError) {
    if start > 0 {
      // Returned lines are discarded, and so is a buffer that a long line made large.
      let rest = buffer.bytes.part(from: start)
      var fresh = ByteBuffer(capacity: rest.count + Self.block)
      fresh.append(rest)
      buffer = fresh
      scanned -= start
      start = 0
    }
    let size = max(Self.block, min(buffer.count, 1 << 24))
    let room = buffer.reserve(size)
    let count = retryingInterrupts { read(descriptor, room, size) }
    try checkSystem(count >= 0, .inputOutput, "cannot read")
    if count == 0 { hasEnded = true }
    buffer.filled(count)
    try checkEnd(ByteView(start: room, count: max(count, 0)))
  }
}
