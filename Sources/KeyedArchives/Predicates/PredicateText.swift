// The text of a predicate: `name CONTAINS[cd] "x" AND NOT age < 18`.
//
// Keys and numbers: the headers of Foundation (NSComparisonPredicate.h, NSExpression.h) and archives of macOS.

import ArchiveGraph

/// Writes predicates and expressions, up to a size that real ones do not reach.
struct PredicateText {
  /// The number of objects that may be visited, shared ones each time.
  private var budget = mostObjects
  /// The number of bytes of strings that may be written.
  private var length = 1_000_000
  /// How deep objects may be nested.
  private var depth = 0

  private static let mostObjects = 4000
  private static let deepest = 200

  /// The text of an object, made once.
  static func value(
    of object: ArchivedObject, _ write: (inout PredicateText) -> String?
  ) -> Value? {
    object.derivedText {
      var text = PredicateText()
      // About how many bytes were looked at.
      defer { object.graph.spend((mostObjects - text.budget) * 100) }
      return write(&text)
    }
  }

  /// The text of a predicate, nil if it is not one or too large.
  mutating func predicate(_ object: ArchivedObject) -> String? {
    guard enter() else { return nil }
    defer { leave() }
    switch object.storedClassName {
    case "NSTruePredicate": return "TRUEPREDICATE"
    case "NSFalsePredicate": return "FALSEPREDICATE"
    default: break
    }
    return object.has("NSCompoundPredicateType") ? compound(object) : comparison(object)
  }

  /// Subtracts one object from the budget; false if it is spent.
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

  private static let operators: [Int64: String] = [
    0: "<", 1: "<=", 2: ">", 3: ">=", 4: "==", 5: "!=", 6: "MATCHES", 7: "LIKE", 8: "BEGINSWITH",
    9: "ENDSWITH", 10: "IN", 99: "CONTAINS", 100: "BETWEEN",
  ]

  /// An operator with its options: `CONTAINS[cd]`; nil for unknown numbers.
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
    graph.classDescription(of: node)?.name ?? ""
  }
}

// MARK: - The text of an expression: key paths, constants, functions, sets, lists and subqueries

extension PredicateText {
  /// The text of the expression that a field leads to.
  mutating func expression(_ name: String, of object: ArchivedObject) -> String? {
    object.object(name, of: NSExpressionClass.self).flatMap { expression($0) }
  }

  /// The text of an expression, nil if its kind is not known or it is too large.
  mutating func expression(_ object: ArchivedObject) -> String? {
    guard enter() else { return nil }
    defer { leave() }
    switch object.storedClassName {
    case "NSConstantValueExpression": return constant(object)
    case "NSSelfExpression": return "SELF"
    case "NSAnyKeyExpression": return "ANYKEY"
    case "NSKeyPathSpecifierExpression": return spend(object.string("NSKeyPath"))
    case "NSVariableExpression": return spend(object.string("NSVariable")).map { "$" + $0 }
    case "NSVariableAssignmentExpression":
      guard let name = object.string("NSAssignmentVariable") ?? object.string("NSVariable"),
        let value = expression("NSSubexpression", of: object)
      else { return nil }
      return "$\(name) := \(value)"
    case "NSFunctionExpression", "NSKeyPathExpression": return call(object)
    case "NSAggregateExpression":
      return object.elements("NSCollection").flatMap { list($0, object) }
    case "NSSetExpression": return set(object)
    case "NSTernaryExpression": return ternary(object)
    case "NSSubqueryExpression": return subquery(object)
    default: return spend(object.string("NSKeyPath"))
    }
  }

  // MARK: Constants

  private mutating func constant(_ object: ArchivedObject) -> String? {
    if object.has("NSConstantValueClassName") {
      return spend(object.string("NSConstantValueClassName"))
    }
    guard let node = object.field("NSConstantValue") else { return "nil" }
    return value(node, object)
  }

  /// A constant in predicate syntax, or the expression or predicate instead of one.
  private mutating func value(_ node: Node, _ object: ArchivedObject) -> String? {
    let family = object.archive.family(of: node)
    if family == NSExpressionClass.self {
      return object.object(at: node).flatMap { expression($0) }
    }
    if family == NSPredicateClass.self { return object.object(at: node).flatMap { predicate($0) } }
    guard enter() else { return nil }
    defer { leave() }
    if let nodes = object.elements(of: node) { return list(nodes, object) }
    switch object.leaf(node) {
    case .string(let text)?: return spend(text.string).map { SummaryText.inQuotes($0) }
    case .date(let seconds)?: return "CAST(\(seconds), \"NSDate\")"
    case .boolean(let flag)?: return flag ? "TRUE" : "FALSE"
    case .data(let bytes)?: return "<\(SummaryText.count(bytes.count, "byte"))>"
    case .some(let value): return SummaryText.scalar(value)
    case nil: return object.brief(node)
    }
  }

