// `archtool complete`: what the scripts of `archtool completions` ask for while a user types.

import ArchiveBasics
import CommandLineInterface

/// Prints the candidates for a value, one per line.
///
/// A user waits for it with a line half typed, so it never fails, prints no messages and ends within a second.
struct Complete: Command {
  static let name = "complete"
  static let description = CommandDescription(
    name: name,
    abstract: "print candidates for the completions of a shell",
    operands: Operands(name: "KIND WORD", minimum: 2, maximum: nil),
    options: [.quotedWords],
    commonOptions: [.quiet, .help],
    discussion: """
      The scripts of archtool completions run this command. WORD is the word to complete; the other
      words of the command line follow.
      """,
    exits: [Exit(.done), Exit(.inputOutput)])

  /// The greatest number of candidates.
  static let mostCandidates = 300

  private let session: Session

  init(_ session: Session) { self.session = session }

  func run() {
    Self.endInASecond()
    let words = session.arguments.operands
    let isQuoted = session.arguments.has(.quotedWords)
    guard let kind = CompletionKind(rawValue: words[0]),
      let current = CompletedWord(words[1], isQuoted: isQuoted)
    else { return }
    let others = words.dropFirst(2).compactMap { CompletedWord($0, isQuoted: isQuoted)?.path }
    let line = PartialCommandLine(others, table: Commands.table)
    let candidates = CompletionCandidates(line: line, current: current.text).all(of: kind)
    for candidate in candidates.lazy.filter(Self.isShown).prefix(Self.mostCandidates) {
      guard let typed = current.typed(candidate) else { continue }
      session.output.bytes.append(typed + "\n")
    }
  }

  /// Ends the process in a second, without output: no file may make a shell wait.
  private static func endInASecond() {
    sigaction(once: { _ in _exit(0) }).install(for: SIGALRM)
    unblock([SIGALRM])
    _ = alarm(1)
  }

  /// Whether a candidate may be shown in a terminal and typed: names from files may hold anything.
  private static func isShown(_ candidate: String) -> Bool {
    !candidate.isEmpty && candidate.utf8.count <= 200 && candidate.utf8.first != UInt8(ascii: "-")
      && candidate.shownPath == candidate && !candidate.unicodeScalars.contains(where: \.isObeyed)
  }
}

/// A word of the line: as the shell understands it, or as it is typed in bash.
private struct CompletedWord {
  let text: String
  /// The word as the path of a file.
  let path: String
  private let typedWord: TypedWord?

  init?(_ word: String, isQuoted: Bool) {
    let home = XDGFolder.variable("HOME")
    guard isQuoted else {
      text = word
      typedWord = nil
      // The other shells say what a word means, but replace no `~`.
      path = TypedWord(word).map { $0.text == word ? $0.path(home: home) : word } ?? word
      return
    }
    guard let typed = TypedWord(word) else { return nil }
    typedWord = typed
    text = typed.text
    path = typed.path(home: home)
  }

  func typed(_ candidate: String) -> String? {
    typedWord.map { $0.typed(candidate) } ?? candidate
  }
}

extension OptionDescription {
  static let quotedWords = flag(
    "quoted", isHidden: true, help: "Read and print words with the quotes of bash.")
}
