// The manual page archtool(1), generated from the descriptions of the commands and additional prose.

import CommandLineInterface

struct ManualPage {
  typealias Item = MdocDocument.Item

  let table = Commands.table

  /// The page's source: what everybody needs comes first.
  func render() -> String {
    var page = MdocDocument.generated(
      name: table.program, section: 1, about: table.abstract)
    synopsis(&page)
    page.write(Self.introduction)
    page.list(
      width: "rename-class",
      table.commands.map { Item("Cm " + $0.name, HelpText.sentence($0.abstract)) },
      isCompact: true)
    page.write(Self.environment)
    page.list(
      width: "Ds", ExitStatus.allCases.map { Item("Sy \($0.rawValue)", $0.meaning) },
      isCompact: true)
    examples(&page)
    commands(&page)
    page.write(Self.runs + "\n" + Self.schemas + "\n" + Self.databases)
    page.write(Self.git, placeholders: ["PATH.conflicts.json"])
    page.write(Self.habitsIntroduction)
    for (habit, command) in Self.habits { page.display(habit + "\n$ " + command) }
    page.write(Self.diagnostics)
    page.references([
      ("archtool-migrate", 1), ("git", 1), ("jq", 1), ("plistutil", 1), ("plutil", 1),
      ("archtool-journal", 5), ("archtool-schema", 5), ("archtool-app", 7), ("archtool-classes", 7),
      ("archtool-formats", 7), ("archtool-lints", 7), ("archtool-tutorial", 7),
    ])
    page.write(Self.standards)
    return page.source
  }

  // MARK: Generated from the descriptions of the commands

  private func synopsis(_ page: inout MdocDocument) {
    page.macro("Sh SYNOPSIS")
    for command in table.commands {
      page.macro("Nm")
      page.macro("Cm " + command.name)
      if command.allOptions.contains(where: { !$0.isHidden && $0 != .help }) {
        page.macro("Op Ar option ...")
      }
      for option in command.allOptions where command.isRequired(option) {
        let form = option.letter.map { "Fl \($0)" } ?? "Fl -\(option.name)"
        page.macro(form + (option.valueName.map { " Ar " + MdocText.argument($0) } ?? ""))
      }
      page.macro(operandsMacro(command.operands))
    }
    for option in table.options {
      page.macro("Nm")
      page.macro("Fl -" + option.name)
    }
  }

  private func operandsMacro(_ operands: CommandDescription.Operands) -> String {
    let first = operands.first.map { "Ar \($0) " } ?? ""
    let last = operands.last.map { " Ar \($0)" } ?? ""
    let macro = first + "Ar " + operands.name + (operands.isRepeated ? " ..." : "") + last
    if let option = operands.orOption { return "\(macro) | Fl -\(option.name)" }
    return operands.minimum == 0 ? "Op " + macro : macro
  }

  private func commands(_ page: inout MdocDocument) {
    page.macro("Sh COMMANDS")
    for command in table.commands {
      page.write(".Ss archtool \(command.name)\n\(HelpText.sentence(command.abstract))")
      page.write("\n" + command.discussion, placeholders: command.operands.words)
      let own = command.options.filter { !$0.isHidden }
      if !own.isEmpty { page.list(width: "Ds", own.map(item)) }
      for example in command.examples {
        page.write("\n" + example.explanation)
        page.display("$ " + example.command)
      }
    }
    page.write(Self.commonOptions)
    page.list(width: "Ds", (OptionDescription.common + [.noPager]).map(item))
    page.write(Self.globs, placeholders: ["GLOB"])
  }

  private func item(_ option: OptionDescription) -> Item {
    let value =
      option.valueName.map { (option.isAttached ? " Ns" : "") + " Ar " + MdocText.argument($0) }
      ?? ""
    let letter = option.letter.map { "Fl \($0)\(value) , " } ?? ""
    let words = option.valueName?.split { !$0.isLetter }.map(String.init) ?? []
    return Item(letter + "Fl -" + option.name + value, option.fullHelp, placeholders: words)
  }

  /// What most people need first: an example of each of these commands.
  private static let firstExamples = [
    "dump", "info", "query", "get", "find", "scan", "diff", "explore", "validate", "convert", "set",
    "migrate", "rename-class", "undo",
  ]

  private func examples(_ page: inout MdocDocument) {
    let examples = Self.firstExamples.compactMap { table.command(named: $0)?.examples.first }
    for (index, example) in examples.enumerated() {
      page.write((index == 0 ? ".Sh EXAMPLES\n" : "\n") + example.explanation)
      page.display("$ " + example.command)
    }
    page.write("\nA tour with more examples, and what they print, is\n.Xr archtool-tutorial 7 .")
  }
}

