// Tables of `convert`: the fast lookup finds the first matching pair.

import ArchiveGraph
import ArchivePropertyLists
import Testing

@testable import ArchiveMigrations

@Suite struct ConversionTableTests {
  /// Scalars some of which are equal as numbers, or look like one another.
  private static let scalars: [JSONTree] = [
    .null, .boolean(true), .boolean(false), .integer(1), .integer(0), .integer(-1), .real(1),
    .real(1.5), .real(0), .real(-0.0), .real(.nan), .real(.infinity), .real(1e300),
    .unsigned(1 << 63), .real(9_223_372_036_854_775_808), .integer(Int.max), .string("1"),
    .string("true"), .string("\u{E9}"), .string("e\u{301}"), .string(""),
    .members([("$real", .integer(1))]), .members([("$date", .string("2019-04-06T00:00:00Z"))]),
    .members([("$data", .string("MQ=="))]), .string("MQ=="),
  ]

  @Test(arguments: [false, true], [LensDirection.forward, .backward])
  func theFirstPairThatMatchesCounts(_ isReversed: Bool, _ direction: LensDirection) throws {
    let scalars = isReversed ? Self.scalars.reversed() : Self.scalars
    // Every scalar alone, and all of them in one table.
    let tables = scalars.map { [$0] } + [scalars]
    for values in tables {
      let pairs = values.enumerated().map { index, value in
        direction == .forward
          ? ConversionTable.Pair(source: value, destination: .string("pair \(index)"))
          : ConversionTable.Pair(source: .string("pair \(index)"), destination: value)
      }
      let table = ConversionTable(pairs)
      for scalar in scalars.map({ SyntheticValue($0) }) {
        let forms = values.map { SyntheticValue($0) }
        let expected =
          forms.firstIndex { $0.isIdenticalScalar(to: scalar) }
          ?? forms.firstIndex { $0.isSameScalar(as: scalar, .value) }
        switch (table.convert(scalar, direction), expected) {
        case (nil, nil): break
        case (.string(let found), let index?): #expect(found == "pair \(index)")
        default: Issue.record("\(scalar) in \(values)")
        }
      }
    }
  }
}

extension SyntheticValue {
  /// Whether two scalars are equal and of one type.
  fileprivate func isIdenticalScalar(to other: SyntheticValue) -> Bool {
    switch (self, other) {
    case (.boolean, .boolean), (.real, .real), (.integer, .integer), (.unsigned, .unsigned),
      (.string, .string), (.date, .date), (.data, .data), (.null, .null):
      isSameScalar(as: other)
    default: false
    }
  }
}
