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

    /// What separates its values, and what ends it.
    var marks: TextRecovery.Container {
      switch self {
      case .array:
        .init(
          separator: UInt8(ascii: ","), end: UInt8(ascii: ")"), outerSeparator: UInt8(ascii: ";"))
      case .dictionary: .init(separator: UInt8(ascii: ";"), end: UInt8(ascii: "}"))
      case .strings: .init(separator: UInt8(ascii: ";"), end: nil)
      }
    }
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
  /// Warnings with positions in `bytes`; a file with a thousand problems does not get a thousand lines.
  private(set) var warnings: [ArchiveError] = []
  private(set) var repeatedKeys: RepeatedKeys
  /// What becomes of errors; nil if the first ends reading.
  private(set) var recovery: TextRecovery?
  /// Whether the last value of the open container is followed by something else than its end.
  private var endsBadly = false

  init(
    _ text: DecodedText, fileOffset: Int?, depth: Int, recovering: Bool = false,
    locating: Bool = false
  ) {
    repeatedKeys = RepeatedKeys(locating: locating)
    recovery = recovering ? TextRecovery() : nil
    self.text = text
    self.fileOffset = text.isSource ? fileOffset.map { $0 + text.sourceOffset(of: 0) } : nil
    self.depth = depth
    bytes = text.utf8
  }

  consuming func finish(top: UInt32) -> Document {
    builder.finish(top: top, encoding: .openStepPropertyList)
  }

  mutating func parse() throws(ArchiveError) -> UInt32 {
    var step: TextRecovery.Step?
    while true {
      do throws(ArchiveError) {
        switch step {
        case nil: return try root()
        case .top(let top)?: return top
        case .value(let value)?: return try values(after: value)
        case .next?: return try values(after: nil)
        }
      } catch {
        step = try recover(from: error)
      }
    }
  }

  private mutating func root() throws(ArchiveError) -> UInt32 {
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
      frames.append(.strings)
      // A pair began, so this cannot be the end; but it may be a key without a value.
      if try !nextPair(of: .strings) {
        frames.removeLast()
        return close(.strings)
      }
    }
    return try values(after: nil)
  }

  /// Reads on to the end.
  ///
  /// - Parameter known: a value that was read; nil if the next begins at the position.
  private mutating func values(after known: UInt32?) throws(ArchiveError) -> UInt32 {
    var known = known
    while true {
      var value: UInt32
      if let first = known {
        value = first
        known = nil
      } else {
        guard let next = try beginValue() else { continue }
        value = next
      }
      // The value is complete: close all containers that end after it.
      while true {
        guard let frame = frames.last else {
          try skipEnd()
          if position == bytes.count { return value }
          recovery?.top = value
          throw problem("nothing may follow the property list, found \(found)")
        }
        builder.append(value)
        if try hasNext(of: frame) { break }
        value = close(frame)
        frames.removeLast()
      }
    }
  }

  /// Skips what may follow the root; other programs accept a semicolon as well.
  private mutating func skipEnd() throws(ArchiveError) {
    try skip()
    guard peek() == UInt8(ascii: ";") else { return }
    warn("a ';' follows the property list; other programs may not read it", at: position)
    position += 1
    try skip()
  }

  /// Marks what an error costs in the open container, and goes on behind it.
  private mutating func recover(from first: ArchiveError) throws(ArchiveError) -> TextRecovery.Step
  {
    var problem = first
    while true {
      guard problem.code != .limit, var recovery else { throw problem }
      defer { self.recovery = recovery }
      recovery.note(problem)
      guard let frame = frames.last else {
        guard let top = recovery.top else { throw problem }
        return .top(top)
      }
      if recovery.mark(problem, in: &builder, isPairs: frame != .array, replacing: endsBadly) {
        repeatedKeys.add(position)
      }
      endsBadly = false
      switch recovery.resume(in: bytes, at: &position, after: problem, frame.marks) {
      case .separator: break
      case .container:
        frames.removeLast()
        return .value(close(frame))
      case .text:
        frames.removeLast()
        var value = close(frame)
        while let outer = frames.popLast() {
          builder.append(value)
          value = close(outer)
        }
        return .top(value)
      }
      if frame == .array { return .next }
      do throws(ArchiveError) {
        if try nextPair(of: frame) { return .next }
        frames.removeLast()
        return frame == .strings ? .top(close(frame)) : .value(close(frame))
      } catch {
        problem = error
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
    case let first? where isQuote(first) || isBare(first) || first == UInt8(ascii: "+"):
      return try string()
    default: throw problem("expected a value\(place), found \(found)")
    }
  }

  private mutating func open(_ frame: Frame) throws(ArchiveError) {
    guard frames.count < depth else {
      throw ArchiveError(
        .limit, "containers are nested more than \(depth) levels deep",
        offset: position)
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
        endsBadly = peek() != nil
        // { length = 261, bytes = 0x6270 … }
        let isShortened = lastKey == "length" && peek() == UInt8(ascii: ",")
        let remedy =
          isShortened ? "; 'defaults read' shortens data so, 'defaults export' keeps it" : ""
        throw problem("expected ';' after the value of '\(lastKey)', found \(found)\(remedy)")
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
      endsBadly = peek() != nil
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
      let start = position
      let key = try string()
      builder.append(key)
      repeatedKeys.add(start)
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
    repeatedKeys.end(&builder)
    if let uid = uidOfOpenDictionary() {
      builder.discardOpen()
      return builder.add(uid: uid)
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

  mutating func warn(_ message: String, at position: Int) {
    if warnings.count < 100 { warnings.append(ArchiveError(.malformed, message, offset: position)) }
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
      message, offset: place)
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
