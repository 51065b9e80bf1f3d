// What an input is, by its first bytes: an archive, a database, or something that is counted.

import ArchiveBackups
import ArchiveBasics
import ArchiveDatabases
import ArchiveGraph
import ArchivePropertyLists
import FileTransactions
import KeyedArchives

/// The kind of a content.
package enum ContentKind: Hashable, Sendable {
  /// An archive or a property list, even a damaged one.
  case archive
  /// A SQLite database.
  package static let database = ContentKind.other("database")
  /// Anything else, by its name: `text`, `JSON`.
  case other(String)

  /// Whether it is what commands read: an archive or JSON.
  package var isRead: Bool { self == .archive || self == .other("JSON") }

  /// How many bytes of an input are looked at: an XML property list may begin with long comments.
  static let reach = 64 * 1024
  /// How many compressed bytes are looked at, of which at most 1032 times as many come out.
  private static let compressedReach = 4096
  /// OpenStep's texts have no signature: they are property lists under these names only.
  private static let textSuffixes = [".plist", ".strings", ".pbxproj"]

  /// Looks at the first bytes of an input.
  ///
  /// - Parameter name: its name; nil for a value of a database.
  package init(of bytes: ByteView, name: String?) {
    if bytes.isEmpty {
      self = .other("empty")
    } else if Database.isDatabase(bytes) {
      self = .database
    } else if Formats.all.looksNested(bytes) || bytes.starts(with: "bplist".utf8) {
      self = .archive
    } else if Formats.isCompressed(bytes) {
      self = Self.holdsArchive(bytes) ? .archive : .other("compressed")
    } else if Formats.isProgram(bytes) {
      self = Self.holdsList(bytes) ? .archive : .other("program")
    } else if Self.isWrapped(bytes) {
      self = .archive
    } else {
      self = Self.text(bytes, name)
    }
  }

  private static func holdsArchive(_ bytes: ByteView) -> Bool {
    let beginning = ByteView(rebasing: bytes.prefix(compressedReach))
    let contents = try? GzipReader.read(
      beginning, fileOffset: nil, limit: compressedReach * 1100, recovering: true)
    return contents.map { Formats.all.looksNested($0.storage.bytes) } ?? false
  }

  /// Whether a program has a property list, or only its beginning is here.
  private static func holdsList(_ program: ByteView) -> Bool {
    do throws(ArchiveError) {
      _ = try Wrapping.program.content(of: program)
      return true
    } catch {
      return error.code == .truncated
    }
  }

  /// Whether an archive is signed, or written as Base64 or hexadecimal digits.
  private static func isWrapped(_ bytes: ByteView) -> Bool {
    func holds(_ content: ByteView) -> Bool {
      Formats.all.looksNested(content) || content.starts(with: "bplist".utf8)
        || Formats.isCompressed(content) && holdsArchive(content)
    }
    return Formats.isWrapped(bytes) { holds($0) || Formats.isWrapped($0, around: holds) }
  }

  private static func text(_ bytes: ByteView, _ name: String?) -> ContentKind {
    switch Formats.all.detect(bytes).encoding {
    case .openStepPropertyList?:
      if let name, textSuffixes.contains(where: name.hasSuffix) { return .archive }
    case .json?: return .other("JSON")
    case .xmlPropertyList?: return .other("XML")
    default: break
    }
    // Control characters other than white space and escape are in no text.
    let isText = !bytes.contains { $0 < 0x20 && !(0x09...0x0D).contains($0) && $0 != 0x1B }
    return .other(isText ? "text" : "binary")
  }
}

extension Input {
  /// Opens the input if it is an archive; otherwise only its beginning is read.
  ///
  /// - Parameter orJSON: whether JSON is read, too.
  /// - Returns: its bytes, or what else it is.
  /// - Throws: as `open` does.
  // Never inlined: callers that open all inputs at once would have its buffer on their stacks, and more page faults.
  @inline(never)
  func openArchive(
    _ streams: StandardStreams, orJSON: Bool = false
  ) throws(ArchiveError) -> (storage: ByteStorage?, kind: ContentKind) {
    func isWanted(_ kind: ContentKind) -> Bool {
      kind == .archive || orJSON && kind == .other("JSON")
    }
    if isStandardInput || cell != nil {
      let storage = try open(streams)
      let kind = ContentKind(of: storage.bytes, name: nil)
      return (isWanted(kind) ? storage : nil, kind)
    }
    if let backupFile, backupFile.isEncrypted {
      let beginning = try backupFile.beginning(ContentKind.reach)
      let kind = ContentKind(of: beginning.bytes, name: backupFile.path)
      return (isWanted(kind) ? try open(streams) : nil, kind)
    }
    let file = try openFile()
    let size = ContentKind.reach
    let name = title ?? path
    streams.sources.add(FilePermissions(of: file.descriptor))
    if let status = FileStatus(of: file.descriptor), status.isFile, status.st_size <= size {
      let storage = try file.contents()
      let kind = ContentKind(of: storage.bytes, name: name)
      return (isWanted(kind) ? storage : nil, kind)
    }
    let kind = try unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) {
      (buffer) throws(ArchiveError) in
      let count = retryingInterrupts { unsafe pread(file.descriptor, buffer.baseAddress, size, 0) }
      try checkSystem(count >= 0, .inputOutput, "cannot read")
      return unsafe ContentKind(of: ByteView(buffer).part(0..<count), name: name)
    }
    if !isWanted(kind) { return (nil, kind) }
    let storage = try file.contents()
    // The beginning of a program does not show the sections of all architectures.
    let isForeign =
      Formats.isProgram(storage.bytes) && ContentKind(of: storage.bytes, name: nil) != .archive
    return isForeign ? (nil, .other("program")) : (storage, kind)
  }

  private func openFile() throws(ArchiveError) -> OpenFile {
    if let backupFile { return try backupFile.stored() }
    return try OpenFile(path, O_RDONLY | O_NONBLOCK)
      .orSystemError(.cannotOpen, "cannot open the file")
  }
}
