// The keywords of numbers and strings, and of values as wholes.

import Basics
import ObjectGraph
import RegularExpressions

extension Validator {
  /// `enum` and `const`.
  @inline(never)
  mutating func checkValues(
    _ rules: UnsafePointer<SchemaNode>, _ value: Value, _ node: Node, _ site: Site
  ) {
    for values in rules.pointee.values {
      do throws(ArchiveError) {
        if try values.contain(node, value, canonical) { continue }
      } catch {
        problem = error.at(path: path(site))
        return
      }
      report(values.keyword, values.expectation, value, node, site)
    }
  }

  /// The keywords of numbers and strings.
  @inline(__always)
  mutating func checkScalar(
    _ rules: UnsafePointer<SchemaNode>, _ value: Value, _ node: Node, _ site: Site
  ) {
    switch value {
    case .string(let text):
      if let strings = rules.pointee.strings {
        checkString(text, strings.pointee, value, node, site)
      }
    case .integer, .unsigned, .real, .single:
      if let numbers = rules.pointee.numbers { checkNumber(numbers.pointee, value, node, site) }
    case .date, .data:
      guard let strings = rules.pointee.strings, let form = JSONForm.text(of: value) else { return }
      checkString(form, strings.pointee, value, node, site)
    default: return
    }
  }

  // MARK: Numbers

  private mutating func checkNumber(
    _ rules: NumberRules, _ value: Value, _ node: Node, _ site: Site
  ) {
    if let bound = rules.minimum, !isOrder(value, node, bound, .above, .equal) {
      report("minimum", "at least \(bound.text)", value, node, site)
    }
    if let bound = rules.maximum, !isOrder(value, node, bound, .below, .equal) {
      report("maximum", "at most \(bound.text)", value, node, site)
    }
    if let bound = rules.exclusiveMinimum, !isOrder(value, node, bound, .above, .above) {
      report("exclusiveMinimum", "more than \(bound.text)", value, node, site)
    }
    if let bound = rules.exclusiveMaximum, !isOrder(value, node, bound, .below, .below) {
      report("exclusiveMaximum", "less than \(bound.text)", value, node, site)
    }
    if let divisor = rules.multipleOf,
      graph.exactNumber(of: node, value)?.isMultiple(of: divisor.number) != true
    {
      report("multipleOf", "a multiple of \(divisor.text)", value, node, site)
    }
  }

  @inline(__always)
  private func isOrder(
    _ value: Value, _ node: Node, _ bound: NumberBound, _ first: NumberBound.Order,
    _ second: NumberBound.Order
  ) -> Bool {
    let order: NumberBound.Order?
    switch value {
    case .integer(let number) where !graph.isWide(node): order = bound.order(of: number)
    case .real(let number): order = bound.order(of: number)
    case .single(let number) where !number.isFinite: order = bound.order(of: Double(number))
    default: order = graph.exactNumber(of: node, value).map { bound.order(of: $0) }
    }
    return order == first || order == second
  }

  // MARK: Strings

  private mutating func checkString(
    _ text: Text, _ rules: StringRules, _ value: Value, _ node: Node, _ site: Site
  ) {
    // The commonest case without making a string.
    if text.isSevenBit, rules.pattern == nil, rules.format == nil {
      return checkLength(text.byteCount, rules, value, node, site)
    }
    checkString(text.string, rules, value, node, site)
  }

  private mutating func checkString(
    _ string: String, _ rules: StringRules, _ value: Value, _ node: Node, _ site: Site
  ) {
    // Characters are code points (Validation section 6.3.1).
    if rules.minimumLength != nil || rules.maximumLength != nil {
      checkLength(string.unicodeScalars.count, rules, value, node, site)
    }
    if let pattern = rules.pattern, !matches(string, pattern, site) {
      report("pattern", "a string that matches \(pattern.source)", value, node, site)
    }
    if let format = rules.format, !format.accepts(string) {
      report("format", "a string of the format \(format.rawValue)", value, node, site)
    }
  }

  private mutating func checkLength(
    _ length: Int, _ rules: StringRules, _ value: Value, _ node: Node, _ site: Site
  ) {
    if let minimum = rules.minimumLength, length < minimum {
      report("minLength", "at least \(Counted.text(minimum, "character"))", value, node, site)
    }
    if let maximum = rules.maximumLength, length > maximum {
      report("maxLength", "at most \(Counted.text(maximum, "character"))", value, node, site)
    }
  }

  /// Whether a string matches; what cannot be decided ends the validation.
  mutating func matches(_ string: String, _ pattern: ECMAPattern, _ site: Site?) -> Bool {
    do {
      return try pattern.matches(string)
    } catch {
      problem = ArchiveError(
        .limit, "the pattern \(pattern.source) cannot be matched: \(error.reason)",
        path: path(site))
      return true
    }
  }

  // MARK: Coercion

  /// A scalar in an object itself is decoded by the method of its type, which coerces little.
  @inline(never)
  mutating func checkCoercion(_ pairs: Pairs, _ index: Int, _ place: Int) {
    // A number in a box of its own is an object to its class, whose code takes what it needs of it.
    guard let types = schema.nodes[place].types,
      graph.isInline(pairs.values, pairs.position(index))
    else { return }
    let node = graph.value(pairs, index)
    let value = graph.value(of: node)
    guard let objection = CoercionCheck.objection(to: value, types), !isTrying else { return }
    let site = Site(.member(index), Edge(place: place, pointer: ""))
    warnings.append(
      violation(
        "coercion", "what \(objection.method) takes, which raises an \(objection.exception) here",
        Self.text(of: value, in: graph), node, site))
  }

  /// Whether the schema at hand is one of several that are tried.
  private var isTrying: Bool {
    let keywords: Set<String> = ["anyOf", "oneOf", "not", "if", "contains"]
    return (0..<stack.count).contains { keywords.contains(stack[$0].pointee.edge.keyword) }
  }
}
