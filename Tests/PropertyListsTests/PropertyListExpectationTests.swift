// Every property list at hand against what plistlib finds in it (Tests/Judges/plist_expectations.py).

import Foundation
import KeyedArchives
import ObjectGraph
import TestSupport
import Testing

/// What plistlib found in a file, or why it refused it.
struct PropertyListExpectation: Codable, Sendable, CustomTestStringConvertible {
  let file: String
  let hash: String?
  let error: String?

  var testDescription: String { file }

  /// The file, in TestArchives or in the corpus; nil where it is not there.
  var url: URL? {
    let own = TestArchives.root.appendingPathComponent(file)
    return FileManager.default.fileExists(atPath: own.path) ? own : Corpus.file(file)
  }

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

  static let all: [PropertyListExpectation] = {
    let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Judges/plist_expectations.jsonl")
    do {
      return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map { line in
        try JSONDecoder().decode(PropertyListExpectation.self, from: Data(line.utf8))
      }
    } catch {
      fatalError("\(list.path) cannot be read: \(error)")
    }
  }()

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

/// The stored values of a list as the text that plist_expectations.py makes of plistlib's.
private struct StoredText {
  private let graph: ObjectGraph
  let text: String

  init(_ data: Data, typed: Bool = false) throws {
    var bytes = [UInt8](data)
    if typed {
      var output = OutputBuffer(descriptor: nil)
      _ = try Conversion(to: .binary).run(ByteStorage(copying: bytes), name: "list", to: &output)
      bytes = Array(output.bytes.bytes)
    }
    graph = try ArchiveReader().read(ByteStorage(copying: bytes), resolving: false, nested: false)
    text = Self.text(graph.root, graph)
  }

  private static func text(_ node: Node, _ graph: ObjectGraph) -> String {
    switch graph.storedValue(of: node) {
    case .boolean(let flag): return flag ? "T" : "F"
    case .integer(let number): return "i\(number)"
    case .unsigned(let number): return "i\(number)"
    case .real(let number): return "r" + String(number.bitPattern, radix: 16)
    case .single(let number): return "r" + String(Double(number).bitPattern, radix: 16)
    case .string(let text): return "s" + hexadecimal(text.string.utf8)
    case .data(let bytes): return "x" + hexadecimal(bytes)
    case .date(let seconds): return "d\(Int(seconds.rounded(.toNearestOrEven)))"
    case .uid(let number): return "u\(number)"
    case .array(let elements):
      let items = (0..<elements.count).map { text(graph.node(elements, $0), graph) }
      return "[" + items.joined(separator: ",") + "]"
    case .dictionary(let pairs):
      let items = (0..<pairs.count).map { position in
        let key = graph.text(of: graph.key(pairs, position))?.string ?? ""
        return (hexadecimal(key.utf8), text(graph.value(pairs, position), graph))
      }
      let sorted = items.sorted { $0.0 < $1.0 }.map { "\($0.0):\($0.1)" }
      return "{" + sorted.joined(separator: ",") + "}"
    default: return "?"
    }
  }
}
