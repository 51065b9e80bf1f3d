// JSON: the values that Foundation reads, and the texts that RFC 8259 forbids.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import TestSupport
import Testing

@Suite struct JSONReaderTests {
  @Test(arguments: [
    "{}", "[]", "[1,-2,3.5,1e3,1E-2,0.1]", "{\"a\":{\"b\":[true,false,null]}}",
    "[\"\\u00fc\\n\\t\\\"\\\\\\/\\b\\f\\r\"]", "[\"\\ud83d\\ude00\"]", "[\"Zürich 東京 🌦️\"]",
    " [ 1 , 2 ] ", "[9223372036854775807,-9223372036854775808,18446744073709551615]",
    "{\"\":\"\"}", "[[[[[]]]]]", "[1.7976931348623157e308,5e-324]",
  ])
  func readsWhatFoundationReads(_ text: String) throws {
    let wanted = try TestArchives.json(Data(text.utf8))
    let graph = try readGraph(Data(text.utf8))
    #expect(graph.foundationObject(graph.root) == wanted)
  }

  @Test(arguments: [
    "[", "]", "{", "[1", "[1,", "[1,]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "[01]",
    "[1.]", "[.5]", "[+1]", "[1e]", "[-]", "[\"\\x\"]", "[\"\\u12\"]", "[\"a\nb\"]", "[tru]",
    "[nul]", "[1] 2", "[1]]", "['a']", "[1e999]", "{\"a\":1 \"b\":2}", "[1 2]", "[\"", "[\"\\",
  ])
  func refusesWhatTheStandardForbids(_ text: String) {
    #expect(throws: ArchiveError.self) { _ = try readGraph(Data(text.utf8)) }
  }

  @Test(arguments: [
    ("{ name = Avatar; }", Encoding.openStepPropertyList), ("(a, b)", .openStepPropertyList),
    ("{_k = 1;}", .openStepPropertyList), ("{/* c */}", .openStepPropertyList), ("{}", .json),
    ("{\"a\": 1}", .json), ("{\"a\" = 1;}", .openStepPropertyList),
    ("\"a\" = b;", .openStepPropertyList),
  ])
  func isToldFromOpenStepByItsFirstTokens(_ text: String, _ encoding: Encoding) throws {
    #expect(try readGraph(Data(text.utf8)).documents[0].encoding == encoding)
  }

  @Test func refusesBadUTF8() {
    #expect(throws: ArchiveError(.malformed, "", offset: 2)) {
      _ = try readGraph(Data([0x5B, 0x22, 0xC3, 0x28, 0x22, 0x5D]))
    }
  }

  @Test(arguments: [
    "{\"a\":1,\"a\":2}", "{\"a\":1,\"b\":3,\"\\u0061\":2}", "[{\"b\":{\"a\":[],\"a\":{}}}]",
    "{" + (0..<40).map { "\"\($0 % 30)\":\($0)" }.joined(separator: ",") + "}",
  ])
  func keepsTheLastValueOfARepeatedKeyAndWarns(_ text: String) throws {
    let graph = try readGraph(Data(text.utf8))
    #expect(graph.warnings.map(\.code) == [.malformed])
    #expect(graph.warnings.first?.offset != nil)
    let wanted = try TestArchives.json(Data(text.utf8))
    #expect(graph.foundationObject(graph.root) == wanted)
    // No reader of the binary form has a second value to choose.
    let binary = BinaryWriter.write(graph.documents[0]).array
    let object = try PropertyListSerialization.propertyList(from: Data(binary), format: nil)
    #expect(object as? NSObject == wanted)
  }

  @Test func keepsALoneSurrogate() throws {
    let graph = try readGraph(Data("[\"\\ud800x\"]".utf8))
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(
      graph.root, of: graph, options: JSONWriter.Options(isCompact: true), to: &output)
    #expect(String(decoding: output.bytes.bytes, as: UTF8.self) == "[\"\\ud800x\"]\n")
  }

  @Test func deepNestingIsALimitNotACrash() {
    #expect(throws: ArchiveError(.limit, "", offset: 10_000)) {
      _ = try readGraph(Data(String(repeating: "[", count: 100_000).utf8))
    }
  }
}
