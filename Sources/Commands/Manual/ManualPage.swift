// The manual page archtool(1), generated from the descriptions of the commands and additional prose.

import Basics
import CommandLineInterface
import FileTransactions
import KeyedArchives
import Rendering

/// Renders the manual page in mdoc.
package struct ManualPage: Sendable {
  typealias Item = MdocDocument.Item

  /// The commands.
  package let table: CommandTable

  /// Makes a renderer of the manual page.
  package init(table: CommandTable = Commands.table) { self.table = table }

  /// The page's source.
  package func render() -> String {
    var page = MdocDocument()
    page.comment("Made by 'archtool help --manual' from the description of the commands.")
    page.macro("Dd " + Version.manualDate)
    page.macro("Dt \(table.program.uppercased()) 1")
    page.macro("Os")
    page.section("NAME")
    page.macro("Nm " + table.program)
    page.macro("Nd " + table.abstract)
    synopsis(&page)
    description(&page)
    formats(&page)
    databases(&page)
    envelopes(&page)
    schemas(&page)
    lints(&page)
    classes(&page)
    jsonOutput(&page)
    runs(&page)
    reports(&page)
    paths(&page)
    environment(&page)
    exitStatus(&page)
    examples(&page)
    habits(&page)
    diagnostics(&page)
    references(&page)
    return page.source
  }

  // MARK: Generated from the descriptions of the commands

  private func synopsis(_ page: inout MdocDocument) {
    page.section("SYNOPSIS")
    for command in table.commands {
      page.macro("Nm")
      page.macro("Cm " + command.name)
      for option in command.allOptions where !option.isHidden && option != .help {
        let form = option.letter.map { "Fl \($0)" } ?? "Fl -\(option.name)"
        let value = option.valueName.map { " Ar " + MdocText.argument($0) } ?? ""
        page.macro((command.isRequired(option) ? "" : "Op ") + form + value)
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
    let macro = first + "Ar " + operands.name + (operands.isRepeated ? " ..." : "")
    return operands.minimum == 0 ? "Op " + macro : macro
  }

  private func description(_ page: inout MdocDocument) {
    page.section("DESCRIPTION")
    introduction(&page)
    for command in table.commands {
      page.subsection("archtool " + command.name)
      page.text(HelpText.sentence(command.abstract))
      for paragraph in command.discussion {
        page.paragraph(paragraph, placeholders: command.operands.words)
      }
      let own = command.options.filter { !$0.isHidden }
      if !own.isEmpty { page.list(width: "Ds", own.map(item)) }
    }
    page.subsection("Common options")
    page.text("Commands accept these options; create and help accept those that apply.")
    page.list(width: "Ds", (OptionDescription.common + [.noPager]).map(item))
    page.paragraph(
      """
      In GLOB a star matches any text, a question mark one character, and brackets one of \
      some characters; none of them matches a slash, and ** between slashes matches any \
      folders. A GLOB with a slash is matched against the path below the folder on the \
      command line, one without a slash only against the name.
      """, placeholders: ["GLOB"])
    page.paragraph(
      """
      Files are found as they are needed. In folders, names that begin with .archtool- are \
      skipped, and so are the output folder and all files that runs leave beside archives: \
      journals, plans, lost values, and the copies of --backup, which are known by an \
      attribute, not by their name. One of those that is named on the command line is read, \
      but never replaced. A name need not be UTF-8; its other bytes are shown as in \\xe9.
      """, placeholders: [])
  }

  private func item(_ option: OptionDescription) -> Item {
    let value = option.valueName.map { " Ar " + MdocText.argument($0) } ?? ""
    let letter = option.letter.map { "Fl \($0)\(value) , " } ?? ""
    let words = option.valueName?.split { !$0.isLetter }.map(String.init) ?? []
    return Item(letter + "Fl -" + option.name + value, option.fullHelp, placeholders: words)
  }

  private func exitStatus(_ page: inout MdocDocument) {
    page.section("EXIT STATUS")
    page.text("With several files the status is the highest of all.")
    let items = ExitStatus.allCases.map { Item("Sy \($0.rawValue)", $0.meaning) }
    page.list(width: "Ds", items, isCompact: true)
  }

  private func examples(_ page: inout MdocDocument) {
    page.section("EXAMPLES")
    let examples = table.commands.flatMap(\.examples)
    for (index, example) in examples.enumerated() {
      if index == 0 { page.text(example.explanation) } else { page.paragraph(example.explanation) }
      page.display("$ " + example.command)
    }
  }
}

// MARK: - The manual page's section on classes, generated from the registry of known classes

extension ManualPage {
  func classes(_ page: inout MdocDocument) {
    page.section("CLASSES")
    page.text(
      """
      Objects of these classes are shown as a value instead of their fields, or with a \
      summary line before them. An object with fields that its class does not write is shown \
      with its stored fields, and so is an object of any other class. A subclass is shown \
      like its nearest ancestor in this list, with its additional fields. The stored fields \
      of every object are shown with --raw, and kept by --typed.
      """)
    for framework in ClassRegistry.listing {
      page.subsection(framework.framework)
      let items = framework.classes.map { family in
        Item(
          "Vt " + family.names.map { MdocText.argument($0) }.joined(separator: " , "),
          HelpText.sentence(family.shown))
      }
      page.list(width: "Ds", items)
    }
  }
}

// MARK: - The manual page's prose on formats, envelopes and schemas

extension ManualPage {
  func introduction(_ page: inout MdocDocument) {
    page.macro("Nm")
    page.text(
      """
      reads property lists and the archives that NSKeyedArchiver and NSArchiver write, shows \
      their contents, converts them to other formats, checks them against schemas, and \
      migrates archives from one version of a schema to another.
      """)
    page.paragraph(
      """
      Files are identified by content, not by name. Commands accept several files, folders \
      with -r, and standard input as
      """)
    page.macro("Sq \\- .")
    page.text("Data goes to standard output, everything else to standard error.")
    page.paragraph(
      """
      Options may precede and follow operands. The argument -- ends the options.
      """)
  }

  func formats(_ page: inout MdocDocument) {
    page.section("FORMATS")
    page.text("An encoding is how bytes represent values. These are read, and written by convert:")
    page.list(width: "OpenStep", Self.encodings)
    page.paragraph(
      """
      Texts may be in UTF-8, UTF-16 or UTF-32; XML also in any encoding that its declaration \
      names. Any input may be compressed by gzip, and so may archives in data values; \
      decompressed data may be 64 times the size of the file plus 8 MiB. Bytes after XML or \
      after gzip's data, and newlines after binary input, are skipped with a warning.
      """)
    page.paragraph(
      """
      An input may also be the content of a signed message (CMS), as in .mobileprovision and \
      signed .mobileconfig files; the signature is not checked. It may be Base64, also in a \
      data URL or between the lines of PEM, or hexadecimal digits, with 0x before them or not, \
      if what they represent begins as a known format. A note says which bytes offsets refer to. \
      Nothing is written in these forms; convert writes the content with a warning.
      """)
    page.paragraph(
      """
      A keyed archive is a property list of any encoding with a table of objects; they refer \
      to each other by number, may share objects, and may form cycles. Keys that begin with \
      $ are shown as the application named them, values without a key under $0, $1 and so \
      on. Conditional objects that were not archived are null. Unknown classes keep all \
      their keys. The archiver may be of any class.
      """)
    page.paragraph(
      """
      An archive or a property list inside a data value is decoded, to any depth. A path \
      marks it, as in $.prefs.weather⟨keyed archive⟩.fetchedAt. Other data is named if it is \
      known by its beginning: PNG, JPEG, GIF, HEIC, PDF, SQLite, gzip, ZIP, JSON, or text in UTF-8.
      """)
  }

  private static let encodings = [
    Item(
      "Sy binary",
      """
      Binary property lists of version 0, such as bplist00: all markers, integers of 1 to 16 \
      bytes, UIDs, sets, null, shared values. Other versions are detected and refused: 15 of \
      CoreFoundation, 16 and 17 of NSXPCConnection. \
      Written as binary1, each value once and in CoreFoundation's order.
      """
    ),
    Item(
      "Sy XML",
      """
      XML property lists. No document type definition is loaded, only XML's own entities are \
      expanded, and declaring one is an error. Dictionaries with the single key CF$UID are \
      UIDs. Control characters, which XML forbids but Foundation writes, are read with a \
      warning. Written as xml1; XML has no null, no sets and no control characters, and \
      fractions of a second in dates are lost with a warning.
      """
    ),
    Item(
      "Sy OpenStep",
      """
      The text property lists of OpenStep, including .strings files and Xcode project files. \
      Numbers, booleans and dates are strings there, except in GNUstep's notation, as in \
      <*I5>. Written as openstep, with GNUstep's notation for values other than strings; \
      null and sets cannot be written.
      """
    ),
    Item(
      "Sy JSON",
      """
      JSON text (RFC 8259); with --json5 also JSON5. An integer of more than 64 bits is read \
      as a real, with a warning if that rounds it. Written as json; dates, data, UIDs and \
      numbers that JSON cannot represent need --typed, which is read back without loss. In \
      the fields of an object {"$boxed": 1} is a number that is a separate object, and \
      {"$inline": ...} an inline value other than a number; archtool-migrate(1) has an \
      example.
      """
    ),
    Item(
      "Sy typedstream",
      """
      The format of NSArchiver and its predecessors: header versions 3 and 4, of either byte \
      order. Foundation's classes are values; other classes show all groups of their values \
      with their types. Written as typedstream; as keyed-archive it becomes an archive that \
      Foundation opens, with the keys that --keys names for the values of a class.
      """
    ),
    Item(
      "Sy NIBArchive",
      """
      The compiled interface files of iOS, with class names, keys and values. Foundation's \
      strings, numbers and collections are shown as such. Not written; as keyed-archive, \
      binary1 or xml1 it becomes a keyed archive with the same objects. The objects.nib and \
      keyedobjects.nib of macOS are keyed archives.
      """
    ),
    Item(
      "Sy bookmark",
      """
      Bookmark data and Finder's alias files, as a dictionary of their fields. Not written.
      """
    ),
    Item(
      "Sy source",
      """
      Literals of Swift and Objective-C, written as swift and objc. Not read.
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
          A keyed archive whose root is an NSDictionary of property-list objects, or an \
          NSArray of such dictionaries.
          """
        ),
        Item(
          "Sy codable",
          """
          A keyed archive whose root is an NSData with a property list from \
          PropertyListEncoder.
          """
        ),
        Item(
          "Sy nscoding",
          "A keyed archive whose root object has an application's class, with one key for each field."
        ),
        Item("Sy plist", "A property list from PropertyListEncoder, without an archive."),
        Item("Sy json", "JSON."),
      ])
  }

  func schemas(_ page: inout MdocDocument) {
    page.section("SCHEMAS")
    page.text(
      """
      A schema family describes one model. Each version names an envelope and describes its \
      content in JSON Schema. These families are built in:
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
      In every family v0 is the nscoding envelope, in which a class that mirrors the model, \
      or is nested in it, conforms to NSCoding; v1 is the dictionariable envelope; v2 is the \
      codable one. A version is written as
      """)
    page.macro("Ar NAME Ns @ Ns Ar VERSION ,")
    page.text("such as WeatherFeed@v2.")
    ownFamilies(&page)
  }

  private func ownFamilies(_ page: inout MdocDocument) {
    page.paragraph(
      """
      An application's own family is a folder with family.json and a schema for each \
      version. Such folders, and folders of them, are named by --schemas, then by the \
      environment variable ARCHTOOL_SCHEMAS, and are searched in archtool/schemas below \
      XDG_CONFIG_HOME, which is .config in the home folder if it is not set. Of two families \
      with the same name the first counts; built-in families are last. To write a family, \
      see
      """)
    page.macro("Xr archtool-schema 5 .")
    page.paragraph(
      """
      A file is treated as the version whose envelope it has and with which it shares the \
      most members. A schema outside of families is named with --schema-file; it may apply \
      to any envelope.
      """)
  }
}

