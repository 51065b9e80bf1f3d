// What completions offer: for every value of every command, and for lines that are half typed.

import Testing

@testable import ArchtoolCommands
@testable import CommandLineInterface

struct CompletionTests {
  /// Values that can be any text; a new name of a value belongs here or into `CompletionSource`.
  static let free: Set<String> = [
    "N", "EXT", "TEXT", "PATTERN", "REGEX", "JSON", "VALUE", "KEY", "GLOB", "PART", "SUFFIX",
    "CLASS=KEY,...", "CLASS.OLD=NEW", "OLD=NEW", "PATH=NAME", "LINT=SEVERITY", "AGE", "ARGUMENT",
  ]

  @Test(arguments: Commands.table.commands)
  func everyValueHasASource(command: CommandDescription) {
    for name in command.operands.names {
      #expect(
        (CompletionSource(valueName: name) == .nothing) == Self.free.contains(name), "\(name)")
    }
    for option in command.allOptions where option.allowedValues.isEmpty {
      guard option.needsValue, let name = option.valueName, option.completionSource == nil else {
        continue
      }
      #expect(
        (CompletionSource(valueName: name) == .nothing) == Self.free.contains(name), "\(name)")
    }
  }

  /// The words of commands and options need no quotes in any shell.
  @Test func wordsAreSafe() {
    for command in Commands.table.commands {
      var words = command.name.split(separator: " ").map(String.init)
      for option in command.allOptions {
        words.append(option.longForm)
      }
      for word in words {
        #expect(
          word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") },
          "\(word)")
      }
    }
  }

  static let lines: [(words: [String], command: String?, operands: [String], schemas: [String])] = [
    ([], nil, [], []),
    (["nonsense", "x"], nil, ["x"], []),
    (["dump", "a", "b"], "dump", ["a", "b"], []),
    (["schema", "list", "--schemas", "S", "x"], "schema list", ["x"], ["S"]),
    (["schema"], nil, [], []),
    (["validate", "--schemas=S", "--schemas", "T", "-q", "x"], "validate", ["x"], ["S", "T"]),
    (["dump", "-ro", "out", "x"], "dump", ["x"], []),
    (["dump", "--", "-r", "--output"], "dump", ["-r", "--output"], []),
    (["dump", "--output"], "dump", [], []),
    (["dump", "--unknown", "x", "-"], "dump", ["x", "-"], []),
    (["complete", "0"], "complete", ["0"], []),
    (["dump", "-oout", "x"], "dump", ["x"], []),
  ]

  @Test(arguments: lines)
  func understandsUnfinishedLines(
    _ line: (words: [String], command: String?, operands: [String], schemas: [String])
  ) {
    let partial = PartialCommandLine(line.words, table: Commands.table)
    #expect(partial.command?.name == line.command)
    #expect(partial.operands == line.operands)
    #expect(partial.values(of: .schemaFolders) == line.schemas)
  }

  static let words: [(words: [String], word: String, source: CompletionSource, prefix: String)] = [
    ([], "val", .commands, ""), ([], "--v", .options, ""), (["schema"], "", .commands, ""),
    (["nonsense"], "", .nothing, ""), (["nonsense"], "-", .nothing, ""),
    (["help", "schema"], "", .commands, ""),
    (["dump"], "a", .files, ""), (["dump", "a"], "", .files, ""), (["dump"], "-", .options, ""),
    (["dump", "--"], "-", .files, ""), (["dump", "-qo"], "a", .files, ""),
    (["dump", "-oa"], "-", .options, ""), (["dump", "--output-dir"], "-", .folders, ""),
    (["dump"], "--output-dir=a=b", .folders, "--output-dir="),
    (["dump"], "--quiet=", .nothing, "--quiet="),
    (["get"], "M", .files, ""), (["get", "M"], "", .paths, ""),
    (["get", "M", "a"], "", .paths, ""),
    (["merge"], "a=b=c", .filesAfterKey, "a="), (["find"], "--class=", .classes, "--class="),
    (["rename-class", "-c"], "", .renamings, ""), (["undo"], "", .journals, ""),
    (["completions"], "", .words(["bash", "zsh", "fish"]), ""),
  ]

  @Test(arguments: words)
  func knowsWhatTheWordAtTheCursorMayBe(
    _ line: (words: [String], word: String, source: CompletionSource, prefix: String)
  ) {
    let found = PartialCommandLine(line.words, table: Commands.table).source(of: line.word)
    #expect(found.source == line.source)
    #expect(found.prefix == line.prefix)
  }

  /// The command of the scripts is not for people.
  @Test func isHidden() {
    #expect(Commands.table.command(named: "complete") != nil)
    #expect(!Commands.table.commands.map(\.name).contains("complete"))
    #expect(!ManualPage().render().contains("archtool complete "))
    #expect(!HelpText(table: Commands.table).render().contains("complete  "))
  }
}
