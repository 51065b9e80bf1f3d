// The text of an expression: key paths, constants, functions, sets, lists and subqueries.

import ObjectGraph

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
    case "NSAggregateExpression": return aggregate(object)
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

  /// A constant as predicates spell it.
  private mutating func value(_ node: Node, _ object: ArchivedObject) -> String? {
    guard enter() else { return nil }
    defer { leave() }
    if let nodes = object.elements(of: node) {
      return list(nodes, "{", "}") { text, node in text.value(node, object) }
    }
    if let family = object.archive.family(of: node), family == NSExpressionClass.self {
      return object.object(at: node).flatMap { expression($0) }
    }
    if let family = object.archive.family(of: node), family == NSPredicateClass.self {
      return object.object(at: node).flatMap { predicate($0) }
    }
    switch object.leaf(node) {
    case .string(let text)?: return spend(text.string).map { SummaryText.inQuotes($0) }
    case .date(let seconds)?: return "CAST(\(seconds), \"NSDate\")"
    case .boolean(let flag)?: return flag ? "TRUE" : "FALSE"
    case .data(let bytes)?: return "<\(SummaryText.count(bytes.count, "byte"))>"
    case .some(let value): return SummaryText.scalar(value)
    case nil: return object.brief(node)
    }
  }

  private mutating func list(
    _ nodes: [Node], _ open: String, _ close: String,
    _ spell: (inout PredicateText, Node) -> String?
  ) -> String? {
    var texts: [String] = []
    for node in nodes {
      guard let text = spell(&self, node) else { return nil }
      texts.append(text)
    }
    return open + texts.joined(separator: ", ") + close
  }

  private mutating func aggregate(_ object: ArchivedObject) -> String? {
    guard let nodes = object.elements("NSCollection") else { return nil }
    return list(nodes, "{", "}") { text, node in text.part(node, object) }
  }

  /// An expression, or a constant that stands in its place.
  private mutating func part(_ node: Node, _ object: ArchivedObject) -> String? {
    guard object.archive.family(of: node) == NSExpressionClass.self else {
      return value(node, object)
    }
    return object.object(at: node).flatMap { expression($0) }
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
      guard let text = sign == nil ? part(node, object) : operand(node, object) else { return nil }
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

  /// An expression that stands beside an operator: in parentheses if it has one of its own.
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

  /// The same of an expression or a constant in its place.
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
