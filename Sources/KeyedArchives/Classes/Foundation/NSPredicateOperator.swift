// NSPredicateOperator: a number, options and a modifier.

import ObjectGraph

/// The operators of comparisons, each with its number, options and modifier.
enum NSPredicateOperatorClass: FrameworkClass {
  static let classNames = [
    "NSPredicateOperator", "NSEqualityPredicateOperator", "NSComparisonPredicateOperator",
    "NSStringPredicateOperator", "NSSubstringPredicateOperator", "NSMatchingPredicateOperator",
    "NSLikePredicateOperator", "NSInPredicateOperator", "NSBetweenPredicateOperator",
    "NSCustomPredicateOperator", "NSCompoundPredicateOperator",
  ]
  static let shown = "the operator in predicate syntax, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? { PredicateText.operatorName(object) }
}
