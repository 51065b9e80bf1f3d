// The conventions in CONTRIBUTING.md, checked for the descriptions of all commands.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import KeyedArchives
import Testing

@testable import ArchtoolCommands
@testable import CommandLineInterface

struct ConventionTests {
  static let commands = Commands.table.commands

  private func has(_ command: CommandDescription, _ name: String) -> Bool {
    command.option(named: name) != nil
  }

  // Pictures have formats of their own.
  @Test(
    arguments: commands.filter { $0.option(named: "format") != nil && $0.name != "graph" })
  func formatsAreOfOneVocabulary(command: CommandDescription) throws {
    let format = try #require(command.option(named: "format"))
    #expect(["text", "tree", "raw"].contains(format.defaultValue))
    #expect(format.valueName == "FORMAT")
    #expect(format.allowedValues.contains("json"))
    #expect(
      Set(format.allowedValues.dropFirst()).isSubset(of: [
        "json", "ndjson", "sarif", "junit", "github", "raw", "paths", "allow-list",
        "csv", "json-patch",
      ])
        || Set(format.allowedValues).isSuperset(of: ConversionTarget.allCases.map(\.rawValue)))
  }

  @Test(arguments: commands.filter { $0.option(named: "schema") != nil })
  func schemasAreNamedAlike(command: CommandDescription) throws {
    let schema = try #require(command.option(named: "schema"))
    #expect(schema.valueName == "NAME[@VERSION]")
  }

  @Test(arguments: commands) func outputsAreAlike(command: CommandDescription) {
    if let output = command.option(named: "output") {
      #expect(output == .output)
      #expect(has(command, "force"))
    }
    if has(command, "in-place") { #expect(has(command, "backup")) }
    if has(command, "journal") {
      let isBatch = command.operands == .files
      for name in ["dry-run", "no-journal", "in-place"]
        + (isBatch ? ["report", "no-progress", "jobs"] : [])
      {
        #expect(has(command, name), "\(name)")
      }
    }
  }

  /// `schema sample` changes no file, and takes `-n` and `-o` as other programs do that generate many.
  private static let generator = "schema sample"

  @Test func aGeneratorTakesHowManyAndWhere() throws {
    let command = try #require(Self.commands.first { $0.name == Self.generator })
    #expect(command.option(named: "number")?.letter == "n")
    #expect(command.option(named: "output-dir")?.letter == "o")
    #expect(!has(command, "dry-run") && !has(command, "output"))
  }

  /// A letter means one thing, whatever the command.
  @Test func lettersAreOfOneOption() {
    var meanings: [Character: Set<String>] = [:]
    for command in Self.commands where command.name != Self.generator {
      for option in command.allOptions {
        if let letter = option.letter { meanings[letter, default: []].insert(option.name) }
      }
    }
    #expect(meanings.values.allSatisfy { $0.count == 1 }, "\(meanings)")
    #expect(String(meanings.keys.sorted()) == "0cfhijnoqr")
  }

  /// And an option has the same letter in every command.
  @Test func optionsHaveOneLetter() {
    var letters: [String: Set<String>] = [:]
    for command in Self.commands where command.name != Self.generator {
      for option in command.allOptions {
        letters[option.name, default: []].insert(option.letter.map(String.init) ?? "")
      }
    }
    #expect(letters.filter { $0.value.count > 1 }.isEmpty)
  }

  @Test(arguments: commands.filter { $0.operands == .files })
  func inputsAreSelectedAlike(command: CommandDescription) {
    for option in OptionDescription.selection { #expect(has(command, option.name)) }
    let only = ["dump", "info", "find", "classes", "schema infer"].contains(command.name)
    #expect(has(command, "allow-empty") == !only)
    let exit = command.exits.first { $0.status == .cannotOpen }
    #expect(exit?.meaning.contains("no file matched") == !only)
  }

  @Test(arguments: commands) func everyCommandIsQuietOnRequest(command: CommandDescription) {
    #expect(has(command, "help"))
    #expect(has(command, "quiet") == (command.name != "help"))
  }

  @Test(arguments: commands) func namesAreSpelledAlike(command: CommandDescription) {
    for option in command.allOptions {
      #expect(option.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" })
      let value = option.valueName ?? ""
      #expect(value == value.uppercased(), "\(value)")
      #expect(option.help.last == ".", "\(option.help)")
    }
  }

  @Test func rulesAreInKebabCase() {
    for name in Lint.allCases.map(\.rawValue) + ArchiveError.Code.allCases.map(\.rule) {
      #expect(name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" }, "\(name)")
    }
    #expect(ArchiveError.Code.cannotOpen.rule == "cannot-open")
  }

  @Test(arguments: [
    (0, "0 files"), (1, "1 file"), (999, "999 files"), (3000, "3,000 files"),
    (1_234_567, "1,234,567 files"), (-1200, "-1,200 files"),
  ]) func numbersAgreeAndHaveCommas(_ number: Int, _ text: String) {
    #expect(Counted.text(number, "file") == text)
  }
}
