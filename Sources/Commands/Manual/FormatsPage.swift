// The manual page archtool-formats(7): encodings, envelopes, paths, and the JSON that archtool writes.

import Basics
import CommandLineInterface

/// The page on what archtool reads and writes.
struct FormatsPage {
  typealias Item = MdocDocument.Item

  /// The page's source.
  func render() -> String {
    var page = MdocDocument.generated(
      name: "archtool-formats", section: 7, about: "what archtool reads and writes")
    page.section("DESCRIPTION")
    page.text(
      """
      An archive has an encoding, which is how bytes represent values; an envelope, which is how \
      a model is wrapped; and the model itself.
      """)
    formats(&page)
    envelopes(&page)
    paths(&page)
    jsonOutput(&page)
    page.references([
      ("archtool", 1), ("archtool-schema", 5), ("archtool-classes", 7), ("archtool-tutorial", 7),
    ])
    return page.source
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
      bytes with all their bits, UIDs of up to 64 bits, sets, null, shared values. Other versions are detected and refused: 15 of \
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
      warning, and so are white space and comments before the XML declaration. An element with \
      the attribute IDREF stands for an earlier one with that ID, as in IOKit, with a warning. \
      Written as xml1; XML has no null, no sets and no control characters, and \
      fractions of a second in dates are lost with a warning.
      """
    ),
    Item(
      "Sy OpenStep",
      """
      The text property lists of OpenStep, including .strings files and Xcode project files. \
      A blank file, a semicolon after the list and a plus sign in a string without quotes are \
      accepted with a warning. \
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
      numbers that JSON cannot represent, such as integers of more than 64 bits, need --typed, \
      which is read back without loss. In the fields of an object {"$boxed": 1} is a number that is a separate object, and \
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
}