// MARK: - The manual page's sections on the checks of validation, and on its reports

extension ManualPage {
  func lints(_ page: inout MdocDocument) {
    page.section("LINTS")
    page.text(
      """
      Besides schemas, archtool validate checks the bytes and the structure of archives. The \
      name of a check is in brackets after its finding, and is the rule in reports.
      """)
    page.subsection("Faults")
    page.text(
      """
      These are errors. They are all reported for a file that cannot be decoded, and for \
      other files only with --lint or --allow-classes.
      """)
    page.list(width: "Ds", Lint.allCases.filter { !$0.isAdvisory }.map(Self.item))
    page.subsection("Advice")
    page.text("These are warnings of --lint, which do not make a file invalid.")
    page.list(width: "Ds", Lint.allCases.filter(\.isAdvisory).map(Self.item))
  }

  private static func item(_ lint: Lint) -> Item {
    Item("Sy " + MdocText.argument(lint.rawValue), HelpText.sentence(lint.explanation))
  }

  func reports(_ page: inout MdocDocument) {
    page.section("REPORTS")
    page.text("archtool validate writes its results in the format of --format:")
    page.list(width: "ndjson", Self.reportFormats)
    page.paragraph(
      """
      A result in JSON has these members in addition to those of JSON Schema, which are \
      valid, keywordLocation, absoluteKeywordLocation, instanceLocation, error and errors:
      """)
    page.list(width: "expectedfound", Self.resultMembers, isCompact: true)
    page.paragraph("A file has these:")
    page.list(width: "expectedfound", Self.fileMembers, isCompact: true)
    page.paragraph(
      """
      An offset counts bytes from the beginning of the file, also for a value inside data. \
      Unknown members are null.
      """)
  }

  private static let reportFormats =
    [
      Item(
        "Sy text",
        """
        A verdict for each file on standard output, a line for each problem on standard \
        error. With --explain the value in its context and the location of the keyword \
        follow.
        """)
    ] + ReportFormat.all.map { Item("Sy " + $0.name, $0.meaning) }

  private static let resultMembers = [
    Item("Ql rule", "The violated keyword, or the lint."),
    Item("Ql path", "The location in the graph."),
    Item("Ql offset , length", "The bytes of the value."),
    Item("Ql expected , found", "What the schema allows, and the value found."),
  ]

  private static let fileMembers = [
    Item("Ql file", "Its name, as on the command line or as found."),
    Item("Ql verdict", "One of valid, noSchema, invalid and unreadable."),
    Item("Ql schema", "The version that it was checked against."),
    Item("Ql reason", "Why it was treated as that version."),
    Item("Ql errorCount", "The number of errors, independent of --max-errors."),
    Item("Ql warnings", "Results that do not make the file invalid."),
  ]
}
