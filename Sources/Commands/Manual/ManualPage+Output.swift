// The manual page's prose about the program's output.

import Basics
import CommandLineInterface

extension ManualPage {
  func jsonOutput(_ page: inout MdocDocument) {
    page.section("JSON OUTPUT")
    page.text(
      """
      The JSON of archtool dump is for people and for other programs. An NSDictionary is an \
      object, an NSArray or NSSet an array; strings, numbers, NSURL and NSUUID are plain \
      values and NSNull is null. A date is a string in ISO 8601, data is Base64. An object \
      of another class has its fields and a member
      """)
    page.macro("Ql $class")
    page.text(
      """
      with the name of the class; if two members would have the same name, all are written \
      as the archiver stores them, with another dollar sign before those that begin with \
      one. A dictionary with keys other than strings is an array of pairs in a member
      """)
    page.macro("Ql $entries .")
    page.text(
      """
      A number that JSON cannot represent is one of the strings NaN, Infinity and -Infinity. \
      A UID that is not a reference is an object with the member
      """)
    page.macro("Ql $uid .")
    page.paragraph(
      """
      A shared object is shown at each reference. An object that contains itself has the \
      member
      """)
    page.macro("Ql $id")
    page.text("at its first occurrence, and is referred to by")
    page.macro("Ql $ref")
    page.text("afterwards; an array or set that contains itself becomes an object for that:")
    page.display(
      """
      {"$id": "#1", "$array": [{"$ref": "#1"}, "x"]}
      """)
    page.paragraph(
      """
      An object of a typedstream whose class has no keys is the member
      """)
    page.macro("Ql $types")
    page.text("with the types of its values, and the values themselves, the first one as")
    page.macro("Ql $0 .")
    page.text("With --recover the member")
    page.macro("Ql $lost")
    page.text(
      """
      describes what is missing at its location. With --depth a container below that level \
      is the string …; --typed distinguishes it from a string of the file.
      """)
    typedOutput(&page)
  }

  private func typedOutput(_ page: inout MdocDocument) {
    page.paragraph(
      """
      With --typed nothing is lost. Values without a JSON type are objects with one member:
      """)
    page.display(
      """
      {"$date": "2019-04-06T03:50:00Z"}
      {"$data": "AQID"}
      {"$uid": 5}
      {"$real": 64.0}
      {"$float": 0.5}
      {"$int": "18446744073709551615"}
      {"$set": [1, 2, 3]}
      {"$orderedSet": [1, 2, 3]}
      {"$entries": [{"key": 5, "value": "five"}]}
      {"$object": {"class": "A", "classes": ["A", "NSObject"], "fields": {}}}
      {"$ref": 7}
      {"$inline": "a"}
      {"$boxed": 5}
      """)
    page.paragraph(
      """
      A value that is stored in its container, where archives usually have a reference to an \
      object, is $inline; a number or a boolean that is a separate object, where archives \
      usually store it inline, is $boxed. A real that JSON would read as an integer or \
      cannot represent, a real of single precision, and an integer of more than 53 bits are \
      marked as such. A dictionary is a list of entries if a key is not a string, begins \
      with a dollar sign, or is repeated, as in a damaged file; so are repeated fields. An \
      array, set, dictionary, date or object that is referred to more than once is shown \
      once, with a number, and elsewhere by that number:
      """)
    page.display(#"[{"$id": 7, "$value": ["x"]}, {"$ref": 7}]"#)
    page.paragraph(
      """
      An object also has hints, the fallback classes, and versions, if its class record has \
      them. A value that is stored inline instead of by reference is marked. So is an \
      archive of another archiver or version:
      """)
    page.display(
      """
      {"$inline": "$null"}
      {"$archive": {"archiver": "NRKeyedArchiver", "root": ["x"]}}
      """)
    page.paragraph(
      """
      Data stays data: an archive inside it is not decoded, and its bytes are kept.
      """)
  }

  func paths(_ page: inout MdocDocument) {
    page.section("PATHS")
    page.text("Locations in a graph are written as in JSONPath (RFC 9535):")
    page.display("$.topCityWeathers[3].Temperature")
    page.paragraph(
      """
      The root is $, a key follows a dot, and the number of an element, from 0, is in \
      brackets. A key that is not an identifier is in brackets and quotes:
      """)
    page.display("$['first name']")
    page.paragraph(
      """
      A path goes through the model and skips the archives and data values that wrap it. In \
      the tree of archtool dump the kind of an archive or property list inside a data value \
      is in angle brackets, as in ⟨keyed archive⟩.
      """)
  }

  func environment(_ page: inout MdocDocument) {
    page.section("ENVIRONMENT")
    page.list(
      width: "ARCHTOOL_SCHEMAS",
      [
        Item(
          "Ev ARCHTOOL_SCHEMAS",
          "Folders of schema families, separated by colons."),
        Item(
          "Ev COLUMNS",
          """
          The width of a terminal, instead of its own. Help is from 60 to 100 columns wide; LINES \
          is the height.
          """),
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
    page.section("SEE ALSO")
    page.macro("Xr archtool-migrate 1 ,")
    page.macro("Xr jq 1 ,")
    page.macro("Xr plistutil 1 ,")
    page.macro("Xr plutil 1 ,")
    page.macro("Xr archtool-journal 5 ,")
    page.macro("Xr archtool-schema 5")
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
