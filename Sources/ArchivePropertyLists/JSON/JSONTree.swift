// Small JSON documents as a tree in memory: reports that are printed, schemas that are read and written.

import ArchiveBasics
import ArchiveGraph

/// A JSON value; members keep their order.
package indirect enum JSONTree: Equatable, Sendable {
  /// null
  case null
  /// A boolean.
  case boolean(Bool)
  /// An integer that 64 signed bits hold.
  case integer(Int)
  /// An integer above `Int.max`.
  case unsigned(UInt64)
  /// An integer that neither 64 signed nor 64 unsigned bits hold.
  case wide(Int128)
  /// Any other number.
  case real(Double)
  /// A string.
  case string(String)
  /// An array.
  case list([JSONTree])
  /// An object, its members in order.
  case members([(String, JSONTree)])

  /// How deep containers may be nested in a document that becomes a tree.
  package static let depthLimit = 256

  /// Whether two trees are written alike, members in any order.
  package static func == (left: JSONTree, right: JSONTree) -> Bool {
    left.isEqual(to: right, .stored)
  }

  /// The form of a number by a rule; nil for other values.
  package func number(_ rule: ScalarEquality) -> ScalarEquality.Number? {
    switch self {
    case .integer(let number): .integer(Int128(number))
    case .unsigned(let number): .integer(Int128(number))
    case .wide(let number): .integer(number)
    case .real(let number): rule.number(number)
    default: nil
    }
  }

  /// Whether two trees are equal: texts code point by code point, members in any order, the last of one name.
  ///
  /// - Parameter rule: when two numbers are.
  package func isEqual(to other: JSONTree, _ rule: ScalarEquality) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.boolean(let left), .boolean(let right)): return left == right
    case (.string(let left), .string(let right)):
      return CodePointString(left) == CodePointString(right)
    case (.list(let left), .list(let right)):
      return left.count == right.count
        && zip(left, right).allSatisfy { $0.isEqual(to: $1, rule) }
    case (.members(let left), .members(let right)):
      let left = Dictionary(left.map { (CodePointString($0.0), $0.1) }) { $1 }
      let right = Dictionary(right.map { (CodePointString($0.0), $0.1) }) { $1 }
      return left.count == right.count
        && left.allSatisfy { name, value in
          right[name].map { value.isEqual(to: $0, rule) } ?? false
        }
    case (.integer, _), (.unsigned, _), (.wide, _), (.real, _):
      return number(rule) == other.number(rule)
    default: return false
    }
  }
}

extension JSONTree {
  // MARK: Looking inside

  /// The value of an object's member; nil if it is missing, or this is not an object.
  ///
  /// Names are compared code point by code point (RFC 8259 section 8.3); Swift considers a composed letter equal to
  /// the decomposed one.
  package subscript(name: String) -> JSONTree? {
    members?.last { $0.0.utf8.elementsEqual(name.utf8) }?.1
  }

  /// The members of an object; nil for anything else.
  package var members: [(String, JSONTree)]? {
    if case .members(let members) = self { members } else { nil }
  }

  /// The elements of an array; nil for anything else.
  package var list: [JSONTree]? { if case .list(let items) = self { items } else { nil } }

