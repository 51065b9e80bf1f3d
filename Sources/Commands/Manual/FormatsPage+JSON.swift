// The part of archtool-formats(7) about paths and the JSON that archtool writes.

import CommandLineInterface

extension FormatsPage {
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
}
