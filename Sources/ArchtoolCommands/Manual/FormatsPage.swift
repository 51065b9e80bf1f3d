// The manual page archtool-formats(7): encodings, envelopes, paths, and the JSON that archtool writes.

import CommandLineInterface

/// The page on what archtool reads and writes.
enum FormatsPage {
  /// The page's source.
  static func render() -> String {
    var page = MdocDocument.generated(
      name: "archtool-formats", section: 7, about: "what archtool reads and writes")
    page.write(text)
    page.references([
      ("archtool", 1), ("archtool-schema", 5), ("archtool-classes", 7), ("archtool-tutorial", 7),
    ])
    return page.source
  }

  private static let text = """
    .Sh DESCRIPTION
    An archive has an encoding, which is how bytes represent values; an envelope, which is how a
    model is wrapped; and the model itself.
    .Sh FORMATS
    An encoding is how bytes represent values. These are read, and written by convert:
    .Bl -tag -width OpenStep
    .It Sy binary
    Binary property lists of version 0, such as bplist00: all markers, integers of 1 to 16 bytes
    with all their bits, UIDs of up to 64 bits, sets, null, shared values. Other versions are
    detected and refused: 15 of CoreFoundation, 16 and 17 of NSXPCConnection. Written as
    binary1, each value once and in CoreFoundation's order.
    .It Sy XML
    XML property lists. No document type definition is loaded, only XML's own entities are
    expanded, and declaring one is an error. Dictionaries with the single key CF$UID are UIDs.
    Control characters, which XML forbids but Foundation writes, are read with a warning, and so
    are white space and comments before the XML declaration. An element with the attribute IDREF
    stands for an earlier one with that ID, as in IOKit, with a warning. Written as xml1; XML
    has no null, no sets and no control characters, and fractions of a second in dates are lost
    with a warning.
    .It Sy OpenStep
    The text property lists of OpenStep, including .strings files and Xcode project files. A
    blank file, a semicolon after the list and a plus sign in a string without quotes are
    accepted with a warning. Numbers, booleans and dates are strings there, except in GNUstep's
    notation, as in <*I5>. Written as openstep, with GNUstep's notation for values other than
    strings; null and sets cannot be written.
    .It Sy JSON
    JSON text (RFC 8259); with --json5 also JSON5. An integer of more than 64 bits is read as a
    real, with a warning if that rounds it. Written as json; dates, data, UIDs and numbers that
    JSON cannot represent, such as integers of more than 64 bits, need --typed, which is read
    back without loss. In the fields of an object {"$boxed": 1} is a number that is a separate
    object, and {"$inline": ...} an inline value other than a number; archtool-migrate(1) has an
    example.
    .It Sy typedstream
    The format of NSArchiver and its predecessors: header versions 3 and 4, of either byte
    order. Foundation's classes are values; other classes show all groups of their values with
    their types. Written as typedstream; as keyed-archive it becomes an archive that Foundation
    opens, with the keys that --keys names for the values of a class.
    .It Sy NIBArchive
    The compiled interface files of iOS, with class names, keys and values. Foundation's
    strings, numbers and collections are shown as such. Not written; as keyed-archive, binary1
    or xml1 it becomes a keyed archive with the same objects. The objects.nib and
    keyedobjects.nib of macOS are keyed archives.
    .It Sy bookmark
    Bookmark data and Finder's alias files, as a dictionary of their fields. Not written.
    .It Sy source
    Literals of Swift and Objective-C, written as swift and objc. Not read.
    .El

    Texts may be in UTF-8, UTF-16 or UTF-32; XML also in any encoding that its declaration
    names. Any input may be compressed by gzip, and so may archives in data values; decompressed
    data may be 64 times the size of the file plus 8 MiB. Bytes after XML or after gzip's data,
    and newlines after binary input, are skipped with a warning.

    An input may also be the content of a signed message (CMS), as in .mobileprovision and
    signed .mobileconfig files; the signature is not checked. It may be Base64, also in a data
    URL or between the lines of PEM, or hexadecimal digits, with 0x before them or not, if what
    they represent begins as a known format. A note says which bytes offsets refer to. Nothing
    is written in these forms; convert writes the content with a warning.

    A keyed archive is a property list of any encoding with a table of objects; they refer to
    each other by number, may share objects, and may form cycles. Keys that begin with $ are
    shown as the application named them, values without a key under $0, $1 and so on.
    Conditional objects that were not archived are null. Unknown classes keep all their keys.
    The archiver may be of any class.

    An archive or a property list inside a data value is decoded, to any depth. A path marks it,
    as in $.prefs.weather⟨keyed archive⟩.fetchedAt. Other data is named if it is known by its
    beginning: PNG, JPEG, GIF, HEIC, PDF, SQLite, gzip, ZIP, JSON, or text in UTF-8.
    .Sh ENVELOPES
    An envelope is how a model's value is wrapped.
    .Bl -tag -width dictionariable
    .It Sy dictionariable
    A keyed archive whose root is an NSDictionary of property-list objects, or an NSArray of
    such dictionaries.
    .It Sy codable
    A keyed archive whose root is an NSData with a property list from PropertyListEncoder.
    .It Sy nscoding
    A keyed archive whose root object has an application's class, with one key for each field.
    .It Sy plist
    A property list from PropertyListEncoder, without an archive.
    .It Sy json
    JSON.
    .El
    .Sh PATHS
    Locations in a graph are written as in JSONPath (RFC 9535):
    .Bd -literal -offset 4n
    $.topCityWeathers[3].Temperature
    .Ed

    The root is $, a key follows a dot, and the number of an element, from 0, is in brackets. A
    key that is not an identifier is in brackets and quotes:
    .Bd -literal -offset 4n
    $['first name']
    .Ed

    A path goes through the model and skips the archives and data values that wrap it. In the
    tree of archtool dump the kind of an archive or property list inside a data value is in
    angle brackets, as in ⟨keyed archive⟩.
    .Sh JSON OUTPUT
    The JSON of archtool dump is for people and for other programs. An NSDictionary is an
    object, an NSArray or NSSet an array; strings, numbers, NSURL and NSUUID are plain values
    and NSNull is null. A date is a string in ISO 8601, data is Base64. An object of another
    class has its fields and a member
    .Ql $class
    with the name of the class; if two members would have the same name, all are written as the
    archiver stores them, with another dollar sign before those that begin with one. A
    dictionary with keys other than strings is an array of pairs in a member
    .Ql $entries .
    A number that JSON cannot represent is one of the strings NaN, Infinity and -Infinity. A UID
    that is not a reference is an object with the member
    .Ql $uid .

    A shared object is shown at each reference. An object that contains itself has the member
    .Ql $id
    at its first occurrence, and is referred to by
    .Ql $ref
    afterwards; an array or set that contains itself becomes an object for that:
    .Bd -literal -offset 4n
    {"$id": "#1", "$array": [{"$ref": "#1"}, "x"]}
    .Ed

    An object of a typedstream whose class has no keys is the member
    .Ql $types
    with the types of its values, and the values themselves, the first one as
    .Ql $0 .
    With --recover the member
    .Ql $lost
    describes what is missing at its location. With --depth a container below that level is the
    string …; --typed distinguishes it from a string of the file.

    With --typed nothing is lost. Values without a JSON type are objects with one member:
    .Bd -literal -offset 4n
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
    .Ed

    A value that is stored in its container, where archives usually have a reference to an
    object, is $inline; a number or a boolean that is a separate object, where archives usually
    store it inline, is $boxed. A real that JSON would read as an integer or cannot represent, a
    real of single precision, and an integer of more than 53 bits are marked as such. A
    dictionary is a list of entries if a key is not a string, begins with a dollar sign, or is
    repeated, as in a damaged file; so are repeated fields. An array, set, dictionary, date or
    object that is referred to more than once is shown once, with a number, and elsewhere by
    that number:
    .Bd -literal -offset 4n
    [{"$id": 7, "$value": ["x"]}, {"$ref": 7}]
    .Ed

    An object also has hints, the fallback classes, and versions, if its class record has them.
    A value that is stored inline instead of by reference is marked. So is an archive of another
    archiver or version:
    .Bd -literal -offset 4n
    {"$inline": "$null"}
    {"$archive": {"archiver": "NRKeyedArchiver", "root": ["x"]}}
    .Ed

    Data stays data: an archive inside it is not decoded, and its bytes are kept.
    """
}
