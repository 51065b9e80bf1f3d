// Data that no command may lose or change silently.

import Foundation
import TestSupport
import Testing

@Suite struct FaithfulnessTests {
  private func archive(_ objects: [String]) -> Data { HostileShapeTests.archive(objects) }

  /// A value object on a cycle is named, and referred to by its name.
  @Test func typedJSONNamesValueObjectsOnCycles() throws {
    let url = archive([
      HostileShapeTests.object("<key>NS.base</key>#1<key>NS.relative</key>#3"),
      HostileShapeTests.record("NSURL"), "<string>a</string>",
    ])
    let result = try Program.run(arguments: ["dump", "--typed", "--compact", "-"], input: url)
    #expect(result.status == 0)
    #expect(result.text.contains("\"NS.base\":{\"$ref\": "))
    #expect(result.output.count < 1000)
  }

  @Test func aFieldWhoseKeyIsNoStringKeepsItsValue() throws {
    let object = archive([
      "<dict><key>$class</key>#2<key>a</key><integer>1</integer></dict>",
      HostileShapeTests.record("App.Thing"),
    ])
    var binary = try Program.run(
      arguments: ["convert", "--to", "binary1", "-", "-o", "-"], input: object
    ).output
    // The key "a" becomes the integer 97, of as many bytes.
    let key = try #require(binary.range(of: Data([0x51, 0x61])))
    binary.replaceSubrange(key, with: [0x10, 0x61])
    let result = try Program.run(arguments: ["dump", "--compact", "-"], input: binary)
    #expect(result.status == 0)
    let read = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
    #expect(read?.count == 2)
    #expect(read?.values.contains { $0 as? Int == 1 } == true)
  }

  @Test func topLevelKeysAreShownAsTheyWereGiven() throws {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.encode(1, forKey: "$price")
    archiver.encode("unnamed" as NSString)
    archiver.finishEncoding()
    let dump = try Program.run(
      arguments: ["dump", "--compact", "-"], input: archiver.encodedData)
    let object = try JSONSerialization.jsonObject(with: dump.output) as? NSDictionary
    #expect(object == ["$price": 1, "$0": "unnamed"] as NSDictionary)
    let raw = try Program.run(arguments: ["dump", "--raw", "-"], input: archiver.encodedData)
    #expect(raw.text.contains("$$price"))
    let info = try Program.run(arguments: ["info", "-"], input: archiver.encodedData)
    #expect(info.text.contains("$price") && !info.text.contains("$$price"))
  }

  @Test func theWordNullStaysAString() throws {
    let json = Data(#"["$null", {"$null": "a"}]"#.utf8)
    let result = try Program.run(
      arguments: ["convert", "--to", "keyed-archive", "-", "-o", "-"], input: json)
    let object = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(result.output) as? NSArray
    #expect(object == ["$null", ["$null": "a"]] as NSArray)
  }

  @Test func plainJSONThatLooksTypedIsWarnedOf() throws {
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["when": ["$date": "2019-04-06T00:00:00Z"]], format: .binary, options: 0)
    let result = try Program.run(
      arguments: ["convert", "--to", "json", "-", "-o", "-"], input: list)
    #expect(result.status == 0)
    #expect(result.errors.contains("--no-tags"))
  }

  /// A binary property list of values that are given as they are stored, the first of them outermost.
  private static func binary(_ values: [[UInt8]]) -> Data {
    var bytes = Array("bplist00".utf8)
    let offsets = values.map { value in
      defer { bytes += value }
      return UInt8(bytes.count)
    }
    let table = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
    bytes +=
      [0, 0, 0, 0, 0, 0, 0, UInt8(values.count)] + [UInt8](repeating: 0, count: 15) + [table]
    return Data(bytes)
  }

