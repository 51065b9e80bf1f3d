// Typed JSON of a keyed archive restores the archive: classes, hints, archiver, storage and identity, as stored.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct TypedArchiveTests {
  private static func typed(_ archive: Data) throws -> String {
    let graph = try readGraph(archive)
    var options = JSONWriter.Options(isTyped: true, isCompact: true)
    options.includesArchiver = true
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(graph.root, of: graph, options: options, to: &output)
    return String(decoding: output.bytes.bytes, as: UTF8.self)
  }

  /// The archive that typed JSON tells.
  private static func archive(_ json: String) throws -> Data {
    var output = OutputBuffer(descriptor: nil)
    _ = try Conversion(to: .keyedArchive).run(
      ByteStorage(copying: Array(json.utf8)), name: "test", to: &output)
    return Data(output.bytes.bytes)
  }

  /// All that an archive stores, its objects numbered as they are met and scalars told by value.
  private static func shape(_ archive: Data) throws -> String {
    let graph = try readGraph(archive, resolving: false)
    return StoredShape(SampleValue(of: graph.root, in: graph)).text
  }

  static let samples: [(String, ArchivedSample)] = [
    (
      "a string object that spells nil",
      .object("NSString", ["NS.string": .inline(.string("$null"))])
    ),
    (
      "a string object that spells nil in a list",
      .array([.object("NSMutableString", ["NS.string": .inline(.string("$null"))])])
    ),
    (
      "values that stand in their holders",
      .object(
        "App.A",
        [
          "list": .list([1, "boxed", .inline(.string("$null")), .inline(.string("text")), .null]),
          "table": .table([("a", 1), ("b", "boxed"), ("c", .inline(.string("$null")))]),
          "text": .inline(.string("in place")), "number": .stored(.integer(5)), "nil": .null,
        ])
    ),
    ("an ordered set", .object("NSOrderedSet", ["NS.object.0": "b", "NS.object.1": "a"])),
    (
      "an array of a chain of its own",
      .instance(["NSArray", "App.Base", "NSObject"], [("NS.objects", .list(["a"]))])
    ),
    (
      "keys that begin with a dollar sign",
      .object("App.A", ["$$0": "a", "$0": "b", "$$class": "c"])
    ),
    (
      "a dictionary that holds a key twice",
      .instance(
        ["NSDictionary", "NSObject"],
        [("NS.keys", .list(["k", "k", "l"])), ("NS.objects", .list(["a", "b", "c"]))])
    ),
    (
      "a dictionary whose key is a string object of its own class",
      .dictionary([.object("NSMutableString", ["NS.string": .inline(.string("k"))]): "a"])
    ),
    (
      "a dictionary in place with keys like tags",
      .object("App.A", ["table": .table([("$date", "a"), ("b", 1)])])
    ),
    ("an only field with the name of a tag", .object("App.A", ["$entries": .array(["a"])])),
    ("a cycle", .object("App.A", ["me": .root, "list": .array([.root])])),
  ]

  @Test(arguments: samples)
  func comesBackAsItWasStored(_ name: String, _ sample: ArchivedSample) throws {
    let archive = sample.archive
    #expect(try Self.shape(Self.archive(Self.typed(archive))) == Self.shape(archive))
  }

  /// An object with two fields of one name, which XML has no reader for.
  @Test func fieldsOfOneNameComeBack() throws {
    let text = ArchivedSample.object("App.A", ["fa": 1, "fb": "x", "c": 3]).archive
    let binary = try PropertyListSerialization.data(
      fromPropertyList: PropertyListSerialization.propertyList(from: text, format: nil),
      format: .binary, options: 0)
    var archive = binary
    archive.replaceSubrange(
      try #require(archive.range(of: Data("fb".utf8))), with: Data("fa".utf8))
    let json = try Self.typed(archive)
    #expect(json.components(separatedBy: #"{"key":"fa","value":"#).count == 3, "\(json)")
    #expect(try Self.shape(Self.archive(json)) == Self.shape(archive))
  }

  /// The root's text with other facts of its class or its archive.
  private static func edited(_ edits: [(String, String)]) -> Data {
    let archive = ArchivedSample.object("App.A", ["a": 1, "b": .object("App.A")]).archive
    let text = edits.reduce(String(decoding: archive, as: UTF8.self)) {
      $0.replacingOccurrences(of: $1.0, with: $1.1)
    }
    return Data(text.utf8)
  }

  private static let record = "<string>NSObject</string></array>"

  @Test(arguments: [
    [(record, record + "<key>$classhints</key><array><string>NSColor</string></array>")],
    [
      (
        record,
        record + "<key>$versions</key><array><integer>3</integer><integer>0</integer></array>"
      )
    ],
    [("<string>NSKeyedArchiver</string>", "<string>NRKeyedArchiver</string>")],
    [("<integer>100000</integer>", "<integer>99999</integer>")],
  ])
  func factsOfClassesAndArchiverComeBack(_ edits: [(String, String)]) throws {
    let archive = Self.edited(edits)
    #expect(archive != Self.edited([]))
    #expect(try Self.shape(Self.archive(Self.typed(archive))) == Self.shape(archive))
  }

  @Test func anArchiveAsUsualSaysNothingOfItself() throws {
    #expect(try !Self.typed(Self.edited([])).contains("$archive"))
  }

  @Test func aDateThatIsSharedStaysOne() throws {
    let date = NSDate(timeIntervalSinceReferenceDate: 5.5)
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: NSArray(array: [date, date, NSDate(timeIntervalSinceReferenceDate: 5.5)]),
      requiringSecureCoding: false)
    #expect(try Self.shape(Self.archive(Self.typed(archive))) == Self.shape(archive))
  }

  /// Foundation reads an ordered set by a key for each element only.
  @Test func foundationReadsTheOrderedSetThatComesBack() throws {
    let set = NSOrderedSet(array: ["b", "a", "c"])
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: set, requiringSecureCoding: false)
    let back = try Self.archive(Self.typed(archive))
    #expect(try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(back) as? NSOrderedSet == set)
  }

  @Test func topLevelKeysAreToldAsTheyWereNamed() throws {
    let text = String(decoding: ArchivedSample.object("App.A").archive, as: UTF8.self)
    let two = text.replacingOccurrences(
      of: "<key>root</key>", with: "<key>$$x</key><true/><key>y</key>")
    #expect(try Self.typed(Data(two.utf8)).contains(#"{"key":"$x","value":"#))
  }
}

