// Bookmarks built from the layout that mac_alias describes: every type of item, tables, alias files.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

/// Makes bookmarks: items first, then tables of contents.
struct BookmarkMaker {
  /// What stands behind the header; its first word leads to the first table.
  private var body: [UInt8] = [0, 0, 0, 0]
  private var tables: [(number: UInt32, entries: [(key: UInt32, item: UInt32)])] = []

  static func word(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  /// Adds an item, and gives its offset from the end of the header.
  mutating func add(_ type: UInt32, _ content: [UInt8]) -> UInt32 {
    let offset = UInt32(body.count)
    body += Self.word(UInt32(content.count)) + Self.word(type) + content
    while body.count % 4 != 0 { body.append(0) }
    return offset
  }

  mutating func add(_ text: String) -> UInt32 { add(0x0101, Array(text.utf8)) }

  mutating func addList(_ type: UInt32, _ offsets: [UInt32]) -> UInt32 {
    add(type, offsets.flatMap(Self.word))
  }

  mutating func addTable(_ number: UInt32, _ entries: [(key: UInt32, item: UInt32)]) {
    tables.append((number, entries))
  }

  /// The bookmark, or the alias file of Finder.
  func bytes(isAliasFile: Bool = false) -> [UInt8] {
    var body = self.body
    body.replaceSubrange(0..<4, with: Self.word(UInt32(body.count)))
    for (position, table) in tables.enumerated() {
      let size = table.entries.count * 12 + 20
      let next = position == tables.count - 1 ? 0 : body.count + size
      body += [
        UInt32(size - 8), 0xFFFF_FFFE, table.number, UInt32(next), UInt32(table.entries.count),
      ]
      .flatMap(Self.word)
      for entry in table.entries { body += [entry.key, entry.item, 0].flatMap(Self.word) }
    }
    var header = Array("book".utf8)
    if isAliasFile {
      header += [0, 0, 0, 0] + Array("mark".utf8) + [0, 0, 0, 0] + Self.word(0x38)
      header += [UInt8](repeating: 0, count: 0x38 - header.count)
    } else {
      header += Self.word(UInt32(body.count + 0x30)) + [0, 0, 4, 0x10] + Self.word(0x30)
      header += [UInt8](repeating: 0, count: 0x30 - header.count)
    }
    return header + body
  }

  /// A bookmark of one item, under the key `displayName`.
  static func bytes(_ type: UInt32, _ content: [UInt8]) -> [UInt8] {
    var maker = BookmarkMaker()
    let item = maker.add(type, content)
    maker.addTable(1, [(0xF017, item)])
    return maker.bytes()
  }
}

@Suite struct BookmarkReaderTests {
  private static func bigEndian(_ seconds: Double) -> [UInt8] {
    withUnsafeBytes(of: seconds.bitPattern.bigEndian, Array.init)
  }

