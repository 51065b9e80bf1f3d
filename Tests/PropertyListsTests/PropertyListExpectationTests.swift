// Every available property list, compared with what plistlib finds in it (Tests/Judges/plist_expectations.py).

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

/// What plistlib found in a file, or why it refused it.
struct PropertyListExpectation: Codable, Sendable, CustomTestStringConvertible {
  let file: String
  let hash: String?
  let error: String?

  var testDescription: String { file }

  /// The file, in TestArchives or in the corpus; nil where it is not there.
  var url: URL? { Expectations.url(of: file) }

  /// Files that plistlib does not read and archtool does, with the reason.
  static let disagreements = [
    // CoreFoundation stops at the end of the list, too; archtool warns of the rest.
    "plist/go-plist/xml_unusual_cases/s08.plist",
    // plistlib reads no OpenStep text before Python 3.13, and no project files: OpenStepReaderTests.
    "plist/rust-plist/netnewswire.pbxproj",
  ]

  /// Every UTF-16 code unit in a string: XML has no spelling for U+0000, nor for lone surrogates.
  static let beyondXML = [
    "plist/swift-foundation/test_oldStylePlist_getSlashedChars_unicode_expected.plist"
  ]

  static let all: [PropertyListExpectation] = Expectations.lines(of: "plist_expectations.jsonl")

  static let read = all.filter { $0.hash != nil && $0.url != nil }
  static let refused = all.filter {
    $0.error != nil && $0.url != nil && !disagreements.contains($0.file)
  }
}

@Suite struct PropertyListExpectationTests {
  @Test(arguments: PropertyListExpectation.read)
  func isReadAsPlistlibReadsIt(_ expectation: PropertyListExpectation) throws {
    let data = try Data(contentsOf: try #require(expectation.url))
    let text = try StoredText(data).text
    #expect(fingerprint(text) == expectation.hash, "\(text.prefix(2000))")
  }

  @Test(arguments: PropertyListExpectation.refused)
  func isRefusedAsPlistlibRefusesIt(_ expectation: PropertyListExpectation) throws {
    let data = try Data(contentsOf: try #require(expectation.url))
    let error = #expect(throws: ArchiveError.self) { try StoredText(data) }
    #expect(error?.offset != nil, "\(String(describing: error))")
  }

  /// From binary to XML and back, and through typed JSON: the same values.
  @Test(arguments: PropertyListExpectation.read)
  func survivesEveryConversion(_ expectation: PropertyListExpectation) throws {
    var bytes = try Data(contentsOf: try #require(expectation.url))
    for target in [ConversionTarget.binary, .xml, .binary, .json, .xml, .openStep, .binary] {
      var conversion = Conversion(to: target)
      conversion.isTyped = target == .json
      if target == .xml, PropertyListExpectation.beyondXML.contains(expectation.file) {
        let error = #expect(throws: ArchiveError.self) {
          var output = OutputBuffer(descriptor: nil)
          _ = try conversion.run(ByteStorage(copying: [UInt8](bytes)), name: "list", to: &output)
        }
        #expect(error?.code == .unrepresentable)
        continue
      }
      var output = OutputBuffer(descriptor: nil)
      _ = try conversion.run(ByteStorage(copying: [UInt8](bytes)), name: "list", to: &output)
      bytes = Data(output.bytes.bytes)
      let text = try StoredText(bytes, typed: target == .json).text
      // OpenStep's types and XML have no reals of four bytes, and XML's dates no fractions; the text tells neither.
      #expect(fingerprint(text) == expectation.hash, "\(target): \(text.prefix(2000))")
    }
  }
}

/// The stored values of a list as the line that plist_expectations.py makes of plistlib's.
private struct StoredText {
  let text: String

  init(_ data: Data, typed: Bool = false) throws {
    var bytes = [UInt8](data)
    if typed {
      var output = OutputBuffer(descriptor: nil)
      _ = try Conversion(to: .binary).run(ByteStorage(copying: bytes), name: "list", to: &output)
      bytes = Array(output.bytes.bytes)
    }
    let graph = try ArchiveReader().read(
      ByteStorage(copying: bytes), resolving: false, nested: false)
    text = SampleValue(of: graph.root, in: graph).withWholeSeconds.canonical
  }
}
