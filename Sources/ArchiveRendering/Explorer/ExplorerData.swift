// The data of the explorer's page: the nodes of a graph as columns, in compact JSON.
//
// Nodes are numbered breadth first. Sources/ArchiveRendering/Explorer/Page/model.js reads the columns.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries

struct ExplorerData: ~Copyable {
  /// How many references a page may have.
  private static let limit = 4_000_000

  private let graph: ObjectGraph
  private var nodes: [Node] = []
  private var numbers: [Node: UInt32] = [:]
  /// The number of each child plus one, or 0 for a child that gets the next number.
  private var children = ByteBuffer()
  private var edgeCount = 0
  private var sizes = ByteBuffer()
  private var keys: [CodePointString: Int] = [:]
  private var keyTexts: [String] = []
  private var shapes: [[Int]: Int] = [:]
  private var shapeLists: [[Int]] = []
  private var contentKinds: [String] = []

  /// Numbers the nodes.
  ///
  /// - Throws: `ArchiveError` with code `limit` if there are too many references for a page.
  init(_ graph: ObjectGraph) throws(ArchiveError) {
    self.graph = graph
    _ = number(graph.root)
    var next = 0
    while next < nodes.count {
      try visit(nodes[next])
      next += 1
    }
  }

  private mutating func number(_ node: Node) -> UInt32 {
    if let known = numbers[node] { return known + 1 }
    numbers[node] = UInt32(nodes.count)
    nodes.append(node)
    return 0
  }

  private mutating func visit(_ node: Node) throws(ArchiveError) {
    let value = graph.value(of: node)
    if case .data = value {
      guard let content = graph.content(of: node) else { return }
      contentKinds.append(graph.contentKind(of: content))
      return addChild(content)
    }
    guard let container = GraphContainer(value) else { return }
    edgeCount += container.childCount
    guard edgeCount <= Self.limit else {
      throw ArchiveError(
        .limit,
        "has over \(Counted.number(Self.limit)) references, too many for a page; write the part of interest with extract first"
      )
    }
    switch container {
    case .members:
      var shape: [Int] = []
      shape.reserveCapacity(container.childCount)
      for position in 0..<container.childCount {
        guard case .key(let key) = container.step(position, in: graph) else { continue }
        shape.append(self.key(key))
      }
      Self.append(self.shape(shape), to: &sizes)
    default: Self.append(container.childCount, to: &sizes)
    }
    for position in 0..<container.childCount { addChild(container.child(position, in: graph)) }
  }

  private mutating func addChild(_ node: Node) {
    Self.append(Int(number(node)), to: &children)
  }

  private mutating func key(_ text: String) -> Int {
    let name = CodePointString(text)
    if let known = keys[name] { return known }
    keys[name] = keyTexts.count
    keyTexts.append(text)
    return keyTexts.count - 1
  }

  private mutating func shape(_ list: [Int]) -> Int {
    if let known = shapes[list] { return known }
    shapes[list] = shapeLists.count
    shapeLists.append(list)
    return shapeLists.count - 1
  }

  // MARK: Columns

  /// Writes the columns as one JSON object.
  func write(marks: [ExplorerMark], facts: [(String, String)], to output: inout ByteBuffer) {
    output.append("{\"bytes\":\"\(hasNodeBytes ? "values" : "text")\"")
    if graph.documents[0].archive != nil { output.append(",\"archive\":1") }
    Self.append("facts", .members(facts.map { ($0.0, .string($0.1)) }), to: &output)
    output.append(",\"kinds\":\"")
    for node in nodes { output.append(kind(of: node)) }
    output.append("\",\"kids\":[")
    output.append(children)
    output.append("],\"sizes\":[")
    output.append(sizes)
    output.append("],\"keys\":")
    JSONTree.list(keyTexts.map { .string($0) }).append(to: &output)
    Self.append("shapes", .list(shapeLists.map { .list($0.map { .integer($0) }) }), to: &output)
    Self.append("contents", .list(contentKinds.map { .string($0) }), to: &output)
    writeClasses(to: &output)
    writeTexts(to: &output)
    writeSummaries(to: &output)
    writeLocations(to: &output)
    let marked = marks.compactMap { mark in
      numbers[mark.node(in: graph)].map { number -> JSONTree in
        .list([.integer(Int(number)), .string(mark.kind), .string(mark.message)])
      }
    }
    Self.append("marks", .list(marked), to: &output)
    output.append("}")
  }

