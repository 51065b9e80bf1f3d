// JSON5: accepted on request, with the values that Foundation's decoder reads; otherwise JSON remains strict.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct JSON5ReaderTests {
  private func read(_ text: String, allowsJSON5: Bool = true) throws(ArchiveError) -> ObjectGraph {
    let bytes = ByteStorage(copying: Array(text.utf8))
    let document = try JSONReader.read(bytes.bytes, allowsJSON5: allowsJSON5)
    let graph = ObjectGraph(limits: Limits())
    _ = graph.add(document)
    return graph
  }

  /// What is JSON5 but not JSON, and Foundation reads so.
  static let shared = [
    "{a:1}", "{'a':'b'}", "{$a_1:1}", "{_:1}", "{ü:1}", "{東:1}", "{a\u{301}:1}", "{a\u{200D}b:1}",
    "{null:1,true:2,if:3}", "{a:1,}", "{\"a\":1,}", "[1,]", "[1,/*c*/]", "[0x1F,-0xff,+0xAb,0Xa]",
    "[.5,5.,+1,-.5,+.5e3,1.e5,.5e1]", "[Infinity,-Infinity,+Infinity]", "[0xFFFFFFFFFFFFFFFF]",
    "[0x7FFFFFFFFFFFFFFF,-0x8000000000000000,-0x0]", "/* c */ 1", "1 // c", "[1 /* c */, 2 // d\n]",
    "{/*c*/}", "[//c\n]", "[//c\r1]", "/**/[1]/**/", "{a/**/:/**/1/**/}", "[1]// c", "[1]/* c */",
    "Infinity", "0x10", "+1", ".5", "'x'", "''", "['a\"b',\"a'b\"]", "[\"\\'\",'\\'']",
    "[\"\\x41\"]",
    "\u{B}[1]\u{C}", "/***/[]", "//\n[]", "[1//\n]", "{a:{b:[{c:'d',},],},}",
  ]

  @Test(arguments: shared) func readsWhatFoundationReads(_ text: String) throws {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let wanted = try decoder.decode(AnyJSON.self, from: Data(text.utf8)).object
    let graph = try read(text)
    #expect(graph.foundationObject(graph.root) == wanted)
  }

  @Test(arguments: shared + alone.map(\.0)) func isNotReadAsJSON(_ text: String) {
    let error = #expect(throws: ArchiveError.self) { try read(text, allowsJSON5: false) }
    #expect(error?.message.contains("it is JSON5, which --json5 reads") == true)
  }

  /// What the JSON5 specification has, and Foundation has not or has otherwise.
  ///
  /// The escapes `\v`, `\0` and that of any other character; lines that go on (it keeps their end); escapes in
  /// keys (it keeps the backslash); control characters in strings; lone surrogates; the white space of Unicode,
  /// whose line separators end comments. Integers that 64 bits do not hold are reals, as in JSON.
  static let alone: [(String, SampleValue)] = [
    (#"["\v\0\a\q\/"]"#, .array([.string("\u{B}\0aq/")])), ("['\\東']", .array([.string("東")])),
    ("[\"a\\\nb\"]", .array([.string("ab")])), ("['a\\\r\nb\\\rc']", .array([.string("abc")])),
    ("[\"a\\\u{2028}b\\\u{2029}\"]", .array([.string("ab")])),
    ("['a\tb']", .array([.string("a\tb")])),
    (#"{\u0061\u00fcb:1}"#, .dictionary([("aüb", .integer(1))])),
    ("[1,\u{2028}\u{A0}\u{3000}\u{FEFF}2]", .array([.integer(1), .integer(2)])),
    ("// c\u{2028}[1]", .array([.integer(1)])), ("// c\u{2029}'a'", .string("a")),
    ("[0x10000000000000000]", .array([.real(18_446_744_073_709_551_616)])),
    ("[-0x8000000000000001]", .array([.real(-9_223_372_036_854_775_808)])),
    ("[NaN,-NaN]", .array([.real(.nan), .real(.nan)])),
  ]

  @Test(arguments: alone)
  func readsWhatTheSpecificationHasAndFoundationNot(_ text: String, _ value: SampleValue) throws {
    let graph = try read(text)
    #expect(
      SampleValue(foundation: graph.foundationObject(graph.root)).canonical == value.canonical)
  }

  /// What JSON5 has not either; the byte that is named.
  static let refused: [(String, ArchiveError.Code, Int)] = [
    ("{1a:1}", .malformed, 1), ("{a-b:1}", .malformed, 2), ("[,]", .malformed, 1),
    ("[1,,2]", .malformed, 3), ("{,}", .malformed, 1), ("{a:1,,}", .malformed, 5),
    ("[0x]", .malformed, 3), ("[.]", .malformed, 2), ("[+]", .malformed, 2),
    ("[01]", .malformed, 2), ("[00]", .malformed, 2), ("[0x1.8]", .malformed, 4),
    ("[+-1]", .malformed, 2), ("[--1]", .malformed, 2), ("[- 1]", .malformed, 2),
    ("[5.e]", .malformed, 4), ("[1_000]", .malformed, 2), ("[1e999]", .malformed, 1),
    ("[infinity]", .malformed, 1), ("[nan]", .malformed, 1), ("[undefined]", .malformed, 1),
    ("[tru]", .malformed, 1), ("// c", .truncated, 4), ("", .truncated, 0),
    ("[/* c", .truncated, 1), ("/*/[1]", .truncated, 0), ("[1 /]", .malformed, 3),
    ("[1/**/2]", .malformed, 6), ("[1]x", .malformed, 3), (#"["\01"]"#, .malformed, 4),
    (#"["\1"]"#, .malformed, 3), (#"["\8"]"#, .malformed, 3), (#"["\xg1"]"#, .malformed, 4),
    (#"["\u12"]"#, .malformed, 4), ("['a]", .truncated, 4), ("[\"a'", .truncated, 4),
    ("[\"a\nb\"]", .malformed, 3), ("['a\rb']", .malformed, 3), ("{a 1}", .malformed, 3),
    ("{a:}", .malformed, 3), ("{:1}", .malformed, 1), ("{'a' 1}", .malformed, 5),
    ("{a:1 b:2}", .malformed, 5), ("{a", .truncated, 2), ("{a:", .truncated, 3),
    ("[1,", .truncated, 3), ("['\\", .truncated, 3), ("\\", .malformed, 0),
  ]

  @Test(arguments: refused)
  func refusesWhatNoJSONHas(_ text: String, _ code: ArchiveError.Code, _ offset: Int) {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    #expect(throws: (any Error).self) { try decoder.decode(AnyJSON.self, from: Data(text.utf8)) }
    #expect(throws: ArchiveError(code, "", offset: offset)) { try read(text) }
  }

  /// Foundation takes an exponent without digits for none, and digits for letters that begin a key.
  @Test(arguments: [
    ("[1e+]", 4), (#"{\u0030:1}"#, 1), (#"{a\u002d:1}"#, 2), (#"{\ud83d\ude00:1}"#, 1),
  ])
  func refusesWhatFoundationMakesUp(_ text: String, _ offset: Int) {
    #expect(throws: ArchiveError(.malformed, "", offset: offset)) { try read(text) }
  }

  @Test func keepsALoneSurrogate() throws {
    let graph = try read("['\\ud800x']")
    guard case .array(let elements) = graph.value(of: graph.root),
      case .string(let text) = graph.value(of: graph.node(elements, 0))
    else {
      Issue.record("no string")
      return
    }
    #expect((0..<2).map { text.unit(at: $0) } == [0xD800, 0x78])
  }

  @Test(arguments: ["{a: 1}", "['a']", "// c\n[1]", "{/* c */ a: 1}", ".5", "[NaN]", "[+1, 0x2]"])
  func isReadOnlyWhereItIsAskedFor(_ text: String) throws {
    let bytes = ByteStorage(copying: Array(text.utf8))
    #expect(try ArchiveReader(allowsJSON5: true).read(bytes).documents[0].encoding == .json)
    #expect(throws: ArchiveError.self) { try ArchiveReader().read(bytes) }
  }
}

/// JSON of any kind, as Foundation's decoder tells it.
private struct AnyJSON: Decodable {
  let object: NSObject

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let pairs = try? decoder.container(keyedBy: Key.self) {
      let dictionary = NSMutableDictionary()
      for key in pairs.allKeys {
        dictionary[NSString(string: key.stringValue)] = try pairs.decode(AnyJSON.self, forKey: key)
          .object
      }
      object = dictionary
    } else if var elements = try? decoder.unkeyedContainer() {
      var objects: [NSObject] = []
      while !elements.isAtEnd { objects.append(try elements.decode(AnyJSON.self).object) }
      object = NSArray(array: objects)
    } else {
      object = try Self.scalar(decoder.singleValueContainer())
    }
  }

  private static func scalar(_ value: any SingleValueDecodingContainer) throws -> NSObject {
    if value.decodeNil() { return NSNull() }
    if let flag = try? value.decode(Bool.self) { return NSNumber(value: flag) }
    if let number = try? value.decode(Int64.self) { return NSNumber(value: number) }
    if let number = try? value.decode(UInt64.self) { return NSNumber(value: number) }
    if let number = try? value.decode(Double.self) { return NSNumber(value: number) }
    return NSString(string: try value.decode(String.self))
  }
}
