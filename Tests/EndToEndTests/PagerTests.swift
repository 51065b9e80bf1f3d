// Long output on a terminal: a pager of the user's, none, or one that fails.

import Foundation
import TestSupport
import Testing

@Suite struct PagerTests {
  /// Runs a command on a terminal of 10 lines and prints what appears there, then the exit status.
  private static let terminal = """
    import fcntl, os, pty, struct, sys, termios
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 10, 60, 0, 0))
        os.execv(sys.argv[1], sys.argv[1:])
    shown = b""
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:
            break
        if not more:
            break
        shown += more
    status = os.waitpid(child, 0)[1]
    sys.stdout.buffer.write(shown.replace(b"\\r\\n", b"\\n"))
    print("status", os.waitstatus_to_exitcode(status))
    """

  let bench: Workbench

  init() throws {
    let numbers = (0..<40).map { "\($0)" }.joined(separator: ",")
    bench = try Workbench(["short": "[1,2,3]", "long": "[\(numbers)]", "broken": "[1,"])
  }

  /// What a terminal shows of a command.
  private func shown(
    _ arguments: String..., pager: String? = "sed s/^/paged:/", path: String? = nil,
    term: String = "xterm", more: [String: String] = [:]
  ) throws -> String {
    try shown(arguments, pager: pager, path: path, term: term, more: more)
  }

