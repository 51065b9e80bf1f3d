// Options that select the inputs.

import ArchiveBackups
import ArchiveBasics
import ArchiveBatches
import ArchiveWriting
import CommandLineInterface

extension OptionDescription {
  static let recursive = flag(
    "recursive", letter: "r",
    help: """
      Read every regular file in the named folders. Commands that only read enter databases and \
      iOS backups, and pass over what is no archive. Files that archtool itself left there, such as \
      journals, are skipped.
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
      path, as it is printed or below the named folder, where ** stands for any folders.
      """)

  static let exclude = text(
    "exclude", valueName: "GLOB", isRepeatable: true,
    help: "Skip files and folders that match GLOB. This overrides --include.")

  static let archivesOnly = flag(
    "archives-only",
    help: """
      Skip files that are no archives or property lists. They are counted. So does -r. JSON is skipped too, \
      and so is OpenStep text unless its name ends with .plist, .strings or .pbxproj.
      """)

  static let noDatabases = flag(
    "no-databases", help: "Leave out archives in SQLite databases. With -r they are found.")

  static let noBackups = flag(
    "no-backups", help: "Leave out iOS backups. With -r their files are found.")

  static let allowEmpty = flag(
    "allow-empty", help: "Exit with 0 instead of 66 if no file matches.")

  static let at = text(
    "at", valueName: "PATH", isRepeatable: true,
    help: """
      Use the archives and JSON in the values at PATH. They may be in Base64, gzip or keyed \
      archives. Examples of PATH are $.CACHED, $.items[*] and items.*. Repeated, it uses those at \
      each PATH.
      """)

  static let skip = integer(
    "skip", in: 0...Int.max,
    help: """
      Skip N bytes of each input. With --at they are those of the data at PATH. What follows is \
      read as a file.
      """)

  static let json5 = flag(
    "json5",
    help: """
      Read JSON inputs as JSON5. It has comments, bare keys, trailing commas and the like.
      """)

  static let passwordFile = text(
    "password-file", valueName: "FILE",
    help: """
      Take a backup's password from FILE. It is the first line. Without this archtool asks for it \
      on a terminal.
      """)

  static let selection: [OptionDescription] = [.recursive, .include, .exclude, .filesFrom, .null]

  static let common: [OptionDescription] = selection + [.passwordFile, .color, .quiet, .help]

  /// What commands that only read find in folders, beside files.
  static let inputKinds: [OptionDescription] = [.archivesOnly, .noDatabases, .noBackups]
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
  var readsOneFile: Bool { selection.isOneFile }

  /// Whether a command that rewrites archives writes the result for one, to a file or to standard output.
  var writesOneArchive: Bool {
    let several: [OptionDescription] = [
      .inPlace, .outputDirectory, .outputDatabase, .dryRun, .plan, .applyPlan, .resume,
    ]
    return command.offers(.inPlace) && !several.contains(where: has)
  }

  var password: PasswordSource { PasswordSource(file: value(of: .passwordFile)) }

  /// Whether the command shows what it would do to the archives of a column.
  private var previewsColumns: Bool {
    command.offers(.outputDatabase) && (has(.dryRun) || has(.plan) && !reportsJSON)
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
    selection.password = password
    selection.mayBeRecursive = command.offers(.recursive)
    let isInventory = command.name == Scan.name
    if isInventory { selection.isRecursive = true }
    // A file that is read as something else by request is an input whatever it is.
    let searches =
      selection.isRecursive && command.offers(.noDatabases) && !has(.json5) && !has(.skip)
    // Where a schema is asked for, a file that is no archive does not fit it.
    let expectsArchives = [.schema, .schemaFile, .requireSchema, .formatOnly].contains(where: has)
    selection.isArchivesOnly =
      searches && (command.name != Validate.name || !expectsArchives) || has(.archivesOnly)
    selection.keptJSON =
      has(.archivesOnly)
      ? .none : [Validate.name, SchemaInfer.name].contains(command.name) ? .all : .named
    selection.entersDatabases = searches && !has(.noDatabases)
    selection.entersBackups = searches
    selection.filter.passesOverBackups = has(.noBackups)
    selection.checksEachFile = isInventory
    selection.takesAddresses = !has(.inPlace) && !has(.applyPlan) && !has(.resume)
    if has(.outputDatabase) || previewsColumns {
      selection.acceptsValue = { LayeredData.holdsContent($0) }
    }
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

  static let batch: [OptionDescription] = [.jobs, .failFast, .report, .noProgress]
}

// MARK: - Options for the destination of results, and the amount of messages

extension OptionDescription {
  static let output = text(
    "output", letter: "o", valueName: "FILE",
    help: "Write the result to FILE. If FILE is '-', that is standard output.")

  static let force = flag(
    "force", letter: "f", help: "Replace an existing output file.")

  static let color = choice(
    "color", valueName: "WHEN", of: ["auto", "always", "never"],
    help: "Choose when to color output. The choice auto means on a terminal.")

