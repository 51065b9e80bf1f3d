// Malicious or damaged NIBArchives: an error with a location, and an amount of work that their size bounds.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct NibHostileTests {
  private func read(_ bytes: [UInt8]) throws(ArchiveError) {
    let graph = try ArchiveReader().read(ByteStorage(copying: bytes))
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(graph.root, of: graph, to: &output)
  }

  private static let sample = NibMaker.sample().bytes()

  @Test func aCutFileIsAnErrorAtTheCut() throws {
    try read(Self.sample)
    for length in 10..<Self.sample.count {
      let error = #expect(throws: ArchiveError.self) { try read(Array(Self.sample.prefix(length))) }
      #expect(error?.code == .truncated, "\(length): \(String(describing: error))")
      #expect((error?.offset ?? .max) <= length, "\(length): \(String(describing: error))")
    }
  }

  @Test func anyOtherByteIsReadOrRefused() {
    for position in Self.sample.indices.dropFirst(10) {
      for byte in [UInt8(0), 1, 2, 8, 9, 10, 11, 0x40, 0x7F, 0x80, 0x81, 0x84, 0xFE, 0xFF] {
        var damaged = Self.sample
        damaged[position] = byte
        do { try read(damaged) } catch {
          #expect(!error.message.isEmpty)
          #expect((error.offset ?? 0) <= damaged.count)
        }
      }
    }
  }

  private static func changed(_ change: (inout NibMaker) -> Void) -> [UInt8] {
    var maker = NibMaker.sample()
    change(&maker)
    return maker.bytes()
  }

  @Test(
    arguments: [
      (changed { $0.objects[1] = [0x83, 0x8B, 0x81] }, "class 3, but there are 3"),
      (changed { $0.objects[1] = [0x81, 0x8F, 0x81] }, "1 values from 15 on, but there are 15"),
      (
        changed { $0.objects[1] = [0x81, 0x8B, 0x7F, 0x7F, 0x7F, 0x7F, 0x87] }, "values from 11 on"
      ),
      (changed { $0.objects[1] = [0x81, 0x80, 0x82] }, "share values"),
      (changed { $0.values[0] = [0x84, 0, 1] }, "key 4, but there are 4"),
      (changed { $0.values[0] = [0x80, 11] }, "type 11"),
      (changed { $0.values[10] = [0x80, 10, 3, 0, 0, 0] }, "object 3, but there are 3"),
      (changed { $0.values[0] = [0, 0, 0, 0, 0, 0x80, 9] }, "above 2147483647"),
      (changed { $0.values[0] = [0x7F, 0x7F, 0x7F, 0x7F, 0x88, 9] }, "above 2147483647"),
      (changed { $0.values[9] = [0x80, 8, 0x7F, 0x7F, 0x7F, 0x7F, 0x87] }, "2,147,483,647 bytes"),
      (changed { $0.keys[0] = [0x81, 0xFF] }, "UTF-8"),
      (changed { $0.classes[0] = [0x82, 0x80, 0xFF, 0] }, "UTF-8"),
      (changed { $0.classes[0] = [0x81, 0x80, 0] }, "not empty"),
      (changed { $0.classes[0] = [0x82, 0x81, 3, 0, 0, 0, 0x41, 0] }, "fallback class 3"),
      (changed { $0.objects = [] }, "no objects"),
    ] as [([UInt8], String)])
  func refusesWhatLeadsAstray(_ bytes: [UInt8], _ message: String) {
    let error = #expect(throws: ArchiveError.self) { try read(bytes) }
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    #expect(error?.offset != nil)
  }

  /// Each of the ten numbers of the header as large as can be.
  @Test(arguments: 0..<10) func headersMayClaimAnything(_ field: Int) {
    for number in [0xFFFF_FFFF, 0x8000_0000, 0x7FFF_FFFF, Self.sample.count, Self.sample.count + 1]
    {
      var bytes = Self.sample
      bytes.replaceSubrange((10 + field * 4)..<(14 + field * 4), with: NibMaker.word(number))
      do { try read(bytes) } catch { #expect((error.offset ?? 0) <= bytes.count) }
    }
  }

  /// A long key that every object uses, in lists that hold one another.
  @Test func manyUsesOfALongKeyDoNotMultiply() throws {
    var maker = NibMaker()
    maker.add(class: "App.Thing")
    maker.add(key: String(repeating: "k", count: 100_000))
    for number in 0..<20_000 {
      maker.add(object: 0, number, 1)
      maker.add(value: 0, 10, NibMaker.word((number + 1) % 20_000))
    }
    let graph = try ArchiveReader().read(ByteStorage(copying: maker.bytes()))
    #expect(graph.documents[0].archive?.objectCount == 20_002)
  }

  /// A string that keyed archives use for nil, and keys that begin as their own do.
  @Test func valuesThatLookLikeThoseOfKeyedArchivesAreKept() throws {
    var maker = NibMaker()
    for name in ["App.View", "NSString"] { maker.add(class: name) }
    for key in ["$class", "NS.bytes", "$null"] { maker.add(key: key) }
    maker.add(object: 0, 0, 2)
    maker.add(object: 1, 2, 1)
    maker.add(value: 0, 0, [7])
    maker.add(value: 2, 10, NibMaker.word(1))
    maker.add(value: 1, 8, NibMaker.variable(5) + Array("$null".utf8))
    let graph = try ArchiveReader().read(ByteStorage(copying: maker.bytes()))
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(graph.root, of: graph, to: &output)
    let text = String(decoding: output.bytes.bytes, as: UTF8.self)
    #expect(text.contains("\"$class\": \"App.View\""), "\(text)")
    #expect(text.contains("\"$$null\": \"$null\""), "\(text)")
  }
}