  private func kind(of node: Node) -> UInt8 {
    switch graph.value(of: node) {
    case .null: UInt8(ascii: "n")
    case .boolean: UInt8(ascii: "b")
    case .integer, .unsigned, .wide: UInt8(ascii: "i")
    case .real, .single: UInt8(ascii: "r")
    case .date: UInt8(ascii: "d")
    case .data: UInt8(ascii: graph.content(of: node) == nil ? "x" : "D")
    case .string: UInt8(ascii: "s")
    case .uid: UInt8(ascii: "u")
    case .array: UInt8(ascii: "a")
    case .set: UInt8(ascii: "S")
    case .orderedSet: UInt8(ascii: "o")
    case .dictionary: UInt8(ascii: "m")
    case .object: UInt8(ascii: "O")
    }
  }

  /// Scalars in the order of the nodes; null has none, and data with an archive only its size.
  private func writeTexts(to output: inout ByteBuffer) {
    output.append(",\"texts\":[")
    var isFirst = true
    for node in nodes {
      let value = graph.value(of: node)
      if value.isContainer { continue }
      if case .null = value { continue }
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      switch value {
      case .string(let text): JSONText.append(text, to: &output)
      case .boolean(let flag): output.append(contentsOf: flag ? "1" : "0")
      case .data(let bytes) where graph.content(of: node) != nil: output.append("\(bytes.count)")
      case .data(let bytes):
        output.append(UInt8(ascii: "\""))
        Base64.encode(bytes, to: &output)
        output.append(UInt8(ascii: "\""))
      case .uid(let number): output.append("\"\(number)\"")
      default: JSONText.append(ScalarText.text(value), to: &output)
      }
    }
    output.append("]")
  }

  private func writeClasses(to output: inout ByteBuffer) {
    let classes = graph.classes.map { description -> JSONTree in
      .list([
        .string(description.displayName), .string(description.name),
        .list(description.chain.map { .string($0) }),
      ])
    }
    Self.append("classes", .list(classes), to: &output)
    output.append(",\"cls\":[")
    // Runs of nodes with the same class: count, class plus one.
    var run = (count: 0, index: 0)
    var isFirst = true
    func end(_ output: inout ByteBuffer) {
      guard run.count > 0 else { return }
      output.append("\(isFirst ? "" : ",")\(run.count),\(run.index)")
      isFirst = false
    }
    for node in nodes {
      let index = graph.isContainerOrData(node) ? graph.classIndex(of: node).map { $0 + 1 } ?? 0 : 0
      if index != run.index {
        end(&output)
        run = (0, index)
      }
      run.count += 1
    }
    end(&output)
    output.append("]")
  }

  private func isData(_ node: Node) -> Bool {
    if case .data = graph.value(of: node) { true } else { false }
  }

  /// Summaries of objects, kinds of data, names of keys that are not text, and what broken data is.
  private func writeSummaries(to output: inout ByteBuffer) {
    var notes: [(String, JSONTree)] = []
    for (number, node) in nodes.enumerated() where graph.isContainerOrData(node) || isData(node) {
      var note = graph.summary(of: node)
      if let error = graph.contentError(of: node) {
        if !error.isAboutData { note = "broken: \(error.message)" }
      } else if note == nil, case .data(let bytes) = graph.value(of: node),
        graph.content(of: node) == nil, let data = RecognizedData(bytes)
      {
        note = data.kind + (data.detail(of: bytes.count).map { " \($0)" } ?? "")
      }
      if let note { notes.append(("\(number)", .string(note))) }
    }
    var keyNotes: [(String, JSONTree)] = []
    for node in nodes {
      guard case .members(let pairs) = GraphContainer(graph.value(of: node)) else { continue }
      for position in 0..<pairs.count where graph.memberName(pairs, position) == nil {
        let key = graph.key(pairs, position)
        guard let index = keys[CodePointString(graph.label(of: key))] else { continue }
        keyNotes.append(("\(index)", .string(graph.value(of: key).excerpt)))
      }
    }
    Self.append("notes", .members(notes), to: &output)
    Self.append("keyNotes", .members(keyNotes), to: &output)
  }

