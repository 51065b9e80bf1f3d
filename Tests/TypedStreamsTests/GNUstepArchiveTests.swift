// GNUstep archives, compared with what their maker knows (TestArchives/Makers/make_gnustep.py); damaged ones.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct GNUstepArchiveTests {
  private static let names = ["foundation", "interface.gorm", "unknown-class"]
  private static let maker = TestArchives.root.appendingPathComponent("Makers/make_gnustep.py").path

  private func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](
      try Data(contentsOf: TestArchives.root.appendingPathComponent("GNUstep/\(name)")))
  }

  @discardableResult
  private func read(
    _ bytes: [UInt8], recovering: Bool = false, resolving: Bool = true
  ) throws(ArchiveError) -> ObjectGraph {
    let graph = try ArchiveReader(recovering: recovering).read(
      ByteStorage(copying: bytes), resolving: resolving)
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(graph.root, of: graph, to: &output)
    return graph
  }

  private func json(_ bytes: [UInt8]) throws -> NSObject? {
    let graph = try ArchiveReader().read(ByteStorage(copying: bytes))
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(graph.root, of: graph, to: &output)
    return try TestArchives.json(Data(output.bytes.array))
  }

  @Test(.enabled(if: Program.find("python3") != nil)) func valuesAreThoseOfTheMaker() throws {
    let python = try #require(Program.find("python3"))
    let wanted = try Program.run(at: python, [Self.maker, "--values"])
    #expect(try json(bytes("foundation")) == TestArchives.json(wanted.output))
  }

  @Test(.enabled(if: Program.find("python3") != nil), arguments: 1...40)
  func randomValuesAreThoseOfTheMaker(_ seed: Int) throws {
    let python = try #require(Program.find("python3"))
    let archive = try Program.run(at: python, [Self.maker, "--random", "\(seed)"])
    let wanted = try Program.run(at: python, [Self.maker, "--random-values", "\(seed)"])
    let found = try json([UInt8](archive.output))
    #expect(found == (try TestArchives.json(wanted.output)), "seed \(seed)")
  }

  @Test func lengthsOfSevenBitsAreRead() throws {
    let found = try json(bytes("version-12402")) as? [String]
    #expect(found?.map(\.count) == [200, 20000])
  }

  @Test func fieldsHaveNames() throws {
    let graph = try read(try bytes("interface.gorm"))
    for path in [
      "$.connections[0].NSSource.NSCell.NSContents", "$.nameTable.View.NSClassName",
      "$.connections[1].NSLabel", "$.nameTable.Button.NSFrame",
    ] {
      let node = try graph.node(at: GraphPath(parsing: path), from: graph.root)
      guard case .string = graph.value(of: node) else {
        Issue.record("\(path): \(graph.value(of: node))")
        continue
      }
    }
    #expect(graph.warnings.isEmpty)
  }

  /// What is before an object of an unknown class is read, and what is after it is shown.
  @Test func anUnknownClassIsSaid() throws {
    let graph = try read(try bytes("unknown-class"))
    #expect(graph.warnings.map(\.message).contains { $0.contains("class MyThing are not known") })
    let node = try graph.node(
      at: GraphPath(parsing: "$.connections['$2'].NSLabel"), from: graph.root)
    guard case .string(let text) = graph.value(of: node) else { throw CancellationError() }
    #expect(text.string == "view")
  }

  @Test(arguments: names) func aCutArchiveIsAnError(_ name: String) throws {
    let whole = try bytes(name)
    for length in stride(from: 15, to: name == "unknown-class" ? 900 : whole.count, by: 2) {
      let cut = Array(whole.prefix(length))
      let error = #expect(throws: ArchiveError.self, "\(length)") { try read(cut) }
      #expect((error?.offset ?? -1) <= length, "\(length)")
      do { try read(cut, recovering: true) } catch { #expect(!error.message.isEmpty) }
    }
  }

  @Test(arguments: names) func anyOtherByteIsReadOrRefused(_ name: String) throws {
    let whole = try bytes(name)
    // Beyond the header every third; no file repeats its parts in threes.
    for position in whole.indices where position < 51 || position % 3 == 0 {
      for byte in [UInt8(0), 0x0D, 0x10, 0x15, 0x16, 0x30, 0x90, 0xFF] {
        var damaged = whole
        damaged[position] = byte
        do { try read(damaged) } catch { #expect(!error.message.isEmpty) }
      }
    }
  }

  private static let header = Array("GNUstep archive000f4240:00000000:00000000:00000000:".utf8)

  @Test(
    arguments: [
      ([0x15, 0xFF, 0xFF, 0xFF, 0xFE, 0x02], ArchiveError.Code.truncated, "4294967294"),
      ([0xB0, 0x01], .dangling, "no object 1"), ([0x30, 0x02], .malformed, "the next is 1"),
      ([0x30, 0x01, 0x25], .malformed, "must begin with its class"),
      ([0x30, 0x01, 0x31, 0x01, 0, 0, 0, 0, 0, 0, 0], .malformed, "not empty"),
      ([0x69], .unsupported, "16 bytes"), ([0x1F], .malformed, "0x1f"),
      ([0x0D, 2], .malformed, "0 or 1"),
      ([0x34, 0x01, 0xFF, 0xFF, 0xFF, 0xFF], .truncated, "C string"),
    ] as [([UInt8], ArchiveError.Code, String)])
  func refusesWhatCannotBe(_ body: [UInt8], _ code: ArchiveError.Code, _ message: String) {
    let error = #expect(throws: ArchiveError.self) { try read(Self.header + body) }
    #expect(error?.code == code)
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    #expect(error?.offset != nil)
  }

  /// Pointers to pointers and arrays in arrays, deeper than any stack.
  @Test func nestsNoDeeperThanTheLimit() {
    var pointers = Self.header
    for number in 1..<200 { pointers += [0x33, UInt8(number)] }
    #expect(throws: ArchiveError.self) { try read(pointers) }
    let arrays = Self.header + (0..<100_000).flatMap { _ in [0x15, 0, 0, 0, 1] as [UInt8] }
    let error = #expect(throws: ArchiveError.self) { try read(arrays) }
    #expect(error?.code == .limit || error?.code == .truncated || error?.code == .malformed)
  }

  @Test func storedValuesHaveNumbers() throws {
    let graph = try read(try bytes("interface.gorm"), resolving: false)
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(graph.root, of: graph, to: &output)
    #expect(String(decoding: output.bytes.bytes, as: UTF8.self).contains("\"$types\""))
  }
}
