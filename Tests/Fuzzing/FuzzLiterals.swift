// Literals of Swift and Objective-C: their strings match the source, in order, and their brackets are balanced.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import KeyedArchives

enum FuzzLiterals {
  /// Compares the strings that a literal spells with those of the values.
  static func check(_ text: [UInt8], of source: ObjectGraph, _ target: ConversionTarget) {
    guard let expected = strings(of: source) else { return }
    let code = String(decoding: text, as: UTF8.self).unicodeScalars
    var rest = code[...]
    var found: [String] = []
    var open = 0
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"":
        guard let literal = literal(&rest) else { fatalError("\(target): a string has no end") }
        found.append(literal)
      case "[", "{", "(": open += 1
      case "]", "}", ")": open -= 1
      default:
        // Outside of strings there is nothing that anybody could have chosen.
        if !scalar.isASCII { fatalError("\(target): a character outside of strings") }
      }
    }
    if open != 0 { fatalError("\(target): brackets do not pair") }
    if found.map({ Array($0.utf8) }) != expected.map({ Array($0.utf8) }) {
      fatalError("\(target): the strings differ")
    }
  }

  /// The text of a string literal whose quote was read.
  private static func literal(_ rest: inout Substring.UnicodeScalarView) -> String? {
    var bytes: [UInt8] = []
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return String(decoding: bytes, as: UTF8.self)
      case "\n", "\r": return nil
      case "\\":
        guard escape(&rest, &bytes) else { return nil }
      default: bytes += Array(String(scalar).utf8)
      }
    }
    return nil
  }

  private static func escape(
    _ rest: inout Substring.UnicodeScalarView, _ bytes: inout [UInt8]
  ) -> Bool {
    guard let mark = rest.popFirst() else { return false }
    switch mark {
    case "n": bytes.append(0x0A)
    case "r": bytes.append(0x0D)
    case "t": bytes.append(0x09)
    case "\"", "\\", "?": bytes.append(UInt8(truncatingIfNeeded: mark.value))
    case "0"..."3":
      let digits = [mark] + rest.prefix(2)
      rest = rest.dropFirst(2)
      guard let byte = UInt8(digits.map { String($0) }.joined(), radix: 8) else { return false }
      bytes.append(byte)
    case "u", "U":
      let isSwift = rest.first == "{"
      if isSwift { rest.removeFirst() }
      let digits = isSwift ? rest.prefix { $0 != "}" } : rest.prefix(mark == "u" ? 4 : 8)
      rest = rest.dropFirst(digits.count + (isSwift ? 1 : 0))
      guard let value = UInt32(String(digits), radix: 16), let scalar = Unicode.Scalar(value)
      else { return false }
      bytes += Array(String(scalar).utf8)
    default: return false
    }
    return true
  }

  /// The strings of the values, and the Base64 of their data, in the order in which they are written.
  private static func strings(of graph: ObjectGraph) -> [String]? {
    var found: [String] = []
    var waiting = [graph.root]
    while let node = waiting.popLast() {
      guard found.count < 100_000 else { return nil }
      switch graph.value(of: node) {
      case .string(let text): found.append(text.string)
      case .data(let bytes) where !bytes.isEmpty: found.append(base64(bytes))
      case .array(let items), .set(let items), .orderedSet(let items):
        waiting += (0..<items.count).reversed().map { graph.node(items, $0) }
      case .dictionary(let pairs):
        for index in (0..<pairs.count).reversed() {
          waiting.append(graph.value(pairs, index))
          waiting.append(graph.key(pairs, index))
        }
      default: break
      }
    }
    return found
  }

  private static func base64(_ bytes: ByteView) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let number = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for position in 0..<4 {
        text.append(position <= group.count ? digits[number >> (18 - 6 * position) & 63] : "=")
      }
    }
    return text
  }
}
