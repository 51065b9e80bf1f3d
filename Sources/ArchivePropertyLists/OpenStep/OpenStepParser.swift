// The grammar of OpenStep property lists, with an explicit stack: containers and the punctuation between values.

import ArchiveBasics
import ArchiveGraph

struct OpenStepParser: BracketedParser, ~Copyable {
  static let encoding = Encoding.openStepPropertyList

  private let text: DecodedText
  let bytes: ByteView
  var builder = GraphBuilder()
  var position = 0
  var state: ParserState
  var units = ByteBuffer()

  init(_ text: DecodedText, fileOffset: Int?, depth: Int, recovering: Bool = false) {
    self.text = text
    state = ParserState(text, fileOffset: fileOffset, depth: depth, recovering: recovering)
    bytes = text.utf8
  }

  var messagePrefix: String { "" }
  var surplusMessage: String { "nothing may follow the property list, found \(found)" }

  func marks(of container: TextContainer) -> TextRecovery.Container {
    switch container {
    case .array:
      .init(
        separator: UInt8(ascii: ","), end: UInt8(ascii: ")"), outerSeparator: UInt8(ascii: ";"))
    case .dictionary: .init(separator: UInt8(ascii: ";"), end: UInt8(ascii: "}"))
    case .strings: .init(separator: UInt8(ascii: ";"), end: nil)
    }
  }

  func check(_ byte: UInt8) {}

  // MARK: Values and containers

  mutating func root() throws(ArchiveError) -> UInt32 {
    try skip()
    mark()
    if position == bytes.count {
      // A .strings file may be empty, but for comments and white space.
      if !bytes.contains(UInt8(ascii: "/")) {
        warn("the text is blank; it is read as an empty dictionary", at: 0)
      }
      builder.open()
      return builder.closeDictionary()
    }
    if try beginsPairs() {
      builder.open()
      state.containers.append(.strings)
      // A pair began, so this cannot be the end; but it may be a key without a value.
      if try !nextPair(of: .strings) { return closeInnermost(.strings) }
    }
    return try values(after: nil)
  }

