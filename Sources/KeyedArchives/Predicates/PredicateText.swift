// The text of a predicate: `name CONTAINS[cd] "x" AND NOT age < 18`.
//
// Keys and numbers: the headers of Foundation (NSComparisonPredicate.h, NSExpression.h) and archives of macOS.

import ObjectGraph

/// Spells predicates and expressions, up to a size that no honest one has.
struct PredicateText {
  /// How many objects may be visited, shared ones each time they are met.
  private var budget = mostObjects
  /// How many bytes of strings may be spelled.
  private var length = 1_000_000
  /// How deep objects may lie in one another.
  private var depth = 0

  private static let mostObjects = 4000
  private static let deepest = 200

  /// About how many bytes were looked at.
  var cost: Int { (Self.mostObjects - budget) * 100 }

  /// The text of a predicate, nil if it is not one or too large.
  mutating func predicate(_ object: ArchivedObject) -> String? {
    guard enter() else { return nil }
    defer { depth -= 1 }
    switch object.storedClassName {
    case "NSTruePredicate": return "TRUEPREDICATE"
    case "NSFalsePredicate": return "FALSEPREDICATE"
    default: break
    }
    return object.has("NSCompoundPredicateType") ? compound(object) : comparison(object)
  }

  /// Takes one object from the budget; false if there is none left.
  mutating func enter() -> Bool {
    guard budget > 0, depth < Self.deepest else { return false }
    budget -= 1
    depth += 1
    return true
  }

  /// Takes a string from the budget; nil if it is missing or too long.
  mutating func spend(_ text: String?) -> String? {
    guard let text, text.utf8.count <= length else { return nil }
    length -= text.utf8.count
    return text
  }

  /// Leaves an object that was entered.
  mutating func leave() { depth -= 1 }

  // MARK: Compounds

  private mutating func compound(_ object: ArchivedObject) -> String? {
    guard let type = object.integer("NSCompoundPredicateType"),
      let nodes = object.elements("NSSubpredicates")
    else { return nil }
    var texts: [String] = []
    for node in nodes {
      guard object.archive.family(of: node) == NSPredicateClass.self,
        let part = object.object(at: node), let text = predicate(part)
      else { return nil }
      texts.append(part.has("NSCompoundPredicateType") ? "(\(text))" : text)
    }
    switch type {
    case 0 where texts.count == 1: return "NOT \(texts[0])"
    case 1: return texts.isEmpty ? "TRUEPREDICATE" : texts.joined(separator: " AND ")
    case 2: return texts.isEmpty ? "FALSEPREDICATE" : texts.joined(separator: " OR ")
    default: return nil
    }
  }

  // MARK: Comparisons

  private mutating func comparison(_ object: ArchivedObject) -> String? {
    guard let left = expression("NSLeftExpression", of: object),
      let right = expression("NSRightExpression", of: object),
      let comparison = object.object("NSPredicateOperator", of: NSPredicateOperatorClass.self),
      let name = Self.operatorName(comparison)
    else { return nil }
    return "\(Self.modifier(comparison))\(left) \(name) \(right)"
  }

  /// `ANY ` and `ALL `, for comparisons with each of several values.
  private static func modifier(_ comparison: ArchivedObject) -> String {
    switch comparison.integer("NSModifier") {
    case 1?: return "ALL "
    case 2?: return "ANY "
    default: return ""
    }
  }

  /// The numbers of NSPredicateOperatorType.
  private static let operators: [Int64: String] = [
    0: "<", 1: "<=", 2: ">", 3: ">=", 4: "==", 5: "!=", 6: "MATCHES", 7: "LIKE", 8: "BEGINSWITH",
    9: "ENDSWITH", 10: "IN", 99: "CONTAINS", 100: "BETWEEN",
  ]

  /// An operator with its options: `CONTAINS[cd]`; nil if its number is none.
  static func operatorName(_ comparison: ArchivedObject) -> String? {
    guard let type = comparison.integer("NSOperatorType") else { return nil }
    if type == 11 { return comparison.string("NSSelectorName") }
    guard let name = operators[type] else { return nil }
    let bits = comparison.integer("NSOptions") ?? comparison.integer("NSFlags") ?? 0
    let letters = zip([1, 2, 4, 8] as [Int64], "cdnl").filter { bits & $0.0 != 0 }.map(\.1)
    return letters.isEmpty ? name : "\(name)[\(String(letters))]"
  }
}

extension ArchivedObject {
  /// The name of the object's class as stored.
  var storedClassName: String {
    graph.classIndex(of: node).map { graph.classes[$0].name } ?? ""
  }
}
