// What completions ask the program for, and which values of command lines they are asked for.

import CommandLineInterface

/// The values that depend on the line, or on the user's files.
enum CompletionKind: String {
  /// The classes of the objects in the files on the line.
  case classes
  /// The same as the beginnings of rules: `CLASS=`.
  case renamings
  /// The paths in the file on the line.
  case paths
  /// Schema families, and their versions as `NAME@VERSION`.
  case schemas
  /// Schema families.
  case families
  /// The versions of the family on the line, or of all families.
  case versions
  /// The journals in the user's state folder.
  case journals
}

extension CompletionSource {
  static let classes = program(CompletionKind.classes.rawValue, orFiles: false)
  static let renamings = program(CompletionKind.renamings.rawValue, orFiles: false)
  static let paths = program(CompletionKind.paths.rawValue, orFiles: false)
  static let schemas = program(CompletionKind.schemas.rawValue, orFiles: false)
  static let schemasOrFiles = program(CompletionKind.schemas.rawValue, orFiles: true)
  static let families = program(CompletionKind.families.rawValue, orFiles: false)
  static let versions = program(CompletionKind.versions.rawValue, orFiles: false)
  static let journals = program(CompletionKind.journals.rawValue, orFiles: true)

  /// The source of a value by its name in help; an option may have another (`OptionDescription.completed(from:)`).
  static func named(_ name: String) -> CompletionSource {
    switch name {
    case "FILE", "PLACE", "OLD", "NEW", "PATCH", "LIST", "PLAN", "REPORT", "EDITS", "OTHER", "BASE",
      "OURS", "THEIRS":
      .files
    case "KEY=FILE": .filesAfterKey
    case "DIR": .folders
    case "PATH", "EXPR": .paths
    case "CLASS": .classes
    case "NAME[@VERSION]", "NAME@VERSION": .schemas
    case "SCHEMA": .schemasOrFiles
    case "NAME": .families
    case "VERSION": .versions
    case "JOURNAL": .journals
    case "COMMAND": .commands
    case "SHELL": .words(CompletionShell.allCases.map(\.rawValue))
    default: .nothing
    }
  }
}
