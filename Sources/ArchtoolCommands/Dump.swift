// `archtool dump`: shows the contents of files, as a tree or as JSON.

import ArchiveBasics
import ArchiveBatches
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import ArchiveRendering
import ArchiveWriting
import CommandLineInterface
import KeyedArchives

struct Dump: Command {
  static let name = "dump"
  static let description = CommandDescription(
    name: name,
    abstract: "show the contents of archives and property lists",
    operands: .files,
    options: [
      .at, .dumpFormat, .typedForm, .references, .raw, .unreachable, .depth, .maximumItems,
      .lineWidth,
      .timeZone,
      .noNested,
      .compact,
      .offsets, .hex,
      .recover, .skip, .json5,
      .output, .resultFolder, .fileExtension, .force,
    ] + OptionDescription.inputKinds + OptionDescription.recordStream
      + OptionDescription.batch,
    commonOptions: OptionDescription.common + [.noPager],
    rules: [
      .implies(.typedForm, .dumpFormat, value: "json", or: ["ndjson"]),
      .implies(.compact, .dumpFormat, value: "json"),
      .implies(.references, .dumpFormat, value: "json"), .exclusive([.references, .typedForm]),
      .implies(.maximumItems, .dumpFormat, value: "tree"),
      .implies(.lineWidth, .dumpFormat, value: "tree"),
      .implies(.timeZone, .dumpFormat, value: "tree"),
      .implies(.offsets, .dumpFormat, value: "tree"), .implies(.hex, .dumpFormat, value: "tree"),
      .needs(.force, anyOf: [.output, .resultFolder]), .exclusive([.at, .json5]),
      .exclusive([.output, .resultFolder]), .exclusive([.at, .resultFolder]),
      .needs(.fileExtension, anyOf: [.resultFolder]),
      .exclusive([.raw, .noNested]),
    ]
      + OptionRule.exclusive(
        [.hex], with: [.timeZone, .maximumItems, .lineWidth, .offsets, .typedForm, .depth])
      + OptionRule.exclusive([.unreachable], with: [.typedForm, .raw, .hex, .json5, .noNested])
      + OptionRule.readRecords(
        as: .dumpFormat, without: [.compact, .resultFolder, .fileExtension]),
    discussion: """
      The tree shows the class of each object; Swift class names are demangled. An object that
      appears again is shown by its number.

      On a terminal, or with --width, strings that do not fit a line are cut, with their length, and
      an attributed string is a line for each run: its range, text and attributes. Wide characters
      count as two columns. Elsewhere nothing is cut. With --max-items a line says how many elements
      or members are left out.

      An archive or property list inside a data value is decoded there, to any depth, unless
      --no-nested is given. --typed, --compact and --references imply --format json.

      With --format ndjson, or several files and --compact, the JSON of each file is a line
      {"file": ..., "value": ...}, and a file that cannot be read is one with error in place of
      value. The lines of find, query and scan have such errors, too.

      Typed JSON has tags for the types that JSON lacks: $date, $data, $uid, $real, $int, $set,
      $orderedSet, $object with class and fields, and $entries for a dictionary whose keys are no
      strings or begin with $. --typed=stored has what is stored, for convert to read back.
      --typed=resolved has the values that dump shows, with $uuid, $url and $decimal for objects of
      NSUUID, NSURL and NSDecimalNumber, and with the $id and $ref of plain JSON; it is for programs
      that read values. schema show --output-form describes each by a JSON Schema.

      JSON repeats what is shared in each place; only an object that contains itself is written once,
      with a name in $id, to which $ref refers. With --references this is so for every object, list
      and dictionary that is shared, and for strings and data of more than 64 bytes.

      Where objects are far below one another only because each refers to the next, in a tree by
      more than 100 levels, each is shown where it is nearest to the root, and a reference to it may
      come before it.

      With --unreachable the objects of a keyed archive are shown to which nothing leads from its
      top-level keys: a tree with the number of the object, or in JSON an array of objects with
      number, class and value. Archives that were edited by other programs have such objects, and
      they may have more than their owner knows of; rename-class --prune removes them.

      With --recover a property list or a typedstream is read as far as possible, even if its
      trailer, offset table, end or objects are missing or damaged, and even if it is compressed. A
      wrong element of XML, of OpenStep's text or of JSON costs only itself. Where something is
      lost, the key $lost describes it, and a string that the end of the file cuts says how much of
      it is there; each loss is also reported as an error, and the exit status is 65.

      With --records each line of a FILE, or of standard input, is a JSON object with an archive in
      Base64 as its member data, or as the member that --data-key names. Each is answered in order
      by an object on one line, with the id of the record, an outcome (shown or failed), the value
      as --format json shows it or the error, warnings if there are any, and the record's other
      members. With --at it is the value of the one archive that is there. With --records=base64 or
      --records=hex a line may also be an archive alone, and archives are in Base64 or in
      hexadecimal digits. The exit status is 1 if a record has an error.

      With several files, one that cannot be read is reported and the others are shown. An existing
      output file is replaced only with --force.

      One large typedstream, and the JSON of a large file that is no binary list, are divided among
      the processors; with --jobs 1 they are not.
      """,
    examples: [
      "archtool dump WeatherFeed": "Show the archive WeatherFeed as a tree.",
      "archtool dump --format json Movie": "Show the archive Movie as JSON.",
      "archtool dump --raw Movie": "Show the object table of the archive Movie as it is stored.",
      "archtool dump --unreachable Movie":
        "Show what the archive Movie contains although nothing refers to it.",
      "archtool dump --hex '$.name' Movie": "Show the bytes of one value of the archive Movie.",
      "archtool dump --records --data-key archive rows.ndjson":
        "Show the archives of a table's rows, each as JSON on a line.",
    ],
    exits: .writing,
    meanings: [
      .answerIsNo: "There is no value at the PATH of --hex or --at, or a record has an error."
    ])

