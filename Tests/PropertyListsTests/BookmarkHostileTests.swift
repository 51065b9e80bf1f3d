// Malicious or damaged bookmarks: an error with a location, and an amount of work that their size bounds.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct BookmarkHostileTests {
  private func read(_ bytes: [UInt8]) throws(ArchiveError) {
    let graph = try readGraph(Data(bytes))
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(graph.root, of: graph, to: &output)
  }

  private static let sample: [UInt8] = {
    var maker = BookmarkMaker()
    let text = maker.add("abc")
    let number = maker.add(0x0303, [1, 2, 3, 4])
    let list = maker.addList(0x0601, [text, number])
    let pairs = maker.addList(0x0701, [text, list])
    maker.addTable(1, [(0x1004, list), (0x8000_0000 | text, pairs)])
    maker.addTable(2, [(0x1003, text)])
    return maker.bytes()
  }()

  @Test func aCutBookmarkIsAnErrorAtTheCut() throws {
    try read(Self.sample)
    for length in 17..<Self.sample.count {
      // The last word of the last entry is not read.
      guard length < Self.sample.count - 4 else { continue }
      let error = #expect(throws: ArchiveError.self) { try read(Array(Self.sample.prefix(length))) }
      #expect(error?.code == .truncated || length < 48, "\(length): \(String(describing: error))")
      #expect((error?.offset ?? .max) <= length, "\(length): \(String(describing: error))")
    }
  }

  @Test func anyOtherByteIsReadOrRefused() {
    for position in Self.sample.indices.dropFirst(12) {
      for byte in [UInt8(0), 1, 2, 4, 8, 12, 0x24, 0x7F, 0x80, 0xFE, 0xFF] {
        var damaged = Self.sample
        damaged[position] = byte
        do { try read(damaged) } catch {
          #expect(!error.message.isEmpty)
          #expect((error.offset ?? 0) <= damaged.count)
        }
      }
    }
  }

  /// Every offset in the bookmark leads to every second place.
  @Test func offsetsMayLeadAnywhere() {
    let places =
      Array(stride(from: UInt32(0), through: UInt32(Self.sample.count), by: 2)) + [
        .max, 0x7FFF_FFFF, 0x8000_0000,
      ]
    for position in stride(from: 48, to: Self.sample.count - 3, by: 4) {
      for place in places {
        var damaged = Self.sample
        damaged.replaceSubrange(position..<(position + 4), with: BookmarkMaker.word(place))
        do { try read(damaged) } catch { #expect(!error.message.isEmpty) }
      }
    }
  }

  private static func patched(_ changes: [(offset: Int, word: UInt32)]) -> [UInt8] {
    var bytes = BookmarkMaker.bytes(0x0601, [4, 0, 0, 0])
    for change in changes {
      bytes.replaceSubrange(
        change.offset..<(change.offset + 4), with: BookmarkMaker.word(change.word))
    }
    return bytes
  }

  /// The header ends at 48, an array that holds itself lies at 52, and the table at 64.
  @Test(
    arguments: [
      ([], ArchiveError.Code.cycle, 52), ([(60, 2)], .truncated, 50),
      ([(12, 0)], .malformed, 12), ([(12, 15)], .malformed, 12), ([(12, .max)], .malformed, 12),
      ([(48, 0)], .malformed, 48), ([(48, .max)], .truncated, 96), ([(52, 41)], .truncated, 52),
      ([(52, .max)], .truncated, 52), ([(60, .max)], .truncated, 96), ([(68, 0)], .malformed, 64),
      ([(80, 5)], .malformed, 80), ([(80, .max)], .malformed, 80),
      ([(80, 2), (60, 0)], .truncated, 96),
      ([(76, 16), (60, 0), (52, 0)], .malformed, 64), ([(76, 4), (52, 0)], .malformed, 52),
      ([(84, 0x8000_0004)], .malformed, 52), ([(84, .max)], .truncated, 96),
      ([(88, 44)], .truncated, 96),
    ] as [([(offset: Int, word: UInt32)], ArchiveError.Code, Int)])
  func refusesWhatLeadsAstray(
    _ changes: [(offset: Int, word: UInt32)], _ code: ArchiveError.Code, _ offset: Int
  ) {
    #expect(throws: ArchiveError(code, "", offset: offset)) { try read(Self.patched(changes)) }
  }

  @Test(arguments: [(60, true), (100, false), (10_000, false)])
  func nestsToALimit(_ levels: Int, _ isRead: Bool) throws {
    var maker = BookmarkMaker()
    var item = maker.add("a")
    for _ in 0..<levels { item = maker.addList(0x0601, [item]) }
    maker.addTable(1, [(0x1004, item)])
    if isRead {
      try read(maker.bytes())
    } else {
      let error = #expect(throws: ArchiveError.self) { try read(maker.bytes()) }
      #expect(error?.code == .limit)
    }
  }

  /// Thousands of lists, each of which is all of the bookmark that follows it.
  @Test func listsThatOverlapDoNotMultiply() {
    let count: UInt32 = 10_000
    // Every word is the type of a list, or else its size, at which an item without content lies.
    let size = count * 4
    var body = BookmarkMaker.word(count * 16)
    for _ in 0..<(count * 2 - 1) { body += BookmarkMaker.word(size) + BookmarkMaker.word(0x0601) }
    body += [UInt8](repeating: 0, count: Int(count * 16) - body.count)
    for place in [Int(size), 0x0601] {
      body.replaceSubrange(place..<(place + 8), with: [0, 0, 0, 0, 1, 10, 0, 0])
    }
    body += [0, 0xFFFF_FFFE, 1, 0, count / 2].flatMap(BookmarkMaker.word)
    for position in 0..<(count / 2) {
      body += [0x1000 + position, 4 + position * 8 + 0x1000, 0].flatMap(BookmarkMaker.word)
    }
    let header =
      Array("book".utf8) + BookmarkMaker.word(UInt32(body.count) + 48) + [0, 0, 4, 0x10]
      + BookmarkMaker.word(48) + [UInt8](repeating: 0, count: 32)
    let error = #expect(throws: ArchiveError.self) { try read(header + body) }
    #expect(error?.code == .malformed)
    #expect(error?.message.contains("overlap") == true)
  }

  /// Tables within one another's entries.
  @Test func tablesThatOverlapDoNotMultiply() {
    let count: UInt32 = 20_000
    var body = BookmarkMaker.word(8) + BookmarkMaker.word(0)
    for position in 0..<count {
      let next = position == count - 1 ? 0 : 8 + (position + 1) * 24
      body += [0, 0xFFFF_FFFE, 1, next, count, 0].flatMap(BookmarkMaker.word)
    }
    body += [UInt8](repeating: 0, count: Int(count) * 12)
    let header =
      Array("book".utf8) + BookmarkMaker.word(UInt32(body.count) + 48) + [0, 0, 4, 0x10]
      + BookmarkMaker.word(48) + [UInt8](repeating: 0, count: 32)
    let error = #expect(throws: ArchiveError.self) { try read(header + body) }
    #expect(error?.message.contains("overlap") == true, "\(String(describing: error))")
  }
}
