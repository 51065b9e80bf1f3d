// The manual page's prose on formats, envelopes and schemas.

import Basics
import CommandLineInterface

extension ManualPage {
  func introduction(_ page: inout MdocDocument) {
    page.macro("Nm")
    page.text(
      """
      reads property lists and the archives that NSKeyedArchiver and NSArchiver write, shows what \
      they hold, writes them in other formats, checks them against schemas, and takes archives \
      from one version of a schema to another.
      """)
    page.paragraph(
      """
      A file's format is told from its content, never from its name. Commands take several files, \
      folders with -r, and standard input as
      """)
    page.macro("Sq \\- .")
    page.text("Data goes to standard output, everything else to standard error.")
    page.paragraph(
      """
      Options may stand before and after operands. The argument -- ends the options.
      """)
  }

  func formats(_ page: inout MdocDocument) {
    page.section("FORMATS")
    page.text("An encoding is how bytes spell values. These are read, and written by convert:")
    page.list(width: "OpenStep", Self.encodings)
    page.paragraph(
      """
      Texts may be in UTF-8, UTF-16 or UTF-32; XML also in any encoding that its declaration \
      names. Any input may be compressed by gzip, and so may archives in data values; what comes \
      out may be 64 times the file and 8 MiB. Bytes \
      behind XML or what gzip compressed, and newlines behind binary input, are \
      skipped with a warning.
      """)
    page.paragraph(
      """
      A keyed archive is a property list of any encoding that holds a table of objects; they \
      refer to one another by number, may share objects, and may form cycles. Keys that begin \
      with $ are shown as the application gave them, values without a key under $0, $1 and so \
      on. Conditional objects that nothing else needed are null. Classes that are not known keep \
      all their keys. The archiver may be of any class.
      """)
    page.paragraph(
      """
      A data value that holds an archive or a property list is opened, to any depth. A path \
      names each crossing, as in $.prefs.weather⟨keyed archive⟩.fetchedAt.
      """)
  }

  private static let encodings = [
    Item(
      "Sy binary",
      """
      Binary property lists of version 0, bplist00 and its kin: every marker, integers of 1 to 16 \
      bytes, UIDs, sets, null, shared values. Other versions are named and refused. Written as \
      binary1, each value once and in the order of CoreFoundation.
      """
    ),
    Item(
      "Sy XML",
      """
      XML property lists. No document type definition is loaded, no entity but XML's own is \
      expanded, and declaring one is an error. Dictionaries of the one key CF$UID are UIDs. \
      Control characters, which XML does not have but Foundation writes, are read with a warning. \
      Written as xml1; XML has no null, no sets and no control characters, and a date's \
      fraction of a second is lost with a warning.
      """
    ),
    Item(
      "Sy OpenStep",
      """
      The text property lists of OpenStep, .strings files and project files of Xcode among them. \
      Numbers, booleans and dates are strings there, unless they are spelled in GNUstep's way, as \
      in <*I5>. Written as openstep, in GNUstep's way where a value is no string; null and sets \
      have no spelling.
      """
    ),
    Item(
      "Sy JSON",
      """
      JSON text (RFC 8259); with --json5 also JSON5. An integer of over 64 bits is read as a \
      real, with a warning if that rounds it. Written as json; dates, data, UIDs and \
      numbers that JSON does not have need --typed, which is read back as what it was. In the \
      fields of an object {"$boxed": 1} is a number that is an object of its own, and {"$inline": \
      ...} a value in place that is no number; archtool-migrate(1) has an example.
      """
    ),
    Item(
      "Sy typedstream",
      """
      What NSArchiver and its forebears wrote: header versions 3 and 4, of either byte order. \
      Foundation's classes are values; other classes show all groups of their values with their \
      types. Written as typedstream; written as keyed-archive it becomes an archive that \
      Foundation opens, with the keys that --keys gives to the values of a class.
      """
    ),
    Item(
      "Sy bookmark",
      """
      Bookmark data of files and alias files of Finder, as a dictionary of their fields. Not \
      written.
      """
    ),
    Item(
      "Sy source",
      """
      Literals of Swift and of Objective-C are written as swift and objc. Not read.
      """
    ),
  ]

  func envelopes(_ page: inout MdocDocument) {
    page.section("ENVELOPES")
    page.text("An envelope is how a model's value is wrapped.")
    page.list(
      width: "dictionariable",
      [
        Item(
          "Sy dictionariable",
          """
          A keyed archive whose root is an NSDictionary, or an NSArray of such, of property-list \
          objects.
          """
        ),
        Item(
          "Sy codable",
          """
          A keyed archive whose root NSData holds a property list that PropertyListEncoder wrote.
          """
        ),
        Item(
          "Sy nscoding",
          "A keyed archive whose root object is of an application's class, with a key a field."
        ),
        Item("Sy plist", "A property list that PropertyListEncoder wrote, without an archive."),
        Item("Sy json", "JSON."),
      ])
  }

  func schemas(_ page: inout MdocDocument) {
    page.section("SCHEMAS")
    page.text(
      """
      A schema family describes one model. A version of it names an envelope and says in JSON \
      Schema what lies in it. These families are built in:
      """)
    page.list(
      width: "WeatherFeed",
      [
        Item("Sy WeatherFeed", "The weather of many cities, in v1 and v2."),
        Item("Sy Movie", "A film, in v0, v1 and v2."),
        Item("Sy Actor", "An actor and a first film, in v0, v1 and v2."),
        Item("Sy Person", "A first and a last name, in v0, v1 and v2."),
      ], isCompact: true)
    page.paragraph(
      """
      In every family v0 is the nscoding envelope, where a class that mirrors the model, is \
      nested in it, or helps it, conforms to NSCoding; v1 is the dictionariable envelope; v2 is \
      the codable one. A version is written as
      """)
    page.macro("Ar NAME Ns @ Ns Ar VERSION ,")
    page.text("such as WeatherFeed@v2.")
    ownFamilies(&page)
  }

  private func ownFamilies(_ page: inout MdocDocument) {
    page.paragraph(
      """
      An application's own family is a folder that holds family.json and a schema for each \
      version. Such folders, and folders that hold them, are named by --schemas, then by the \
      environment variable ARCHTOOL_SCHEMAS, and lie in archtool/schemas below XDG_CONFIG_HOME, \
      which is .config in the home folder unless it is set. Of two families of one name the first \
      counts, those that are built in last. How to write a family stands in
      """)
    page.macro("Xr archtool-schema 5 .")
    page.paragraph(
      """
      A file is taken for the version whose envelope it has and with which it shares the most \
      members. A schema that is no version of a family is given by --schema-file; it may hold for \
      any envelope.
      """)
  }
}
