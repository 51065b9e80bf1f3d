// A direct implementation of JSON Schema for the small vocabulary of the random tests: the reference for generated
// values and counterexamples, with whose code it shares none.

import ArchivePropertyLists

/// Validates values one keyword after another, with the annotations that `unevaluatedProperties` needs.
struct ReferenceValidator {
  let root: JSONTree

  func accepts(_ value: JSONTree) -> Bool { judge(value, root).isValid }

  private typealias Judgement = (isValid: Bool, evaluated: Set<String>)

  private func judge(_ value: JSONTree, _ schema: JSONTree) -> Judgement {
    if let flag = schema.boolean { return (flag, []) }
    var isValid = true
    var evaluated: Set<String> = []
    for (keyword, rule) in schema.members ?? [] where keyword != "unevaluatedProperties" {
      let result = judge(value, keyword, rule, schema)
      isValid = isValid && result.isValid
      evaluated.formUnion(result.evaluated)
    }
    if let rule = schema["unevaluatedProperties"], let members = value.members {
      for (name, member) in members where !evaluated.contains(name) {
        isValid = isValid && judge(member, rule).isValid
        evaluated.insert(name)
      }
    }
    return isValid ? (true, evaluated) : (false, [])
  }

  private func judge(
    _ value: JSONTree, _ keyword: String, _ rule: JSONTree, _ schema: JSONTree
  ) -> Judgement {
    switch keyword {
    case "type": return (rule.strings.contains { Self.has(value, type: $0) }, [])
    case "x-plist-type": return (rule.strings.contains { Self.has(value, storedType: $0) }, [])
    case "const": return (Self.equal(value, rule), [])
    case "enum": return ((rule.list ?? []).contains { Self.equal(value, $0) }, [])
    case "$ref":
      let target = root.value(at: String((rule.string ?? "").dropFirst()))
      return judge(value, target ?? .boolean(false))
    case "allOf":
      let results = (rule.list ?? []).map { judge(value, $0) }
      return (results.allSatisfy(\.isValid), Self.union(results))
    case "anyOf":
      let results = (rule.list ?? []).map { judge(value, $0) }
      return (results.contains(where: \.isValid), Self.union(results))
    case "oneOf":
      let results = (rule.list ?? []).map { judge(value, $0) }
      return (results.filter(\.isValid).count == 1, Self.union(results))
    case "not": return (!judge(value, rule).isValid, [])
    case "if":
      let condition = judge(value, rule)
      let rule = schema[condition.isValid ? "then" : "else"]
      let next = judge(value, rule ?? .boolean(true))
      return (next.isValid, condition.evaluated.union(next.evaluated))
    default: break
    }
    switch value {
    case .string(let text):
      return (Self.judge(text.unicodeScalars.count, keyword, "Length", rule), [])
    case .list(let items): return (judge(items, keyword, rule, schema), [])
    case .members(let members): return judge(members, keyword, rule, schema)
    case .integer, .real: return (Self.judge(Self.number(value), keyword, Self.number(rule)), [])
    default: return (true, [])
    }
  }

  // MARK: Scalars

  private static func union(_ results: [Judgement]) -> Set<String> {
    results.reduce(into: []) { $0.formUnion($1.evaluated) }
  }

  private static func number(_ tree: JSONTree) -> Double {
    switch tree {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: 0
    }
  }

  private static func judge(_ number: Double, _ keyword: String, _ bound: Double) -> Bool {
    switch keyword {
    case "minimum": number >= bound
    case "maximum": number <= bound
    case "exclusiveMinimum": number > bound
    case "exclusiveMaximum": number < bound
    case "multipleOf": number.truncatingRemainder(dividingBy: bound) == 0
    default: true
    }
  }

  private static func judge(
    _ count: Int, _ keyword: String, _ things: String, _ rule: JSONTree
  ) -> Bool {
    if keyword == "min" + things { return Double(count) >= number(rule) }
    if keyword == "max" + things { return Double(count) <= number(rule) }
    return true
  }

