// When two scalars are equal: a table of pairs with the answer of each rule, and the rule of each comparer.

import Foundation
import TestSupport
import Testing

@testable import ArchiveBasics
@testable import ArchiveEditing
@testable import ArchiveGraph
@testable import ArchiveMigrations
@testable import ArchivePropertyLists
@testable import ArchiveQueries
@testable import ArchiveSchemas
@testable import ArchiveWriting
@testable import KeyedArchives

@Suite struct ScalarEqualityTests {
  /// A scalar as it is stored.
  enum Scalar: Sendable {
    case null
    case boolean(Bool)
    case integer(Int128)
    case real(Double)
    case bits(UInt64)
    case single(Float)
    case singleBits(UInt32)
    case date(Double)
    case dateBits(UInt64)
    case data([UInt8])
    case uid(UInt64)
    case text(String)
    /// An empty list, which is no scalar.
    case list
    /// Text in UTF-8 or in UTF-16, by its bytes.
    case utf8(String)
    case utf16([UInt16])
    /// An integer of 16 bytes, whether it needs them or not.
    case wide(Int128)

    func add(to builder: inout GraphBuilder) -> UInt32 {
      switch self {
      case .null: return builder.addNull()
      case .list:
        builder.open()
        return builder.close()
      case .boolean(let flag): return builder.add(flag)
      case .integer(let number):
        if let small = Int64(exactly: number) { return builder.add(small) }
        return UInt64(exactly: number).map { builder.add(unsigned: $0) }
          ?? builder.add(wide: number)
      case .wide(let number): return builder.add(wide: number)
      case .real(let number): return builder.add(number)
      case .bits(let bits): return builder.add(Double(bitPattern: bits))
      case .single(let number): return builder.add(number)
      case .singleBits(let bits): return builder.add(Float(bitPattern: bits))
      case .date(let seconds): return builder.add(date: seconds)
      case .dateBits(let bits): return builder.add(date: Double(bitPattern: bits))
      case .data(let bytes): return bytes.withByteView { builder.add(data: $0) }
      case .uid(let number): return builder.add(uid: number)
      case .text(let text): return builder.add(text)
      case .utf8(let text):
        let bytes = [0x70 | UInt8(text.utf8.count)] + Array(text.utf8)
        return bytes.withByteView { builder.add(encoded: $0) }
      case .utf16(let units):
        let bytes =
          [0x60 | UInt8(units.count)] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        return bytes.withByteView { builder.add(encoded: $0) }
      }
    }

    /// The value in JSON; nil if JSON has none.
    var tree: JSONTree? {
      switch self {
      case .null: .null
      case .boolean(let flag): .boolean(flag)
      case .integer(let number), .wide(let number):
        Int(exactly: number).map { .integer($0) } ?? UInt64(exactly: number).map { .unsigned($0) }
          ?? .wide(number)
      case .real(let number): .real(number)
      case .bits(let bits): .real(Double(bitPattern: bits))
      case .text(let text), .utf8(let text): .string(text)
      default: nil
      }
    }
  }

  /// A list of both scalars, and a graph of each.
  struct Case {
    let left: ObjectGraph
    let right: ObjectGraph
    let both: ObjectGraph
    let trees: (JSONTree, JSONTree)?

    init(_ one: Scalar, _ other: Scalar) {
      left = ObjectGraph()
      right = ObjectGraph()
      both = ObjectGraph()
      for (scalar, graph) in [(one, left), (other, right)] {
        var builder = GraphBuilder()
        let top = scalar.add(to: &builder)
        _ = graph.add(builder.finish(top: top))
      }
      var builder = GraphBuilder()
      let indices = [one, other].map { $0.add(to: &builder) }
      builder.open()
      for index in indices { builder.append(index) }
      let top = builder.close()
      _ = both.add(builder.finish(top: top))
      trees = one.tree.flatMap { one in other.tree.map { (one, $0) } }
    }

    var nodes: (Node, Node) {
      guard case .array(let elements) = both.value(of: both.root) else {
        return (both.root, both.root)
      }
      return (both.node(elements, 0), both.node(elements, 1))
    }

    /// Whether no integer is stored in 16 bytes for its size.
    var isNarrow: Bool {
      [tables.0.scalar(at: tables.1), tables.2.scalar(at: tables.3)].allSatisfy {
        if case .wide = $0 { false } else { true }
      }
    }

    var tables: (ValueTable, UInt32, ValueTable, UInt32) {
      (
        left.documents[0].table, left.documents[0].top, right.documents[0].table,
        right.documents[0].top
      )
    }
  }

