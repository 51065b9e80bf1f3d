// The programs that open a page: those of the environment, or that of the desktop.

import Basics
import CommandLineInterface

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
