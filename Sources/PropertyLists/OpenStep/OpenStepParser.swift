// The grammar of OpenStep property lists, with an explicit stack: containers and the punctuation between values.

import Basics
import ObjectGraph

/// The state of one parse.
struct OpenStepParser: ~Copyable {
  /// The containers that can be open.
  enum Frame {
    case array
    case dictionary
    /// The pairs of a .strings file, without braces.
    case strings
  }

  let text: DecodedText
  let bytes: UnsafeRawBufferPointer
  private let fileOffset: Int?
  private let depth: Int
  private var frames: [Frame] = []
  var builder = GraphBuilder()
  var position = 0
  /// The characters of the escaped string that is being read, in UTF-16, big-endian.
  var units = ByteBuffer()
  /// Warnings; a file with a thousand problems does not get a thousand lines.
  private(set) var warnings: [ArchiveError] = []

  init(_ text: DecodedText, fileOffset: Int?, depth: Int) {
    self.text = text
    self.fileOffset = text.isSource ? fileOffset.map { $0 + text.sourceOffset(of: 0) } : nil
    self.depth = depth
    bytes = text.utf8
  }

  consuming func finish(top: UInt32) -> Document {
    builder.finish(top: top, encoding: .openStepPropertyList)
  }

  mutating func parse() throws(ArchiveError) -> UInt32 {
    try skip()
    mark()
    if position == bytes.count {
      // A .strings file may be empty, but for comments.
      builder.open()
      return builder.closeDictionary()
    }
    if try beginsPairs() {
      builder.open()
      frames.append(.strings)
      // A pair began, so this cannot be the end; but it may be a key without a value.
      if try !nextPair(of: .strings) { return close(.strings) }
    }
    while true {
      guard var value = try beginValue() else { continue }
      // The value is complete: close all containers that end after it.
      while true {
        guard let frame = frames.last else {
          try skip()
          guard position == bytes.count else {
            throw problem("nothing may follow the property list, found \(found)")
          }
          return value
        }
        builder.append(value)
        if try hasNext(of: frame) { break }
        value = close(frame)
        frames.removeLast()
      }
    }
  }

  /// Whether the text is the content of a dictionary: a string followed by `=` or `;`.
  private mutating func beginsPairs() throws(ArchiveError) -> Bool {
    guard let first = peek(), isQuote(first) || isBare(first) else { return false }
    let start = position
    var probe = OpenStepParser(text, fileOffset: nil, depth: 0)
    probe.position = start
    _ = try probe.string()
    try probe.skip()
    return probe.position < bytes.count
  }

  /// Reads a scalar or an empty container; opens a container that has content, and gives nil then.
  private mutating func beginValue() throws(ArchiveError) -> UInt32? {
    try skip()
    mark()
    switch peek() {
    case UInt8(ascii: "{"):
      try open(.dictionary)
      return try nextPair(of: .dictionary) ? nil : endEmpty(.dictionary)
    case UInt8(ascii: "("):
      try open(.array)
      try skip()
      guard peek() == UInt8(ascii: ")") else { return nil }
      position += 1
      return endEmpty(.array)
    case UInt8(ascii: "<"): return try angle()
    case let first? where isQuote(first) || isBare(first): return try string()
    default: throw problem("expected a value\(place), found \(found)")
    }
  }

  private mutating func open(_ frame: Frame) throws(ArchiveError) {
    guard frames.count < depth else {
      throw ArchiveError(
        .limit, "containers are nested more than \(depth) levels deep",
        offset: text.sourceOffset(of: position))
    }
    position += 1
    builder.open()
    frames.append(frame)
  }

  private mutating func endEmpty(_ frame: Frame) -> UInt32 {
    frames.removeLast()
    return close(frame)
  }

  /// After a value: whether another one follows in the container.
  private mutating func hasNext(of frame: Frame) throws(ArchiveError) -> Bool {
    try skip()
    guard frame == .array else {
      guard peek() == UInt8(ascii: ";") else {
        throw problem("expected ';' after the value of '\(lastKey)', found \(found)")
      }
      position += 1
      return try nextPair(of: frame)
    }
    if peek() == UInt8(ascii: ",") {
      position += 1
      try skip()
      if peek() != UInt8(ascii: ")") { return true }
    }
    guard peek() == UInt8(ascii: ")") else {
      throw problem("expected ',' or ')' after an element, found \(found)")
    }
    position += 1
    return false
  }

