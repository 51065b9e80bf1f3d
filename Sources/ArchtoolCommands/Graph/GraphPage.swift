// The explorer's page for a file, as `graph --format html` and `explore` make it.

import ArchiveBasics
import ArchiveBatches
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import ArchiveRendering
import ArchiveSchemas
import CommandLineInterface
import FileTransactions
import KeyedArchives

extension Session {
  /// Reads the file of the first operand for what shows it as a whole, and reports its warnings, losses and errors.
  func showOne(_ show: (ObjectGraph, ByteStorage, Input) throws(ArchiveError) -> Void) {
    var input = Input(operand: arguments.operands[0])
    do throws(ArchiveError) {
      input = try self.input(arguments.operands[0])
      let storage = try input.open(streams)
      let graph = try arguments.reader().read(storage)
      for line in Self.messages(of: graph, input, storage) { post(line) }
      try show(graph, storage, input)
      for loss in graph.losses { report(loss, file: input.name) }
      if let error = graph.rootError { report(error, file: input.name) }
      withExtendedLifetime(storage) {}
    } catch {
      report(error, file: input.name)
    }
  }
}

/// Makes the explorer's page of a file.
struct GraphPage {
  /// The options that mark values in the page.
  static let options: [OptionDescription] = [
    .schema, .schemaFile, .schemaFolders, .assertFormats, .comparedFile,
  ]

  static let rules: [OptionRule] = [
    .exclusive([.schema, .schemaFile]), .needs(.schemaFolders, anyOf: [.schema, .schemaFile]),
    .needs(.assertFormats, anyOf: [.schema, .schemaFile]),
  ]

  private let session: Session
  private let validation: Validation?

  init(_ session: Session) throws {
    self.session = session
    let arguments = session.arguments
    let marks = arguments.has(.schema) || arguments.has(.schemaFile)
    validation = marks ? try Validation(arguments) : nil
  }

  func write(
    _ graph: ObjectGraph, _ storage: ByteStorage, _ input: Input, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    var marks: [ExplorerMark] = []
    var conclusion: String?
    if let validation {
      let report = FileReport(file: input.name, try validation.run(graph))
      marks += report.diagnostics.map(ExplorerMark.init)
      conclusion = report.conclusion
    }
    let other = session.arguments.value(of: .comparedFile)
    if let other { marks += try differences(from: other, to: graph) }
    let source = graph.inflated ?? storage
    try ExplorerPage.write(
      graph, source: source.bytes, name: input.name, marks: marks, schema: conclusion, other: other,
      to: &output
    ) { (bytes) throws(ArchiveError) in try Self.hash(bytes) }
    withExtendedLifetime(source) {}
  }

  private func differences(
    from file: String, to graph: ObjectGraph
  ) throws(ArchiveError) -> [ExplorerMark] {
    let input = try session.input(file)
    let old = try ArchiveError.inFile(input.name) { () throws(ArchiveError) in
      try session.arguments.reader().read(try input.open(session.streams))
    }
    var marks: [ExplorerMark] = []
    try Difference.report(between: old, and: graph) { (difference) throws(ArchiveError) in
      marks.append(ExplorerMark(difference, old: old))
    }
    return marks
  }

  /// The SHA-256 of bytes in Base64, as policies of pages name it.
  private static func hash(_ bytes: [UInt8]) throws(ArchiveError) -> String {
    let hash = try ContentHash(of: ByteStorage(copying: bytes)).bytes
    return hash.withByteView { Base64.text($0) }
  }
}

extension OptionDescription {
  static let comparedFile = text(
    "diff", valueName: "OTHER",
    help: "Mark what differs from the older file OTHER.")
}

// MARK: - The programs that open a page: those of the environment, or that of the desktop

/// A command that shows a page.
struct Browser {
  /// The command line; `%s` in it is the page, which otherwise follows it.
  let command: String

  /// The commands that are installed, in the order in which they are tried.
  ///
  /// `BROWSER` is a list with colons between its commands, as for xdg-open(1) and the module webbrowser of Python.
  static func found() -> [Browser] {
    let own = XDGFolder.variable("BROWSER").map { list in
      list.split(separator: ":").map(String.init)
    }
    return (own ?? ["xdg-open", "open"]).map(Browser.init).filter(\.isInstalled)
  }

  /// Why no page can be opened.
  static let missing = ArchiveError(
    .cannotOpen,
    "no browser is found: BROWSER must name a program, or xdg-open or open be installed; 'archtool graph --format html -o FILE' only writes the page"
  )

  /// Whether the program exists: only the first word of a command is one.
  private var isInstalled: Bool {
    let program = String(command.drop { $0 == " " }.prefix { $0 != " " })
    return !program.isEmpty && system("command -v \(program.shellWord) >/dev/null 2>&1") == 0
  }

  /// Opens a page; false if the command fails.
  func open(_ path: String) -> Bool {
    system("\(line(for: path)) >/dev/null 2>&1") == 0
  }

  /// The command line for a page; quotes around `%s` are the shell's, and a shell's word needs none.
  func line(for path: String) -> String {
    let word = path.shellWord
    var line = ""
    var rest = command[...]
    var isWordSet = false
    while let character = rest.popFirst() {
      guard character == "%", let next = rest.first, next == "s" || next == "%" else {
        line.append(character)
        continue
      }
      rest.removeFirst()
      line += next == "s" ? word : "%"
      if next == "s" { isWordSet = true }
    }
    return isWordSet ? line : "\(line) \(word)"
  }
}

// MARK: - Graphviz, which makes SVG of pictures where it is installed

/// Runs the program dot.
enum Graphviz {
  /// Writes a picture as SVG.
  ///
  /// - Throws: `ArchiveError` if Graphviz is missing or fails.
  static func write(_ picture: Picture, to output: inout OutputBuffer) throws(ArchiveError) {
    guard system("command -v dot >/dev/null 2>&1") == 0 else {
      throw ArchiveError(
        .cannotCreate,
        "SVG needs Graphviz, whose program 'dot' is not installed; --format dot needs no other program"
      )
    }
    let source = try PrivateFile.write(suffix: ".dot") { (output) throws(ArchiveError) in
      picture.writeDOT(to: &output)
    }
    defer { unlink(source) }
    let result = try PrivateFile.make(suffix: ".svg")
    defer { unlink(result) }
    guard system("dot -Tsvg -o \(result.quotedWord) \(source.quotedWord)") == 0 else {
      throw ArchiveError(.cannotCreate, "Graphviz cannot draw the picture")
    }
    let drawing = try Input(operand: result).open()
    output.bytes.append(drawing.bytes)
    withExtendedLifetime(drawing) {}
  }
}
