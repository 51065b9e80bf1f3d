// Signed messages and archives as text: which inputs are taken for them, and what damaged ones say.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct WrappingTests {
  private func detect(_ text: String) -> DetectedFormat {
    Array(text.utf8).withByteView { Formats.all.detect($0) }
  }

  private func read(_ bytes: [UInt8]) throws(ArchiveError) -> ObjectGraph {
    try ArchiveReader().read(ByteStorage(copying: bytes))
  }

  private func sample(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: TestArchives.root.appendingPathComponent("Wrapped/\(name)")))
  }

  // MARK: Text

  /// Words, numbers and data of other formats, which may be Base64 or digits as well.
  @Test(
    arguments: [
      ("{\"a\": \"YnBsaXN0MDA=\"}", .known(.json)), ("\"YnBsaXN0MDA=\"", .known(.json)),
      ("1234", .known(.json)), ("0x1234", .known(.json)), ("null", .known(.json)),
      ("<62706c69 73743030>", .known(.openStepPropertyList)), ("hello there", .unknown),
      ("YnBsaXN0MDA = 1;", .known(.openStepPropertyList)), ("deadbeef", .unknown),
      ("YnBsaXN0MDA\n= YnBsaXN0;", .known(.openStepPropertyList)),
      ("SGVsbG8gdGhlcmU=", .known(.openStepPropertyList)),
      ("62706c697374303", .unknown), ("data:,YnBsaXN0MDA=", .unknown), ("data:;base64", .unknown),
      ("-----BEGIN CERTIFICATE-----", .unknown), ("YnBsaXN0MDA=", .wrapped(.base64)),
      (" Yn Bs\r\naXN0\tMDA ", .wrapped(.base64)), ("62706c6973743030", .wrapped(.hexadecimal)),
      ("0x62706C69 73743030", .wrapped(.hexadecimal)), ("6 2 7 06c69", .unknown),
      ("data:application/x-plist;base64,YnBsaXN0MDA=", .wrapped(.base64)),
      ("-----BEGIN CMS-----\nYnBsaXN0MDA=\n-----END CMS-----\n", .wrapped(.base64)),
      ("TklCQXJjaGl2ZQ==", .wrapped(.base64)), ("H4sIAAAA", .wrapped(.base64)),
      ("BAtzdHJlYW10eXBlZA==", .wrapped(.base64)), ("PHBsaXN0Lz4=", .wrapped(.base64)),
      ("PHN2Zy8+", .unknown),
    ] as [(String, DetectedFormat)])
  func textIsTakenForAnArchiveOnlyByWhatItHolds(_ text: String, _ format: DetectedFormat) {
    #expect(detect(text) == format)
  }

  @Test(arguments: ["movie.base64", "movie.url", "movie.pem", "movie.hex", "movie.literal"])
  func textHoldsWhatItWasMadeOf(_ name: String) throws {
    let graph = try read(try sample(name))
    let plain = try Data(contentsOf: TestArchives.root.appendingPathComponent("Movie/v2"))
    #expect(graph.unwrapped.map { Data($0.bytes) } == plain)
    #expect(graph.inflated != nil)
  }

  @Test(arguments: [
    ("movie.base64", "!", ArchiveError.Code.malformed), ("movie.hex", "g", .malformed),
    ("movie.url", "-", .malformed), ("movie.literal", "\0", .malformed),
  ])
  func aForeignCharacterIsAnErrorWithItsOffset(
    _ name: String, _ character: String, _ code: ArchiveError.Code
  ) throws {
    var bytes = try sample(name)
    let place = bytes.count / 2
    bytes[place] = Array(character.utf8)[0]
    // Beyond what determines the format.
    let long = Array(repeating: UInt8(ascii: "\n"), count: 2048)
    bytes.insert(contentsOf: long, at: place)
    let error = #expect(throws: ArchiveError.self) { try read(bytes) }
    #expect(error?.offset == place + 2048)
    #expect(error?.code == code)
  }

  @Test func aCutTextIsAnError() throws {
    for name in ["movie.base64", "movie.hex", "movie.literal", "movie.url"] {
      let whole = try sample(name)
      for length in 60..<(whole.count - 4) {
        #expect(throws: ArchiveError.self) { try read(Array(whole.prefix(length))) }
      }
    }
  }

  @Test func nothingIsTakenOutTwice() throws {
    let twice = Data(try sample("movie.base64")).base64EncodedData()
    #expect(throws: ArchiveError.self) { try read([UInt8](twice)) }
  }

  // MARK: Programs

  private static let programs = [
    "program", "program-32", "program-big", "program-32-big", "program-fat", "program-fat-64",
    "program-launchd", "program-both",
  ]

  /// The lists of a program as plistlib wrote them (make_programs.py).
  @Test(arguments: programs) func programsHoldTheListsOfTheirSections(_ name: String) throws {
    let whole = try sample(name)
    let graph = try read(whole)
    #expect(graph.wrappings == [.program])
    let content = try #require(graph.unwrapped)
    let list = try PropertyListSerialization.propertyList(
      from: Data(content.bytes), options: [], format: nil)
    let members = try #require(list as? [String: Any])
    switch name {
    case "program-launchd": #expect(members["Label"] as? String == "demo.helper")
    case "program-both":
      #expect(Set(members.keys) == ["__info_plist", "__launchd_plist"])
    default: #expect(members["CFBundleIdentifier"] as? String == "demo.helper")
    }
    if name != "program-both" {
      let offset = try #require(graph.fileOffset(of: graph.root))
      #expect(whole[offset...].starts(with: "<dict>".utf8))
    }
  }

  @Test(arguments: programs) func anyOtherByteOfAProgramIsReadOrRefused(_ name: String) throws {
    let whole = try sample(name)
    for length in 8..<whole.count {
      do { _ = try read(Array(whole.prefix(length))) } catch {
        #expect((error.offset ?? 0) <= length)
      }
    }
    for position in whole.indices.prefix(500) {
      for byte in [UInt8(0), 1, 0x19, 0x7F, 0x80, 0xFF] {
        var damaged = whole
        damaged[position] = byte
        do { _ = try read(damaged) } catch {
          #expect(!error.message.isEmpty)
          #expect((error.offset ?? 0) <= damaged.count)
        }
      }
    }
  }

  @Test func aProgramWithoutAListIsNamed() throws {
    let error = #expect(throws: ArchiveError.self) { try read(sample("program-none")) }
    #expect(error?.message.contains("__info_plist or __launchd_plist") == true)
    // Java's class files begin as programs of several architectures do.
    #expect(detect("\u{0}") == .unknown)
    let java: [UInt8] = [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 0x34]
    #expect(java.withByteView { Formats.all.detect($0) } == .unknown)
  }

  // MARK: Signed messages

  @Test(arguments: ["profile.mobileprovision", "profile.mobileconfig"])
  func aCutMessageIsAnErrorAtTheCut(_ name: String) throws {
    let whole = try sample(name)
    #expect(try read(whole).wrappings == [.signature])
    // Without its end markers the content is whole.
    let end = name.hasSuffix("config") ? whole.count - 13 : whole.count
    for length in 16..<end {
      let error = #expect(throws: ArchiveError.self) { try read(Array(whole.prefix(length))) }
      #expect((error?.offset ?? .max) <= length, "\(length): \(String(describing: error))")
    }
  }

  @Test(arguments: ["profile.mobileprovision", "profile.mobileconfig"])
  func anyOtherByteIsReadOrRefused(_ name: String) throws {
    let whole = try sample(name)
    for position in whole.indices.dropFirst().prefix(80) {
      for byte in [UInt8(0), 1, 4, 0x24, 0x30, 0x7F, 0x80, 0x81, 0x84, 0x88, 0xA0, 0xFF] {
        var damaged = whole
        damaged[position] = byte
        do { _ = try read(damaged) } catch {
          #expect(!error.message.isEmpty)
          #expect((error.offset ?? 0) <= damaged.count)
        }
      }
    }
  }

  /// The offset of a value is that in the file if the content is there in one piece.
  @Test func offsetsLeadIntoTheMessage() throws {
    let bytes = try sample("profile.mobileprovision")
    let graph = try read(bytes)
    guard case .dictionary(let pairs) = graph.value(of: graph.root) else {
      Issue.record("not a dictionary")
      return
    }
    let place = try #require(graph.fileOffset(of: graph.value(pairs, 0)))
    #expect(bytes[place...].starts(with: "<string>Weather".utf8))
    #expect(graph.inflated == nil)
  }

  private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
  }

  private static func message(_ octets: [UInt8]) -> [UInt8] {
    let data: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
    let type: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
    let inner = element(0x30, data + octets)
    return element(
      0x30, type + element(0xA0, element(0x30, [2, 1, 1] + element(0x31, []) + inner)))
  }

  @Test(
    arguments: [
      ([], ArchiveError.Code.unsupported, "without the content"),
      (element(0xA0, element(0x30, [])), .malformed, "found 0x30"),
      (element(0xA0, element(0x04, [])), .truncated, "empty"),
      (element(0xA0, [0x04, 0x88, 0xFF, 0xFF, 0xFF, 0xFF]), .malformed, "8 bytes"),
      (element(0xA0, [0x04, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]), .truncated, "beyond"),
      (element(0xA0, [0x1F, 0x04, 0]), .malformed, "0x1f"),
      (element(0xA0, [0x24, 0x80, 0x04, 0x01, 0x41]), .truncated, "beyond"),
      (
        element(0xA0, (0..<40).reduce(into: [UInt8]()) { bytes, _ in bytes += [0x24, 0x80] }),
        .limit, "nested"
      ),
    ] as [([UInt8], ArchiveError.Code, String)])
  func refusesWhatIsNoContent(_ octets: [UInt8], _ code: ArchiveError.Code, _ message: String) {
    let error = #expect(throws: ArchiveError.self) { try read(Self.message(octets)) }
    #expect(error?.code == code, "\(String(describing: error))")
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
  }

  /// A content of many parts, constructed and of known length within one another.
  @Test func joinsParts() throws {
    let text = Array("{\"a\": 1}".utf8)
    let parts = text.flatMap { [0x04, 1, $0] as [UInt8] }
    let nested = Self.element(0x24, Self.element(0x24, parts) + [0x04, 0])
    let graph = try read(Self.message(Self.element(0xA0, nested)))
    #expect(graph.documents[0].encoding == .json)
    #expect(graph.inflated.map { Array($0.bytes) } == text)
  }
}