  private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian, Array.init)
  }

  private func member(_ bytes: [UInt8], _ key: String) throws -> SampleValue? {
    let graph = try readGraph(Data(bytes))
    #expect(graph.documents[0].encoding == .bookmark)
    guard case .dictionary(let pairs) = SampleValue(of: graph.root, in: graph) else { return nil }
    return pairs.first { $0.0 == key }?.1
  }

  @Test(
    arguments: [
      (0x0101, Array("Zürich".utf8), .string("Zürich")), (0x0101, [], .string("")),
      (0x0901, Array("file:///a%20b".utf8), .string("file:///a%20b")),
      (0x0201, [0, 1, 255], .data([0, 1, 255])), (0x0201, [], .data([])),
      (0x0301, [0x80], .integer(-128)), (0x0302, littleEndian(Int16(-300)), .integer(-300)),
      (0x0303, littleEndian(Int32.min), .integer(Int64(Int32.min))),
      (0x0304, littleEndian(Int64.max), .integer(.max)),
      (0x0305, littleEndian(Float(1.5).bitPattern), .real(1.5)),
      (0x0306, littleEndian(0.1.bitPattern), .real(0.1)),
      (0x0400, bigEndian(576_217_800.25), .date(576_217_800.25)),
      (0x0500, [], .boolean(false)), (0x0501, [], .boolean(true)), (0x0A01, [], .null),
      (0x0601, [], .array([])), (0x0701, [], .dictionary([])),
      (0x0801, Array(0...15), .string("00010203-0405-0607-0809-0A0B0C0D0E0F")),
      (0x0C07, [1, 2], .dictionary([("type", .string("0x0c07")), ("data", .data([1, 2]))])),
    ] as [(UInt32, [UInt8], SampleValue)])
  func readsEveryTypeOfItem(_ type: UInt32, _ content: [UInt8], _ wanted: SampleValue) throws {
    let found = try member(BookmarkMaker.bytes(type, content), "displayName")
    #expect(found?.canonical == wanted.canonical)
  }

  @Test(
    arguments: [
      (0x0101, [0xC3], 52), (0x0301, [], 52), (0x0301, [1, 2], 52), (0x0303, [1, 2, 3], 52),
      (0x0304, [1, 2, 3, 4], 52), (0x0400, [0], 52), (0x0601, [4, 0, 0], 52),
      (0x0701, [4, 0, 0, 0], 52),
      (0x0801, [1], 52), (0x0902, [4, 0, 0, 0], 52),
    ] as [(UInt32, [UInt8], Int)])
  func refusesItemsOfAnotherSize(_ type: UInt32, _ content: [UInt8], _ offset: Int) {
    #expect(throws: ArchiveError(.malformed, "", offset: offset)) {
      _ = try readGraph(Data(BookmarkMaker.bytes(type, content)))
    }
  }

  /// The bookmark of a file: a path of components, sizes, a URL with a base, keys that are names, two tables.
  private static let sample: (maker: BookmarkMaker, wanted: SampleValue) = {
    var maker = BookmarkMaker()
    let users = maker.add("Users")
    let path = maker.addList(0x0601, [users, maker.add("Zürich.plist"), users])
    let base = maker.add(0x0901, Array("file:///Users/".utf8))
    let relative = maker.addList(0x0902, [base, maker.add(0x0901, Array("a".utf8))])
    let size = maker.add(0x0304, littleEndian(Int64(499_963_170_816)))
    let name = maker.add("com.example.note")
    let pairs = maker.addList(0x0701, [name, size, users, path])
    let isRoot = maker.add(0x0501, [])
    maker.addTable(
      1, [(0x1004, path), (0x1003, relative), (0x2012, size), (0x8000_0000 | name, pairs)])
    maker.addTable(7, [(0x2030, isRoot), (0x0BAD, users), (0xABCDE, users)])
    let components = SampleValue.array([
      .string("Users"), .string("Zürich.plist"), .string("Users"),
    ])
    let wanted = SampleValue.dictionary([
      ("path", components),
      ("url", .dictionary([("base", .string("file:///Users/")), ("relative", .string("a"))])),
      ("volumeSize", .integer(499_963_170_816)),
      (
        "com.example.note",
        .dictionary([
          ("com.example.note", .integer(499_963_170_816)), ("Users", components),
        ])
      ),
      (
        "table 7",
        .dictionary([
          ("volumeIsRoot", .boolean(true)), ("0x0bad", .string("Users")),
          ("0xabcde", .string("Users")),
        ])
      ),
    ])
    return (maker, wanted)
  }()

  @Test(arguments: [false, true]) func readsTablesOfContents(_ isAliasFile: Bool) throws {
    let graph = try readGraph(Data(Self.sample.maker.bytes(isAliasFile: isAliasFile)))
    #expect(
      SampleValue(of: graph.root, in: graph).canonical == Self.sample.wanted.canonical)
  }

  @Test func valuesHaveThePlacesOfTheirItems() throws {
    var maker = BookmarkMaker()
    let first = maker.add("a")
    let second = maker.add(0x0201, [9])
    let list = maker.addList(0x0601, [second, first])
    maker.addTable(1, [(0x1004, list), (0x1003, first)])
    let graph = try readGraph(Data(maker.bytes()))
    guard case .dictionary(let pairs) = graph.value(of: graph.root),
      case .array(let elements) = graph.value(of: graph.value(pairs, 0))
    else {
      Issue.record("no array in a dictionary")
      return
    }
    let nodes = [
      graph.value(pairs, 0), graph.node(elements, 0), graph.node(elements, 1),
      graph.value(pairs, 1),
    ]
    #expect(
      nodes.map { graph.fileOffset(of: $0) } == [list, second, first, first].map { 48 + Int($0) })
    // Keys stand in the table.
    let table = Int(list) + 16
    #expect(graph.fileOffset(of: graph.root) == 48 + table)
    #expect(graph.fileOffset(of: graph.key(pairs, 1)) == 48 + table + 20 + 12)
  }

  @Test func isOpenedInTheDataOfAKeyedArchive() throws {
    let archive = SampleValue.dictionary([
      ("$version", .integer(100_000)), ("$archiver", .string("NSKeyedArchiver")),
      ("$top", .dictionary([("root", .uid(1))])),
      ("$objects", .array([.string("$null"), .data(Self.sample.maker.bytes())])),
    ])
    let file = BinaryWriter.write(archive.document).array
    let graph = try readGraph(Data(file))
    let content = try #require(graph.content(of: graph.root))
    #expect(SampleValue(of: content, in: graph).canonical == Self.sample.wanted.canonical)
    let place = try #require(graph.fileOffset(of: content))
    // The root is the first table.
    #expect(Array(file[(place + 4)..<(place + 8)]) == [0xFE, 0xFF, 0xFF, 0xFF])
  }
}
