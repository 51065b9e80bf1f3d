// Small JSON documents as a tree in memory: reports that are printed, schemas that are read and written.

import Basics
import ObjectGraph

/// A JSON value; members keep their order.
public indirect enum JSONTree: Equatable, Sendable {
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
  public static let depthLimit = 256

  /// Whether two trees are written alike, members in any order.
  public static func == (left: JSONTree, right: JSONTree) -> Bool {
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
  public subscript(name: String) -> JSONTree? {
    members?.last { $0.0.utf8.elementsEqual(name.utf8) }?.1
  }

  /// The members of an object; nil for anything else.
  public var members: [(String, JSONTree)]? {
    if case .members(let members) = self { members } else { nil }
  }

  /// The elements of an array; nil for anything else.
  public var list: [JSONTree]? { if case .list(let items) = self { items } else { nil } }

  /// The text of a string; nil for anything else.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The value of a boolean; nil for anything else.
  public var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }

  /// A string, or the strings of an array; empty for anything else.
  public var strings: [String] {
    if case .string(let text) = self { return [text] }
    return list?.compactMap(\.string) ?? []
  }

  // MARK: Reading

  /// Reads JSON.
  ///
  /// - Throws: `ArchiveError` at the first fault, and if containers are nested more than `depthLimit` deep.
  public init(json storage: ByteStorage) throws(ArchiveError) {
    let graph = ObjectGraph()
    let (document, _, _) = try JSONReader.readWithWarnings(
      storage.bytes, fileOffset: 0, limits: Limits(depth: Self.depthLimit), allowsJSON5: false,
      keepsPlaces: true)
    _ = graph.add(document)
    self.init(graph.root, of: graph)
    withExtendedLifetime(storage) {}
  }

  /// Reads JSON.
  ///
  /// - Throws: as `init(json:)` of a storage does.
  public init(json: [UInt8]) throws(ArchiveError) {
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
  public func write(isCompact: Bool = false, to output: inout OutputBuffer) throws(ArchiveError) {
    let graph = makeGraph()
    let options = JSONWriter.Options(isCompact: isCompact)
    try JSONWriter.write(graph.root, of: graph, options: options, to: &output)
  }

  /// Appends what has no reals and is nested little as compact JSON, as `write` does, without making a graph of it.
  ///
  /// - Returns: false for any other tree, of which nothing is appended.
  package func appendPlain(to buffer: inout ByteBuffer) -> Bool {
    let start = buffer.count
    if append(to: &buffer, levels: 4) { return true }
    buffer.truncate(to: start)
    return false
  }

  private func append(to buffer: inout ByteBuffer, levels: Int) -> Bool {
    switch self {
    case .null: buffer.append(contentsOf: "null")
    case .boolean(let flag): buffer.append(contentsOf: flag ? "true" : "false")
    case .integer(let number): JSONText.append(Int64(number), to: &buffer)
    case .unsigned(let number): JSONText.append(number, to: &buffer)
    case .string(let text): JSONText.append(text, to: &buffer)
    case .list(let items):
      guard levels > 0 else { return false }
      buffer.append(UInt8(ascii: "["))
      for (position, item) in items.enumerated() {
        if position > 0 { buffer.append(UInt8(ascii: ",")) }
        guard item.append(to: &buffer, levels: levels - 1) else { return false }
      }
      buffer.append(UInt8(ascii: "]"))
    case .members(let members):
      guard levels > 0 else { return false }
      buffer.append(UInt8(ascii: "{"))
      for (position, member) in members.enumerated() {
        if position > 0 { buffer.append(UInt8(ascii: ",")) }
        JSONText.append(member.0, to: &buffer)
        buffer.append(UInt8(ascii: ":"))
        guard member.1.append(to: &buffer, levels: levels - 1) else { return false }
      }
      buffer.append(UInt8(ascii: "}"))
    case .wide, .real: return false
    }
    return true
  }

  /// A graph whose root is the tree.
  public func makeGraph() -> ObjectGraph {
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
    case .list(let items):
      let indexes = items.map { $0.add(to: &builder) }
      builder.open()
      for index in indexes { builder.append(index) }
      return builder.close()
    case .members(let members):
      var indexes: [UInt32] = []
      for (name, value) in members {
        indexes += [builder.add(name), value.add(to: &builder)]
      }
      builder.open()
      for index in indexes { builder.append(index) }
      return builder.closeDictionary()
    }
  }
}

// MARK: - A JSON value on one line, for messages

extension JSONTree {
  /// The value as JSON without spaces; an ellipsis if it cannot be written.
  package var compactText: String {
    var output = OutputBuffer(descriptor: nil)
    do throws(ArchiveError) {
      try write(isCompact: true, to: &output)
    } catch {
      return "…"
    }
    let bytes = output.takeBytes()
    // All line feeds of strings are escaped.
    return withExtendedLifetime(bytes) {
      String(decoding: bytes.bytes, as: UTF8.self).filter { $0 != "\n" }
    }
  }
}

// MARK: - Problems as members of JSON, for reports of files and answers to records

extension JSONTree {
  /// What is wrong and where.
  ///
  /// - Parameter kind: the name and value of the first member: the code of an error, the rule of a violation.
  package static func problem(
    _ kind: (name: String, value: String), _ message: String, offset: Int?, path: GraphPath?
  ) -> JSONTree {
    .members([
      (kind.name, .string(kind.value)), ("message", .string(message)),
      ("offset", offset.map { .integer($0) } ?? .null),
      ("path", path.map { .string($0.description) } ?? .null),
    ])
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
