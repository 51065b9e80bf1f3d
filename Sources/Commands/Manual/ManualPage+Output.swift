// The manual page's prose about the program's output.

import Basics
import CommandLineInterface

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
