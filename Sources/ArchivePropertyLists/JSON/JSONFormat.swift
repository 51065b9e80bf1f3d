// JSON as a format.

import ArchiveBasics
import ArchiveGraph

extension Encoding {
  /// RFC 8259.
  package static let json = Encoding("JSON", .text)
}

/// JSON, and JSON5 where that is allowed.
package enum JSONFormat: PropertyListFormat {
  package static let encoding = Encoding.json
  package static let word = "json"
  package static let targetName: String? = "json"

  package static func read(_ input: FormatInput) throws(ArchiveError) -> FormatReading {
    let options = input.options
    return try JSONReader.readWithWarnings(
      input.bytes, fileOffset: input.fileOffset, limits: options.limits,
      allowsJSON5: options.allowsJSON5, keepsPositions: options.keepsPositions,
      marksWide: options.marksWide, recovering: options.isRecovering)
  }

  package static func write(
    _ document: Document, _ options: WritingOptions, to output: inout OutputBuffer
  ) throws(ArchiveError) -> [ArchiveError] {
    if options.isTyped {
      let graph = ObjectGraph(limits: options.limits)
      let number = graph.add(document)
      let style = JSONWriter.Options(isTyped: true, isCompact: options.isCompact)
      try JSONWriter.write(graph.root(of: number), of: graph, options: style, to: &output)
      return []
    }
    let written = try TreeWriter.write(
      document, as: JSONSyntax(isCompact: options.isCompact), limits: options.limits, to: &output)
    let widened = ArchiveError.widened(written.singles, in: "plain JSON")
    if written.syntax.tagLike == 0 { return widened }
    return [
      ArchiveError(
        .mismatch,
        "a dictionary looks like a tag of typed JSON; --no-tags reads it unchanged")
    ] + widened
  }

  package static func extent(of value: ByteView) -> Int? {
    SourceExtent.bracketed(value, open: "[{", close: "]}", end: ",]}:")
  }
}

// MARK: - JSON (RFC 8259), read strictly, and JSON5 (json5.org) where that is wanted

/// Reads JSON into a table of values.
package enum JSONReader {
  /// Reads a JSON text.
  ///
  /// - Parameters:
  ///   - bytes: the text in UTF-8, UTF-16 or UTF-32, with or without a byte order mark.
  ///   - fileOffset: the position of the bytes in the input file; nil if they are not stored there.
  ///   - limits: the depth that is allowed.
  ///   - allowsJSON5: whether the text may be JSON5.
  ///   - keepsPositions: whether equal values stay distinct by their positions, and integers of up to 128 bits are kept.
  ///   - marksWide: whether integers of more than 64 bits are distinguished from reals: those of up to 128 bits are
  ///     kept, and for others the outermost of these.
  /// - Throws: `ArchiveError` at the first fault, which mentions whether the text is well-formed JSON5.
  package static func read(
    _ bytes: ByteView, fileOffset: Int? = 0, limits: Limits = Limits(),
    allowsJSON5: Bool = false, keepsPositions: Bool = false, marksWide: Bool = false
  ) throws(ArchiveError) -> Document {
    try readWithWarnings(
      bytes, fileOffset: fileOffset, limits: limits, allowsJSON5: allowsJSON5,
      keepsPositions: keepsPositions, marksWide: marksWide
    ).document
  }

  /// Reads a JSON text as `read` does.
  ///
  /// - Parameter recovering: whether an error costs only the element that it is in: the key `$lost` marks it.
  /// - Returns: the document, warnings, and in recovery the errors.
  fileprivate static func readWithWarnings(
    _ bytes: ByteView, fileOffset: Int?, limits: Limits, allowsJSON5: Bool,
    keepsPositions: Bool, marksWide: Bool, recovering: Bool = false
  ) throws(ArchiveError) -> FormatReading {
    let text: DecodedText
    do throws(ArchiveError) { text = try DecodedText(bytes) } catch {
      throw error.shifted(by: fileOffset)
    }
    do throws(ArchiveError) {
      let parser = JSONParser(
        text, fileOffset: fileOffset, depth: limits.depth, allowsJSON5: allowsJSON5,
        keepsPositions: keepsPositions, marksWide: marksWide, recovering: recovering)
      return try parser.read(text, fileOffset: fileOffset)
    } catch {
      throw text.located(allowsJSON5 ? error : explained(error, text, limits), fileOffset)
    }
  }

  /// The error of a strict reading, with what to do if a tolerant one succeeds.
  private static func explained(
    _ problem: ArchiveError, _ text: DecodedText, _ limits: Limits
  ) -> ArchiveError {
    guard problem.code == .malformed || problem.code == .truncated else { return problem }
    do throws(ArchiveError) {
      let parser = JSONParser(text, fileOffset: nil, depth: limits.depth, allowsJSON5: true)
      _ = try parser.read(text, fileOffset: nil)
    } catch {
      return problem
    }
    return ArchiveError(
      problem.code, "\(problem.message); it is JSON5, which --json5 reads",
      offset: problem.offset)
  }
}

