// The notation of stored values in an OpenStep property list.

import Basics
import ObjectGraph

/// The syntax of an OpenStep property list.
struct OpenStepSyntax: TreeSyntax {
  private let dialect: OpenStepWriter.Dialect
  /// Whether each open container is a dictionary.
  private var dictionaries: [Bool] = []

  init(_ dialect: OpenStepWriter.Dialect) { self.dialect = dialect }

  var name: String {
    dialect == .openStep ? "a strict OpenStep property list" : "an OpenStep property list"
  }

  func refusal(of kind: ContainerKind) -> ArchiveError? { noSpelling(for: "a set") }

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

  mutating func open(_ kind: ContainerKind, depth: Int, to output: inout ByteBuffer) {
    dictionaries.append(kind == .dictionary)
    output.append(kind == .dictionary ? UInt8(ascii: "{") : UInt8(ascii: "("))
  }

  mutating func close(_ kind: ContainerKind, depth: Int, to output: inout ByteBuffer) {
    dictionaries.removeLast()
    output.appendLine(indentedBy: depth * 4)
    output.append(kind == .dictionary ? UInt8(ascii: "}") : UInt8(ascii: ")"))
  }

  func empty(_ kind: ContainerKind, to output: inout ByteBuffer) {
    output.append(contentsOf: kind == .dictionary ? "{}" : "()")
  }

  @inline(__always)
  func beginItem(isFirst: Bool, depth: Int, to output: inout ByteBuffer) {
    if !isFirst, dictionaries.last == false { output.append(UInt8(ascii: ",")) }
    output.appendLine(indentedBy: depth * 4)
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
    case .null: throw noSpelling(for: "null")
    default: try typed(value, to: &output)
    }
  }

  /// Values that only GNUstep's notation has.
  private func typed(_ value: Value, to output: inout ByteBuffer) throws(ArchiveError) {
    switch value {
    case .integer(let number):
      try begin("I", "a number", to: &output)
      JSONText.append(number, to: &output)
    case .unsigned(let number):
      try begin("I", "a number", to: &output)
      JSONText.append(number, to: &output)
    case .wide(let number): throw noSpelling(for: "the integer \(number)")
    case .real(let number): try real(number, to: &output)
    case .single(let number): try real(Double(number), to: &output)
    case .boolean(let flag):
      try begin("B", "a boolean", to: &output)
      output.append(flag ? UInt8(ascii: "Y") : UInt8(ascii: "N"))
    case .date(let seconds):
      guard let text = OpenStepDate.text(seconds) else {
        throw noSpelling(for: "the date \(seconds) seconds from 2001")
      }
      try begin("D", "a date", to: &output)
      output.append(text)
    case .uid(let number): return try uid(number, to: &output)
    default: throw noSpelling(for: "such a value")
    }
    output.append(UInt8(ascii: ">"))
  }

  private func begin(
    _ type: Unicode.Scalar, _ name: String, to output: inout ByteBuffer
  ) throws(ArchiveError) {
    guard dialect == .gnuStep else {
      throw noSpelling(for: name, "its type would be lost")
    }
    output.append(contentsOf: "<*")
    output.append(UInt8(ascii: type))
  }

  private func real(_ number: Double, to output: inout ByteBuffer) throws(ArchiveError) {
    try begin("R", "a number", to: &output)
    if number.isNaN {
      output.append(contentsOf: "nan")
    } else if number.isInfinite {
      output.append(contentsOf: number < 0 ? "-inf" : "inf")
    } else {
      output.append(number.description)
    }
  }

  private func uid(_ number: UInt64, to output: inout ByteBuffer) throws(ArchiveError) {
    guard number <= UInt64(Int64.max) else { throw noSpelling(for: "the UID \(number)") }
    guard dialect == .gnuStep else { throw noSpelling(for: "a UID", "its type would be lost") }
    output.append(contentsOf: "{CF$UID = <*I")
    JSONText.append(number, to: &output)
    output.append(contentsOf: ">;}")
  }

  /// Hexadecimal in groups of four bytes.
  private func data(_ bytes: UnsafeRawBufferPointer, to output: inout ByteBuffer) {
    output.append(UInt8(ascii: "<"))
    for (position, byte) in bytes.enumerated() {
      if position > 0, position % 4 == 0 { output.append(UInt8(ascii: " ")) }
      output.append(hexadecimal(byte))
    }
    output.append(UInt8(ascii: ">"))
  }
}

// MARK: - Text property lists of NeXTSTEP, OpenStep, Xcode and GNUstep, and .strings files
//
// Format facts: CoreFoundation, CFOldStylePList.c; GNUstep Base, NSPropertyList.m for the types in `<*…>`.

/// Reads OpenStep property lists into a table of their own.
public enum OpenStepReader {
  /// Reads an OpenStep property list.
  ///
  /// - Parameters:
  ///   - bytes: the whole text in UTF-8, UTF-16 or UTF-32, or in Mac Roman if it is not UTF-8.
  ///   - fileOffset: the position of the bytes in the input file; nil if they are not stored there.
  ///   - limits: the depth that is allowed.
  ///   - recovering: whether an error costs only the element that it is in: the key `$lost` marks it.
  /// - Throws: `ArchiveError` at the first fault.
  public static func read(
    _ bytes: UnsafeRawBufferPointer, fileOffset: Int?, limits: Limits, recovering: Bool = false
  ) throws(ArchiveError) -> FormatReading {
    var text: DecodedText
    var warnings: [ArchiveError] = []
    do throws(ArchiveError) {
      text = try DecodedText(bytes)
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
        text = try DecodedText(bytes, in: .oneByte(.macRoman))
      }
    } catch {
      throw error.shifted(by: fileOffset)
    }
    let source = text
    func parser(locating: Bool) -> OpenStepParser {
      OpenStepParser(
        source, fileOffset: fileOffset, depth: limits.depth, recovering: recovering,
        locating: locating)
    }
    do throws(ArchiveError) {
      var first = parser(locating: false)
      let top = try first.parse()
      warnings += text.located(first.warnings, fileOffset)
      if first.repeatedKeys.isFound {
        var second = parser(locating: true)
        _ = try second.parse()
        warnings += text.located(second.repeatedKeys.warnings, fileOffset)
      }
      let losses = text.located(first.recovery?.losses ?? [], fileOffset)
      return FormatReading(first.finish(top: top), warnings: warnings, losses: losses)
    } catch {
      throw text.located(error, fileOffset)
    }
  }
}
