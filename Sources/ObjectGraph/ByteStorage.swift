// The bytes of an input, mapped or read, kept alive as long as a graph looks into them.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Read-only bytes with one owner, freed or unmapped when the last reference goes.
public final class ByteStorage: @unchecked Sendable {
  /// The bytes.
  ///
  /// Valid as long as the storage is.
  public let bytes: UnsafeRawBufferPointer
  private let release: (UnsafeRawBufferPointer) -> Void

  /// Takes over bytes that `release` frees.
  public init(
    taking bytes: UnsafeRawBufferPointer, release: @escaping (UnsafeRawBufferPointer) -> Void
  ) {
    self.bytes = bytes
    self.release = release
  }

  /// Copies an array of bytes.
  public convenience init(copying array: [UInt8]) {
    let copy = array.withUnsafeBytes(Self.copy)
    self.init(taking: copy) { $0.deallocate() }
  }

  /// Copies bytes.
  public convenience init(copying bytes: UnsafeRawBufferPointer) {
    self.init(taking: Self.copy(bytes)) { $0.deallocate() }
  }

  private static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
    copy.copyMemory(from: bytes)
    return UnsafeRawBufferPointer(rebasing: copy[..<bytes.count])
  }

  deinit { release(bytes) }

  /// Files of at least this many bytes are mapped; smaller ones are cheaper to read.
  static let mappingThreshold = 1 << 20

  /// Opens a file: maps it when it is big and regular, reads it otherwise.
  ///
  /// - Parameter path: the file; `-` is not special here.
  /// - Throws: `ArchiveError` with code `cannotOpen` or `inputOutput`.
  public static func open(path: String) throws(ArchiveError) -> ByteStorage {
    let descriptor = retryingInterrupts { openReadOnly(path) }
    guard descriptor >= 0 else {
      throw ArchiveError(.cannotOpen, "cannot open the file: \(systemMessage())")
    }
    defer { _ = close(descriptor) }
    return try open(descriptor: descriptor)
  }

  /// Maps or reads the file of a descriptor, as `open(path:)` does; the descriptor stays open.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen` or `inputOutput`.
  public static func open(descriptor: Int32) throws(ArchiveError) -> ByteStorage {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw ArchiveError(.cannotOpen, "cannot inspect the file: \(systemMessage())")
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      throw ArchiveError(.cannotOpen, "is a directory (use -r to read the files in it)")
    }
    let size = Int(status.st_size)
    if status.st_mode & S_IFMT == S_IFREG, size >= mappingThreshold {
      return try map(descriptor, size: size)
    }
    return try read(descriptor: descriptor, expecting: size)
  }

  private static func map(_ descriptor: Int32, size: Int) throws(ArchiveError) -> ByteStorage {
    guard let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0),
      address != MAP_FAILED
    else {
      throw ArchiveError(.inputOutput, "cannot map the file: \(systemMessage())")
    }
    _ = madvise(address, size, MADV_SEQUENTIAL)
    return ByteStorage(taking: UnsafeRawBufferPointer(start: address, count: size)) { bytes in
      _ = munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    }
  }

  /// Reads a descriptor to its end, for pipes and small files.
  ///
  /// - Parameter expecting: the size to reserve at first; the input may be longer or shorter.
  /// - Throws: `ArchiveError` with code `inputOutput`.
  public static func read(
    descriptor: Int32, expecting: Int = 0
  ) throws(ArchiveError) -> ByteStorage {
    var capacity = max(expecting + 1, 4096)
    var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
    var filled = 0
    while true {
      if filled == capacity {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity * 2, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
        buffer.deallocate()
        buffer = larger
        capacity *= 2
      }
      let count = retryingInterrupts {
        readBytes(descriptor, into: buffer, from: filled)
      }
      if count < 0 {
        let message = systemMessage()
        buffer.deallocate()
        throw ArchiveError(.inputOutput, "cannot read: \(message)")
      }
      if count == 0 { break }
      filled += count
    }
    let owned = buffer
    return ByteStorage(taking: UnsafeRawBufferPointer(rebasing: owned[..<filled])) { _ in
      owned.deallocate()
    }
  }

  private static func readBytes(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, from filled: Int
  ) -> Int {
    guard let base = buffer.baseAddress else { return 0 }
    return systemRead(descriptor, base + filled, buffer.count - filled)
  }
}

private func openReadOnly(_ path: String) -> Int32 {
  open(path, O_RDONLY | O_CLOEXEC)
}

private func systemRead(_ descriptor: Int32, _ base: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, base, count)
}

/// Repeats a system call that a signal interrupted.
public func retryingInterrupts<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

/// The text of the thread's last system error, as `strerror_r` spells it.
public func systemMessage() -> String {
  let number = errno
  return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    guard let base = buffer.baseAddress else { return "error \(number)" }
    base.initialize(repeating: 0, count: buffer.count)
    return text(of: strerror_r(number, base, buffer.count), in: base)
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
