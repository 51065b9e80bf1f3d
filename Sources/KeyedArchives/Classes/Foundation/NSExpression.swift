// NSExpression: its text in the language of predicates.

import ObjectGraph

/// Expressions of every kind.
enum NSExpressionClass: FrameworkClass {
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

  static let storedForm = StoredForm.never(
    shown: [], reason: "an expression is stored in parts, not as text")
}
