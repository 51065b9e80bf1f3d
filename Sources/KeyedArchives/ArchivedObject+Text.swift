// How archived values are spelled within one line of text.

import Basics
import ObjectGraph

extension ArchivedObject {
  /// A value in a few words: a scalar itself, strings in quotes, an object by what it is or by its class.
  func brief(_ node: Node) -> String {
    if let value = leaf(node) { return SummaryText.scalar(value) }
    guard let family = archive.family(of: node), family.isSimple else {
      return graph.classIndex(of: node).map { graph.classes[$0].displayName } ?? "dictionary"
    }
    let object = ArchivedObject(graph: graph, archive: archive, node: node)
    if let text = family.summary(of: object) { return text }
    return family.value(of: object).map { SummaryText.scalar($0) } ?? object.className
  }

  /// What a field holds in a few words, nil if it is nil or missing.
  func brief(_ name: String) -> String? {
    guard let node = field(name) else { return nil }
    if case .null? = leaf(node) { return nil }
    return brief(node)
  }
}

/// Spellings for summaries.
enum SummaryText {
  /// How many characters of a string are shown.
  static let width = 60

  /// A number, without a fraction where it has none.
  static func number(_ number: Double) -> String {
    Int64(exactly: number).map { String($0) } ?? number.description
  }

  /// A date as ISO 8601 spells it.
  static func date(_ seconds: Double) -> String {
    Timestamp(secondsFromReference: seconds)?.text ?? "\(number(seconds)) s from 2001"
  }

  /// A string in quotes, cut where it is long.
  static func quoted(_ text: String) -> String { inQuotes(start(of: text)) }

  /// A string in quotes, whole, with what would end it escaped.
  static func inQuotes(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") })
    else { return "\"\(text)\"" }
    var quoted = "\""
    for character in text.unicodeScalars {
      if character == "\"" || character == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(character)
    }
    return quoted + "\""
  }

  /// A name, cut where it is long; in quotes where nothing or space at its ends would not be seen.
  static func clipped(_ text: String) -> String {
    guard let first = text.first, let last = text.last, !first.isWhitespace, !last.isWhitespace
    else { return quoted(text) }
    return start(of: text)
  }

  /// A string, cut where it is long.
  static func start(of text: String) -> String {
    let start = text.prefix(width)
    return start.endIndex == text.endIndex ? text : start + "…"
  }

  /// A count and what is counted: `1 run`, `2 runs`.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// A scalar; containers by how much they hold.
  static func scalar(_ value: Value) -> String {
    switch value {
    case .null: return "nil"
    case .boolean(let flag): return flag ? "true" : "false"
    case .integer(let integer): return String(integer)
    case .unsigned(let integer): return String(integer)
    case .real(let real): return number(real)
    case .single(let real): return Int64(exactly: real).map { String($0) } ?? real.description
    case .date(let seconds): return date(seconds)
    case .data(let bytes): return "data (\(count(bytes.count, "byte")))"
    case .string(let text): return quoted(text.string)
    case .uid(let number): return "UID \(number)"
    case .array(let list), .set(let list), .orderedSet(let list):
      return count(list.count, "element")
    case .dictionary(let pairs): return count(pairs.count, "pair")
    case .object(_, let pairs): return count(pairs.count, "field")
    }
  }
}
