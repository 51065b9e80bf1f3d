// Which encoding bytes are in, told from the bytes alone: archives often have no file extension.

import ObjectGraph

/// What bytes look like.
public enum Sniffed: Equatable, Sendable {
  /// `bplist0?`.
  case binaryPropertyList
  /// An XML document.
  case xml
  /// Text that begins as JSON or JSON5 does.
  case json
  /// Text that begins as an OpenStep property list does.
  case openStep
  /// What NSArchiver writes, either byte order.
  case typedStream
  /// Bookmark data, or an alias file of Finder.
  case bookmark
  /// A gzip member (RFC 1952).
  case gzip
  /// A known kind that is not read; the text names it.
  case unsupported(String)
  /// Nothing known.
  case unknown
}

extension Sniffed {
  /// What a `⟨kind⟩` in a path calls it.
  public var name: String {
    switch self {
    case .binaryPropertyList: Encoding.binaryPropertyList.rawValue
    case .xml: Encoding.xmlPropertyList.rawValue
    case .typedStream: Encoding.typedStream.rawValue
    case .bookmark: Encoding.bookmark.rawValue
    case .json: Encoding.json.rawValue
    case .openStep: Encoding.openStepPropertyList.rawValue
    case .gzip: "gzip"
    case .unsupported, .unknown: "data"
    }
  }
}

/// Looks at the first bytes of an input.
public enum Sniffing {
  /// What the bytes look like.
  public static func sniff(_ bytes: UnsafeRawBufferPointer) -> Sniffed {
    if starts(bytes, "bplist0") { return .binaryPropertyList }
    if starts(bytes, "bplist") {
      let version = String(decoding: bytes.dropFirst(6).prefix(2), as: UTF8.self)
      return .unsupported("binary property list version \(version)")
    }
    if isTypedStream(bytes) { return .typedStream }
    if bytes.count > 2, bytes[0] == 0x1F, bytes[1] == 0x8B { return .gzip }
    if isBookmark(bytes) { return .bookmark }
    if let kind = foreign(bytes) { return .unsupported(kind) }
    return TextSniffing.sniff(bytes)
  }

  /// Whether the bytes of a data value are worth opening: no text but XML with a property list's beginning, since a picture
  /// or a feed in XML is data.
  ///
  /// Bookmarks within other archives are opened, too.
  public static func looksNested(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if starts(bytes, "bplist0") || isTypedStream(bytes) || isBookmark(bytes) { return true }
    let text = UnsafeRawBufferPointer(rebasing: withoutByteOrderMark(bytes))
    if starts(text, "<?xml") { return XMLBeginning.isPropertyList(text) }
    return starts(text, "<!DOCTYPE plist") || starts(text, "<plist")
  }

  /// The version byte, the length of the name, and the name, which tells the byte order.
  private static func isTypedStream(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let version = bytes.first, (1...4).contains(version) else { return false }
    let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    return starts(rest, "\u{0B}streamtyped") || starts(rest, "\u{0B}typedstream")
  }

  /// `book` or `alis` with a version as the third word, or with `mark`.
  private static func isBookmark(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count > 16, starts(bytes, "book") || starts(bytes, "alis") else { return false }
    let third = UnsafeRawBufferPointer(rebasing: bytes[8..<12])
    return starts(third, "mark") || third[0] == 0 && third[1] == 0 && third[3] == 0x10
  }

  private static func foreign(_ bytes: UnsafeRawBufferPointer) -> String? {
    if starts(bytes, "SQLite format 3") { return "SQLite database" }
    return nil
  }

  private static func withoutByteOrderMark(
    _ bytes: UnsafeRawBufferPointer
  ) -> Slice<UnsafeRawBufferPointer> {
    for mark in [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF], [0, 0, 0xFE, 0xFF]] as [[UInt8]]
    where bytes.starts(with: mark) {
      return bytes.dropFirst(mark.count)
    }
    return bytes.dropFirst(0)
  }

  private static func starts(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
    bytes.starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
