// The manual page's prose on formats, envelopes and schemas.

extension ManualPage {
  func introduction(_ page: inout MdocDocument) {
    page.macro("Nm")
    page.text(
      """
      reads property lists and the archives that NSKeyedArchiver writes, shows what they hold, \
      checks it against schemas, and takes archives from one version of a schema to another.
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
    page.section("THE FORMATS")
    page.text("An encoding is how bytes spell values. These are read:")
    page.list(
      width: "OpenStep",
      [
        Item(
          "Sy binary",
          """
          Binary property lists of version 0, bplist00 and its kin. Other versions are named and \
          refused.
          """
        ),
        Item(
          "Sy XML",
          """
          XML property lists, in any of the encodings that XML allows. No document type \
          definition is loaded and no entity but XML's own is expanded.
          """
        ),
        Item(
          "Sy OpenStep",
          """
          The text property lists of OpenStep, .strings files and project files of Xcode among \
          them. Numbers, booleans and dates are strings there, unless they are spelled in \
          GNUstep's way, as in <*I5>.
          """
        ),
        Item(
          "Sy JSON",
          """
          JSON text, as the input of archtool create is; with --json5 also JSON5.
          """
        ),
      ])
    page.paragraph(
      """
      Texts may be in UTF-8, UTF-16 or UTF-32. Typedstreams, which NSArchiver writes, are \
      recognised and refused by name.
      """)
    page.paragraph(
      """
      A keyed archive is a property list of any encoding that holds a table of objects; they \
      refer to one another by number, may share objects, and may form cycles. Classes that are \
      not known keep all their keys.
      """)
  }

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
  }
}
