// Where the password of an encrypted backup comes from: the first line of a file, or a person at a terminal.

import ArchiveBasics
import Synchronization
import SystemCryptography

/// Gives passwords; each backup's keys are opened once in a run.
package struct PasswordSource: Hashable, Sendable {
  /// The file; nil if a person is asked.
  private let file: String?
  private let input: Int32
  private let error: Int32

  /// Names a source.
  ///
  /// - Parameters:
  ///   - file: the path of a file whose first line is the password; nil to ask.
  ///   - streams: the terminal at which a person is asked.
  package init(file: String? = nil, _ streams: StandardStreams = StandardStreams()) {
    (self.file, input, error) = (file, streams.input, streams.error)
  }

  private init(input: Int32, error: Int32) { (file, self.input, self.error) = (nil, input, error) }

  /// No source: encrypted backups stay closed.
  package static let none = PasswordSource(input: -1, error: -1)

  private static let longest = 1024

  // MARK: Keys

  /// A backup with a source of its password.
  private struct Origin: Hashable {
    let folder: String
    let source: PasswordSource
  }

  /// What was opened so far, or why it could not be.
  private static let known = Mutex<[Origin: Result<ClassKeys, ArchiveError>]>([:])
  /// The passwords of files, which may be pipes.
  private static let passwords = Mutex<[String: SecretBytes]>([:])

  /// The keys of a backup.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen` if there is no password, or a wrong one.
  func keys(
    of bag: KeyBag, in folder: String, _ cryptography: BackupCryptography
  ) throws(ArchiveError) -> ClassKeys {
    let origin = Origin(folder: FolderListing.resolved(folder) ?? folder, source: self)
    // Locked while a person is asked and keys are derived: others wait for what comes of it.
    let result = Self.known.withLock { known in
      if let result = known[origin] { return result }
      let result: Result<ClassKeys, ArchiveError>
      do throws(ArchiveError) {
        result = .success(try bag.unlocked(by: password(of: folder), cryptography))
      } catch {
        result = .failure(error)
      }
      known[origin] = result
      return result
    }
    return try result.get()
  }

  private func password(of folder: String) throws(ArchiveError) -> SecretBytes {
    if let file {
      if let password = Self.passwords.withLock({ $0[file] }) { return password }
      let password = try Self.firstLine(of: file)
      Self.passwords.withLock { $0[file] = password }
      return password
    }
    guard isatty(input) == 1, isatty(error) == 1 else {
      throw ArchiveError(
        .cannotOpen,
        "is an encrypted backup, whose files cannot be read without its password (--password-file FILE)"
      )
    }
    let question = "Password of the backup \(folder.shownPath): ".escapedLine
    return try HiddenLine(input: input, error: error).ask(question, limit: Self.longest)
  }

  private static func firstLine(of path: String) throws(ArchiveError) -> SecretBytes {
    let file = try OpenFile(path).orSystemError(
      .cannotOpen, "cannot open the password file \(path)")
    var line = SecretLine(limit: longest)
    while try line.read(file.descriptor) {}
    return line.secret
  }
}

/// A line that is read byte by byte into memory that is wiped.
struct SecretLine: ~Copyable {
  private let buffer: UnsafeMutableRawBufferPointer
  private var count = 0
  /// Whether its end was read.
  private(set) var isComplete = false

  init(limit: Int) { buffer = .allocate(byteCount: limit + 1, alignment: 16) }

  deinit {
    SecretBytes.wipe(buffer)
    buffer.deallocate()
  }

  /// Reads a byte; false at the end of the line, and of the input.
  ///
  /// - Throws: `ArchiveError` if the input cannot be read, or the line is too long.
  mutating func read(_ descriptor: Int32) throws(ArchiveError) -> Bool {
    guard count < buffer.count, let start = buffer.baseAddress else {
      throw ArchiveError(.limit, "the password has more than \(buffer.count - 1) bytes")
    }
    let result = retryingInterrupts { readByte(descriptor, start + count) }
    try checkSystem(result >= 0, .inputOutput, "cannot read the password")
    isComplete = result == 1 && buffer[count] == UInt8(ascii: "\n")
    if result == 0 || isComplete { return false }
    count += 1
    return true
  }

  var secret: SecretBytes {
    let bytes = ByteView(buffer).part(0..<count)
    return SecretBytes(copying: bytes.part(0..<count - (bytes.last == 0x0D ? 1 : 0)))
  }
}

// The function has the name of the method above.
private func readByte(_ descriptor: Int32, _ byte: UnsafeMutableRawPointer) -> Int {
  read(descriptor, byte, 1)
}
