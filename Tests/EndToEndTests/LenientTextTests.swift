// Texts that break the rules in ways that Apple's readers accept: read with a warning.

import Foundation
import TestSupport
import Testing

@Suite struct LenientTextTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    /// The line and column of the warning.
    let place: String
    /// The values as compact JSON.
    let values: String
    /// Whether Foundation reads the same; otherwise only others of Apple's readers do.
    var isFoundations = true
    var testDescription: String { name }
  }

  private static let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>Label</key><string>x</string></dict></plist>
    """
  private static let values = #"{"Label":"x"}"#

  static let cases = [
    Case(name: "a newline before the declaration", text: "\n" + xml, place: "2:1", values: values),
    Case(name: "blanks before it", text: " \t\r\n " + xml, place: "2:2", values: values),
    Case(name: "a comment before it", text: "<!-- c -->\n" + xml, place: "2:1", values: values),
    Case(name: "a mark and a newline", text: "\u{FEFF}\n" + xml, place: "2:1", values: values),
    Case(name: "a blank text", text: " \n", place: "1:1", values: "{}"),
    Case(
      name: "a semicolon after a list", text: "(a, b);\n", place: "1:7", values: #"["a","b"]"#,
      isFoundations: false),
    Case(
      name: "a semicolon after a dictionary", text: "{a = 1;} ;", place: "1:10",
      values: #"{"a":"1"}"#, isFoundations: false),
    Case(
      name: "plus signs without quotes", text: "a = +5;\nb = c+d;", place: "1:5",
      values: #"{"a":"+5","b":"c+d"}"#, isFoundations: false),
    Case(
      name: "an element that stands for another",
      text: """
        <dict ID="0"><key>l</key><array ID="1"><dict ID="2"><key>id</key>
        <string ID="3">é&amp;</string></dict><string IDREF="3"/><integer size="32" ID="4">7</integer>
        <integer IDREF="4"/><dict IDREF="2"></dict></array></dict>
        """, place: "2:38",
      values: #"{"l":[{"id":"é&"},"é&",7,7,{"id":"é&"}]}"#, isFoundations: false),
    Case(
      name: "an element that stands for none",
      text: #"<array><string IDREF="9">a</string><array ID="1"><dict IDREF="1"/></array></array>"#,
      place: "1:8", values: #"["a",[{}]]"#),
  ]

  @Test(arguments: cases) func areReadWithAWarning(_ example: Case) throws {
    let bench = try Workbench(["f.strings": example.text])
    let shown = try bench.run("dump", "--format", "json", "--compact", "f.strings")
    let wanted = try TestArchives.json(Data(example.values.utf8))
    #expect(shown.status == 0)
    #expect(
      shown.errors.contains("f.strings:\(example.place): warning: "), "\(shown.errors)")
    // Objects that are shared have labels.
    let plain = try bench.run("convert", "--to", "json", "f.strings", "-o", "-")
    #expect(try TestArchives.json(plain.output) == wanted, "\(plain.text)")
    #expect(try bench.run("scan", ".").text.contains("f.strings\n"), "scan")
    guard example.isFoundations else { return }
    let found = try PropertyListSerialization.propertyList(
      from: Data(example.text.utf8), format: nil)
    #expect(found as? NSObject == wanted)
  }

  /// The same in UTF-16, whose positions are those of the file.
  @Test(arguments: cases.prefix(4)) func areReadInUTF16(_ example: Case) throws {
    let bench = try Workbench()
    let text = example.text.replacingOccurrences(of: "UTF-8", with: "UTF-16")
      .replacingOccurrences(of: "\u{FEFF}", with: "")
    try bench.write(try #require(text.data(using: .utf16)), to: "f.plist")
    let shown = try bench.run("dump", "f.plist")
    #expect(
      shown.errors.contains("f.plist:\(example.place): warning: "), "\(shown.errors)")
    #expect(shown.text.contains("Label"))
    let found = try bench.run("scan", ".").text
    #expect(found.contains("XML property list") && found.hasSuffix("f.plist\n"), "\(found)")
  }
}
