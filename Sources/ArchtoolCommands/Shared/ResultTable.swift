// Results of searches as a table: CSV, with a cell for each column.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import ArchiveRendering
import CommandLineInterface

struct ResultTable: Sendable {
  private let csv: CSVLine
  /// Whether a terminal shows the lines, which must not obey what the strings of a file say.
  private let isTerminal: Bool
  private let zone: DateZone

  /// Makes a table as the options of a command say.
  init(_ session: Session, _ zone: DateZone) {
    csv = CSVLine(isPlain: session.arguments.has(.csvPlain))
    isTerminal = session.streams.isOutputTerminal
    self.zone = zone
  }

  func append(_ cells: [CSVLine.Cell], to output: inout OutputBuffer) {
    let line = csv.line(cells)
    output.bytes.append((isTerminal ? line.escapedForTerminal : line) + "\r\n")
    output.flushIfFull()
  }

  /// The cell of a value: characters or digits, Base64 of data, JSON of a container; empty for null.
  func cell(_ node: Node, in graph: ObjectGraph) throws(ArchiveError) -> CSVLine.Cell {
    let value = graph.value(of: node)
    if case .null = value { return .text("") }
    var output = OutputBuffer(descriptor: nil)
    try RawValue.write(node, of: graph, isLine: true, zone: zone, to: &output)
    let text = String(decoding: output.bytes.bytes.dropLast(), as: UTF8.self)
    switch value {
    case .integer, .unsigned, .wide, .uid, .real, .single: return .number(text)
    default: return .text(text)
    }
  }

  /// The cell of what a query finds in a value: the one result, or a JSON array of several; empty if there is none.
  func cell(
    of query: JSONPath, from start: Node, in graph: ObjectGraph
  ) throws(ArchiveError) -> CSVLine.Cell {
    var run = QueryRun(query, in: graph, from: start)
    var found: [Node] = []
    while let node = try run.next() { found.append(graph.opened(node).node) }
    guard let first = found.first else { return .text("") }
    if found.count == 1 { return try cell(first, in: graph) }
    var output = OutputBuffer(descriptor: nil)
    for (position, node) in found.enumerated() {
      output.bytes.append(position == 0 ? "[" : ",")
      try JSONWriter.write(
        node, of: graph, options: JSONWriter.Options(isCompact: true), to: &output)
      // The value ends with an end of line.
      output.bytes.truncate(to: output.bytes.count - 1)
    }
    return .text(String(decoding: output.bytes.bytes, as: UTF8.self) + "]")
  }
}

// MARK: - Columns of a query

/// A column of a table: its name, and what it shows of a result.
struct QueryColumn: Sendable {
  let name: String
  let query: JSONPath

  /// The columns of a command line.
  ///
  /// - Throws: `UsageError` for one that is not `NAME=EXPR`, or for two with one name.
  static func columns(
    of arguments: ParsedArguments, besides others: [String]
  ) throws(UsageError) -> [QueryColumn] {
    var columns: [QueryColumn] = []
    for text in arguments.values(of: .column) {
      guard let end = text.firstIndex(of: "="), end > text.startIndex else {
        throw UsageError(
          "'--column' needs NAME=EXPR, such as year=@.releaseYear or year=releaseYear; found '\(text)'"
        )
      }
      let name = String(text[..<end])
      if others.contains(name) || columns.contains(where: { $0.name == name }) {
        throw UsageError("two columns are called '\(name)'")
      }
      var expression = String(text[text.index(after: end)...])
      // `@` is the result, as in a filter; a query of its own begins with `$`.
      if expression.hasPrefix("@") { expression = "$" + expression.dropFirst() }
      // Any other path that commands take is one from the result.
      if !expression.isEmpty, !expression.hasPrefix("$"),
        let steps = try? PathStep.steps(of: expression)
      {
        expression = GraphPath(steps.map(\.likely)).normalized
      }
      columns.append(QueryColumn(name: name, query: try Query.query(expression)))
    }
    return columns
  }
}

// MARK: - The time zone of dates

extension ParsedArguments {
  /// The time zone of `--time-zone`; UTC without it.
  ///
  /// - Throws: `UsageError` for one that the system does not know.
  var dateZone: DateZone {
    get throws(UsageError) {
      guard let name = value(of: .timeZone) else { return .utc }
      guard let zone = DateZone(named: name) else {
        throw UsageError(
          "unknown time zone '\(name)'; zones are UTC, offsets such as +02:00, and names such as Europe/Zurich"
        )
      }
      return zone
    }
  }
}

extension OptionDescription {
  static let timeZone = text(
    "time-zone", valueName: "ZONE", completedFrom: .nothing,
    help: """
      Show dates in ZONE instead of UTC. ZONE is an offset such as +02:00, or a name of the \
      system's time zones such as Europe/Zurich. JSON has dates in UTC.
      """)

  static let column = text(
    "column", valueName: "NAME=EXPR", isRepeatable: true, completedFrom: .nothing,
    help: """
      Write a column NAME in CSV. It shows what EXPR selects in each result, which is @ or $ in \
      it, or what is at EXPR, a path as get takes it. Several values are a JSON array.
      """)
}
