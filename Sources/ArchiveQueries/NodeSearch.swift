// A search through a graph: every value on every path, held against conditions.

import ArchiveBasics
import ArchiveGraph
import ArchivePatterns
import KeyedArchives

/// Conditions that a value must meet, all of them.
///
/// Not for use by two threads at once.
package final class NodeMatcher {
  private let classPattern: WildcardPattern?
  private let keyPattern: WildcardPattern?
  private let expression: ECMAPattern?
  private let value: QueryValue?
  private let type: ValueType?
  /// Whether nothing but the text of a value decides; of nodes, only those that may be text have to be looked at.
  let isOfTextAlone: Bool

  /// Makes conditions; nil for one that is not asked for.
  ///
  /// - Parameters:
  ///   - classPattern: a pattern with `*` and `?` for a class of the value's chain.
  ///   - keyPattern: the same for the key under which the value is.
  ///   - expression: a regular expression of ECMA-262 that a string or date must match somewhere.
  ///   - value: a scalar in JSON that the value must equal.
  ///   - type: the name of its type, or one of plutil's.
  /// - Throws: `ArchiveError` with code `malformed` for an expression or a value that is none.
  package init(
    classPattern: String?, keyPattern: String?, expression: String?, value: String?, type: String?
  ) throws(ArchiveError) {
    self.classPattern = classPattern.map { WildcardPattern($0) }
    self.keyPattern = keyPattern.map { WildcardPattern($0) }
    do throws(PatternFault) {
      self.expression = try expression.map { text throws(PatternFault) in try ECMAPattern(text) }
    } catch {
      throw ArchiveError(
        .malformed, "'\(expression ?? "")' is not a regular expression: \(error.reason)")
    }
    self.value = try value.map { text throws(ArchiveError) in
      guard let literal = JSONPathParser.literal(text) else {
        throw ArchiveError(.malformed, "'\(text)' is not null, true, false, a number or a string")
      }
      return QueryValue(literal)
    }
    self.type = type.map { ValueType($0) }
    isOfTextAlone = expression != nil && classPattern == nil && value == nil && type == nil
  }

  /// Whether a condition is about the key under which a value is.
  var hasKeyPattern: Bool { keyPattern != nil }

  /// Whether the key under which a value is meets the conditions; nil is that of an element.
  func fits(key: String?) -> Bool {
    guard let keyPattern else { return true }
    return key.map { keyPattern.matches($0) } ?? false
  }

  /// Whether a value meets the conditions, all but that of its key.
  func fits(_ node: Node, in graph: ObjectGraph) throws(ArchiveError) -> Bool {
    if isOfTextAlone, let expression, let text = graph.text(of: node), !graph.isNullMark(node) {
      return try matches(expression) { pattern throws(PatternFault) in
        if let ascii = text.sevenBits { return try pattern.matches(utf8: ascii) }
        return try pattern.matches(text.string)
      }
    }
    if let type, !type.fits(node, in: graph) { return false }
    if let classPattern {
      guard let index = graph.classIndex(of: node),
        ([graph.classes[index].name] + graph.classes[index].chain).contains(where: {
          classPattern.matches(class: $0)
        })
      else { return false }
    }
    guard value != nil || expression != nil else { return true }
    let found = QueryValue(node, in: graph)
    if let value, !value.equals(found) { return false }
    guard let expression else { return true }
    guard let text = found.text else { return false }
    return try matches(expression) { pattern throws(PatternFault) in try pattern.matches(text) }
  }

  @inline(__always)
  private func matches(
    _ expression: ECMAPattern, _ match: (ECMAPattern) throws(PatternFault) -> Bool
  ) throws(ArchiveError) -> Bool {
    do throws(PatternFault) {
      return try match(expression)
    } catch {
      throw ArchiveError(.limit, "the expression '\(expression.source)': \(error.reason)")
    }
  }
}

/// The values of a graph that meet conditions, in the order of a walk from the root.
package struct NodeSearch: ~Copyable {
  private let matcher: NodeMatcher
  private let graph: ObjectGraph
  private var walk: DescendantWalk
  private var isRootLeft = true
  private var answers: KnownAnswers

  /// Begins at the root of the input.
  package init(_ matcher: NodeMatcher, in graph: ObjectGraph) {
    self.matcher = matcher
    self.graph = graph
    walk = DescendantWalk(from: graph.root, in: graph)
    answers = KnownAnswers(known: NodeSet(in: graph), fitting: NodeSet(in: graph))
  }

  /// The values that were looked at, and those of them that meet the conditions: most are met again and again.
  private struct KnownAnswers {
    var known: NodeSet
    var fitting: NodeSet

    @inline(__always)
    mutating func fits(
      _ node: Node, _ matcher: NodeMatcher, in graph: ObjectGraph
    ) throws(ArchiveError) -> Bool {
      if !known.insert(node) { return fitting.contains(node) }
      guard try matcher.fits(node, in: graph) else { return false }
      fitting.insert(node)
      return true
    }
  }

  /// The next value that meets the conditions, nil at the end.
  ///
  /// - Throws: `ArchiveError` with code `limit` if more values were looked at than the graph's limits allow.
  package mutating func next() throws(ArchiveError) -> Node? {
    if isRootLeft {
      isRootLeft = false
      if matcher.fits(key: nil), try answers.fits(graph.root, matcher, in: graph) {
        return graph.root
      }
    }
    guard matcher.hasKeyPattern else { return try nextFitting() }
    while let node = try walk.next(where: { _ in true }) {
      if matcher.fits(key: walk.key), try answers.fits(node, matcher, in: graph) { return node }
    }
    return nil
  }

  /// The next value that meets the conditions, none of which is about keys.
  private mutating func nextFitting() throws(ArchiveError) -> Node? {
    let (matcher, graph) = (matcher, graph)
    var answers = answers
    return try walk.next { node throws(ArchiveError) in
      if matcher.isOfTextAlone, !graph.mayBeText(node) { return false }
      return try answers.fits(node, matcher, in: graph)
    }
  }

  /// The path to the value that came last.
  package var path: GraphPath { walk.path }
}

