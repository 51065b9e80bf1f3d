// `archtool query`: finds the values that a JSONPath expression selects.

import ArchiveBasics
import ArchiveBatches
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import ArchiveRendering
import CommandLineInterface

struct Query: Command {
  static let name = "query"
  static let description = CommandDescription(
    name: name,
    abstract: "find values with a JSONPath expression",
    operands: Operands(name: "FILE", first: "EXPR", minimum: 2, maximum: nil),
    options: [
      .queryFormat, .column, .csvPlain, .typedForm, .timeZone, .allPaths, .first, .count, .exists,
      .recover, .skip, .json5,
    ] + OptionDescription.inputKinds + OptionDescription.recordStream
      + OptionDescription.batch,
    commonOptions: OptionDescription.common + [.noPager],
    rules: [
      .exclusive([.first, .count, .exists]),
      .implies(.typedForm, .queryFormat, value: "json", or: ["ndjson"]),
      .implies(.timeZone, .queryFormat, value: "tree", or: ["raw", "csv"]),
      .implies(.column, .queryFormat, value: "csv"),
      .implies(.csvPlain, .queryFormat, value: "csv"),
    ] + OptionRule.exclusive([.count, .exists], with: [.queryFormat, .typedForm])
      + OptionRule.exclusive(
        [.timeZone, .column, .csvPlain], with: [.typedForm, .count, .exists])
      + OptionRule.readRecords(as: .queryFormat),
    discussion: """
      EXPR is a JSONPath expression (RFC 9535), such as $.movies[?@.year > 1980].title. It applies
      to property lists, keyed archives, typedstreams and JSON alike. A data value with an archive
      is the root object of the archive: it has its class, type, members and value, and is shown as
      it. Sets are lists in their stored order, and a date compares with a
      date by time, and with a string in RFC 3339.

      Besides length, count, match, search and value of RFC 9535 there are four functions: class(@)
      is the name of an object's class, isa(@, 'NSArray') is true for an object of that class or of
      a subclass, type(@) is the type as dump shows it (string, integer, real, boolean, date, data,
      array, set, ordered set, dictionary, object, null), and size(@) is the number of bytes of data
      or of a string in UTF-8, or of a container's elements.

      RFC 9535 speaks of trees. In a graph .. visits each object once, by its shortest path, however
      many others refer to it and even if it contains itself; in filters as well. With --all-paths
      it visits a shared object once for each path to it. An object that contains itself is then not
      entered again inside itself; a note says so.

      A name also chooses the stored field of an object that is shown by members made of its fields,
      such as $2 of an object in a typedstream; * and .. go through the members that are shown.

      With the format tree each result is a path and a tree, with json a list of objects with file,
      path and value, with ndjson one such object per line, with raw the bare value (data in
      Base64), and with paths its normalized path. With several files, tree, raw and paths name the
      file of each result.

      With the format csv (RFC 4180) each result is a line with the columns of --column, or without
      any with its path and value. A line begins with the file if there are several. A cell is
      written as get prints the value, data in Base64 and a container as JSON.

      With --records each line is a record, as for dump; its answer has the results as a list of
      objects with path and value, or the count, or found with --exists.
      """,
    examples: [
      "archtool query '$..LocalizedName' WeatherFeed":
        "Show every member LocalizedName of the archive WeatherFeed, at any depth.",
      "archtool query --format raw '$..Metric.Value' WeatherFeed":
        "Print each temperature in degrees Celsius.",
      "archtool query --count '$..[?type(@) == \"real\"]' WeatherFeed Movie":
        "Count the reals in each of two files.",
      "archtool query --column film=@.name '$' Movie":
        "Write a table of films in CSV.",
    ],
    exits: .reading,
    meanings: [.answerIsNo: "No value was found in any file, or a record has an error."])

  enum Format: String, OptionChoice {
    case tree, json, ndjson, raw, paths, csv
  }

  private let session: Session
  private let query: JSONPath
  private let columns: [QueryColumn]
  private let zone: DateZone

  init(_ session: Session) throws {
    self.session = session
    zone = try session.arguments.dateZone
    columns = try QueryColumn.columns(
      of: session.arguments, besides: session.arguments.readsOneFile ? [] : ["file"])
    query = try Self.query(session.arguments.operands[0])
  }

  static func query(_ text: String) throws(UsageError) -> JSONPath {
    do throws(ArchiveError) {
      return try JSONPath(parsing: text)
    } catch {
      var suffix = error.offset.map { " at character \($0 + 1)" } ?? ""
      if !text.hasPrefix("$") { suffix += "; get takes paths in other notations" }
      throw UsageError("'\(text)' is not a query: \(error.message)\(suffix)")
    }
  }

  func run() throws {
    if session.arguments.has(.records) { return try answerRecords() }
    let arguments = session.arguments
    let style = session.outputStyle
    let query = query
    let width = TerminalWidth.terminal(session.streams.output)
    let namesFile = !arguments.readsOneFile
    // Nil if only the number of results or their existence is asked for.
    let format =
      arguments.has(.count) || arguments.has(.exists)
      ? nil : arguments.choice(of: .queryFormat, as: Format.self) ?? .tree
    session.isLineStream = format == .ndjson
    let table = ResultTable(session, zone)
    if format == .csv {
      let names = columns.isEmpty ? ["path", "value"] : columns.map(\.name)
      table.append(((namesFile ? ["file"] : []) + names).map { .text($0) }, to: &session.output)
    }
    let (columns, zone) = (columns, zone)
    try session.showInputs(at: nil) { () throws(ArchiveError) in
      { (input, storage, writer) throws(ArchiveError) in
        var search = InputQuery(
          query: query, arguments: arguments, style: style, input: input, writer: writer,
          format: format, columns: columns, table: table, zone: zone, namesFile: namesFile,
          width: width)
        defer { writer.count(search.count) }
        try search.run(storage)
      }
    }
    if format == .json { session.endItems() }
    if session.resultCount == 0 { session.merge(.answerIsNo) }
  }
}

