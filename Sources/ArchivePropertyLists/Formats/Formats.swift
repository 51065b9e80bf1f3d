// The table of formats, and the detection of an input's format: archives often have no file extension.

import ArchiveBasics
import ArchiveGraph

/// What bytes look like.
package enum DetectedFormat: Equatable, Sendable {
  /// Bytes of a format in the table.
  case known(Encoding)
  /// Bytes that hold others.
  case wrapped(Wrapping)
  /// A known kind that is not read; the text names it.
  case unsupported(String)
  /// Nothing known.
  case unknown

  /// The encoding; nil if it is not in the table.
  package var encoding: Encoding? {
    if case .known(let encoding) = self { return encoding }
    return nil
  }

  /// Its name in a path, `⟨kind⟩`.
  package var name: String {
    switch self {
    case .known(let encoding): encoding.name
    case .wrapped(let wrapping): wrapping.rawValue
    case .unsupported, .unknown: "data"
    }
  }
}

/// A table of formats.
package struct Formats: Sendable {
  /// The formats; among texts the first counts that recognizes one.
  package let list: [any PropertyListFormat.Type]
  private let signed: [any PropertyListFormat.Type]
  private let texts: [any PropertyListFormat.Type]

  /// Property lists, JSON, bookmarks, NIBArchives and messages of NSXPCConnection.
  package static let propertyLists = Formats([
    BinaryFormat.self, XMLFormat.self, OpenStepFormat.self, JSONFormat.self, BookmarkFormat.self,
    NibFormat.self, XPCFormat.self,
  ])

  private init(_ list: [any PropertyListFormat.Type]) {
    self.list = list
    signed = list.filter { !$0.encoding.isText }
    texts = list.filter { $0.encoding.isText }
  }

  /// The table followed by additional formats.
  package func adding(_ formats: [any PropertyListFormat.Type]) -> Formats {
    Formats(list + formats)
  }

  /// The format of an encoding; nil for one that is not in the table.
  package subscript(_ encoding: Encoding) -> (any PropertyListFormat.Type)? {
    list.first { $0.encoding == encoding }
  }

  /// The apparent format of an input's bytes.
  package func detect(_ bytes: ByteView) -> DetectedFormat {
    var beginning = InputBeginning(bytes)
    for format in signed where format.recognizes(&beginning) { return .known(format.encoding) }
    if Self.isCompressed(bytes) { return .wrapped(.gzip) }
    if SignedContent.recognizes(bytes) { return .wrapped(.signature) }
    if Self.isProgram(bytes) { return .wrapped(.program) }
    if let kind = Self.foreign(bytes) { return .unsupported(kind) }
    let wrapping = TextualContent.wrapping(of: bytes) { content in
      looksNested(content) || Self.isCompressed(content) || SignedContent.recognizes(content)
        || content.starts(with: "bplist")
    }
    if let wrapping { return .wrapped(wrapping) }
    for format in texts where format.recognizes(&beginning) { return .known(format.encoding) }
    return .unknown
  }

  /// Whether the bytes of a data value are worth opening: no text but XML with a property list's beginning, since a picture
  /// or a feed in XML is data.
  package func looksNested(_ bytes: ByteView) -> Bool {
    list.contains { $0.opensContent(bytes) }
  }

  /// Whether bytes are a signed message, or text for bytes, with a content that is known by its first bytes.
  ///
  /// - Parameters:
  ///   - bytes: the first bytes of an input.
  ///   - isKnown: examines those of a content.
  package static func isWrapped(_ bytes: ByteView, around isKnown: (ByteView) -> Bool) -> Bool {
    guard SignedContent.recognizes(bytes) else {
      return TextualContent.wrapping(of: bytes, isKnown: isKnown) != nil
    }
    // The content is after a few elements that name the algorithms.
    return (0..<min(bytes.count, 256)).contains {
      isKnown(bytes.part(from: $0))
    }
  }

  /// Whether bytes begin as compressed data: the signature, the only method, and no reserved flag (RFC 1952, 2.3.1).
  package static func isCompressed(_ bytes: ByteView) -> Bool {
    // All other signatures begin with another byte.
    bytes.count > 3 && bytes[0] == 0x1F && bytes[1] == 0x8B && bytes[2] == 8 && bytes[3] < 0x20
  }

  /// Whether bytes begin as a Mach-O program, which may have a property list.
  package static func isProgram(_ bytes: ByteView) -> Bool { ProgramContent.recognizes(bytes) }

  /// The name of a kind that is not read as a whole.
  package static let database = "SQLite database"

  private static func foreign(_ bytes: ByteView) -> String? {
    // Sources disagree on the integers of version 15, which are its lengths: CFBinaryPList.c of CF-744 describes them as
    // those of version 00, ByteWitch reads them least significant byte first, with another sign (BPList15.kt).
    if bytes.starts(with: "bplist") {
      let version = String(decoding: bytes.dropFirst(6).prefix(2), as: UTF8.self)
      let use =
        version == "15" ? " (a stream of CoreFoundation, whose integers are not documented)" : ""
      return "binary property list version \(version)\(use)"
    }
    // APPNOTE.TXT of PKWARE, 4.3.7; and Apple Encrypted Archives, as in signed shortcuts.
    if bytes.starts(with: "PK\u{3}\u{4}") { return "ZIP archive, whose files unzip takes out," }
    if bytes.starts(with: "AEA1") {
      return "encrypted Apple archive, as of a signed shortcut, which 'aea decrypt' opens,"
    }
    // The specification of Git LFS; and AppleSingle/AppleDouble Formats, RFC 1740, appendices A and B.
    if bytes.starts(with: "version https://git-lfs") {
      return "Git LFS pointer, whose file 'git lfs pull' fetches,"
    }
    if bytes.count >= 4, bytes[0] == 0, bytes[1] == 5, bytes[2] == 0x16, bytes[3] == 7 {
      return "AppleDouble file with the attributes of another, which 'dot_clean' merges,"
    }
    return bytes.starts(with: "SQLite format 3") ? database : nil
  }
}
