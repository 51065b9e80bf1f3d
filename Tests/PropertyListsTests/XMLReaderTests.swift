// XML property lists: the values that Foundation reads, and the refused texts.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import TestSupport
import Testing

@Suite struct XMLReaderTests {
  static let accepted = [
    "<string>a&lt;b&gt;&amp;&apos;&quot;&#65;&#x1F600;</string>",
    "<string><![CDATA[<raw> & ]]>tail</string>", "<string></string>", "<string/>",
    "<dict><key><![CDATA[k]]></key><integer>1</integer></dict>",
    "<dict><key/><true/></dict>", "<array><true></true><false/></array>",
    "<integer>0xfF</integer>", "<integer>-0x10</integer>", "<integer>+7</integer>",
    "<integer>- 5</integer>", "<date>20-01-02T03:04:05Z</date>", "<integer>010</integer>",
    "<integer>18446744073709551615</integer>",
    "<integer>-9223372036854775808</integer>", "<real>1.5e3</real>", "<real>-0.0</real>",
    "<real>inf</real>", "<real>-infinity</real>", "<data>A*Q!I=</data>",
    "<data>\n\tAAEC\n\tAw==\n</data>", "<date>2019-04-06T03:50:00Z</date>",
    "<date>1969-12-31T23:59:59Z</date>", "<!-- c --><array><!-- c --><?pi x?></array>",
    "<dict><key>a</key><dict><key>b</key><array/></dict></dict>",
  ]

  @Test(arguments: accepted)
  func readsWhatFoundationReads(_ body: String) throws {
    let data = Data(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\(body)</plist>".utf8)
    let wanted = try #require(
      try PropertyListSerialization.propertyList(from: data, format: nil) as? NSObject)
    let graph = try readGraph(data)
    #expect(graph.foundationObject(graph.root) == wanted)
  }

  static let refused: [(String, ArchiveError.Code)] = [
    ("<plist><TRUE/></plist>", .malformed), ("<plist><dict><true/></dict></plist>", .malformed),
    ("<plist><dict><key>a</key></dict></plist>", .malformed),
    ("<plist><dict><key>a</key><key>b</key></dict></plist>", .malformed),
    ("<plist><true/><true/></plist>", .malformed), ("<plist></plist>", .malformed),
    ("<plist><integer></integer></plist>", .malformed),
    ("<plist><integer>1 2</integer></plist>", .malformed),
    ("<plist><integer>18446744073709551616</integer></plist>", .malformed),
    ("<plist><integer>-9223372036854775809</integer></plist>", .malformed),
    ("<plist><real>0x1p3</real></plist>", .malformed),
    ("<plist><real>1,5</real></plist>", .malformed),
    ("<plist><date>2019-04-06</date></plist>", .malformed),
    ("<plist><date>2019-04-06T03:50:00+01:00</date></plist>", .malformed),
    ("<plist><string>&nope;</string></plist>", .malformed),
    ("<plist><string>&#xD800;</string></plist>", .malformed),
    ("<plist><array>text</array></plist>", .malformed), ("<plist><array>", .malformed),
    ("<key>a</key>", .malformed), ("<plist><string><b/></string></plist>", .malformed),
    (
      "<!DOCTYPE plist [<!ENTITY a \"x\">]><plist><string>&a;</string></plist>", .malformed
    ),
    (
      "<!DOCTYPE plist [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><plist><string>&a;</string></plist>",
      .malformed
    ),
  ]

  @Test(arguments: refused)
  func refuses(_ text: String, _ code: ArchiveError.Code) {
    do {
      let graph = try readGraph(Data(text.utf8))
      Issue.record("read as \(graph.foundationObject(graph.root))")
    } catch {
      #expect(error.code == code, "\(error)")
    }
  }

  @Test(arguments: [
    (String.Encoding.utf16, "UTF-16"), (.utf16LittleEndian, "UTF-16LE"), (.isoLatin1, "ISO-8859-1"),
    (.utf8, "UTF-8"),
  ])
  func readsEncodingsByDeclaration(_ encoding: String.Encoding, _ name: String) throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"\(name)\"?><plist><string>Zürich</string></plist>"
    let data = try #require(text.data(using: encoding))
    let graph = try readGraph(data)
    #expect(graph.foundationObject(graph.root) == NSString(string: "Zürich"))
  }

  @Test func keepsTheLastValueOfARepeatedKeyAndWarns() throws {
    let graph = try readGraph(
      Data("<plist><dict><key>a</key><true/><key>a</key><false/></dict></plist>".utf8))
    #expect(graph.foundationObject(graph.root) == NSDictionary(dictionary: ["a": false]))
    #expect(graph.warnings.count == 1)
  }

  @Test func readsADictionaryOfCFUIDAsAUID() throws {
    let graph = try readGraph(
      Data("<plist><dict><key>CF$UID</key><integer>5</integer></dict></plist>".utf8))
    guard case .uid(5) = graph.value(of: graph.root) else {
      Issue.record("no UID")
      return
    }
  }

  @Test func warnsOfWhatFollowsTheRoot() throws {
    let graph = try readGraph(Data("<plist><true/></plist>junk".utf8))
    #expect(graph.foundationObject(graph.root) == NSNumber(value: true))
    #expect(graph.warnings.count == 1)
  }

  @Test func deepNestingIsALimitNotACrash() {
    let text = String(repeating: "<array>", count: 100_000)
    #expect(throws: ArchiveError(.limit, "", offset: 70_000 + 6)) {
      _ = try readGraph(Data(("<plist>" + text).utf8))
    }
  }

  @Test func namesTheByteWhereTheProblemIs() {
    let text = "<plist><dict><key>a</key><integer>x</integer></dict></plist>"
    #expect(throws: ArchiveError(.malformed, "", offset: 25)) { _ = try readGraph(Data(text.utf8)) }
  }
}
