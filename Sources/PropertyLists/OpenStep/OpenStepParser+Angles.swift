// Values in angle brackets: data in hexadecimal or Base64, and GNUstep's typed scalars.
//
// Format facts: GNUstep Base, NSPropertyList.m: `<*I5>`, `<*R1.5>`, `<*BY>`, `<*D2009-01-02 03:04:05 +0000>`, `<[AQI=]>`.

import Basics
import ObjectGraph

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
