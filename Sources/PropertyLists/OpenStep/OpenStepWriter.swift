// OpenStep property lists, written one value a line as Apple's descriptions of collections are.
//
// Format facts: CoreFoundation, CFOldStylePList.c; GNUstep Base, NSPropertyList.m for the types in `<*…>`.

import Basics
import ObjectGraph

/// Writes stored values as an OpenStep property list.
public enum OpenStepWriter {
  /// The values that can be represented.
  public enum Dialect: Sendable {
    /// Strings, data, arrays and dictionaries, as Apple's readers know them.
    case openStep
    /// Also numbers, booleans, dates and UIDs, in GNUstep's notation.
    case gnuStep
  }

  /// Writes the values reachable from a document's top.
  ///
  /// The output reads back the same, except that a real of four bytes becomes one of eight.
  ///
  /// - Parameters:
  ///   - document: a document whose table was checked.
  ///   - limits: the depth and the number of values that are allowed.
  ///   - dialect: the values that can be represented.
  /// - Returns: how many reals lost their precision of four bytes.
  /// - Throws: `ArchiveError` with code `unrepresentable` at the first value that the dialect cannot represent, or key
  ///   that is not a string.
  @discardableResult
  public static func write(
    _ document: Document, limits: Limits = Limits(), dialect: Dialect = .gnuStep,
    to output: inout OutputBuffer
  ) throws(ArchiveError) -> Int {
    let written = try TreeWriter.write(
      document, as: OpenStepSyntax(dialect), limits: limits, to: &output)
    output.bytes.append(UInt8(ascii: "\n"))
    output.flushIfFull()
    return written.singles
  }
}

// MARK: - The texts of OpenStep strings

/// Appends OpenStep strings to a buffer.
enum OpenStepText {
  /// Appends a string.
  ///
  /// - Parameter isAlone: whether the string is the whole property list; then quotes distinguish it from prose.
  static func append(_ text: Text, isAlone: Bool, to output: inout ByteBuffer) {
    if !isAlone, isBareString(text) { return output.append(text.bytes) }
    output.append(UInt8(ascii: "\""))
    if text.isSevenBit {
      for byte in text.bytes { append(UInt16(byte), to: &output) }
    } else {
      appendUnits(text, to: &output)
    }
    output.append(UInt8(ascii: "\""))
  }

  /// Whether a string needs no quotes: two slashes would begin a comment.
  private static func isBareString(_ text: Text) -> Bool {
    guard text.form != .utf16, text.byteCount > 0 else { return false }
    var previous: UInt8 = 0
    for byte in text.bytes {
      guard isBare(byte), byte != UInt8(ascii: "/") || previous != byte else { return false }
      previous = byte
    }
    return true
  }

  /// Each code unit of UTF-16 has its escape, so that lone surrogates survive.
  private static func appendUnits(_ text: Text, to output: inout ByteBuffer) {
    if text.form == .utf16 {
      for position in 0..<text.byteCount / 2 {
        append(text.unit(at: position) ?? 0xFFFD, to: &output)
      }
    } else {
      for unit in text.string.utf16 { append(unit, to: &output) }
    }
  }

  /// Escapes with letters but for the most usual are not written: swift-foundation reads `\f` and `\v` as other
  /// characters than CoreFoundation does.
  private static func append(_ unit: UInt16, to output: inout ByteBuffer) {
    switch unit {
    case 0x22, 0x5C:
      output.append(UInt8(ascii: "\\"))
      output.append(UInt8(truncatingIfNeeded: unit))
    case 0x09: output.append(contentsOf: "\\t")
    case 0x0A: output.append(contentsOf: "\\n")
    case 0x0D: output.append(contentsOf: "\\r")
    case 0x20..<0x7F: output.append(UInt8(truncatingIfNeeded: unit))
    default:
      output.append(contentsOf: "\\U")
      output.append(hexadecimal(UInt8(unit >> 8)))
      output.append(hexadecimal(UInt8(unit & 0xFF)))
    }
  }
}
