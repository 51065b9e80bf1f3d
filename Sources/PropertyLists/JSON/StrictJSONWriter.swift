// Stored values as plain JSON: only what JSON has, and an error with its path for all else.

import Basics
import ObjectGraph

/// Writes stored values as JSON that any program reads, nothing rendered into something else.
///
/// `JSONWriter` shows graphs to people; this one refuses what JSON (RFC 8259) cannot represent.
public enum StrictJSONWriter {
  /// Writes the values reachable from a document's top, with a newline at the end.
  ///
  /// - Parameters:
  ///   - document: a document whose table was checked.
  ///   - isCompact: whether everything is on one line.
  ///   - limits: the depth and the number of values that are allowed.
  /// - Returns: how many dictionaries look like tags of typed JSON and would be read as such; how many
  ///   reals of four bytes become ones of eight.
  /// - Throws: `ArchiveError` with code `unrepresentable` at the first UID, date, data, set, key that is not a
  ///   string, NaN or infinity.
  public static func write(
    _ document: Document, isCompact: Bool = false, limits: Limits = Limits(),
    to output: inout OutputBuffer
  ) throws(ArchiveError) -> (tagLike: Int, singles: Int) {
    let written = try TreeWriter.write(
      document, as: JSONSyntax(isCompact: isCompact), limits: limits, to: &output)
    output.bytes.append(UInt8(ascii: "\n"))
    output.flushIfFull()
    return (written.syntax.tagLike, written.singles)
  }
}

/// The syntax of plain JSON.
struct JSONSyntax: TreeSyntax {
  private static let advice = "--typed writes all types"
  private static let textAdvice = ", and 'dump --format json' writes it as a string"

  let isCompact: Bool
  /// How many dictionaries look like tags of typed JSON.
  private(set) var tagLike = 0

  init(isCompact: Bool) { self.isCompact = isCompact }

  var name: String { "plain JSON" }

  func refusal(of kind: ContainerKind) -> ArchiveError? {
    noSpelling(for: kind == .set ? "a set" : "an ordered set", Self.advice)
  }

  @inline(__always)
  mutating func examine(_ dictionary: UInt32, in table: ValueTable) throws(ArchiveError) {
    if JSONTag(dictionary, in: table) != nil { tagLike &+= 1 }
  }

  func open(_ kind: ContainerKind, depth: Int, to output: inout ByteBuffer) {
    output.append(UInt8(ascii: kind == .dictionary ? "{" : "["))
  }

  func close(_ kind: ContainerKind, depth: Int, to output: inout ByteBuffer) {
    newline(depth, to: &output)
    output.append(UInt8(ascii: kind == .dictionary ? "}" : "]"))
  }

  func empty(_ kind: ContainerKind, to output: inout ByteBuffer) {
    output.append(contentsOf: kind == .dictionary ? "{}" : "[]")
  }

  @inline(__always)
  func beginItem(isFirst: Bool, depth: Int, to output: inout ByteBuffer) {
    if !isFirst { output.append(UInt8(ascii: ",")) }
    newline(depth, to: &output)
  }

  @inline(__always)
  func endItem(to output: inout ByteBuffer) {}

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
    case .wide(let number): throw noSpelling(for: "the integer \(number)", Self.advice)
    case .real(let number): try real(number, to: &output)
    case .single(let number): try real(Double(number), to: &output)
    case .string(let text): JSONText.append(text, to: &output)
    case .date: throw noSpelling(for: "a date", Self.advice + Self.textAdvice)
    case .data: throw noSpelling(for: "data", Self.advice + Self.textAdvice)
    case .uid(let number):
      throw noSpelling(
        for: "UID \(number)", Self.advice + ", and 'dump --format json' shows what it refers to")
    default: throw noSpelling(for: "this value", Self.advice)
    }
  }

  private func real(_ number: Double, to output: inout ByteBuffer) throws(ArchiveError) {
    guard number.isFinite else {
      throw noSpelling(for: JSONText.name(ofNonFinite: number), Self.advice)
    }
    JSONText.append(number, to: &output)
  }

  @inline(__always)
  private func newline(_ depth: Int, to output: inout ByteBuffer) {
    if !isCompact { output.appendLine(indentedBy: depth &* 2) }
  }
}
