// `archtool explore`: shows the explorer's page of an archive in a browser.

import Basics
import Batches
import CommandLineInterface
import KeyedArchives
import ObjectGraph

struct Explore: Command {
  static let name = "explore"
  static var description: CommandDescription { .explore }

  private let session: Session
  private let page: GraphPage

  init(_ session: Session) throws {
    self.session = session
    page = try GraphPage(session)
  }

  func run() {
    let input = Input(operand: session.arguments.operands[0])
    do throws(ArchiveError) {
      let storage = try input.open(session.streams)
      let graph = try session.arguments.reader().read(storage)
      for line in Session.messages(of: graph, input, storage) { session.post(line) }
      let path = try PrivateFile.make(suffix: ".html")
      do throws(ArchiveError) {
        try AtomicFile.write(to: path, existing: .replace, allowing: 0o600) {
          (output) throws(ArchiveError) in try page.write(graph, storage, input, to: &output)
        }
      } catch {
        unlink(path)
        throw error
      }
      for loss in graph.losses { session.report(loss, file: input.name) }
      try open(path)
    } catch {
      session.report(error, file: input.name)
    }
  }

  private func open(_ path: String) throws(ArchiveError) {
    // The path is data: what was asked for, and the way to the page if the browser does not show it.
    session.output.bytes.append(path + "\n")
    session.output.flush()
    var programs = ["xdg-open", "open"]
    if let browser = XDGFolder.variable("BROWSER") { programs = [browser] }
    for program in programs {
      // Only the first word of a variable is a program.
      let name = program.prefix { $0 != " " }
      guard system("command -v \(String(name).shellWord) >/dev/null 2>&1") == 0 else { continue }
      guard system("\(program) \(path.shellWord) >/dev/null 2>&1") == 0 else { break }
      return
    }
    throw ArchiveError(
      .cannotOpen,
      "no browser could be opened; set BROWSER, or open \(path) yourself")
  }
}

extension CommandDescription {
  /// Shows an archive in a browser.
  package static let explore = CommandDescription(
    name: Explore.name,
    abstract: "explore an archive in a browser",
    operands: Operands(name: "FILE", minimum: 1, maximum: 1),
    options: GraphPage.options,
    commonOptions: [.color, .quiet, .help],
    rules: [
      .exclusive([.schema, .schemaFile]),
      .needs(.schemaFolders, anyOf: [.schema, .schemaFile]),
      .needs(.assertFormats, anyOf: [.schema, .schemaFile]),
    ],
    discussion: [
      """
      The page of graph --format html is written to a temporary file that only you can read, and \
      opened by the program in BROWSER, by xdg-open or by open. Its path is printed. The page stays \
      until you remove it.
      """
    ],
    examples: [
      Example(
        command: "archtool explore --schema WeatherFeed Saved",
        explanation: "Show the archive Saved with marks where it does not fit its schema.")
    ],
    exits: [
      Exit(.done), Exit(.undecodable),
      Exit(.cannotOpen, "FILE or a browser cannot be opened."), Exit(.cannotCreate),
      Exit(.inputOutput),
    ])
}
