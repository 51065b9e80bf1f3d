// A value as comparisons see it: without its encoding, its envelope and the data value that holds it.

import Basics
import KeyedArchives
import ObjectGraph

/// A value and, for data with an archive, that of the archive's root.
struct ComparedValue {
  /// What kind of value it is.
  enum Content {
    case scalar(Value)
    /// The elements of an array or an ordered set.
    case list(Elements)
    case set(Elements)
    /// The members of a dictionary or of an object.
    case members(Pairs, isObject: Bool)
  }

  /// The value itself, or the root of the archive in it.
  let node: Node
  let content: Content
  /// The class as far as it is compared.
  let className: String?

  init(_ node: Node, in graph: ObjectGraph, rules: ComparisonRules) {
    var node = node
    var value = graph.value(of: node)
    while case .data = value, let content = graph.content(of: node) {
      node = content
      value = graph.value(of: node)
    }
    self.node = node
    className = rules.comparesClasses ? rules.className(of: node, value, in: graph) : nil
    switch value {
    case .array(let elements), .orderedSet(let elements): content = .list(elements)
    case .set(let elements): content = .set(elements)
    case .dictionary(let pairs): content = .members(pairs, isObject: false)
    case .object(_, let pairs): content = .members(pairs, isObject: true)
    default: content = .scalar(value)
    }
  }

  var isContainer: Bool {
    if case .scalar = content { false } else { true }
  }

  /// Whether two values have children that can be compared one by one.
  func isComparable(with other: ComparedValue, _ rules: ComparisonRules) -> Bool {
    switch (content, other.content) {
    case (.list, .list), (.set, .set): true
    case (.list, .set), (.set, .list): rules.comparesForms || rules.hasTextualDates
    case (.members(_, let isObject), .members(_, let isOther)):
      isObject == isOther || rules.comparesForms
    default: false
    }
  }
}
