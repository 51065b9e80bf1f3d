// The items of a bookmark by their types: the high byte tells the kind, the low one its width or form.

import Basics
import ObjectGraph

extension BookmarkReader {
  /// Adds an item's value.
  mutating func add(
    _ type: UInt32, _ range: Range<Int>, at offset: Int
  ) throws(ArchiveError) -> UInt32 {
    let content = UnsafeRawBufferPointer(rebasing: bytes[range])
    switch type {
    case 0x0101, 0x0901:
      guard let text = String(validating: content, as: UTF8.self) else {
        throw problem("a string of a bookmark must be UTF-8", at: offset)
      }
      return builder.add(text)
    case 0x0201: return builder.add(data: content)
    case 0x0301...0x0306: return try addNumber(type, content, at: offset)
    case 0x0400:
      let bits = try little(content, 8, at: offset)
      return builder.add(date: Double(bitPattern: bits.byteSwapped))
    case 0x0500: return builder.add(false)
    case 0x0501: return builder.add(true)
    case 0x0601: return try addArray(range, at: offset)
    case 0x0701: return try addDictionary(range, at: offset)
    case 0x0801:
      guard content.count == 16 else {
        throw problem("a UUID has 16 bytes, found \(content.count)", at: offset)
      }
      return builder.add(Self.identifier(content))
    case 0x0902: return try addRelative(range, at: offset)
    case 0x0A01: return builder.addNull()
    default: return addUnknown(type, content)
    }
  }

  private mutating func addNumber(
    _ type: UInt32, _ content: UnsafeRawBufferPointer, at offset: Int
  ) throws(ArchiveError) -> UInt32 {
    switch type {
    case 0x0301:
      return builder.add(Int64(Int8(truncatingIfNeeded: try little(content, 1, at: offset))))
    case 0x0302:
      return builder.add(Int64(Int16(truncatingIfNeeded: try little(content, 2, at: offset))))
    case 0x0303:
      return builder.add(Int64(Int32(truncatingIfNeeded: try little(content, 4, at: offset))))
    case 0x0304: return builder.add(Int64(bitPattern: try little(content, 8, at: offset)))
    case 0x0305:
      let bits = UInt32(truncatingIfNeeded: try little(content, 4, at: offset))
      return builder.add(Float(bitPattern: bits))
    default: return builder.add(Double(bitPattern: try little(content, 8, at: offset)))
    }
  }

  /// A number of some bytes, least significant first; the item must have exactly those.
  private func little(
    _ content: UnsafeRawBufferPointer, _ width: Int, at offset: Int
  ) throws(ArchiveError) -> UInt64 {
    guard content.count == width else {
      throw problem("a number of \(width) bytes has \(content.count)", at: offset)
    }
    return content.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  // MARK: Containers

  /// The offsets that a container's content lists.
  private func offsets(_ range: Range<Int>, at offset: Int) throws(ArchiveError) -> [Int] {
    guard range.count % 4 == 0 else {
      throw problem("a list of offsets has \(range.count) bytes, no multiple of 4", at: offset)
    }
    var offsets: [Int] = []
    for place in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
      offsets.append(Int(try word(place - start)))
    }
    return offsets
  }

  private mutating func addArray(
    _ range: Range<Int>, at offset: Int
  ) throws(ArchiveError) -> UInt32 {
    var indexes: [UInt32] = []
    for item in try offsets(range, at: offset) { indexes.append(try value(at: item)) }
    mark(offset)
    builder.open()
    for index in indexes { builder.append(index) }
    return builder.close()
  }

  private mutating func addDictionary(
    _ range: Range<Int>, at offset: Int
  ) throws(ArchiveError) -> UInt32 {
    let items = try offsets(range, at: offset)
    guard items.count % 2 == 0 else {
      throw problem(
        "a dictionary has \(items.count) items, no keys and values in pairs", at: offset)
    }
    var indexes: [UInt32] = []
    for item in items { indexes.append(try value(at: item)) }
    mark(offset)
    builder.open()
    for index in indexes { builder.append(index) }
    return builder.closeDictionary()
  }

  /// A URL relative to another: two offsets.
  private mutating func addRelative(
    _ range: Range<Int>, at offset: Int
  ) throws(ArchiveError) -> UInt32 {
    let items = try offsets(range, at: offset)
    guard items.count == 2 else {
      throw problem("a relative URL has a base and a reference, found \(items.count)", at: offset)
    }
    let base = try value(at: items[0])
    let relative = try value(at: items[1])
    mark(offset)
    let pairs = [builder.add("base"), base, builder.add("relative"), relative]
    builder.open()
    for index in pairs { builder.append(index) }
    return builder.closeDictionary()
  }

  /// An item of a type that is not known keeps its number and its bytes.
  private mutating func addUnknown(_ type: UInt32, _ content: UnsafeRawBufferPointer) -> UInt32 {
    let pairs = [
      builder.add("type"), builder.add(BookmarkKey.hexadecimal(type)), builder.add("data"),
      builder.add(data: content),
    ]
    builder.open()
    for index in pairs { builder.append(index) }
    return builder.closeDictionary()
  }

  /// The 16 bytes in upper-case hexadecimal, grouped 8-4-4-4-12.
  private static func identifier(_ bytes: UnsafeRawBufferPointer) -> String {
    var text = ""
    for (position, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(position) { text += "-" }
      text += hexadecimal(byte)
    }
    return text.uppercased()
  }
}
