// Lists of dictionaries that mostly have the same keys in the same order: what is found out about the keys of one is used
// for the next, and gives what each dictionary alone would give.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct RowsTests {
  typealias Row = [(String, SampleValue)]

  /// Rows with few sets of keys, of which some are changed: another order, and keys that are missing, new or repeated.
  private static func rows(_ numbers: inout SeededNumbers, repeating: Bool) -> [Row] {
    let kinds = (0..<3).map { _ in
      (0..<numbers.below(40)).map { "k\($0)" }.shuffled(using: &numbers)
    }
    return (0..<30).map { row -> Row in
      var keys = kinds[numbers.below(kinds.count)]
      switch numbers.below(keys.isEmpty ? 1 : 12) {
      case 1: keys.swapAt(numbers.below(keys.count), numbers.below(keys.count))
      case 2: keys.remove(at: numbers.below(keys.count))
      case 3: keys.insert("own \(row)", at: numbers.below(keys.count))
      case 4 where repeating:
        keys.insert(keys[numbers.below(keys.count)], at: numbers.below(keys.count))
      default: break
      }
      return keys.map { ($0, value($0, &numbers)) }
    }
  }

  private static func value(_ key: String, _ numbers: inout SeededNumbers) -> SampleValue {
    switch numbers.below(150) {
    case 0: .boolean(true)
    case 1...20: .dictionary([("a", .integer(1)), ("b", .string("text"))])
    case 21: .dictionary([("b", .integer(1)), ("a", .string("text"))])
    case 22...30: .array([.integer(Int64(numbers.below(3))), .string("x")])
    default:
      key.hasSuffix("1") ? .integer(Int64(numbers.below(5))) : .string("text \(numbers.below(5))")
    }
  }

  private static func graph(_ rows: [Row]) -> ObjectGraph {
    SampleValue.array(rows.map { .dictionary($0) }).makeGraph()
  }

  /// Properties with and without a schema, some required; a kind for all others.
  private static let schema: JSONTree? = {
    let named = (0..<36).filter { $0 % 3 != 0 }.map { number in
      let type = number % 10 == 1 ? "integer" : "string"
      return """
        "k\(number)": {"type": ["\(type)", "object", "array"], "properties": {"a": {"type": "integer"}}}
        """
    }
    let text = """
      {"type": "array", "items": {"type": "object", "properties": {\(named.joined(separator: ","))},
        "required": ["k2", "k3", "k20"],
        "additionalProperties": {"type": ["string", "integer", "array", "object"]}}}
      """
    return try? JSONTree(json: Array(text.utf8))
  }()

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func theReportsAreThoseOfAValidationInFull(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let version = try SchemaVersion(
      family: "", name: "rows", tree: #require(Self.schema), uri: "test:")
    var reports: Set<String> = []
    for round in 0..<40 {
      let graph = Self.graph(Self.rows(&numbers, repeating: round % 2 == 0))
      let full = QuickRuleTests.report(version, graph, isQuick: false)
      #expect(QuickRuleTests.report(version, graph, isQuick: true) == full)
      reports.insert(full)
    }
    #expect(reports.count > 20)
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func copiesHaveTheSameMembers(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    for _ in 0..<20 {
      let rows = Self.rows(&numbers, repeating: false)
      let graph = Self.graph(rows)
      let document = try CodableCopy.copy(graph.root, of: graph, shape: NoHints())
      let written = BinaryWriter.write(document)
      let list = try PropertyListSerialization.propertyList(
        from: Data(written.bytes), format: nil)
      let expected = SampleValue.array(rows.map { .dictionary($0) })
      #expect(SampleValue(foundation: list).canonical == expected.canonical)
      let copy = try readGraph(Data(written.bytes))
      #expect(
        ModelComparison.firstDifference(graph.root, of: graph, copy.root, of: copy) == nil)
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func aDifferenceIsFoundInTheRowThatHasIt(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    for _ in 0..<20 {
      let rows = Self.rows(&numbers, repeating: false)
      var others = rows
      let row = numbers.below(rows.count)
      guard !rows[row].isEmpty else { continue }
      let position = numbers.below(rows[row].count)
      let key = rows[row][position].0
      // Another name, no such member, or another value.
      switch numbers.below(3) {
      case 0: others[row][position].0 = "other"
      case 1: others[row].remove(at: position)
      default: others[row][position].1 = .string("other")
      }
      let (graph, other) = (Self.graph(rows), Self.graph(others))
      let found = ModelComparison.firstDifference(graph.root, of: graph, other.root, of: other)
      let path = GraphPath([.index(row), .key(key)])
      #expect(found.map { "\($0)" } == "\(path)")
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func membersInAnotherOrderAreTheSame(seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    for _ in 0..<20 {
      let rows = Self.rows(&numbers, repeating: false)
      let others = rows.map { numbers.below(3) == 0 ? $0.shuffled(using: &numbers) : $0 }
      let (graph, other) = (Self.graph(rows), Self.graph(others))
      #expect(
        ModelComparison.firstDifference(graph.root, of: graph, other.root, of: other) == nil)
    }
  }
}