  /// The text of a string; nil for anything else.
  package var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The value of a boolean; nil for anything else.
  package var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }

  /// A string, or the strings of an array; empty for anything else.
  package var strings: [String] {
    if case .string(let text) = self { return [text] }
    return list?.compactMap(\.string) ?? []
  }

  // MARK: Reading

  /// Reads JSON.
  ///
  /// - Throws: `ArchiveError` at the first fault, and if containers are nested more than `depthLimit` deep.
  package init(json storage: ByteStorage) throws(ArchiveError) {
    let graph = ObjectGraph()
    let document = try JSONReader.read(
      storage.bytes, limits: Limits(depth: Self.depthLimit), keepsPositions: true)
    _ = graph.add(document)
    self.init(graph.root, of: graph)
    withExtendedLifetime(storage) {}
  }

  /// Reads JSON.
  ///
  /// - Throws: as `init(json:)` of a storage does.
  package init(json: [UInt8]) throws(ArchiveError) {
    try self.init(json: ByteStorage(copying: json))
  }

  /// The tree of a graph that was read from JSON and is not deeper than `depthLimit`.
  private init(_ node: Node, of graph: ObjectGraph) {
    switch graph.value(of: node) {
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .integer(Int(number))
    case .unsigned(let number): self = .unsigned(number)
    case .wide(let number): self = .wide(number.number)
    case .real(let number): self = .real(number)
    case .string(let text): self = .string(text.string)
    case .array(let elements):
      self = .list((0..<elements.count).map { JSONTree(graph.node(elements, $0), of: graph) })
    case .dictionary(let pairs):
      self = .members(
        (0..<pairs.count).map { position in
          (
            graph.keyText(of: graph.key(pairs, position))?.string ?? "",
            JSONTree(graph.value(pairs, position), of: graph)
          )
        })
    default: self = .null
    }
  }

  // MARK: Writing

  /// Writes the tree as JSON, with a newline at the end.
  ///
  /// - Throws: `ArchiveError` if the output fails.
  package func write(isCompact: Bool = false, to output: inout OutputBuffer) throws(ArchiveError) {
    append(to: &output.bytes, depth: isCompact ? nil : 0)
    output.bytes.append(UInt8(ascii: "\n"))
    output.flushIfFull()
    if let error = output.endBound() { throw error }
  }

  /// Appends the tree as JSON.
  ///
  /// - Parameter depth: how many containers are around it, each of which indents it; nil for JSON on one line.
  package func append(to buffer: inout ByteBuffer, depth: Int? = nil) {
    switch self {
    case .null: buffer.append(contentsOf: "null")
    case .boolean(let flag): buffer.append(contentsOf: flag ? "true" : "false")
    case .integer(let number): JSONText.append(Int64(number), to: &buffer)
    case .unsigned(let number): JSONText.append(number, to: &buffer)
    case .wide(let number): buffer.append("\(number)")
    case .real(let number): JSONText.append(number, to: &buffer)
    case .string(let text): JSONText.append(text, to: &buffer)
    case .list(let items):
      buffer.append(UInt8(ascii: "["))
      for (position, item) in items.enumerated() {
        Self.separate(position > 0, to: &buffer, depth.map { $0 + 1 })
        item.append(to: &buffer, depth: depth.map { $0 + 1 })
      }
      if !items.isEmpty { Self.separate(false, to: &buffer, depth) }
      buffer.append(UInt8(ascii: "]"))
    case .members(let members):
      buffer.append(UInt8(ascii: "{"))
      for (position, member) in members.enumerated() {
        Self.separate(position > 0, to: &buffer, depth.map { $0 + 1 })
        JSONText.append(member.0, to: &buffer)
        buffer.append(contentsOf: depth == nil ? ":" : ": ")
        member.1.append(to: &buffer, depth: depth.map { $0 + 1 })
      }
      if !members.isEmpty { Self.separate(false, to: &buffer, depth) }
      buffer.append(UInt8(ascii: "}"))
    }
  }

  /// Begins a line, unless all is on one.
  private static func separate(_ isFollowing: Bool, to buffer: inout ByteBuffer, _ depth: Int?) {
    if isFollowing { buffer.append(UInt8(ascii: ",")) }
    if let depth { buffer.appendLine(indentedBy: depth * 2) }
  }

  /// A graph whose root is the tree.
  package func makeGraph() -> ObjectGraph {
    var builder = GraphBuilder()
    let top = add(to: &builder)
    let graph = ObjectGraph()
    _ = graph.add(builder.finish(top: top))
    return graph
  }

  private func add(to builder: inout GraphBuilder) -> UInt32 {
    switch self {
    case .null: return builder.addNull()
    case .boolean(let flag): return builder.add(flag)
    case .integer(let number): return builder.add(Int64(number))
    case .unsigned(let number): return builder.add(unsigned: number)
    case .wide(let number): return builder.add(wide: number)
    case .real(let number): return builder.add(number)
    case .string(let text): return builder.add(text)
    case .list(let items): return builder.add(list: items.map { $0.add(to: &builder) })
    case .members(let members):
      return builder.add(members: members.map { ($0.0, $0.1.add(to: &builder)) })
    }
  }
}

// MARK: - Documents as literals, and of values that may be missing

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral text: String) { self = .string(text) }
  package init(booleanLiteral flag: Bool) { self = .boolean(flag) }
  package init(arrayLiteral items: JSONTree...) { self = .list(items) }
  package init(dictionaryLiteral members: (String, JSONTree)...) { self = .members(members) }

  /// A string, or null.
  package init(_ text: String?) { self = text.map { .string($0) } ?? .null }

  /// An integer, or null.
  package init(_ number: Int?) { self = number.map { .integer($0) } ?? .null }

  /// An array of strings.
  package init(_ texts: [String]) { self = .list(texts.map { .string($0) }) }

  /// An object of the members that are there.
  package static func members(present members: KeyValuePairs<String, JSONTree?>) -> JSONTree {
    .members(present(members.map { ($0.key, $0.value) }))
  }

  /// The members that are there.
  package static func present(_ members: [(String, JSONTree?)]) -> [(String, JSONTree)] {
    members.compactMap { name, value in value.map { (name, $0) } }
  }
}

