// Binary property lists with several faults at once: each is reported at its byte offset.

import ArchiveBasics
import ArchiveGraph
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct IntegrityBinaryTests {
  private typealias List = HandmadeList

  private struct Place: Equatable {
    let lint: Lint?
    let offset: Int?
    let byteCount: Int?
    let path: String?

    init(_ lint: Lint?, _ offset: Int?, _ byteCount: Int?, _ path: String?) {
      (self.lint, self.offset, self.byteCount, self.path) = (lint, offset, byteCount, path)
    }

    init(_ finding: Diagnostic) {
      self.init(finding.lint, finding.offset, finding.byteCount, finding.path?.description)
    }
  }

  private func places(_ list: List, _ lints: Set<Lint> = Lint.faults) -> [Place] {
    IntegritySample.findings(list.bytes, lints).map { Place($0) }
  }

  @Test func everyFaultOfAFileIsReported() {
    var list = List(objects: [
      [0xA8, 1, 2, 3, 4, 5, 6, 7, 8],  // 0: an array of all the others
      [0x52, 0x61, 0x62],  // 1: sound
      [0x1F],  // 2: an integer of 2^15 bytes
      [0x71, 0xFF],  // 3: no UTF-8
      [0xA2, 200, 1],  // 4: a reference to object 200
      [0x5F, 0x09],  // 5: a count that is a boolean
      [0xA1, 6],  // 6: itself
      [0x08],  // 7: begins elsewhere
      [0x4E, 0x01],  // 8: data of 14 bytes, of which there is one
    ])
    list.lies = [7: 9000]
    #expect(
      places(list) == [
        Place(.badMarker, list.offset(2), nil, "$[1]"),
        Place(.invalidUTF8, list.offset(3), nil, "$[2]"),
        Place(.badReference, list.offset(4), 3, "$[3][0]"),
        Place(.badCount, list.offset(5) + 1, nil, "$[4]"),
        Place(.circularContainer, list.offset(6), 2, "$[5][0]"),
        Place(.beyondEnd, list.offset(8), nil, "$[7]"),
        Place(.badOffset, list.entry(7), nil, "$[6]"),
      ])
  }

  @Test func aSoundFileHasNone() {
    let list = List(objects: [[0xA3, 1, 2, 3], List.text("a"), [0x10, 1], [0x7F, 0x10, 0]])
    #expect(places(list, Set(Lint.allCases)) == [])
  }

  @Test func everyBadReferenceOfAContainerIsReported() {
    let list = List(objects: [[0xA3, 7, 1, 8], [0xD1, 2, 9], List.text("k")])
    #expect(
      places(list) == [
        Place(.badReference, list.offset(0), 4, "$[0]"),
        Place(.badReference, list.offset(0), 4, "$[2]"),
        Place(.badReference, list.offset(1), 3, "$[1].k"),
      ])
  }

  @Test func faultsThatNothingReachesAreAdvice() {
    let list = List(objects: [[0xA1, 1], List.text("a"), [0x1F], [0xA1, 77]])
    #expect(places(list) == [])
    #expect(
      places(list, Set(Lint.allCases)) == [
        Place(.unreachableFault, list.offset(2), nil, nil),
        Place(.unreachableFault, list.offset(3), 2, nil),
        Place(.unreachableObject, list.offset(3), 2, nil),
      ])
  }

  @Test func behindABrokenContainerAllCounts() {
    let list = List(objects: [[0xA2, 1, 3], [0xAF, 0x09], [0x1F], [0x08]])
    #expect(places(list).map(\.lint) == [.badCount, .badMarker])
  }

  /// An archive with a dangling UID, a class that is none, and unequal keys, behind a broken object.
  @Test func archivesAreCheckedAroundBrokenObjects() {
    let list = List(objects: [
      [0xD4, 1, 2, 3, 4, 5, 6, 7, 8],  // 0
      List.text("$archiver"), List.text("$version"), List.text("$top"), List.text("$objects"),
      List.text("NSKeyedArchiver"), [0x12, 0x00, 0x01, 0x86, 0xA0],  // 5, 6
      [0xD1, 9, 10],  // 7: $top
      [0xA6, 11, 12, 13, 14, 15, 16],  // 8: $objects
      List.text("root"), List.uid(1), List.text("$null"),  // 9, 10, 11
      [0xD3, 17, 18, 19, 20, 21, 22],  // 12: an NSDictionary with one key and no object
      [0x1F],  // 13: broken
      [0xD1, 17, 23],  // 14: its class is a text
      List.text("text"),  // 15
      [0xD2, 24, 25, 26, 27],  // 16: a class record
      List.text("$class"), List.text("NS.keys"), List.text("NS.objects"),  // 17, 18, 19
      List.uid(5), [0xA1, 28], [0xA0],  // 20, 21, 22
      List.uid(4), List.text("$classname"), List.text("$classes"),  // 23, 24, 25
      List.text("NSDictionary"), [0xA1, 26],  // 26, 27
      List.uid(99),  // 28
    ])
    #expect(
      places(list) == [
        Place(.keysObjectsCount, list.offset(12), 7, "$['$objects'][1]"),
        Place(.badMarker, list.offset(13), nil, "$['$objects'][2]"),
        Place(.classNotARecord, list.offset(14), 3, "$['$objects'][3]"),
        Place(.danglingUID, list.offset(28), 2, "$['$objects'][1]['NS.keys'][0]"),
      ])
  }

  /// Data that begin as a list and are none are data: a note, at its place in the file.
  @Test func whatIsNoListWithinDataHasItsOffsetInTheFile() {
    let inner = List(objects: [[0xA2, 1, 2], [0x1F], List.data(List(objects: [[0x3F]]).bytes)])
    let outer = List(objects: [
      [0xD2, 1, 2, 3, 4], List.text("a"), List.text("b"), List.data(inner.bytes),
      List.data(Array("bplist00".utf8)),
    ])
    let start = outer.offset(3) + 4
    #expect(
      places(outer) == [
        Place(.unreadable, start + inner.offset(1), nil, "$.a⟨binary property list⟩"),
        Place(.unreadable, outer.offset(4) + 4 + 8, nil, "$.b⟨binary property list⟩"),
      ])
  }

  @Test func findingsAreBounded() {
    let count = 12_000
    var bytes = Array("bplist00".utf8) + [0xAF, 0x11] + List.bigEndian(count, 2)
    for index in 1...count { bytes += List.bigEndian(index, 2) }
    var offsets = List.bigEndian(8, 3)
    for _ in 0..<count {
      offsets += List.bigEndian(bytes.count, 3)
      bytes.append(0x1F)
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 3, 2]
    for number in [count + 1, 0, table] { bytes += List.bigEndian(number, 8) }
    let found = IntegritySample.findings(bytes, Lint.faults)
    #expect(found.count == 10_001)
    #expect(found.last?.lint == .moreFindings)
    #expect(found.last?.message == "2000 more findings are not listed")
  }

  /// Containers that lie over one another spell more references than any file has bytes for.
  @Test func overlappingContainersAreRefused() {
    let count = 30_000
    var bytes = Array("bplist00".utf8)
    for _ in 0..<count { bytes += [0xAF, 0x12, 0, 0, 0x40, 0] }
    bytes += [UInt8](repeating: 0, count: 0x4000 * 4)
    let table = bytes.count
    for index in 0..<count { bytes += List.bigEndian(8 + index * 6, 4) }
    bytes += [0, 0, 0, 0, 0, 0, 4, 4]
    for number in [count, 0, table] { bytes += List.bigEndian(number, 8) }
    #expect(IntegritySample.findings(bytes).map(\.lint).contains(.overLimit))
  }

  /// Each truncation and each changed byte: no trap, and a fault wherever the reader refuses.
  @Test(arguments: ["WeatherFeed/v1-1-city", "Graphs/cycle", "Graphs/deep-nesting"])
  func damagedArchivesAgreeWithTheReader(_ name: String) throws {
    let url = TestArchives.root.appendingPathComponent(name)
    let whole = Array(try Data(contentsOf: url))
    for length in stride(from: 0, to: whole.count, by: 3) { compare(Array(whole[..<length])) }
    for place in whole.indices {
      for byte in [whole[place] ^ 1, whole[place] ^ 0x80, 0xFF] {
        var damaged = whole
        damaged[place] = byte
        compare(damaged)
      }
    }
  }

  private func compare(_ bytes: [UInt8]) {
    let storage = ByteStorage(copying: bytes)
    let found = IntegrityCheck(lints: Set(Lint.allCases)).run(storage)
    let hasFault = found.contains { $0.severity == .error }
    do throws(ArchiveError) {
      let graph = try ArchiveReader().read(storage)
      if !graph.contentFaults(from: graph.root).isEmpty { #expect(hasFault) }
    } catch {
      #expect(hasFault, "\(error)")
    }
  }
}
