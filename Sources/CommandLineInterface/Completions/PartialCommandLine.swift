// A command line that is not finished, as far as completions need to understand it.

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
    return option?.takesValue == true ? option : nil
  }
}
