// `archtool get`: prints one value, for scripts.

import ArchiveBasics
import ArchiveBatches
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import ArchiveWriting
import CommandLineInterface
import KeyedArchives

struct Get: Command {
  static let name = "get"
  static let description = CommandDescription(
    name: name,
    abstract: "print one value, for scripts",
    operands: Operands(name: "FILE", last: "PATH", minimum: 2, maximum: nil),
    options: [
      .at, .getFormat, .typedForm, .compact, .bytes, .type, .expect, .defaultText, .skip, .json5,
      .output,
      .force,
    ] + OptionDescription.inputKinds + OptionDescription.recordStream + OptionDescription.batch,
    commonOptions: OptionDescription.common + [.noPager],
    rules: [
      .implies(.typedForm, .getFormat, value: "json"),
      .implies(.compact, .getFormat, value: "json"),
      .exclusive([.at, .json5]), .exclusive([.type, .output]), .exclusive([.type, .expect]),
      .needs(.force, anyOf: [.output]),
    ] + OptionRule.exclusive([.type, .bytes], with: [.getFormat, .typedForm, .compact])
      + OptionRule.ofOneFile(.output)
      + OptionRule.readRecords(as: .getFormat, without: [.compact]),
    discussion: """
      PATH leads to one value. It is a path as dump shows it ($.movies[0].title), a JSON Pointer
      (/movies/0/title), a path of PlistBuddy (:movies:0:title) or a key path of plutil
      (movies.0.title). A separator that is part of a key is written as ~1 in a JSON Pointer, and
      with a backslash before it in the last two notations. A path enters archives in data values by
      itself; --at enters JSON and Base64 in strings as well, and PATH begins in what is there.

      A string is printed without quotes, a date in RFC 3339, data as its bytes, an array, a
      dictionary or an object as JSON. Of data with an archive the root object of the archive is the
      value; --bytes prints the data itself. Other formats make a document of the value of one file;
      of a keyed archive it is a keyed archive with the value as its root.

      With several files each value is a line with the name of its file before it, data in Base64,
      or in JSON a line {"file": ..., "value": ...}, which has error in place of value where there
      is none.

      With --records each line of FILE, or of standard input without FILE, is a record, as for dump;
      its answer says whether the value was found, and has the value in JSON, data in Base64, or the
      type. The exit status is 1 if a record has an error, or no value and there is no --default.
      """,
    examples: [
      "archtool get Movie name": "Print the name in the archive Movie.",
      "archtool get --type Movie '$.releaseYear'": "Print the type of the year.",
      "archtool get --default none Movie /sequel/name":
        "Print the name of the sequel, or none if there is no sequel.",
    ],
    exits: .writing, meanings: [.answerIsNo: "There is no value at PATH, or it is not of TYPE."])

  private let session: Session
  private let path: ValuePath
  private let dataPath: DataPath?

  init(_ session: Session) throws {
    self.session = session
    dataPath = try Session.dataPath(session.arguments)
    guard let path = session.arguments.operands.last else {
      throw UsageError("missing operand PATH for \(Self.name)")
    }
    self.path = try ValuePath(operand: path)
  }

  func run() throws {
    let arguments = session.arguments
    if arguments.has(.records) { return try answerRecords() }
    if arguments.readsOneFile || makesDocument || arguments.has(.output) { return try showOne() }
    let path = path
    let isJSON = arguments.value(of: .getFormat) == "json"
    let (style, isTerminal) = (session.outputStyle, session.streams.isOutputTerminal)
    session.isLineStream = isJSON
    try session.showInputs(at: dataPath) {
      let reader = arguments.reader(warnsOfEqualKeys: true)
      return { (input, storage, writer) throws(ArchiveError) in
        let graph = try reader.read(storage)
        writer.post(Session.messages(of: graph, input, storage))
        let found = try Self.value(at: path, in: graph, arguments)
        try writer.write { (output) throws(ArchiveError) in
          if isJSON {
            return try Self.writeLine(found, of: graph, input, arguments, to: &output)
          }
          output.bytes.append("\(style.magenta(input.name.escapedLine)): ")
          if arguments.has(.type) || found == nil {
            return output.bytes.append(Self.text(found, of: graph, arguments))
          }
          guard let node = found?.node else { return }
          try RawValue.write(
            node, of: graph, isLine: true, isTerminal: isTerminal, style: style, to: &output)
        }
      }
    }
  }

