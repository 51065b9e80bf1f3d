// The sections that several manual pages share.

import Basics
import CommandLineInterface

// MARK: - The manual page's table for people who know plutil and PlistBuddy

extension ManualPage {
  /// What one does with another program, and the same with archtool.
  static let habits: [(habit: String, command: String)] = [
    ("plutil -p Settings", "archtool dump Settings"),
    ("plutil -lint Settings", "archtool validate --format-only Settings"),
    ("plutil -convert xml1 Settings", "archtool convert --to xml1 --in-place Settings"),
    ("plutil -convert json -o - Settings", "archtool convert --to json Settings"),
    ("plutil -extract a.b raw Settings", "archtool get Settings a.b"),
    ("plutil -extract a xml1 -o - Settings", "archtool get --format xml1 Settings a"),
    ("plutil -type a.n Settings", "archtool get --type Settings a.n"),
    (
      "plutil -insert a.c -string 'a text' Settings",
      "archtool insert --in-place --string Settings a.c 'a text'"
    ),
    (
      "plutil -replace a.n -integer 5 Settings",
      "archtool set --in-place --integer Settings a.n 5"
    ),
    (
      "plutil -insert list -string two -append Settings",
      "archtool append --in-place --string Settings list two"
    ),
    ("plutil -remove list.0 Settings", "archtool remove --in-place Settings list.0"),
    ("PlistBuddy -c 'Print :a:b' Settings", "archtool get Settings :a:b"),
    (
      "PlistBuddy -c 'Set :a:b y' Settings",
      "archtool set --in-place --string Settings :a:b y"
    ),
    (
      "PlistBuddy -c 'Add :a:new bool true' Settings",
      "archtool insert --in-place --bool Settings :a:new true"
    ),
    (
      "PlistBuddy -c 'Delete :a:new' Settings",
      "archtool remove --in-place Settings :a:new"
    ),
    (
      "PlistBuddy -c 'Add :other dict' -c 'Merge Other :other' Settings",
      "archtool insert --in-place Settings :other --from Other"
    ),
    (
      "PlistBuddy -c 'Copy :a :twin' Settings",
      "archtool patch --in-place Settings copy.json"
    ),
  ]

  func habits(_ page: inout MdocDocument) {
    page.section("COMING FROM PLUTIL AND PLISTBUDDY")
    page.text(
      """
      Paths of both programs are understood. What they change without a word, archtool changes \
      in place only with --in-place, and undo takes it back. Each command of plutil or \
      PlistBuddy is followed by the same one of archtool; the last one applies a JSON Patch, \
      [{"op": "copy", "from": "/a", "path": "/twin"}].
      """)
    for (habit, command) in Self.habits { page.display(habit + "\n$ " + command) }
  }
}

// MARK: - The manual page's prose about git

extension ManualPage {
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

  func git(_ page: inout MdocDocument) {
    page.section("GIT")
    page.text(
      "In a repository, these lines let git diff, git log -p, git show and git blame show values:")
    page.display(Self.gitDiffSetup)
    page.paragraph("And these let git merge, git rebase and git cherry-pick merge values:")
    page.display(Self.gitMergeSetup)
    page.paragraph(
      """
      A conflict is listed in the file PATH.conflicts.json beside the merged one, which has the \
      values of ours there. Remove it when you have decided.
      """, placeholders: ["PATH.conflicts.json"])
  }
}

// MARK: - The manual page's prose about archives in databases and backups

extension ManualPage {
  func databases(_ page: inout MdocDocument) {
    page.section("DATABASES")
    page.text(
      """
      The commands dump, info, query, find, classes, validate and scan take a column of a SQLite \
      database in place of a file, and each value in it is an input:
      """)
    page.display("$ archtool validate 'Library.db#feeds.archive'")
    page.paragraph("A row is named by its rowid, also for get:")
    page.display("$ archtool get 'Library.db#feeds.archive@17' '$.title'")
    page.paragraph(
      """
      The name of the database ends at the last # before which there is a database; if a file has \
      the whole name, it is that file. A name of a table or column with one of . @ # and the \
      quotation mark is in quotation marks, and those within it are doubled, as in \
      Library.db#"my.table".value. In a table without rowids the number is the position of the row \
      in the order of the primary key, from 1. Rows come in the order of their numbers. NULL, and \
      values that are neither archives nor property lists, are passed over and counted; an archive \
      that is damaged is an error.
      """, placeholders: [])
    page.paragraph(
      """
      A database is only read, and neither it nor anything beside it is changed. If it has a write-ahead \
      log or a journal, a private copy of both is read, in the folder for temporary files (TMPDIR), and \
      removed; otherwise the file is read without locks, and a change meanwhile is an error. Views, \
      triggers, virtual tables and columns that are computed never run. SQLite is loaded when the first database is read.
      """, placeholders: [])
    page.paragraph(
      """
      The other commands refuse databases: to change archives in them, pass the values through \
      --records of migrate or rename-class and write back what comes out.
      """, placeholders: [])
  }
}

// MARK: - The manual page's prose about runs over many files

