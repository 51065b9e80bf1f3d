// Values that searches find, as they are written.

import Basics
import Batches
import ObjectGraph
import PropertyLists
import Synchronization

/// How many results all inputs have.
final class ResultTally: Sendable {
  private let total = Atomic(0)

  var count: Int { total.load(ordering: .relaxed) }

  func add(_ count: Int) { total.add(count, ordering: .relaxed) }
}

extension ResultWriter {
  /// Counts the results of an input in its turn, as all that is written of it.
  func add(_ count: Int, to tally: ResultTally, file: String) {
    if count > 0 { inOrder(file: file) { tally.add(count) } }
  }
}

/// A result as an object in JSON.
enum ResultObject {
  /// `{"file": …, "path": …, "value": …}` on a line, without its end.
  static func bytes(
    of node: Node, at path: GraphPath, in graph: ObjectGraph, file: String, isTyped: Bool
  ) throws(ArchiveError) -> [UInt8] {
    var value = OutputBuffer(descriptor: nil)
    let options = JSONWriter.Options(isTyped: isTyped, isCompact: true)
    try JSONWriter.write(node, of: graph, options: options, to: &value)
    var object = ByteBuffer(capacity: value.bytes.count + 64)
    object.append("{\"file\": ")
    JSONText.append(file.shownPath, to: &object)
    object.append(", \"path\": ")
    JSONText.append(path.normalized, to: &object)
    object.append(", \"value\": ")
    // Without the newline at its end.
    object.append(UnsafeRawBufferPointer(rebasing: value.bytes.bytes.dropLast()))
    object.append("}")
    return object.array
  }
}

/// A value for shell scripts: characters, digits or bytes, without quotes.
enum RawValue {
  /// Writes a value and, but for data, the end of the line.
  ///
  /// A date is in RFC 3339, a container in JSON on a line.
  ///
  /// - Parameters:
  ///   - isLine: whether data is a line in Base64, not its bytes.
  ///   - isTerminal: whether a terminal shows it, which must not obey what the string of a file says.
  static func write(
    _ node: Node, of graph: ObjectGraph, isLine: Bool = false, isTerminal: Bool = false,
    to output: inout OutputBuffer
  ) throws(ArchiveError) {
    switch graph.value(of: node) {
    case .string(let text) where isTerminal: output.bytes.append(escaped(text.string))
    case .string(let text): output.bytes.append(text.string)
    case .data(let bytes) where !isLine: return output.bytes.append(bytes)
    case .data(let bytes): Base64.encode(bytes, to: &output.bytes)
    case .date(let seconds): output.bytes.append(JSONText.date(seconds))
    case .integer(let number): output.bytes.append("\(number)")
    case .wide(let number): output.bytes.append("\(number)")
    case .unsigned(let number), .uid(let number): output.bytes.append("\(number)")
    case .boolean(let flag): output.bytes.append(flag ? "true" : "false")
    case .null: output.bytes.append("null")
    case .real(let number): output.bytes.append(text(number, number.description))
    case .single(let number): output.bytes.append(text(Double(number), number.description))
    case .array, .set, .orderedSet, .dictionary, .object:
      let options = JSONWriter.Options(isCompact: true)
      return try JSONWriter.write(node, of: graph, options: options, to: &output)
    }
    output.bytes.append("\n")
  }

  /// A string of several lines stays one.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).escapedForTerminal }.joined(separator: "\n")
  }

  /// A real as JSON has it: `1.5`, `64` or `NaN`.
  private static func text(_ number: Double, _ digits: String) -> String {
    guard number.isFinite else { return JSONText.name(ofNonFinite: number) }
    return digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
  }
}