  /// One key referred to twice, and two keys of the same characters.
  @Test(arguments: [[UInt8]([0xD3, 1, 1, 4, 2, 3, 3]), [0xD3, 1, 5, 4, 2, 3, 3]])
  func aKeyThatADictionaryHoldsTwiceKeepsBothValues(_ dictionary: [UInt8]) throws {
    let file = Self.binary([
      dictionary, [0x51, 97], [0x10, 1], [0x10, 2], [0x51, 98], [0x51, 97],
    ])
    let typed = try Program.run(
      arguments: ["convert", "--to", "json", "--typed", "--compact", "-", "-o", "-"], input: file)
    let pairs =
      #"{"$entries":[{"key":"a","value":1},{"key":"a","value":2},{"key":"b","value":2}]}"#
    #expect(typed.text.filter { $0 != " " } == pairs + "\n")
    let plain = try Program.run(
      arguments: ["dump", "--format", "json", "--compact", "-"], input: file)
    #expect(plain.text.filter { $0 != " " } == pairs + "\n")
    let back = try Program.run(
      arguments: ["convert", "--to", "binary1", "-", "-o", "-"], input: typed.output)
    let again = try Program.run(
      arguments: ["convert", "--to", "json", "--typed", "--compact", "-", "-o", "-"],
      input: back.output)
    #expect(again.text == typed.text)
  }

  /// The value stays, the type does not; typed JSON keeps both.
  @Test(arguments: ["xml1", "openstep", "json"])
  func aRealOfSinglePrecisionThatBecomesDoubleIsWarnedOf(_ format: String) throws {
    let file = Self.binary([[0xA2, 1, 2], [0x22, 0x3D, 0xCC, 0xCC, 0xCD], [0x22, 0x40, 0, 0, 0]])
    let result = try Program.run(
      arguments: ["convert", "--to", format, "-", "-o", "-"], input: file)
    #expect(result.status == 0)
    #expect(result.errors.contains("no reals of single precision: 2 are read back"))
    let typed = try Program.run(
      arguments: ["convert", "--to", "json", "--typed", "-", "-o", "-"], input: file)
    #expect(typed.errors.isEmpty)
    let back = try Program.run(
      arguments: ["convert", "--to", "binary1", "-", "-o", "-"], input: typed.output)
    #expect(back.output == file)
  }

  @Test func equalKeysAreNoSwiftLiteral() throws {
    let list = try Program.run(
      arguments: ["convert", "--to", "xml1", "-", "-o", "-"],
      input: Data("{\"\u{e9}\": 1, \"e\u{301}\": 2}".utf8))
    let result = try Program.run(
      arguments: ["convert", "--to", "swift", "-", "-o", "-"], input: list.output)
    #expect(result.status == 1)
    #expect(result.errors.contains("equal keys"))
  }

  @Test(.enabled(if: Program.find("gzip") != nil, "gzip is not installed"))
  func compressedTextIsShownAsWhatCameOut() throws {
    let gzip = try #require(Program.find("gzip"))
    let text = Data("<plist><dict><key>a</key><string>text</string></dict></plist>".utf8)
    let small = try Program.run(at: gzip, ["-c"], input: text).output
    let result = try Program.run(arguments: ["dump", "--hex", "$.a", "-"], input: small)
    #expect(result.text.contains("|<string>text</st|"))
  }

  @Test func twoInputsOfOneNameDoNotBecomeOneFile() throws {
    let folder = try TemporaryFolder()
    let files = try ["one", "two"].map { name in
      let inner = folder.url.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
      let file = inner.appendingPathComponent("list")
      try Data("{\"name\": \"\(name)\"}".utf8).write(to: file)
      return file.path
    }
    let out = folder.url.appendingPathComponent("out").path
    let result = try Program.run(
      arguments: ["convert", "--to", "json", "--force", "--output-dir", out] + files)
    #expect(result.status == 73)
    let kept = try String(contentsOfFile: out + "/list", encoding: .utf8)
    #expect(kept.contains("one"))
  }

  #if os(Linux)
    @Test(arguments: [
      ["--help"], ["--version"], ["help"], ["dump", "--help"], ["help", "--manual"],
    ])
    func aFullDiskIsAnErrorOfHelpAsWell(_ arguments: [String]) throws {
      let program = URL(fileURLWithPath: Program.folder).appendingPathComponent("archtool").path
      let result = try Program.run(
        at: URL(fileURLWithPath: "/bin/sh"),
        ["-c", "\"$0\" \"$@\" > /dev/full", program] + arguments)
      #expect(result.status == 74)
    }
  #endif
}
