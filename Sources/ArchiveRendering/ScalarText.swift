// Scalars as a tree shows them. Nothing of a file reaches a terminal unescaped.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists

enum ScalarText {
  private static let dataPrefix = 16

  /// Whether the class of a scalar says more than the value: a URL's or a mutable string's does.
  static func says(_ className: String) -> Bool {
    className != "NSDate" && className != "NSNull"
  }

  /// Appends a scalar; nothing for containers.
  ///
  /// - Parameter zone: the time zone of dates.
  static func append(_ value: Value, zone: DateZone = .utc, to output: inout ByteBuffer) {
    switch value {
    case .null: output.append(contentsOf: "null")
    case .boolean(let flag): output.append(contentsOf: flag ? "true" : "false")
    case .integer(let number): JSONText.append(number, to: &output)
    case .unsigned(let number): JSONText.append(number, to: &output)
    case .wide(let number): output.append("\(number)")
    case .real(let number): output.append(real(number))
    case .single(let number):
      output.append(number.isFinite ? number.description : real(Double(number)))
    case .date(let seconds): output.append(JSONText.date(seconds, in: zone))
    case .uid(let number): output.append("UID \(number)")
    case .string(let text): append(quoted: text, to: &output)
    case .data(let bytes): append(data: bytes, to: &output)
    case .array, .set, .orderedSet, .dictionary, .object: break
    }
  }

  /// A scalar as text; empty for containers.
  static func text(_ value: Value) -> String {
    String(appending: { append(value, to: &$0) })
  }

  private static func real(_ number: Double) -> String {
    number.isFinite ? number.description : JSONText.name(ofNonFinite: number)
  }

  /// Appends data: how much it is and what it is; its first bytes if that is not known.
  static func append(recognizing data: ByteView, to output: inout ByteBuffer) {
    guard let known = RecognizedData(data) else { return append(data: data, to: &output) }
    appendSize(of: data, to: &output)
    output.append(" \(known.kind)")
    if let detail = known.detail(of: data.count) { output.append(" \(detail)") }
  }

  private static func appendSize(of data: ByteView, to output: inout ByteBuffer) {
    output.append("data (\(Counted.text(data.count, "byte")))")
  }

  private static func append(data: ByteView, to output: inout ByteBuffer) {
    appendSize(of: data, to: &output)
    guard data.count > 0 else { return }
    output.append(UInt8(ascii: " "))
    for byte in data.prefix(dataPrefix) { output.append(hexadecimal(byte)) }
    if data.count > dataPrefix { output.append(contentsOf: "…") }
  }

  /// Appends a string in quotes, escaped as JSON does and further where a terminal would obey it.
  static func append(quoted text: Text, to output: inout ByteBuffer) {
    if text.isSevenBit { return JSONText.append(text, to: &output) }
    output.append(UInt8(ascii: "\""))
    append(plain: text.string, quote: true, to: &output)
    output.append(UInt8(ascii: "\""))
  }

  /// Appends a string in quotes that takes no more than some columns: a longer one is cut.
  ///
  /// - Returns: how long a string is that was cut: ` (2,359 characters)`; nil for one that is whole.
  static func append(quoted text: Text, columns: Int, to output: inout ByteBuffer) -> String? {
    // Every character takes a column at least, but for a few marks.
    if text.byteCount + 2 <= columns, text.isSevenBit {
      var whole = ByteBuffer()
      append(quoted: text, to: &whole)
      if whole.count <= columns {
        output.append(whole.bytes)
        return nil
      }
    }
    let string = text.string
    let length = " (\(Counted.text(string.count, "character")))"
    // What is left beside the quotes, and beside the sign of a cut and the length.
    let (room, cutRoom) = (columns - 2, max(columns - 3 - length.count, 8))
    var pieces = ""
    var (used, kept) = (0, "")
    for character in string {
      let shown = String(appending: { append(plain: String(character), quote: true, to: &$0) })
      used += TerminalCells.count(of: shown)
      pieces += shown
      if used <= cutRoom { kept = pieces }
      if used > room {
        output.append("\"\(kept)…\"")
        return length
      }
    }
    output.append("\"\(pieces)\"")
    return nil
  }

  /// Appends a key: as it is if it is printable and without space, else in quotes.
  static func append(key: Text, to output: inout ByteBuffer) {
    let isPlain =
      key.byteCount > 0 && key.isSevenBit
      && key.bytes.allSatisfy {
        $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "\"")
      }
    if isPlain { output.append(key.bytes) } else { append(quoted: key, to: &output) }
  }

  /// Appends text, control characters escaped.
  static func append(plain text: String, quote: Bool = false, to output: inout ByteBuffer) {
    guard quote else { return output.append(text.escapedForTerminal) }
    for scalar in text.unicodeScalars {
      if let escaped = scalar.escapedForTerminal {
        output.append(escaped)
      } else if scalar == "\"" || scalar == "\\" {
        output.append("\\\(scalar)")
      } else {
        output.append(String(scalar))
      }
    }
  }
}

// MARK: - The runs of an attributed string, for trees that have a line for each

struct AttributedRuns {
  /// A run: its range, its text and its attributes.
  struct Run {
    let location: Int64
    let length: Int64
    let text: Text
    let attributes: Node
  }

  let elements: Elements

  /// Finds the runs of an object; nil if it is no attributed string as the class registry shows one.
  init?(of value: Value, in graph: ObjectGraph) {
    guard case .object(_, let pairs) = value, pairs.count == 2,
      Self.name(pairs, 0, graph) == "string", Self.name(pairs, 1, graph) == "runs",
      case .array(let elements) = graph.value(of: graph.value(pairs, 1)), elements.count > 0,
      (0..<elements.count).allSatisfy({ Self.run(graph.node(elements, $0), graph) != nil })
    else { return nil }
    self.elements = elements
  }

  /// A run of the array of runs; nil for another value.
  static func run(_ node: Node, _ graph: ObjectGraph) -> Run? {
    guard case .dictionary(let pairs) = graph.value(of: node), pairs.count == 4,
      name(pairs, 0, graph) == "location", name(pairs, 1, graph) == "length",
      name(pairs, 2, graph) == "text", name(pairs, 3, graph) == "attributes",
      case .integer(let location) = graph.value(of: graph.value(pairs, 0)),
      case .integer(let length) = graph.value(of: graph.value(pairs, 1)),
      case .string(let text) = graph.value(of: graph.value(pairs, 2))
    else { return nil }
    return Run(location: location, length: length, text: text, attributes: graph.value(pairs, 3))
  }

  private static func name(_ pairs: Pairs, _ index: Int, _ graph: ObjectGraph) -> String? {
    graph.memberName(pairs, index)?.string
  }
}