/// What an archive stores, whatever the numbers of its objects.
private struct StoredShape {
  private(set) var text = ""
  private var objects: [SampleValue] = []
  private var numbers: [UInt64: Int] = [:]

  init(_ archive: SampleValue) {
    guard case .dictionary(let parts) = archive else {
      Issue.record("the archive is no dictionary")
      return
    }
    if case .array(let found)? = parts.first(where: { $0.0 == "$objects" })?.1 { objects = found }
    text = parts.filter { $0.0 != "$objects" }.sorted { $0.0 < $1.0 }
      .map { "\($0.0): \(spell($0.1))" }.joined(separator: "; ")
  }

  private mutating func spell(_ value: SampleValue) -> String {
    switch value {
    case .uid(0): return "nil"
    case .uid(let number):
      guard number < UInt64(objects.count) else { return "dangling" }
      let object = objects[Int(number)]
      switch object {
      case .array, .dictionary: break
      default: return "@" + object.canonical
      }
      if let known = numbers[number] { return "#\(known)" }
      numbers[number] = numbers.count
      return "#\(numbers.count - 1)=" + spell(object)
    case .array(let elements):
      return "[" + elements.map { spell($0) }.joined(separator: ",") + "]"
    case .dictionary(let pairs):
      let sorted = pairs.sorted { $0.0 < $1.0 }
      return "{" + sorted.map { "\($0.0): \(spell($0.1))" }.joined(separator: ", ") + "}"
    default: return value.canonical
    }
  }
}