// MARK: - The prose of the page

extension ManualPage {
  private static let introduction = """
    .Sh DESCRIPTION
    .Nm
    reads property lists and the archives that NSKeyedArchiver and NSArchiver write, shows their
    contents, converts them to other formats, checks them against schemas, and migrates archives
    from one version of a schema to another.

    Files are identified by content, not by name. Commands accept several files, folders with
    -r, and standard input as
    .Sq \\- .
    A pipe is read without it where one file is missing. Data goes to standard output,
    everything else to standard error.

    Options may precede and follow operands. The argument -- ends the options.

    These are the commands; COMMANDS describes each with its options and examples:
    """

  private static let environment = """
    .Sh ENVIRONMENT
    .Bl -tag -width ARCHTOOL_SCHEMAS
    .It Ev ARCHTOOL_SCHEMAS
    Folders of schema families, separated by colons.
    .It Ev BROWSER
    The browser of explore, before xdg-open and open: a command line, in which %s is the page
    (otherwise the page is added at the end), or several with colons between them, of which the
    first that is installed and opens the page counts.
    .It Ev COLUMNS
    The width of a terminal, instead of its own. Help is from 60 to 100 columns wide; LINES is
    the height.
    .It Ev EDITOR
    The editor of edit, if VISUAL is not set.
    .It Ev HOME
    The home folder, whose .config replaces XDG_CONFIG_HOME if that is not set.
    .It Ev NO_COLOR
    If this is set and not empty, output is not colored unless --color requires it.
    .It Ev PAGER
    The pager of commands that show something, for output that is longer than the screen of a
    terminal. Without it, or if it cannot be started, less is used, with -FRX unless LESS is
    set; if that is missing, none. If this is empty or cat, or with --no-pager, there is none.
    .It Ev TERM
    If this is dumb, output is not colored unless --color requires it, and not paged.
    .It Ev TMPDIR
    The folder for temporary files, such as the page of explore; /tmp without it.
    .It Ev VISUAL
    The editor of edit.
    .It Ev XDG_CONFIG_HOME
    The folder with archtool/schemas, a folder of schema families. It counts only if it is an
    absolute path.
    .It Ev XDG_STATE_HOME
    The folder with archtool, the folder for journals without --journal. If it is not set,
    .local/state in the home folder is used. It counts only if it is an absolute path.
    .El
    .Sh EXIT STATUS
    With several files the status is the highest of all.
    """

  private static let commonOptions = """
    .Ss Common options
    Several commands share these options; each accepts those that its own help lists, which is
    shown with --help.
    """

  private static let globs = """

    In GLOB a star matches any text, a question mark one character, and brackets one of some
    characters; none of them matches a slash, and ** between slashes matches any folders. A GLOB
    with a slash is matched against the path below the folder on the command line, one without a
    slash only against the name.

    Files are found as they are needed. In folders, names that begin with .archtool- are
    skipped, and so are the output folder and all files that runs leave beside archives:
    journals, plans, lost values, and the copies of --backup, which are known by an attribute,
    not by their name. One of those that is named on the command line is read, but never
    replaced. A name need not be UTF-8; its other bytes are shown as in \\xe9.
    """

  private static let runs = """
    .Sh RUNS OVER SEVERAL FILES
    The commands dump, info, query, find, classes, scan, validate, convert, migrate and
    rename-class handle several files in the same way. Results and messages come in the order of
    the files, however many files are worked on at a time. A file that cannot be read is
    reported, and the others are handled; with --fail-fast it is the last one. The exit status
    is that of the worst file.

    With --report each file is a line of JSON, written when the file is done:

    .Bl -tag -width bytesnewBytes -compact
    .It Ql file
    Its name.
    .It Ql outcome
    One of changed, unchanged, refused and failed where files are rewritten or converted; valid,
    noSchema, invalid and failed from validate; shown and failed from the other commands.
    .It Ql summary
    What was done, or why nothing was.
    .It Ql bytes , newBytes
    The size of the file, and of what it became.
    .It Ql error
    What is wrong: its code, message, offset and path.
    .El

    Other members are those of the command: for migrate the versions, operations and losses, for
    rename-class the rules, for validate the schema and the first ten violations. The last line
    has the member
    .Ql counts .

    On a terminal a bar shows how far a run over several files is that takes longer than a
    second, with its rate and the time that is left; so does undo. It goes before anything else
    is written. migrate, rename-class, and convert where it replaces files, write a line every
    ten seconds elsewhere. Counts follow at the end, unless the results are written to the
    terminal. With --no-progress there are counts alone, with -q there is neither.

    For one file that takes longer than half a second it shows how many of its bytes were read
    or decoded, which is known of XML and typedstreams, and how many bytes of the result were
    written. It goes when the result is written to the terminal.

    JSON on a terminal has the colors of jq, whichever command prints it: keys blue, strings
    green, null gray. Names of files are magenta, paths and headings bold, and what is damaged or
    not allowed is red.

    The first of the signals INT, TERM and HUP ends a run over several files in good order: no
    further file is begun and none is written by halves, a report gets its counts, and the exit
    status is 128 and the number of the signal. A second one ends the program at once.
    """