  /// Skips what may follow the root; other programs accept a semicolon as well.
  mutating func skipEnd() throws(ArchiveError) {
    try skip()
    guard peek() == UInt8(ascii: ";") else { return }
    warn("a ';' follows the property list; other programs may not read it", at: position)
    position += 1
    try skip()
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

  mutating func beginValue() throws(ArchiveError) -> UInt32? {
    try skip()
    mark()
    switch peek() {
    case UInt8(ascii: "{"):
      try open(.dictionary)
      return try nextPair(of: .dictionary) ? nil : closeInnermost(.dictionary)
    case UInt8(ascii: "("):
      try open(.array)
      try skip()
      guard peek() == UInt8(ascii: ")") else { return nil }
      position += 1
      return closeInnermost(.array)
    case UInt8(ascii: "<"): return try angle()
    case let first? where isQuote(first) || isBare(first) || first == UInt8(ascii: "+"):
      return try string()
    default: throw problem("expected a value\(context), found \(found)")
    }
  }

  private mutating func open(_ container: TextContainer) throws(ArchiveError) {
    position += 1
    try open(container, at: position - 1)
  }

  mutating func hasNext(of container: TextContainer) throws(ArchiveError) -> Bool {
    try skip()
    guard container == .array else {
      guard peek() == UInt8(ascii: ";") else {
        state.endsBadly = peek() != nil
        // { length = 261, bytes = 0x6270 … }
        let isShortened = lastKey == "length" && peek() == UInt8(ascii: ",")
        let remedy =
          isShortened ? "; 'defaults read' shortens data so, 'defaults export' keeps it" : ""
        throw problem("expected ';' after the value of '\(lastKey)', found \(found)\(remedy)")
      }
      position += 1
      return try nextPair(of: container)
    }
    if peek() == UInt8(ascii: ",") {
      position += 1
      try skip()
      if peek() != UInt8(ascii: ")") { return true }
    }
    guard peek() == UInt8(ascii: ")") else {
      state.endsBadly = peek() != nil
      throw problem("expected ',' or ')' after an element, found \(found)")
    }
    position += 1
    return false
  }

  /// Reads keys up to one that has a value of its own.
  ///
  /// - Returns: false at the end of the container.
  mutating func nextPair(of container: TextContainer) throws(ArchiveError) -> Bool {
    while true {
      try skip()
      guard let first = peek() else {
        if container == .strings { return false }
        throw problem("expected a key or '}', found \(found)")
      }
      if first == UInt8(ascii: "}"), container == .dictionary {
        position += 1
        return false
      }
      guard isQuote(first) || isBare(first) else {
        throw problem(
          container == .dictionary
            ? "expected a key or '}', found \(found)" : "expected a key, found \(found)")
      }
      mark()
      let start = position
      let key = try string()
      builder.append(key)
      state.repeatedKeys.add(start)
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

  mutating func close(_ container: TextContainer) -> UInt32 {
    if container == .array { return builder.close() }
    state.repeatedKeys.end(&builder)
    if let uid = uidOfOpenDictionary() {
      builder.discardOpen()
      return builder.add(uid: uid)
    }
    return builder.closeDictionary()
  }

  /// A dictionary with the single key `CF$UID` represents a UID, as in XML; its number is a string if the text has no
  /// others (go-plist and GNUstep write it so).
  private mutating func uidOfOpenDictionary() -> UInt64? {
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

  // MARK: Parts of messages

  /// The key whose value was read last.
  private var lastKey: String {
    mutating get {
      let values = builder.openValues
      return values.count >= 2 ? excerpt(values[values.endIndex - 2]) : ""
    }
  }

  /// Where in its container a value is missing.
  private var context: String {
    mutating get {
      switch state.containers.last {
      case nil: ""
      case .array: " or ')'"
      case .dictionary, .strings:
        builder.openValues.last.map { " of the key '\(excerpt($0))'" } ?? ""
      }
    }
  }

  private func excerpt(_ key: UInt32) -> String {
    (builder.string(at: key) ?? "").shortened(to: 40)
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

// MARK: - Strings of OpenStep property lists, and what separates values: white space and comments

extension OpenStepParser {
  // MARK: White space

  /// Skips white space and comments.
  @inline(__always)
  mutating func skip() throws(ArchiveError) {
    while let byte = peek() {
      if byte == 0x20 || byte &- 0x09 < 5 {
        position &+= 1
      } else if byte == UInt8(ascii: "/") || byte == 0xE2 {
        if try !skipRare(byte) { return }
      } else {
        return
      }
    }
  }

  /// Skips a comment, or one of the separators U+2028 and U+2029 (E2 80 A8 and A9).
  @inline(never)
  private mutating func skipRare(_ first: UInt8) throws(ArchiveError) -> Bool {
    guard first == 0xE2 else {
      return try skipComment("the comment that begins here has no end")
    }
    guard isSeparator(at: position) else { return false }
    position += 3
    return true
  }

  // MARK: Strings

  /// Reads a string that begins at the position, in quotes or without.
  mutating func string() throws(ArchiveError) -> UInt32 {
    guard let quote = peek(), isQuote(quote) else {
      let start = position
      while let byte = peek(), isBare(byte) { position &+= 1 }
      if peek() == UInt8(ascii: "+") { skipBareWithPlus() }
      return add(start..<position)
    }
    position &+= 1
    let start = position
    while let byte = peek() {
      if byte == quote {
        position &+= 1
        return add(start..<(position &- 1))
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start, quote) }
      position &+= 1
    }
    throw endlessString(from: start)
  }

  func endlessString(from start: Int) -> ArchiveError {
    problem("the string that begins here has no end", at: start - 1)
  }

  /// Skips the rest of a string without quotes that has a plus sign: other programs may want quotes around it.
  @inline(never)
  private mutating func skipBareWithPlus() {
    warn("a string with '+' has no quotes; other programs may not read it", at: position)
    while let byte = peek(), isBare(byte) || byte == UInt8(ascii: "+") { position += 1 }
  }

  private mutating func add(_ range: Range<Int>) -> UInt32 {
    guard let base = bytes.baseAddress, !range.isEmpty else { return builder.add("") }
    return builder.add(Text(base: base + range.lowerBound, byteCount: range.count, form: .utf8))
  }

  mutating func escape() throws(ArchiveError) -> UInt16? {
    // The string has no end, which is said of it where it begins.
    guard let byte = peek() else { return nil }
    position += 1
    switch byte {
    case UInt8(ascii: "a"): return 0x07
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "v"): return 0x0B
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "U"): return try hexadecimal()
    case UInt8(ascii: "0")...UInt8(ascii: "7"): return try octal(byte)
    case 0x80...:
      // A backslash before any other character is ignored: its bytes are read as part of the run that follows.
      position -= 1
      return nil
    default: return UInt16(byte)
    }
  }

  /// One to four digits: a UTF-16 code unit, so that two escapes make a character beyond U+FFFF.
  private mutating func hexadecimal() throws(ArchiveError) -> UInt16 {
    var unit: UInt16 = 0
    var count = 0
    while count < 4, let byte = peek(), let digit = hexadecimalDigit(byte) {
      unit = unit << 4 | UInt16(digit)
      position += 1
      count += 1
    }
    guard count > 0 else {
      throw problem("expected hexadecimal digits after '\\U', found \(found)")
    }
    return unit
  }

  /// One to three digits: a byte in NeXTSTEP's encoding.
  private mutating func octal(_ first: UInt8) throws(ArchiveError) -> UInt16 {
    let start = position - 2
    let digits = bytes[position...].prefix(2).prefix { $0 & 0xF8 == UInt8(ascii: "0") }
    position += digits.count
    let number = digits.reduce(UInt16(first & 7)) { $0 << 3 | UInt16($1 & 7) }
    guard let byte = UInt8(exactly: number) else {
      throw problem("an octal escape goes to \\377", at: start, code: .malformed)
    }
    return OneByteEncoding.nextStep.character(byte)
  }
}

/// The value of a hexadecimal digit, nil for other bytes.
@inline(__always)
package func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  if isDigit(byte) { return byte &- 0x30 }
  let letter = (byte | 0x20) &- UInt8(ascii: "a")
  return letter < 6 ? letter &+ 10 : nil
}

// MARK: - Values in angle brackets: data in hexadecimal or Base64, and GNUstep's typed scalars
//
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
    Base64.decode(bytes.part(digits), to: &data)
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
    let content = bytes.part(start..<position)
    if isQuoted { position += 1 }
    try expectEnd()
    guard let value = add(type, content) else {
      let excerpt = String(decoding: content, as: UTF8.self).shortened(to: 40)
      throw problem(
        "'\(excerpt)' is not \(Self.description(of: type))", at: start, code: .malformed)
    }
    return value
  }

  private mutating func add(_ type: UInt8, _ content: ByteView) -> UInt32? {
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