extension Query {
  private func answerRecords() throws {
    let (query, arguments) = (query, session.arguments)
    let names: Set = ["results", "count", "found"]
    try session.answerRecords(reading: names, needsResult: true) {
      let reader = arguments.reader(recovering: arguments.has(.recover))
      let counts = arguments.has(.count)
      let exists = arguments.has(.exists)
      let visits: QueryRun.Visits =
        arguments.has(.allPaths) ? .allPaths : counts || exists ? .once : .shortestPaths
      return { (storage, content) throws(ArchiveError) in
        let graph = try content.read(storage, reader)
        if let error = graph.rootError { content.errors.append(error) }
        var run = QueryRun(query, in: graph, visits: visits)
        guard !counts, !exists else {
          let count = try content.count(most: exists ? 1 : .max) { () throws(ArchiveError) in
            try run.next() != nil
          }
          return content.members.add(
            exists ? "found" : "count", exists ? .boolean(count > 0) : .integer(count))
        }
        var isDone = false
        try content.add("results", in: graph, form: arguments.typedForm) {
          () throws(ArchiveError) in
          guard !isDone, let node = try run.next() else { return nil }
          isDone = arguments.has(.first)
          return (graph.opened(node).node, run.path)
        }
      }
    }
  }
}

private struct InputQuery {
  let query: JSONPath
  let arguments: ParsedArguments
  let style: TerminalStyle
  let input: Input
  let writer: ResultWriter
  /// How results are written; nil if they are not.
  let format: Query.Format?
  let columns: [QueryColumn]
  let table: ResultTable
  let zone: DateZone
  let namesFile: Bool
  /// How many columns the terminal has on which results are shown; nil if there is none.
  let width: Int?
  private(set) var count = 0

  mutating func run(_ storage: ByteStorage) throws(ArchiveError) {
    let graph = try writer.read(input, storage, arguments)
    if let error = graph.rootError { writer.report(error, file: input.name) }
    let endsAtFirst = arguments.has(.first) || arguments.has(.exists)
    // Without a format nobody asks for paths.
    var run = QueryRun(
      query, in: graph,
      visits: arguments.has(.allPaths) ? .allPaths : format == nil ? .once : .shortestPaths)
    while let node = try run.next() {
      count += 1
      if let format { try show(graph.opened(node).node, run.path, graph, as: format) }
      if endsAtFirst { break }
    }
    if run.hasCycles, !arguments.has(.quiet) {
      let note =
        "\(input.name): note: objects that contain themselves are entered once on each path"
      writer.post(.note(note))
    }
    if arguments.has(.count) {
      let count = count
      writer.write { $0.bytes.append("\(prefix)\(count)\n") }
    }
  }

  /// The name of the file, if several are searched.
  private var prefix: String {
    namesFile ? style.magenta(input.name.escapedLine) + ": " : ""
  }

  private var prefixWidth: Int {
    namesFile ? TerminalCells.count(of: input.name.escapedLine) + 2 : 0
  }

  // MARK: Results

  private func show(
    _ node: Node, _ path: GraphPath, _ graph: ObjectGraph, as format: Query.Format
  ) throws(ArchiveError) {
    if format == .json || format == .ndjson {
      return try showObject(node, path, graph)
    }
    if format == .csv { return try showLine(node, path, graph) }
    try writer.write { (output) throws(ArchiveError) in
      switch format {
      case .paths: output.bytes.append("\(prefix)\(path.normalized.escapedLine)\n")
      case .raw:
        output.bytes.append(prefix)
        try RawValue.write(
          node, of: graph, isLine: true, isTerminal: width != nil, zone: zone, style: style,
          to: &output)
      default:
        output.bytes.append(prefix)
        var options = TreeRenderer.Options(isColoured: style.isOn)
        options.width = width.map { max($0 - prefixWidth, 1) }
        options.zone = zone
        options.rootName = style.bold(path.description.escapedLine)
        try TreeRenderer.render(node, of: graph, options: options, to: &output)
      }
      output.flushIfFull()
    }
  }

  private func showLine(
    _ node: Node, _ path: GraphPath, _ graph: ObjectGraph
  ) throws(ArchiveError) {
    var cells: [CSVLine.Cell] = namesFile ? [.text(input.name.shownPath)] : []
    if columns.isEmpty { cells += [.text(path.normalized), try table.cell(node, in: graph)] }
    for column in columns { cells.append(try table.cell(of: column.query, from: node, in: graph)) }
    writer.write { table.append(cells, to: &$0) }
  }

  private func showObject(
    _ node: Node, _ path: GraphPath, _ graph: ObjectGraph
  ) throws(ArchiveError) {
    let object = try JSONLine.result(
      node, at: path, in: graph, file: input.name, form: arguments.typedForm)
    if format == .json { return writer.add(item: object) }
    writer.write { $0.bytes.append(line: object) }
  }
}

extension OptionDescription {
  static let queryFormat = choice(
    "format", valueName: "FORMAT", of: Query.Format.allCases.map { $0.rawValue },
    help: "Write results as FORMAT.")

  static let first = flag("first", help: "Stop at the first result of each file.")

  static let count = flag("count", help: "Print only the number of results of each file.")

  static let exists = flag(
    "exists", help: "Print nothing. The exit status says whether there is a result.")
}
