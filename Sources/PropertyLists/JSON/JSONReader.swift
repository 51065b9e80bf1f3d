// JSON (RFC 8259), read strictly: into the same table as property lists, with a stack of its own.

import ObjectGraph

/// Reads JSON into a table of values.
public enum JSONReader {
  /// Reads a JSON text.
  ///
  /// - Parameters:
  ///   - bytes: the text in UTF-8, with or without a byte order mark.
  ///   - fileOffset: where the bytes begin in the input file; nil if they do not stand there.
  ///   - limits: the depth that is allowed.
  /// - Throws: `ArchiveError` at the first fault.
  public static func read(
    _ bytes: UnsafeRawBufferPointer, fileOffset: Int? = 0, limits: Limits = Limits()
  ) throws(ArchiveError) -> Document {
    var parser = JSONParser(bytes: bytes, fileOffset: fileOffset, depth: limits.depth)
    do {
      let top = try parser.parse()
      return parser.finish(top: top)
    } catch {
      throw error.shifted(by: fileOffset)
    }
  }
}

/// The state of one parse.
private struct JSONParser: ~Copyable {
  private let bytes: UnsafeRawBufferPointer
  private let fileOffset: Int?
  private let depth: Int
  private var position = 0
  private var builder = GraphBuilder()
  /// Whether each open container is an object.
  private var objects: [Bool] = []

  init(bytes: UnsafeRawBufferPointer, fileOffset: Int?, depth: Int) {
    self.bytes = bytes
    self.fileOffset = fileOffset
    self.depth = depth
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  consuming func finish(top: UInt32) -> Document { builder.finish(top: top, encoding: .json) }

  mutating func parse() throws(ArchiveError) -> UInt32 {
    while true {
      skipSpace()
      guard var value = try beginValue() else { continue }
      // The value is whole: close as many containers as end behind it.
      while true {
        guard let isObject = objects.last else {
          skipSpace()
          guard position == bytes.count else { throw problem("nothing may follow the value") }
          return value
        }
        builder.append(value)
        skipSpace()
        if try !closes(isObject) { break }
        value = isObject ? builder.closeDictionary() : builder.close()
        objects.removeLast()
      }
    }
  }

  /// Reads a scalar or an empty container; opens a container that has content, and gives nil then.
  private mutating func beginValue() throws(ArchiveError) -> UInt32? {
    if let fileOffset { builder.sourceOffset = fileOffset + position }
    guard let first = peek() else { throw problem("a JSON value must stand here") }
    switch first {
    case UInt8(ascii: "{"): return try open(isObject: true)
    case UInt8(ascii: "["): return try open(isObject: false)
    case UInt8(ascii: "\""): return try string()
    case UInt8(ascii: "t"): return try word("true") { $0.add(true) }
    case UInt8(ascii: "f"): return try word("false") { $0.add(false) }
    case UInt8(ascii: "n"): return try word("null") { $0.addNull() }
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw problem("a JSON value must stand here")
    }
  }

  private mutating func open(isObject: Bool) throws(ArchiveError) -> UInt32? {
    guard objects.count < depth else {
      throw ArchiveError(
        .limit, "containers lie over \(depth) deep in one another", offset: position)
    }
    position += 1
    skipSpace()
    builder.open()
    if peek() == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
      position += 1
      return isObject ? builder.closeDictionary() : builder.close()
    }
    objects.append(isObject)
    if isObject { try key() }
    return nil
  }

