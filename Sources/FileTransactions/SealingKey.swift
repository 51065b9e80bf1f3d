// The secret with which a user's journals and plans are sealed, so that nobody else can write one.

import ArchiveBasics
import SystemCryptography

/// A user's key: 32 random bytes in a file that only the user can read.
package struct SealingKey: Sendable {
  /// 16 hexadecimal digits that identify a key without revealing its bytes.
  package let name: String
  private let bytes: [UInt8]
  private let library: LibCrypto

  private static let size = 32
  private static let fileName = "key"

  private init(_ bytes: [UInt8]) throws(ArchiveError) {
    self.bytes = bytes
    library = try LibCrypto.load()
    let digest = Array("archtool".utf8).withByteView { [library] text in
      ContentHash(of: text, key: bytes, by: library)
    }
    name = String(digest.description.prefix(16))
  }

  /// The HMAC-SHA-256 of bytes under the key.
  func code(of text: [UInt8]) -> ContentHash {
    text.withByteView { ContentHash(of: $0, key: bytes, by: library) }
  }

  // MARK: The file

  /// The user's key, which is created if it does not exist.
  ///
  /// - Parameter folder: archtool's folder among the user's state, which is made as well.
  /// - Throws: `ArchiveError`: `cannotCreate` or `inputOutput` if the key cannot be made, `cannotOpen` if it is not
  ///   the user's alone.
  package static func made(in folder: String) throws(ArchiveError) -> SealingKey {
    if let key = try found(in: folder) { return key }
    try checkOwner(above: folder)
    try AtomicFile.makeFolder(folder)
    var random = SystemRandomNumberGenerator()
    let secret = ByteStorage(
      copying: (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) })
    do throws(ArchiveError) {
      try AtomicFile.write(
        secret.bytes, to: "\(folder)/\(fileName)", existing: .refuse, allowing: .owner)
    } catch {
      // Another run may have created it meanwhile; that key is read below.
      guard access("\(folder)/\(fileName)".asPath, F_OK) == 0 else { throw error }
    }
    guard let key = try found(in: folder) else {
      throw ArchiveError(.cannotCreate, "the key \(folder)/\(fileName) is gone again")
    }
    return key
  }

  /// The user's key; nil if it does not exist.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen` or `inputOutput` if it is not the user's alone, or damaged.
  package static func found(in folder: String) throws(ArchiveError) -> SealingKey? {
    let path = "\(folder)/\(fileName)"
    guard let file = OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw ArchiveError(.cannotOpen, "cannot open the key \(path): \(systemMessage())")
    }
    let status = try FileStatus(of: file.descriptor).orSystemError(
      .inputOutput, "cannot inspect the key \(path)")
    guard status.isFile else {
      let kind = status.isFolder ? "a folder" : "not a regular file"
      throw ArchiveError(
        .cannotOpen,
        "the key \(path) is \(kind); remove it, or set XDG_STATE_HOME to another folder")
    }
    guard status.st_uid == geteuid() else {
      throw ArchiveError(
        .cannotOpen,
        "the key \(path) belongs to user \(status.st_uid), not to you; set HOME or XDG_STATE_HOME to folders of your own"
      )
    }
    guard status.st_mode & 0o077 == 0 else {
      throw ArchiveError(
        .cannotOpen,
        "other users may read or write the key \(path); delete it, and check journals and plans before you use --trust"
      )
    }
    let storage = try file.contents()
    guard storage.bytes.count == size else {
      throw ArchiveError(
        .cannotOpen,
        "the key \(path) is damaged: it has \(storage.bytes.count) bytes, not \(size); delete it, and use --trust for journals and plans that it sealed"
      )
    }
    return try SealingKey(Array(storage.bytes))
  }

  /// Refuses to make a key of root's in a folder of somebody else's, as sudo(8) does that keeps HOME.
  private static func checkOwner(above folder: String) throws(ArchiveError) {
    guard geteuid() == 0 else { return }
    var path = folder
    var status = FileStatus(of: path)
    while status == nil, path.utf8.count > 1 {
      path = AtomicFile.folder(of: path)
      status = FileStatus(of: path)
    }
    guard let status, status.st_uid != 0 else { return }
    throw ArchiveError(
      .cannotCreate,
      "\(path) belongs to user \(status.st_uid), and root keeps no key there; use sudo -H, or set XDG_STATE_HOME to a folder of root's"
    )
  }
}

// MARK: - Lines with seals: each has the HMAC of itself and of the seal before it, as in archtool-journal(5)

