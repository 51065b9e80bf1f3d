// OpenStep property lists as a format.

import ArchiveBasics
import ArchiveGraph

extension Encoding {
  /// The text property lists of NeXTSTEP, GNUstep and Xcode.
  package static let openStepPropertyList = Encoding(
    "OpenStep property list", [.text, .archives, .textualNumbers, .vowel])
}

/// OpenStep property lists, with GNUstep's types for those that OpenStep lacks.
package enum OpenStepFormat: PropertyListFormat {
  package static let encoding = Encoding.openStepPropertyList
  package static let word = "openstep"
  package static let targetName: String? = "openstep"
  package static let keepsStoredValues = true

  /// Reads a text in UTF-8, UTF-16 or UTF-32, or in Mac Roman if it is not UTF-8.
  package static func read(_ input: FormatInput) throws(ArchiveError) -> FormatReading {
    let fileOffset = input.fileOffset
    var text: DecodedText
    var warnings: [ArchiveError] = []
    do throws(ArchiveError) {
      text = try DecodedText(input.bytes)
      if text.encoding == .utf8, let fault = text.firstFault {
        let offset = text.sourceOffset(of: fault)
        // Old .strings files are in Mac Roman, and CoreFoundation falls back to it too (CFPropertyList.c).
        guard text.sourceOffset(of: 0) == 0 else {
          throw ArchiveError(.malformed, "the text is not valid UTF-8", offset: offset)
        }
        warnings.append(
          ArchiveError(
            .malformed, "the text is not valid UTF-8; it is read as Mac Roman", offset: offset
          )
          .shifted(by: fileOffset))
        text = try DecodedText(input.bytes, in: .oneByte(.macRoman))
      }
    } catch {
      throw error.shifted(by: fileOffset)
    }
    do throws(ArchiveError) {
      let parser = OpenStepParser(
        text, fileOffset: fileOffset, depth: input.options.limits.depth,
        recovering: input.options.isRecovering)
      let reading = try parser.read(text, fileOffset: fileOffset)
      return FormatReading(
        reading.document, warnings: warnings + reading.warnings, losses: reading.losses)
    } catch {
      throw text.located(error, fileOffset)
    }
  }

  package static func write(
    _ document: Document, _ options: WritingOptions, to output: inout OutputBuffer
  ) throws(ArchiveError) -> [ArchiveError] {
    let written = try TreeWriter.write(
      document, as: OpenStepSyntax(), limits: options.limits, to: &output)
    return ArchiveError.widened(written.singles, in: "an OpenStep property list")
  }

  package static func extent(of value: ByteView) -> Int? {
    SourceExtent.bracketed(value, open: "({<", close: ")}>", end: ",)}>;=")
  }
}

// MARK: - The texts of OpenStep strings
//
// Property lists are written one value a line, as Apple's descriptions of collections are.
//
// Format facts: CoreFoundation, CFOldStylePList.c; GNUstep Base, NSPropertyList.m for the types in `<*…>`.