  private let session: Session
  private let dataPath: DataPath?
  private let dump: InputDump
  private let destination: OutputDestination

  init(_ session: Session) throws {
    self.session = session
    let arguments = session.arguments
    dataPath = try Session.dataPath(arguments)
    destination = OutputDestination(of: arguments)
    let style = destination == .standardOutput ? session.outputStyle : .plain
    let isShown = destination.isTerminal(session.streams) && !arguments.has(.resultFolder)
    let width =
      try arguments.integer(of: .lineWidth)
      ?? (isShown ? TerminalWidth.terminal(session.streams.output) : nil)
    dump = try InputDump(arguments, style: style, width: width == 0 ? nil : width)
    session.isLineStream = dump.isLineStream
  }

  func run() throws {
    if session.arguments.has(.records) {
      return try session.answerRecords(reading: ["value"]) { [dump, dataPath] in
        { (storage, content) throws(ArchiveError) in
          try dump.answer(try storage.onlyArchive(at: dataPath), &content)
        }
      }
    }
    guard case .file(let path, _) = destination else { return try showAll() }
    // The file is complete or absent: it is written once every input was shown.
    var shown = OutputBuffer(descriptor: nil)
    swap(&shown, &session.output)
    do {
      defer { swap(&shown, &session.output) }
      try showAll()
    }
    if session.isInterrupted { return }
    do throws(ArchiveError) {
      try session.write(to: destination) { (output) throws(ArchiveError) in
        output.bytes.append(shown.bytes.bytes)
      }
    } catch {
      session.report(error, file: path)
    }
  }

  private func showAll() throws {
    try session.showInputs(at: dataPath) { [dump] in dump.show }
  }
}

struct InputDump: Sendable {
  enum Format: String, OptionChoice {
    case tree, json, ndjson
  }

  private let arguments: ParsedArguments
  private let style: TerminalStyle
  private let isRaw: Bool
  private let format: Format
  /// The folder that gets a file for each input; nil to write them one after another.
  private let folder: ResultFolder?
  private let depth: Int?
  /// How many columns a line of a tree may have; nil for no limit.
  private let width: Int?
  private let mostItems: Int?
  private let zone: DateZone
  private let hexPath: ValuePath?
  /// Whether there is one file, whose name need not be shown.
  private let isOne: Bool
  /// How many threads an input may have: of several inputs each has its own.
  private let threads: Int

  init(_ arguments: ParsedArguments, style: TerminalStyle, width: Int?) throws(UsageError) {
    self.width = width
    self.arguments = arguments
    self.style = style
    isOne = arguments.readsOneFile
    threads = isOne ? try arguments.integer(of: .jobs) ?? .max : 1
    isRaw = arguments.has(.raw)
    folder = ResultFolder(arguments)
    let format = arguments.choice(of: .dumpFormat, as: Format.self) ?? .tree
    let isLines = format == .json && arguments.has(.compact) && !isOne && folder == nil
    self.format = isLines ? .ndjson : format
    depth = try arguments.integer(of: .depth)
    mostItems = try arguments.integer(of: .maximumItems)
    zone = try arguments.dateZone
    guard let text = arguments.value(of: .hex) else {
      hexPath = nil
      return
    }
    do throws(ArchiveError) {
      hexPath = try ValuePath(parsing: text)
    } catch {
      throw UsageError("'--hex' needs a path such as '$.name[0]': \(error.message)")
    }
  }

  /// Whether the output is a stream of lines, each of a file that it names.
  var isLineStream: Bool { format == .ndjson && folder == nil }

