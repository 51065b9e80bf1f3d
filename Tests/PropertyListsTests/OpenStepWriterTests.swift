// OpenStep property lists that archtool wrote: they read back equal, and by Foundation if it supports the types.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct OpenStepWriterTests {
  private static let batches = 10
  private static let perBatch = 30

  private static let seed: UInt64 = {
    let given = ProcessInfo.processInfo.environment["ARCHTOOL_SEED"].flatMap { UInt64($0) }
    let seed = given ?? 1
    print("random OpenStep values: ARCHTOOL_SEED=\(seed)")
    return seed
  }()

  private static func makers(_ batch: Int, hasUIDs: Bool) -> [SampleMaker] {
    (0..<perBatch).map {
      SampleMaker(seed: seed &+ UInt64(batch * perBatch + $0), hasUIDs: hasUIDs)
    }
  }

  /// Converts as `archtool convert` does.
  private func convert(
    _ data: Data, to target: ConversionTarget
  ) throws(ArchiveError) -> Data {
    var output = OutputBuffer(descriptor: nil)
    _ = try Conversion(to: target).run(
      ByteStorage(copying: Array(data)), name: "test", to: &output)
    return Data(output.bytes.bytes)
  }

  private func convert(
    _ value: SampleValue, to target: ConversionTarget
  ) throws(ArchiveError) -> Data {
    try convert(Data(BinaryWriter.write(value.document).array), to: target)
  }

  @Test(arguments: 0..<batches) func randomValuesComeBackTheSame(_ batch: Int) throws {
    for var maker in Self.makers(batch, hasUIDs: true) {
      let value = maker.value(depth: 3)
      let binary = try convert(value, to: .binary)
      let text = try convert(binary, to: .openStep)
      // What is no list says by its first characters that it is none of JSON's scalars, but a string does not.
      let back = try OpenStepReading.binary(text)
      #expect(back == binary, "seed \(Self.seed), batch \(batch): \(value.canonical)")
      if value.isContainer {
        #expect(try convert(text, to: .binary) == binary, "seed \(Self.seed), batch \(batch)")
      }
    }
  }

  @Test(arguments: 0..<batches) func foundationReadsWhatItKnows(_ batch: Int) throws {
    for var maker in Self.makers(batch, hasUIDs: false) {
      let value = maker.value(depth: 3).ofStringsAndData
      let text = try convert(value, to: .openStep)
      #expect(
        foundationReading(text) == value.canonical,
        "seed \(Self.seed), batch \(batch): \(String(decoding: text, as: UTF8.self))")
    }
  }

  @Test(
    arguments: [
      (SampleValue.string("a"), "\"a\"\n"), (.string(""), "\"\"\n"), (.array([]), "()\n"),
      (.dictionary([]), "{}\n"), (.data([]), "<>\n"),
      (.data([0, 1, 2, 3, 0xFF]), "<00010203 ff>\n"),
      (
        .array([.string("a/b"), .string("a//b"), .string("a b"), .string("")]),
        "(\n    a/b,\n    \"a//b\",\n    \"a b\",\n    \"\"\n)\n"
      ),
      (
        .dictionary([("k", .array([.string("v")]))]),
        "{\n    k = (\n        v\n    );\n}\n"
      ),
      (
        .array([.string("\"\\\t\n\r\u{0}\u{7F}ü🌦")]),
        "(\n    \"\\\"\\\\\\t\\n\\r\\U0000\\U007f\\U00fc\\Ud83c\\Udf26\"\n)\n"
      ),
      (
        .array([.integer(-5), .unsigned(.max), .boolean(true), .boolean(false)]),
        "(\n    <*I-5>,\n    <*I18446744073709551615>,\n    <*BY>,\n    <*BN>\n)\n"
      ),
      (
        .array([.real(1.5), .real(-.infinity), .real(.nan)]),
        "(\n    <*R1.5>,\n    <*R-inf>,\n    <*Rnan>\n)\n"
      ),
      (
        .array([.date(0), .date(0.5), .date(-0.25)]),
        "(\n    <*D2001-01-01 00:00:00 +0000>,\n    <*D2001-01-01 00:00:00.5 +0000>,\n"
          + "    <*D2000-12-31 23:59:59.75 +0000>\n)\n"
      ),
      (.array([.uid(5)]), "(\n    {CF$UID = <*I5>;}\n)\n"),
    ] as [(SampleValue, String)])
  func spellsEveryType(_ value: SampleValue, _ wanted: String) throws {
    let text = try convert(value, to: .openStep)
    #expect(String(decoding: text, as: UTF8.self) == wanted)
    #expect(try OpenStepReading.binary(text) == convert(value, to: .binary))
  }

  @Test(.enabled(if: Corpus.isPresent)) func foundationReadsFilesOfOthers() throws {
    for path in [
      "rust-plist/netnewswire.pbxproj",
      "swift-foundation/test_oldStylePlist_getSlashedChars_unicode_expected.plist",
    ] {
      let data = try Data(contentsOf: try #require(Corpus.file("plist/\(path)")))
      let objects = try [data, convert(data, to: .openStep)].map {
        try PropertyListSerialization.propertyList(from: $0, format: nil) as? NSObject
      }
      #expect(objects[0] == objects[1])
    }
  }

  @Test(arguments: [
    0.5, 0.1, -0.1, 1e-300, -1e-9, 576_217_800.123456, -576_217_800.987654, 1.0 / 3, 2.3e-308,
    8_000_000_000_000.25, -60_000_000_000.5, 252_423_993_599, 4503599627370495.5,
  ])
  func datesComeBackToTheLastBit(_ seconds: Double) throws {
    let binary = try convert(.array([.date(seconds)]), to: .binary)
    #expect(try convert(convert(binary, to: .openStep), to: .binary) == binary)
  }

  @Test(
    arguments: [
      (SampleValue.dictionary([("a", .array([.string("b"), .null]))]), "$.a[1]"),
      (.null, "$"), (.array([.date(.nan)]), "$[0]"), (.array([.date(.infinity)]), "$[0]"),
      (.array([.date(1e300)]), "$[0]"), (.array([.uid(.max)]), "$[0]"),
    ] as [(SampleValue, String)])
  func refusesWhatHasNoSpelling(_ value: SampleValue, _ path: String) {
    let error = #expect(throws: ArchiveError.self) { try convert(value, to: .openStep) }
    #expect(error?.code == .unrepresentable)
    #expect(error?.path?.description == path)
  }

  @Test(arguments: [Marker.set, Marker.orderedSet]) func refusesSets(_ kind: UInt8) {
    var builder = GraphBuilder()
    let key = builder.add("k")
    builder.open()
    builder.append(key)
    builder.open()
    builder.append(key)
    builder.append(builder.close(kind))
    let top = builder.closeDictionary()
    let document = builder.finish(top: top)
    var output = OutputBuffer(descriptor: nil)
    let error = #expect(throws: ArchiveError.self) {
      try OpenStepFormat.write(document, WritingOptions(limits: Limits()), to: &output)
    }
    #expect(error?.code == .unrepresentable)
    #expect(error?.path?.description == "$.k")
  }

  /// A dictionary that would be read back as a UID is not written.
  @Test(arguments: [
    (ConversionTarget.xml, SampleValue.integer(5), true), (.xml, .integer(.max), true),
    (.xml, .integer(-5), false), (.xml, .unsigned(.max), false), (.xml, .string("5"), false),
    (.xml, .real(5), false), (.openStep, .integer(5), true), (.openStep, .integer(-5), false),
    (.openStep, .unsigned(.max), false), (.openStep, .string("5"), true),
    (.openStep, .string("007"), true), (.openStep, .string("-5"), false),
    (.openStep, .string(""), false), (.openStep, .string("18446744073709551615"), true),
    (.openStep, .string("18446744073709551616"), false), (.openStep, .real(5), false),
    (.openStep, .data([5]), false), (.openStep, .array([.integer(5)]), false),
  ])
  func refusesADictionaryThatWouldBecomeAUID(
    _ target: ConversionTarget, _ number: SampleValue, _ isRefused: Bool
  ) throws {
    let value = SampleValue.dictionary([("a", .dictionary([("CF$UID", number)]))])
    let binary = try convert(value, to: .binary)
    if isRefused {
      let error = #expect(throws: ArchiveError.self) { try convert(value, to: target) }
      #expect(error?.code == .unrepresentable)
      #expect(error?.path?.description == "$.a")
    } else {
      #expect(try convert(convert(value, to: target), to: .binary) == binary)
    }
    // With a second key it is no UID.
    let pair = SampleValue.dictionary([("CF$UID", number), ("b", .string("c"))])
    #expect(
      try convert(convert(pair, to: target), to: .binary) == convert(pair, to: .binary))
  }
}

/// The text as a binary property list, read by the OpenStep reader whatever else it may look like.
private enum OpenStepReading {
  static func binary(_ text: Data) throws -> Data {
    let document = try readOpenStep(text).documents[0]
    return Data(BinaryWriter.write(try TableCopy.canonical(document, limits: Limits())).array)
  }
}

extension SampleValue {
  fileprivate var isContainer: Bool {
    switch self {
    case .array, .dictionary: return true
    default: return false
    }
  }

  /// The value with strings for all that OpenStep has not.
  fileprivate var ofStringsAndData: SampleValue {
    switch self {
    case .string, .data: return self
    case .array(let elements): return .array(elements.map(\.ofStringsAndData))
    case .dictionary(let pairs):
      return .dictionary(pairs.map { ($0.0, $0.1.ofStringsAndData) })
    default: return .string(canonical)
    }
  }
}
