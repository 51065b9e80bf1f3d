// Rules that the description of the commands itself must satisfy.

import Testing

@testable import ArchtoolCommands
@testable import CommandLineInterface

struct CommandTableTests {
  @Test(arguments: Commands.table.commands)
  func namesEachOptionOnce(command: CommandDescription) {
    let names = command.allOptions.map(\.name)
    let letters = command.allOptions.compactMap(\.letter)
    #expect(Set(names).count == names.count)
    #expect(Set(letters).count == letters.count)
    #expect(names.contains("help"))
  }

  @Test(arguments: Commands.table.commands)
  func makesRulesOfItsOwnOptions(command: CommandDescription) {
    for rule in command.rules {
      let options: [OptionDescription] =
        switch rule {
        case .oneOf(let options), .exclusive(let options), .manyNeed(let options, _): options
        case .needs(let option, let others): [option] + others
        case .implies(let option, let other, _, _): [option, other]
        case .oneOperand(let option, _), .filesOnly(let option),
          .firstIsFile(let option), .namePart(let option), .namesInputs(let option),
          .replaces(let option, _):
          [option]
        }
      for option in options { #expect(command.allOptions.contains(option), "\(option.name)") }
      if case .implies(_, let other, let value, _) = rule {
        #expect(other.allowedValues.contains(value))
      }
    }
  }

  @Test(arguments: Commands.table.commands)
  func speaksInSentences(command: CommandDescription) {
    #expect(!command.abstract.hasSuffix("."))
    let sentences =
      command.paragraphs + command.allOptions.map(\.help) + command.exits.map(\.meaning)
      + command.examples.map(\.explanation)
    for sentence in sentences { #expect(sentence.hasSuffix("."), "\(sentence)") }
  }

  @Test(arguments: Commands.table.commands.flatMap(\.examples))
  func understandsItsExamples(example: CommandDescription.Example) throws {
    let words = example.command.split(separator: " ").map(String.init)
    #expect(words.first == "archtool")
    let invocation = try ArgumentParser(table: Commands.table).parse(Array(words.dropFirst()))
    #expect(invocation != .missingCommand)
  }

  /// What is suggested for a word of another program is a command, with options that it has.
  @Test func synonymsLeadToCommands() throws {
    #expect(Commands.synonyms.count > 50)
    for (word, line) in Commands.synonyms {
      #expect(Commands.table.command(named: word) == nil, "\(word)")
      let words = line.split(separator: " ").map(String.init)
      if words == ["--version"] { continue }
      let count = words.count > 1 && Commands.table.command(named: words[0]) == nil ? 2 : 1
      let name = words.prefix(count).joined(separator: " ")
      let command = try #require(Commands.table.command(named: name), "\(word): \(line)")
      for option in words.dropFirst(count) where option.hasPrefix("--") {
        #expect(command.option(named: option.dropFirst(2)) != nil, "\(word): \(line)")
      }
    }
  }

  @Test func offersTheCommands() {
    let names = Commands.table.commands.map(\.name)
    #expect(
      names == [
        "dump", "info", "query", "get", "find", "classes", "scan", "diff", "graph",
        "explore", "validate", "convert", "migrate", "rename-class", "set", "insert", "append",
        "remove", "rename-key", "patch",
        "edit", "extract", "merge", "undo", "journal list", "journal show",
        "journal prune",
        "create", "schema list", "schema show", "schema check", "schema infer", "schema diff",
        "schema derive", "schema lens", "schema swift", "schema sample", "completions", "git diff",
        "git merge", "git text", "help",
      ])
    for name in names { #expect(Commands.table.command(named: name)?.name == name) }
  }
}
