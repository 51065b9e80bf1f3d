// The bytes of an input, kept alive as long as a graph looks into them.

/// Read-only bytes with one owner, freed when the last reference goes.
public final class ByteStorage: @unchecked Sendable {
  /// The bytes.
  ///
  /// Valid as long as the storage is.
  public let bytes: ByteView
  /// What the file allows that they were read from; nil if that was not asked for.
  package private(set) var permissions: FilePermissions?
  private let release: (UnsafeRawBufferPointer) -> Void
  /// Where the bytes can be had again; nil if nowhere.
  private let source: RereadableFile?
  /// How many bytes from the first on are given back.
  private var givenBack = 0

  /// Takes over bytes that `release` frees.
  package convenience init(
    owning bytes: UnsafeRawBufferPointer, release: @escaping (UnsafeRawBufferPointer) -> Void
  ) {
    self.init(bytes, from: nil, release: release)
  }

  private init(
    _ bytes: UnsafeRawBufferPointer, from source: RereadableFile?,
    release: @escaping (UnsafeRawBufferPointer) -> Void
  ) {
    self.bytes = ByteView(bytes)
    self.source = source
    self.release = release
  }

  /// Copies an array of bytes.
  package convenience init(copying array: [UInt8]) {
    let copy = array.withByteView(Self.copy)
    self.init(owning: copy) { $0.deallocate() }
  }

  /// Copies bytes.
  package convenience init(copying bytes: ByteView) {
    self.init(owning: Self.copy(bytes)) { $0.deallocate() }
  }

  private static func copy(_ bytes: ByteView) -> UnsafeRawBufferPointer {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
    copy.copyMemory(from: bytes.unchecked)
    return UnsafeRawBufferPointer(rebasing: copy[..<bytes.count])
  }

  deinit { release(bytes.unchecked) }

  /// Opens a file and reads it whole.
  ///
  /// Files are never mapped: another process may change or truncate a mapped file while it is read, so that earlier
  /// checks would no longer hold.
  ///
  /// - Parameters:
  ///   - path: the file; `-` is not special here.
  ///   - sources: what the file's permissions are added to.
  /// - Throws: `ArchiveError` with code `cannotOpen`, `inputOutput` or `limit`.
  package static func open(
    path: String, addingTo sources: SourcePermissions? = nil
  ) throws(ArchiveError) -> ByteStorage {
    // A pipe is waited for below, where a signal ends the wait.
    let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
      .orSystemError(.cannotOpen, "cannot open the file")
    defer { withExtendedLifetime(file) {} }
    let status = try status(of: file.descriptor)
    let isLarge = status.isFile && status.st_size >= rereadThreshold
    let storage = try open(
      descriptor: file.descriptor, status, source: isLarge ? RereadableFile(file, status) : nil)
    storage.permissions = sources?.add(FilePermissions(of: file.descriptor, status))
    return storage
  }

  private static func status(of descriptor: Int32) throws(ArchiveError) -> stat {
    try FileStatus(of: descriptor).orSystemError(.cannotOpen, "cannot inspect the file")
  }

  /// Reads the file of a descriptor, as `open(path:)` does; the descriptor stays open.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen`, `inputOutput` or `limit`.
  package static func open(descriptor: Int32) throws(ArchiveError) -> ByteStorage {
    try open(descriptor: descriptor, status(of: descriptor), source: nil)
  }

  private static func open(
    descriptor: Int32, _ status: stat, source: RereadableFile?
  ) throws(ArchiveError) -> ByteStorage {
    if status.isFolder {
      throw ArchiveError(.cannotOpen, "is a directory; name a file in it")
    }
    // A pipe that nobody has opened to write it would seem to be empty.
    if status.isPipe { try DescriptorPoll.waitForInput(descriptor) }
    let size = Int(status.st_size)
    guard status.isFile else {
      return try read(descriptor: descriptor, expecting: size, source: source)
    }
    let storage = try read(
      descriptor: descriptor, expecting: size, endsThere: size > 0, source: source)
    guard try self.status(of: descriptor).isUnchanged(since: status) else {
      throw RereadableFile.changed
    }
    return storage
  }

  /// Reads a descriptor to its end, for pipes and small files.
  ///
  /// - Parameters:
  ///   - expecting: the size to reserve at first; the input may be longer or shorter.
  ///   - limit: the most bytes of a pipe or a device, which have no sizes.
  /// - Throws: `ArchiveError` with code `inputOutput`; `limit` or `unrecognized` for an input without an end.
  package static func read(
    descriptor: Int32, expecting: Int = 0, limit: Int = longestStream
  ) throws(ArchiveError) -> ByteStorage {
    try read(descriptor: descriptor, expecting: expecting, limit: limit, source: nil)
  }

