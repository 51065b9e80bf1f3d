// The manual page archtool(1), made from the description of the commands and prose of its own.

import Basics
import CommandLineInterface
import FileTransactions
import KeyedArchives
import Rendering

/// Renders the manual page in mdoc.
public struct ManualPage: Sendable {
  typealias Item = MdocDocument.Item

  /// The commands.
  public let table: CommandTable

  /// Makes a renderer of the manual page.
  public init(table: CommandTable = Commands.table) { self.table = table }

  /// The page's source.
  public func render() -> String {
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
    diagnostics(&page)
    references(&page)
    return page.source
  }

  // MARK: From the description of the commands

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
    let macro = "Ar " + operands.name + (operands.isRepeated ? " ..." : "")
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
    page.text("Commands take these options; create and help take those that apply.")
    page.list(width: "Ds", OptionDescription.common.map(item))
    page.paragraph(
      """
      In GLOB a star stands for any text, a question mark for one character, and brackets for one \
      of some characters; none of them stands for a slash, and ** between slashes stands for any \
      folders. With a slash GLOB is matched against the path below the folder that was named, \
      without one against the name alone.
      """, placeholders: ["GLOB"])
    page.paragraph(
      """
      Files are looked for as they are needed. In folders that are read names that begin with \
      .archtool- are passed over, and so are the folder that results are written to and all that \
      runs leave beside archives: journals, plans, lost values, and the copies of --backup, which \
      are known by their record, not by their name. One of those that is named itself is read, but \
      never replaced. A name need not be UTF-8; its other bytes are shown as in \\xe9.
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
    page.text("With several files the status is the highest that any of them gives.")
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

// MARK: - The manual page's section on classes, made from the registry of those that are known

extension ManualPage {
  func classes(_ page: inout MdocDocument) {
    page.section("CLASSES")
    page.text(
      """
      Objects of these classes are shown as what they mean: by a value in place of their fields, or \
      by a line before them. An object whose fields are not what its class writes is shown with its \
      fields as they are, and so is an object of any other class. A subclass is shown as its nearest \
      ancestor here is, with the fields that it adds. The stored fields of every object are shown \
      with --raw, and kept by --typed.
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

// MARK: - The manual page's sections on what validation looks for, and on the reports that it

extension ManualPage {
  func lints(_ page: inout MdocDocument) {
    page.section("LINTS")
    page.text(
      """
      Besides schemas, archtool validate knows checks of the bytes and of the archive. The name of \
      a check stands in brackets behind what it found, and is the rule in reports.
      """)
    page.subsection("Faults")
    page.text(
      """
      These are errors. A file that cannot be decoded is looked through for all of them, one that \
      can be only with --lint or --allow-classes.
      """)
    page.list(width: "Ds", Lint.allCases.filter { !$0.isAdvisory }.map(Self.item))
    page.subsection("Advice")
    page.text("These are warnings, which --lint asks for, and do not make a file invalid.")
    page.list(width: "Ds", Lint.allCases.filter(\.isAdvisory).map(Self.item))
  }

  private static func item(_ lint: Lint) -> Item {
    Item("Sy " + MdocText.argument(lint.rawValue), HelpText.sentence(lint.explanation))
  }

  func reports(_ page: inout MdocDocument) {
    page.section("REPORTS")
    page.text("The results of archtool validate are written in the format that --format names:")
    page.list(width: "ndjson", Self.reportFormats)
    page.paragraph(
      """
      A result in JSON has these members besides those of JSON Schema, which are valid, \
      keywordLocation, absoluteKeywordLocation, instanceLocation, error and errors:
      """)
    page.list(width: "expectedfound", Self.resultMembers, isCompact: true)
    page.paragraph("A file has these:")
    page.list(width: "expectedfound", Self.fileMembers, isCompact: true)
    page.paragraph(
      """
      An offset counts bytes from the beginning of the file, also for a value in data that is \
      opened. What is not known is null.
      """)
  }

  private static let reportFormats =
    [
      Item(
        "Sy text",
        """
        A verdict for each file on standard output, a line for each problem on standard error. \
        With --explain each is followed by the value where it stands and the place of the keyword.
        """)
    ] + ReportFormat.all.map { Item("Sy " + $0.name, $0.meaning) }

  private static let resultMembers = [
    Item("Ql rule", "The keyword that does not hold, or the lint."),
    Item("Ql path", "The place in the graph."),
    Item("Ql offset , length", "The bytes of the value."),
    Item("Ql expected , found", "What the schema allows, and what stands there."),
  ]

  private static let fileMembers = [
    Item("Ql file", "Its name as it was given or found."),
    Item("Ql verdict", "One of valid, invalid and unreadable."),
    Item("Ql schema", "The version that it was held against."),
    Item("Ql reason", "Why it was taken for that version."),
    Item("Ql errorCount", "How many errors there are, whatever --max-errors shows."),
    Item("Ql warnings", "Results that do not make it invalid."),
  ]
}
