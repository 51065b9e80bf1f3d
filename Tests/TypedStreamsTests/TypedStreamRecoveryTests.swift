// The output of dump --recover for typedstreams that were truncated or damaged.

import ArchiveBasics
import ArchiveGraph
import ArchiveRendering
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct TypedStreamRecoveryTests {
  private static func bytes(_ name: String) throws -> [UInt8] {
    let url = TestArchives.root.appendingPathComponent("TypedStreams/\(name)")
    return [UInt8](try Data(contentsOf: url))
  }

  private func tree(_ bytes: [UInt8]) throws -> (text: String, losses: Int) {
    let graph = try ArchiveReader(recovering: true).read(ByteStorage(copying: bytes))
    var output = OutputBuffer(descriptor: nil)
    try TreeRenderer.render(graph.root, of: graph, to: &output)
    return (String(decoding: output.bytes.bytes, as: UTF8.self), graph.losses.count)
  }

  @Test func showsEverythingBeforeTheCut() throws {
    let whole = try Self.bytes("foundation")
    let result = try Program.run(
      arguments: ["dump", "--recover", "-"], input: Data(whole.dropLast(60)))
    #expect(result.status == 65)
    #expect(result.errors.contains("error:"))
    for found in ["plain", "東京 🌦", "70000", "2019-04-06T04:30:00.25Z"] {
      #expect(result.text.contains(found), "\(found)")
    }
    #expect(!result.text.contains("example.com"))
  }

  /// nil and what is lost can be told apart, wherever the stream ends.
  @Test(arguments: ["foundation", "attributed-string", "unknown-class", "colors"])
  func saysWhereSomethingIsLost(_ name: String) throws {
    let whole = try Self.bytes(name)
    for count in 20..<whole.count {
      do throws(ArchiveError) {
        let graph = try ArchiveReader(recovering: true).read(
          ByteStorage(copying: Array(whole.prefix(count))))
        guard !graph.losses.isEmpty else { continue }
        var output = OutputBuffer(descriptor: nil)
        try TreeRenderer.render(graph.root, of: graph, to: &output)
        let text = String(decoding: output.bytes.bytes, as: UTF8.self)
        #expect(text.contains("$lost") || text.contains("bytes⟩"), "\(count): \(text)")
      } catch {
        // Not one value is left.
      }
    }
  }

  /// The part that is there of a value in which the stream ends.
  @Test(arguments: [
    ("+\u{04}", "name", 2, #""na… ⟨2 of 4 bytes⟩""#),
    ("+\u{04}", "name", 1, #""n… ⟨1 of 4 bytes⟩""#),
    ("\u{84}\u{06}", "C text", 4, #""C te… ⟨4 of 6 bytes⟩""#),
    ("[4C]", "\u{01}\u{02}\u{03}\u{04}", 3, "data (3 bytes) 010203"),
  ])
  func showsThePartThatIsThere(
    _ before: String, _ whole: String, _ count: Int, _ shown: String
  ) throws {
    let bytes = try Self.bytes("unknown-class")
    let start = before.unicodeScalars.map { UInt8($0.value) }
    let all = start + whole.unicodeScalars.map { UInt8($0.value) }
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: all) })
    let found = try tree(Array(bytes[..<(place + start.count + count)]))
    #expect(found.text.contains(shown), "\(found.text)")
    #expect(found.losses == 1)
  }

  /// A damaged length does not make text of what follows.
  @Test func takesNoOtherValuesForText() throws {
    var bytes = try Self.bytes("unknown-class")
    let place = try #require(
      bytes.indices.first { bytes[$0...].starts(with: Array("+\u{04}name".utf8)) })
    bytes[place + 1] = 0x7F
    bytes.removeLast(bytes.count - place - 60)
    #expect(try !tree(bytes).text.contains("of 127 bytes"))
  }

  @Test func isTheSameForASoundStream() throws {
    let whole = try Self.bytes("unknown-class")
    let graph = try ArchiveReader().read(ByteStorage(copying: whole))
    var output = OutputBuffer(descriptor: nil)
    try TreeRenderer.render(graph.root, of: graph, to: &output)
    let recovered = try tree(whole)
    #expect(recovered.losses == 0)
    #expect(recovered.text == String(decoding: output.bytes.bytes, as: UTF8.self))
  }

  /// However short: values and a loss, or an error, and never more values than the whole has.
  @Test(arguments: [
    "foundation-big-endian", "unknown-class", "attributed-string", "cycle", "geometry",
  ])
  func survivesEveryTruncation(_ name: String) throws {
    let whole = try Self.bytes(name)
    var shown = 0
    for count in 1..<whole.count {
      guard let found = try? tree(Array(whole.prefix(count))) else { continue }
      shown += 1
      // Groups that end where the stream was cut are no loss that anyone could see.
      #expect(found.losses <= 1, "\(count)")
    }
    #expect(shown > whole.count / 3)
  }

  @Test(arguments: ["foundation", "unknown-class"], [0x00, 0x85, 0x86, 0x92, 0xFF] as [UInt8])
  func survivesEveryChangedByte(_ name: String, _ byte: UInt8) throws {
    let whole = try Self.bytes(name)
    for position in whole.indices {
      var bytes = whole
      bytes[position] = byte
      _ = try? tree(bytes)
    }
  }
}