extension ManualPage {
  func runs(_ page: inout MdocDocument) {
    page.section("RUNS OVER SEVERAL FILES")
    page.text(
      """
      The commands dump, info, query, find, classes, scan, validate, convert, migrate and rename-class \
      handle several files in the same way. Results and messages come in the order of the files, however many files are \
      worked on at a time. A file that cannot be read is reported, and the others are handled; \
      with --fail-fast it is the last one. The exit status is that of the worst file.
      """)
    page.paragraph("With --report each file is a line of JSON, written when the file is done:")
    page.list(width: "bytesnewBytes", Self.entryMembers, isCompact: true)
    page.paragraph(
      """
      Other members are those of the command: for migrate the versions, operations and losses, \
      for rename-class the rules, for validate the schema and the first ten violations. The last \
      line has the member
      """)
    page.macro("Ql counts .")
    page.paragraph(
      """
      On a terminal a bar shows how far a run over several files is that takes longer than a \
      second, with its rate and the time that is left; so does undo. It goes before anything \
      else is written. migrate, rename-class, and convert where it replaces files, write \
      a line every ten seconds elsewhere. Counts follow at the end, unless the results are \
      written to the terminal. With \
      --no-progress there are counts alone, with -q there is neither.
      """)
    page.paragraph(
      """
      The first of the signals INT, TERM and HUP ends a run over several files in good order: no \
      further file is begun and none is written by halves, a report gets its counts, and the exit \
      status is 128 and the number of the signal. A second one ends the program at once.
      """)
  }

  private static let entryMembers = [
    Item("Ql file", "Its name."),
    Item(
      "Ql outcome",
      """
      One of changed, unchanged, refused and failed where files are rewritten or converted; valid, \
      noSchema, invalid and failed from validate; shown and failed from the other commands.
      """),
    Item("Ql summary", "What was done, or why nothing was."),
    Item("Ql bytes , newBytes", "The size of the file, and of what it became."),
    Item("Ql error", "What is wrong: its code, message, offset and path."),
  ]
}

// MARK: - The manual page's prose about the program's output

extension ManualPage {
  func environment(_ page: inout MdocDocument) {
    page.section("ENVIRONMENT")
    page.list(
      width: "ARCHTOOL_SCHEMAS",
      [
        Item(
          "Ev ARCHTOOL_SCHEMAS",
          "Folders of schema families, separated by colons."),
        Item(
          "Ev BROWSER",
          """
          The browser of explore, before xdg-open and open: a command line, in which %s is the \
          page (otherwise the page is added at the end), or several with colons between them, of \
          which the first that is installed and opens the page counts.
          """),
        Item(
          "Ev COLUMNS",
          """
          The width of a terminal, instead of its own. Help is from 60 to 100 columns wide; LINES \
          is the height.
          """),
        Item(
          "Ev EDITOR", "The editor of edit, if VISUAL is not set."),
        Item(
          "Ev HOME",
          "The home folder, whose .config replaces XDG_CONFIG_HOME if that is not set."),
        Item(
          "Ev NO_COLOR",
          "If this is set and not empty, output is not colored unless --color requires it."),
        Item(
          "Ev PAGER",
          """
          The pager of commands that show something, for output that is longer than the screen \
          of a terminal. Without it, or if it cannot be started, less is used, with -FRX unless \
          LESS is set; if that is missing, none. If this is empty or cat, or with --no-pager, \
          there is none.
          """),
        Item(
          "Ev TERM",
          "If this is dumb, output is not colored unless --color requires it, and not paged."),
        Item(
          "Ev TMPDIR",
          "The folder for temporary files, such as the page of explore; /tmp without it."),
        Item(
          "Ev VISUAL", "The editor of edit."),
        Item(
          "Ev XDG_CONFIG_HOME",
          """
          The folder with archtool/schemas, a folder of schema families. It counts only if \
          it is an absolute path.
          """),
        Item(
          "Ev XDG_STATE_HOME",
          """
          The folder with archtool, the folder for journals without --journal. If it is not \
          set, .local/state in the home folder is used. It counts only if it is an absolute \
          path.
          """),
      ])
  }

  func diagnostics(_ page: inout MdocDocument) {
    page.section("DIAGNOSTICS")
    page.text("Each problem is one line on standard error:")
    page.display(
      "FILE:LINE:COLUMN: error: MESSAGE (at PATH)\nFILE@OFFSET: error: MESSAGE (at PATH)")
    page.paragraph(
      """
      The first is for texts: XML, JSON and OpenStep. Lines and columns are counted from 1, \
      columns in characters, as editors and compilers do. The second is for all other files; \
      OFFSET counts the bytes before the position. PATH is the location in the graph. Each is \
      omitted if it is not known. Standard input is named <stdin>. An error in the command \
      line is reported as
      """)
    page.display("archtool: error: MESSAGE")
    page.paragraph("If a command, option or value seems mistyped, the nearest one is suggested.")
  }

  func references(_ page: inout MdocDocument) {
    page.references([
      ("archtool-migrate", 1), ("git", 1), ("jq", 1), ("plistutil", 1), ("plutil", 1),
      ("archtool-journal", 5), ("archtool-schema", 5), ("archtool-classes", 7),
      ("archtool-formats", 7), ("archtool-lints", 7), ("archtool-tutorial", 7),
    ])
    page.section("STANDARDS")
    page.text(
      """
      Options follow the Utility Syntax Guidelines of IEEE Std 1003.1 (POSIX), with long options \
      added. JSON is that of RFC 8259, schemas are JSON Schema 2020-12 with the patterns of \
      ECMA-262, paths are those of RFC 9535, pointers those of RFC 6901, and times are written as \
      RFC 3339 profiles ISO 8601. Reports are written as SARIF 2.1.0 (OASIS).
      """)
  }
}
