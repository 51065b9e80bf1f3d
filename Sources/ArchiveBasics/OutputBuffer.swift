// Output in one buffer: to a descriptor in large writes, or kept in memory.

/// Buffered output.
///
/// Problems are remembered and reported by `finish`, so that writing stays cheap.
public struct OutputBuffer: ~Copyable {
  @inlinable static var flushSize: Int { 128 * 1024 }
  /// Of output that is at least so long, the rest is written by a thread of its own.
  private static var backgroundThreshold: Int { 8 << 20 }

  /// The bytes that are not written yet.
  ///
  /// Append here, then call `flushIfFull` now and then.
  public var bytes: ByteBuffer
  /// The descriptor that it is written to; nil if it is collected in memory.
  package let descriptor: Int32?
  private let limit: Int
  /// The mark that may not be passed.
  private var bound: Int
  private var written = 0
  private var allowed: Int
  /// Is given the bytes before they are written to the descriptor; nil if nobody asks.
  package var willWrite: ((ByteView) -> Void)?
  /// Colors what is written to the descriptor; nil if it is written as it is.
  package var painter: JSONPainter?
  /// Is given bytes that are kept in memory whenever there are many, and takes some, or says why there must be no more.
  package var relay: ((inout ByteBuffer) -> ArchiveError?)?
  /// Writes large output; nil until so much was written, or if there is no thread for it.
  private var background: BackgroundWriter?
  private var hasAskedForBackground = false
  private var problem: ArchiveError? { didSet { hasProblem = problem != nil } }

  /// Makes a buffer.
  ///
  /// - Parameters:
  ///   - descriptor: where the bytes go; nil to keep them in `bytes`.
  ///   - limit: how many bytes may be written in all.
  package init(descriptor: Int32?, limit: Int = .max) {
    self.descriptor = descriptor
    self.limit = limit
    bound = limit
    allowed = limit
    // Most buffers in memory are small: the line of a record, one of its members. Output is that of a small file:
    // more would be memory that the system has to map.
    bytes = ByteBuffer(capacity: descriptor == nil ? 4096 : Self.flushSize / 4)
  }

  /// Whether writing failed or reached its limit: later output is lost.
  ///
  /// Checked for each value that is shown, so it must cost nothing.
  package private(set) var hasProblem = false

  /// Writes the bytes if there are many; those of large output are written meanwhile, and may fail later.
  @inlinable @inline(__always)
  public mutating func flushIfFull() {
    if bytes.count >= Self.flushSize { flushFull() }
  }

  /// Writes a full buffer, or hands it to the thread that writes: only `flush` and `finish` wait for that.
  @usableFromInline
  mutating func flushFull() {
    guard let descriptor, written >= Self.backgroundThreshold else { return flush() }
    if !hasAskedForBackground {
      hasAskedForBackground = true
      background = BackgroundWriter(descriptor)
    }
    guard let background else { return flush() }
    countWritten()
    paint()
    if !hasProblem, let failure = background.write(&bytes) { problem = failure }
    bytes.truncate(to: 0)
  }

  /// Counts the bytes of the buffer as written.
  private mutating func countWritten() {
    if let willWrite, bytes.count > 0 { willWrite(bytes.bytes) }
    written += bytes.count
    if written >= Self.backgroundThreshold { InputProgress.report(written: written) }
    if written > bound { overflow() }
  }

  /// Colors the bytes of the buffer; limits count them without colors.
  private mutating func paint() {
    if painter == nil || bytes.count == 0 { return }
    var painted = ByteBuffer(capacity: 2 * bytes.count)
    painter?.paint(bytes.bytes, to: &painted)
    bytes = painted
  }

  /// The current position of the output; `rollBack(to:)` returns to it.
  package var mark: Int { written + bytes.count }

  /// Removes what was appended since a mark, unless it has been written.
  package mutating func rollBack(to mark: Int) { bytes.truncate(to: max(mark - written, 0)) }

  /// Writes out all bytes.
  package mutating func flush() {
    guard let descriptor else {
      if bytes.count > bound { overflow() }
      if let failure = relay?(&bytes) { problem = failure }
      return
    }
    countWritten()
    paint()
    if !hasProblem, let failure = background?.wait() ?? Self.writeAll(bytes.bytes, descriptor) {
      problem = failure
    }
    bytes.truncate(to: 0)
  }

  /// Writes bytes after those in the buffer, without copying them into it.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput`.
  mutating func write(_ more: ByteView) throws(ArchiveError) {
    guard let descriptor else { return bytes.append(more) }
    flush()
    if let problem { throw problem }
    if let problem = Self.writeAll(more, descriptor) { throw problem }
  }

  /// Writes bytes after those in the buffer, and leaves them empty.
  package mutating func drain(_ more: inout ByteBuffer) {
    if descriptor == nil {
      bytes.append(more)
      more.truncate(to: 0)
      return flush()
    }
    if bytes.count > 0 { flushFull() }
    swap(&bytes, &more)
    flushFull()
  }

  static func writeAll(_ bytes: ByteView, _ descriptor: Int32) -> ArchiveError? {
    var start = 0
    while start < bytes.count {
      let rest = bytes.part(from: start)
      let count = retryingInterrupts { systemWrite(descriptor, rest) }
      if count <= 0 { return ArchiveError(.inputOutput, "cannot write: \(systemMessage())") }
      start += count
    }
    return nil
  }

  /// Bounds the output of what comes now, an input whose values may be shared.
  package mutating func allow(_ count: Int) {
    let (end, overflow) = mark.addingReportingOverflow(count)
    bound = overflow ? limit : min(limit, end)
    allowed = count
  }

  /// Ends the bound of an input.
  ///
  /// - Returns: the error if the limit was reached; then others may be written.
  package mutating func endBound() -> ArchiveError? {
    flushIfFull()
    let isBounded = bound < limit
    (bound, allowed) = (limit, limit)
    guard isBounded, let problem, problem.code == .limit else { return nil }
    self.problem = nil
    return problem
  }

  private mutating func overflow() {
    if problem == nil {
      problem = ArchiveError(
        .limit, "the output would exceed \(allowed) bytes; shared values may be multiplying")
    }
  }

  /// Writes the rest.
  ///
  /// - Throws: `ArchiveError` if any write failed or the limit was reached.
  package mutating func finish() throws(ArchiveError) {
    flush()
    if let problem { throw problem }
  }

  /// Hands over the bytes that were kept in memory.
  package consuming func intoBytes() -> ByteBuffer { bytes }
}

private func systemWrite(_ descriptor: Int32, _ bytes: ByteView) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
