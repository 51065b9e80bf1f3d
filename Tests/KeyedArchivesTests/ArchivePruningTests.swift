// Pruning removes unreachable objects from an archive; plistlib and Foundation read the others unchanged.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct ArchivePruningTests {
  /// Archives of many shapes, as binary property lists; large ones left out.
  private static let archives: [Data] = {
    let own = TestArchives.all.filter { $0.decodable && $0.encoding == "binary property list" }
      .compactMap { try? Data(contentsOf: $0.url) }.filter { $0.count < 20_000 }
    let list = (0..<20).map { NSNumber(value: $0 % 3) } as NSArray
    let made: [NSObject] = [
      ["a": list, "b": list, "c": NSNull(), "d": NSDate(timeIntervalSinceReferenceDate: 0.5)]
        as NSDictionary,
      NSSet(array: ["x", "y", list]), NSMutableArray(array: [NSMutableString(string: "s"), "s"]),
      JudgedMovie(title: "A", year: 1, sequel: JudgedMovie(title: "B", year: 2, extra: list)),
    ]
    return own + made.map { JudgedMovie.archive($0) }
  }()

  private static func document(_ archive: Data) throws -> Document {
    try readGraph(archive, resolving: false).documents[0]
  }

  /// An archive whose top-level key leads to another of its objects: the rest is what that does not reach.
  private static func patch(_ document: Document, root number: UInt64) throws -> TablePatch {
    var patch = TablePatch(document)
    let top = try #require(document.table.value("$top", of: document.top))
    let children = patch.children(of: top)
    let uid = patch.add(encoded: TablePatch.encoded(uid: number))
    patch.setChild(of: top, at: children.count / 2, to: uid)
    return patch
  }

  private static func pruning(
    _ document: Document, with patch: TablePatch? = nil
  ) throws -> ArchivePruning {
    let graph = ObjectGraph()
    let parts = try KeyedArchiveParts(document: graph.add(document), in: graph)
    return try ArchivePruning(of: document, parts, with: patch)
  }

  @Test func whatIsReachedStaysInItsOrder() throws {
    var old: [Data] = []
    var new: [Data] = []
    for archive in Self.archives {
      let document = try Self.document(archive)
      guard let list = document.table.value("$objects", of: document.top) else { continue }
      let count = UInt64(document.table.counted(list).count)
      for number in stride(from: 1, to: count, by: max(1, Int(count) / 8)) {
        let patch = try Self.patch(document, root: number)
        let pruning = try Self.pruning(document, with: patch)
        old.append(Data(try patch.write().array))
        new.append(Data(try pruning.write().array))
        #expect(pruning.number(of: 0) == 0)
        #expect(pruning.number(of: number) != nil)
      }
    }
    #expect(old.count > 40)
    for (before, after) in zip(try KeyedJudge.read(old), try KeyedJudge.read(new)) {
      #expect(after.graph == before.graph)
      #expect(after.ranks == before.ranks)
      #expect(after.unreachable == 0)
      #expect(after.null == "$null")
    }
    for archive in new {
      let again = try Self.pruning(try Self.document(archive))
      #expect(!again.removesAnything)
    }
  }

  @Test func anArchiveWithoutLeftoversIsWrittenAsItIs() throws {
    let keyed = try Self.archives.filter { archive in
      let document = try Self.document(archive)
      return withExtendedLifetime(document) {
        document.table.value("$objects", of: document.top) != nil
      }
    }
    for (archive, reading) in zip(keyed, try KeyedJudge.read(keyed)) where reading.unreachable == 0
    {
      let document = try Self.document(archive)
      let pruning = try Self.pruning(document)
      #expect(!pruning.removesAnything)
      let again = Data(try pruning.write().array)
      #expect(try Substituted.stored(again) == Substituted.stored(archive))
    }
  }

  @Test func foundationOpensWhatIsLeft() throws {
    let secret = JudgedMovie(title: "secret token", year: 7)
    let archive = JudgedMovie.archive(
      [secret, JudgedMovie(title: "kept", year: 2, rating: 64.25, extra: secret)] as NSArray)
    let document = try Self.document(archive)
    let graph = try readGraph(archive)
    guard case .array(let elements) = graph.value(of: graph.root) else {
      Issue.record("the root is no array")
      return
    }
    let number = try #require(graph.objectNumber(of: graph.node(elements, 1)))
    var patch = try Self.patch(document, root: UInt64(number))
    // The field 'extra' becomes nil.
    let fields = graph.node(elements, 1).index
    let keys = patch.children(of: fields)
    let position = try #require(
      keys.firstIndex { document.table.text(at: $0)?.equals("extra") == true })
    let null = patch.add(encoded: TablePatch.encoded(uid: 0))
    patch.setChild(of: fields, at: keys.count / 2 + position, to: null)
    let pruning = try Self.pruning(document, with: patch)
    let bytes = Data(try pruning.write().array)
    #expect(pruning.removedObjects > 2)
    #expect(pruning.removedBytes > 12)
    #expect(bytes.range(of: Data("secret".utf8)) == nil)
    let movie = try #require(
      try JudgedMovie.unarchive(bytes, as: JudgedMovie.ownName) as? JudgedMovie)
    #expect(movie.title == "kept")
    #expect(movie.rating == 64.25)
    #expect(movie.extra == nil)
  }

  @Test func valuesThatAPropertyListDoesNotHoldGo() throws {
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["a": ["secret"], "b": "kept"], format: .binary, options: 0)
    let document = try Self.document(list)
    var patch = TablePatch(document)
    let children = patch.children(of: document.top)
    let first = try #require(
      children.firstIndex { document.table.text(at: $0)?.equals("a") == true })
    patch.setChildren(of: document.top, to: [children[1 - first], children[3 - first]])
    let bytes = Data(try Self.pruning(document, with: patch).write().array)
    #expect(bytes.range(of: Data("secret".utf8)) == nil)
    let read = try PropertyListSerialization.propertyList(from: bytes, format: nil)
    #expect(read as? [String: String] == ["b": "kept"])
  }

  @Test func longChainsOfReferencesAreFollowed() throws {
    let count = 200_000
    var builder = GraphBuilder()
    let keys = ["$archiver", "$top", "$objects", "root"].map { builder.add($0) }
    let archiver = builder.add("NSKeyedArchiver")
    let uids = (0..<count).map { builder.add(uid: UInt64($0)) }
    let null = builder.add("$null")
    let end = builder.add("end")
    builder.open()
    builder.append(null)
    // Each object is the UID of the next but one.
    for number in 1..<count - 2 { builder.append(uids[number + 2]) }
    builder.append(end)
    builder.append(end)
    let objects = builder.close()
    builder.open()
    builder.append(keys[3])
    builder.append(uids[1])
    let top = builder.closeDictionary()
    builder.open()
    for (key, value) in zip(keys, [archiver, top, objects]) {
      builder.append(key)
      builder.append(value)
    }
    let document = builder.finish(top: builder.closeDictionary())
    let pruning = try Self.pruning(document)
    #expect(pruning.removedObjects == count / 2 - 1)
    #expect(pruning.number(of: 2) == nil)
    #expect(pruning.number(of: 3) == 2)
  }

  @Test func aUIDThatLeadsNowhereIsRefused() throws {
    let document = try Self.document(Self.archives[0])
    let patch = try Self.patch(document, root: 1 << 40)
    let error = #expect(throws: ArchiveError.self) {
      _ = try Self.pruning(document, with: patch)
    }
    #expect(error?.code == .dangling)
  }
}
