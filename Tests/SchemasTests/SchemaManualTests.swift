// The facts in archtool-schema(5) that the code determines: formats, thresholds, envelopes.

import ArchiveSchemas
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct SchemaManualTests {
  static let file = TestArchives.root.deletingLastPathComponent()
    .appendingPathComponent("man/archtool-schema.5")

  /// The words of a part of the page; those of macro lines among them.
  private static func words(from start: String, to end: String) throws -> [Substring] {
    let source = try String(contentsOf: file, encoding: .utf8)
    let first = try #require(source.range(of: start))
    let last = try #require(source.range(of: end))
    return source[first.upperBound..<last.lowerBound]
      .split { " \n,.:".contains($0) }
  }

  @Test func namesEveryFormat() throws {
    let words = try Self.words(from: ".Ss Formats\n", to: ".Ss Patterns\n")
    for format in StringFormat.allCases {
      #expect(words.contains(format.rawValue[...]), "\(format.rawValue)")
    }
  }

  @Test func namesEveryEnvelope() throws {
    let words = try Self.words(from: ".Ss A version\n", to: ".Ss Values\n")
    for envelope in Envelope.allCases {
      #expect(words.contains(envelope.rawValue[...]), "\(envelope.rawValue)")
    }
  }

  @Test func statesTheThresholdsOfInference() throws {
    let options = SchemaInference.Options()
    let text = try Self.words(from: ".Ss Inference\n", to: ".Ss Compatibility\n")
      .joined(separator: " ")
    #expect(text.contains("a location has at least \(options.enumObservations) of them"))
    #expect(text.contains("no more than \(options.enumValues) different ones"))
    #expect(text.contains("each at least \(options.enumRepetitions) times"))
    #expect(text.contains("a location has at least \(options.formatObservations) of them and all"))
    #expect(text.contains("at least \(options.mapNames) different names"))
    for format in SchemaInference.Options.usualFormats { #expect(text.contains(format.rawValue)) }
  }
}
