// XML property lists, through libxml2's SAX2 interface: nothing is loaded, no entity is expanded.

import ArchiveBasics
internal import CLibXML2

/// Reads XML property lists into a table of their own.
package enum XMLReader {
  /// Reads an XML property list.
  ///
  /// - Parameters:
  ///   - bytes: the whole document, in any encoding that libxml2 knows.
  ///   - fileOffset: the position of the bytes in the input file; nil if they are not stored there.
  ///   - limits: the depth that is allowed.
  ///   - recovering: whether a fault ends reading without an error: the values before it are returned, and
  ///     missing content is marked by the key `$lost`.
  ///   - keepsPositions: whether equal values stay distinct by their positions.
  ///   - storage: the owner of the bytes, if nobody needs them if this succeeds: it may give them back on the way. If this
  ///     throws, they are complete.
  /// - Returns: the document, and warnings, in recovery with the fault last.
  /// - Throws: `ArchiveError` at the first fault.
  package static func read(
    _ bytes: ByteView, fileOffset: Int?, limits: Limits, recovering: Bool = false,
    keepsPositions: Bool = false, givingBack storage: ByteStorage? = nil
  ) throws(ArchiveError) -> FormatReading {
    let encoding = TextEncoding.detect(bytes).encoding
    var request = Request(limits: limits, isRecovering: recovering, keepsPositions: keepsPositions)
    if encoding == .utf8 { request.storage = storage }
    do throws(ArchiveError) {
      let reading = try readEncoded(bytes, encoding, fileOffset, request)
      // Only the text itself has positions of problems in it if it was converted, and lines of repeated keys.
      let isLocated =
        encoding == .utf8
        ? fileOffset != nil || !reading.warnings.contains { $0.subject == .repeatedKey }
        : reading.warnings.isEmpty
      if isLocated { return reading }
      return FormatReading(
        reading.document, warnings: try locatedWarnings(bytes, fileOffset, request))
    } catch {
      // What is no valid text has its error from the parser.
      if encoding == .utf8 || (try? DecodedText(bytes)) == nil { throw error }
      _ = try locatedWarnings(bytes, fileOffset, request)
      throw error
    }
  }

  private static func readEncoded(
    _ bytes: ByteView, _ encoding: TextEncoding, _ fileOffset: Int?,
    _ request: Request
  ) throws(ArchiveError) -> FormatReading {
    switch encoding {
    case .utf32:
      // libxml2 knows UTF-32 only by its declaration; Foundation reads it by its byte order mark.
      return try readDecoded(bytes, fileOffset, request)
    case .utf16:
      do throws(ArchiveError) {
        return try parse(bytes, fileOffset, request)
      } catch {
        guard let read = try? readDecoded(bytes, fileOffset, request) else { throw error }
        return read
      }
    default: return try readText(bytes, fileOffset, request)
    }
  }

  /// Reads a text once more in UTF-8, for warnings with positions.
  ///
  /// - Throws: the error of the text, with its position.
  private static func locatedWarnings(
    _ bytes: ByteView, _ fileOffset: Int?, _ request: Request
  ) throws(ArchiveError) -> [ArchiveError] {
    try request.storage?.restore()
    let text = try DecodedText(bytes)
    defer { withExtendedLifetime(text) {} }
    var request = request
    request.storage = nil
    if !text.isSource { request.options = Int32(XML_PARSE_IGNORE_ENC.rawValue) }
    do throws(ArchiveError) {
      return text.located(try readText(text.utf8, 0, request).warnings, fileOffset)
    } catch {
      throw text.located(error, fileOffset)
    }
  }

  private struct Request {
    let limits: Limits
    let isRecovering: Bool
    let keepsPositions: Bool
    var options: Int32 = 0
    /// What may give the bytes back while they are parsed.
    var storage: ByteStorage?
  }

  /// Reads a text that is converted to UTF-8 first.
  private static func readDecoded(
    _ bytes: ByteView, _ fileOffset: Int?, _ request: Request
  ) throws(ArchiveError) -> FormatReading {
    let text: DecodedText
    do {
      text = try DecodedText(bytes)
    } catch {
      throw error.shifted(by: fileOffset)
    }
    defer { withExtendedLifetime(text) {} }
    var request = request
    request.options = Int32(XML_PARSE_IGNORE_ENC.rawValue)
    return try readText(text.utf8, nil, request)
  }

  /// Reads a text, and if that fails once more with stand-ins for forbidden characters.
  private static func readText(
    _ bytes: ByteView, _ fileOffset: Int?, _ request: Request
  ) throws(ArchiveError) -> FormatReading {
    let displacement = XMLDeclaration.displacement(in: bytes)
    if displacement > 0 { return try readDisplaced(bytes, displacement, fileOffset, request) }
    if request.isRecovering {
      let standIns = XMLStandIns(for: bytes, mending: true)
      return try parse(standIns?.text.bytes ?? bytes, fileOffset, request, standIns)
    }
    var problem: ArchiveError
    do throws(ArchiveError) {
      return try parse(bytes, fileOffset, request, isInPieces: XMLDeclaration.isUTF8(bytes))
    } catch {
      problem = error
    }
    try request.storage?.restore()
    let standIns = XMLStandIns(for: bytes)
    let text = standIns?.text.bytes ?? bytes
    let isUTF8 = XMLDeclaration.isUTF8(text)
    if standIns != nil {
      do throws(ArchiveError) {
        return try parse(text, fileOffset, request, standIns, isInPieces: isUTF8)
      } catch {
        problem = error
      }
    }
    // In one piece, in which alone the location of a fault is that in the text.
    guard isUTF8 else { throw problem }
    return try parse(text, fileOffset, request, standIns)
  }

  /// Reads a text from its declaration on.
  private static func readDisplaced(
    _ bytes: ByteView, _ displacement: Int, _ fileOffset: Int?, _ request: Request
  ) throws(ArchiveError) -> FormatReading {
    var request = request
    request.storage = nil
    let offset = fileOffset.map { $0 + displacement }
    let text = bytes.part(from: displacement)
    let reading = try readText(text, offset, request)
    let warning = ArchiveError(
      .malformed, "the XML declaration is not at the beginning; other programs may not read it",
      offset: offset)
    return FormatReading(reading.document, warnings: [warning] + reading.warnings)
  }

  /// Parses a text.
  ///
  /// - Parameter isInPieces: whether libxml2 gets the bytes piece by piece.
  private static func parse(
    _ bytes: ByteView, _ fileOffset: Int?, _ request: Request,
    _ standIns: XMLStandIns? = nil, isInPieces: Bool = false
  ) throws(ArchiveError) -> FormatReading {
    guard bytes.count <= Int(Int32.max) else {
      throw ArchiveError(.unsupported, "XML property lists of over 2 GiB are not read")
    }
    try LongTags.refuse(in: bytes, fileOffset: fileOffset)
    let library = try LibXML2.load()
    // Encoding faults would go to standard error; the parser reports them as well.
    library.setErrorListener(nil) { _, _ in }
    // What the parser asks of, as long as it exists.
    let pieces = UnsafeMutablePointer<XMLPieces>.allocate(capacity: 1)
    pieces.initialize(to: XMLPieces(of: bytes, from: standIns == nil ? request.storage : nil))
    defer {
      pieces.deinitialize(count: 1)
      pieces.deallocate()
    }
    guard
      let parser = makeParser(of: bytes, isInPieces ? pieces : nil, library)
    else {
      throw ArchiveError(.malformed, "the XML parser does not accept the input", offset: fileOffset)
    }
    defer {
      // An internal subset makes a document even where nothing is kept of it.
      library.freeDocument(parser.pointee.myDoc)
      library.freeParser(parser)
    }
    // Until the end of this function it has one address, which the parser's callbacks get.
    let assembly = UnsafeMutablePointer<XMLAssembly>.allocate(capacity: 1)
    assembly.initialize(
      to: XMLAssembly(
        library: library, parser: parser, fileOffset: fileOffset, limits: request.limits,
        keepsPositions: request.keepsPositions, isRecovering: request.isRecovering,
        standIns: standIns, byteCount: bytes.count))
    defer {
      assembly.deinitialize(count: 1)
      assembly.deallocate()
    }
    _ = library.useOptions(
      parser, request.options | Int32(XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue))
    install(on: parser, assembly)
    _ = library.parseDocument(parser)
    if request.isRecovering { assembly.pointee.salvage() }
    return try assembly.pointee.finish()
  }

  /// A parser that asks for pieces of a document, or copies all of it.
  private static func makeParser(
    of bytes: ByteView, _ pieces: UnsafeMutablePointer<XMLPieces>?, _ library: LibXML2
  ) -> xmlParserCtxtPtr? {
    guard let pieces else {
      return library.createMemoryParser(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
    }
    return library.createInputParser(
      nil, nil,
      { context, buffer, room in
        guard let buffer else { return -1 }
        let pieces = context?.assumingMemoryBound(to: XMLPieces.self)
        return Int32(truncatingIfNeeded: pieces?.pointee.next(into: buffer, Int(room)) ?? -1)
      }, nil, pieces, XML_CHAR_ENCODING_NONE)
  }

  /// Connects the parser's callbacks; those that would load, expand or build a tree stay empty.
  private static func install(
    on parser: xmlParserCtxtPtr, _ assembly: UnsafeMutablePointer<XMLAssembly>
  ) {
    guard let handler = parser.pointee.sax else { return }
    handler.pointee = xmlSAXHandler()
    handler.pointee.initialized = UInt32(XML_SAX2_MAGIC)
    parser.pointee.userData = UnsafeMutableRawPointer(assembly)
    handler.pointee.startElementNs = { context, name, _, _, _, _, count, _, attributes in
      assemblyOf(context)?.pointee.start(name, attributes, Int(count))
    }
    handler.pointee.endElementNs = { context, _, _, _ in assemblyOf(context)?.pointee.end() }
    handler.pointee.characters = { context, text, count in
      assemblyOf(context)?.pointee.characters(text, Int(count))
    }
    handler.pointee.cdataBlock = handler.pointee.characters
    handler.pointee.ignorableWhitespace = handler.pointee.characters
    handler.pointee.entityDecl = { context, _, _, _, _, _ in
      assemblyOf(context)?.pointee.fail("entity declarations are refused")
    }
    handler.pointee.attributeDecl = { context, _, _, _, _, _, words in
      assemblyOf(context)?.pointee.refuseAttributes(words)
    }
    handler.pointee.reference = { context, name in
      let name = name.map { String(cString: $0) } ?? ""
      assemblyOf(context)?.pointee.fail("the entity '&\(name);' is not one of XML's own")
    }
    handler.pointee.serror = { context, error in
      guard let error else { return }
      assemblyOf(context)?.pointee.parserError(error.pointee)
    }
  }
}

/// The assembly whose address `install` gave to the parser; libxml2 calls nothing while a callback runs.
@inline(__always)
private func assemblyOf(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLAssembly>? {
  context?.assumingMemoryBound(to: XMLAssembly.self)
}

// MARK: - The bytes of a document on their way to libxml2, which asks for a few thousand at a time

/// Hands out the bytes of a document in pieces.
///
/// libxml2 parses them as it parses a file: it copies a piece, not the document. Behind it the bytes are not needed any
/// more.
private struct XMLPieces {
  private let bytes: ByteView
  /// What owns the bytes and gives them back; nil if they are needed later.
  private let storage: ByteStorage?
  private var position = 0
  /// Where bytes are given back next, and progress is reported.
  private var threshold = Self.step

  private static let step = 4 << 20

  init(of bytes: ByteView, from storage: ByteStorage?) {
    self.bytes = bytes
    self.storage = storage
  }

  /// Copies the next bytes.
  ///
  /// - Parameter room: how many are asked for.
  /// - Returns: how many they are; fewer only at the end.
  mutating func next(into buffer: UnsafeMutablePointer<CChar>, _ room: Int) -> Int {
    let count = min(max(room, 0), bytes.count - position)
    guard count > 0, let base = bytes.baseAddress else { return 0 }
    UnsafeMutableRawPointer(buffer).copyMemory(from: base + position, byteCount: count)
    position += count
    if position >= threshold {
      storage?.discardPages(before: position)
      InputProgress.report(.decoded, position, of: bytes.count)
      threshold = position + Self.step
    }
    return count
  }
}

// MARK: - Tags that are too long: libxml2 compares each attribute of a tag with all before it

/// Looks for tags that no property list has, without looking at every byte.
private enum LongTags {
  /// The tags of property lists have one attribute at most.
  private static let limit = 64 * 1024

  /// Refuses a document with a tag of over 64 KiB.
  ///
  /// A tag contains no `<` except its first character, so if each 64 KiB contain one, no tag is long. Documents in
  /// encodings of
  /// several bytes a character have these bytes as well.
  ///
  /// - Throws: `ArchiveError` with code `limit`.
  static func refuse(in bytes: ByteView, fileOffset: Int?) throws(ArchiveError) {
    var start = 0
    while bytes.count - start > limit {
      guard let last = bytes[start..<start + limit].lastIndex(of: UInt8(ascii: "<")) else {
        start += limit
        continue
      }
      // The next window begins with this one, unless it is the only one: then what follows it is long.
      if last > start {
        start = last
        continue
      }
      if isTag(bytes, last), !ends(bytes[last..<last + limit]) {
        throw ArchiveError(
          .limit, "the tag is over \(limit) bytes long", offset: fileOffset.map { $0 + last })
      }
      start = last + 1
    }
  }

  /// Whether an element begins, not a comment, a declaration or an instruction.
  private static func isTag(_ bytes: ByteView, _ location: Int) -> Bool {
    let next = bytes[(location + 1)...].first { $0 != 0 } ?? 0
    return next != UInt8(ascii: "!") && next != UInt8(ascii: "?") && next != UInt8(ascii: "/")
  }

  /// Whether the tag at the beginning of some bytes ends within them; `>` may occur in the value of an attribute.
  private static func ends(_ bytes: Slice<ByteView>) -> Bool {
    var quote: UInt8?
    for byte in bytes {
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return true
      }
    }
    return false
  }
}
