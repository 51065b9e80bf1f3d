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
      let browser = try Self.browser()
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
      if let error = graph.rootError { session.report(error, file: input.name) }
      try open(path, with: browser)
      withExtendedLifetime(storage) {}
    } catch {
      session.report(error, file: input.name)
    }
  }

  /// The command that opens a page: that of the environment, or that of the desktop.
  private static func browser() throws(ArchiveError) -> String {
    let own = XDGFolder.variable("BROWSER").map { [$0] }
    for command in own ?? ["xdg-open", "open"] {
      // Only the first word of a variable is a program.
      let program = String(command.prefix { $0 != " " })
      if system("command -v \(program.shellWord) >/dev/null 2>&1") == 0 { return command }
    }
    throw ArchiveError(
      .cannotOpen,
      "no browser is found: BROWSER must name a program, or xdg-open or open be installed; 'archtool graph --format html -o FILE' only writes the page"
    )
  }

  private func open(_ path: String, with browser: String) throws(ArchiveError) {
    // The path is printed for those whose browser does not show the page.
    session.output.bytes.append(path + "\n")
    session.output.flush()
    guard system("\(browser) \(path.shellWord) >/dev/null 2>&1") == 0 else {
      throw ArchiveError(.cannotOpen, "'\(browser)' could not open \(path)")
    }
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
        command: "archtool explore --schema WeatherFeed Archive",
        explanation: "Show the archive Archive with marks where it does not fit its schema.")
    ],
    exits: [
      Exit(.done), Exit(.undecodable),
      Exit(.cannotOpen, "FILE or a browser cannot be opened."), Exit(.cannotCreate),
      Exit(.inputOutput),
    ])
}
