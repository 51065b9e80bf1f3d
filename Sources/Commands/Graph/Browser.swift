// The programs that open a page: those of the environment, or that of the desktop.

import Basics
import Batches
import CommandLineInterface
import PropertyLists
import Rendering

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
    var isPlaced = false
    while let character = rest.popFirst() {
      guard character == "%", let next = rest.first, next == "s" || next == "%" else {
        line.append(character)
        continue
      }
      rest.removeFirst()
      line += next == "s" ? word : "%"
      if next == "s" { isPlaced = true }
    }
    return isPlaced ? line : "\(line) \(word)"
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
      picture.write(as: .dot, to: &output)
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