  /// After a value: whether the container ends; else reads the comma, and in an object the next key.
  private mutating func closes(_ isObject: Bool) throws(ArchiveError) -> Bool {
    switch peek() {
    case UInt8(ascii: ","):
      position += 1
      if isObject {
        skipSpace()
        try key()
      }
      return false
    case isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"):
      position += 1
      return true
    default:
      throw problem("',' or '\(isObject ? "}" : "]")' must stand here")
    }
  }

  private mutating func key() throws(ArchiveError) {
    guard peek() == UInt8(ascii: "\"") else { throw problem("a key in quotes must stand here") }
    if let fileOffset { builder.sourceOffset = fileOffset + position }
    builder.append(try string())
    skipSpace()
    guard peek() == UInt8(ascii: ":") else { throw problem("':' must follow the key") }
    position += 1
  }

  // MARK: Scalars

  private mutating func word(
    _ word: StaticString, _ add: (inout GraphBuilder) -> UInt32
  ) throws(ArchiveError) -> UInt32 {
    let spelled = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard bytes[position...].starts(with: spelled) else {
      throw problem("a JSON value must stand here")
    }
    position += spelled.count
    return add(&builder)
  }

  /// The grammar of RFC 8259 section 6.
  ///
  /// Integers that 64 bits hold stay integers, all else is a real.
  private mutating func number() throws(ArchiveError) -> UInt32 {
    let start = position
    if peek() == UInt8(ascii: "-") { position += 1 }
    if peek() == UInt8(ascii: "0") {
      position += 1
    } else {
      try digits()
    }
    var isInteger = true
    if peek() == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      try digits()
    }
    if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
      isInteger = false
      position += 1
      if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger {
      if let signed = Int64(text) { return builder.add(signed) }
      if let unsigned = UInt64(text) { return builder.add(unsigned: unsigned) }
    }
    guard let real = Double(text), real.isFinite else {
      position = start
      throw problem("the number is too large for a real")
    }
    return builder.add(real)
  }

  private mutating func digits() throws(ArchiveError) {
    let start = position
    while let byte = peek(), (0x30...0x39).contains(byte) { position += 1 }
    guard position > start else { throw problem("a digit must stand here") }
  }

  private mutating func string() throws(ArchiveError) -> UInt32 {
    position += 1
    let start = position
    while let byte = peek() {
      if byte == UInt8(ascii: "\"") {
        let run = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
        guard let text = String(validating: run, as: UTF8.self) else {
          position = start
          throw problem("the string is not valid UTF-8")
        }
        position += 1
        return builder.add(text)
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
      guard byte >= 0x20 else { throw problem("control characters must be escaped in strings") }
      position += 1
    }
    throw problem("the string has no end")
  }

  /// A string with escapes, gathered as UTF-16 so that a lone surrogate survives.
  private mutating func escapedString(from start: Int) throws(ArchiveError) -> UInt32 {
    var units: [UInt16] = []
    var runStart = start
    while let byte = peek() {
      guard byte >= 0x20 else { throw problem("control characters must be escaped in strings") }
      guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
        position += 1
        continue
      }
      guard let run = String(validating: bytes[runStart..<position], as: UTF8.self) else {
        position = runStart
        throw problem("the string is not valid UTF-8")
      }
      units.append(contentsOf: run.utf16)
      position += 1
      if byte == UInt8(ascii: "\"") {
        let bigEndian = units.map(\.bigEndian)
        return bigEndian.withUnsafeBytes { raw in
          raw.baseAddress.map {
            builder.add(Text(base: $0, byteCount: raw.count, form: .utf16))
          } ?? builder.add("")
        }
      }
      units.append(try escape())
      runStart = position
    }
    throw problem("the string has no end")
  }

  private mutating func escape() throws(ArchiveError) -> UInt16 {
    guard let byte = peek() else { throw problem("the string has no end") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(byte)
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "u"):
      let digits = bytes[position..<min(position + 4, bytes.count)]
      let isHexadecimal = digits.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20)
      }
      guard digits.count == 4, isHexadecimal,
        let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
      else { throw problem("four hexadecimal digits must follow '\\u'") }
      position += 4
      return unit
    default:
      position -= 1
      throw problem("no such escape")
    }
  }

  // MARK: Bytes

  private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private func problem(_ message: String) -> ArchiveError {
    ArchiveError(
      position >= bytes.count ? .truncated : .malformed, "not JSON: \(message)", offset: position)
  }
}
