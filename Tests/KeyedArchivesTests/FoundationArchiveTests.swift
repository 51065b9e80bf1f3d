// Keyed archives that Foundation wrote, read as Foundation would read them.

import ArchiveGraph
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct FoundationArchiveTests {
  nonisolated(unsafe) static let values: [(name: String, value: NSObject)] = [
    ("string", NSString(string: "Zürich")), ("empty string", NSString(string: "")),
    ("integer", NSNumber(value: 2009)), ("negative", NSNumber(value: -1)),
    ("real", NSNumber(value: 64.25)), ("boolean", NSNumber(value: true)),
    ("data", NSData(data: Data([0, 1, 2]))),
    ("date", NSDate(timeIntervalSinceReferenceDate: 576_215_400.5)),
    ("array", NSArray(array: [1, "two", 3.5])), ("empty array", NSArray()),
    ("dictionary", NSDictionary(dictionary: ["a": 1, "b": ["c": "d"]])),
    ("set", NSSet(array: ["a", "b"])),
    ("null", NSArray(array: [NSNull(), "after"])),
    ("nested", NSDictionary(dictionary: ["list": [["x": 1], ["x": 2]], "n": NSNull()])),
    ("many", NSArray(array: (0..<3000).map { NSNumber(value: $0 * 37) })),
  ]

  @Test(arguments: values.indices, [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func valuesAreTheSame(
    _ index: Int, _ format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let value = Self.values[index].value
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.outputFormat = format
    archiver.encode(value, forKey: NSKeyedArchiveRootObjectKey)
    let graph = try readGraph(archiver.encodedData)
    #expect(graph.foundationObject(graph.root) == value, "\(Self.values[index].name)")
  }

  @Test(
    arguments: [
      ("https://www.swift.org/index.xml", nil), ("foo.xml", "https://www.example.com/a/b"),
      ("../up", "https://example.com/a/b/c"), ("?q=1", "https://example.com/a/b"),
      ("#f", "https://example.com/a?x"), ("//other.org/x", "https://example.com/"),
      ("/abs", "file:///tmp/folder/"),
    ] as [(String, String?)])
  func urlsAreResolvedAsFoundationResolvesThem(_ relative: String, _ base: String?) throws {
    let url = try #require(NSURL(string: relative, relativeTo: base.flatMap { URL(string: $0) }))
    let data = try NSKeyedArchiver.archivedData(withRootObject: url, requiringSecureCoding: false)
    let graph = try readGraph(data)
    #expect(graph.foundationObject(graph.root) == NSString(string: url.absoluteString))
  }

  @Test func uuidsAreTheirText() throws {
    let uuid = NSUUID()
    let data = try NSKeyedArchiver.archivedData(withRootObject: uuid, requiringSecureCoding: false)
    let graph = try readGraph(data)
    #expect(graph.foundationObject(graph.root) == NSString(string: uuid.uuidString))
  }

  @Test func orderedSetsKeepTheirOrder() throws {
    let set = NSOrderedSet(array: ["c", "a", "b"])
    let data = try NSKeyedArchiver.archivedData(withRootObject: set, requiringSecureCoding: false)
    let graph = try readGraph(data)
    guard case .orderedSet(let elements) = graph.value(of: graph.root) else {
      Issue.record("no ordered set")
      return
    }
    let texts = (0..<elements.count).map { graph.foundationObject(graph.node(elements, $0)) }
    #expect(texts == ["c", "a", "b"].map { NSString(string: $0) })
  }

  @Test func keepsSharedReferencesShared() throws {
    let shared = NSMutableArray(array: ["x"])
    let root = NSArray(array: [shared, shared])
    let data = try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false)
    let graph = try readGraph(data)
    guard case .array(let elements) = graph.value(of: graph.root) else {
      Issue.record("no array")
      return
    }
    #expect(graph.node(elements, 0) == graph.node(elements, 1))
  }
}