  /// Reads keys up to one that has a value of its own.
  ///
  /// - Returns: false at the end of the container.
  private mutating func nextPair(of frame: Frame) throws(ArchiveError) -> Bool {
    while true {
      try skip()
      guard let first = peek() else {
        if frame == .strings { return false }
        throw problem("expected a key or '}', found \(found)")
      }
      if first == UInt8(ascii: "}"), frame == .dictionary {
        position += 1
        return false
      }
      guard isQuote(first) || isBare(first) else {
        throw problem(
          frame == .dictionary
            ? "expected a key or '}', found \(found)" : "expected a key, found \(found)")
      }
      mark()
      let key = try string()
      builder.append(key)
      try skip()
      switch peek() {
      case UInt8(ascii: "="):
        position += 1
        return true
      case UInt8(ascii: ";"):
        // The shortcut of .strings files: the value is the key.
        position += 1
        builder.append(key)
      default:
        throw problem("expected '=' or ';' after the key '\(excerpt(key))', found \(found)")
      }
    }
  }

  private mutating func close(_ frame: Frame) -> UInt32 {
    if frame == .array { return builder.close() }
    if let uid = uidOfOpenDictionary() {
      builder.discardOpen()
      return builder.add(uid: uid)
    }
    if let key = builder.keepLastOfRepeatedKeys() {
      warn("the key '\(excerpt(key))' is repeated; its last value is used")
    }
    return builder.closeDictionary()
  }

  /// A dictionary with the single key `CF$UID` represents a UID, as in XML; its number is a string if the text has no
  /// others (go-plist and GNUstep write it so).
  private func uidOfOpenDictionary() -> UInt64? {
    let values = builder.openValues
    guard values.count == 2, let key = values.first, let value = values.last,
      builder.string(at: key) == "CF$UID"
    else { return nil }
    if let number = builder.integer(at: value) { return UInt64(exactly: number) }
    guard let digits = builder.string(at: value), digits.utf8.allSatisfy({ isDigit($0) }) else {
      return nil
    }
    return UInt64(digits)
  }

  // MARK: Positions and problems

  /// Records the position of the value that begins here.
  private mutating func mark() {
    if let fileOffset { builder.sourceOffset = fileOffset &+ position }
  }

  private mutating func warn(_ message: String) {
    guard warnings.count < 100 else { return }
    // A message with an offset is shown with its line and column.
    let line = fileOffset == nil ? "line \(text.line(of: position)): " : ""
    warnings.append(
      ArchiveError(
        .malformed, line + message, offset: fileOffset == nil ? nil : builder.sourceOffset))
  }

  /// The key whose value was read last.
  private var lastKey: String {
    let values = builder.openValues
    guard values.count >= 2 else { return "" }
    return excerpt(values[values.endIndex - 2])
  }

  /// Where in its container a value is missing.
  private var place: String {
    switch frames.last {
    case nil: return ""
    case .array: return " or ')'"
    case .dictionary, .strings:
      return builder.openValues.last.map { " of the key '\(excerpt($0))'" } ?? ""
    }
  }

  private func excerpt(_ key: UInt32) -> String {
    let key = builder.string(at: key) ?? ""
    return key.count > 40 ? String(key.prefix(40)) + "…" : key
  }

  /// The text at the position, for messages.
  var found: String {
    guard let first = peek() else { return "the end of the text" }
    let character = String(decoding: bytes[position...].prefix(first < 0x80 ? 1 : 4), as: UTF8.self)
      .unicodeScalars.first
    guard let character, character.value > 0x20, character.value != 0x7F else {
      return "the character \(first)"
    }
    return "'\(character)'"
  }

  /// An error at the position, or at another one; without a code it reports whether the text ends too early.
  @inline(never)
  func problem(
    _ message: String, at other: Int? = nil, code: ArchiveError.Code? = nil
  ) -> ArchiveError {
    let place = other ?? position
    return ArchiveError(
      code ?? (position >= bytes.count ? .truncated : .malformed),
      message, offset: text.sourceOffset(of: place))
  }
}

/// Whether a byte may occur in a string without quotes.
@inline(__always)
func isBare(_ byte: UInt8) -> Bool {
  // `$`, `-`, `.`, `/`, the digits and `:`; then the letters and `_`.
  let low: UInt64 = 0x07FF_E010_0000_0000
  let high: UInt64 = 0x07FF_FFFE_87FF_FFFE
  if byte < 64 { return low &>> UInt64(byte) & 1 == 1 }
  return byte < 128 && high &>> UInt64(byte &- 64) & 1 == 1
}

@inline(__always)
func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

// MARK: - Values in angle brackets: data in hexadecimal or Base64, and GNUstep's typed scalars

// Format facts: GNUstep Base, NSPropertyList.m: `<*I5>`, `<*R1.5>`, `<*BY>`, `<*D2009-01-02 03:04:05 +0000>`, `<[AQI=]>`.

