// The protocol of commands, and the table of all commands.

import CommandLineInterface
import FileTransactions

/// A command: its name, its options, and its work.
protocol Command {
  typealias Operands = CommandDescription.Operands

  /// The name, as the user types it.
  static var name: String { get }

  /// The description for the parser, the help and the manual page.
  static var description: CommandDescription { get }

  /// Reads the options of a run.
  ///
  /// - Throws: `UsageError`, or `ArchiveError` for what the command needs before it reads its inputs.
  init(_ session: Session) throws

  /// Does the command's work on all inputs.
  ///
  /// An error in one of them is reported and determines the status of the session.
  ///
  /// - Throws: an error that ends the run.
  func run() throws
}

enum Commands {
  /// All commands, in the order in which help shows them.
  static var all: [any Command.Type] {
    [
      Dump.self, Info.self, Query.self, Get.self, Find.self, Classes.self, Scan.self, Diff.self,
      Graph.self, Explore.self,
      Validate.self, Convert.self, Migrate.self, RenameClass.self,
      SetValue.self, Insert.self, Append.self, Remove.self, RenameKey.self, Patch.self, Edit.self,
      Extract.self, Merge.self, Undo.self, JournalList.self, JournalShow.self,
      JournalPrune.self, Create.self,
      SchemaList.self, SchemaShow.self, SchemaCheck.self, SchemaInfer.self, SchemaDiff.self,
      SchemaDerive.self, SchemaLens.self, SchemaSwift.self, SchemaSample.self, Completions.self,
      GitDiff.self, GitMerge.self, GitText.self,
    ]
  }

  /// Commands for scripts of the program's own, which help does not show.
  private static var hidden: [any Command.Type] { [Complete.self] }

  /// The data for the parser, the help and the manual page.
  static let table = CommandTable(
    program: "archtool", abstract: "dump, validate and migrate keyed archives and property lists",
    commands: all.map { $0.name } + [CommandDescription.helpName],
    hidden: hidden.map { $0.name }, describe: { type(named: $0)?.description ?? .help },
    options: [.help, .version],
    rules: OptionRule.forAll, headings: { OptionHeadings.all }, synonym: { synonyms[$0] },
    fileCommand: { RecordedRuns.begins($0) ? JournalShow.name : Dump.name },
    folderCommand: Scan.name, operandNote: { $0.offers(.passwordFile) ? Self.addresses : nil })

  /// What help says of every command that reads addresses.
  private static let addresses =
    "An input is a file, an archive in a database, DATABASE#TABLE.COLUMN@ROW, or a file of an iOS backup, BACKUP//DOMAIN/PATH; a column without @ROW is all of its archives, or the first where one is read. See ADDRESSES in archtool(1)."

  /// The names of these commands in other programs, plutil and PlistBuddy among them.
  static let synonyms = [
    "cat": "dump", "print": "dump", "show": "dump", "view": "dump", "inspect": "info",
    "tree": "dump", "json": "dump --format json", "pretty": "dump", "read": "dump",
    "file": "info", "describe": "info", "stat": "info", "identify": "info",
    "check": "validate", "lint": "validate", "verify": "validate", "test": "validate",
    "grep": "find", "search": "find", "jq": "query", "select": "query", "value": "get",
    "type": "get --type", "ls": "scan", "list": "scan", "inventory": "scan",
    "compare": "diff", "cmp": "diff", "export": "convert", "xml": "convert --to xml1",
    "binary": "convert --to binary1", "upgrade": "migrate", "update": "migrate",
    "rename": "rename-class", "replace": "set", "put": "set", "add": "insert",
    "delete": "remove", "rm": "remove", "unset": "remove", "apply": "patch", "import": "insert",
    "revert": "undo", "rollback": "undo", "restore": "undo", "history": "journal list",
    "log": "journal list", "runs": "journal list", "prune": "journal prune", "new": "create",
    "make": "create", "infer": "schema infer", "schemas": "schema list",
    "families": "schema list", "draw": "graph", "browse": "explore", "open": "explore",
    "version": "--version", "usage": "help", "man": "help",
    "Print": "get", "Set": "set", "Add": "insert", "Delete": "remove", "Copy": "patch",
    "Merge": "insert --from", "Import": "set --data",
    "-p": "dump", "-lint": "validate --format-only", "-convert": "convert --to",
    "-extract": "get", "-replace": "set", "-insert": "insert", "-remove": "remove",
    "-type": "get --type", "-create": "create", "-help": "help", "-V": "--version",
    "-v": "--version",
  ]

  static func type(named name: String) -> (any Command.Type)? {
    all.first { $0.name == name } ?? hidden.first { $0.name == name }
  }
}
