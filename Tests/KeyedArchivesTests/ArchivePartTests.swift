// Archives that are split and combined, opened by Foundation and read by plistlib.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchiveQueries
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct ArchivePartTests {
  static let formats: [PropertyListSerialization.PropertyListFormat] = [.binary, .xml]

  private static func extract(_ path: String, _ archive: Data) throws -> Data {
    let result = try ArchiveExtraction.extract(
      GraphPath(parsing: path), from: ByteStorage(copying: Array(archive)))
    return Data(result.bytes)
  }

  private static func insert(_ part: Data, _ path: String, _ archive: Data) throws -> Data {
    var document = EditedDocument(
      ByteStorage(copying: Array(archive)), sharing: .changed)
    let value = EditValue.part(ByteStorage(copying: Array(part)))
    let path = try ValuePath(parsing: path)
    do throws(ArchiveError) {
      try document.apply([DocumentEdit(.set(value), at: path)])
    } catch {
      guard error.message.contains("no element") else { throw error }
      // After the last one.
      try document.apply([DocumentEdit(.insert(value), at: path)])
    }
    let result = document.storage
    return Data(result.bytes)
  }

  private static func merge(_ parts: [(String, Data)]) throws -> Data {
    let result = try ArchiveMerge.merge(
      parts.map { (key: $0.0, storage: ByteStorage(copying: Array($0.1))) })
    return Data(result.bytes)
  }

  /// Archives and property lists without cycles.
  private static let archives: [Data] = {
    let own = ["Movie/v0-mirror-class", "Movie/v0-nested-class", "WeatherFeed/v1-1-city"]
      .compactMap { try? Data(contentsOf: TestArchives.root.appendingPathComponent($0)) }
    let list: NSArray = ["a", 1, 2.5, true, NSNull(), Data([1, 2]), ["k": "a"] as NSDictionary]
    let made: [NSObject] = [
      ["x": list, "y": list, "u": NSUUID(), "d": NSDate(timeIntervalSinceReferenceDate: 0.5)]
        as NSDictionary,
      [NSSet(array: ["one"]), NSOrderedSet(array: ["p", "q"]), NSMutableString(string: "s")]
        as NSArray,
      JudgedMovie(title: "A", year: 1, sequel: JudgedMovie(title: "B", year: 2, extra: list)),
    ]
    let plain = ["a": [1, ["b": "x"]], "d": Data([1]), "e": [String: Int]()] as [String: Any]
    return own
      + formats.flatMap { format in
        made.map { JudgedMovie.archive($0, format) }
          + [
            (try? PropertyListSerialization.data(
              fromPropertyList: plain, format: format, options: 0)) ?? Data()
          ]
      }
  }()

  /// The paths of what an archive holds, some levels deep.
  private static func paths(_ graph: ObjectGraph) -> [GraphPath] {
    var found: [(GraphPath, Node)] = [(GraphPath(), graph.root)]
    var next = 0
    while next < found.count, found.count < 60 {
      let (path, node) = found[next]
      next += 1
      switch graph.value(of: node) {
      case .array(let elements), .set(let elements), .orderedSet(let elements):
        for index in 0..<elements.count {
          found.append((path.appending(.index(index)), graph.node(elements, index)))
        }
      case .dictionary(let pairs), .object(_, let pairs):
        for index in 0..<pairs.count {
          guard let name = graph.memberName(pairs, index)?.string else { continue }
          found.append((path.appending(.key(name)), graph.value(pairs, index)))
        }
      default: continue
      }
    }
    return found.filter { path, node in
      // NSNull is an object, nil is none.
      if case .null = graph.value(of: node) { return graph.classIndex(of: node) != nil }
      return true
    }.map(\.0)
  }

  @Test(arguments: archives)
  func eachPartIsWhatTheArchiveHolds(_ archive: Data) throws {
    let graph = try readGraph(archive)
    let paths = Self.paths(graph)
    #expect(paths.count > 3)
    var parts: [Data] = []
    for path in paths {
      let part = try Self.extract(path.description, archive)
      #expect(part.prefix(6) == archive.prefix(6))
      let node = try graph.node(at: path, from: graph.root)
      let found = try readGraph(part)
      #expect(found.foundationObject(found.root) == graph.foundationObject(node), "\(path)")
      let names = [(graph, node), (found, found.root)].map { graph, node in
        graph.classIndex(of: node).map { graph.classes[$0].chain }
      }
      #expect(names[0] == names[1])
      if graph.documents[0].archive != nil { parts.append(part) }
    }
    for reading in try KeyedJudge.read(parts) { #expect(reading.unreachable == 0) }
  }

  @Test(arguments: archives)
  func aPartThatIsPutBackMakesTheArchive(_ archive: Data) throws {
    let graph = try readGraph(archive)
    let whole = graph.foundationObject(graph.root)
    var results: [Data] = []
    for path in Self.paths(graph).dropFirst() {
      let part = try Self.extract(path.description, archive)
      let result = try Self.insert(part, path.description, archive)
      #expect(result.prefix(6) == archive.prefix(6))
      let found = try readGraph(result)
      #expect(found.foundationObject(found.root) == whole, "\(path)")
      if graph.documents[0].archive != nil { results.append(result) }
    }
    guard !results.isEmpty else { return }
    // What nothing referred to before stays.
    let before = try KeyedJudge.read([archive])[0].unreachable
    for reading in try KeyedJudge.read(results) { #expect(reading.unreachable <= before) }
  }

  @Test(arguments: formats)
  func foundationOpensAPart(_ format: PropertyListSerialization.PropertyListFormat) throws {
    let last = JudgedMovie(title: "last", year: 3)
    let movie = JudgedMovie(
      title: "A", year: 2009, rating: 64.25, sequel: last, extra: [last, "x"] as NSArray)
    let archive = JudgedMovie.archive(["list": ["secret", movie]] as NSDictionary, format)
    let part = try Self.extract("$.list[1]", archive)
    let found = try #require(
      try JudgedMovie.unarchive(part, as: JudgedMovie.ownName) as? JudgedMovie)
    #expect(found.year == 2009)
    #expect(found.rating == 64.25)
    #expect((found.extra as? NSArray)?[0] as? JudgedMovie === found.sequel)
    #expect(part.range(of: Data("secret".utf8)) == nil)
    let scalars: [(String, NSObject)] = [
      ("$.list[1].title", "A" as NSString), ("$.list[1].year", NSNumber(value: 2009)),
      ("$.list[1].rating", NSNumber(value: 64.25)),
    ]
    for (path, value) in scalars {
      let part = try Self.extract(path, archive)
      #expect(try JudgedMovie.unarchive(part, as: "") as? NSObject == value)
    }
  }

  @Test(arguments: formats, formats)
  func foundationOpensWhatAPartWasPutInto(
    _ format: PropertyListSerialization.PropertyListFormat,
    _ other: PropertyListSerialization.PropertyListFormat
  ) throws {
    let shared: NSArray = ["shared"]
    let archive = JudgedMovie.archive(
      [
        "list": ["gone", JudgedMovie(title: "kept", year: 1, extra: shared)] as NSArray,
        "shared": shared,
      ] as NSDictionary, format)
    let last = JudgedMovie(title: "last", year: 3)
    let part = JudgedMovie.archive(
      JudgedMovie(title: "new", year: 2, sequel: last, extra: last), other)
    for path in ["$.list[0]", "$.list[2]", "$.key", "$.shared"] {
      let result = try Self.insert(part, path, archive)
      let root = try #require(
        try JudgedMovie.unarchive(result, as: JudgedMovie.ownName) as? NSDictionary, "\(path)")
      let list = try #require(root["list"] as? NSArray)
      let kept = try #require(list[1] as? JudgedMovie)
      #expect(kept.title == "kept")
      #expect(kept.extra == shared)
      let found: Any? =
        switch path {
        case "$.list[0]": list[0]
        case "$.list[2]": list[2]
        case "$.key": root["key"]
        default: root["shared"]
        }
      let new = try #require(found as? JudgedMovie, "\(path)")
      #expect(new.title == "new")
      #expect(new.sequel?.title == "last")
      #expect(new.extra === new.sequel)
      let hasGone = result.range(of: Data("gone".utf8)) == nil
      #expect(hasGone == (path == "$.list[0]"))
      let objects = try #require(
        (try PropertyListSerialization.propertyList(from: result, format: nil) as? [String: Any])?[
          "$objects"] as? [Any])
      let records = objects.filter {
        ($0 as? [String: Any])?["$classname"] as? String == JudgedMovie.ownName
      }
      #expect(records.count == 1)
    }
  }

  @Test func numbersInPlaceAreReplacedByNumbers() throws {
    let archive = JudgedMovie.archive(JudgedMovie(title: "A", year: 1, rating: 2))
    let number = JudgedMovie.archive(NSNumber(value: 1999))
    let result = try Self.insert(number, "$.year", archive)
    let movie = try JudgedMovie.unarchive(result, as: JudgedMovie.ownName) as? JudgedMovie
    #expect(movie?.year == 1999)
    #expect(movie?.rating == 2)
  }

  @Test func archivesInDataAreEntered() throws {
    let inner = JudgedMovie.archive(["list": ["a", "b"]] as NSDictionary)
    let plain = try PropertyListSerialization.data(
      fromPropertyList: ["cache": inner, "n": 1], format: .binary, options: 0)
    let part = try Self.extract("$.cache.list[1]", plain)
    #expect(try JudgedMovie.unarchive(part, as: "") as? String == "b")
    for (path, archive) in [
      ("$.cache.list[2]", plain),
      ("$.cache⟨keyed archive⟩.list[2]", JudgedMovie.archive(["cache": inner] as NSDictionary)),
    ] {
      let result = try Self.insert(part, path, archive)
      let opened: Any? =
        archive == plain
        ? try PropertyListSerialization.propertyList(from: result, format: nil)
        : try JudgedMovie.unarchive(result, as: "")
      let cache = try #require((opened as? [String: Any])?["cache"] as? Data)
      let root = try JudgedMovie.unarchive(cache, as: "") as? [String: [String]]
      #expect(root == ["list": ["a", "b", "b"]])
    }
  }

  @Test func olderCollectionsGrowByTheirNumberedKeys() throws {
    let archive = ArchivedSample.object(
      "Holder",
      [
        "list": .object("NSArray", ["NS.object.0": "a"]),
        "pairs": .object("NSDictionary", ["NS.key.0": "k", "NS.object.0": "v"]),
      ]
    ).archive
    let part = ArchivedSample.stored(.string("new")).archive
    for (path, expected) in [
      ("$.list[1]", ["list": ["a", "new"], "pairs": ["k": "v"]] as NSDictionary),
      ("$.list[0]", ["list": ["new"], "pairs": ["k": "v"]]),
      ("$.pairs.l", ["list": ["a"], "pairs": ["k": "v", "l": "new"]]),
      ("$.pairs.k", ["list": ["a"], "pairs": ["k": "new"]]),
    ] {
      let graph = try readGraph(try Self.insert(part, path, archive))
      #expect(graph.foundationObject(graph.root) == expected, "\(path)")
    }
  }

  @Test func archivesAreMergedUnderTheirKeys() throws {
    let shared: NSArray = ["s"]
    let movie = JudgedMovie(title: "A", year: 1, sequel: JudgedMovie(title: "B", year: 2))
    let parts: [(String, Data)] = [
      ("list", JudgedMovie.archive([shared, shared] as NSArray, .xml)),
      ("root", JudgedMovie.archive(movie)), ("$n", JudgedMovie.archive(NSNumber(value: 7))),
      ("again", JudgedMovie.archive(movie)),
    ]
    let merged = try Self.merge(parts)
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: merged)
    unarchiver.requiresSecureCoding = false
    unarchiver.setClass(JudgedMovie.self, forClassName: JudgedMovie.ownName)
    let list = try #require(unarchiver.decodeObject(forKey: "list") as? NSArray)
    #expect(list == [shared, shared])
    #expect((unarchiver.decodeObject(forKey: "root") as? JudgedMovie)?.sequel?.title == "B")
    #expect((unarchiver.decodeObject(forKey: "again") as? JudgedMovie)?.year == 1)
    #expect(unarchiver.decodeObject(forKey: "$n") as? Int == 7)
    let readings = try KeyedJudge.read([merged])
    #expect(readings[0].unreachable == 0)
    for (key, part) in parts.dropFirst(0) where key != "$n" {
      let again = try Self.extract("$.\(key)", merged)
      let graphs = try [again, part].map { try readGraph($0) }
      #expect(
        graphs[0].foundationObject(graphs[0].root) == graphs[1].foundationObject(graphs[1].root))
    }
  }

  private static let typedStream = try? Data(
    contentsOf: TestArchives.root.appendingPathComponent("TypedStreams/unknown-class"))

  /// What cannot be put where, and what is said of it.
  static let refused: [(path: String, part: Data, message: String)] = {
    let string = JudgedMovie.archive("x" as NSString)
    let plain =
      (try? PropertyListSerialization.data(
        fromPropertyList: ["x"], format: .binary, options: 0)) ?? Data()
    let several = NSKeyedArchiver(requiringSecureCoding: false)
    several.encode("x" as NSString, forKey: "a")
    several.encode("y" as NSString, forKey: "b")
    return [
      ("$.nothing.x", string, "no key 'nothing'"),
      ("$.year", string, "an integer is stored inline there"),
      ("$.rating", string, "a real is stored inline there"),
      ("$.nothing", string, "has no field 'nothing'"),
      ("$.title.x", string, "no key 'x'"),
      ("$.extra[5]", string, "no element 5"), ("$.title", plain, "is not a keyed archive"),
      ("$.title", several.encodedData, "one top-level object"),
      ("$.title", typedStream ?? Data(), "convert --to keyed-archive"),
    ]
  }()

  @Test(arguments: refused)
  func whatCannotBePutThereIsRefused(_ path: String, _ part: Data, _ message: String) throws {
    let archive = JudgedMovie.archive(
      JudgedMovie(title: "A", year: 1, extra: ["e"] as NSArray))
    let error = #expect(throws: ArchiveError.self) {
      _ = try Self.insert(part, path, archive)
    }
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
  }

  @Test func propertyListsHaveParts() throws {
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["a": [1, ["b": "x"]], "d": Data([1])], format: .binary, options: 0)
    let part = try Self.extract("$.a[1]", list)
    #expect(
      try PropertyListSerialization.propertyList(from: part, format: nil) as? [String: String]
        == ["b": "x"])
    let expected: [(String, NSDictionary)] = [
      ("$.a[0]", ["a": [["b": "x"], ["b": "x"]], "d": Data([1])]),
      ("$.a[2]", ["a": [1, ["b": "x"], ["b": "x"]], "d": Data([1])]),
      ("$.new", ["a": [1, ["b": "x"]], "d": Data([1]), "new": ["b": "x"]]),
      ("$.d", ["a": [1, ["b": "x"]], "d": ["b": "x"]]),
    ]
    for (path, value) in expected {
      let result = try Self.insert(part, path, list)
      let found = try PropertyListSerialization.propertyList(from: result, format: nil)
      #expect(found as? NSDictionary == value, "\(path)")
    }
  }

  /// A property list of data values each of which holds the next one.
  private static func overlapping(_ count: Int) -> Data {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = [bytes.count]
    // An array with two bytes a reference.
    bytes += [0xAF, 0x11] + big(count, 2)
    for index in 1...count { bytes += big(index, 2) }
    for index in 1...count {
      offsets.append(bytes.count)
      bytes += [0x4F, 0x12] + big((count - index) * 6, 4)
    }
    let table = bytes.count
    for offset in offsets { bytes += big(offset, 4) }
    bytes += [0, 0, 0, 0, 0, 0, 4, 2] + big(count + 1, 8) + big(0, 8) + big(table, 8)
    return Data(bytes)
  }

  private static func big(_ number: Int, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  @Test func valuesThatOverlapAreNotCopied() throws {
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["a"], format: .binary, options: 0)
    let few = try Self.insert(Self.overlapping(20), "$[1]", list)
    #expect((try readGraph(few)).warnings.isEmpty)
    for work in [
      { try Self.insert(Self.overlapping(5000), "$[1]", list) },
      { try Self.extract("$", Self.overlapping(5000)) },
    ] {
      let error = #expect(throws: ArchiveError.self) { _ = try work() }
      #expect(error?.code == .limit)
    }
  }

  @Test func archivesTooDeepInOneAnotherAreNotEntered() throws {
    let part = JudgedMovie.archive("x" as NSString)
    var archive = JudgedMovie.archive(["a": 1] as NSDictionary)
    for _ in 0..<64 { archive = JudgedMovie.archive(archive as NSData) }
    let error = #expect(throws: ArchiveError.self) {
      _ = try Self.insert(part, "$.b", archive)
    }
    #expect(error?.code == .mismatch)
  }

  /// Foundation leaves UIDs in a file that nothing uses.
  @Test func unusedUIDsKeepNoObjects() throws {
    let archive = try Data(
      contentsOf: TestArchives.root.appendingPathComponent("WeatherFeed/v1-1-city"))
    let part = JudgedMovie.archive(["new"] as NSArray)
    let result = try Self.insert(part, "$.topCityWeathers", archive)
    #expect(try KeyedJudge.read([archive, result]).map(\.unreachable) == [0, 0])
  }

  @Test func aPartWhoseNilIsSomethingElseIsRefused() throws {
    let part = Data(
      String(decoding: ArchivedSample.object("A", ["n": .null]).archive, as: UTF8.self)
        .replacing("$null", with: "other").utf8)
    let error = #expect(throws: ArchiveError.self) {
      _ = try Self.insert(part, "$.b", JudgedMovie.archive(["a": 1] as NSDictionary))
    }
    #expect(error?.code == .malformed)
  }
}
