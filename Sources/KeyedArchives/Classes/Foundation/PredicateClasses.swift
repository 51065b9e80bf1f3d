// Predicates, expressions, sort descriptors and regular expressions.

import ArchiveGraph

// MARK: - NSPredicate: its text in the language that NSPredicate itself reads

enum NSPredicateClass: FrameworkClass {
  static let classNames = [
    "NSPredicate", "NSComparisonPredicate", "NSCompoundPredicate", "NSTruePredicate",
    "NSFalsePredicate",
  ]
  static let shown = "the text of the predicate"

  static func value(of object: ArchivedObject) -> Value? {
    PredicateText.value(of: object) { $0.predicate(object) }
  }

  static let storedForm = StoredForm.never(
    shown: [], reason: "a predicate is stored in parts, not as text")
}

// MARK: - NSPredicateOperator: a number, options and a modifier

/// The operators of comparisons, each with its number, options and modifier.
enum NSPredicateOperatorClass: SimpleClass {
  static let classNames = [
    "NSPredicateOperator", "NSEqualityPredicateOperator", "NSComparisonPredicateOperator",
    "NSStringPredicateOperator", "NSSubstringPredicateOperator", "NSMatchingPredicateOperator",
    "NSLikePredicateOperator", "NSInPredicateOperator", "NSBetweenPredicateOperator",
    "NSCustomPredicateOperator", "NSCompoundPredicateOperator",
  ]
  static let shown = "the operator in predicate syntax, before its fields"

  static func summary(of object: ArchivedObject) -> String? { PredicateText.operatorName(object) }
}

// MARK: - NSExpression: its text in the language of predicates

enum NSExpressionClass: FrameworkClass {
  static let classNames = [
    "NSExpression", "NSConstantValueExpression", "NSKeyPathExpression",
    "NSKeyPathSpecifierExpression", "NSFunctionExpression", "NSSelfExpression",
    "NSVariableExpression", "NSVariableAssignmentExpression", "NSAggregateExpression",
    "NSSetExpression", "NSSubqueryExpression", "NSTernaryExpression", "NSAnyKeyExpression",
  ]
  static let shown = "the text of the expression"

  static func value(of object: ArchivedObject) -> Value? {
    PredicateText.value(of: object) { $0.expression(object) }
  }

  static let storedForm = StoredForm.never(
    shown: [], reason: "an expression is stored in parts, not as text")
}

// MARK: - NSSortDescriptor: `NSKey`, `NSAscending`, `NSSelector`

enum NSSortDescriptorClass: SimpleClass {
  static let classNames = ["NSSortDescriptor"]
  static let shown = "its key, order and selector, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    guard let isAscending = object.flag("NSAscending") else { return nil }
    let key = object.clipped("NSKey") ?? "itself"
    let selector = object.string("NSSelector").map { " by \(SummaryText.clipped($0))" } ?? ""
    return "\(key) \(isAscending ? "ascending" : "descending")\(selector)"
  }
}

// MARK: - NSRegularExpression

enum NSRegularExpressionClass: SimpleClass {
  static let classNames = ["NSRegularExpression", "NSDataDetector"]
  static let shown = "its pattern and options, before its fields"

  /// A letter for each bit of NSRegularExpression.Options, as the pattern syntax has them where it has one.
  private static let options: [(bit: Int64, name: String)] = [
    (1, "i"), (2, "x"), (4, "literal"), (8, "s"), (16, "m"), (32, "unix-lines"), (64, "w"),
  ]

  static func summary(of object: ArchivedObject) -> String? {
    guard let pattern = object.string("NSPattern") else { return nil }
    let bits = object.integer("NSOptions") ?? 0
    let names = options.filter { bits & $0.bit != 0 }.map(\.name)
    return "/\(SummaryText.clipped(pattern))/"
      + (names.isEmpty ? "" : " \(names.joined(separator: " "))")
  }
}

// MARK: - NSTextCheckingResult

enum NSTextCheckingResultClass: FrameworkClass {
  static let classNames = [
    "NSTextCheckingResult", "NSSimpleRegularExpressionCheckingResult",
    "NSExtendedRegularExpressionCheckingResult", "NSComplexRegularExpressionCheckingResult",
    "NSRegularExpressionCheckingResult",
  ]
  static let shown = "its ranges, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    if let location = object.integer("NSRangeLocation"),
      let length = object.integer("NSRangeLength")
    {
      return "{\(location), \(length)}"
    }
    guard let nodes = object.elements("NSRangeArray"), !nodes.isEmpty else { return nil }
    let ranges = nodes.prefix(8).map { node -> String in
      guard object.archive.family(of: node) == NSValueClass.self,
        let value = object.object(at: node), let text = NSValueClass.summary(of: value)
      else { return object.leaf(node).map { SummaryText.scalar($0) } ?? "?" }
      return text
    }
    return ranges.joined(separator: ", ") + (nodes.count > 8 ? ", …" : "")
  }
}
