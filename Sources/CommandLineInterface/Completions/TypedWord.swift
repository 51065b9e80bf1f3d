// A word as it is typed in bash: what it means, and how a candidate is typed in its place.

import ArchiveBasics

/// A word of a command line with its quotes, the last of which may be open.
package struct TypedWord: Sendable {
  /// The quotes of a word up to its end.
  private enum Quoting: Hashable {
    /// The shell has removed them, and types candidates in its own.
    case removed
    /// No quotes, but perhaps backslashes.
    case none
    /// A quote that the word begins with, and that is open.
    case open(Unicode.Scalar)
    /// Quotes in the middle, or such that are closed: candidates cannot continue them.
    case closed
  }

  /// The word without its quotes.
  package let text: String
  private let quoting: Quoting
  /// Whether the word begins with a `~` that the shell replaces by a folder.
  private let hasTilde: Bool

  /// A word whose quotes a shell has removed, which replaces no `~`.
  package init(unquoted word: String) {
    text = word
    quoting = .removed
    hasTilde = Self(word).map { $0.hasTilde && $0.text == word } ?? false
  }

  /// Reads a word as bash does, but expands nothing.
  ///
  /// - Returns: nil for `$'…'` and `$"…"`.
  package init?(_ typed: String) {
    var text = String.UnicodeScalarView()
    var quoting = Quoting.none
    var open: Unicode.Scalar?
    let scalars = Array(typed.unicodeScalars)
    var position = 0
    while position < scalars.count {
      let scalar = scalars[position]
      let next = position + 1 < scalars.count ? scalars[position + 1] : nil
      switch (open, scalar) {
      case (let quote?, scalar) where quote == scalar:
        (open, quoting) = (nil, .closed)
      case (nil, "'"), (nil, "\""):
        open = scalar
        quoting = position == 0 ? .open(scalar) : .closed
      case (nil, "$") where next == "'" || next == "\"": return nil
      case (nil, "\\"),
        ("\"", "\\") where Self.isEscapable(next):
        if let next { text.append(next) }
        position += 1
      default: text.append(scalar)
      }
      position += 1
    }
    self.text = String(text)
    self.quoting = quoting
    hasTilde = scalars.first == "~"
  }

  /// A backslash between double quotes quotes only these (POSIX.1-2017, Shell Command Language, 2.2.3).
  private static func isEscapable(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map { "\"$`\\".unicodeScalars.contains($0) } ?? false
  }

  /// The word as the path of a file: `~/` is the home folder.
  package func path(home: String?) -> String {
    guard hasTilde, let home, text == "~" || text.hasPrefix("~/") else { return text }
    return home + text.dropFirst()
  }

  /// A candidate as it is typed in place of the word, in the quotes that the word has.
  ///
  /// - Returns: nil if it cannot be typed in them.
  package func typed(_ candidate: String) -> String? {
    let scalars = candidate.unicodeScalars
    switch quoting {
    case .closed: return nil
    case .removed: return candidate
    case .none: return candidate.escaping { Self.isSpecial($0) ? "\\\($0)" : nil }
    case .open("'"): return scalars.contains("'") ? nil : "'" + candidate
    case .open(let quote):
      // Interactive shells expand an exclamation mark between double quotes, where no backslash prevents it.
      if scalars.contains("!") { return nil }
      return String(quote) + candidate.escaping { Self.isEscapable($0) ? "\\\($0)" : nil }
    }
  }

  /// Whether a character without quotes might mean something to a shell.
  private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": false
    default: scalar.isASCII && !"_./+,:=@%^-".unicodeScalars.contains(scalar)
    }
  }
}

// MARK: - A command line that is not finished, as far as completions need to understand it

/// The command, operands and options of a line, in which anything may be missing or wrong.
package struct PartialCommandLine: Sendable {
  /// The command; nil if the line names none.
  package let command: CommandDescription?
  /// The first word of a command's name that has two, if the second is missing.
  package let group: String?
  private var reading: CommandLineReading?
  /// The words of a line that names no command.
  private let unread: [String]
  /// Whether the command may still be named.
  private let isOpen: Bool

  /// Reads the words after the program's name.
  package init(_ words: [String], table: CommandTable) {
    var rest = words[...]
    var name = rest.popFirst() ?? ""
    let isGroup = table.command(named: name) == nil && table.isGroup(name)
    group = isGroup && rest.isEmpty ? name : nil
    if isGroup, let next = rest.popFirst() { name += " " + next }
    isOpen = words.isEmpty || group != nil
    command = table.command(named: name)
    reading = command.map { CommandLineReading(command: $0, rest: []) }
    unread = rest.filter { !$0.hasPrefix("-") }
    readOn(rest)
  }

  /// Reads the words behind the one at the cursor, which is the value of an option if one is missing.
  package mutating func readOn(_ words: ArraySlice<String>) { reading?.readOn(words) }

  /// The operands, in order.
  package var operands: [String] { reading?.parsed.operands ?? unread }

  /// The values of an option so far.
  package func values(of option: OptionDescription) -> [String] {
    reading?.parsed.values(of: option) ?? []
  }

  /// The option of a long form, if it may have a value.
  private func option(named form: Substring) -> OptionDescription? {
    let option = command?.option(named: form.dropFirst(2))
    return option?.valueName == nil ? nil : option
  }

  /// What the word at the cursor, which follows the words so far, may be, and what precedes the value in it.
  package func source(of word: String) -> (source: CompletionSource, prefix: Substring) {
    guard let command, let reading else {
      return (isOpen ? word.hasPrefix("-") ? .options : .commands : .nothing, "")
    }
    if let pending = reading.pending { return (pending.valueSource ?? .nothing, "") }
    if !reading.isEnded, word.hasPrefix("--"), let end = word.firstIndex(of: "=") {
      return (option(named: word[..<end])?.valueSource ?? .nothing, word[...end])
    }
    if !reading.isEnded, word.hasPrefix("-") { return (.options, "") }
    let names = command.operands.names
    // After the first of several inputs what comes last may follow.
    let number = command.operands.isRepeated ? min(operands.count, names.count - 1) : operands.count
    guard names.indices.contains(number) else { return (.nothing, "") }
    let source = CompletionSource(valueName: names[number])
    let end = source == .filesAfterKey ? word.firstIndex(of: "=") : nil
    return (source, end.map { word[...$0] } ?? "")
  }
}