  /// Whether the value becomes a document in another format than JSON.
  private var makesDocument: Bool {
    !["raw", "json"].contains(session.arguments.value(of: .getFormat) ?? "raw")
  }

  // MARK: One file

  private func showOne() throws(UsageError) {
    let arguments = session.arguments
    guard let operand = arguments.inputs.first, arguments.inputs.count == 1,
      arguments.readsOneFile || arguments.selection.namesColumn
    else { throw UsageError("a document is made of one FILE") }
    session.withInput(operand) { (input, storage) throws(ArchiveError) in
      let (part, storage) = try input.onlyArchive(at: dataPath, in: storage)
      do throws(ArchiveError) {
        try show(part, storage)
      } catch {
        session.report(error.naming(storage).located(in: storage.bytes), file: part.name)
      }
    }
  }

  private func show(_ input: Input, _ storage: ByteStorage) throws(ArchiveError) {
    let arguments = session.arguments
    let graph = try arguments.reader(warnsOfEqualKeys: true).read(storage)
    for line in Session.messages(of: graph, input, storage) { session.post(line) }
    let found = try Self.value(at: path, in: graph, arguments)
    guard let found, !arguments.has(.type) else {
      return session.output.bytes.append(Self.text(found, of: graph, arguments))
    }
    let format = arguments.value(of: .getFormat)
    session.paintJSON(
      format == "json" || format == "raw" && graph.value(of: found.node).isContainer)
    var warnings: [ArchiveError] = []
    try session.write(to: OutputDestination(of: arguments)) { (output) throws(ArchiveError) in
      warnings = try write(found.node, found.path, of: graph, storage, input, to: &output)
    }
    for warning in warnings { session.warn(warning, file: input.name) }
  }

  /// Writes the value in its format.
  ///
  /// - Returns: the warnings about it.
  private func write(
    _ node: Node, _ path: GraphPath, of graph: ObjectGraph, _ storage: ByteStorage, _ input: Input,
    to output: inout OutputBuffer
  ) throws(ArchiveError) -> [ArchiveError] {
    let arguments = session.arguments
    switch arguments.value(of: .getFormat) ?? "raw" {
    case "raw":
      let isTerminal = OutputDestination(of: arguments).isTerminal(session.streams)
      try RawValue.write(node, of: graph, isTerminal: isTerminal, to: &output)
    case "json":
      let options = JSONWriter.Options(
        arguments.typedForm, isCompact: arguments.has(.compact))
      try JSONWriter.write(node, of: graph, options: options, to: &output)
    case let name:
      guard let target = ConversionTarget(rawValue: name) else { return [] }
      var conversion = Conversion(to: target)
      var part = storage
      if path.steps.isEmpty {
        conversion.skipped = arguments.skipped
      } else {
        part = try ArchiveExtraction.extract(path, from: storage, skipping: arguments.skipped)
      }
      return try conversion.run(part, name: input.name, to: &output).warnings
    }
    return []
  }

  // MARK: Values

