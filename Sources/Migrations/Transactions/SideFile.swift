// Files that archtool itself writes beside archives: they are no inputs where they are found in a folder.

import ObjectGraph

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Tells files of archtool's own from a user's, by what is in them.
public enum SideFile {
  /// The marks with which a record of lost values begins, white space aside.
  private static let lostValues = [#"{"archtool":"#, #","family":""#]
  /// How much of a file is looked at.
  private static let prefixSize = 256

  /// Whether a file holds lost values of the archive beside it: it is named `FILE.lost.json` and begins as such.
  public static func isLostValues(_ path: String) -> Bool {
    guard path.hasSuffix(RewrittenArchive.lostFile(of: "")) else { return false }
    return prefix(of: path).map(beginsLostValues) ?? false
  }

  /// Whether bytes begin as a journal.
  public static func isJournal(_ storage: ByteStorage) -> Bool { JournalHeader.begins(storage) }

  /// Whether bytes begin as lost values do: the version of the form, a number, then the family.
  static func beginsLostValues(_ bytes: [UInt8]) -> Bool {
    let text = String(
      decoding: bytes.filter { !" \t\r\n".utf8.contains($0) }, as: UTF8.self)
    guard text.hasPrefix(lostValues[0]) else { return false }
    let rest = text.dropFirst(lostValues[0].count).drop { $0.isNumber }
    return rest.hasPrefix(lostValues[1])
  }

  /// The first bytes of a file; nil if it cannot be read, which is told when it is opened.
  private static func prefix(of path: String) -> [UInt8]? {
    let descriptor = retryingInterrupts { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    let bytes = [UInt8](unsafeUninitializedCapacity: prefixSize) { buffer, count in
      count = max(0, retryingInterrupts { read(descriptor, buffer.baseAddress, prefixSize) })
    }
    return bytes
  }
}
