// Messages of NSXPCConnection, compared with what their maker knows (TestArchives/Makers/make_xpc.py); damaged ones.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct XPCReaderTests {
  private static let names = [
    "invocation.bplist16", "invocation.bplist17", "reply.bplist17", "ping.bplist17",
  ]
  private static let maker = TestArchives.root.appendingPathComponent("Makers/make_xpc.py").path

  private func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: TestArchives.root.appendingPathComponent("XPC/\(name)")))
  }

  private func json(_ bytes: [UInt8]) throws(ArchiveError) -> Data {
    let graph = try ArchiveReader().read(ByteStorage(copying: bytes))
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(graph.root, of: graph, to: &output)
    return Data(output.bytes.array)
  }

  @Test(.enabled(if: Program.find("python3") != nil), arguments: names)
  func valuesAreThoseOfTheMaker(_ name: String) throws {
    let python = try #require(Program.find("python3"))
    let wanted = try Program.run(at: python, [Self.maker, "--values", name])
    #expect(try TestArchives.json(json(bytes(name))) == TestArchives.json(wanted.output))
  }

  @Test(.enabled(if: Program.find("python3") != nil), arguments: 1...40)
  func randomValuesAreThoseOfTheMaker(_ seed: Int) throws {
    let python = try #require(Program.find("python3"))
    let message = try Program.run(at: python, [Self.maker, "--random", "\(seed)"])
    let wanted = try Program.run(at: python, [Self.maker, "--random-values", "\(seed)"])
    let found = try TestArchives.json(json([UInt8](message.output)))
    #expect(found == (try TestArchives.json(wanted.output)), "seed \(seed)")
  }

  /// What two references lead to is one object in version 17; version 16 repeats it.
  @Test(arguments: [("invocation.bplist16", false), ("invocation.bplist17", true)])
  func sharedObjectsStayShared(_ name: String, _ isShared: Bool) throws {
    let graph = try ArchiveReader().read(ByteStorage(copying: try bytes(name)))
    let points = try (0...1).map {
      try graph.node(at: GraphPath(parsing: "$[2][0].points[\($0)]"), from: graph.root)
    }
    #expect((points[0] == points[1]) == isShared)
  }

  @Test func cyclesStayCycles() throws {
    let graph = try ArchiveReader().read(ByteStorage(copying: try bytes("cycle.bplist17")))
    let same = try ["$", "$[1]", "$[0].ring", "$[0].next.next.ring[1]"].map {
      try graph.node(at: GraphPath(parsing: $0), from: graph.root)
    }
    #expect(Set(same).count == 1)
  }

  // MARK: Damage

  @Test(arguments: names + ["cycle.bplist17"]) func aCutMessageIsAnErrorAtTheCut(_ name: String)
    throws
  {
    let whole = try bytes(name)
    for length in 8..<whole.count {
      let error = #expect(throws: ArchiveError.self, "\(length)") {
        try json(Array(whole.prefix(length)))
      }
      #expect((error?.offset ?? .max) <= length, "\(length): \(String(describing: error))")
    }
  }

  @Test(arguments: names + ["cycle.bplist17"]) func anyOtherByteIsReadOrRefused(_ name: String)
    throws
  {
    let whole = try bytes(name)
    for position in whole.indices.dropFirst(8) {
      for byte in [
        UInt8(0), 1, 0x0F, 0x18, 0x22, 0x4F, 0x6F, 0x7F, 0x81, 0x88, 0xA0, 0xD0, 0xE0, 0xFF,
      ] {
        var damaged = whole
        damaged[position] = byte
        do { _ = try json(damaged) } catch {
          #expect(!error.message.isEmpty)
          #expect((error.offset ?? 0) <= damaged.count)
        }
      }
    }
  }

  private static func message(_ body: [UInt8], version: UInt8 = 0x37) -> [UInt8] {
    Array("bplist1".utf8) + [version] + body
  }

  private static func container(_ marker: UInt8, last: UInt64, _ body: [UInt8] = []) -> [UInt8] {
    [marker] + withUnsafeBytes(of: last.littleEndian, Array.init) + body
  }

  @Test(
    arguments: [
      (message([0x33, 0, 0, 0, 0, 0, 0, 0, 0]), ArchiveError.Code.unsupported, "0x33", 8),
      (message([0x10]), .unsupported, "0x10", 8), (message([0x19]), .unsupported, "0x19", 8),
      (message([0x81, 8], version: 0x36), .unsupported, "0x81", 8),
      (message([]), .truncated, "value", 8),
      (message([0x81, 8]), .dangling, "byte 8", 8),
      (
        message([0x88] + [UInt8](repeating: 0xFF, count: 8)), .dangling,
        "byte 18446744073709551615", 8
      ),
      (message([0x72, 0x41, 0x42]), .malformed, "zero byte", 8),
      (message([0x70]), .malformed, "zero byte", 8),
      (message([0x72, 0xFF, 0]), .malformed, "UTF-8", 8),
      (message([0x7F, 0x22, 1]), .malformed, "0x22", 9),
      (message([0x7F, 0x18] + [UInt8](repeating: 0xFF, count: 8)), .malformed, "too large", 10),
      (message([0x4F, 0x14, 0xFF, 0xFF, 0xFF, 0x7F]), .truncated, "2,147,483,647 bytes", 14),
      (
        message([0x6F, 0x18] + [UInt8](repeating: 0xFF, count: 7) + [0x7F]), .truncated, "string",
        18
      ),
      (message(container(0xA0, last: 17)), .malformed, "found 17", 9),
      (message(container(0xA0, last: 15)), .malformed, "found 15", 9),
      (message(container(0xA0, last: .max)), .malformed, "too large", 9),
      (message(container(0xA0, last: 18, [0x12, 0])), .truncated, "at 19", 18),
      (message(container(0xD0, last: 17, [0xB0])), .malformed, "must be a string or null", 18),
      (message(container(0xD0, last: 17, [0xE0])), .malformed, "ends after a key", 18),
      (
        message(container(0xA0, last: 26, container(0xA0, last: 27, [0xE0]))), .malformed,
        "found 27", 18
      ),
    ] as [([UInt8], ArchiveError.Code, String, Int)])
  func refusesWhatCannotBe(
    _ bytes: [UInt8], _ code: ArchiveError.Code, _ message: String, _ offset: Int
  ) {
    let error = #expect(throws: ArchiveError.self) { try json(bytes) }
    #expect(error?.code == code, "\(String(describing: error))")
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    #expect(error?.offset == offset, "\(String(describing: error))")
  }

  @Test(
    arguments: [
      (message([0xE0]), "null"), (message([0xB0]), "true"), (message([0x11, 0xFF]), "-1"),
      (message([0x13, 1, 0, 0x80]), "-8388607"), (message([0xF1, 0xFF]), "255"),
      (message([0x60]), "\"\""), (message([0x71, 0]), "\"\""),
      (message([0x76] + Array("$null".utf8) + [0]), "\"$null\""),
      (message(container(0xA0, last: 16)), "[]"), (message(container(0xD0, last: 16)), "{}"),
      (message([0x22, 0, 0, 0xC0, 0x3F]), "1.5"),
    ] as [([UInt8], String)])
  func rootsMayBeAnything(_ bytes: [UInt8], _ text: String) throws {
    #expect(String(decoding: try json(bytes), as: UTF8.self) == text + "\n")
  }

  @Test func bytesAfterTheMessageAreAWarning() throws {
    let graph = try ArchiveReader().read(ByteStorage(copying: Self.message([0xB0, 0, 0])))
    #expect(graph.warnings.map(\.offset) == [9])
  }

  @Test func nestsNoDeeperThanTheLimit() {
    let body = (0..<100_000).flatMap { _ in Self.container(0xA0, last: 900_007) }
    let error = #expect(throws: ArchiveError.self) { try json(Self.message(body)) }
    #expect(error?.code == .limit)
  }

  /// A long key that many dictionaries refer to, and lists that hold one another.
  @Test func manyReferencesDoNotMultiply() throws {
    var body = Self.container(0xA0, last: 0)
    body += [0x7F, 0x14] + withUnsafeBytes(of: UInt32(200_001).littleEndian, Array.init)
    body += [UInt8](repeating: 0x24, count: 200_000) + [0]
    var last = 17
    for _ in 0..<20_000 {
      let start = 8 + body.count
      body += Self.container(0xD0, last: UInt64(start + 8 + 7), [0x81, 17, 0x84])
      body += withUnsafeBytes(of: UInt32(last).littleEndian, Array.init)
      last = start
    }
    body.replaceSubrange(
      1..<9, with: withUnsafeBytes(of: UInt64(7 + body.count).littleEndian, Array.init))
    let graph = try ArchiveReader().read(ByteStorage(copying: Self.message(body)))
    #expect(graph.documents[0].archive?.objectCount == 20_003)
  }
}