  static let noPager = flag(
    "no-pager",
    help: """
      Write long output to the terminal without a pager. The pager is PAGER, or less.
      """)

  static let quiet = flag(
    "quiet", letter: "q",
    help: """
      Suppress notes, verdicts and summaries. Data, warnings and errors are still shown.
      """)

  static let reportFormat = choice(
    "format", valueName: "FORMAT", of: ["text", "json"],
    help: "Write the report as FORMAT.")
}

extension ParsedArguments {
  var reportsJSON: Bool { value(of: .reportFormat) == "json" }

  var colorChoice: TerminalStyle.Choice {
    value(of: .color).flatMap(TerminalStyle.Choice.init) ?? .auto
  }
}

// MARK: - Options of commands that replace archives

extension OptionDescription {
  static let inPlace = flag(
    "in-place", help: "Replace each file by its new form. The new form is verified first.")

  static let backup = text(
    "backup", valueName: "SUFFIX",
    help: "Keep each old file with SUFFIX added to its name. This needs --in-place.")

  static let outputDirectory = text(
    "output-dir", valueName: "DIR",
    help: "Write results to the folder DIR. Each keeps the name of its file.")

  static let outputDatabase = text(
    "output-database", valueName: "COPY",
    help: """
      Write a changed copy of the database to COPY. Each FILE is a column DATABASE#table.column; \
      the database itself is not changed.
      """)

  static let dryRun = flag(
    "dry-run", letter: "n", help: "Show what would change and write nothing.")

  static let plan = flag(
    "plan",
    help: """
      Show operations and losses, and write nothing. With --format json the output is a plan \
      for --apply.
      """)

  static let applyPlan = text(
    "apply", valueName: "PLAN",
    help: "Do what PLAN says. Files that have changed since are left alone.")

  static let noJournal = flag(
    "no-journal", help: "Write no journal. The run cannot be undone then.")

  static let journal = text(
    "journal", valueName: "FILE",
    help: "Write a journal to the new file FILE. With it the run can be resumed and undone.")

  static let resume = text(
    "resume", valueName: "JOURNAL",
    help: "Continue the interrupted run of JOURNAL. Files that failed are tried again.")

  static let trust = flag(
    "trust",
    help: "Accept a journal or plan without valid seals. Seals show who wrote it.")

  static let backupDirectory = text(
    "backup-dir", valueName: "DIR",
    help: "Keep the old files in DIR. The default is FILE.backup beside the journal FILE.")

  static let keepTimes = flag(
    "keep-times", help: "Give each new file the times of the old one.")

  static let wait = flag(
    "wait",
    help: """
      Wait for other runs instead of giving up. Two runs cannot work in one folder at the \
      same time.
      """)

  /// The options about destinations, transactions and plans of commands that rewrite archives.
  static let rewriting = replacing + recordStream

  /// The same options for commands that do not handle records.
  static let replacing: [OptionDescription] =
    [
      .output, .inPlace, .backup, .outputDirectory, .dryRun, .force, .keepTimes, .journal,
      .noJournal, .backupDirectory, .resume, .trust, .wait,
    ] + batch + [.allowEmpty]
}

// MARK: - Options that rename, remove and set parts of archives

extension OptionDescription {
  static let renameClass = text(
    "rename-class", letter: "c", valueName: "OLD=NEW", isRepeatable: true,
    completedFrom: .renamings,
    help: """
      Rename the class OLD to NEW. In NEW, * and ? stand for what they match in OLD; without \
      them, all classes that OLD matches get one name.
      """)

  static let setArchiver = text(
    "set-archiver", valueName: "NAME",
    completedFrom: .nothing,
    help: "Set the archiver's name to NAME. Most archives have NSKeyedArchiver.")

  static let dropClass = text(
    "drop-class", valueName: "NAME", isRepeatable: true,
    completedFrom: .classes,
    help: """
      Replace each object of the class NAME with nil. In NAME, * matches any characters and \
      ? matches one.
      """)

  static let renameKey = text(
    "rename-key", valueName: "CLASS.OLD=NEW", isRepeatable: true,
    help: "Rename the field OLD of CLASS to NEW. OLD is what follows the last dot.")

  static let renameTop = text(
    "rename-top", valueName: "OLD=NEW", isRepeatable: true,
    help: "Rename the top-level key OLD to NEW. Most archives have root.")

  static let prune = flag(
    "prune",
    help: """
      Remove objects that nothing refers to. These include dropped objects and what only \
      they refer to.
      """)

  static let unless = text(
    "unless", valueName: "PATTERN", isRepeatable: true,
    completedFrom: .classes,
    help: "Leave classes alone whose names match PATTERN. This overrides every rule.")

  /// The options that are substitutions by themselves.
  static let substitutionRules: [OptionDescription] = [
    .renameClass, .setArchiver, .dropClass, .renameKey, .renameTop, .prune,
  ]

  static let substitutions: [OptionDescription] = substitutionRules + [.unless]
}
