// Predicates and expressions: trees of archived objects, and the format that NSPredicate reads back as the same tree.

import ArchiveGraph
import Foundation
import KeyedArchives
import TestSupport
import Testing

/// Makes archived predicates and expressions.
enum PredicateSample {
  static func path(_ text: String) -> ArchivedSample {
    .object(
      "NSKeyPathExpression",
      [
        "NSExpressionType": 3, "NSSelectorName": "valueForKeyPath:", "NSOperand": own,
        "NSArguments": .array([
          .object(
            "NSKeyPathSpecifierExpression",
            ["NSExpressionType": 10, "NSKeyPath": .stored(.string(text))])
        ]),
      ])
  }

  static let own = ArchivedSample.object("NSSelfExpression", ["NSExpressionType": 1])

  static func constant(_ value: ArchivedSample) -> ArchivedSample {
    .object("NSConstantValueExpression", ["NSExpressionType": 0, "NSConstantValue": value])
  }

  static func variable(_ name: String) -> ArchivedSample {
    .object(
      "NSVariableExpression",
      ["NSExpressionType": 2, "NSVariable": .stored(.string(name))])
  }

  static func call(_ selector: String, _ arguments: [ArchivedSample]) -> ArchivedSample {
    let utilities = ArchivedSample.object(
      "NSConstantValueExpression",
      ["NSExpressionType": 0, "NSConstantValueClassName": "_NSPredicateUtilities"])
    return call(selector, arguments, on: utilities)
  }

  static func call(
    _ selector: String, _ arguments: [ArchivedSample], on operand: ArchivedSample
  ) -> ArchivedSample {
    .object(
      "NSFunctionExpression",
      [
        "NSExpressionType": 4, "NSSelectorName": .stored(.string(selector)),
        "NSOperand": operand, "NSArguments": .array(arguments),
      ])
  }

  static func set(_ type: Int64, _ left: ArchivedSample, _ right: ArchivedSample)
    -> ArchivedSample
  {
    .object(
      "NSSetExpression",
      [
        "NSExpressionType": .inline(.integer(type)), "NSLeftExpression": left,
        "NSRightExpression": right,
      ])
  }

  static func aggregate(_ elements: [ArchivedSample]) -> ArchivedSample {
    .object(
      "NSAggregateExpression", ["NSExpressionType": 14, "NSCollection": .array(elements)])
  }

  static func compare(
    _ left: ArchivedSample, _ type: Int64, _ right: ArchivedSample, options: Int64 = 0,
    modifier: Int64 = 0
  ) -> ArchivedSample {
    .object(
      "NSComparisonPredicate",
      [
        "NSLeftExpression": left, "NSRightExpression": right,
        "NSPredicateOperator": .object(
          type >= 6 ? "NSSubstringPredicateOperator" : "NSEqualityPredicateOperator",
          [
            "NSOperatorType": .inline(.integer(type)), "NSModifier": .inline(.integer(modifier)),
            type >= 6 ? "NSFlags" : "NSOptions": .inline(.integer(options)),
          ]),
      ])
  }

  static func compound(_ type: Int64, _ parts: [ArchivedSample]) -> ArchivedSample {
    .object(
      "NSCompoundPredicate",
      ["NSCompoundPredicateType": .inline(.integer(type)), "NSSubpredicates": .array(parts)])
  }
}

@Suite struct PredicateTests {
  private typealias Make = PredicateSample

  private static let one = Make.compare(Make.path("a"), 4, Make.constant(.stored(.integer(1))))
  private static let two = Make.compare(Make.path("b.c"), 2, Make.constant(.stored(.real(2.5))))

  static let comparisons: [(ArchivedSample, String)] = [
    (one, "a == 1"), (two, "b.c > 2.5"),
    (
      Make.compare(Make.path("n"), 99, Make.constant("x \"y\" \\"), options: 3),
      #"n CONTAINS[cd] "x \"y\" \\""#
    ),
    (Make.compare(Make.path("n"), 6, Make.constant("a.*"), options: 8), "n MATCHES[l] \"a.*\""),
    (Make.compare(Make.path("n"), 7, Make.constant("a*"), options: 1), "n LIKE[c] \"a*\""),
    (Make.compare(Make.path("n"), 8, Make.constant("a"), options: 4), "n BEGINSWITH[n] \"a\""),
    (Make.compare(Make.path("n"), 9, Make.constant("a")), "n ENDSWITH \"a\""),
    (Make.compare(Make.path("n"), 5, Make.constant("a"), options: 1), "n !=[c] \"a\""),
    (Make.compare(Make.path("n"), 0, Make.variable("LIMIT")), "n < $LIMIT"),
    (Make.compare(Make.path("n"), 1, Make.path("m")), "n <= m"),
    (Make.compare(Make.path("n"), 3, Make.constant(.null)), "n >= nil"),
    (
      Make.compare(
        Make.path("n"), 10, Make.aggregate([Make.constant("a"), Make.constant(true)])),
      "n IN {\"a\", TRUE}"
    ),
    (
      Make.compare(Make.path("n"), 10, Make.constant(.array(["a", .stored(.integer(2))]))),
      "n IN {\"a\", 2}"
    ),
    (
      Make.compare(
        Make.path("n"), 100,
        Make.aggregate([Make.constant(.stored(.integer(1))), Make.constant(.stored(.integer(9)))])),
      "n BETWEEN {1, 9}"
    ),
    (Make.compare(Make.path("a.b"), 4, Make.own, modifier: 2), "ANY a.b == SELF"),
    (Make.compare(Make.path("a.b"), 4, Make.own, modifier: 1), "ALL a.b == SELF"),
    (
      Make.compare(
        Make.path("d"), 0, Make.constant(.object("NSDate", ["NS.time": 86400.5]))),
      "d < CAST(86400.5, \"NSDate\")"
    ),
    (
      Make.compare(
        Make.path("u"), 4,
        Make.constant(
          .object("NSUUID", ["NS.uuidbytes": .data([UInt8](repeating: 0xAB, count: 16))]))),
      "u == \"ABABABAB-ABAB-ABAB-ABAB-ABABABABABAB\""
    ),
  ]

