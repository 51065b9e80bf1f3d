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

/// An object in JSON on a line, member by member.
struct JSONLine: ~Copyable {
  private var output = OutputBuffer(descriptor: nil)

  /// Ends the object.
  ///
  /// - Returns: the object, without the end of the line.
  mutating func end() -> [UInt8] {
    output.bytes.append("}")
    return output.bytes.array
  }

  /// Ends the object, and adds its line to an output.
  mutating func end(to other: inout ByteBuffer) {
    output.bytes.append("}\n")
    other.append(output.bytes)
  }

  /// Adds a text, or null.
  mutating func add(_ name: String, _ text: String?) {
    begin(name)
    if let text { JSONText.append(text, to: &output.bytes) } else { output.bytes.append("null") }
  }

  /// Adds a value that is written with the end of its line.
  mutating func add(
    _ name: String, _ write: (inout OutputBuffer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    begin(name)
    try write(&output)
    output.bytes.truncate(to: output.bytes.count - 1)
  }

  /// Adds a value of a graph.
  mutating func add(
    _ name: String, _ node: Node, of graph: ObjectGraph, isTyped: Bool = false
  ) throws(ArchiveError) {
    try add(name) { (output) throws(ArchiveError) in
      let options = JSONWriter.Options(isTyped: isTyped, isCompact: true)
      try JSONWriter.write(node, of: graph, options: options, to: &output)
    }
  }

  private mutating func begin(_ name: String) {
    output.bytes.append(output.bytes.count == 0 ? "{\"\(name)\": " : ", \"\(name)\": ")
  }
}

extension JSONLine {
  /// A result: `{"file": …, "path": …, "value": …}`.
  static func result(
    _ node: Node, at path: GraphPath, in graph: ObjectGraph, file: String, isTyped: Bool
  ) throws(ArchiveError) -> [UInt8] {
    var line = JSONLine()
    line.add("file", file.shownPath)
    line.add("path", path.normalized)
    try line.add("value", node, of: graph, isTyped: isTyped)
    return line.end()
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
