// What must hold in the description of the commands itself.

import Testing

@testable import CommandLineInterface

struct CommandTableTests {
  @Test(arguments: CommandTable.archtool.commands)
  func namesEachOptionOnce(command: CommandDescription) {
    let names = command.allOptions.map(\.name)
    let letters = command.allOptions.compactMap(\.letter)
    #expect(Set(names).count == names.count)
    #expect(Set(letters).count == letters.count)
    #expect(names.contains("help"))
  }

  @Test(arguments: CommandTable.archtool.commands)
  func makesRulesOfItsOwnOptions(command: CommandDescription) {
    for rule in command.rules {
      let options: [OptionDescription] =
        switch rule {
        case .oneOf(let options), .exclusive(let options), .severalNeed(let options): options
        case .needs(let option, let others): [option] + others
        case .implies(let option, let other, _): [option, other]
        case .singleOperand(let option), .filesOnly(let option), .namesInputs(let option),
          .replacesOperands(let option):
          [option]
        }
      for option in options { #expect(command.allOptions.contains(option), "\(option.name)") }
      if case .implies(_, let other, let value) = rule {
        #expect(other.allowedValues.contains(value))
      }
    }
  }

  @Test(arguments: CommandTable.archtool.commands)
  func speaksInSentences(command: CommandDescription) {
    #expect(!command.abstract.hasSuffix("."))
    let sentences =
      command.discussion + command.allOptions.map(\.help) + command.exits.map(\.meaning)
      + command.examples.map(\.explanation)
    for sentence in sentences { #expect(sentence.hasSuffix("."), "\(sentence)") }
  }

  @Test(arguments: CommandTable.archtool.commands.flatMap(\.examples))
  func understandsItsExamples(example: CommandDescription.Example) throws {
    let words = example.command.split(separator: " ").map(String.init)
    #expect(words.first == "archtool")
    let invocation = try ArgumentParser().parse(Array(words.dropFirst()))
    #expect(invocation != .missingCommand)
  }

  @Test func offersTheCommands() {
    let names = CommandTable.archtool.commands.map(\.name)
    #expect(
      names == [
        "dump", "info", "validate", "convert", "migrate", "rename-class", "extract", "insert",
        "merge", "undo", "journal show",
        "create", "schema list", "schema show", "schema check", "schema infer", "schema diff",
        "schema swift", "help",
      ])
    for name in names { #expect(CommandTable.archtool.command(named: name)?.name == name) }
  }
}