  /// - Parameter endsThere: whether the caller looks afterwards whether the input has the expected size, so that nothing
  ///   needs to be read to find its end.
  private static func read(
    descriptor: Int32, expecting: Int, endsThere: Bool = false, limit: Int = longestStream,
    source: RereadableFile?
  ) throws(ArchiveError) -> ByteStorage {
    var buffer = try reserve(min(max(expecting, 0), 1 << 62) + 1)
    var isWhole = false
    defer { if !isWhole { release(buffer) } }
    var filled = 0
    var endlessCheck = endlessStart
    while true {
      if filled == buffer.count {
        let larger = try reserve(buffer.count * 2)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
        release(buffer)
        buffer = larger
      }
      let count = retryingInterrupts {
        readBytes(descriptor, into: buffer, from: filled)
      }
      if count < 0, errno == EAGAIN {
        try DescriptorPoll.waitForInput(descriptor)
        continue
      }
      try checkSystem(count >= 0, .inputOutput, "cannot read")
      if count == 0 { break }
      filled += count
      // A small file is read before anyone could look.
      if filled >= (endsThere ? pageThreshold : 1 << 16) {
        InputProgress.report(.read, filled, of: endsThere ? expecting : nil)
      }
      if endsThere, filled == expecting { break }
      if filled >= endlessCheck {
        endlessCheck = limit
        let start = ByteView(start: buffer.baseAddress, count: filled)
        if let problem = endless(descriptor, start, limit) { throw problem }
      }
    }
    isWhole = true
    let owned = buffer
    return ByteStorage(UnsafeRawBufferPointer(rebasing: owned[..<filled]), from: source) { _ in
      release(owned)
    }
  }

  /// How many bytes at the beginning of a stream show that it will have nothing but zeros.
  static let endlessStart = 1 << 20
  /// The most bytes that are read from a pipe or a device.
  package static let longestStream = 1 << 30

  /// Why a stream is not read further; nil for a regular file, and for what may still be an archive.
  static func endless(_ descriptor: Int32, _ start: ByteView, _ limit: Int) -> ArchiveError? {
    guard FileStatus(of: descriptor)?.isFile == false else { return nil }
    if start.count >= limit {
      return ArchiveError(
        .limit,
        "has more than \(limit >> 20) MiB, the most that is read from a pipe or a device; write it to a file"
      )
    }
    guard start.allSatisfy({ $0 == 0 }) else { return nil }
    return ArchiveError(
      .unrecognized,
      "begins with \(endlessStart >> 20) MiB of zeros, and nothing that is read does",
      offset: 0)
  }

  // MARK: Bytes given back

  /// Files of at least this many bytes can be read again.
  private static let rereadThreshold = 8 << 20
  /// Bytes are given back in steps of this many, at multiples of it: few steps, and whole pages of any system.
  private static let releaseStep = 2 << 20

  /// Gives the memory of bytes before a position back to the system, if they can be had again.
  ///
  /// Nobody may look at them before `restore`: they are not readable meanwhile. Only for the one thread that uses
  /// the storage.
  package func discardPages(before position: Int) {
    guard source != nil, position &- givenBack >= Self.releaseStep, position <= bytes.count,
      let base = bytes.baseAddress
    else { return }
    let start = UnsafeRawPointer(base)
    let limit = Int(bitPattern: start + position) & ~(Self.releaseStep - 1)
    let end = limit - Int(bitPattern: start)
    guard end > givenBack else { return }
    // The pages before were read with the whole file, and belong to no one else.
    let pages = UnsafeMutableRawPointer(mutating: start + givenBack)
    let flags = MAP_PRIVATE | MAP_ANON | MAP_FIXED
    guard mmap(pages, end - givenBack, PROT_NONE, flags, -1, 0) != MAP_FAILED else { return }
    givenBack = end
  }

