// Damaged texts under --recover: a wrong element costs itself, and is marked once, where it is.

import Foundation
import TestSupport
import Testing

@Suite struct RecoveredTextTests {
  /// Members whose values are no values.
  private static let xml = [
    "<key>bad</key><date>2014-02-23T09:21:06.034Z</date>", "<key>bad</key><integer>1.5</integer>",
    "<key>bad</key><real>x</real>", "<key>bad</key><foo>x</foo>", "<key>bad</key>",
    "<key>bad</key><foo><dict><key>a</key></dict><bar/></foo>",
  ]

  /// Values without keys.
  private static let pairs = ["<string>x</string>", "<foo/>", "<dict><key>a</key></dict>"]

  private func members(_ text: String, _ name: String = "f.strings") throws -> [String: Any] {
    let bench = try Workbench([name: text])
    let strict = try bench.run("dump", name)
    #expect(strict.status == 65)
    let shown = try bench.run("dump", "--recover", "--format", "json", name)
    #expect(shown.status == 65)
    #expect(shown.errors.split(separator: "\n").filter { $0.contains(": error: ") }.count >= 1)
    return try #require(try TestArchives.json(shown.output) as? [String: Any], "\(shown.errors)")
  }

  private func expectAll(_ members: [String: Any], _ comment: String) {
    for number in 0..<100 {
      #expect(members["k\(number)"] as? String == "v", "\(comment): k\(number)")
    }
    #expect(members.count == 101, "\(comment)")
  }

  private func lost(_ value: Any?) -> String? { (value as? [String: String])?["$lost"] }

  @Test(arguments: xml) func aWrongElementOfXMLCostsItself(_ element: String) throws {
    let others = (0..<100).map { "<key>k\($0)</key><string>v</string>\n" }.joined()
    let found = try members("<plist><dict>\(element)\n\(others)</dict></plist>")
    expectAll(found, element)
    #expect(lost(found["bad"]) != nil)
  }

  @Test(arguments: pairs) func aValueWithoutAKeyCostsAPair(_ element: String) throws {
    let others = (0..<100).map { "<key>k\($0)</key><string>v</string>\n" }.joined()
    let found = try members("<plist><dict>\(element)\n\(others)</dict></plist>")
    expectAll(found, element)
    #expect(found["$lost"] is String)
  }

  @Test func aKeyAtTheEndHasALostValue() throws {
    let found = try members("<dict><key>a</key><true/><key>b</key></dict>")
    #expect(found.count == 2 && lost(found["b"]) != nil)
  }

  @Test func elementsOfListsAreMarkedOneByOne() throws {
    let bench = try Workbench([
      "f": "<plist><array><true/><key>k</key><date>x</date>text<foo/><false/></array></plist>"
    ])
    let shown = try bench.run("dump", "--recover", "--format", "json", "--compact", "f")
    let list = try TestArchives.json(shown.output) as? [Any] ?? []
    #expect(list.count == 5, "\(shown.text)")
    #expect(list.map { lost($0) != nil } == [false, true, true, true, false], "\(shown.text)")
    #expect(shown.errors.contains("text is not allowed inside 'array'"))
  }

  /// The end of XML that is no longer well-formed is marked once.
  @Test func theEndIsMarkedOnce() throws {
    let bench = try Workbench(["f": "<plist><dict><key>a</key><dict><key>b</key><true"])
    let shown = try bench.run("dump", "--recover", "f").text
    #expect(shown.components(separatedBy: "$lost").count == 2, "\(shown)")
  }

  @Test(arguments: [
    #""bad" = "say "hi"";"#, #""bad" = "5" tall";"#, #""bad" = "no end;"#, #""bad" = ;"#,
    #""bad" = (a b, {x = 1;});"#, #""bad" = {a = 1 b = 2;};"#, #""bad" = <0g>;"#, #""bad" = [1};"#,
  ]) func aSlipInOpenStepTextCostsItself(_ element: String) throws {
    let others = (0..<100).map { "k\($0) = v;\n" }.joined()
    let found = try members("\(element)\n\(others)")
    expectAll(found, element)
    let nested = try members("{ inner = {\n\(element)\n\(others)}; }")
    let inner = try #require(nested["inner"] as? [String: Any])
    expectAll(inner, "nested \(element)")
  }

  @Test(arguments: [
    #""bad": "say "hi"","#, #""bad": "5" tall","#, #""bad": tru,"#, #""bad": 01,"#, #""bad" 1,"#,
    #""bad": [1 2, {"x": 1}],"#, #""bad": {"a": 1 "b": 2},"#, #""bad": 'x',"#, #""bad": "a\q","#,
    #""bad": [1, 2},"#,
  ]) func aSlipInJSONCostsItself(_ element: String) throws {
    let others = (0..<100).map { "\"k\($0)\": \"v\"" }.joined(separator: ",\n")
    let found = try members("{\(element)\n\(others)}", "f")
    if element.hasSuffix("},") && element.contains("[1, 2}") {
      // A bracket of the wrong kind ends the list and what is around it.
      #expect(found["bad"] is [Any])
    } else {
      expectAll(found, element)
    }
  }

  /// Where a text ends too early, what is open is closed, and the innermost is marked.
  @Test(arguments: [#"{"a": [1, {"b": 2"#, "{ a = ( 1, { b = 2;", "a = { b = c"])
  func aCutTextIsClosed(_ text: String) throws {
    let bench = try Workbench(["f.strings": text])
    let shown = try bench.run("dump", "--recover", "f.strings")
    #expect(shown.status == 65)
    #expect(shown.text.components(separatedBy: "$lost").count == 2, "\(shown.text)")
    #expect(shown.text.contains("b: "))
  }

  /// As many errors as elements take time that grows with the text, not with its square.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "a = /*;", "a = ;", "a = \"", "(", "{", "a = (;", "\"a\": tru,", "[", "a = {;",
    ]) func manyErrorsEnd(_ element: String) throws
  {
    let bench = try Workbench()
    for opening in ["{", "", "a = ("] {
      let text = opening + String(repeating: element + "\n", count: 20_000)
      try bench.write(text, to: "f.strings")
      let shown = try bench.run("dump", "--recover", "f.strings")
      #expect(shown.status == 65)
      #expect(shown.errors.split(separator: "\n").count < 110)
    }
  }
}
