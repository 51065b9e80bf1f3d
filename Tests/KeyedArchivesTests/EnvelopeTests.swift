// Envelopes that archtool writes and Foundation reads, and values encoded as Codable encodes them.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct EnvelopeTests {
  /// The property list inside the root NSData of a codable archive.
  private func codable(
    _ value: NSObject, shape: any TypeHints = NoHints()
  ) throws -> NSObject {
    let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
    let graph = try readGraph(data)
    let bytes = try EnvelopeWriter.wrap(graph.root, of: graph, in: .codable, shape: shape)
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(bytes.bytes))
    unarchiver.requiresSecureCoding = false
    let inner = try #require(
      unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? Data)
    return try #require(
      try PropertyListSerialization.propertyList(from: inner, format: nil) as? NSObject)
  }

  /// What PropertyListEncoder writes for a value.
  private func encoded<Value: Encodable>(_ value: Value) throws -> NSObject {
    let data = try PropertyListEncoder().encode(["v": value])
    return try #require(
      try PropertyListSerialization.propertyList(from: data, format: nil) as? NSObject)
  }

  @Test func spellsURLsAsCodableDoes() throws {
    let url = try #require(URL(string: "https://example.com/a"))
    #expect(try codable(NSDictionary(dictionary: ["v": url as NSURL])) == encoded(url))
  }

  /// Foundation on Linux archives a relative URL as an absolute one, so this archive is spelled out.
  @Test func spellsARelativeURLWithItsBase() throws {
    let text = """
      <plist><dict><key>$archiver</key><string>NSKeyedArchiver</string>
      <key>$version</key><integer>100000</integer>
      <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
      <key>$objects</key><array><string>$null</string>
      <dict><key>$class</key><dict><key>CF$UID</key><integer>4</integer></dict>
      <key>v</key><dict><key>CF$UID</key><integer>2</integer></dict></dict>
      <dict><key>$class</key><dict><key>CF$UID</key><integer>5</integer></dict>
      <key>NS.base</key><dict><key>CF$UID</key><integer>3</integer></dict>
      <key>NS.relative</key><dict><key>CF$UID</key><integer>6</integer></dict></dict>
      <dict><key>$class</key><dict><key>CF$UID</key><integer>5</integer></dict>
      <key>NS.base</key><dict><key>CF$UID</key><integer>0</integer></dict>
      <key>NS.relative</key><dict><key>CF$UID</key><integer>7</integer></dict></dict>
      <dict><key>$classname</key><string>Model</string></dict>
      <dict><key>$classname</key><string>NSURL</string></dict>
      <string>b</string><string>https://example.com/a</string></array></dict></plist>
      """
    let graph = try readGraph(Data(text.utf8))
    let bytes = try EnvelopeWriter.wrap(graph.root, of: graph, in: .plist, shape: NoHints())
    let value = try PropertyListSerialization.propertyList(from: Data(bytes.bytes), format: nil)
    let base = URL(string: "https://example.com/a")
    let relative = try #require(URL(string: "b", relativeTo: base))
    #expect(value as? NSObject == (try encoded(relative)))
  }

  @Test func spellsUUIDsAsCodableDoes() throws {
    let uuid = UUID()
    #expect(try codable(NSDictionary(dictionary: ["v": uuid as NSUUID])) == encoded(uuid))
  }

  @Test func spellsDatesAndDataAsCodableDoes() throws {
    let date = Date(timeIntervalSinceReferenceDate: 1234.5)
    #expect(try codable(NSDictionary(dictionary: ["v": date])) == encoded(date))
    let data = Data([1, 2, 3])
    #expect(try codable(NSDictionary(dictionary: ["v": data])) == encoded(data))
  }

  @Test func spellsSetsAsArrays() throws {
    #expect(
      try codable(NSDictionary(dictionary: ["v": NSSet(array: ["only"])])) == encoded(Set(["only"]))
    )
  }

  /// A shape that names the members a and b of every value.
  private struct NamedShape: TypeHints {
    var root: Int { 0 }
    func member(_ place: Int, _ key: Text) -> Int? { 0 }
    func element(_ place: Int) -> Int { 0 }
    func number(_ place: Int) -> NumberShape { .any }
    func names(_ name: String, in place: Int) -> Bool { ["a", "b"].contains(name) }
  }

  @Test func leavesOutOptionalsThatAreNil() throws {
    struct Model: Encodable {
      var a = "x"
      var b: String?
    }
    let model = try encoded(Model())
    let value = NSDictionary(dictionary: ["v": ["a": "x", "b": NSNull()] as NSDictionary])
    #expect(try codable(value, shape: NamedShape()) == model)
  }

  @Test func keepsTheKeysOfADictionaryWhoseValuesAreNil() throws {
    let values: [String: Int?] = ["a": nil, "b": 1]
    let value = NSDictionary(dictionary: ["v": ["a": NSNull(), "b": 1] as NSDictionary])
    #expect(try codable(value) == encoded(values))
  }

  @Test func spellsNilInAnArrayAsCodableDoes() throws {
    let value = NSDictionary(dictionary: ["v": NSArray(array: ["a", NSNull()])])
    #expect(try codable(value) == encoded(["a", nil] as [String?]))
  }

  @Test func spellsIntegerKeysAsStrings() throws {
    let value = NSDictionary(dictionary: ["v": NSDictionary(dictionary: [7: "seven"])])
    #expect(try codable(value) == encoded([7: "seven"]))
  }

  @Test func spellsUUIDKeysAsAFlatArray() throws {
    let uuid = UUID()
    let value = NSDictionary(dictionary: ["v": NSDictionary(dictionary: [uuid as NSUUID: "x"])])
    #expect(try codable(value) == encoded([uuid: "x"]))
  }

  @Test func spellsIndexSetsAsCodableDoes() throws {
    var indexes = IndexSet(integersIn: 1..<8)
    let value = NSDictionary(dictionary: ["v": indexes as NSIndexSet])
    #expect(try codable(value) == encoded(indexes))
    indexes.insert(integersIn: 300..<310)
    let more = NSDictionary(dictionary: ["v": indexes as NSIndexSet])
    #expect(try codable(more) == encoded(indexes))
  }

  @Test func spellsLocaleAndTimeZoneAsCodableDoes() throws {
    let locale = Locale(identifier: "de_CH")
    #expect(try codable(NSDictionary(dictionary: ["v": locale as NSLocale])) == encoded(locale))
    let zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
    #expect(try codable(NSDictionary(dictionary: ["v": zone as NSTimeZone])) == encoded(zone))
  }

  @Test func spellsMeasurementsAsCodableDoes() throws {
    let measurement = Measurement(value: 18.5, unit: UnitTemperature.celsius)
    let archived = NSMeasurement(doubleValue: 18.5, unit: UnitTemperature.celsius)
    #expect(try codable(NSDictionary(dictionary: ["v": archived])) == encoded(measurement))
  }

  @Test func spellsDateComponentsAsCodableDoes() throws {
    var components = DateComponents(year: 2019, month: 4, day: 6, hour: 12)
    // NSDateComponents on Linux archives that there is no leap month, even where nothing was said of it.
    components.isLeapMonth = false
    let value = NSDictionary(dictionary: ["v": components as NSDateComponents])
    #expect(try codable(value) == encoded(components))
    components.timeZone = TimeZone(identifier: "Asia/Tokyo")
    let zoned = NSDictionary(dictionary: ["v": components as NSDateComponents])
    #expect(try codable(zoned) == encoded(components))
  }

  @Test(arguments: [[5], [1, 2, 300], [0, 70_000]])
  func spellsIndexPathsAsCodableDoes(_ indexes: [Int]) throws {
    let path = IndexPath(indexes: indexes)
    #expect(try codable(NSDictionary(dictionary: ["v": path as NSIndexPath])) == encoded(path))
  }

  @Test func spellsRangesAndRectanglesAsCodableDoes() throws {
    let range = NSRange(location: 3, length: 4)
    let values = NSDictionary(dictionary: ["v": NSValue(range: range)])
    #expect(try codable(values) == encoded(range))
    let rectangle = CGRect(x: 1, y: 2, width: 3, height: 4.5)
    let rectangles = NSDictionary(dictionary: ["v": NSValue(rect: rectangle)])
    #expect(try codable(rectangles) == encoded(rectangle))
  }

  /// NSKeyedArchiver on Linux cannot write a decimal, so this one is among the archives.
  @Test func spellsDecimalsAsCodableDoes() throws {
    let url = TestArchives.root.appendingPathComponent("Graphs/mutable-classes")
    let graph = try readGraph(Data(contentsOf: url))
    let bytes = try EnvelopeWriter.wrap(graph.root, of: graph, in: .plist, shape: NoHints())
    let values = try PropertyListSerialization.propertyList(from: Data(bytes.bytes), format: nil)
    let decimal = try #require((values as? NSDictionary)?["decimal"] as? NSObject)
    let wanted = try encoded(try #require(Decimal(string: "12.34"))) as? NSDictionary
    #expect(decimal == wanted?["v"] as? NSObject)
  }

  /// Foundation on Linux cannot archive an error, so this archive is spelled out.
  @Test func aFrameworksObjectWithoutACodableFormIsRefusedWithItsPath() throws {
    let text = """
      <plist><dict><key>$archiver</key><string>NSKeyedArchiver</string>
      <key>$version</key><integer>100000</integer>
      <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
      <key>$objects</key><array><string>$null</string>
      <dict><key>$class</key><dict><key>CF$UID</key><integer>3</integer></dict>
      <key>cause</key><dict><key>CF$UID</key><integer>2</integer></dict></dict>
      <dict><key>$class</key><dict><key>CF$UID</key><integer>4</integer></dict>
      <key>NSCode</key><integer>1</integer></dict>
      <dict><key>$classname</key><string>App.Report</string></dict>
      <dict><key>$classname</key><string>NSError</string></dict></array></dict></plist>
      """
    let graph = try readGraph(Data(text.utf8))
    do {
      _ = try EnvelopeWriter.wrap(graph.root, of: graph, in: .codable, shape: NoHints())
      Issue.record("an error was encoded")
    } catch {
      #expect(error.code == .unrepresentable)
      #expect(error.path?.description == "$.cause")
    }
  }

  // MARK: Dictionariable

  @Test(arguments: 0..<100)
  func foundationReadsWhatTheKeyedWriterWrites(_ seed: Int) throws {
    var maker = KeyedTreeMaker(seed: UInt64(seed))
    let tree = maker.tree(depth: 4)
    let plist = try PropertyListSerialization.data(
      fromPropertyList: NSArray(array: [tree]), format: .binary, options: 0)
    let graph = try readGraph(plist)
    let bytes = try EnvelopeWriter.wrap(
      graph.root, of: graph, in: .dictionariable, shape: NoHints())
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(bytes.bytes))
    unarchiver.requiresSecureCoding = false
    let read = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? NSArray
    #expect(read == NSArray(array: [tree]), "seed \(seed)")
    let back = try readGraph(Data(bytes.bytes))
    #expect(
      ModelComparison.firstDifference(graph.root, of: graph, back.root, of: back) == nil)
  }

  /// The `$` that an archiver puts before a field's key is none of the key.
  @Test func fieldsBecomeADictionaryByTheirKeys() throws {
    let object = ArchivedSample.object("App.A", ["$$price": 5, "name": "n"])
    let graph = try readGraph(object.archive)
    let bytes = try EnvelopeWriter.wrap(
      graph.root, of: graph, in: .dictionariable, shape: NoHints())
    let read = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(Data(bytes.bytes))
    #expect(read as? NSDictionary == ["$price": 5, "name": "n"])
  }

  @Test func layoutIsThatOfApplesArchiver() throws {
    let graph = try readGraph(
      Data("{\"list\":[{\"a\":1,\"b\":\"x\"},{\"a\":1,\"b\":\"x\"}]}".utf8))
    let bytes = try EnvelopeWriter.wrap(
      graph.root, of: graph, in: .dictionariable, shape: NoHints())
    let plist = try readGraph(Data(bytes.bytes), resolving: false)
    let stored = try #require(plist.foundationObject(plist.root) as? NSDictionary)
    #expect(stored["$version"] as? Int == 100_000)
    #expect(stored["$archiver"] as? String == "NSKeyedArchiver")
    #expect(stored["$top"] as? NSDictionary == ["root": "UID 1"])
    let objects = try #require(stored["$objects"] as? [NSObject])
    #expect(objects[0] == NSString(string: "$null"))
    // Strings, numbers and class records are stored once: 4 dictionaries and arrays, "list", "a", "b", "x", 1,
    // NSDictionary's record and NSArray's, and $null.
    #expect(objects.count == 12)
    let classes = objects.compactMap { ($0 as? NSDictionary)?["$classname"] as? String }
    #expect(classes.sorted() == ["NSArray", "NSDictionary"])
  }
}

/// Property lists whose dictionaries have different keys, as NSKeyedUnarchiver on Linux reads them back.
private struct KeyedTreeMaker {
  private var state: UInt64

  init(seed: UInt64) { state = seed &+ 1 }

  private mutating func next(_ bound: UInt64) -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 33) % bound
  }

  mutating func tree(depth: Int) -> NSObject {
    switch next(depth > 0 ? 7 : 5) {
    case 0: return NSNumber(value: next(2) == 0)
    case 1: return NSNumber(value: Int64(next(100_000)) - 50_000)
    case 2: return NSNumber(value: Double(next(1000)) + 0.5)
    case 3: return NSDate(timeIntervalSinceReferenceDate: Double(next(1_000_000)))
    case 4: return NSString(string: "text \(next(50)) ü")
    case 5: return NSArray(array: (0..<next(6)).map { _ in tree(depth: depth - 1) })
    default:
      let dictionary = NSMutableDictionary()
      for key in 0..<next(6) { dictionary["key \(key)"] = tree(depth: depth - 1) }
      return dictionary
    }
  }
}
