// `archtool explore`: shows the explorer's page of an archive in a browser.

import ArchiveBasics
import ArchiveBatches
import CommandLineInterface

struct Explore: Command {
  static let name = "explore"
  static let description = CommandDescription(
    name: name,
    abstract: "explore an archive in a browser",
    operands: Operands(name: "FILE", minimum: 1, maximum: 1),
    options: GraphPage.options,
    commonOptions: [.passwordFile, .color, .quiet, .help],
    rules: GraphPage.rules,
    discussion: """
      The page of graph --format html is written to a temporary file that only you can read, and
      opened by the program in BROWSER, by xdg-open or by open. BROWSER may name several, with
      colons between them, and have %s where the page belongs. Its path is printed. The page stays
      until you remove it.
      """,
    examples: [
      "archtool explore --schema WeatherFeed Archive":
        "Show the archive Archive with marks where it does not fit its schema."
    ],
    exits: .writing, meanings: [.cannotOpen: "FILE or a browser cannot be opened."])

  private let session: Session
  private let page: GraphPage

  init(_ session: Session) throws {
    self.session = session
    page = try GraphPage(session)
  }

  func run() {
    let browsers = Browser.found()
    var path: String?
    session.showOne { (graph, storage, input) throws(ArchiveError) in
      guard !browsers.isEmpty else { throw Browser.missing }
      path = try PrivateFile.write(suffix: ".html") { (output) throws(ArchiveError) in
        try page.write(graph, storage, input, to: &output)
      }
    }
    guard let path else { return }
    do throws(ArchiveError) {
      try open(path, with: browsers)
    } catch {
      session.report(error, file: Input(operand: session.arguments.operands[0]).name)
    }
  }

  private func open(_ path: String, with browsers: [Browser]) throws(ArchiveError) {
    // The path is printed for those whose browser does not show the page.
    session.output.bytes.append(path + "\n")
    session.output.flush()
    for browser in browsers where browser.open(path) { return }
    let names = browsers.map { "'\($0.command)'" }.joined(separator: ", ")
    throw ArchiveError(.cannotOpen, "\(names) could not open \(path)")
  }
}
