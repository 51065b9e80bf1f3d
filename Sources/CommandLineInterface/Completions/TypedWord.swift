// A word as it is typed in bash: what it means, and how a candidate is typed in its place.

/// A word of a command line with its quotes, the last of which may be open.
package struct TypedWord: Sendable {
  /// The quotes of a word up to its end.
  private enum Quoting: Hashable {
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
    case .none: return Self.escaped(scalars, Self.isSpecial)
    case .open("'"): return scalars.contains("'") ? nil : "'" + candidate
    case .open(let quote):
      // Interactive shells expand an exclamation mark between double quotes, where no backslash prevents it.
      if scalars.contains("!") { return nil }
      return String(quote) + Self.escaped(scalars, Self.isEscapable)
    }
  }

  private static func escaped(
    _ scalars: String.UnicodeScalarView, _ isSpecial: (Unicode.Scalar) -> Bool
  ) -> String {
    var text = String.UnicodeScalarView()
    for scalar in scalars {
      if isSpecial(scalar) { text.append("\\") }
      text.append(scalar)
    }
    return String(text)
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
  /// The operands, in order.
  package private(set) var operands: [String] = []
  private var values = OptionValues()

  /// Reads the words after the program's name.
  package init(_ words: [String], table: CommandTable) {
    var rest = words[...]
    var name = rest.popFirst() ?? ""
    if table.command(named: name) == nil, table.isGroup(name), let next = rest.popFirst() {
      name += " " + next
    }
    command = table.command(named: name)
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        return
      }
      if word == "-" || !word.hasPrefix("-") {
        operands.append(word)
      } else if let option = option(word) {
        let attached = word.hasPrefix("--") ? word.firstIndex(of: "=") : nil
        let value = attached.map { String(word[word.index(after: $0)...]) } ?? rest.popFirst()
        if let value { values.add(value, to: option.name) }
      }
    }
  }

  /// The values of an option so far.
  package func values(of option: OptionDescription) -> [String] { values[option.name] }

  /// The option of a word whose value is in the word, or is the next one.
  private func option(_ word: String) -> OptionDescription? {
    let option =
      word.hasPrefix("--")
      ? command?.option(named: word.dropFirst(2).prefix { $0 != "=" })
      : word.last.flatMap { command?.option(letter: $0) }
    return option?.needsValue == true ? option : nil
  }
}
