// Where the values of a JSON text are in it, with digests that tell equal values: for texts that keep their layout.

import ArchiveBasics

/// The values of a JSON text that was read before.
struct JSONExtents {
  struct Value {
    /// Its first byte.
    let kind: UInt8
    var range: Range<Int>
    /// Its key, with the quotes; nil for an element and for the root.
    let key: Range<Int>?
    /// Its key without escapes.
    let name: [UInt8]
    var children: [Int] = []
    /// The same for equal values, and most likely another for others.
    var digest = 0

    /// Where it begins, with its key.
    var start: Int { key?.lowerBound ?? range.lowerBound }
    var isObject: Bool { kind == UInt8(ascii: "{") }
    var isContainer: Bool { isObject || kind == UInt8(ascii: "[") }
  }

  let bytes: ByteView
  private(set) var values: [Value] = []
  /// Whether numbers are equal by value, and not only if they are written alike.
  private let comparesNumbers: Bool
  private var position = 0
  private var open: [Int] = []
  /// Whether a value was complete, after which a comma or the end of its container follows.
  private var isAfterValue = false

  /// Finds the values of a text.
  ///
  /// - Returns: nil for what is not JSON in UTF-8.
  init?(_ bytes: ByteView, comparesNumbers: Bool) {
    self.bytes = bytes
    self.comparesNumbers = comparesNumbers
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    repeat {
      guard readValue() else { return nil }
    } while !open.isEmpty
    skipSpace()
    guard position == bytes.count, !values.isEmpty else { return nil }
  }

  /// Reads a scalar, or the beginning or the end of a container.
  private mutating func readValue() -> Bool {
    skipSpace()
    guard let byte = bytes.byte(at: position) else { return false }
    switch byte {
    case UInt8(ascii: ","):
      position += 1
      defer { isAfterValue = false }
      return isAfterValue && !open.isEmpty
    case UInt8(ascii: "}"), UInt8(ascii: "]"): return close(byte)
    default: if isAfterValue { return false }
    }
    var key: Range<Int>?
    if let holder = open.last, values[holder].isObject {
      guard let found = string() else { return false }
      key = found
      skipSpace()
      guard bytes.byte(at: position) == UInt8(ascii: ":") else { return false }
      position += 1
      skipSpace()
    }
    guard let first = bytes.byte(at: position) else { return false }
    let name = key.map { decoded($0) } ?? []
    var value = Value(kind: first, range: position..<position, key: key, name: name)
    if let holder = open.last { values[holder].children.append(values.count) }
    if value.isContainer {
      open.append(values.count)
      position += 1
    } else {
      guard let range = scalar(first) else { return false }
      value.range = range
      value.digest = digest(range, first)
      isAfterValue = true
    }
    values.append(value)
    return true
  }

  private mutating func close(_ byte: UInt8) -> Bool {
    guard let last = open.popLast(), values[last].isObject == (byte == UInt8(ascii: "}")),
      isAfterValue || values[last].children.isEmpty
    else { return false }
    position += 1
    isAfterValue = true
    values[last].range = values[last].range.lowerBound..<position
    var hasher = Hasher()
    hasher.combine(values[last].kind)
    for child in values[last].children {
      hasher.combine(values[child].name)
      hasher.combine(values[child].digest)
    }
    values[last].digest = hasher.finalize()
    return true
  }

  // MARK: Tokens

  private mutating func skipSpace() {
    while let byte = bytes.byte(at: position), isSpace(byte) { position += 1 }
  }

  private mutating func scalar(_ first: UInt8) -> Range<Int>? {
    if first == UInt8(ascii: "\"") { return string() }
    let start = position
    while let byte = bytes.byte(at: position), !isSpace(byte), !",]}".utf8.contains(byte) {
      position += 1
    }
    let text = bytes[start..<position]
    let isWord = ["true", "false", "null"].contains { text.elementsEqual($0.utf8) }
    let isNumber = text.first.map { $0 == UInt8(ascii: "-") || $0 &- 0x30 < 10 } ?? false
    return isWord || isNumber ? start..<position : nil
  }

  private mutating func string() -> Range<Int>? {
    guard bytes.byte(at: position) == UInt8(ascii: "\"") else { return nil }
    let start = position
    position += 1
    while let byte = bytes.byte(at: position) {
      position += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return start..<position }
    }
    return nil
  }

  private func digest(_ range: Range<Int>, _ first: UInt8) -> Int {
    var hasher = Hasher()
    if first == UInt8(ascii: "\"") {
      hasher.combine(decoded(range))
    } else if comparesNumbers, bytes[range].contains(where: { ".eE".utf8.contains($0) }),
      let number = Double(String(decoding: bytes[range], as: UTF8.self))
    {
      hasher.combine(number.bitPattern)
    } else {
      for byte in bytes[range] { hasher.combine(byte) }
    }
    return hasher.finalize()
  }

  /// The content of a string: escapes become UTF-16 units of their characters in the text.
  private func decoded(_ range: Range<Int>) -> [UInt8] {
    let content = bytes[(range.lowerBound + 1)..<(range.upperBound - 1)]
    guard content.contains(UInt8(ascii: "\\")) else { return Array(content) }
    var text: [UInt8] = []
    var position = content.startIndex
    while position < content.endIndex {
      let byte = content[position]
      position += 1
      guard byte == UInt8(ascii: "\\"), position < content.endIndex else {
        text.append(byte)
        continue
      }
      let escaped = content[position]
      position += 1
      switch escaped {
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        var units = [unit(in: content, at: &position)]
        if UTF16.isLeadSurrogate(units[0]), content[position...].starts(with: "\\u".utf8) {
          position += 2
          units.append(unit(in: content, at: &position))
        }
        text += String(decoding: units, as: UTF16.self).utf8
      default: text.append(escaped)
      }
    }
    return text
  }

  private func unit(in content: Slice<ByteView>, at position: inout Int) -> UInt16 {
    let digits = content[position...].prefix(4)
    position += digits.count
    return digits.reduce(0) { $0 << 4 | UInt16(hexadecimalDigit($1) ?? 0) }
  }
}