  /// The value at the path; nil if there is none but `--default` has one.
  ///
  /// Of data with an archive it is the root of the archive, unless `--bytes` asks for the data.
  ///
  /// - Throws: `ArchiveError` with code `missingValue`, or `mismatch` if the value is not of the type of `--expect`.
  private static func value(
    at path: ValuePath, in graph: ObjectGraph, _ arguments: ParsedArguments
  ) throws(ArchiveError) -> (node: Node, path: GraphPath)? {
    var found: (node: Node, path: GraphPath)
    do throws(ArchiveError) {
      found = try path.resolve(in: graph)
    } catch {
      guard error.code == .missingValue, arguments.has(.defaultText) else { throw error }
      return nil
    }
    let stored = found.node
    while !arguments.has(.bytes), let root = graph.archiveRoot(in: found.node) {
      found = (root, found.path.appending(.content(graph.contentKind(of: root))))
    }
    guard let expected = arguments.value(of: .expect),
      !ValueType(expected).fits(stored, in: graph)
    else { return found }
    throw ArchiveError(
      .mismatch, "expected \(expected), found \(graph.value(of: found.node).typeName)",
      offset: graph.fileOffset(near: found.path), path: found.path)
  }

  /// The line with the type of a value, or with the text of `--default`.
  private static func text(
    _ found: (node: Node, path: GraphPath)?, of graph: ObjectGraph, _ arguments: ParsedArguments
  ) -> String {
    (found.map { graph.value(of: $0.node).typeName } ?? arguments.value(of: .defaultText) ?? "")
      + "\n"
  }

  private static func writeLine(
    _ found: (node: Node, path: GraphPath)?, of graph: ObjectGraph, _ input: Input,
    _ arguments: ParsedArguments, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    var line = JSONLine()
    line.add("file", input.name.shownPath)
    if let found {
      try line.add("value", found.node, of: graph, form: arguments.typedForm)
    } else {
      line.add("value", arguments.value(of: .defaultText))
    }
    line.end(to: &output.bytes)
  }
}

extension Get {
  private func answerRecords() throws {
    let (arguments, path, dataPath) = (session.arguments, path, dataPath)
    let files = Array(arguments.inputs)
    try session.answerRecords(reading: ["found", "value", "type"], files: files) {
      let reader = arguments.reader(warnsOfEqualKeys: true)
      return { (storage, content) throws(ArchiveError) in
        let graph = try content.read(try storage.onlyArchive(at: dataPath), reader)
        var found: (node: Node, path: GraphPath)?
        do throws(ArchiveError) {
          found = try Self.value(at: path, in: graph, arguments)
        } catch {
          guard error.code == .missingValue else { throw error }
          content.isMissing = true
        }
        content.members.add("found", .boolean(found != nil))
        guard let node = found?.node else {
          guard let text = arguments.value(of: .defaultText) else { return }
          return content.members.add("value", .string(text))
        }
        if arguments.has(.type) {
          return content.members.add("type", .string(graph.value(of: node).typeName))
        }
        if arguments.has(.bytes), case .data(let bytes) = graph.value(of: node) {
          return content.members.add("value", .string(Base64.text(bytes)))
        }
        try content.members.add("value") { (output) throws(ArchiveError) in
          let options = JSONWriter.Options(arguments.typedForm, isCompact: true)
          try JSONWriter.write(node, of: graph, options: options, to: &output)
        }
      }
    }
  }
}

extension ValuePath {
  init(operand text: String) throws(UsageError) {
    do throws(ArchiveError) {
      try self.init(parsing: text)
    } catch {
      throw UsageError("'\(text)' is not a path: \(error.message)")
    }
  }
}

extension OptionDescription {
  static let getFormat = choice(
    "format", valueName: "FORMAT",
    of: ["raw", "json"] + ConversionTarget.allCases.map(\.rawValue).filter { $0 != "json" },
    help: "Write the value as FORMAT.")

  static let bytes = flag("bytes", help: "Print data as bytes, even if they are an archive.")

  static let type = flag("type", help: "Print the type of the value.")

  static let expect = choice(
    "expect", valueName: "TYPE", of: ValueType.names, hasDefault: false,
    help: "Exit with 1 unless the value is of TYPE.")

  static let defaultText = text(
    "default", valueName: "TEXT", help: "Print TEXT if there is no value at PATH.")
}