/// Seals lines of JSON one after another, or checks that they were.
package struct SealChain: Sendable {
  /// The key.
  package let key: SealingKey
  /// The digits of the latest seal; empty before the first line.
  private var latest: [UInt8] = []

  private static let opening = Array(#","seal":""#.utf8)
  private static let closing = Array("\"}\n".utf8)
  private static let digits = 64

  /// Begins a chain.
  package init(_ key: SealingKey) { self.key = key }

  /// Seals a line.
  ///
  /// - Parameter line: a JSON object with members, and a newline.
  /// - Returns: the line with its seal as the last member.
  package mutating func seal(_ line: some Collection<UInt8>) -> [UInt8] {
    // Without the brace and the newline.
    let content = line.dropLast(2)
    let seal = key.code(of: latest + content).digits
    latest = seal
    return content + Self.opening + seal + Self.closing
  }

  /// A line with the seal that it would have as the next one; the chain stays where it is.
  package func sealed(_ line: String) -> String {
    var copy = self
    return String(decoding: copy.seal(line.utf8), as: UTF8.self)
  }

  /// Whether a line has the seal that it must have as the next one; if not, the chain stays where it is.
  mutating func accepts(_ line: ArraySlice<UInt8>) -> Bool {
    guard let (content, seal) = Self.split(line),
      key.code(of: latest + content).digits.elementsEqual(seal)
    else { return false }
    latest = Array(seal)
    return true
  }

  /// A line before it was sealed, without its end, and its seal; nil without a seal.
  private static func split(
    _ line: ArraySlice<UInt8>
  ) -> (content: ArraySlice<UInt8>, seal: ArraySlice<UInt8>)? {
    let rest = line.dropLast(closing.count)
    let content = rest.dropLast(digits + opening.count)
    guard line.suffix(closing.count).elementsEqual(closing),
      rest.dropLast(digits).suffix(opening.count).elementsEqual(opening)
    else { return nil }
    return (content, rest.suffix(digits))
  }
}

// MARK: - Whether a journal or a plan is as archtool wrote it, for the user who runs it now

/// What seals are checked with.
package struct SealCheck: Sendable {
  package let key: SealingKey?
  /// Whether what cannot be verified is used nevertheless.
  package let isWaived: Bool

  /// Makes a check.
  ///
  /// - Parameters:
  ///   - key: the user's key, or nil.
  ///   - isWaived: whether what cannot be verified is used nevertheless, because a person vouches for it.
  package init(key: SealingKey?, isWaived: Bool = false) {
    self.key = key
    self.isWaived = isWaived
  }
}

/// The result for the lines that were checked.
package enum SealState: Hashable, Sendable {
  /// Every line is as it was written.
  case intact
  /// The lines have no seals.
  case missing
  /// They are of a key that this user does not have.
  case foreign
  /// The line of this number, or one before it, is not as it was written.
  case broken(line: Int)

  /// The state in a few words, for reports.
  package var words: String {
    switch self {
    case .intact: "intact"
    case .missing: "missing"
    case .foreign: "of another key"
    case .broken(let line): "broken at line \(line)"
    }
  }

  /// Why a file is not used; nil if it is as it was written.
  ///
  /// - Parameter kind: `journal` or `plan`.
  package func problem(of kind: String) -> ArchiveError? {
    let reason: String
    switch self {
    case .intact: return nil
    case .missing:
      reason =
        "the \(kind) is not sealed: an older archtool wrote it, or somebody removed its seals"
    case .foreign:
      reason =
        "the \(kind) is sealed with a key that you do not have: it comes from another user or machine, or the key was lost"
    case .broken(let line):
      reason =
        "line \(line) of the \(kind) was not written like this by archtool: it was changed, or lines before it were added, removed or moved"
    }
    let advice = "nothing was done; if you have checked the \(kind), --trust accepts it"
    return ArchiveError(.malformed, "\(reason); \(advice)")
  }
}

/// Looks at the lines of a file, one after another.
package struct SealInspection: Sendable {
  package private(set) var state: SealState
  /// The chain to continue after the last line; nil if the seals are not all intact.
  var chain: SealChain? { state == .intact ? sealed : nil }
  private var sealed: SealChain?
  private var lines = 0

  /// Begins with the first line.
  ///
  /// - Parameters:
  ///   - name: the name of the key in the first line.
  ///   - key: the user's key.
  package init(_ name: String?, key: SealingKey?) {
    guard let name else {
      state = .missing
      return
    }
    guard let key, key.name == name else {
      state = .foreign
      return
    }
    state = .intact
    sealed = SealChain(key)
  }

  /// Looks at the next line.
  ///
  /// - Parameter isAny: whether it is one of several after the first, with any lines in between.
  package mutating func look(at line: ArraySlice<UInt8>, isAny: Bool = false) {
    lines += 1
    let first = sealed
    if state == .intact, sealed?.accepts(line) != true { state = .broken(line: lines) }
    if isAny { sealed = first }
  }
}

// MARK: - Journals and plans determine which files are replaced, and by what: those of other users are not followed

/// Files whose words are deeds.
package enum TrustedFile {
  /// Refuses an open file that belongs to somebody else than the user who runs the program or root, or that anybody
  /// may write.
  ///
  /// - Parameters:
  ///   - descriptor: the file, so that nobody can replace it afterwards.
  ///   - kind: its name in the message.
  /// - Throws: `ArchiveError` with code `cannotOpen`.
  package static func check(_ descriptor: Int32, _ kind: String) throws(ArchiveError) {
    let status = try FileStatus(of: descriptor).orSystemError(
      .inputOutput, "cannot inspect the \(kind)")
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw ArchiveError(
        .cannotOpen,
        "the \(kind) belongs to user \(status.st_uid); only a \(kind) of your own or of root is used"
      )
    }
    if status.isFile, status.st_mode & S_IWOTH != 0 {
      throw ArchiveError(
        .cannotOpen, "every user may write the \(kind); check its contents, then chmod o-w it")
    }
  }
}
