// Options that select the inputs.

import Batches
import CommandLineInterface

extension OptionDescription {
  static let recursive = flag(
    "recursive", letter: "r",
    help: """
      Read every regular file in the named folders. Files that archtool itself left there, \
      such as journals, are skipped.
      """)

  static let filesFrom = text(
    "files-from", valueName: "LIST", isRepeatable: true,
    help: """
      Also read the files listed in LIST, one per line. If LIST is '-', the list is standard \
      input.
      """)

  static let null = flag(
    "null", letter: "0", help: "Separate paths in LIST by NUL instead of newline.")

  static let include = text(
    "include", valueName: "GLOB", isRepeatable: true,
    help: """
      Read only files whose name matches GLOB. A GLOB with a slash is matched against the \
      path.
      """)

  static let exclude = text(
    "exclude", valueName: "GLOB", isRepeatable: true,
    help: "Skip files and folders that match GLOB. This overrides --include.")

  static let archivesOnly = flag(
    "archives-only",
    help: """
      Skip files that are no archives or property lists. They are counted. JSON is skipped too, \
      and so is OpenStep text unless its name ends with .plist, .strings or .pbxproj.
      """)

  static let allowEmpty = flag(
    "allow-empty", help: "Exit with 0 instead of 66 if no file matches.")

  static let at = text(
    "at", valueName: "PATH", isRepeatable: true,
    help: """
      Use the archives in the data values at PATH. Examples of PATH are $.CACHED and \
      $.items[*]. Repeated, it uses those at each PATH.
      """)

  static let json5 = flag(
    "json5",
    help: """
      Read JSON inputs as JSON5. It has comments, bare keys, trailing commas and the like.
      """)

  /// The options that select the files to read.
  static let selection: [OptionDescription] = [.recursive, .include, .exclude, .filesFrom, .null]

  /// The options of every command for archives.
  static let common: [OptionDescription] = selection + [.color, .quiet, .help]
}

extension CommandDescription.Operands {
  /// Any number of files, at least one.
  static let files = CommandDescription.Operands(name: "FILE", minimum: 1, maximum: nil)
  /// Any number of files, at least one, after any number of new names for classes.
  static let renamings = CommandDescription.Operands(
    name: "FILE", leading: .renameClass, minimum: 1, maximum: nil)
}

extension ParsedArguments {
  /// Whether the command reads one file: without folders, lists or columns of databases.
  var readsOneFile: Bool {
    var selection = selection
    (selection.filter.included, selection.filter.excluded) = ([], [])
    return selection.isOneFile
  }

  /// The inputs, without the files that the command writes to a folder.
  var selection: InputSelection {
    var selection = InputSelection(
      operands: Array(inputs), isRecursive: has(.recursive), lists: values(of: .filesFrom))
    selection.isNullSeparated = has(.null)
    selection.outputExtension = value(of: .fileExtension).map { name in
      name.first == "." ? String(name.dropFirst()) : name
    }
    selection.filter.included = values(of: .include).map(Glob.init)
    selection.filter.excluded = values(of: .exclude).map(Glob.init)
    selection.filter.passedOver = values(of: .report)
    selection.filter.passedOverFolders =
      values(of: .outputDirectory) + values(of: .extractDirectory)
    selection.mayBeRecursive = command.offers(.recursive)
    selection.isInventory = command.name == Scan.name
    selection.isArchivesOnly = selection.isInventory || has(.archivesOnly)
    // Commands that only read.
    selection.readsColumns =
      selection.isInventory || command.offers(.archivesOnly)
    return selection
  }
}

// MARK: - Options of runs over many files

extension OptionDescription {
  static let jobs = integer(
    "jobs", letter: "j", in: 1...1024,
    help: "Work on N inputs at a time. The default is the number of processors.")

  static let failFast = flag(
    "fail-fast", help: "Stop at the first file with a problem.")

  static let report = text(
    "report", valueName: "REPORT",
    help: "Write each file's outcome to REPORT as JSON lines. The last line has the counts.")

  static let noProgress = flag(
    "no-progress", help: "Do not show progress.")

  static let records = flag(
    "records",
    help: """
      Process JSON records from standard input. Each line is an object with an archive in \
      Base64 as its member 'data', and gets a line as its answer.
      """)

  /// The options of every run over many files.
  static let batch: [OptionDescription] = [.jobs, .failFast, .report, .noProgress]
}