  /// Shows an input; its bytes are complete if this throws.
  func show(
    _ input: Input, _ storage: ByteStorage, _ writer: ResultWriter
  ) throws(ArchiveError) {
    do throws(ArchiveError) {
      try showComplete(input, storage, writer)
    } catch {
      try storage.restore()
      throw error
    }
  }

  /// Adds the value of a record's archive to its answer.
  func answer(
    _ storage: ByteStorage, _ content: inout RecordContent
  ) throws(ArchiveError) {
    let graph = try arguments.reader(recovering: arguments.has(.recover)).read(
      storage, resolving: !isRaw, nested: opensNested)
    content.add(graph)
    if let warning = topWarning(of: graph) { content.warnings.append(warning) }
    let losses = graph.losses.count
    try content.members.add("value") { (output) throws(ArchiveError) in
      try write(graph, jsonOptions(isCompact: true), to: &output)
    }
    content.errors += graph.losses[losses...]
    if let error = graph.rootError { content.errors.append(error) }
    if hasFaults(graph) { content.errors += graph.contents(from: graph.root).faults }
  }

  private func showComplete(
    _ input: Input, _ storage: ByteStorage, _ writer: ResultWriter
  ) throws(ArchiveError) {
    let graph = try read(input, storage, writer)
    let losses = graph.losses.count
    if let folder {
      var output = OutputBuffer(descriptor: nil)
      try show(graph, input, storage, to: &output)
      let bytes = output.bytes.array
      writer.inOrder(file: input.name) { () throws(ArchiveError) in
        try folder.write(bytes, for: input)
      }
    } else {
      begin(input, writer)
      try writer.write { (output) throws(ArchiveError) in
        try show(graph, input, storage, to: &output)
      }
    }
    reportContents(of: graph, from: losses, input, writer)
  }

  /// Reads an input; its warnings are written before any of it is shown.
  private func read(
    _ input: Input, _ storage: ByteStorage, _ writer: ResultWriter
  ) throws(ArchiveError) -> ObjectGraph {
    // JSON shows repeated keys itself.
    let reader = arguments.reader(
      recovering: arguments.has(.recover), threads: threads, warnsOfEqualKeys: format == .tree)
    // A tree may show bytes.
    let graph =
      format == .tree
      ? try reader.read(storage, resolving: !isRaw, nested: opensNested)
      : try reader.read(consuming: storage, resolving: !isRaw, nested: opensNested)
    writer.post(Session.messages(of: graph, input, storage))
    for loss in graph.losses { writer.report(loss, file: input.name) }
    if let error = graph.rootError { writer.report(error, file: input.name) }
    if let warning = topWarning(of: graph) {
      writer.post(.problem(warning.line(file: input.name, severity: .warning)))
    }
    return graph
  }

  private var opensNested: Bool { !isRaw && !arguments.has(.noNested) }

  /// The warning that typed JSON would be read back as an archive with one root.
  private func topWarning(of graph: ObjectGraph) -> ArchiveError? {
    guard arguments.typedForm == .stored, !isRaw, let archive = graph.documents.first?.archive,
      archive.topKeys != ["root"]
    else { return nil }
    return ArchiveError(
      .mismatch,
      "the top-level keys become those of one dictionary; --raw --typed keeps them as they are")
  }

  /// Whether archives in data values have errors, beside that of the root.
  private func hasFaults(_ graph: ObjectGraph) -> Bool {
    graph.hasContentErrors && graph.contentError(of: graph.root) == nil
  }

  /// Reports errors in archives in data values, which were read while they were shown; equally severe at any depth.
  private func reportContents(
    of graph: ObjectGraph, from first: Int, _ input: Input, _ writer: ResultWriter
  ) {
    for loss in graph.losses[first...] { writer.report(loss, file: input.name) }
    // The root's error was reported before anything was shown.
    guard hasFaults(graph) else { return }
    let contents = graph.contents(from: graph.root)
    for fault in contents.faults { writer.report(fault, file: input.name) }
    for fact in contents.undecoded { writer.note(fact, file: input.name) }
  }

  /// Writes the name of the next file if there may be several, with an empty line before all but the first.
  private func begin(_ input: Input, _ writer: ResultWriter) {
    if format != .tree || isOne { return }
    writer.begin()
    writer.write { $0.bytes.append(style.bold("\(input.name):".escapedLine) + "\n") }
  }