  private static let schemas = """
    .Sh SCHEMAS
    A schema family describes one model. Each version names an envelope and describes its
    content in JSON Schema. These families are built in:

    .Bl -tag -width WeatherFeed -compact
    .It Sy WeatherFeed
    The weather of many cities, in v1 and v2.
    .It Sy Movie
    A film, in v0, v1 and v2.
    .It Sy Actor
    An actor and a first film, in v1 and v2.
    .It Sy Person
    A first and a last name, in v0, v1 and v2.
    .El

    In every family v0 is the nscoding envelope, in which a class that mirrors the model, or is
    nested in it, conforms to NSCoding; v1 is the dictionariable envelope; v2 is the codable
    one. A version is written as
    .Ar NAME Ns @ Ns Ar VERSION ,
    such as WeatherFeed@v2.

    An application's own family is a folder with family.json and a schema for each version. Such
    folders, and folders of them, are named by --schemas, then by the environment variable
    ARCHTOOL_SCHEMAS, and are searched in archtool/schemas below XDG_CONFIG_HOME, which is
    .config in the home folder if it is not set. Of two families with the same name the first
    counts; built-in families are last. To write a family, see
    .Xr archtool-schema 5 .

    A file is treated as the version whose envelope it has and with which it shares the most
    members. A schema outside of families is named with --schema-file; it may apply to any
    envelope.
    """

  private static let databases = """
    .Sh ADDRESSES
    Wherever a command reads a FILE, an address may name an archive in a database or in an iOS
    backup, as scan prints it:

    .Bl -tag -width 4n -compact
    .It Ql DATABASE#table.column
    All archives in a column of a SQLite database. Commands for one archive take the first one,
    and say so; diff compares two columns by the numbers of their rows.
    .It Ql DATABASE#table.column@ROW
    The archive in a row, which is named by its rowid.
    .It Ql BACKUP//DOMAIN/path
    A file of the backup in the folder BACKUP, under the name that it has on the device. It may be a
    database, with a column and a row after it.
    .El

    If a file has the whole name, it is that file. What changes files in place refuses addresses,
    and says which command makes a file of the archive.
    .Bd -literal -offset 4n
    $ archtool get 'Library.db#feeds.archive@17' '$.title'
    $ archtool dump 'Backup//HomeDomain/Library/Notes.db#note.body@12'
    .Ed

    With -r the commands that only read, dump, info, query, find, classes, validate and schema
    infer, enter databases and backups, as scan does, and pass over what is no archive, with
    counts. JSON is passed over as well, except by validate and schema infer. Where validate is
    asked for a schema, or with --format-only, no file is passed over.
    .Sh DATABASES
    The name of the database ends at the last # before which there is a database. A name of a table or column with one of . @ # and the
    quotation mark is in quotation marks, and those within it are doubled, as in
    Library.db#"my.table".value. In a table without rowids the number is the position of the row
    in the order of the primary key, from 1. Rows come in the order of their numbers. NULL, and
    values that are neither archives nor property lists, are passed over and counted; an archive
    that is damaged is an error.

    A database is only read, and neither it nor anything beside it is changed. If it has a
    write-ahead log or a journal, a private copy of both is read, in the folder for temporary
    files (TMPDIR), and removed; otherwise the file is read without locks, and a change
    meanwhile is an error. Views, triggers, virtual tables and columns that are computed never
    run. SQLite is loaded when the first database is read.

    To change archives in a database, migrate --output-database writes a changed copy of the database; or pass the values through --records of migrate or
    rename-class and write back what comes out.
    """

  /// The lines that let git compare with archtool.
  static let gitDiffSetup = """
    echo '*.plist diff=archtool' >> .gitattributes
    git config diff.archtool.command 'archtool git diff --'
    git config diff.archtool.textconv 'archtool git text --'
    """
  /// The lines that let git merge with archtool.
  static let gitMergeSetup = """
    echo '*.plist merge=archtool' >> .gitattributes
    git config merge.archtool.driver 'archtool git merge -- %O %A %B %L %P'
    git config merge.archtool.recursive binary
    """

