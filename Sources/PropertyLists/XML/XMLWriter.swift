// XML property lists as Apple's own writer lays them out: tabs, a line an element, Base64 in short lines.
//
// Layout facts: CoreFoundation, CFPropertyList.c (_CFAppendXML0); the document type is PropertyList-1.0.dtd.

import Basics
import ObjectGraph

/// Writes stored values as an XML property list.
public enum XMLWriter {
  /// Writes the values reachable from a document's top.
  ///
  /// A UID becomes the dictionary `CF$UID`. XML has whole seconds only: fractions of dates are left out. A real of four
  /// bytes becomes one of eight.
  ///
  /// - Parameters:
  ///   - document: a document whose table was checked.
  ///   - limits: the depth and the number of values that are allowed.
  ///   - keepsControlCharacters: whether characters that XML 1.0 forbids are written as they are, as Foundation does.
  /// - Returns: how many dates lost a fraction of a second, and how many reals their precision.
  /// - Throws: `ArchiveError` with code `unrepresentable` at the first null, set, key that is not a string or
  ///   repeated, or string with characters that XML 1.0 forbids.
  public static func write(
    _ document: Document, limits: Limits = Limits(), keepsControlCharacters: Bool = false,
    to output: inout OutputBuffer
  ) throws(ArchiveError) -> (fractions: Int, singles: Int) {
    output.bytes.append(
      contentsOf: """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """)
    let written = try TreeWriter.write(
      document, as: XMLSyntax(keepsControlCharacters: keepsControlCharacters), limits: limits,
      to: &output)
    output.bytes.append(contentsOf: "\n</plist>\n")
    output.flushIfFull()
    return (written.syntax.fractions, written.singles)
  }
}

/// The syntax of an XML property list.
struct XMLSyntax: TreeSyntax {
  private static let lineLength = 76
  private static let tabWidth = 8

  /// Whether characters that XML 1.0 forbids are written as they are.
  let keepsControlCharacters: Bool
  /// How many dates lost a fraction of a second.
  private(set) var fractions = 0

  init(keepsControlCharacters: Bool) { self.keepsControlCharacters = keepsControlCharacters }

  var name: String { "an XML property list" }

  func refusal(of kind: ContainerKind) -> ArchiveError? { noSpelling(for: "a set") }

  /// Negative numbers and those above `Int64.max` are not UIDs.
  @inline(__always)
  func examine(_ dictionary: UInt32, in table: ValueTable) throws(ArchiveError) {
    try refuseLikeUID(dictionary, in: table) { value in
      if case .integer(let number) = value { return number >= 0 }
      return false
    }
  }

  func open(_ kind: ContainerKind, depth: Int, to output: inout ByteBuffer) {
    output.append(contentsOf: kind == .dictionary ? "<dict>" : "<array>")
  }

  func close(_ kind: ContainerKind, depth: Int, to output: inout ByteBuffer) {
    newline(depth, to: &output)
    output.append(contentsOf: kind == .dictionary ? "</dict>" : "</array>")
  }

  func empty(_ kind: ContainerKind, to output: inout ByteBuffer) {
    output.append(contentsOf: kind == .dictionary ? "<dict/>" : "<array/>")
  }

  @inline(__always)
  func beginItem(isFirst: Bool, depth: Int, to output: inout ByteBuffer) {
    newline(depth, to: &output)
  }

  @inline(__always)
  func endItem(to output: inout ByteBuffer) {}

  func key(_ text: Text, depth: Int, to output: inout ByteBuffer) throws(ArchiveError) {
    output.append(contentsOf: "<key>")
    try XMLText.append(text, keeping: keepsControlCharacters, to: &output)
    output.append(contentsOf: "</key>")
    newline(depth, to: &output)
  }

  @inline(__always)
  mutating func scalar(_ value: Value, depth: Int, to output: inout ByteBuffer) throws(ArchiveError)
  {
    switch value {
    case .string(let text):
      output.append(contentsOf: "<string>")
      try XMLText.append(text, keeping: keepsControlCharacters, to: &output)
      output.append(contentsOf: "</string>")
    case .integer(let number):
      output.append(contentsOf: "<integer>")
      JSONText.append(number, to: &output)
      output.append(contentsOf: "</integer>")
    case .unsigned(let number):
      output.append(contentsOf: "<integer>")
      JSONText.append(number, to: &output)
      output.append(contentsOf: "</integer>")
    case .wide(let number): throw noSpelling(for: "the integer \(number)")
    case .real(let number): real(number, to: &output)
    case .single(let number): real(Double(number), to: &output)
    case .boolean(let flag): output.append(contentsOf: flag ? "<true/>" : "<false/>")
    case .date(let seconds): try date(seconds, to: &output)
    case .data(let bytes): data(bytes, depth: depth, to: &output)
    case .uid(let number): try uid(number, depth: depth, to: &output)
    default: throw noSpelling(for: "null")
    }
  }

  // MARK: Scalars

  private func real(_ number: Double, to output: inout ByteBuffer) {
    output.append(contentsOf: "<real>")
    if number.isNaN {
      output.append(contentsOf: "nan")
    } else if number.isInfinite {
      output.append(contentsOf: number < 0 ? "-infinity" : "+infinity")
    } else {
      output.append(number.description)
    }
    output.append(contentsOf: "</real>")
  }

  private mutating func date(_ seconds: Double, to output: inout ByteBuffer) throws(ArchiveError) {
    let whole = seconds.rounded(.down)
    guard let timestamp = Timestamp(secondsFromReference: whole), abs(timestamp.year) <= 999_999_999
    else { throw noSpelling(for: "the date \(seconds) seconds from 2001") }
    if whole != seconds { fractions += 1 }
    output.append(contentsOf: "<date>")
    timestamp.append(to: &output)
    output.append(contentsOf: "</date>")
  }

  private func data(
    _ bytes: UnsafeRawBufferPointer, depth: Int, to output: inout ByteBuffer
  ) {
    output.append(contentsOf: "<data>")
    newline(depth, to: &output)
    let length = max(Self.lineLength - Self.tabWidth * min(depth, 8), 4)
    let step = length / 4 * 3
    var start = 0
    while start < bytes.count {
      let end = min(start + step, bytes.count)
      Base64.encode(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), to: &output)
      newline(depth, to: &output)
      start = end
    }
    output.append(contentsOf: "</data>")
  }

  private func uid(
    _ number: UInt64, depth: Int, to output: inout ByteBuffer
  ) throws(ArchiveError) {
    // A greater number is read back as a dictionary: as an integer, it has no sign bit to spare.
    guard number <= UInt64(Int64.max) else { throw noSpelling(for: "the UID \(number)") }
    output.append(contentsOf: "<dict>")
    newline(depth + 1, to: &output)
    output.append(contentsOf: "<key>CF$UID</key>")
    newline(depth + 1, to: &output)
    output.append(contentsOf: "<integer>")
    JSONText.append(number, to: &output)
    output.append(contentsOf: "</integer>")
    newline(depth, to: &output)
    output.append(contentsOf: "</dict>")
  }

  @inline(__always)
  private func newline(_ depth: Int, to output: inout ByteBuffer) {
    output.appendLine(indentedBy: depth, of: UInt8(ascii: "\t"))
  }
}