  private func show(
    _ graph: ObjectGraph, _ input: Input, _ storage: ByteStorage, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    if format != .tree {
      let options = jsonOptions(isCompact: format == .ndjson || arguments.has(.compact))
      guard format == .ndjson else { return try write(graph, options, to: &output) }
      var line = JSONLine()
      line.add("file", input.name.shownPath)
      try line.add("value") { (output) throws(ArchiveError) in
        try write(graph, options, to: &output)
      }
      return line.end(to: &output.bytes)
    }
    if let hexPath {
      let found = try hexPath.resolve(in: graph)
      return try NodeBytes.render(
        found.node, path: found.path, of: graph,
        source: (graph.inflated ?? storage).bytes, to: &output)
    }
    var options = TreeRenderer.Options(
      depth: depth, isColoured: style.isOn, showsOffsets: arguments.has(.offsets))
    (options.width, options.mostItems, options.zone) = (width, mostItems, zone)
    guard !arguments.has(.unreachable) else {
      return try UnreachableDump(graph: graph).draw(options, to: &output)
    }
    try TreeRenderer.render(graph.root, of: graph, options: options, to: &output)
  }

  private func jsonOptions(isCompact: Bool) -> JSONWriter.Options {
    var options = JSONWriter.Options(arguments.typedForm, isCompact: isCompact)
    options.depth = depth
    options.includesArchiver = !isRaw
    options.refersToShared = arguments.has(.references)
    return options
  }

  /// Writes the root, or the objects that nothing leads to, as JSON.
  private func write(
    _ graph: ObjectGraph, _ options: JSONWriter.Options, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    guard !arguments.has(.unreachable) else {
      return try UnreachableDump(graph: graph).write(options, to: &output)
    }
    try JSONWriter.write(graph.root, of: graph, options: options, to: &output)
  }
}

extension OptionDescription {
  static let dumpFormat = choice(
    "format", valueName: "FORMAT", of: InputDump.Format.allCases.map { $0.rawValue },
    help: "Write the graph as FORMAT.")

  static let references = flag(
    "references",
    help: "Write what is shared once in JSON, then refer to it.")

  static let raw = flag(
    "raw", help: "Show the object table as it is stored. References are not resolved.")

  static let unreachable = flag(
    "unreachable",
    help: """
      Show the objects that nothing refers to. Readers of the archive never meet them.
      """)

  static let depth = integer(
    "depth", in: 0...1_000_000, help: "Show at most N levels below the root.")

  static let maximumItems = integer(
    "max-items", in: 0...1_000_000_000,
    help: "Show at most N children of each container.")

  static let lineWidth = integer(
    "width", in: 0...100_000,
    help: """
      Cut strings so that lines fit N columns. With 0 none is cut. The default is the width of \
      the terminal, and 0 without one.
      """)

  static let noNested = flag(
    "no-nested",
    help: """
      Show data values as data. Archives and property lists inside them are not decoded.
      """)

  static let compact = flag("compact", help: "Write the JSON of each file on one line.")

  static let offsets = flag(
    "offsets", help: "Show each node's offset and length, such as @92+7.")

  static let hex = text(
    "hex", valueName: "PATH",
    help: """
      Show the bytes of the value at PATH. Each byte or group of bytes is explained. Examples of \
      PATH are $.name and name.
      """)

  static let recover = flag(
    "recover",
    help: """
      Read what is left of a damaged file. Each loss is an error.
      """)
}

// MARK: - What `dump --unreachable` shows: the objects of an archive that nothing leads to

struct UnreachableDump {
  let graph: ObjectGraph

  /// Draws a tree for each object, whose number is its name.
  func draw(
    _ options: TreeRenderer.Options, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    for found in try UnreachableObjects.find(in: graph) {
      guard let node = found.node else {
        output.bytes.append("#\(found.number): damaged\n")
        continue
      }
      var options = options
      options.rootName = "#\(found.number)"
      try TreeRenderer.render(node, of: graph, options: options, to: &output)
    }
  }

  /// Writes an array of objects with number, class and value; each is on one line.
  func write(
    _ options: JSONWriter.Options, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    let (start, separator, end) =
      options.isCompact ? ("[", ", ", "]\n") : ("[\n  ", ",\n  ", "\n]\n")
    let all = try UnreachableObjects.find(in: graph)
    if all.isEmpty { return output.bytes.append("[]\n") }
    var options = options
    options.isCompact = true
    for (position, found) in all.enumerated() {
      output.bytes.append(position == 0 ? start : separator)
      var line = JSONLine()
      try line.add("object") { $0.bytes.append("\(found.number)\n") }
      line.add("class", found.node.flatMap(graph.className))
      try line.add(found.node == nil ? "damaged" : "value") { (output) throws(ArchiveError) in
        guard let node = found.node else { return output.bytes.append("true\n") }
        try JSONWriter.write(node, of: graph, options: options, to: &output)
      }
      line.end().withByteView { output.bytes.append($0) }
    }
    output.bytes.append(end)
  }
}
