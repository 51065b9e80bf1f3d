// Scalars that are stored with the same bytes: they have the same value, whatever documents they are of.

import TestSupport
import Testing

@testable import ArchiveGraph

@Suite struct StoredAlikeTests {
  private static let scalars: [SampleValue] =
    [
      .null, .boolean(true), .boolean(false), .integer(0), .integer(1), .integer(255),
      .integer(256), .integer(70_000), .integer(-1), .integer(.max), .integer(.min),
      .unsigned(.max), .real(0), .real(-0.0), .real(1), .real(.nan), .date(0), .date(1),
      .data([]), .data([1]), .data([1, 2]), .uid(0), .uid(1), .uid(256),
    ]
    + ["", "a", "$null", "$nulL", "ä", "äö", "14 characters.", "15 characters..", "東京"].map {
      .string($0)
    }

  /// Whether equal ones are found to be: they are short, and what is stored.
  private static func isShort(_ value: SampleValue) -> Bool {
    switch value {
    case .uid, .array, .dictionary, .unsigned: false
    case .string(let text): text.utf16.count < 15
    default: true
    }
  }

  /// Whether it is as long as the string that represents nil: others are not asked for their characters.
  private static func mayBeMark(_ value: SampleValue) -> Bool {
    if case .string(let text) = value { text.utf8.count == 5 } else { false }
  }

  private static func places(_ graph: ObjectGraph) throws -> [UnsafeRawPointer] {
    guard case .array(let elements) = graph.value(of: graph.root) else { throw ListMissing() }
    return (0..<elements.count).map { graph.storedPointer(of: graph.node(elements, $0)) }
  }

  private struct ListMissing: Error {}

  @Test(arguments: [(false, false), (true, false), (false, true), (true, true)])
  func valuesThatAreStoredAlikeAreEqual(_ left: Bool, _ right: Bool) throws {
    let graphs = (0..<2).map { _ in SampleValue.array(Self.scalars).makeGraph() }
    // A property list that represents nil by a string.
    graphs[0].views[0].marksNull = left
    graphs[1].views[0].marksNull = right
    let places = try graphs.map(Self.places)
    let readers = graphs.map { DocumentReader($0, 0) }
    for (first, one) in Self.scalars.enumerated() {
      for (second, other) in Self.scalars.enumerated() {
        let isAlike = readers[0].isStoredAlike(places[0][first], readers[1], places[1][second])
        let isMark = (left || right) && Self.mayBeMark(one)
        let isEqual = one.canonical == other.canonical
        #expect(
          isAlike == (isEqual && Self.isShort(one) && !isMark), "\(one) and \(other)")
      }
    }
  }
}