extension OpenStepParser {
  /// Reads what begins with `<` at the position.
  mutating func angle() throws(ArchiveError) -> UInt32 {
    let opening = position
    position += 1
    switch peek() {
    case UInt8(ascii: "*"):
      position += 1
      return try typedScalar(from: opening)
    case UInt8(ascii: "["):
      position += 1
      return try base64(from: opening)
    default: return try hexadecimalData(from: opening)
    }
  }

  private mutating func hexadecimalData(from opening: Int) throws(ArchiveError) -> UInt32 {
    var data = ByteBuffer(capacity: 64)
    var high: UInt8?
    while let byte = peek() {
      if let digit = hexadecimalDigit(byte) {
        if let first = high {
          data.append(first << 4 | digit)
          high = nil
        } else {
          high = digit
        }
        position &+= 1
      } else if byte == UInt8(ascii: ">") {
        guard high == nil else { throw problem("the number of hexadecimal digits is odd") }
        position &+= 1
        return builder.add(data: data.bytes)
      } else {
        let start = position
        try skip()
        if position == start {
          throw problem("expected a hexadecimal digit or '>', found \(found)")
        }
      }
    }
    throw problem("the data that begins here has no end", at: opening)
  }

  private mutating func base64(from opening: Int) throws(ArchiveError) -> UInt32 {
    let start = position
    while let byte = peek(), byte != UInt8(ascii: "]") {
      let isDigit =
        isBare(byte) && !"$_:.-".utf8.contains(byte) || byte == UInt8(ascii: "+")
        || byte == UInt8(ascii: "=") || byte == 0x20 || byte &- 0x09 < 5
      guard isDigit else { throw problem("expected a Base64 digit or ']', found \(found)") }
      position &+= 1
    }
    let digits = start..<position
    guard peek() != nil else { throw problem("the data that begins here has no end", at: opening) }
    position += 1
    try expectEnd()
    var data = ByteBuffer(capacity: digits.count)
    Base64.decode(UnsafeRawBufferPointer(rebasing: bytes[digits]), to: &data)
    return builder.add(data: data.bytes)
  }

  private mutating func expectEnd() throws(ArchiveError) {
    guard peek() == UInt8(ascii: ">") else { throw problem("expected '>', found \(found)") }
    position += 1
  }

  // MARK: Typed scalars

  private mutating func typedScalar(from opening: Int) throws(ArchiveError) -> UInt32 {
    guard let type = peek() else {
      throw problem("the value that begins here has no end", at: opening)
    }
    guard "IRBD".utf8.contains(type) else {
      throw problem("expected a type (I, R, B or D) after '<*', found \(found)")
    }
    position += 1
    // Some writers put the value in quotes.
    let isQuoted = peek() == UInt8(ascii: "\"")
    if isQuoted { position += 1 }
    let end = isQuoted ? UInt8(ascii: "\"") : UInt8(ascii: ">")
    let start = position
    while let byte = peek(), byte != end {
      guard position - start < 2000 else {
        throw problem("the value that begins here has no end", at: opening)
      }
      position &+= 1
    }
    guard peek() != nil else { throw problem("the value that begins here has no end", at: opening) }
    let content = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
    if isQuoted { position += 1 }
    try expectEnd()
    guard let value = add(type, content) else {
      let content = String(decoding: content, as: UTF8.self)
      let excerpt = content.count > 40 ? String(content.prefix(40)) + "…" : content
      throw problem(
        "'\(excerpt)' is not \(Self.description(of: type))", at: start, code: .malformed)
    }
    return value
  }

  private mutating func add(_ type: UInt8, _ content: UnsafeRawBufferPointer) -> UInt32? {
    switch type {
    case UInt8(ascii: "I"):
      switch XMLInteger(content) {
      case .signed(let number): return builder.add(number)
      case .unsigned(let number): return builder.add(unsigned: number)
      case nil: return nil
      }
    case UInt8(ascii: "R"): return xmlReal(content).map { builder.add($0) }
    case UInt8(ascii: "D"):
      let text = String(decoding: content, as: UTF8.self)
      return OpenStepDate.seconds(text).map { builder.add(date: $0) }
    default:
      if content.elementsEqual("Y".utf8) { return builder.add(true) }
      return content.elementsEqual("N".utf8) ? builder.add(false) : nil
    }
  }

  private static func description(of type: UInt8) -> String {
    switch type {
    case UInt8(ascii: "I"): return "integer of at most 64 bits"
    case UInt8(ascii: "R"): return "real"
    case UInt8(ascii: "D"): return "date of the form 2001-01-01 00:00:00 +0000"
    default: return "boolean, Y or N"
    }
  }
}