  private static let git = """
    .Sh GIT
    In a repository, these lines let git diff, git log -p, git show and git blame show values:
    .Bd -literal -offset 4n
    \(gitDiffSetup)
    .Ed

    And these let git merge, git rebase and git cherry-pick merge values:
    .Bd -literal -offset 4n
    \(gitMergeSetup)
    .Ed

    A conflict is listed in the file PATH.conflicts.json beside the merged one, which has the
    values of ours there. Remove it when you have decided.
    """

  private static let habitsIntroduction = """
    .Sh COMING FROM PLUTIL AND PLISTBUDDY
    Paths of both programs are understood. What they change without a word, archtool changes in
    place only with --in-place, and undo takes it back. Each command of plutil or PlistBuddy is
    followed by the same one of archtool; the last one applies a JSON Patch, [{"op": "copy",
    "from": "/a", "path": "/twin"}].
    """

  /// What one does with another program, and the same with archtool.
  static let habits: KeyValuePairs = [
    "plutil -p Settings": "archtool dump Settings",
    "plutil -lint Settings": "archtool validate --format-only Settings",
    "plutil -convert xml1 Settings": "archtool convert --to xml1 --in-place Settings",
    "plutil -convert json -o - Settings": "archtool convert --to json Settings",
    "plutil -extract a.b raw Settings": "archtool get Settings a.b",
    "plutil -extract a xml1 -o - Settings": "archtool get --format xml1 Settings a",
    "plutil -type a.n Settings": "archtool get --type Settings a.n",
    "plutil -insert a.c -string 'a text' Settings":
      "archtool insert --in-place --string Settings a.c 'a text'",
    "plutil -replace a.n -integer 5 Settings": "archtool set --in-place --integer Settings a.n 5",
    "plutil -insert list -string two -append Settings":
      "archtool append --in-place --string Settings list two",
    "plutil -remove list.0 Settings": "archtool remove --in-place Settings list.0",
    "PlistBuddy -c 'Print :a:b' Settings": "archtool get Settings :a:b",
    "PlistBuddy -c 'Set :a:b y' Settings": "archtool set --in-place --string Settings :a:b y",
    "PlistBuddy -c 'Add :a:new bool true' Settings":
      "archtool insert --in-place --bool Settings :a:new true",
    "PlistBuddy -c 'Delete :a:new' Settings": "archtool remove --in-place Settings :a:new",
    "PlistBuddy -c 'Add :other dict' -c 'Merge Other :other' Settings":
      "archtool insert --in-place Settings :other --from Other",
    "PlistBuddy -c 'Copy :a :twin' Settings": "archtool patch --in-place Settings copy.json",
  ]

  private static let diagnostics = """
    .Sh DIAGNOSTICS
    Each problem is one line on standard error:
    .Bd -literal -offset 4n
    FILE:LINE:COLUMN: error: MESSAGE (at PATH)
    FILE@OFFSET: error: MESSAGE (at PATH)
    .Ed

    The first is for texts: XML, JSON and OpenStep. Lines and columns are counted from 1,
    columns in characters, as editors and compilers do. The second is for all other files;
    OFFSET counts the bytes before the position. PATH is the location in the graph. Each is
    omitted if it is not known. Standard input is named <stdin>. An error in the command line is
    reported as
    .Bd -literal -offset 4n
    archtool: error: MESSAGE
    .Ed

    If a command, option or value seems mistyped, the nearest one is suggested.
    """

  private static let standards = """
    .Sh STANDARDS
    Options follow the Utility Syntax Guidelines of IEEE Std 1003.1 (POSIX), with long options
    added. JSON is that of RFC 8259, schemas are JSON Schema 2020-12 with the patterns of
    ECMA-262, paths are those of RFC 9535, pointers those of RFC 6901, and times are written as
    RFC 3339 profiles ISO 8601. Reports are written as SARIF 2.1.0 (OASIS).
    """
}

// MARK: - The generated manual pages by their names

extension MdocDocument {
  static func generated(name: String, section: Int, about: String) -> MdocDocument {
    MdocDocument(
      comment:
        "Made by 'archtool help --manual \(name).\(section)' from the description of the commands.",
      name: name, section: section, about: about, date: Version.manualDate)
  }
}

enum ManualPages {
  /// The names of their files.
  static let names = ["archtool.1", "archtool-classes.7", "archtool-lints.7"]

  /// The source of a page; nil if there is none with this name of a file.
  static func render(_ name: String) -> String? {
    switch name {
    case "archtool.1": ManualPage().render()
    case "archtool-classes.7": ClassesPage.render()
    case "archtool-lints.7": LintsPage.render()
    default: nil
    }
  }
}
