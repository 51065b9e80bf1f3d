// NSPredicate: its text in the language that NSPredicate itself reads.

import ObjectGraph

/// Predicates of every kind.
enum NSPredicateClass: FrameworkClass {
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

  static let storedForm = StoredForm.never(
    shown: [], reason: "a predicate is stored in parts, not as text")
}
