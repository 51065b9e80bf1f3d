// `archtool find`: the values of many files that fit some conditions.

import ArchiveBasics
import ArchiveBatches
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import ArchiveRendering
import CommandLineInterface

struct Find: Command {
  static let name = "find"
  static let description = CommandDescription(
    name: name,
    abstract: "find values by class, key, text, type or date in many files",
    operands: .files,
    options: [
      .findClass, .findKey, .findText, .ignoreCase, .findValue, .findType, .between, .allPaths,
      .findFormat,
      .csvPlain, .typedForm, .timeZone, .filesWithMatches, .count, .recover, .skip, .json5,
    ] + OptionDescription.inputKinds + OptionDescription.recordStream
      + OptionDescription.batch,
    commonOptions: OptionDescription.common + [.noPager],
    rules: [
      .oneOf([.findClass, .findKey, .findText, .findValue, .findType, .between]),
      .needs(.ignoreCase, anyOf: [.findText]), .implies(.csvPlain, .findFormat, value: "csv"),
      .exclusive([.filesWithMatches, .allPaths]),
      .implies(.typedForm, .findFormat, value: "json", or: ["ndjson"]),
    ] + OptionRule.exclusive([.csvPlain], with: [.typedForm, .count, .filesWithMatches])
      + OptionRule.exclusive([.filesWithMatches], with: [.count])
      + OptionRule.exclusive([.filesWithMatches, .count], with: [.findFormat, .typedForm])
      + OptionRule.readRecords(as: .findFormat, without: [.filesWithMatches]),
    discussion: """
      A value is found if it meets every condition that is given. Each result is a line with the
      file, the path and the value, shortened.

      An object is found once, however many others refer to it, and the path is the shortest one.
      With --key each member of an object is a result of its own, whatever it refers to. With
      --all-paths an object is found once for each path to it; graphs with very many paths end the
      search with an error.

      The stored fields of an object that is shown by members made of them are found after all else,
      unless a member shows their value; with --all-paths they are not searched.

      Archives in data values are searched too. A data value with an archive meets a condition as
      data or as the root object of the archive, and its value is that of the root. Text in other
      data is searched as well, if it is shown as text, or if it is a resource of a web archive in
      UTF-8, UTF-16, Latin-1, Windows-1252 or Mac Roman, as the archive says.

      In PATTERN * matches any run of characters and ? one character. REGEX is a regular expression
      of ECMA-262 that matches anywhere in a string, or in a date as RFC 3339. JSON is null, true,
      false, a number or a string. With several --type a value has one of them; url is an object of
      NSURL, or a string that is a URL with the scheme http, https, ftp or file.

      With --between dates are found from FROM to TO, each a day, a date with a time, or nothing if
      that end is open. A day counts as a whole; it, and a time without an offset, is one of
      --time-zone.

      The format csv (RFC 4180) has a line for each result, with the columns file, path, type,
      class, value and offset, and so has JSON as members. The class is that of an object, and the
      offset is where the value begins in the file, or in what a compressed or encoded file holds. In CSV a value is written as get prints it, data
      in Base64 and a container as JSON.

      With --records each line is a record, as for dump; its answer has the matches as a list of
      objects with path and value, or the count.
      """,
    examples: [
      "archtool find --text '^Tok' WeatherFeed Movie":
        "Find the strings that begin with Tok in two files.",
      "archtool find --key '*Time' --type boolean WeatherFeed":
        "Find the booleans under keys that end with Time.",
      "archtool find --type date --type url --format csv -r Apps":
        "Write a table of the dates and URLs in all files of a folder.",
    ],
    exits: .reading,
    meanings: [.answerIsNo: "Nothing was found in any file, or a record has an error."])

  enum Format: String, OptionChoice {
    case text, json, ndjson, csv
  }

  private let session: Session
  private let zone: DateZone

  init(_ session: Session) throws {
    self.session = session
    zone = try session.arguments.dateZone
    do throws(ArchiveError) {
      _ = try Self.matcher(session.arguments, zone)
    } catch {
      throw UsageError(error.message)
    }
  }

