// NSPredicate and NSExpression: what they say, in the language that NSPredicate itself reads.

import ObjectGraph

/// Predicates of every kind.
enum NSPredicateClass: ArchivedClass {
  static let classNames = [
    "NSPredicate", "NSComparisonPredicate", "NSCompoundPredicate", "NSTruePredicate",
    "NSFalsePredicate",
  ]
  static let shown = "the text of the predicate"

  static func value(of object: ArchivedObject) -> Value? {
    object.derivedText {
      var text = PredicateText()
      defer { object.graph.spend(text.cost) }
      return text.predicate(object)
    }
  }
}

/// Expressions of every kind.
enum NSExpressionClass: ArchivedClass {
  static let classNames = [
    "NSExpression", "NSConstantValueExpression", "NSKeyPathExpression",
    "NSKeyPathSpecifierExpression", "NSFunctionExpression", "NSSelfExpression",
    "NSVariableExpression", "NSVariableAssignmentExpression", "NSAggregateExpression",
    "NSSetExpression", "NSSubqueryExpression", "NSTernaryExpression", "NSAnyKeyExpression",
  ]
  static let shown = "the text of the expression"

  static func value(of object: ArchivedObject) -> Value? {
    object.derivedText {
      var text = PredicateText()
      defer { object.graph.spend(text.cost) }
      return text.expression(object)
    }
  }
}

/// The operators of comparisons, each with its number, options and modifier.
enum NSPredicateOperatorClass: ArchivedClass {
  static let classNames = [
    "NSPredicateOperator", "NSEqualityPredicateOperator", "NSComparisonPredicateOperator",
    "NSStringPredicateOperator", "NSSubstringPredicateOperator", "NSMatchingPredicateOperator",
    "NSLikePredicateOperator", "NSInPredicateOperator", "NSBetweenPredicateOperator",
    "NSCustomPredicateOperator", "NSCompoundPredicateOperator",
  ]
  static let shown = "the operator as predicates spell it, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? { PredicateText.operatorName(object) }
}
