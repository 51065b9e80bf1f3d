// Control characters in XML, which XML 1.0 forbids and Foundation writes and reads.

import Foundation
import TestSupport
import Testing

@Suite struct ControlCharacterTests {
  private static let text = "a\u{1B}\u{1}\u{7F}é<\u{FFFF}"

  /// The files: XML as Foundation writes it, and a binary list with the same values.
  private func bench() throws -> Workbench {
    let bench = try Workbench()
    let values: NSDictionary = ["key": Self.text, "k\u{1}": "ascii\u{8}", "n": 1]
    for (name, format) in [("x", PropertyListSerialization.PropertyListFormat.xml), ("b", .binary)]
    {
      try bench.write(
        try PropertyListSerialization.data(fromPropertyList: values, format: format, options: 0),
        to: name)
    }
    return bench
  }

  private func values(_ data: Data) throws -> NSDictionary? {
    try PropertyListSerialization.propertyList(from: data, format: nil) as? NSDictionary
  }

  /// A text that had them keeps them, whatever is changed in it.
  @Test(arguments: [
    ["set", "--in-place", "--no-journal", "x", "n", "2"],
    ["insert", "--in-place", "--no-journal", "x", "m", "2"],
    ["convert", "--to", "xml1", "--in-place", "--no-journal", "x"],
    ["convert", "--to", "xml1", "--control-characters", "keep", "--in-place", "--no-journal", "x"],
  ]) func aTextKeepsThem(_ command: [String]) throws {
    let bench = try bench()
    let result = try bench.run(command)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("XML 1.0 has no character") || result.text.isEmpty)
    let found = try values(try Data(contentsOf: bench.url("x")))
    #expect(found?["key"] as? String == Self.text)
    #expect(found?["k\u{1}"] as? String == "ascii\u{8}")
  }

  @Test func othersGetThemIfThatIsWanted() throws {
    let bench = try bench()
    for words in [
      ["b"], ["--control-characters", "refuse", "b"], ["--control-characters", "refuse", "x"],
    ] {
      let refused = try bench.run(["convert", "--to", "xml1", "-o", "-"] + words)
      #expect(refused.status == 1 && refused.output.isEmpty)
      #expect(refused.errors.contains("XML 1.0 has no character U+"), "\(refused.errors)")
    }
    let kept = try bench.run(
      "convert", "--to", "xml1", "--control-characters", "keep", "b", "-o", "-")
    #expect(kept.status == 0)
    #expect(try values(kept.output) == (try values(try Data(contentsOf: bench.url("b")))))
    // An edit puts none into a text without them.
    try bench.write("<plist><dict><key>a</key><string>b</string></dict></plist>", to: "y")
    let edit = try bench.run("set", "--in-place", "--no-journal", "y", "a", "--string", "\u{1B}")
    #expect(edit.errors.contains("XML 1.0 has no character U+001B"), "\(edit.errors)")
  }
}
