// The results for typedstreams: values of Foundation's classes, all values of other classes, keyed archives.

import ArchiveGraph
import ArchiveTypedStreams
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct TypedStreamTests {
  private func graph(_ name: String) throws -> ObjectGraph {
    let url = TestArchives.root.appendingPathComponent("TypedStreams/\(name)")
    return try readGraph(Data(contentsOf: url))
  }

  @Test(arguments: ["wide-integers", "wide-integers-big-endian"])
  func foundationsClassesAreValues(_ name: String) throws {
    let graph = try graph(name)
    let expected: NSArray = [
      "plain", "東京 🌦", 70000, -1_099_511_627_776, 0.1, 1.5, Data([0, 255, 128]),
      Date(timeIntervalSinceReferenceDate: 576_217_800.25),
      ["key": "plain", "again": 0.1] as NSDictionary, NSSet(object: "member"),
      "https://example.com/a",
    ]
    let found = try #require(graph.foundationObject(graph.root) as? NSArray)
    #expect(found == expected)
  }

  @Test(arguments: ["unknown-class", "unknown-class-big-endian", "unknown-class-version-3"])
  func allValuesOfAnUnknownClassAreShown(_ name: String) throws {
    let result = try Program.run(arguments: ["dump", "--compact", "TypedStreams/\(name)"])
    #expect(result.status == 0)
    let object = try #require(
      try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    #expect(object["$class"] as? String == "AppThing")
    #expect(
      object["$types"] as? String
        == "@ cCsSiIlLqQ fdB *%: * * # # !i {_NSRect={_NSPoint=ff}{_NSSize=ff}} {?=i[2s]} [4C] [3@] @"
    )
    let numbers = (1...13).map { (object["$\($0)"] as? NSNumber)?.doubleValue }
    #expect(
      numbers == [
        -1, 200, -300, 40000, -70000, 4_294_967_295, 5, 6, 70000, 4_294_967_294, 0.5,
        -2.25, 1,
      ])
    let texts = [0, 14, 15, 16, 17].map { object["$\($0)"] as? String }
    #expect(texts == ["name", "C text", "atom", "setName:", "C text"])
    for number in [18, 20, 21, 27] { #expect(object["$\(number)"] is NSNull, "\(number)") }
    #expect(object["$23"] as? [[Double]] == [[1, 2.5], [3, 4]])
    #expect((object["$24"] as? [Any])?.last as? [Int] == [8, 9])
    #expect(object["$25"] as? String == "AQIDBA==")
    let list = try #require(object["$26"] as? [Any])
    #expect(list[0] as? String == "name")
    #expect(list[1] is NSNull)
    #expect((list[2] as? [String: String])?["$ref"] == object["$id"] as? String)
  }

  @Test func namesWhatItIs() throws {
    let result = try Program.run(arguments: ["info", "TypedStreams/foundation-big-endian"])
    #expect(result.text.contains("encoding: typedstream"))
    #expect(result.text.contains("typedstream, version 4, system version 1000, big-endian"))
    #expect(result.text.contains("envelope: sequential"))
  }

  /// Foundation on Linux cannot read cycles, nor archives of classes that are not linked.
  @Test(arguments: ["foundation", "foundation-big-endian", "wide-integers"])
  func foundationOpensTheKeyedArchive(_ name: String) throws {
    let result = try Program.run(
      arguments: ["convert", "--to", "keyed-archive", "TypedStreams/\(name)", "-o", "-"])
    #expect(result.status == 0, "\(result.errors)")
    let object = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(result.output) as? NSArray
    let found = try #require(object)
    #expect(found[0] as? String == "plain")
    #expect(found[1] as? String == "東京 🌦")
    #expect(found[2] as? Int == 70000)
    #expect((found[found.count - 2] as? NSSet)?.contains("member") == true)
    #expect((found[found.count - 1] as? NSURL)?.absoluteString == "https://example.com/a")
    let dates = found.compactMap { $0 as? Date }
    #expect(dates.map(\.timeIntervalSinceReferenceDate) == [576_217_800.25])
  }

  /// Several runs of attributes, which Foundation keeps in data of their own.
  @Test(arguments: ["attributed-string", "attributed-string-big-endian"])
  func foundationOpensAnAttributedString(_ name: String) throws {
    let result = try Program.run(
      arguments: ["convert", "--to", "keyed-archive", "TypedStreams/\(name)", "-o", "-"])
    let object = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(result.output)
    let string = try #require(object as? NSAttributedString)
    #expect(string.string == "Hello, big world")
    let styles = [0, 7, 10].map { position in
      string.attributes(at: position, effectiveRange: nil).values.first as? String
    }
    #expect(styles == ["plain", "big", "plain"])
  }

  @Test func placesAreThoseOfTheObjects() throws {
    let url = TestArchives.root.appendingPathComponent("TypedStreams/foundation")
    let bytes = try Data(contentsOf: url)
    let dump = try Program.run(arguments: ["dump", "--offsets", "TypedStreams/foundation"])
    for (text, line) in [("plain", "[0]: \"plain\" @"), ("東京 🌦", "[1]: \"東京 🌦\" @")] {
      let place = try #require(dump.text.range(of: line))
      let offset = try #require(Int(dump.text[place.upperBound...].prefix { $0.isNumber }))
      let characters = try #require(bytes.range(of: Data(text.utf8))).lowerBound
      // A new object, and at the first its class, stand between.
      #expect(bytes[offset] == 0x84)
      #expect(offset < characters && characters - offset < 40)
    }
  }

  @Test func newlinesBehindTheStreamAreSkipped() throws {
    let url = TestArchives.root.appendingPathComponent("TypedStreams/colors")
    let whole = try Data(contentsOf: url)
    let result = try Program.run(arguments: ["dump", "-"], input: whole + Data([0x0D, 0x0A]))
    #expect(result.status == 0)
    #expect(result.errors.contains("@\(whole.count): warning: 2 bytes after the stream skipped"))
  }

  /// Classes that a typedstream has no layout for here, and text that it cannot hold.
  @Test(arguments: [
    (
      #"{"$object": {"class": "NSUUID", "fields": {"NS.uuidbytes": {"$data": "AAAAAAAAAAAAAAAAAAAAAA=="}}}}"#,
      "NSUUID"
    ),
    (#"["\ud800"]"#, "lone surrogate"), (#"{"$uid": 5}"#, "UID 5"),
  ])
  func whatAStreamCannotHoldIsRefused(_ json: String, _ reason: String) throws {
    let result = try Program.run(
      arguments: ["convert", "--to", "typedstream", "-", "-o", "-"], input: Data(json.utf8))
    #expect(result.status == 1)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains(reason))
  }

  @Test func namesAreGivenToValues() throws {
    let keys = "AppThing=name,,big"
    let result = try Program.run(
      arguments: [
        "convert", "--to", "keyed-archive", "--keys", keys, "TypedStreams/unknown-class", "-o", "-",
      ])
    #expect(result.status == 0, "\(result.errors)")
    let dump = try Program.run(arguments: ["dump", "--compact", "-"], input: result.output)
    let object = try #require(try JSONSerialization.jsonObject(with: dump.output) as? [String: Any])
    #expect(object["name"] as? String == "name")
    #expect(object["$1"] as? Int == -1)
    #expect(object["big"] as? Int == 200)
    let refused = try Program.run(
      arguments: [
        "convert", "--to", "keyed-archive", "--keys",
        "AppThing=" + (0..<40).map { "x\($0)" }.joined(separator: ","),
        "TypedStreams/unknown-class", "-o", "-",
      ])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("AppThing has 28 values here, but --keys names 40"))
  }

  @Test(arguments: ["TypedStreams/foundation", "Movie/v2"])
  func keysOfAClassThatIsNotThereAreWarnedOf(_ path: String) throws {
    let result = try Program.run(
      arguments: ["convert", "--to", "keyed-archive", "--keys", "Absent=a", path, "-o", "-"])
    #expect(result.status == 0)
    #expect(result.errors.contains("warning: --keys names the class Absent"))
  }

  /// The dump of a keyed archive that was a typedstream is the typedstream's.
  @Test(arguments: TypedStreamExpectation.present)
  func keepsItsDumpAsKeyedArchive(_ expectation: TypedStreamExpectation) throws {
    let path = try #require(expectation.url).path
    let before = try Program.run(arguments: ["dump", path])
    let archive = try Program.run(
      arguments: ["convert", "--to", "keyed-archive", path, "-o", "-"])
    let after = try Program.run(arguments: ["dump", "-"], input: archive.output)
    #expect(before.status == 0)
    #expect(after.text == before.text)
  }

  /// From values to a typedstream and back.
  @Test(arguments: TestArchives.valid(version: "v1").map(\.path))
  func writesValuesThatReadTheSame(_ path: String) throws {
    let before = try Program.run(arguments: ["dump", "--format", "json", path])
    let stream = try Program.run(arguments: ["convert", "--to", "typedstream", path, "-o", "-"])
    #expect(stream.status == 0, "\(stream.errors)")
    let after = try Program.run(arguments: ["dump", "--format", "json", "-"], input: stream.output)
    let values = try [before, after].map { result in
      try JSONSerialization.jsonObject(with: result.output, options: .fragmentsAllowed) as? NSObject
    }
    #expect(values[0] == values[1])
  }

  /// An archiver puts a `$` before a key that begins with one; the dictionary of a stream has the key itself.
  @Test func topLevelKeysAreWrittenAsTheApplicationGaveThem() throws {
    let archive = """
      <plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string>
      <key>$version</key><integer>100000</integer><key>$objects</key>
      <array><string>$null</string><string>a</string><string>b</string></array>
      <key>$top</key><dict>
      <key>$$x</key><dict><key>CF$UID</key><integer>1</integer></dict>
      <key>y</key><dict><key>CF$UID</key><integer>2</integer></dict>
      </dict></dict></plist>
      """
    let stream = try Program.run(
      arguments: ["convert", "--to", "typedstream", "-", "-o", "-"], input: Data(archive.utf8))
    #expect(stream.status == 0, "\(stream.errors)")
    // Strings stand in a stream as they are, behind their length.
    #expect(stream.output.range(of: Data("\u{2}$x".utf8)) != nil)
    #expect(stream.output.range(of: Data("$$x".utf8)) == nil)
    for input in [Data(archive.utf8), stream.output] {
      let dump = try Program.run(
        arguments: ["dump", "--format", "json", "--compact", "-"], input: input)
      #expect(dump.text == "{\"$x\":\"a\",\"y\":\"b\"}\n")
    }
  }
}