  private mutating func list(_ nodes: [Node], _ object: ArchivedObject) -> String? {
    var texts: [String] = []
    for node in nodes {
      guard let text = value(node, object) else { return nil }
      texts.append(text)
    }
    return "{\(texts.joined(separator: ", "))}"
  }

  // MARK: Functions

  /// Selectors that are operators between two arguments.
  private static let infix = [
    "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
    "modulus:by:": "%", "raise:toPower:": "**", "bitwiseAnd:with:": "&", "bitwiseOr:with:": "|",
    "bitwiseXor:with:": "^",
  ]

  private mutating func call(_ object: ArchivedObject) -> String? {
    guard let selector = spend(object.string("NSSelectorName")) else {
      return spend(object.string("NSKeyPath"))
    }
    let nodes = object.elements("NSArguments") ?? []
    let sign = nodes.count == 2 ? PredicateText.infix[selector] : nil
    var arguments: [String] = []
    for node in nodes {
      guard let text = sign == nil ? value(node, object) : operand(node, object) else { return nil }
      arguments.append(text)
    }
    if let sign { return "\(arguments[0]) \(sign) \(arguments[1])" }
    let operand = object.object("NSOperand", of: NSExpressionClass.self)
    if selector == "valueForKeyPath:" || selector == "valueForKey:", arguments.count == 1 {
      return keyPath(arguments[0], operand)
    }
    if selector == "castObject:toType:" {
      return "CAST(\(arguments.joined(separator: ", ")))"
    }
    if selector == "objectFrom:withIndex:", arguments.count == 2 {
      return "\(arguments[0])[\(arguments[1])]"
    }
    // The functions of the language are methods of this class.
    if operand?.string("NSConstantValueClassName") == "_NSPredicateUtilities" {
      let name = selector.prefix { $0 != ":" }
      return "\(name)(\(arguments.joined(separator: ", ")))"
    }
    var parts = ["\"\(selector)\""] + arguments
    if let operand {
      guard let text = expression(operand) else { return nil }
      parts.insert(text, at: 0)
    }
    return "FUNCTION(\(parts.joined(separator: ", ")))"
  }

  private mutating func keyPath(_ path: String, _ operand: ArchivedObject?) -> String? {
    var path = path
    if path.count >= 2, path.hasPrefix("\""), path.hasSuffix("\"") {
      path = String(path.dropFirst().dropLast())
    }
    guard let operand, operand.storedClassName != "NSSelfExpression" else { return path }
    return self.operand(operand).map { "\($0).\(path)" }
  }

  /// An expression beside an operator: in parentheses if it has an operator itself.
  private mutating func operand(_ object: ArchivedObject) -> String? {
    guard let text = expression(object) else { return nil }
    let hasOperator: Bool
    switch object.storedClassName {
    case "NSFunctionExpression":
      hasOperator = object.string("NSSelectorName").flatMap { Self.infix[$0] } != nil
    case "NSSetExpression", "NSVariableAssignmentExpression": hasOperator = true
    default: hasOperator = false
    }
    return hasOperator ? "(\(text))" : text
  }

  /// The same for an expression or a constant.
  private mutating func operand(_ node: Node, _ object: ArchivedObject) -> String? {
    guard object.archive.family(of: node) == NSExpressionClass.self,
      let part = object.object(at: node)
    else { return value(node, object) }
    return operand(part)
  }

  // MARK: Sets, conditions, subqueries

  private mutating func set(_ object: ArchivedObject) -> String? {
    // The numbers of NSExpressionType.
    let names: [Int64: String] = [5: "UNION", 6: "INTERSECT", 7: "MINUS"]
    guard let type = object.integer("NSExpressionType"), let name = names[type],
      let left = object.object("NSLeftExpression", of: NSExpressionClass.self),
      let right = object.object("NSRightExpression", of: NSExpressionClass.self),
      let first = operand(left), let second = operand(right)
    else { return nil }
    return "\(first) \(name) \(second)"
  }

  private mutating func ternary(_ object: ArchivedObject) -> String? {
    guard let condition = object.object("NSPredicate", of: NSPredicateClass.self),
      let test = predicate(condition), let first = expression("NSTrueExpression", of: object),
      let second = expression("NSFalseExpression", of: object)
    else { return nil }
    return "TERNARY(\(test), \(first), \(second))"
  }

  private mutating func subquery(_ object: ArchivedObject) -> String? {
    guard let collection = expression("NSExpression", of: object),
      let condition = object.object("NSPredicate", of: NSPredicateClass.self),
      let test = predicate(condition), let variable = variable(of: object)
    else { return nil }
    return "SUBQUERY(\(collection), \(variable), \(test))"
  }

  private mutating func variable(of object: ArchivedObject) -> String? {
    if let name = spend(object.string("NSVariable")) { return "$" + name }
    return expression("NSVariableExpression", of: object)
  }
}
