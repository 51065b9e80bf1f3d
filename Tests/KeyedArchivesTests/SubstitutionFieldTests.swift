// Objects that are replaced with nil, and keys that are renamed.

import ArchiveBasics
import ArchiveBatches
import ArchiveEditing
import ArchiveGraph
import ArchiveWriting
import FileTransactions
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct SubstitutionFieldTests {
  private static let gone = ArchivedSample.object("App.Gone", ["n": 1])

  /// As XML and as the binary property list that an archiver writes; Foundation finds every class of both.
  private static func expect(
    _ sample: ArchivedSample, becomes expected: NSObject, drop: [String] = ["App.Gone"]
  ) throws {
    for data in [sample.archive, try Substituted.binary(sample.archive)] {
      let bytes = try #require(try Substituted.bytes(data, drop: drop))
      let graph = try readGraph(bytes)
      #expect(graph.foundationObject(graph.root) == expected)
      let root = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(bytes)
      let found = (root as? NSOrderedSet)?.array as NSObject? ?? root as? NSObject
      #expect(found == expected)
    }
  }

  @Test func dropsElementsOfArrays() throws {
    try Self.expect(.array(["a", Self.gone, "b", Self.gone]), becomes: ["a", "b"] as NSArray)
  }

  @Test func dropsElementsOfSets() throws {
    try Self.expect(
      .array([.instance(["NSSet", "NSObject"], [("NS.objects", .list([Self.gone, "b"]))])]),
      becomes: [NSSet(object: "b")] as NSArray)
  }

  /// A writer that does not escape stores one `$`; a key that is escaped comes first.
  @Test func renamesKeysThatBeginWithAnUnescapedDollarSign() throws {
    let cases: [(KeyValuePairs<String, ArchivedSample>, String)] = [
      (["$odd": 1], "<key>new</key><integer>1</integer>"),
      (["$odd": 1, "$$odd": 2], "<key>$odd</key><integer>1</integer><key>new</key>"),
    ]
    for (fields, expected) in cases {
      let archive = ArchivedSample.object("App.A", fields).archive
      let result = try Program.run(
        arguments: ["rename-class", "--rename-key", "App.A.$odd=new", "-", "-o", "-"],
        input: archive)
      let text = result.text.filter { !$0.isWhitespace }
      #expect(text.contains(expected), "\(result.text)")
    }
  }

  @Test func dropsPairsOfDictionaries() throws {
    try Self.expect(
      .dictionary(["a": "1", "b": Self.gone, "c": "3"]),
      becomes: ["a": "1", "c": "3"] as NSDictionary)
  }

  @Test func dropsElementsUnderKeysWithNumbers() throws {
    try Self.expect(
      .object(
        "NSOrderedSet",
        [
          "NS.object.1": "b", "NS.object.0": Self.gone, "NS.object.3": "d",
          "NS.object.2": Self.gone,
        ]),
      becomes: ["b", "d"] as NSArray)
  }

  /// A counted set keeps its other elements with their counts, whose number is its own although an element has it too.
  @Test func dropsElementsOfCountedSetsWithTheirCounts() throws {
    let set = ArchivedSample.object(
      "NSCountedSet",
      [
        "NS.count": 3, "NS.object0": "a", "NS.count0": 4, "NS.object1": Self.gone, "NS.count1": 5,
        "NS.object2": "b", "NS.count2": 3,
      ])
    for data in [set.archive, try Substituted.binary(set.archive)] {
      let bytes = try #require(try Substituted.bytes(data, drop: ["App.Gone"]))
      let list = try PropertyListSerialization.propertyList(from: bytes, format: nil)
      let objects = try #require((list as? [String: Any])?["$objects"] as? [Any])
      let root = try #require(objects[1] as? [String: Any])
      #expect(
        root.keys.sorted()
          == ["$class", "NS.count", "NS.count0", "NS.count1", "NS.object0", "NS.object1"])
      #expect(["NS.count", "NS.count0", "NS.count1"].map { root[$0] as? Int } == [2, 4, 3])
      #expect(try Substituted.bytes(bytes, drop: ["App.Gone"]) == nil)
    }
  }

  @Test(arguments: ["NSMapTable", "NSHashTable", "NSConcretePointerArray"])
  func refusesToCutTablesWhoseEntriesHaveNoNames(_ name: String) throws {
    let table = ArchivedSample.object(name, ["$0": 0, "$1": "a", "$2": Self.gone, "$3": "b"])
    #expect(throws: ArchiveError.self) {
      _ = try Substituted.bytes(ArchivedSample.array([table]).archive, drop: ["App.Gone"])
    }
  }

  @Test func dropsByPattern() throws {
    try Self.expect(
      .array([.object("_TtCC3App5Outer4Gone", [:]), "b"]), becomes: ["b"] as NSArray,
      drop: ["App.*.G?ne"])
  }

  @Test func fieldsBecomeNil() throws {
    let movie = JudgedMovie(
      title: "Avatar", year: 2009, sequel: JudgedMovie(title: "Two", year: 2022))
    let root = ["movie": movie, "year": 2009] as NSDictionary
    let outer = JudgedMovie(title: "Outer", year: 1, extra: root)
    let archive = JudgedMovie.archive(["outer": outer, "list": [outer, "x"]] as NSDictionary)
    let kept = try #require(
      try Substituted.bytes(archive, drop: [JudgedMovie.ownName]))
    let object = try JudgedMovie.unarchive(kept, as: JudgedMovie.ownName) as? NSDictionary
    #expect(object == ["list": ["x"]])
    let name = "NSDictionary"
    let emptied = try #require(
      try Substituted.bytes(JudgedMovie.archive(outer), drop: [name]))
    let found = try JudgedMovie.unarchive(emptied, as: JudgedMovie.ownName) as? JudgedMovie
    #expect(found?.title == "Outer")
    #expect(found?.extra == nil)
  }

  @Test func theRootCannotBeDropped() throws {
    let error = #expect(throws: ArchiveError.self) {
      _ = try Substituted.bytes(ArchivedSample.object("App.Gone").archive, drop: ["App.*"])
    }
    #expect(error?.code == .mismatch)
    #expect(error?.path?.description == "$['$top'].root")
  }

  @Test func sharedAndCyclicReferencesAreCounted() throws {
    let archive = ArchivedSample.object(
      "Root", ["self": .root, "list": .array([.object("App.Gone", ["up": .root, "me": .owner])])]
    ).archive
    let outcome = try Substituted.outcome(archive, drop: ["App.Gone"])
    #expect(outcome.counts.map(\.objects) == [1])
    let graph = try readGraph(Data(try #require(outcome.storage).bytes))
    guard case .object(_, let pairs) = graph.value(of: graph.root) else {
      Issue.record("the root is no object")
      return
    }
    #expect(graph.value(pairs, 0) == graph.root)
  }

  // MARK: Keys

  @Test func keysGetOtherNames() throws {
    let sample = ArchivedSample.object(
      "App.Movie", ["title": "title", "$odd": 1, "part": .object("App.Part", ["title": 2])])
    // The archive that an archiver would write of a class with the other keys.
    let archive = sample.archive
    let bytes = try #require(
      try Substituted.bytes(archive, keys: ["App.M*.title=name", "App.Movie.name=title"]))
    let graph = try readGraph(bytes)
    let value = SampleValue(of: graph.root, in: graph)
    guard case .dictionary(let pairs) = value else {
      Issue.record("the root is no object")
      return
    }
    #expect(pairs.map(\.0) == ["name", "$odd", "part"])
    #expect(pairs[0].1.canonical == SampleValue.string("title").canonical)
  }

  @Test func keysWithADollarAreMangledAsArchiversDo() throws {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.encode(JudgedOddity(), forKey: NSKeyedArchiveRootObjectKey)
    let bytes = try #require(
      try Substituted.bytes(
        archiver.encodedData, keys: ["KeyedArchivesTests.JudgedOddity.$seven=$eight"]))
    let stored = try Substituted.stored(bytes)
    #expect(stored.contains(SampleValue.string("$$eight").canonical.dropLast().dropFirst()))
    let back = try Substituted.bytes(bytes, keys: ["KeyedArchivesTests.JudgedOddity.$eight=$seven"])
    #expect(back == archiver.encodedData)
  }

  @Test(arguments: [["App.Movie.a=b"], ["App.Movie.a=c", "App.*.b=c"]])
  func aKeyThatIsThereAlreadyIsRefused(_ rules: [String]) throws {
    let archive = ArchivedSample.object("App.Movie", ["a": 1, "b": 2]).archive
    let error = #expect(throws: ArchiveError.self) {
      _ = try Substituted.bytes(archive, keys: rules)
    }
    #expect(error?.code == .mismatch)
    #expect(error?.path?.description.hasPrefix("$['$objects'][1].") == true)
  }

  @Test func twoKeysAreSwapped() throws {
    let archive = ArchivedSample.object("App.Movie", ["a": 1, "b": 2]).archive
    let bytes = try #require(
      try Substituted.bytes(archive, keys: ["App.Movie.a=b", "App.Movie.b=a"]))
    let expected = ArchivedSample.object("App.Movie", ["b": 1, "a": 2]).archive
    #expect(try Substituted.stored(bytes) == Substituted.stored(expected))
  }
}

/// A class with a key that archivers mangle.
final class JudgedOddity: NSObject, NSCoding {
  override init() {}
  init?(coder: NSCoder) {}
  func encode(with coder: NSCoder) { coder.encode(7, forKey: "$seven") }
}
