// Queries on a parsed command line.

import ArchiveBasics
import Testing

@testable import ArchtoolCommands
@testable import CommandLineInterface

struct ParsedArgumentsTests {
  static func parse(_ line: String...) throws -> ParsedArguments {
    guard case .run(let parsed) = try ArgumentParser(table: Commands.table).parse(line) else {
      throw UsageError("no command was understood")
    }
    return parsed
  }

  @Test func givesTheDefaultOfTheCommandThatRuns() throws {
    let dump = try Self.parse("dump", "a")
    #expect(dump.value(of: .dumpFormat) == "tree")
    #expect(!dump.has(.dumpFormat))
    #expect(try Self.parse("info", "a").value(of: .dumpFormat) == "text")
    #expect(try Self.parse("validate", "a").integer(of: .maximumErrors) == 0)
    #expect(try dump.integer(of: .depth) == nil)
    #expect(dump.value(of: .output) == nil)
  }

  @Test(arguments: ["--typed", "--compact"])
  func letsOneOptionImplyAnother(flag: String) throws {
    let parsed = try Self.parse("dump", flag, "a")
    #expect(parsed.value(of: .dumpFormat) == "json")
    #expect(!parsed.has(.dumpFormat))
  }

  @Test func asksForOneNameInWhicheverCommandHasIt() throws {
    let validate = try Self.parse("validate", "--schema", "Movie", "a")
    #expect(validate.value(of: .targetSchema) == "Movie")
  }

  @Test func readsWholeNumbers() throws {
    #expect(try Self.parse("dump", "--depth", "12", "a").integer(of: .depth) == 12)
    let parsed = try Self.parse("dump", "-o", "twelve", "a")
    #expect(throws: UsageError.self) { try parsed.integer(of: .output) }
  }

  @Test func readsWhenToColour() throws {
    #expect(try Self.parse("dump", "a").colorChoice == .auto)
    #expect(try Self.parse("dump", "--color", "never", "a").colorChoice == .never)
    // `--color` is no option of help.
    #expect(ParsedArguments(command: .help).colorChoice == .auto)
  }

  @Test func keepsEveryValueOfARepeatableOption() throws {
    let include = OptionDescription.text(
      "include", letter: "I", valueName: "DIR", isRepeatable: true, help: "Look in DIR.")
    let command = CommandDescription(
      name: "find", abstract: "find", operands: .files, options: [include], commonOptions: [],
      discussion: "", exits: [])
    let table = CommandTable(
      program: "p", abstract: "a", commands: [command.name], describe: { _ in command }, options: []
    )
    let line = ["find", "-Ia", "--include", "b", "x", "--include=a"]
    guard case .run(let parsed) = try ArgumentParser(table: table).parse(line) else {
      Issue.record("the command is not run")
      return
    }
    #expect(parsed.values(of: include) == ["a", "b", "a"])
    #expect(parsed.value(of: include) == "a")
    #expect(parsed.operands == ["x"])
  }
}