/// A type of values as options name it.
package struct ValueType: Sendable {
  private let name: String

  /// Takes a name of the function `type`, or one of plutil's.
  package init(_ name: String) {
    self.name = ["bool": "boolean", "float": "real", "dict": "dictionary"][name] ?? name
  }

  /// The names that are known.
  package static let names = [
    "array", "bool", "boolean", "data", "date", "dict", "dictionary", "float", "integer", "null",
    "object", "ordered set", "real", "set", "string", "UID",
  ]

  /// Whether a value has the type; an object is a dictionary of its fields, too.
  package func fits(_ node: Node, in graph: ObjectGraph) -> Bool {
    let found = graph.value(of: node).typeName
    return found == name || name == "dictionary" && found == "object"
  }
}

// MARK: - All values below one, in the order in which `..*` gives them

/// The children of a container, then in turn what is below each of them (RFC 9535, 2.5.2.2).
///
/// Like a query it visits an object once for each path to it, does not enter one again within itself, and counts a
/// value when it comes and when it may be entered.
struct DescendantWalk: ~Copyable {
  /// A container on the current path.
  struct Level {
    let container: QueryContainer
    /// The position of the current child.
    var position = -1
    /// Whether the children have come and are now entered.
    var isEntering = false
    /// The positions of the first and the last of them that may lead to further values.
    var firstLeading = Int.max
    var lastLeading = -1
  }

  private let graph: ObjectGraph
  private var levels = RawStack<Level>()
  /// The containers on the current path.
  private var open: NodeSet
  private var visited = 0
  private var limit = 0

  /// Begins before the first value below a node.
  init(from start: Node, in graph: ObjectGraph) {
    self.graph = graph
    open = NodeSet(in: graph)
    enter(start)
  }

  /// The next value that is wanted; nil at the end.
  ///
  /// - Throws: `ArchiveError` with code `limit` if more values were visited than the graph's limits allow; what
  ///   `isWanted` throws.
  @inline(__always)
  mutating func next(
    where isWanted: (Node) throws(ArchiveError) -> Bool
  ) throws(ArchiveError) -> Node? {
    while let level = levels.last {
      if level.pointee.isEntering {
        enterNext(level)
      } else if let found = try nextChild(level, isWanted) {
        return found
      } else {
        try visit(level.pointee.container.count)
        level.pointee.isEntering = true
        level.pointee.position = level.pointee.firstLeading &- 1
      }
    }
    return nil
  }

  /// The next wanted child of a container; nil after the last.
  @inline(__always)
  private mutating func nextChild(
    _ level: UnsafeMutablePointer<Level>, _ isWanted: (Node) throws(ArchiveError) -> Bool
  ) throws(ArchiveError) -> Node? {
    let container = level.pointee.container
    let count = container.count
    var position = level.pointee.position
    while true {
      position &+= 1
      level.pointee.position = position
      guard position < count else { return nil }
      try visit(1)
      let child = container.child(position, in: graph)
      if graph.isContainerOrData(child) {
        if level.pointee.lastLeading < 0 { level.pointee.firstLeading = position }
        level.pointee.lastLeading = position
      }
      if try isWanted(child) { return child }
    }
  }

  /// Enters the next child that has children, or leaves the container.
  private mutating func enterNext(_ level: UnsafeMutablePointer<Level>) {
    let container = level.pointee.container
    while level.pointee.position < level.pointee.lastLeading {
      level.pointee.position &+= 1
      let child = container.child(level.pointee.position, in: graph)
      if graph.isContainerOrData(child), enter(child) { return }
    }
    leave(level)
  }

  private mutating func leave(_ level: UnsafeMutablePointer<Level>) {
    open.remove(level.pointee.container.node)
    levels.drop()
  }

  /// The path to the value that came last; that of the start before the first.
  ///
  /// An archive in a data value is entered without a step of its own.
  var path: GraphPath {
    GraphPath(
      (0..<levels.count).compactMap { index in
        let level = levels[index].pointee
        return level.position < 0 ? nil : level.container.step(level.position, in: graph)
      })
  }

  /// The key under which the value that came last is; nil for an element.
  var key: String? {
    guard let level = levels.last?.pointee, level.position >= 0,
      case .key(let key) = level.container.step(level.position, in: graph)
    else { return nil }
    return key
  }

  /// Enters a value with children.
  ///
  /// - Returns: false for one that has none or is entered already.
  @discardableResult
  private mutating func enter(_ node: Node) -> Bool {
    guard let container = QueryContainer(node, in: graph), open.insert(container.node) else {
      return false
    }
    levels.push(Level(container: container))
    return true
  }

  @inline(__always)
  private mutating func visit(_ count: Int) throws(ArchiveError) {
    visited &+= count
    if visited > limit { try raiseLimit() }
  }

  @inline(never)
  private mutating func raiseLimit() throws(ArchiveError) {
    // Archives in data values that were opened since raise the limit.
    limit = graph.expansionLimit
    guard visited <= limit else {
      throw ArchiveError(.limit, "the query looks at over \(limit) values")
    }
  }
}