  private static func has(_ value: JSONTree, type: String) -> Bool {
    switch (value, type) {
    case (.null, "null"), (.boolean, "boolean"), (.string, "string"), (.list, "array"),
      (.members, "object"), (.integer, "integer"), (.integer, "number"), (.real, "number"):
      true
    case (.real(let number), "integer"): number == number.rounded()
    default: false
    }
  }

  private static func has(_ value: JSONTree, storedType: String) -> Bool {
    switch (value, storedType) {
    case (.integer, "integer"), (.real, "real"), (.string, "string"), (.members, "object"),
      (.null, "null"):
      true
    default: false
    }
  }

  static func equal(_ left: JSONTree, _ right: JSONTree) -> Bool {
    switch (left, right) {
    case (.integer, .integer), (.integer, .real), (.real, .integer), (.real, .real):
      number(left) == number(right)
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { equal($0, $1) }
    case (.members(let members), .members(let others)):
      members.count == others.count
        && members.allSatisfy { name, value in right[name].map { equal(value, $0) } ?? false }
    default: left == right
    }
  }

  // MARK: Parts

  private func judge(
    _ items: [JSONTree], _ keyword: String, _ rule: JSONTree, _ schema: JSONTree
  ) -> Bool {
    switch keyword {
    case "prefixItems": return zip(items, rule.list ?? []).allSatisfy { judge($0, $1).isValid }
    case "items":
      return items.dropFirst(schema["prefixItems"]?.list?.count ?? 0)
        .allSatisfy { judge($0, rule).isValid }
    case "uniqueItems":
      return rule == .boolean(false)
        || !items.indices.contains { first in
          items[(first + 1)...].contains { Self.equal(items[first], $0) }
        }
    case "contains":
      let count = items.filter { judge($0, rule).isValid }.count
      let least = schema["minContains"].map(Self.number) ?? 1
      let most = schema["maxContains"].map(Self.number) ?? .infinity
      return Double(count) >= least && Double(count) <= most
    default: return Self.judge(items.count, keyword, "Items", rule)
    }
  }

  private func judge(
    _ members: [(String, JSONTree)], _ keyword: String, _ rule: JSONTree, _ schema: JSONTree
  ) -> Judgement {
    let names = Set(members.map(\.0))
    func judgeEach(_ schemas: (String) -> [JSONTree]) -> Judgement {
      var isValid = true
      var evaluated: Set<String> = []
      for (name, value) in members {
        for schema in schemas(name) {
          evaluated.insert(name)
          isValid = isValid && judge(value, schema).isValid
        }
      }
      return (isValid, evaluated)
    }
    switch keyword {
    case "required": return (names.isSuperset(of: rule.strings), [])
    case "dependentRequired":
      return (
        (rule.members ?? []).allSatisfy {
          !names.contains($0.0) || names.isSuperset(of: $0.1.strings)
        }, []
      )
    case "dependentSchemas":
      let results = (rule.members ?? []).filter { names.contains($0.0) }.map {
        judge(.members(members), $0.1)
      }
      return (results.allSatisfy(\.isValid), Self.union(results))
    case "propertyNames":
      return (names.allSatisfy { judge(.string($0), rule).isValid }, [])
    case "properties": return judgeEach { name in rule[name].map { [$0] } ?? [] }
    case "patternProperties": return judgeEach { Self.matching($0, schema) }
    case "additionalProperties":
      return judgeEach { name in
        schema["properties"]?[name] != nil || !Self.matching(name, schema).isEmpty ? [] : [rule]
      }
    default: return (Self.judge(members.count, keyword, "Properties", rule), [])
    }
  }

  /// The schemas of the patterns that a name matches; the tests know three that are more than text.
  private static func matching(_ name: String, _ schema: JSONTree) -> [JSONTree] {
    (schema["patternProperties"]?.members ?? []).filter { pattern, _ in
      switch pattern {
      case "^a": name.hasPrefix("a")
      case "b$": name.hasSuffix("b")
      case "[cd]": name.contains { "cd".contains($0) }
      default: name.contains(pattern)
      }
    }.map(\.1)
  }
}