  static let compounds: [(ArchivedSample, String)] = [
    (Make.compound(1, [one, two]), "a == 1 AND b.c > 2.5"),
    (Make.compound(2, [one, two, one]), "a == 1 OR b.c > 2.5 OR a == 1"),
    (Make.compound(0, [one]), "NOT a == 1"),
    (
      Make.compound(1, [Make.compound(2, [one, two]), Make.compound(0, [two])]),
      "(a == 1 OR b.c > 2.5) AND (NOT b.c > 2.5)"
    ),
    (Make.compound(0, [Make.compound(1, [one, two])]), "NOT (a == 1 AND b.c > 2.5)"),
    (Make.compound(1, []), "TRUEPREDICATE"), (Make.compound(2, []), "FALSEPREDICATE"),
    (.object("NSTruePredicate"), "TRUEPREDICATE"), (.object("NSFalsePredicate"), "FALSEPREDICATE"),
  ]

  private static let (a, b, c) = (Make.path("a"), Make.path("b"), Make.path("c"))

  static let expressions: [(ArchivedSample, String)] = [
    (a, "a"), (Make.own, "SELF"), (Make.variable("x"), "$x"),
    (Make.constant("s"), "\"s\""), (.object("NSAnyKeyExpression"), "ANYKEY"),
    (Make.call("add:to:", [a, b]), "a + b"),
    (Make.call("multiply:by:", [Make.call("add:to:", [a, b]), c]), "(a + b) * c"),
    (
      Make.call("from:subtract:", [a, Make.call("from:subtract:", [b, c])]), "a - (b - c)"
    ),
    (Make.call("sum:", [Make.call("divide:by:", [a, b])]), "sum(a / b)"),
    (Make.call("now", []), "now()"),
    (Make.call("castObject:toType:", [a, Make.constant("NSDate")]), "CAST(a, \"NSDate\")"),
    (Make.call("objectFrom:withIndex:", [a, Make.constant(.stored(.integer(0)))]), "a[0]"),
    (
      Make.call("filteredArrayUsingPredicate:", [Make.constant(one)], on: a),
      "FUNCTION(a, \"filteredArrayUsingPredicate:\", a == 1)"
    ),
    (Make.call("sel:", [b], on: a), "FUNCTION(a, \"sel:\", b)"),
    (
      Make.call("valueForKeyPath:", [Make.constant("x.y")], on: Make.variable("v")), "$v.x.y"
    ),
    (Make.set(5, a, Make.set(7, b, c)), "a UNION (b MINUS c)"),
    (Make.set(6, a, b), "a INTERSECT b"),
    (
      .object(
        "NSTernaryExpression",
        [
          "NSExpressionType": 20, "NSPredicate": one, "NSTrueExpression": a,
          "NSFalseExpression": b,
        ]), "TERNARY(a == 1, a, b)"
    ),
    (
      .object(
        "NSSubqueryExpression",
        [
          "NSExpressionType": 13, "NSExpression": a, "NSVariableExpression": Make.variable("x"),
          "NSPredicate": Make.compare(
            Make.call("valueForKeyPath:", [Make.constant("y")], on: Make.variable("x")), 2,
            Make.constant(.stored(.integer(3)))),
        ]), "SUBQUERY(a, $x, $x.y > 3)"
    ),
    (
      .object(
        "NSVariableAssignmentExpression",
        ["NSAssignmentVariable": "v", "NSSubexpression": Make.call("add:to:", [a, b])]),
      "$v := a + b"
    ),
  ]

  @Test(arguments: comparisons + compounds + expressions)
  func isItsFormat(_ sample: ArchivedSample, _ format: String) throws {
    let graph = try readGraph(sample.archive)
    #expect(graph.foundationObject(graph.root) == NSString(string: format))
  }

  @Test func aPredicateThatHoldsItselfShowsItsFields() throws {
    let (a, one) = (Self.a, Self.one)
    for sample in [
      Make.compound(1, [.root, one]), Make.compound(0, [.root]),
      Make.compare(Make.call("add:to:", [a, .root]), 4, a),
      .object(
        "NSTernaryExpression",
        ["NSPredicate": .root, "NSTrueExpression": .root, "NSFalseExpression": .root]),
      Make.aggregate([.root, .root, .root]), Make.set(5, .root, .root),
    ] {
      let tree = try ShownTree(sample)
      #expect(tree.root.contains("Predicate (") || tree.root.contains("Expression ("))
      #expect(tree.members.count >= 2)
    }
  }

  @Test func aPredicateTooDeepToSpellShowsItsFields() throws {
    var deep = Self.one
    for _ in 0..<400 { deep = Make.compound(0, [deep]) }
    #expect(try ShownTree(deep).root.hasPrefix("NSCompoundPredicate (2)"))
  }
}