  /// Makes what looks at values, for one thread.
  private static func matcher(
    _ arguments: ParsedArguments, _ zone: DateZone
  ) throws(ArchiveError) -> NodeMatcher {
    let dates = try arguments.value(of: .between).map { text throws(ArchiveError) in
      try DateSpan(parsing: text, in: zone)
    }
    return try NodeMatcher(
      classPattern: arguments.value(of: .findClass), keyPattern: arguments.value(of: .findKey),
      expression: arguments.value(of: .findText), ignoresCase: arguments.has(.ignoreCase),
      value: arguments.value(of: .findValue),
      types: arguments.values(of: .findType), dates: dates)
  }

  func run() throws {
    if session.arguments.has(.records) { return try answerRecords() }
    let arguments = session.arguments
    let zone = zone
    let format = arguments.choice(of: .findFormat, as: Format.self) ?? .text
    let (style, table) = (session.outputStyle, ResultTable(session, zone))
    if format == .csv {
      let names = ["file", "path", "type", "class", "value", "offset"]
      table.append(names.map { .text($0) }, to: &session.output)
    }
    session.isLineStream = format == .ndjson
    try session.showInputs(at: nil) { () throws(ArchiveError) in
      let matcher = try Self.matcher(arguments, zone)
      return { (input, storage, writer) throws(ArchiveError) in
        var search = InputSearch(
          matcher: matcher, arguments: arguments, style: style, format: format, zone: zone,
          table: table,
          input: input, writer: writer)
        defer { writer.count(search.count) }
        try search.run(storage)
      }
    }
    if format == .json, !arguments.has(.count), !arguments.has(.filesWithMatches) {
      session.endItems()
    }
    if session.resultCount == 0 { session.merge(.answerIsNo) }
  }
}

extension Find {
  private func answerRecords() throws {
    let arguments = session.arguments
    let zone = zone
    try session.answerRecords(reading: ["matches", "count"], needsResult: true) {
      () throws(ArchiveError) in
      let matcher = try Self.matcher(arguments, zone)
      let reader = arguments.reader(recovering: arguments.has(.recover))
      return { (storage, content) throws(ArchiveError) in
        let graph = try content.read(storage, reader)
        var search = NodeSearch(matcher, in: graph, allPaths: arguments.has(.allPaths), most: .max)
        guard !arguments.has(.count) else {
          let count = try content.count { () throws(ArchiveError) in try search.next() != nil }
          return content.members.add("count", .integer(count))
        }
        try content.add("matches", in: graph) { () throws(ArchiveError) in
          guard let node = try search.next() else { return nil }
          return (graph.opened(node).node, search.path)
        }
      }
    }
  }
}

private struct InputSearch {
  /// The greatest number of characters of a value that a line shows.
  private static let shownCharacters = 60
  /// The number of characters before what was found, if it is not at the beginning of a long text.
  private static let charactersBefore = 20

  let matcher: NodeMatcher
  let arguments: ParsedArguments
  let style: TerminalStyle
  let format: Find.Format
  let zone: DateZone
  let table: ResultTable
  let input: Input
  let writer: ResultWriter
  private(set) var count = 0

  mutating func run(_ storage: ByteStorage) throws(ArchiveError) {
    let graph = try writer.read(input, storage, arguments, showsOffsets: format != .text)
    let namesFiles = arguments.has(.filesWithMatches)
    let isSilent = namesFiles || arguments.has(.count)
    var search = NodeSearch(
      matcher, in: graph, allPaths: arguments.has(.allPaths), most: namesFiles ? 1 : .max)
    while let node = try search.next() {
      count += 1
      if namesFiles { break }
      if !isSilent { try show(graph.opened(node).node, search.path, graph) }
    }
    let (count, name) = (count, name)
    if namesFiles, count > 0 { writer.write { $0.bytes.append("\(name)\n") } }
    if arguments.has(.count) { writer.write { $0.bytes.append("\(name): \(count)\n") } }
  }

  /// The name of the file, as it precedes what is found there.
  private var name: String { style.magenta(input.name.escapedLine) }

  private func show(_ node: Node, _ path: GraphPath, _ graph: ObjectGraph) throws(ArchiveError) {
    switch format {
    case .text: break
    case .json: return writer.add(item: try object(node, path, graph))
    case .ndjson:
      let object = try object(node, path, graph)
      return writer.write { $0.bytes.append(line: object) }
    case .csv:
      let cells: [CSVLine.Cell] = [
        .text(input.name.shownPath), .text(path.normalized), .text(graph.value(of: node).typeName),
        .text(graph.className(of: node) ?? ""), try table.cell(node, in: graph),
        .number(graph.fileOffset(of: node).map { "\($0)" } ?? ""),
      ]
      return writer.write { table.append(cells, to: &$0) }
    }
    let location = style.bold(path.description.escapedLine)
    let line = "\(name): \(location): \(shortened(node, graph))\n"
    writer.write { $0.bytes.append(line) }
  }

