// Lists of pairs as a format: a line `PAIRS`, and a line `key=value` for each. An encoding, added according to
// CONTRIBUTING.

import ArchiveBasics
import ArchiveGraph

extension Encoding {
  /// A list of pairs.
  static let pairList = Encoding("pair list", .text)
}

/// Lists of pairs of strings, read and written.
enum PairListFormat: PropertyListFormat {
  static let encoding = Encoding.pairList
  static let word = "pairs"
  static let targetName: String? = "pairs"

  static func recognizes(_ beginning: inout InputBeginning) -> Bool {
    beginning.starts(with: "PAIRS\n")
  }

  static func read(_ input: FormatInput) throws(ArchiveError) -> FormatReading {
    var builder = GraphBuilder()
    builder.open()
    let text = String(decoding: input.bytes, as: UTF8.self)
    for line in text.split(separator: "\n").dropFirst() {
      guard let sign = line.firstIndex(of: "=") else {
        throw ArchiveError(.malformed, "a line of a pair list has no '='")
      }
      builder.append(builder.add(String(line[..<sign])))
      builder.append(builder.add(String(line[line.index(after: sign)...])))
    }
    return FormatReading(builder.finish(top: builder.closeDictionary(), encoding: encoding))
  }

  static func write(
    _ document: Document, _ options: WritingOptions, to output: inout OutputBuffer
  ) throws(ArchiveError) -> [ArchiveError] {
    output.bytes.append("PAIRS\n")
    let graph = ObjectGraph(limits: options.limits)
    let number = graph.add(document)
    guard case .dictionary(let pairs) = graph.value(of: graph.root(of: number)) else {
      throw ArchiveError(.unrepresentable, "a pair list holds a dictionary")
    }
    for index in 0..<pairs.count {
      guard case .string(let key) = graph.value(of: graph.key(pairs, index)),
        case .string(let value) = graph.value(of: graph.value(pairs, index))
      else { throw ArchiveError(.unrepresentable, "a pair list holds strings") }
      output.bytes.append("\(key.string)=\(value.string)\n")
    }
    return []
  }
}
