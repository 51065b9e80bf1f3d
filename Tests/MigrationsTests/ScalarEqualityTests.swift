// When two scalars are equal: a table of pairs, with the answer of each comparer.

import Foundation
import TestSupport
import Testing

@testable import Basics
@testable import KeyedArchives
@testable import Migrations
@testable import ObjectGraph
@testable import PropertyLists
@testable import Queries
@testable import Schemas

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
    /// Text in UTF-8 or in UTF-16, by its bytes.
    case utf8(String)
    case utf16([UInt16])
    /// An integer of 16 bytes, whether it needs them or not.
    case wide(Int128)

    func add(to builder: inout GraphBuilder) -> UInt32 {
      switch self {
      case .null: return builder.addNull()
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
      case .data(let bytes): return bytes.withUnsafeBytes { builder.add(data: $0) }
      case .uid(let number): return builder.add(uid: number)
      case .text(let text): return builder.add(text)
      case .utf8(let text):
        let bytes = [0x70 | UInt8(text.utf8.count)] + Array(text.utf8)
        return bytes.withUnsafeBytes { builder.add(encoded: $0) }
      case .utf16(let units):
        let bytes =
          [0x60 | UInt8(units.count)] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        return bytes.withUnsafeBytes { builder.add(encoded: $0) }
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

    var tables: (ValueTable, UInt32, ValueTable, UInt32) {
      (
        left.documents[0].table, left.documents[0].top, right.documents[0].table,
        right.documents[0].top
      )
    }
  }

  /// The comparers, by the names of the columns; nil if one cannot compare such values.
  static let comparers: [(name: String, areEqual: @Sendable (Case) throws -> Bool?)] = [
    (
      "edit",
      {
        var comparison = StoredComparison(
          StoredComparison.Side($0.left.documents[0], nil),
          StoredComparison.Side($0.right.documents[0], nil))
        return comparison.isSame($0.tables.1, $0.tables.3)
      }
    ),
    (
      "rename",
      {
        var proof = SubstitutionProof(
          old: $0.left.documents[0], new: $0.right.documents[0], archive: nil, nested: [:],
          rules: SubstitutionRules(Substitutions()))
        return (try? proof.run()) != nil
      }
    ),
    (
      "replace",
      { ReplacementComparison.areSame($0.tables.0, $0.tables.1, $0.tables.2, $0.tables.3) }
    ),
    (
      "merge",
      {
        try StoredEquality.firstDifference($0.left, $0.right, ComparisonRules($0.left, $0.right))
          == nil
      }
    ),
    (
      "migrate",
      {
        ModelComparison.firstDifference($0.left.root, of: $0.left, $0.right.root, of: $0.right)
          == nil
      }
    ),
    (
      "group",
      {
        ModelDigest.bytes(of: $0.left.root, in: $0.left)
          == ModelDigest.bytes(of: $0.right.root, in: $0.right)
      }
    ),
    (
      "lens",
      {
        let (one, other) = $0.nodes
        guard let left = SyntheticValue(scalar: one, of: $0.both),
          let right = SyntheticValue(scalar: other, of: $0.both)
        else { return nil }
        return left.isSameScalar(as: right)
      }
    ),
    (
      "kept",
      {
        let (one, other) = $0.nodes
        guard let left = SyntheticValue(scalar: one, of: $0.both),
          let right = SyntheticValue(scalar: other, of: $0.both)
        else { return nil }
        return left.isSameNumber(as: right)
      }
    ),
    (
      "test",
      {
        var equality = ValueEquality($0.left, $0.right)
        return equality.areEqual($0.left.root, $0.right.root)
      }
    ),
    (
      "set",
      {
        guard case .array(let elements) = $0.both.value(of: $0.both.root) else { return nil }
        return try !DistinctElements.areDistinct(elements, in: $0.both)
      }
    ),
    (
      "query",
      {
        let (one, other) = $0.nodes
        return QueryValue(one, in: $0.both).equals(QueryValue(other, in: $0.both))
      }
    ),
    (
      "diff",
      {
        let rules = ComparisonRules($0.left, $0.right)
        return try ValueDigests($0.left, rules).digest(of: $0.left.root)
          == ValueDigests($0.right, rules).digest(of: $0.right.root)
      }
    ),
    (
      "near",
      {
        var options = DifferenceOptions()
        options.tolerance = 0
        var isEqual = true
        try Difference.report(between: $0.left, and: $0.right, options: options) {
          (_) throws(ArchiveError) in isEqual = false
        }
        return isEqual
      }
    ),
    (
      "exact",
      {
        var rules = ComparisonRules($0.left, $0.right)
        rules.isExact = true
        return try ValueDigests($0.left, rules).digest(of: $0.left.root)
          == ValueDigests($0.right, rules).digest(of: $0.right.root)
      }
    ),
    (
      "schema",
      {
        let table = CanonicalTable(of: $0.both)
        return try table.number(of: $0.nodes.0) == table.number(of: $0.nodes.1)
      }
    ),
    ("tree", { $0.trees.map { $0.isSame(as: $1) } }),
    ("written", { $0.trees.map { $0 == $1 } }),
  ]

  static let pairs: [(name: String, left: Scalar, right: Scalar, answers: String)] = [
    (
      "0.1 in single and double", .single(0.1), .real(0.1),
      "--------=====-=.."
    ),
    (
      "0.1 in double and single", .real(0.1), .single(0.1),
      "--------=====-=.."
    ),
    (
      "0.1 in single and its double", .single(0.1), .real(Double(Float(0.1))),
      "--======-------.."
    ),
    (
      "0.5 in single and double", .single(0.5), .real(0.5),
      "--===========-=.."
    ),
    (
      "2^31 in single and double", .single(2_147_483_648), .real(2_147_483_648),
      "--======-------.."
    ),
    (
      "2^31 in single and integer", .single(2_147_483_648), .integer(2_147_483_648),
      "----====-------.."
    ),
    (
      "true and 1", .boolean(true), .integer(1),
      "----==-=-=-------"
    ),
    (
      "true and 1.0", .boolean(true), .real(1),
      "----==-=-=-------"
    ),
    (
      "1 and 1.0", .integer(1), .real(1),
      "----=========-==-"
    ),
    (
      "1 and 1 in 16 bytes", .integer(1), .wide(1),
      "--==============="
    ),
    (
      "1 and 1.0 in single", .integer(1), .single(1),
      "----=========-=.."
    ),
    (
      "false and 0", .boolean(false), .integer(0),
      "----==-=-=-------"
    ),
    (
      "false and null", .boolean(false), .null,
      "-----------------"
    ),
    (
      "NaN and NaN", .real(.nan), .real(.nan),
      "==========-=-==--"
    ),
    (
      "NaN of two payloads", .bits(0x7FF8_0000_0000_0001), .bits(0x7FF8_0000_0000_0002),
      "----======-=--=--"
    ),
    (
      "NaN in single and double", .single(.nan), .real(.nan),
      "--======---=--=.."
    ),
    (
      "NaN and infinity", .real(.nan), .real(.infinity),
      "-----------------"
    ),
    (
      "infinity in single and double", .single(.infinity), .real(.infinity),
      "--======--===-=.."
    ),
    (
      "-0.0 and 0.0", .real(-0.0), .real(0),
      "----=========-==="
    ),
    (
      "-0.0 and 0", .real(-0.0), .integer(0),
      "----=========-==-"
    ),
    (
      "0.0 and 0", .real(0), .integer(0),
      "----=========-==-"
    ),
    (
      "-0.0 in single and double", .single(-0.0), .real(-0.0),
      "--===========-=.."
    ),
    (
      "2^63 and its real", .integer(1 << 63), .real(9_223_372_036_854_775_808),
      "----=-==---==----"
    ),
    (
      "2^63 - 1 and the real 2^63", .integer((1 << 63) - 1), .real(9_223_372_036_854_775_808),
      "------------=----"
    ),
    (
      "2^53 + 1 and the real 2^53", .integer((1 << 53) + 1), .real(9_007_199_254_740_992),
      "------------=----"
    ),
    (
      "2^53 and its real", .integer(1 << 53), .real(9_007_199_254_740_992),
      "----=========-==-"
    ),
    (
      "2^60 and its real", .integer(1 << 60), .real(1_152_921_504_606_846_976),
      "----====---==----"
    ),
    (
      "2^64 and its real", .integer(1 << 64), .real(18_446_744_073_709_551_616),
      "-----------------"
    ),
    (
      "2^64 + 1 and 1", .integer((1 << 64) + 1), .integer(1),
      "--============---"
    ),
    (
      "2^64 + 1 and 2^65 + 1", .integer((1 << 64) + 1), .integer((1 << 65) + 1),
      "--============---"
    ),
    (
      "2^64 + 1 and itself", .integer((1 << 64) + 1), .integer((1 << 64) + 1),
      "================="
    ),
    (
      "-1 in 8 and 16 bytes", .integer(-1), .wide(-1),
      "--------------==="
    ),
    (
      "-1 in 16 bytes and 2^64 - 1", .wide(-1), .integer((1 << 64) - 1),
      "--============---"
    ),
    (
      "-2^100 and 2^100", .integer(-(1 << 100)), .integer(1 << 100),
      "--============---"
    ),
    (
      "-2^100 and its real", .integer(-(1 << 100)),
      .real(-1_267_650_600_228_229_401_496_703_205_376),
      "-----------------"
    ),
    (
      "10^25 and the real 1e25", .integer(10_000_000_000_000_000_000_000_000), .real(1e25),
      "--------------==-"
    ),
    (
      "dates of equal seconds", .date(1), .date(1),
      "===============.."
    ),
    (
      "a date and its seconds", .date(1), .real(1),
      "---------------.."
    ),
    (
      "dates -0.0 and 0.0", .date(-0.0), .date(0),
      "--------===---=.."
    ),
    (
      "dates NaN", .date(.nan), .date(.nan),
      "========---====.."
    ),
    (
      "dates NaN of two payloads", .dateBits(0x7FF8_0000_0000_0001),
      .dateBits(0x7FF8_0000_0000_0002),
      "--------------=.."
    ),
    (
      "a date and its text", .date(0), .text("2001-01-01T00:00:00Z"),
      "----------=---=.."
    ),
    (
      "text NFC and NFD", .text("\u{E9}"), .text("e\u{301}"),
      "-----------------"
    ),
    (
      "text in UTF-8 and UTF-16", .utf8("\u{E9}"), .utf16([0xE9]),
      "--=============.."
    ),
    (
      "ASCII in one byte and two", .text("a"), .utf16([0x61]),
      "--=============.."
    ),
    (
      "a lone surrogate and U+FFFD", .utf16([0xD800]), .utf8("\u{FFFD}"),
      "--=============.."
    ),
    (
      "two lone surrogates", .utf16([0xD800]), .utf16([0xD801]),
      "-----===---====.."
    ),
    (
      "$null and null", .text("$null"), .null,
      "-----------------"
    ),
    (
      "$null and $null", .text("$null"), .utf8("$null"),
      "--==============="
    ),
    (
      "1 and its text", .integer(1), .text("1"),
      "-----------------"
    ),
    (
      "data", .data([1, 2]), .data([1, 2]),
      "===============.."
    ),
    (
      "other data", .data([1, 2]), .data([1, 3]),
      "---------------.."
    ),
    (
      "data and its Base64", .data([1]), .text("AQ=="),
      "----------=---=.."
    ),
    (
      "UID and integer", .uid(1), .integer(1),
      "----------=----.."
    ),
    (
      "UIDs", .uid(1), .uid(1),
      "====-=--=======.."
    ),
    (
      "other UIDs", .uid(1), .uid(2),
      "---------------.."
    ),
    (
      "null", .null, .null,
      "================="
    ),
  ]

  @Test func theAnswersAreThoseOfTheTable() throws {
    for pair in Self.pairs {
      let item = Case(pair.left, pair.right)
      let answers = try Self.comparers.map {
        try $0.areEqual(item).map { $0 ? "=" : "-" } ?? "."
      }
      #expect(answers.joined() == pair.answers, "\(pair.name)")
    }
  }
}
