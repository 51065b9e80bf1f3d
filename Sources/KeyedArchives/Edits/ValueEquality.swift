// Whether values of graphs are equal by what they mean: numbers by value, members in any order.

import Basics
import ObjectGraph

extension ObjectGraph {
  /// Whether a value is one in typed JSON already, so that an edit would change nothing: with its type, as a number has it
  /// that takes the type of the old one, and with its class, if the typed JSON names one.
  public func isAlready(_ value: TypedValue, at node: Node) throws(ArchiveError) -> Bool {
    let old = self.value(of: node)
    let new = try value.like(old)
    let other = ObjectGraph(limits: limits)
    let root = try other.add(typedJSON: new.json)
    // A class or a storage, also of what is inside, is compared as it is written.
    if ["$object", "$inline", "$boxed"].contains(where: { new.text.includes("\"\($0)\"") }) {
      return try TypedValue(node, of: self).text == new.text
    }
    guard old.typeName == other.value(of: root).typeName else { return false }
    return try areEqual(node, root, in: other, .stored)
  }

  /// Whether a value equals one in typed JSON: numbers by their value, members in any order.
  ///
  /// A data value with an archive is compared by the archive's root, unless the other is data.
  ///
  /// - Throws: `ArchiveError` if the tags of the typed JSON are malformed.
  public func equals(_ value: TypedValue, at node: Node) throws(ArchiveError) -> Bool {
    let other = ObjectGraph(limits: limits)
    let root = try other.add(typedJSON: value.json)
    if try areEqual(node, root, in: other, .value) { return true }
    guard case .data = self.value(of: node), let content = content(of: node) else { return false }
    if case .data = other.value(of: root) { return false }
    return try areEqual(content, root, in: other, .value)
  }

  private func areEqual(
    _ node: Node, _ value: Node, in other: ObjectGraph, _ rule: ScalarEquality
  ) throws(ArchiveError) -> Bool {
    let table = CanonicalTable(of: self, rule)
    let number = try table.number(of: node)
    return try table.numbers(of: [value], in: other).contains(number)
  }

  /// Whether no two elements of a set are equal, as NSSet compares them.
  ///
  /// - Throws: `ArchiveError` with code `limit` if one is too deep to be compared.
  func areDistinct(_ elements: Elements) throws(ArchiveError) -> Bool {
    let table = CanonicalTable(of: self, .number)
    var known: Set<UInt32> = []
    for position in 0..<elements.count {
      guard try known.insert(table.number(of: node(elements, position))).inserted else {
        return false
      }
    }
    return true
  }
}
