// Every typedstream, compared with what python-typedstream finds in it (Tests/Judges/typedstream_expectations.py).

import ArchiveBasics
import ArchiveGraph
import ArchiveTypedStreams
import Foundation
import KeyedArchives
import TestSupport
import Testing

/// What another decoder found in a typedstream.
struct TypedStreamExpectation: Codable, Sendable, CustomTestStringConvertible {
  let file: String
  let objects: Int
  let hash: String

  var testDescription: String { file }

  /// The file, in TestArchives or in the corpus; nil where that is not there.
  var url: URL? { Expectations.url(of: file) }

  static let all: [TypedStreamExpectation] = Expectations.lines(
    of: "typedstream_expectations.jsonl")

  static let present = all.filter { $0.url != nil }
}

@Suite struct TypedStreamExpectationTests {
  @Test(arguments: TypedStreamExpectation.present)
  func isReadAsAnotherDecoderReadsIt(_ expectation: TypedStreamExpectation) throws {
    let data = try Data(contentsOf: try #require(expectation.url))
    let text = try StreamText(data).text
    #expect(text.objects == expectation.objects)
    #expect(fingerprint(text.told) == expectation.hash, "\(text.told.prefix(2000))")
  }

  @Test(arguments: TypedStreamExpectation.present)
  func isWrittenAgainByteForByte(_ expectation: TypedStreamExpectation) throws {
    let data = try Data(contentsOf: try #require(expectation.url))
    let written = try Array(data).withByteView { bytes throws(ArchiveError) in
      try TypedStreamReader.rewritten(bytes).array
    }
    #expect(written == [UInt8](data))
  }
}

/// The raw layout of a stream as the text that the other decoder's findings make.
private struct StreamText {
  private let graph: ObjectGraph

  init(_ data: Data) throws {
    graph = try ArchiveReader().read(
      ByteStorage(copying: [UInt8](data)), resolving: false, nested: false)
  }

  var text: (told: String, objects: Int) {
    let top = members(graph.root)
    let groups = top["$top"].map { members($0) } ?? [:]
    guard let list = top["$objects"], case .array(let elements) = graph.storedValue(of: list) else {
      return ("", 0)
    }
    let nodes = (0..<elements.count).map { graph.node(elements, $0) }
    var lines = self.groups(groups, nodes)
    let objects = nodes.dropFirst().filter { members($0)["$types"] != nil }
    for object in objects {
      let fields = members(object)
      let type = fields["$class"].flatMap { classText($0, nodes) } ?? ""
      lines.append(type + "|" + self.groups(fields, nodes).joined(separator: "|"))
    }
    return (lines.joined(separator: "\n"), objects.count)
  }

  private func members(_ node: Node) -> [String: Node] {
    guard case .dictionary(let pairs) = graph.storedValue(of: node) else { return [:] }
    var members: [String: Node] = [:]
    for position in 0..<pairs.count {
      members[graph.text(of: graph.key(pairs, position))?.string ?? ""] =
        graph.value(pairs, position)
    }
    return members
  }

  private func string(_ node: Node?) -> String { node.flatMap { graph.text(of: $0)?.string } ?? "" }

  private func groups(_ fields: [String: Node], _ nodes: [Node]) -> [String] {
    var next = 0
    return string(fields["$types"]).split(separator: " ").map { types in
      let count = self.count(types)
      let values = (next..<next + count).map { number in
        fields["$\(number)"].map { valueText($0, nodes) } ?? "?"
      }
      next += count
      return types + " " + values.joined(separator: ",")
    }
  }

  /// How many types stand one after the other.
  private func count(_ types: Substring) -> Int {
    var depth = 0
    var count = 0
    for character in types {
      if depth == 0, !"]}".contains(character) { count += 1 }
      if "[{".contains(character) { depth += 1 }
      if "]}".contains(character) { depth -= 1 }
    }
    return count
  }

  private func classText(_ node: Node, _ nodes: [Node]) -> String? {
    guard case .uid(let number) = graph.storedValue(of: node) else { return nil }
    let record = members(nodes[Int(number)])
    guard let names = record["$classes"], let versions = record["$versions"],
      case .array(let chain) = graph.storedValue(of: names),
      case .array(let numbers) = graph.storedValue(of: versions)
    else { return nil }
    return (0..<chain.count).map { position in
      guard case .integer(let version) = graph.storedValue(of: graph.node(numbers, position)) else {
        return "?"
      }
      return string(graph.node(chain, position)) + ":\(version)"
    }.joined(separator: " ")
  }

  private func valueText(_ node: Node, _ nodes: [Node]) -> String {
    switch graph.storedValue(of: node) {
    case .boolean(let flag): return flag ? "T" : "F"
    case .integer(let number): return "i\(number)"
    case .unsigned(let number): return "i\(number)"
    case .real(let number): return "r" + String(number.bitPattern, radix: 16)
    case .single(let number): return "r" + String(Double(number).bitPattern, radix: 16)
    case .string(let text): return "s" + hexadecimal(Array(text.string.utf8))
    case .data(let bytes): return "x" + hexadecimal(Array(bytes))
    case .array(let elements):
      let values = (0..<elements.count).map { valueText(graph.node(elements, $0), nodes) }
      return "[" + values.joined(separator: ",") + "]"
    case .uid(0): return "n"
    case .uid(let number):
      return classText(node, nodes).map { "k" + $0 } ?? "o\(number - 1)"
    default: return "?"
    }
  }
}
