// What a command is, and the table of all commands.

import CommandLineInterface

/// A command: what it is called and takes, and what it does.
public protocol Command {
  /// What it is called, as it is typed.
  static var name: String { get }

  /// What the parser, the help and the manual page say of it.
  static var description: CommandDescription { get }

  /// Reads the options of a run.
  ///
  /// - Throws: `UsageError`, or `ArchiveError` for what the command needs before it looks at its inputs.
  init(_ session: Session) throws

  /// Does the command's work on all inputs; what is wrong with one of them is reported and makes the status of the
  /// session.
  ///
  /// - Throws: what ends the run.
  func run() throws
}

/// A command that replaces archives, and goes on where an earlier run ended.
protocol RewritingCommand: Command {
  /// Reads the options of a run that goes on with another.
  init(_ session: Session, _ continuation: RunOrigin) throws
}

extension RewritingCommand {
  /// Reads the options of a run of its own.
  public init(_ session: Session) throws { try self.init(session, RunOrigin()) }
}

/// The commands of archtool.
public enum Commands {
  /// All commands, in the order in which help shows them.
  public static var all: [any Command.Type] {
    [
      Dump.self, Info.self, Query.self, Get.self, Find.self, Classes.self, Validate.self,
      Convert.self, Migrate.self,
      RenameClass.self,
      Extract.self, Insert.self, Merge.self, Undo.self, JournalShow.self, Create.self,
      SchemaList.self, SchemaShow.self, SchemaCheck.self, SchemaInfer.self, SchemaDiff.self,
      SchemaSwift.self,
    ]
  }

  /// What the parser, the help and the manual page are made from.
  public static let table = CommandTable(
    program: "archtool", abstract: "dump, validate and migrate keyed archives and property lists",
    commands: (all.map { $0.name } + ["help"]).map { name in
      .init(name: name) { all.first { $0.name == name }?.description ?? .help }
    }, options: [.help, .version],
    rules: OptionRule.forAll, headings: { OptionHeading.all }, synonym: { synonyms[$0] },
    fileCommand: Dump.name)

  /// What other programs call these commands.
  private static let synonyms = [
    "cat": "dump", "print": "dump", "show": "dump", "view": "dump", "inspect": "info",
    "file": "info", "check": "validate", "lint": "validate", "verify": "validate",
    "export": "convert", "upgrade": "migrate", "update": "migrate", "rename": "rename-class",
    "revert": "undo", "rollback": "undo", "restore": "undo", "new": "create", "make": "create",
    "version": "--version",
  ]

  /// The command of a description.
  static func type(of description: CommandDescription) -> (any Command.Type)? {
    all.first { $0.name == description.name }
  }
}