  /// Whether the page has the bytes of each value, not the whole text of the input.
  private var hasNodeBytes: Bool { graph.documents[0].encoding.isTable }

  /// The bytes that the page shows: those of the values of a binary input, one after the other in the order of the nodes.
  ///
  /// The table of offsets and the references of an archiver, most of many files, are not among them.
  func source(_ text: ByteView) -> ByteBuffer {
    var bytes = ByteBuffer()
    guard hasNodeBytes else {
      bytes.append(text)
      return bytes
    }
    for node in nodes {
      let document = graph.document(of: node)
      guard document.encoding.isTable, document.fileOffset(of: node.index) != nil else { continue }
      bytes.append(document.table.bytes(of: node.index))
    }
    return bytes
  }

  /// Offsets as distances from the end of the node before, then lengths; a length of 0 is unknown.
  private func writeLocations(to output: inout ByteBuffer) {
    var lengths = ByteBuffer()
    output.append(",\"at\":[")
    var end = 0
    for (number, node) in nodes.enumerated() {
      let document = graph.document(of: node)
      let offset = document.fileOffset(of: node.index)
      var length = 0
      if offset != nil, document.encoding.isTable, hasNodeBytes {
        length = document.table.bytes(of: node.index).count
      }
      let location = offset ?? -1
      output.append("\(number > 0 ? "," : "")\(location - end)")
      Self.append(length, to: &lengths)
      end = location + length
    }
    output.append("],\"len\":[")
    output.append(lengths)
    output.append("]")
  }

  private static func append(_ name: String, _ column: JSONTree, to output: inout ByteBuffer) {
    output.append(",\"\(name)\":")
    column.append(to: &output)
  }

  private static func append(_ number: Int, to output: inout ByteBuffer) {
    if output.count > 0 { output.append(UInt8(ascii: ",")) }
    output.append("\(number)")
  }
}

extension Value {
  /// A scalar as text, or the name of a container's type.
  fileprivate var excerpt: String { isContainer ? typeName : ScalarText.text(self) }
}

// MARK: - What the explorer marks in a graph

/// A mark at a path of the graph.
package struct ExplorerMark: Sendable {
  /// The kind: `error`, `warning`, `added`, `removed`, `changed`, `moved` or `class`.
  package let kind: String
  /// The path; if it leads nowhere, the nearest value before its end is marked.
  package let path: GraphPath
  /// The explanation.
  package let message: String

  /// A violation.
  package init(_ diagnostic: Diagnostic) {
    kind = diagnostic.severity == .error ? "error" : "warning"
    path = diagnostic.path ?? GraphPath()
    message = diagnostic.message
  }

  /// A difference from an old graph.
  package init(_ difference: Difference, old: ObjectGraph) {
    kind = difference.kind.rawValue
    // What was removed is marked where it was: at its container.
    path = difference.newPath ?? GraphPath(Array((difference.oldPath?.steps ?? []).dropLast()))
    let former = difference.oldPath.map { $0.description } ?? ""
    switch difference.kind {
    case .added: message = "added"
    case .removed: message = "\(former) was removed"
    case .moved: message = "moved from \(former)"
    case .changed:
      let text = difference.old.map { old.value(of: $0).excerpt } ?? ""
      message = "was \(String(decoding: text.utf8.prefix(300), as: UTF8.self))"
    case .changedClass, .storage, .sharing, .key:
      message = "\(difference.kind.rawValue) was \(difference.stored?.old ?? "none")"
    }
  }

  func node(in graph: ObjectGraph) -> Node {
    do throws(ArchiveError) {
      return try graph.node(at: path, from: graph.root)
    } catch {
      guard let found = error.path else { return graph.root }
      return (try? graph.node(at: found, from: graph.root)) ?? graph.root
    }
  }
}
