// Where candidates for a value of a command line come from.

/// The source of a value's completions.
package enum CompletionSource: Hashable, Sendable {
  /// Any text: nothing is offered.
  case nothing
  /// The names of files and folders.
  case files
  /// The names of files behind the `=` of a word.
  case filesAfterKey
  /// The names of folders.
  case folders
  /// One of a few words.
  case words([String])
  /// The options of the command; without a command those of the program.
  case options
  /// The commands of the program; for a second word, those of the group that the first names.
  case commands
  /// The classes of the objects in the files on the line.
  case classes
  /// The same as the beginnings of rules: `CLASS=`.
  case renamings
  /// The paths in the file on the line.
  case paths
  /// Schema families, and their versions as `NAME@VERSION`; in place of them a file may be named.
  case schemas(orFiles: Bool)
  /// Schema families.
  case families
  /// The versions of the family on the line, or of all families.
  case versions
  /// The journals in the user's state folder; in place of them a file may be named.
  case journals

  /// The source of a value by its name in help; an option may have another of its own.
  package init(valueName: String) {
    switch valueName {
    case "FILE", "PLACE", "OLD", "NEW", "PATCH", "LIST", "PLAN", "REPORT", "EDITS", "OTHER", "BASE",
      "COPY",
      "OURS", "THEIRS":
      self = .files
    case "KEY=FILE": self = .filesAfterKey
    case "DIR": self = .folders
    case "PATH", "EXPR": self = .paths
    case "CLASS": self = .classes
    case "NAME[@VERSION]", "NAME@VERSION": self = .schemas(orFiles: false)
    case "SCHEMA": self = .schemas(orFiles: true)
    case "NAME": self = .families
    case "VERSION": self = .versions
    case "JOURNAL": self = .journals
    case "COMMAND": self = .commands
    case "SHELL": self = .words(CompletionShell.allCases.map(\.rawValue))
    default: self = .nothing
    }
  }

  /// What the shell itself may offer: `files`, `folders` or `nothing`.
  package var shellSource: String {
    switch self {
    case .files, .filesAfterKey, .schemas(orFiles: true), .journals: "files"
    case .folders: "folders"
    default: "nothing"
    }
  }
}

extension OptionDescription {
  /// Where the completions of the option's value come from; nil for a flag.
  package var valueSource: CompletionSource? {
    guard let valueName else { return nil }
    if !allowedValues.isEmpty { return .words(allowedValues) }
    return completionSource ?? CompletionSource(valueName: valueName)
  }
}