  /// A result in JSON: what a line of CSV has.
  private func object(
    _ node: Node, _ path: GraphPath, _ graph: ObjectGraph
  ) throws(ArchiveError) -> [UInt8] {
    var line = JSONLine()
    line.add("file", input.name.shownPath)
    line.add("path", path.normalized)
    line.add("type", graph.value(of: node).typeName)
    line.add("class", graph.className(of: node))
    try line.add("offset") {
      $0.bytes.append((graph.fileOffset(of: node).map { "\($0)" } ?? "null") + "\n")
    }
    try line.add("value", node, of: graph, form: arguments.typedForm)
    return line.end()
  }

  /// A value on a line, without control characters: a container by its class and its number of elements.
  private func shortened(_ node: Node, _ graph: ObjectGraph) -> String {
    let value = graph.value(of: node)
    switch value {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      return "\(graph.className(of: node) ?? value.typeName) (\(elements.count))".escapedLine
    case .dictionary(let pairs), .object(_, let pairs):
      return "\(graph.className(of: node) ?? value.typeName) (\(pairs.count))".escapedLine
    case .data(let bytes): return "data (\(Counted.text(bytes.count, "byte")))"
    default:
      var output = OutputBuffer(descriptor: nil)
      guard (try? RawValue.write(node, of: graph, isLine: true, zone: zone, to: &output)) != nil
      else {
        return value.typeName
      }
      let text = String(decoding: output.bytes.bytes.dropLast(), as: UTF8.self)
      return shortened(text)
    }
  }

  /// As much of a text as characters without many marks take.
  private static func bounded(_ text: Substring) -> Substring {
    String(text).unicodeScalars.count <= shownCharacters * 4
      ? text : Substring(text.unicodeScalars.prefix(shownCharacters * 4))
  }

  /// A text on a line, cut around what was found, which is marked.
  private func shortened(_ text: String) -> String {
    let range = matcher.match(in: text) ?? 0..<0
    let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
    let end = text.utf8.index(start, offsetBy: range.count)
    var before = text[..<start]
    let found = Self.bounded(text[start..<end].prefix(Self.shownCharacters))
    var isCut = before.count + found.count > Self.shownCharacters
    if isCut { before = before.suffix(Self.charactersBefore) }
    before = Self.bounded(before)
    let beginning = isCut ? "…" : ""
    let room = Self.shownCharacters - before.count - found.count
    let after = found.endIndex == end ? Self.bounded(text[end...].prefix(max(room, 0))) : ""
    isCut = found.endIndex != end || after.endIndex != text.endIndex
    let marked = found.isEmpty ? "" : style.bold(style.red(String(found).escapedLine))
    return
      "\(beginning)\(String(before).escapedLine)\(marked)\(String(after).escapedLine)\(isCut ? "…" : "")"
  }
}

extension OptionDescription {
  static let findClass = text(
    "class", valueName: "PATTERN",
    completedFrom: .classes,
    help: "Find objects whose class matches PATTERN. A superclass counts as well.")

  static let findKey = text(
    "key", valueName: "PATTERN", help: "Find values whose key matches PATTERN.")

  static let ignoreCase = flag(
    "ignore-case", letter: "i", help: "Treat capital letters like small ones in --text.")

  static let findText = text(
    "text", valueName: "REGEX", help: "Find strings that REGEX matches.")

  static let findValue = text(
    "value", valueName: "JSON", help: "Find values that are equal to JSON.")

  static let findType = choice(
    "type", valueName: "TYPE", of: ValueType.names, hasDefault: false, isRepeatable: true,
    help: "Find values of TYPE.")

  static let between = text(
    "between", valueName: "FROM..TO", completedFrom: .nothing,
    help: "Find dates from FROM to TO. An example is 2024-01-01..2024-03-31.")

  static let findFormat = choice(
    "format", valueName: "FORMAT", of: Find.Format.allCases.map { $0.rawValue },
    help: "Write results as FORMAT.")

  static let allPaths = flag(
    "all-paths", help: "Show a shared object once for each path to it.")

  static let filesWithMatches = flag(
    "files-with-matches", help: "Print only the names of files with results.")
}
