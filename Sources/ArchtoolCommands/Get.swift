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
    operands: Operands(name: "FILE PATH", minimum: 2, maximum: 2),
    options: [
      .at, .getFormat, .typedForm, .compact, .bytes, .type, .expect, .defaultText, .skip, .json5,
      .output,
      .force, .jobs,
    ] + OptionDescription.recordStream,
    commonOptions: [.passwordFile, .color, .quiet, .help],
    rules: [
      .implies(.typedForm, .getFormat, value: "json"),
      .implies(.compact, .getFormat, value: "json"),
      .exclusive([.type, .getFormat]), .exclusive([.type, .typedForm]),
      .exclusive([.type, .compact]),
      .exclusive([.at, .json5]), .exclusive([.type, .output]), .exclusive([.type, .expect]),
      .exclusive([.bytes, .getFormat]),
      .exclusive([.bytes, .typedForm]), .exclusive([.bytes, .compact]),
      .needs(.force, anyOf: [.output]), .needs(.jobs, anyOf: [.records]),
      .implies(.records, .getFormat, value: "json"),
    ] + OptionRule.records(without: [.output, .force, .compact]),
    discussion: """
      PATH leads to one value. It is a path as dump shows it ($.movies[0].title), a JSON Pointer
      (/movies/0/title), a path of PlistBuddy (:movies:0:title) or a key path of plutil
      (movies.0.title). A separator that is part of a key is written as ~1 in a JSON Pointer, and
      with a backslash before it in the last two notations. A path enters archives in data values by
      itself; --at enters JSON and Base64 in strings as well, and PATH begins in what is there.

      A string is printed without quotes, a date in RFC 3339, data as its bytes, an array, a
      dictionary or an object as JSON. Of data with an archive the root object of the archive is the
      value; --bytes prints the data itself. Other formats make a document of the value; of a keyed
      archive it is a keyed archive with the value as its root.

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
    let operands = session.arguments.operands
    // Only records need no FILE.
    guard let path = operands.last, operands.count > 1 || session.arguments.has(.records) else {
      throw UsageError("missing operand PATH for \(Self.name)", command: Self.name)
    }
    self.path = try ValuePath(operand: path, command: Self.name)
  }

  func run() throws {
    if session.arguments.has(.records) { return try answerRecords() }
    let operand = session.arguments.operands[0]
    var name = Input(operand: operand).name
    do throws(ArchiveError) {
      let input = try session.input(operand)
      name = input.name
      let (part, storage) = try input.onlyArchive(at: dataPath, in: input.open(session.streams))
      name = part.name
      try get(from: storage, part)
    } catch {
      session.report(error, file: name)
    }
  }

  private func get(from storage: ByteStorage, _ input: Input) throws(ArchiveError) {
    let arguments = session.arguments
    let graph: ObjectGraph
    do throws(ArchiveError) {
      graph = try arguments.reader(warnsOfEqualKeys: true).read(storage)
    } catch {
      throw error.naming(storage).located(in: storage.bytes)
    }
    for line in Session.messages(of: graph, input, storage) { session.post(line) }
    guard let found = try find(in: graph, storage, input) else { return }
    let (node, path) = Self.opened(found, of: graph, arguments)
    if let error = Self.mismatch(found.node, (node, path), of: graph, arguments) {
      return session.report(error.located(in: storage.bytes), file: input.name)
    }
    if arguments.has(.type) {
      return session.output.bytes.append(graph.value(of: node).typeName + "\n")
    }
    try session.write(to: OutputDestination(of: arguments)) {
      (output) throws(ArchiveError) in
      try write(node, path, of: graph, storage, input, to: &output)
    }
  }

  /// The root of the archive that a data value holds, unless `--bytes` asks for the data; any other value itself.
  private static func opened(
    _ found: (node: Node, path: GraphPath), of graph: ObjectGraph, _ arguments: ParsedArguments
  ) -> (node: Node, path: GraphPath) {
    var (node, path) = found
    while !arguments.has(.bytes), let root = graph.archiveRoot(in: node) {
      node = root
      path = path.appending(.content(graph.contentKind(of: root)))
    }
    return (node, path)
  }

  /// The error of a value that is not of the type of `--expect`.
  private static func mismatch(
    _ stored: Node, _ opened: (node: Node, path: GraphPath), of graph: ObjectGraph,
    _ arguments: ParsedArguments
  ) -> ArchiveError? {
    guard let expected = arguments.value(of: .expect),
      !ValueType(expected).fits(stored, in: graph)
    else { return nil }
    return ArchiveError(
      .mismatch, "expected \(expected), found \(graph.value(of: opened.node).typeName)",
      offset: graph.fileOffset(near: opened.path), path: opened.path)
  }

  /// The value at the path; nil if there is none, which was reported.
  private func find(
    in graph: ObjectGraph, _ storage: ByteStorage, _ input: Input
  ) throws(ArchiveError) -> (node: Node, path: GraphPath)? {
    do throws(ArchiveError) {
      return try path.resolve(in: graph)
    } catch {
      guard error.code == .missingValue else { throw error }
      if let text = session.arguments.value(of: .defaultText) {
        session.output.bytes.append(text + "\n")
        return nil
      }
      session.report(error.located(in: storage.bytes), file: input.name)
      return nil
    }
  }

  private func write(
    _ node: Node, _ path: GraphPath, of graph: ObjectGraph, _ storage: ByteStorage, _ input: Input,
    to output: inout OutputBuffer
  ) throws(ArchiveError) {
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
      guard let target = ConversionTarget(rawValue: name) else { return }
      var conversion = Conversion(to: target)
      var part = storage
      if path.steps.isEmpty {
        conversion.skipped = arguments.skipped
      } else {
        part = try ArchiveExtraction.extract(path, from: storage, skipping: arguments.skipped)
      }
      for warning in try conversion.run(part, name: input.name, to: &output).warnings {
        session.warn(warning, file: input.name)
      }
    }
  }
}

extension Get {
  private func answerRecords() throws {
    let (arguments, path, dataPath) = (session.arguments, path, dataPath)
    let files = Array(arguments.operands.dropLast())
    try session.answerRecords(reading: ["found", "value", "type"], files: files) {
      let reader = arguments.reader(warnsOfEqualKeys: true)
      return { (storage, content) throws(ArchiveError) in
        let graph = try content.read(try storage.onlyArchive(at: dataPath), reader)
        do throws(ArchiveError) {
          let found = try path.resolve(in: graph)
          let opened = Self.opened(found, of: graph, arguments)
          if let error = Self.mismatch(found.node, opened, of: graph, arguments) { throw error }
          content.add("found", .boolean(true))
          if arguments.has(.type) {
            return content.add("type", .string(graph.value(of: opened.node).typeName))
          }
          if arguments.has(.bytes), case .data(let bytes) = graph.value(of: opened.node) {
            return content.add("value", .string(Base64.text(bytes)))
          }
          try content.add("value") { (output) throws(ArchiveError) in
            let options = JSONWriter.Options(arguments.typedForm, isCompact: true)
            try JSONWriter.write(opened.node, of: graph, options: options, to: &output)
          }
        } catch {
          guard error.code == .missingValue else { throw error }
          content.add("found", .boolean(false))
          let text = arguments.value(of: .defaultText)
          if let text { content.add("value", .string(text)) }
          content.isMissing = text == nil
        }
      }
    }
  }
}

extension ValuePath {
  /// Parses a path of a command line.
  init(operand text: String, command: String) throws(UsageError) {
    do throws(ArchiveError) {
      try self.init(parsing: text)
    } catch {
      throw UsageError("'\(text)' is not a path: \(error.message)", command: command)
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
