// Characters that XML 1.0 forbids, but that Foundation writes to XML and reads back.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct XMLCharacterTests {
  private static func document(_ body: String) -> Data {
    Data(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\(body)</plist>".utf8)
  }

  static let accepted = [
    "<array><string>a\u{1}b</string><string>c</string></array>", "<string>a\u{0}b</string>",
    "<string>\u{FFFE}\u{FFFF}</string>", "<string>a&#1;b&#x1f;&#0;</string>",
    "<string>a&#xFFFE;b&#65535;</string>", "<dict><key>a\u{1}</key><true/></dict>",
    "<string><![CDATA[a\u{1}&#1;b]]></string>", "<!-- \u{1} --><string>\u{1B}[0m</string>",
    "<array><string>\u{10F001}\u{1}</string><string>\u{10F040}</string></array>",
    "<string>&#x10F001;\u{1}</string>", "<string>a\u{C}&amp;\u{2}&#65;</string>",
  ]

  private static func read(_ data: Data) throws -> (NSObject, [ArchiveError]) {
    let graph = try readGraph(data)
    return (graph.foundationObject(graph.root), graph.warnings)
  }

  @Test(arguments: accepted)
  func readsWhatFoundationReads(_ body: String) throws {
    let data = Self.document(body)
    let wanted = try #require(
      try PropertyListSerialization.propertyList(from: data, format: nil) as? NSObject)
    let (value, warnings) = try Self.read(data)
    #expect(value == wanted)
    #expect(warnings.count == 1 && warnings[0].message.contains("XML 1.0 has no character"))
  }

  @Test func readsWhatFoundationWrites() throws {
    let list = NSArray(array: ["\u{0}\u{1}\u{1F}\u{7F}\u{FFFE}", "plain", ["\u{2}": 1]] as [Any])
    let data = try PropertyListSerialization.data(
      fromPropertyList: list, format: .xml, options: 0)
    #expect(try Self.read(data).0 == list)
  }

  @Test func readsThemInUTF16() throws {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><string>a\u{1}b</string></plist>"
    let data = try #require(text.data(using: .utf16))
    #expect(try Self.read(data).0 == NSString(string: "a\u{1}b"))
  }

  @Test func namesTheByteOfTheFirst() throws {
    let data = Self.document("<array><string>é</string><string>a\u{1}\u{2}</string></array>")
    let offset = try #require(data.firstIndex(of: 1))
    #expect(try Self.read(data).1.map(\.offset) == [offset])
  }

  @Test func namesTheByteOfAFaultBehindThem() throws {
    let data = Self.document("<array><string>\u{1}\u{1}</string><integer>x</integer></array>")
    let fault = try #require(data.range(of: Data("<integer>".utf8)))
    let error = #expect(throws: ArchiveError.self) { try Self.read(data) }
    #expect(error?.offset == fault.lowerBound)
  }

  @Test(arguments: ["<array>\u{1}<true/></array>", "<string>&#xD800;</string>"])
  func refusesWhatFoundationRefuses(_ body: String) {
    let data = Self.document(body)
    #expect(throws: (any Error).self) {
      try PropertyListSerialization.propertyList(from: data, format: nil)
    }
    #expect(throws: ArchiveError.self) { try Self.read(data) }
  }

  /// In recovery a byte that is no character, or an ampersand that stands for itself, costs nothing else.
  @Test(arguments: [
    ("a\u{1}b", "a\u{1}b"), ("a & b", "a & b"), ("a &nope; b", "a &nope; b"),
    ("a&lt;b & c", "a<b & c"),
  ])
  func recoveryKeepsTheRest(_ text: String, _ wanted: String) throws {
    try check(Self.document("<array><string>\(text)</string><string>c</string></array>"), wanted)
  }

  @Test func recoveryKeepsWhatFollowsABrokenByte() throws {
    var data = Self.document("<array><string>a?b</string><string>c</string></array>")
    let place = try #require(data.lastIndex(of: UInt8(ascii: "?")))
    data[place] = 0xFF
    try check(data, "a\u{FFFD}b")
  }

  private func check(_ data: Data, _ wanted: String) throws {
    let graph = try ArchiveReader(recovering: true).read(ByteStorage(copying: Array(data)))
    #expect(graph.foundationObject(graph.root) == NSArray(array: [wanted, "c"]))
  }
}