  /// Makes all bytes readable again.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput` if the file changed since it was read, or cannot be read.
  package func restore() throws(ArchiveError) {
    guard givenBack > 0, let source, let base = bytes.baseAddress else { return }
    let pages = UnsafeMutableRawPointer(mutating: base)
    let flags = MAP_PRIVATE | MAP_ANON | MAP_FIXED
    try checkSystem(
      mmap(pages, givenBack, PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED, .limit,
      "the input of \(bytes.count) bytes does not fit into memory")
    try source.read(into: UnsafeMutableRawBufferPointer(start: pages, count: givenBack))
    givenBack = 0
  }

  /// Buffers of at least this many bytes are pages of their own, which the system may refuse to give.
  ///
  /// They are small pages, as `PageSize.small` explains.
  private static let pageThreshold = 1 << 20

  private static func reserve(_ count: Int) throws(ArchiveError) -> UnsafeMutableRawBufferPointer {
    guard count >= pageThreshold else {
      return .allocate(byteCount: max(count, 4096), alignment: 16)
    }
    let address = try pages(count).orSystemError(
      .limit, "the input of \(count - 1) bytes does not fit into memory")
    return UnsafeMutableRawBufferPointer(start: address, count: count)
  }

  private static func pages(_ count: Int) -> UnsafeMutableRawPointer? {
    let access = PROT_READ | PROT_WRITE
    let address = mmap(nil, count, access, MAP_PRIVATE | MAP_ANON, -1, 0)
    return address == MAP_FAILED ? nil : address
  }

  private static func release(_ buffer: UnsafeMutableRawBufferPointer) {
    if buffer.count >= pageThreshold, let address = buffer.baseAddress {
      _ = munmap(address, buffer.count)
    } else {
      buffer.deallocate()
    }
  }

  private static func readBytes(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, from filled: Int
  ) -> Int {
    guard let base = buffer.baseAddress else { return 0 }
    let rest = buffer.count - filled
    guard buffer.count >= pageThreshold else { return systemRead(descriptor, base + filled, rest) }
    let count = min(rest, PagePrefaulter.fillStep)
    PagePrefaulter.get(base + filled, count)
    return systemRead(descriptor, base + filled, count)
  }
}

private func systemRead(_ descriptor: Int32, _ base: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, base, count)
}

/// Repeats a system call that a signal interrupted.
@inlinable
public func retryingInterrupts<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

/// The text of the thread's last system error, as from `strerror_r`.
package func systemMessage() -> String {
  let number = errno
  return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    guard let base = buffer.baseAddress else { return "error \(number)" }
    base.initialize(repeating: 0, count: buffer.count)
    return text(of: strerror_r(number, base, buffer.count), in: base)
  }
}

/// Throws what the system says, after a purpose such as `cannot open the file`, if its last call has failed.
package func checkSystem(
  _ hasSucceeded: Bool, _ code: ArchiveError.Code, _ purpose: @autoclosure () -> String,
  file: String? = nil
) throws(ArchiveError) {
  if !hasSucceeded { throw ArchiveError(code, "\(purpose()): \(systemMessage())", file: file) }
}

extension Optional {
  /// The value; where the last call of the system gave none, `checkSystem` throws.
  package func orSystemError(
    _ code: ArchiveError.Code, _ purpose: @autoclosure () -> String, file: String? = nil
  ) throws(ArchiveError) -> Wrapped {
    guard let self else {
      throw ArchiveError(code, "\(purpose()): \(systemMessage())", file: file)
    }
    return self
  }
}

/// POSIX gives a number, and the text in the buffer.
private func text(of result: Int32, in buffer: UnsafeMutablePointer<CChar>) -> String {
  String(cString: buffer)
}

/// GNU gives the text, which may be elsewhere.
private func text(
  of result: UnsafeMutablePointer<CChar>?, in buffer: UnsafeMutablePointer<CChar>
) -> String {
  String(cString: result ?? buffer)
}

// MARK: - A file that was read, and can be read again as long as it does not change

/// An open file whose first bytes are in memory.
private final class RereadableFile: @unchecked Sendable {
  private let file: OpenFile
  /// The file when it was opened.
  private let status: stat

  init(_ file: OpenFile, _ status: stat) { (self.file, self.status) = (file, status) }

  /// The error of a file that is not what it was.
  static var changed: ArchiveError {
    ArchiveError(.inputOutput, "the file changed while it was read; run the command again")
  }

  /// Reads the first bytes again.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput`.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) {
    guard let base = buffer.baseAddress else { return }
    var filled = 0
    while filled < buffer.count {
      let count = retryingInterrupts {
        pread(file.descriptor, base + filled, buffer.count - filled, off_t(filled))
      }
      try checkSystem(count >= 0, .inputOutput, "cannot read")
      if count == 0 { throw Self.changed }
      filled += count
    }
    guard FileStatus(of: file.descriptor)?.isUnchanged(since: status) == true else {
      throw Self.changed
    }
  }
}
