// A search through a graph: every stored value once, held against conditions.

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
  private let types: [ValueType]
  private let dates: DateSpan?
  /// Whether nothing but the text of a value decides; of nodes, only those that may be text have to be looked at.
  let isOfTextAlone: Bool

  /// Makes conditions; nil for one that is not asked for.
  ///
  /// - Parameters:
  ///   - classPattern: a pattern with `*` and `?` for a class of the value's chain.
  ///   - keyPattern: the same for the key under which the value is.
  ///   - expression: a regular expression of ECMA-262 that a string or date must match somewhere.
  ///   - ignoresCase: whether capital letters match small ones there.
  ///   - value: a scalar in JSON that the value must equal.
  ///   - types: names of types, one of which it must have.
  ///   - dates: the span of time that it must be a date of.
  /// - Throws: `ArchiveError` with code `malformed` for an expression or a value that is none.
  package init(
    classPattern: String?, keyPattern: String?, expression: String?, ignoresCase: Bool = false,
    value: String?, types: [String], dates: DateSpan? = nil
  ) throws(ArchiveError) {
    self.classPattern = classPattern.map { WildcardPattern($0) }
    self.keyPattern = keyPattern.map { WildcardPattern($0) }
    do throws(PatternFault) {
      self.expression = try expression.map { text throws(PatternFault) in
        try ECMAPattern(text, ignoresCase: ignoresCase)
      }
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
    self.types = types.map { ValueType($0) }
    self.dates = dates
    isOfTextAlone =
      expression != nil && classPattern == nil && value == nil && types.isEmpty && dates == nil
  }

  /// Whether a condition is about the key under which a value is.
  var hasKeyPattern: Bool { keyPattern != nil }

  /// Whether the key under which a value is meets the conditions; nil is that of an element.
  func fits(key: String?) -> Bool {
    guard let keyPattern else { return true }
    return key.map { keyPattern.matches($0) } ?? false
  }

  /// Whether a value meets the conditions, all but that of its key.
  ///
  /// Data with an archive meets one as data, or as the root of the archive.
  ///
  /// - Parameter holder: the container that the value is looked at in.
  func fits(
    _ node: Node, in graph: ObjectGraph, heldBy holder: GraphContainer?
  ) throws(ArchiveError) -> Bool {
    if isOfTextAlone, let expression, let text = graph.text(of: node), !graph.isNullMark(node) {
      return try matches(expression) { pattern throws(PatternFault) in
        if let ascii = text.sevenBits { return try pattern.matches(utf8: ascii) }
        return try pattern.matches(text.string)
      }
    }
    if !types.isEmpty, !types.contains(where: { $0.fits(node, in: graph) }) { return false }
    if let dates {
      let fits = graph.holds(node) { node in
        if case .date(let seconds) = graph.value(of: node) {
          dates.contains(seconds)
        } else {
          false
        }
      }
      guard fits else { return false }
    }
    if let classPattern {
      let fits = graph.holds(node) { node in
        guard let index = graph.classIndex(of: node) else { return false }
        let description = graph.classes[index]
        return ([description.name] + description.chain).contains { classPattern.matches(class: $0) }
      }
      guard fits else { return false }
    }
    guard value != nil || expression != nil else { return true }
    let found = QueryValue(node, in: graph)
    if let value, !value.equals(found) {
      guard graph.holds(node, { value.equals(QueryValue(stored: $0, in: graph)) }) else {
        return false
      }
    }
    guard let expression else { return true }
    guard let text = found.text ?? found.resourceText(holder, in: graph) ?? found.dataText else {
      return false
    }
    return try matches(expression) { pattern throws(PatternFault) in try pattern.matches(text) }
  }

  /// Where the expression is found in a text, in bytes of UTF-8; nil without one, or if it is not found.
  package func match(in text: String) -> Range<Int>? {
    try? expression?.firstMatch(in: text)
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

/// The values of a graph that meet conditions, each object once at its shortest path, in document order.
///
/// With a condition about keys each member of an object is a value of its own, whatever it refers to.
package struct NodeSearch: ~Copyable {
  /// A value that meets the conditions, by the container that refers to it.
  private struct Hit {
    let holder: Int
    let position: Int
  }

  /// A walk along every path.
  private final class UnrolledWalk {
    var run: QueryRun

    init(_ graph: ObjectGraph) { run = QueryRun(.descendants, in: graph, visits: .allPaths) }
  }

  private let matcher: NodeMatcher
  private let graph: ObjectGraph
  private let most: Int
  private var walk: StoredWalk
  /// The walk along every path, if that is wanted.
  private let unrolled: UnrolledWalk?
  private var answers: KnownAnswers
  private var hits: [Hit] = []
  /// The number of the value that came last: 0 is the root.
  private var index = -1

  /// Begins at the root of the input.
  ///
  /// - Parameters:
  ///   - allPaths: whether an object is found once for each path to it.
  ///   - most: the search ends when as many values were found; these need not be the first.
  package init(
    _ matcher: NodeMatcher, in graph: ObjectGraph, allPaths: Bool = false, most: Int = .max
  ) {
    self.matcher = matcher
    self.graph = graph
    self.most = most
    walk = StoredWalk(from: graph.root, in: graph, fields: true)
    unrolled = allPaths ? UnrolledWalk(graph) : nil
    answers = KnownAnswers(known: NodeSet(in: graph), fitting: NodeSet(in: graph))
  }

  /// The values that were looked at, and those of them that meet the conditions: most are met again and again.
  private struct KnownAnswers {
    var known: NodeSet
    var fitting: NodeSet

    @inline(__always)
    mutating func fits(
      _ node: Node, _ matcher: NodeMatcher, in graph: ObjectGraph, heldBy holder: GraphContainer?
    ) throws(ArchiveError) -> Bool {
      if matcher.isOfTextAlone, !graph.mayBeText(node) { return false }
      if !known.insert(node) { return fitting.contains(node) }
      guard try matcher.fits(node, in: graph, heldBy: holder) else { return false }
      fitting.insert(node)
      return true
    }
  }

  /// The next value that meets the conditions, nil at the end.
  ///
  /// - Throws: `ArchiveError` with code `limit` if more values were looked at than the graph's limits allow.
  package mutating func next() throws(ArchiveError) -> Node? {
    index += 1
    if index == 0 {
      if unrolled == nil { try search() }
      if matcher.fits(key: nil), try answers.fits(graph.root, matcher, in: graph, heldBy: nil) {
        return graph.root
      }
      index += 1
    }
    if unrolled != nil { return try nextOnAnyPath() }
    guard index <= hits.count else { return nil }
    let hit = hits[index - 1]
    return walk.container(hit.holder)?.child(hit.position, in: graph)
  }

  private mutating func nextOnAnyPath() throws(ArchiveError) -> Node? {
    while let unrolled, let node = try unrolled.run.next() {
      if matcher.hasKeyPattern {
        guard case .key(let key)? = unrolled.run.path.steps.last, matcher.fits(key: key) else {
          continue
        }
      }
      if try answers.fits(node, matcher, in: graph, heldBy: nil) { return node }
    }
    return nil
  }

  /// Looks at every value, and puts those that meet the conditions in order.
  private mutating func search() throws(ArchiveError) {
    let (matcher, graph) = (matcher, graph)
    var answers = answers
    var found = NodeSet(in: graph)
    found.insert(graph.root)
    while hits.count < most, let holder = try walk.enter() {
      guard let container = walk.container else { continue }
      // The root of an archive in a data value is found as that value.
      let isContent = if case .content = container { true } else { false }
      let names = matcher.hasKeyPattern ? shownNames(holder) : []
      for position in 0..<container.childCount {
        let child = container.child(position, in: graph)
        if graph.isContainerOrData(child) { walk.reach(child, at: position, of: holder) }
        if isContent { continue }
        if matcher.hasKeyPattern {
          guard case .key(let key) = container.step(position, in: graph), matcher.fits(key: key),
            !names.contains(CodePointString(key))
          else { continue }
        } else if walk.isFields(holder), answers.known.contains(child) {
          continue
        }
        guard try answers.fits(child, matcher, in: graph, heldBy: container) else { continue }
        if !matcher.hasKeyPattern, container.hasIdentity(position, in: graph) {
          guard found.insert(child) else { continue }
        }
        hits.append(Hit(holder: holder, position: position))
      }
    }
    guard hits.count > 1 else { return }
    let order = walk.documentOrder()
    hits.sort {
      (order[$0.holder], $0.position) < (order[$1.holder], $1.position)
    }
  }

  /// The names by which an object is shown whose stored fields are looked at; none for other containers.
  private func shownNames(_ holder: Int) -> Set<CodePointString> {
    guard walk.isFields(holder), let shown = GraphContainer(graph.value(of: walk.node(holder)))
    else { return [] }
    var names: Set<CodePointString> = []
    for position in 0..<shown.childCount {
      if case .key(let name) = shown.step(position, in: graph) {
        names.insert(CodePointString(name))
      }
    }
    return names
  }

  /// The path to the value that came last.
  ///
  /// An archive in a data value is entered without a step of its own.
  package var path: GraphPath {
    if index > 0, let unrolled { return unrolled.run.path }
    guard index > 0, index <= hits.count else { return GraphPath() }
    let hit = hits[index - 1]
    let path = walk.path(to: hit.holder, contents: false)
    return walk.container(hit.holder).map {
      path.appending($0.step(hit.position, in: graph))
    } ?? path
  }
}

extension GraphContainer {
  /// Whether a child is one value wherever it is referred to: an object or a container.
  ///
  /// Data is not: equal data may be stored once for several members.
  fileprivate func hasIdentity(_ position: Int, in graph: ObjectGraph) -> Bool {
    let child = child(position, in: graph)
    // Most containers are known by their first byte.
    if graph.isContainerOrData(child), !graph.mayBeText(child) { return true }
    return isObject(position, in: graph) || graph.value(of: child).isContainer
  }
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
    "object", "ordered set", "real", "set", "string", "UID", "url",
  ]

  private static let schemes: Set = ["file", "ftp", "http", "https"]

  /// Whether a value has the type; an object is a dictionary of its fields, too, and data the archive in it.
  ///
  /// A URL is an object of NSURL, or a string that is an absolute URL of a file or on a server.
  package func fits(_ node: Node, in graph: ObjectGraph) -> Bool {
    graph.holds(node) {
      let value = graph.value(of: $0)
      if name == "url" {
        guard case .string(let text) = value else { return false }
        let index = graph.classIndex(of: $0)
        return index.map { ClassRegistry.isURL(graph.classes[$0]) } == true || Self.isURL(text)
      }
      let found = value.typeName
      return found == name || name == "dictionary" && found == "object"
    }
  }

  private static func isURL(_ text: Text) -> Bool {
    guard (7...65_536).contains(text.byteCount) else { return false }
    let parts = URLReference(text.string)
    guard let scheme = parts.scheme?.lowercased(), schemes.contains(scheme),
      let host = parts.authority
    else { return false }
    return (scheme == "file" ? !parts.path.isEmpty : !host.isEmpty)
      && text.string.unicodeScalars.allSatisfy { $0.value > 0x20 && !$0.properties.isWhitespace }
  }
}