  private func shown(
    _ arguments: [String], pager: String?, path: String? = nil, term: String = "xterm",
    more: [String: String] = [:]
  ) throws -> String {
    var environment = [
      "TERM": term, "XDG_STATE_HOME": "", "NO_COLOR": "1", "HOME": bench.url("home").path,
      "XDG_CONFIG_HOME": "",
      "ARCHTOOL_SCHEMAS": "", "COLUMNS": "", "LINES": "",
    ]
    environment.merge(more) { $1 }
    if let pager { environment["PAGER"] = pager }
    if let path { environment["PATH"] = path }
    let words = ["-c", Self.terminal, Program.folder + "/archtool"] + arguments
    return try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/python3"), words, in: bench.url("."),
      environment: environment
    ).text
  }

  @Test func longOutputIsPaged() throws {
    let text = try shown("dump", "long")
    #expect(text.hasPrefix("paged:$: array (40)\n"), "\(text)")
    #expect(text.contains("paged:└─ [39]: 39\n"))
    #expect(text.hasSuffix("status 0\n"))
  }

  @Test func whatFitsTheScreenIsNot() throws {
    let text = try shown("dump", "short")
    #expect(text == "$: array (3)\n├─ [0]: 1\n├─ [1]: 2\n└─ [2]: 3\nstatus 0\n")
  }

  /// Output is UTF-8, which less must know in every locale.
  @Test(arguments: [
    ([:], "utf-8,unset"), (["LESSCHARSET": "latin1"], "latin1,unset"),
    (["LESSUTFCHARDEF": "E000-F8FF:p"], "unset,E000-F8FF:p"),
  ])
  func lessIsToldTheEncoding(_ variables: [String: String], _ expected: String) throws {
    let pager = "cat >/dev/null; echo ${LESSCHARSET-unset},${LESSUTFCHARDEF-unset}"
    let text = try shown("dump", "long", pager: pager, more: variables)
    #expect(text.hasPrefix(expected + "\n"), "\(text)")
  }

  /// Long strings are cut to the width of a terminal where lines are for people.
  @Test(arguments: [
    (["query", "$.text"], true), (["find", "--key", "text"], true), (["dump"], true),
    (["query", "--format", "raw", "$.text"], false),
  ])
  func longStringsAreCut(_ command: [String], _ isCut: Bool) throws {
    try bench.write(Data(#"{"text": "\#(String(repeating: "x", count: 450))"}"#.utf8), to: "wide")
    let text = try shown(command + ["wide"], pager: "")
    #expect(text.contains(String(repeating: "x", count: 450)) == !isCut, "\(text)")
    if isCut, command[0] == "query" {
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 60 }, "\(text)")
    }
    let whole = try bench.run(command + ["wide"])
    #expect(command[0] == "find" || whole.text.contains(String(repeating: "x", count: 450)))
    #expect(
      try shown(["get", "wide", "/text"], pager: "").contains(String(repeating: "x", count: 450)))
  }

  /// What is too wide for the terminal in a list of runs has lines of its own.
  @Test func aListOfRunsFitsTheTerminal() throws {
    let long = String(repeating: "y", count: 70)
    try bench.write(Data("{}".utf8), to: "\(long)")
    let set = try bench.run(
      ["set", "--in-place", long, "/a", "1"],
      environment: ["HOME": bench.url("home").path, "XDG_STATE_HOME": ""])
    #expect(set.status == 0, "\(set.errors)")
    let lines = try shown("journal", "list", pager: "").split(separator: "\n")
    try #require(lines.count == 5, "\(lines)")
    #expect(
      lines[0].hasSuffix("CHANGED") && lines[2] == "  set --in-place \(long) /a 1", "\(lines)")
    #expect(lines.prefix(2).allSatisfy { $0.count <= 60 }, "\(lines)")
    #expect(lines[3].contains(#/^  (home|~)/\.local/state/archtool/.*\.journal$/#), "\(lines)")
    let piped = try bench.run(
      ["journal", "list"], environment: ["HOME": bench.url("home").path, "XDG_STATE_HOME": ""])
    #expect(piped.text.contains("  set --in-place \(long) /a 1  "), "\(piped.text)")
  }

  /// Nobody asks for a pager where nobody looks.
  @Test func outputToAPipeIsNot() throws {
    let result = try bench.run(["dump", "long"], environment: ["PAGER": "sed s/^/paged:/"])
    #expect(!result.text.contains("paged:"))
    #expect(result.text.split(separator: "\n").count == 41)
  }

  @Test(
    arguments: [
      (["dump", "--no-pager", "long"], "sed s/^/paged:/", "xterm"),
      (["dump", "long"], "", "xterm"),
      (["dump", "long"], "cat", "xterm"), (["dump", "long"], "sed s/^/paged:/", "dumb"),
    ] as [([String], String, String)])
  func thereIsNoneOnRequest(_ words: [String], _ pager: String, _ term: String) throws {
    let text =
      words.count == 3
      ? try shown(words[0], words[1], words[2], pager: pager, term: term)
      : try shown(words[0], words[1], pager: pager, term: term)
    #expect(!text.contains("paged:"))
    #expect(text.hasPrefix("$: array (40)\n"), "\(text)")
    #expect(text.hasSuffix("└─ [39]: 39\nstatus 0\n"))
  }

  /// Without the pager of the environment and without less everything is written all the same.
  @Test func aMissingPagerIsNoError() throws {
    let text = try shown("dump", "long", pager: "no-such-pager", path: "/nonexistent")
    #expect(text.hasPrefix("$: array (40)\n"), "\(text)")
    #expect(text.hasSuffix("└─ [39]: 39\nstatus 0\n"))
  }

  @Test(arguments: ["head -n 1", "true", "head -n 1 && true"])
  func aPagerThatQuitsEarlyIsNoError(_ pager: String) throws {
    let numbers = (0..<60_000).map { "\($0)" }.joined(separator: ",")
    try bench.write("[\(numbers)]", to: "huge")
    let text = try shown("dump", "huge", pager: pager)
    #expect(text.hasSuffix("status 0\n"), "\(text.suffix(200))")
    #expect(!text.contains("error"), "\(text)")
    #expect(text.split(separator: "\n").count <= 2)
  }

  /// A shell runs what is more than words.
  @Test func aPagerMayBeACommandLine() throws {
    let text = try shown("dump", "long", pager: "sed 's/^/a:/' | sed 's/^/b:/'")
    #expect(text.hasPrefix("b:a:$: array (40)\n"), "\(text)")
  }

  /// Whatever a command shows, it is paged if it is long.
  @Test(
    arguments: [
      ["get", "--format", "json", "long", "$"],
      ["schema", "show", "Movie@v1"],
      ["schema", "list"],
      ["schema", "check", "--tries", "0"]
        + Array(
          repeating: TestArchives.root.appendingPathComponent("Families/Outcomes").path, count: 12),
      ["graph", "--format", "dot", "long"], ["journal", "show", "a.journal"],
      ["find", "--type", "integer", "long"], ["query", "$[*]", "long"],
      ["diff", "long", "short"], ["help", "--manual", "archtool-lints.7"],
    ])
  func allThatIsShownIsPaged(_ words: [String]) throws {
    if words[0] == "journal" {
      try bench.write(Data("{}".utf8), to: "object")
      try bench.run(["set", "--in-place", "--journal", "a.journal", "object", "/a", "1"])
    }
    let text = try shown(words, pager: "sed s/^/paged:/")
    #expect(text.contains("paged:"), "\(text)")
    let unpaged = try shown(
      [words[0]] + words.dropFirst() + ["--no-pager"], pager: "sed s/^/paged:/")
    #expect(words[0] == "help" || !unpaged.contains("paged:"), "\(unpaged)")
  }

  @Test func helpIsPagedAndCommandsThatWriteFilesAreNot() throws {
    #expect(try shown("help", "dump").contains("paged:Usage: archtool dump"))
    #expect(try shown("migrate", "-h").contains("paged:Usage: archtool migrate"))
    let text = try shown("validate", "long", "long", "long", "short", "broken")
    #expect(!text.contains("paged:"), "\(text)")
    #expect(text.hasSuffix("status 65\n"))
  }

  /// Its exit status is that of the command.
  @Test func theStatusIsThatOfTheCommand() throws {
    #expect(try shown("dump", "long", "broken").hasSuffix("status 65\n"))
  }
}