enum OpenStepText {
  /// Appends a string.
  ///
  /// - Parameter isAlone: whether the string is the whole property list; then quotes distinguish it from prose.
  static func append(_ text: Text, isAlone: Bool, to output: inout ByteBuffer) {
    if !isAlone, isBareString(text) { return output.append(text.bytes) }
    output.append(UInt8(ascii: "\""))
    // Each code unit of UTF-16 has its escape, so that lone surrogates survive.
    if text.isSevenBit {
      for byte in text.bytes { append(UInt16(byte), to: &output) }
    } else if text.form == .utf16 {
      for position in 0..<text.byteCount / 2 {
        append(text.unit(at: position) ?? 0xFFFD, to: &output)
      }
    } else {
      for unit in text.string.utf16 { append(unit, to: &output) }
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

// MARK: - The notation of stored values in an OpenStep property list

struct OpenStepSyntax: TreeSyntax {
  /// Whether each open container is a dictionary.
  private var dictionaries: [Bool] = []

  var name: String { "an OpenStep property list" }

  func refusal(of kind: ContainerKind) -> ArchiveError? { unrepresentable("a set") }

  /// The reader treats a string of digits as a number there.
  func examine(_ dictionary: UInt32, in table: ValueTable) throws(ArchiveError) {
    try refuseLikeUID(dictionary, in: table) { value in
      switch value {
      case .integer(let number): return number >= 0
      case .string(let text):
        let digits = text.string
        return digits.utf8.allSatisfy { isDigit($0) } && UInt64(digits) != nil
      default: return false
      }
    }
  }

  // MARK: Containers

  func brackets(of kind: ContainerKind) -> ContainerBrackets {
    kind == .dictionary ? .init("{", "}", "{}") : .init("(", ")", "()")
  }

  @inline(__always)
  func line(_ depth: Int, to output: inout ByteBuffer) {
    output.appendLine(indentedBy: depth * 4)
  }

  mutating func open(_ kind: ContainerKind, to output: inout ByteBuffer) {
    dictionaries.append(kind == .dictionary)
    output.append(contentsOf: brackets(of: kind).open)
  }

  mutating func close(_ kind: ContainerKind, to output: inout ByteBuffer) {
    dictionaries.removeLast()
    output.append(contentsOf: brackets(of: kind).close)
  }

  @inline(__always)
  func beginItem(isFirst: Bool, to output: inout ByteBuffer) {
    if !isFirst, dictionaries.last == false { output.append(UInt8(ascii: ",")) }
  }

  @inline(__always)
  func endItem(to output: inout ByteBuffer) {
    if dictionaries.last == true { output.append(UInt8(ascii: ";")) }
  }

  func key(_ text: Text, depth: Int, to output: inout ByteBuffer) {
    OpenStepText.append(text, isAlone: false, to: &output)
    output.append(contentsOf: " = ")
  }

  // MARK: Scalars

  func scalar(_ value: Value, depth: Int, to output: inout ByteBuffer) throws(ArchiveError) {
    switch value {
    case .string(let text): OpenStepText.append(text, isAlone: depth == 0, to: &output)
    case .data(let bytes): data(bytes, to: &output)
    case .null: throw unrepresentable("null")
    default: try typed(value, to: &output)
    }
  }

  /// Values that only GNUstep's notation has.
  private func typed(_ value: Value, to output: inout ByteBuffer) throws(ArchiveError) {
    switch value {
    case .integer(let number):
      begin("I", to: &output)
      JSONText.append(number, to: &output)
    case .unsigned(let number):
      begin("I", to: &output)
      JSONText.append(number, to: &output)
    case .wide(let number): throw unrepresentable("the integer \(number)")
    case .real(let number): real(number, to: &output)
    case .single(let number): real(Double(number), to: &output)
    case .boolean(let flag):
      begin("B", to: &output)
      output.append(flag ? UInt8(ascii: "Y") : UInt8(ascii: "N"))
    case .date(let seconds):
      guard let text = OpenStepDate.text(seconds) else {
        throw unrepresentable("the date \(seconds) seconds from 2001")
      }
      begin("D", to: &output)
      output.append(text)
    case .uid(let number): return try uid(number, to: &output)
    default: throw unrepresentable("such a value")
    }
    output.append(UInt8(ascii: ">"))
  }

  private func begin(_ type: Unicode.Scalar, to output: inout ByteBuffer) {
    output.append(contentsOf: "<*")
    output.append(UInt8(ascii: type))
  }

  private func real(_ number: Double, to output: inout ByteBuffer) {
    begin("R", to: &output)
    output.append(number.isNaN ? "nan" : number.description)
  }

  private func uid(_ number: UInt64, to output: inout ByteBuffer) throws(ArchiveError) {
    guard number <= UInt64(Int64.max) else { throw unrepresentable("the UID \(number)") }
    output.append(contentsOf: "{CF$UID = <*I")
    JSONText.append(number, to: &output)
    output.append(contentsOf: ">;}")
  }

  /// Hexadecimal in groups of four bytes.
  private func data(_ bytes: ByteView, to output: inout ByteBuffer) {
    output.append(UInt8(ascii: "<"))
    for (position, byte) in bytes.enumerated() {
      if position > 0, position % 4 == 0 { output.append(UInt8(ascii: " ")) }
      output.append(hexadecimal(byte))
    }
    output.append(UInt8(ascii: ">"))
  }
}