// MARK: - Stored values as plain JSON: only what JSON has, and an error with its path for all else

/// The syntax of plain JSON, which any program reads: nothing is rendered into something else.
///
/// `JSONWriter` shows graphs to people; this one refuses what JSON (RFC 8259) cannot represent.
struct JSONSyntax: TreeSyntax {
  private static let advice = "--typed writes all types"
  private static let textAdvice = ", and 'dump --format json' writes it as a string"

  let isCompact: Bool
  /// How many dictionaries look like tags of typed JSON.
  private(set) var tagLike = 0

  init(isCompact: Bool) { self.isCompact = isCompact }

  var name: String { "plain JSON" }

  func refusal(of kind: ContainerKind) -> ArchiveError? {
    unrepresentable(kind == .set ? "a set" : "an ordered set", Self.advice)
  }

  @inline(__always)
  mutating func examine(_ dictionary: UInt32, in table: ValueTable) throws(ArchiveError) {
    if JSONTag(dictionary, in: table) != nil { tagLike &+= 1 }
  }

  @inline(__always)
  func brackets(of kind: ContainerKind) -> ContainerBrackets {
    kind == .dictionary ? .init("{", "}", "{}") : .init("[", "]", "[]")
  }

  @inline(__always)
  func line(_ depth: Int, to output: inout ByteBuffer) {
    if !isCompact { output.appendLine(indentedBy: depth &* 2) }
  }

  @inline(__always)
  func beginItem(isFirst: Bool, to output: inout ByteBuffer) {
    if !isFirst { output.append(UInt8(ascii: ",")) }
  }

  func key(_ text: Text, depth: Int, to output: inout ByteBuffer) {
    JSONText.append(text, to: &output)
    output.append(UInt8(ascii: ":"))
    if !isCompact { output.append(UInt8(ascii: " ")) }
  }

  func scalar(_ value: Value, depth: Int, to output: inout ByteBuffer) throws(ArchiveError) {
    switch value {
    case .null: output.append(contentsOf: "null")
    case .boolean(let flag): output.append(contentsOf: flag ? "true" : "false")
    case .integer(let number): JSONText.append(number, to: &output)
    case .unsigned(let number): JSONText.append(number, to: &output)
    case .wide(let number): throw unrepresentable("the integer \(number)", Self.advice)
    case .real(let number): try real(number, to: &output)
    case .single(let number): try real(Double(number), to: &output)
    case .string(let text): JSONText.append(text, to: &output)
    case .date: throw unrepresentable("a date", Self.advice + Self.textAdvice)
    case .data: throw unrepresentable("data", Self.advice + Self.textAdvice)
    case .uid(let number):
      throw unrepresentable(
        "UID \(number)", Self.advice + ", and 'dump --format json' shows what it refers to")
    default: throw unrepresentable("this value", Self.advice)
    }
  }

  private func real(_ number: Double, to output: inout ByteBuffer) throws(ArchiveError) {
    guard number.isFinite else {
      throw unrepresentable(JSONText.name(ofNonFinite: number), Self.advice)
    }
    JSONText.append(number, to: &output)
  }
}
