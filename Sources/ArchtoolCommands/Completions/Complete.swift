// `archtool complete`: what the scripts of `archtool completions` ask for while a user types.

import ArchiveBasics
import CommandLineInterface

/// Prints what the word at the cursor may be, as `CompletionShell` describes it.
///
/// A user waits for it with a line half typed, so it never fails, prints no messages and ends within a second.
struct Complete: Command {
  static let name = "complete"
  static let description = CommandDescription(
    name: name,
    abstract: "print candidates for the completions of a shell",
    operands: Operands(name: "COUNT WORD", minimum: 2, maximum: nil),
    options: [.quotedWords],
    commonOptions: [.quiet, .help],
    discussion: """
      The scripts of archtool completions run this command. The WORDs are those of a command line
      without the name of the program. COUNT is how many precede the one to complete.
      """,
    exits: [.done, .inputOutput])

  static let mostCandidates = 300

  private let session: Session

  init(_ session: Session) { self.session = session }

  func run() {
    Self.endInASecond()
    let words = session.arguments.operands.dropFirst()
    let isQuoted = session.arguments.has(.quotedWords)
    guard let count = Int(session.arguments.operands[0]), (0..<words.count).contains(count) else {
      return
    }
    let typed = words[1 + count]
    let home = XDGFolder.variable("HOME")
    let read = words.map { meaning(of: $0)?.path(home: home) ?? $0 }
    var line = PartialCommandLine(Array(read[..<count]), table: Commands.table)
    let word = meaning(of: typed)
    let (source, prefix) = line.source(of: word?.text ?? typed)
    line.readOn(read[(count + 1)...])
    session.output.bytes.append("\(source.shellSource)\n\(prefix)\n")
    // The shell gets these if the candidates take too long.
    session.output.flush()
    guard word != nil, typed.hasPrefix(prefix),
      let value = meaning(of: String(typed.dropFirst(prefix.count)))
    else { return }
    let candidates = CompletionCandidates(line: line, current: value.text).all(of: source)
    for candidate in candidates.prefix(Self.mostCandidates) {
      guard let text = value.typed(candidate.text) else { continue }
      // Bash has no use for a purpose.
      let purpose = isQuoted ? nil : candidate.purpose
      session.output.bytes.append(text + (purpose.map { "\t\($0)" } ?? "") + "\n")
    }
  }

  /// A word of the line: as the shell understands it, or as it is typed in bash.
  private func meaning(of word: String) -> TypedWord? {
    session.arguments.has(.quotedWords) ? TypedWord(word) : TypedWord(unquoted: word)
  }

  /// Ends the process in a second, without output: no file may make a shell wait.
  private static func endInASecond() {
    sigaction(once: { _ in _exit(0) }).install(for: SIGALRM)
    unblock([SIGALRM])
    _ = alarm(1)
  }
}

extension OptionDescription {
  static let quotedWords = flag(
    "quoted", isHidden: true, help: "Read and print words with the quotes of bash.")
}
