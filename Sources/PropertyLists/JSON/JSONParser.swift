// The grammar of JSON, into the same table as property lists, with a stack of its own.

import Basics
import ObjectGraph

/// The state of one parse.
struct JSONParser: ~Copyable {
  private let text: DecodedText
  let bytes: UnsafeRawBufferPointer
  private let fileOffset: Int?
  private let depth: Int
  /// Whether equal values keep places of their own, and integers all their digits; keys are told apart by what they are.
  let keepsPlaces: Bool
  /// Whether integers of over 64 bits are told from reals.
  let marksWide: Bool
  let allowsJSON5: Bool
  var position = 0
  var builder = GraphBuilder()
  /// Whether each open container is an object.
  private var objects: [Bool] = []
  /// What a person should know; a file of a thousand oddities is not worth a thousand lines.
  private(set) var warnings: [ArchiveError] = []

  init(
    _ text: DecodedText, fileOffset: Int?, depth: Int, allowsJSON5: Bool, keepsPlaces: Bool = false,
    marksWide: Bool = false
  ) {
    self.marksWide = marksWide
    self.keepsPlaces = keepsPlaces
    self.text = text
    self.fileOffset = text.isSource ? fileOffset.map { $0 + text.sourceOffset(of: 0) } : nil
    self.depth = depth
    self.allowsJSON5 = allowsJSON5
    bytes = text.utf8
    builder.isUniquing = !keepsPlaces
  }

  consuming func finish(top: UInt32) -> Document { builder.finish(top: top, encoding: .json) }

  mutating func parse() throws(ArchiveError) -> UInt32 {
    while true {
      try skipSpace()
      guard var value = try beginValue() else { continue }
      // The value is whole: close as many containers as end behind it.
      while true {
        guard let isObject = objects.last else {
          try skipSpace()
          guard position == bytes.count else { throw problem("nothing may follow the value") }
          return value
        }
        builder.append(value)
        try skipSpace()
        if try !closes(isObject) { break }
        value = isObject ? closeObject() : builder.close()
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
    case UInt8(ascii: "'") where allowsJSON5: return try string()
    case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "I"), UInt8(ascii: "N"):
      if allowsJSON5 { return try number() }
      throw problem("a JSON value must stand here")
    default: throw problem("a JSON value must stand here")
    }
  }

  private mutating func open(isObject: Bool) throws(ArchiveError) -> UInt32? {
    guard objects.count < depth else {
      throw ArchiveError(
        .limit, "containers lie over \(depth) deep in one another",
        offset: text.sourceOffset(of: position))
    }
    position += 1
    try skipSpace()
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
    let end = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    if peek() == UInt8(ascii: ",") {
      position += 1
      try skipSpace()
      if !allowsJSON5 || peek() != end {
        if isObject { try key() }
        return false
      }
    }
    guard peek() == end else { throw problem("',' or '\(isObject ? "}" : "]")' must stand here") }
    position += 1
    return true
  }

  /// The last value of a repeated key wins, as in Foundation.
  private mutating func closeObject() -> UInt32 {
    if let repeated = builder.keepLastOfRepeatedKeys(), warnings.count < 100 {
      let key = builder.string(at: repeated) ?? ""
      let excerpt = key.count > 40 ? String(key.prefix(40)) + "…" : key
      warnings.append(
        ArchiveError(
          .malformed, "the key '\(excerpt)' stands more than once; its last value is kept",
          offset: fileOffset == nil ? nil : builder.sourceOffset))
    }
    return builder.closeDictionary()
  }

  private mutating func key() throws(ArchiveError) {
    if let fileOffset { builder.sourceOffset = fileOffset + position }
    builder.isUniquing = true
    if let first = peek(), isJSONQuote(first) {
      builder.append(try string())
    } else if allowsJSON5 {
      builder.append(try identifier())
    } else {
      throw problem("a key in quotes must stand here")
    }
    try skipSpace()
    guard peek() == UInt8(ascii: ":") else { throw problem("':' must follow the key") }
    position += 1
    builder.isUniquing = !keepsPlaces
  }

  // MARK: Bytes

  @inline(__always)
  func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Whether a byte begins a string.
  @inline(__always)
  func isJSONQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || (allowsJSON5 && byte == UInt8(ascii: "'"))
  }

  @inline(__always)
  private mutating func skipSpace() throws(ArchiveError) {
    while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position &+= 1
    }
    if allowsJSON5 { try skipMoreSpace() }
  }

  /// An error at the position, or at another one.
  @inline(never)
  /// Warns of what is read in another way than it is written; a text of a thousand oddities is not worth a thousand lines.
  mutating func warn(_ message: String, at position: Int) {
    guard warnings.count < 100 else { return }
    warnings.append(
      ArchiveError(
        .malformed, message,
        offset: fileOffset == nil ? nil : text.sourceOffset(of: position)))
  }

  func problem(_ message: String, at other: Int? = nil) -> ArchiveError {
    ArchiveError(
      position >= bytes.count ? .truncated : .malformed,
      "not \(allowsJSON5 ? "JSON5" : "JSON"): \(message)",
      offset: text.sourceOffset(of: other ?? position))
  }
}