// MARK: - A JSON value on one line, for messages

extension JSONTree {
  /// The value as compact JSON.
  package var compactText: String { String(appending: { append(to: &$0) }) }
}

// MARK: - Problems as members of JSON, for reports of files and answers to records

extension JSONTree {
  /// What is wrong and where.
  ///
  /// - Parameter kind: the name and value of the first member: the code of an error, the rule of a violation.
  package static func problem(
    _ kind: (name: String, value: String), _ message: String, offset: Int?, path: GraphPath?
  ) -> JSONTree {
    [
      kind.name: .string(kind.value), "message": .string(message), "offset": JSONTree(offset),
      "path": JSONTree(path?.description),
    ]
  }
}

extension Diagnostic {
  /// The problem as an object.
  package var tree: JSONTree {
    .problem(("rule", rule), message, offset: offset, path: path)
  }
}

extension ArchiveError {
  /// The error as an object, with its code.
  package var tree: JSONTree {
    .problem(("code", code.rawValue), message, offset: offset, path: path)
  }
}

// MARK: - Locations in a JSON document as text: JSON Pointer (RFC 6901)

extension GraphPath {
  /// The path as a JSON Pointer.
  ///
  /// - Parameter showsContents: whether an archive in a data value is entered with a token.
  package func pointer(showsContents: Bool = false) -> String {
    steps.reduce(into: "") { text, step in
      switch step {
      case .key(let key): text += "/" + JSONPointer.escaped(key)
      case .index(let index): text += "/\(index)"
      case .anyMember, .anyElement: text += "/*"
      case .content(let kind): text += showsContents ? "/" + JSONPointer.escaped(kind) : ""
      }
    }
  }
}

/// The syntax of JSON Pointers.
package enum JSONPointer {
  /// A reference token with `~` and `/` escaped.
  package static func escaped(_ token: String) -> String {
    guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
      return token
    }
    return token.escaping { $0 == "~" ? "~0" : $0 == "/" ? "~1" : nil }
  }

  /// The reference tokens of a pointer; nil if it does not begin with a slash, or an escape is malformed.
  package static func tokens(of pointer: String) -> [String]? { try? parse(pointer) }

  /// The reference tokens of a pointer.
  ///
  /// - Throws: `ArchiveError` with code `malformed`, whose offset is a position in characters.
  package static func parse(_ pointer: String) throws(ArchiveError) -> [String] {
    var tokens: [String.UnicodeScalarView] = []
    var scalars = pointer.unicodeScalars.makeIterator()
    var position = 0
    while let scalar = scalars.next() {
      position += 1
      guard scalar != "/" else {
        tokens.append(String.UnicodeScalarView())
        continue
      }
      guard !tokens.isEmpty else {
        throw ArchiveError(.malformed, "a JSON Pointer begins with '/'", offset: 0)
      }
      var character = scalar
      if scalar == "~" {
        switch scalars.next() {
        case "0": break
        case "1": character = "/"
        default:
          throw ArchiveError(
            .malformed, "'~' must be '~0' or '~1' in a JSON Pointer", offset: position)
        }
        position += 1
      }
      tokens[tokens.count - 1].append(character)
    }
    return tokens.map { String($0) }
  }
}

extension JSONTree {
  /// One step of a pointer: a member, or an element by its number.
  package func step(_ token: String) -> JSONTree? {
    switch self {
    case .members: return self[token]
    case .list(let items):
      // RFC 6901 section 4: digits without a leading zero.
      guard let index = Int(token), index >= 0, "\(index)" == token, index < items.count else {
        return nil
      }
      return items[index]
    default: return nil
    }
  }

  /// The value that a pointer leads to; nil if it leads nowhere.
  package func value(at pointer: String) -> JSONTree? {
    guard let tokens = JSONPointer.tokens(of: pointer) else { return nil }
    var tree: JSONTree? = self
    for token in tokens { tree = tree?.step(token) }
    return tree
  }
}