  /// A comparer, and its rule.
  struct Comparer: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rule: ScalarEquality
    /// Pairs that it takes for equal besides, or for different.
    var others: [String] = []
    /// The answer; nil if it cannot compare such values.
    let areEqual: @Sendable (Case) throws -> Bool?

    init(
      _ name: String, _ rule: ScalarEquality, besides others: [String] = [],
      areEqual: @escaping @Sendable (Case) throws -> Bool?
    ) {
      testDescription = name
      self.rule = rule
      self.others = others
      self.areEqual = areEqual
    }
  }

  /// Pairs of scalars that are stored with other bytes.
  private static let reencoded = [
    "1 and 1 in 16 bytes", "-1 in 8 and 16 bytes", "text in UTF-8 and UTF-16",
    "ASCII in one byte and two", "$null and $null",
  ]
  /// Pairs of what JSON has no type for, and its text.
  private static let texts = ["a date and its text", "data and its Base64"]

  static let comparers: [Comparer] = [
    Comparer("edit", .stored, besides: reencoded) {
      var comparison = StoredComparison(
        StoredComparison.Side($0.left.documents[0], nil),
        StoredComparison.Side($0.right.documents[0], nil))
      return comparison.isSame($0.tables.1, $0.tables.3)
    },
    Comparer("rename", .stored, besides: reencoded) {
      let verification = SubstitutionVerification(
        old: $0.left.documents[0], new: $0.right.documents[0], archive: nil, newParts: nil,
        nested: [:],
        rules: SubstitutionRules(Substitutions()))
      return (try? verification.run()) != nil
    },
    Comparer("replace", .widened) {
      StoredComparison.areSame($0.left.documents[0], $0.right.documents[0])
    },
    Comparer("merge", .stored) {
      StoredMatching.firstDifference(betweenFiles: $0.left, $0.right) == nil
    },
    Comparer("migrate", .model) {
      ModelComparison.firstDifference($0.left.root, of: $0.left, $0.right.root, of: $0.right)
        == nil
    },
    Comparer("group", .model) {
      ModelDigest.bytes(of: $0.left.root, in: $0.left)
        == ModelDigest.bytes(of: $0.right.root, in: $0.right)
    },
    Comparer(
      "exact", .exact, besides: ["a lone surrogate and U+FFFD", "two lone surrogates", "UIDs"]
    ) {
      // Migrations refuse integers of over 64 bits.
      let (one, other) = $0.nodes
      guard $0.isNarrow, let left = SyntheticValue(scalar: one, of: $0.both),
        let right = SyntheticValue(scalar: other, of: $0.both)
      else { return nil }
      return left.isSameScalar(as: right)
    },
    Comparer(
      "kept", .model, besides: ["a lone surrogate and U+FFFD", "two lone surrogates", "UIDs"]
    ) {
      // Migrations refuse integers of over 64 bits.
      let (one, other) = $0.nodes
      guard $0.isNarrow, let left = SyntheticValue(scalar: one, of: $0.both),
        let right = SyntheticValue(scalar: other, of: $0.both)
      else { return nil }
      return left.isSameScalar(as: right, .model)
    },
    Comparer("test", .value) {
      var equality = ValueEquality($0.left, $0.right)
      return equality.areEqual($0.left.root, $0.right.root)
    },
    Comparer("set", .number) {
      guard case .array(let elements) = $0.both.value(of: $0.both.root) else { return nil }
      return try !DistinctElements.areDistinct(elements, in: $0.both)
    },
    Comparer("query", .value, besides: texts + ["UID and integer"]) {
      let (one, other) = $0.nodes
      return QueryValue(one, in: $0.both).equals(QueryValue(other, in: $0.both))
    },
    Comparer("diff", .value) {
      let rules = ComparisonRules($0.left, $0.right)
      return try ValueDigests($0.left, rules).digest(of: $0.left.root)
        == ValueDigests($0.right, rules).digest(of: $0.right.root)
    },
    Comparer("near", .value) {
      var options = DifferenceOptions()
      options.tolerance = 0
      var isEqual = true
      try Difference.report(between: $0.left, and: $0.right, options: options) {
        (_) throws(ArchiveError) in isEqual = false
      }
      return isEqual
    },
    Comparer("exact diff", .stored) {
      var rules = ComparisonRules($0.left, $0.right)
      rules.isExact = true
      return try ValueDigests($0.left, rules).digest(of: $0.left.root)
        == ValueDigests($0.right, rules).digest(of: $0.right.root)
    },
    Comparer("schema", .value, besides: texts) {
      let table = CanonicalTable(of: $0.both)
      return try table.number(of: $0.nodes.0) == table.number(of: $0.nodes.1)
    },
    Comparer("tree", .value) { $0.trees.map { $0.isSame(as: $1) } },
    Comparer("written", .stored) { $0.trees.map { $0 == $1 } },
  ]

  static let pairs: [(name: String, left: Scalar, right: Scalar, answers: String)] = [
    // stored, widened, exact, model, value, number
    (
      "0.1 in single and double", .single(0.1), .real(0.1),
      "----=="
    ),
    (
      "0.1 in double and single", .real(0.1), .single(0.1),
      "----=="
    ),
    (
      "0.1 in single and its double", .single(0.1), .real(Double(Float(0.1))),
      "-===--"
    ),
    (
      "0.5 in single and double", .single(0.5), .real(0.5),
      "-====="
    ),
    (
      "2^31 in single and double", .single(2_147_483_648), .real(2_147_483_648),
      "-===--"
    ),
    (
      "2^31 in single and integer", .single(2_147_483_648), .integer(2_147_483_648),
      "--==--"
    ),
    (
      "true and 1", .boolean(true), .integer(1),
      "---=-="
    ),
    (
      "true and 1.0", .boolean(true), .real(1),
      "---=-="
    ),
    (
      "1 and 1.0", .integer(1), .real(1),
      "--===="
    ),
    (
      "1 and 1 in 16 bytes", .integer(1), .wide(1),
      "======"
    ),
    (
      "1 and 1.0 in single", .integer(1), .single(1),
      "--===="
    ),
    (
      "false and 0", .boolean(false), .integer(0),
      "---=-="
    ),
    (
      "false and null", .boolean(false), .null,
      "------"
    ),
    (
      "NaN and NaN", .real(.nan), .real(.nan),
      "======"
    ),
    (
      "NaN of two payloads", .bits(0x7FF8_0000_0000_0001), .bits(0x7FF8_0000_0000_0002),
      "--===="
    ),
    (
      "NaN in single and double", .single(.nan), .real(.nan),
      "-====="
    ),
    (
      "NaN and infinity", .real(.nan), .real(.infinity),
      "------"
    ),
    (
      "infinity in single and double", .single(.infinity), .real(.infinity),
      "-====="
    ),
    (
      "-0.0 and 0.0", .real(-0.0), .real(0),
      "----=="
    ),
    (
      "-0.0 and 0", .real(-0.0), .integer(0),
      "----=="
    ),
    (
      "0.0 and 0", .real(0), .integer(0),
      "--===="
    ),
    (
      "-0.0 in single and double", .single(-0.0), .real(-0.0),
      "-====="
    ),
    (
      "2^63 and its real", .integer(1 << 63), .real(9_223_372_036_854_775_808),
      "--===="
    ),
    (
      "2^63 - 1 and the real 2^63", .integer((1 << 63) - 1), .real(9_223_372_036_854_775_808),
      "------"
    ),
    (
      "2^53 + 1 and the real 2^53", .integer((1 << 53) + 1), .real(9_007_199_254_740_992),
      "------"
    ),
    (
      "2^53 and its real", .integer(1 << 53), .real(9_007_199_254_740_992),
      "--===="
    ),
    (
      "2^60 and its real", .integer(1 << 60), .real(1_152_921_504_606_846_976),
      "--===="
    ),
    (
      "2^64 and its real", .integer(1 << 64), .real(18_446_744_073_709_551_616),
      "--===="
    ),
    (
      "2^64 + 1 and 1", .integer((1 << 64) + 1), .integer(1),
      "------"
    ),
    (
      "2^64 + 1 and 2^65 + 1", .integer((1 << 64) + 1), .integer((1 << 65) + 1),
      "------"
    ),
    (
      "2^64 + 1 and itself", .integer((1 << 64) + 1), .integer((1 << 64) + 1),
      "======"
    ),
    (
      "-1 in 8 and 16 bytes", .integer(-1), .wide(-1),
      "======"
    ),
    (
      "-1 in 16 bytes and 2^64 - 1", .wide(-1), .integer((1 << 64) - 1),
      "------"
    ),
    (
      "-2^100 and 2^100", .integer(-(1 << 100)), .integer(1 << 100),
      "------"
    ),
    (
      "-2^100 and its real", .integer(-(1 << 100)),
      .real(-1_267_650_600_228_229_401_496_703_205_376),
      "--===="
    ),
    (
      "10^25 and the real 1e25", .integer(10_000_000_000_000_000_000_000_000), .real(1e25),
      "------"
    ),
    (
      "dates of equal seconds", .date(1), .date(1),
      "======"
    ),
    (
      "a date and its seconds", .date(1), .real(1),
      "------"
    ),
    (
      "dates -0.0 and 0.0", .date(-0.0), .date(0),
      "----=="
    ),
    (
      "dates NaN", .date(.nan), .date(.nan),
      "======"
    ),
    (
      "dates NaN of two payloads", .dateBits(0x7FF8_0000_0000_0001),
      .dateBits(0x7FF8_0000_0000_0002),
      "--===="
    ),
    (
      "a date and its text", .date(0), .text("2001-01-01T00:00:00Z"),
      "------"
    ),
    (
      "text NFC and NFD", .text("\u{E9}"), .text("e\u{301}"),
      "------"
    ),
    (
      "text in UTF-8 and UTF-16", .utf8("\u{E9}"), .utf16([0xE9]),
      "======"
    ),
    (
      "ASCII in one byte and two", .text("a"), .utf16([0x61]),
      "======"
    ),
    (
      "a lone surrogate and U+FFFD", .utf16([0xD800]), .utf8("\u{FFFD}"),
      "------"
    ),
    (
      "two lone surrogates", .utf16([0xD800]), .utf16([0xD801]),
      "------"
    ),
    (
      "$null and null", .text("$null"), .null,
      "------"
    ),
    (
      "$null and $null", .text("$null"), .utf8("$null"),
      "======"
    ),
    (
      "1 and its text", .integer(1), .text("1"),
      "------"
    ),
    (
      "data", .data([1, 2]), .data([1, 2]),
      "======"
    ),
    (
      "other data", .data([1, 2]), .data([1, 3]),
      "------"
    ),
    (
      "data and its Base64", .data([1]), .text("AQ=="),
      "------"
    ),
    (
      "UID and integer", .uid(1), .integer(1),
      "------"
    ),
    (
      "UIDs", .uid(1), .uid(1),
      "======"
    ),
    (
      "other UIDs", .uid(1), .uid(2),
      "------"
    ),
    (
      "an empty list and null", .list, .null,
      "------"
    ),
    (
      "null", .null, .null,
      "======"
    ),
  ]

  static let rules: [(name: String, rule: ScalarEquality)] = [
    ("stored", .stored), ("widened", .widened), ("exact", .exact), ("model", .model),
    ("value", .value), ("number", .number),
  ]

  private static func expected(_ answers: String, by rule: ScalarEquality) -> Bool {
    zip(rules, answers).contains { $0.rule == rule && $1 == "=" }
  }

  @Test func eachRuleAnswersAsTheTableSays() throws {
    for pair in Self.pairs {
      let item = Case(pair.left, pair.right)
      let (table, index, other, otherIndex) = item.tables
      for (name, rule) in Self.rules {
        let expected = Self.expected(pair.answers, by: rule)
        let comment = Comment("\(pair.name) by \(name)")
        #expect(rule.areSame(table, index, other, otherIndex) == expected, comment)
        #expect(rule.areSame(other, otherIndex, table, index) == expected, comment)
        if table.marker(of: index) >> 4 < Marker.array {
          #expect(rule.areSame(table, index, table, index), comment)
        }
        guard table.marker(of: index) >> 4 < Marker.array else { continue }
        let areEqual = rule.areEqual(table.scalar(at: index), other.scalar(at: otherIndex))
        #expect(areEqual == expected, comment)
      }
    }
  }

  @Test(arguments: comparers) func eachComparerHasItsRule(_ comparer: Comparer) throws {
    for pair in Self.pairs {
      guard let isEqual = try comparer.areEqual(Case(pair.left, pair.right)) else { continue }
      let expected = Self.expected(pair.answers, by: comparer.rule)
      #expect(isEqual == (expected != comparer.others.contains(pair.name)), "\(pair.name)")
    }
  }

  /// Numbers in ascending order, integers and reals.
  private static let ascending: [ScalarEquality.Number] = [
    .real((-Double.infinity).bitPattern), .real((-1e39).bitPattern), .integer(.min), .integer(-2),
    .real((-1.5).bitPattern), .integer(-1), .integer(0), .real(0.5.bitPattern), .integer(1),
    .integer(1 << 53), .integer((1 << 53) + 1), .integer(.max), .real(1e39.bitPattern),
    .real(Double.infinity.bitPattern),
  ]

  @Test func numbersHaveOneOrderAndDistances() {
    let numbers = Self.ascending
    for (position, one) in numbers.enumerated() {
      for (place, other) in numbers.enumerated() {
        #expect(one.isLess(than: other) == (position < place), "\(one) and \(other)")
        #expect((one.distance(to: other) == 0) == (position == place), "\(one) and \(other)")
      }
      #expect(!one.isLess(than: .boolean(true)) && one.distance(to: .boolean(true)) == nil)
      let nothing = ScalarEquality.value.number(.nan)
      #expect(!one.isLess(than: nothing) && !nothing.isLess(than: one))
    }
  }
}
