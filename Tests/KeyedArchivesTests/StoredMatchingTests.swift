// What two stored graphs must have in common: each rule of the matching by archives that keep it and break it.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchiveWriting
import KeyedArchives
import TestSupport
import Testing

@Suite struct StoredMatchingTests {
  /// Two archives in typed JSON, and the kinds and paths of their differences.
  struct Pair: Sendable, CustomTestStringConvertible {
    let name: String
    let left: String
    let right: String
    let differences: [String]
    var areCollectionsValues = false
    var ignored: String?

    init(
      _ name: String, _ left: String, _ right: String, _ differences: [String] = [],
      areCollectionsValues: Bool = false, ignoring ignored: String? = nil
    ) {
      (self.name, self.left, self.right, self.differences) = (name, left, right, differences)
      (self.areCollectionsValues, self.ignored) = (areCollectionsValues, ignored)
    }

    var testDescription: String { name }
  }

  private static func object(
    _ fields: String, _ name: String = "M", _ chain: String = #""M", "NSObject""#
  ) -> String {
    #"{"$object": {"class": "\#(name)", "classes": [\#(chain)], "fields": {\#(fields)}}}"#
  }

  private static func collection(_ name: String, _ parent: String, _ fields: String) -> String {
    object(fields, name, #""\#(name)", "\#(parent)", "NSObject""#)
  }

  private static func mutableArray(_ elements: String) -> String {
    collection("NSMutableArray", "NSArray", #""NS.objects": {"$inline": [\#(elements)]}"#)
  }

  private static let null = object("", "NSNull", #""NSNull", "NSObject""#)

  private static func url(_ base: String, _ text: String) -> String {
    object(#""NS.base": \#(base), "NS.relative": "\#(text)""#, "NSURL", #""NSURL", "NSObject""#)
  }

  private static func zone(_ name: String, _ data: String) -> String {
    object(
      #""NS.name": "\#(name)", "NS.data": \#(data)"#, "NSTimeZone", #""NSTimeZone", "NSObject""#)
  }

  private static let error = object(
    #""NSDomain": "d", "NSCode": 1"#, "NSError", #""NSError", "NSObject""#)
  private static let components = object(
    #""NS.year": 2020"#, "NSDateComponents", #""NSDateComponents", "NSObject""#)
  private static let shared = #""p": {"$id": 1, "$value": ["q"]}, "q": {"$ref": 1}"#
  private static let apart = #""p": ["q"], "q": ["q"]"#
  private static let sharedMap = #""p": {"$id": 1, "$value": {"k": "q"}}, "q": {"$ref": 1}"#
  private static let apartMap = #""p": {"k": "q"}, "q": {"k": "q"}"#

  static let pairs: [Pair] = [
    Pair("fields in another order", object(#""a": 1, "b": "x""#), object(#""b": "x", "a": 1"#)),
    Pair(
      "a dictionary's entries in another order", object(#""d": {"a": "x", "b": "y"}"#),
      object(#""d": {"b": "y", "a": "x"}"#)),
    Pair(
      "a set's elements in another order", object(#""s": {"$set": ["a", "b", "c"]}"#),
      object(#""s": {"$set": ["c", "a", "b"]}"#)),
    Pair(
      "another element of a set", object(#""s": {"$set": ["a", "b"]}"#),
      object(#""s": {"$set": ["a", "c"]}"#), ["value $.s[1]"]),
    Pair(
      "fewer elements of a set", object(#""s": {"$set": ["a", "b"]}"#),
      object(#""s": {"$set": ["a"]}"#), ["value $.s"]),
    Pair("elements in another order", "[1, 2]", "[2, 1]", ["value $[0]", "value $[1]"]),
    Pair("fewer elements", object(#""l": [1, 2]"#), object(#""l": [1]"#), ["value $.l"]),
    Pair("another text", object(#""a": "x""#), object(#""a": "y""#), ["value $.a"]),
    Pair("another number", object(#""a": 1"#), object(#""a": 2"#), ["value $.a"]),
    Pair("an integer that is a real", object(#""a": 1"#), object(#""a": {"$real": 1}"#)),
    Pair(
      "-0.0 and 0.0", object(#""a": {"$real": -0.0}"#), object(#""a": {"$real": 0}"#),
      ["value $.a"]),
    Pair(
      "another precision", object(#""a": {"$float": 0.5}"#), object(#""a": {"$real": 0.5}"#),
      ["storage $.a"]),
    Pair(
      "an inline number that is boxed", object(#""a": 1"#), object(#""a": {"$boxed": 1}"#),
      ["storage $.a"]),
    Pair("nil that is absent", object(#""a": null"#), object(""), ["absence $.a"]),
    Pair("an absent field that is nil", object(""), object(#""a": null"#), ["absence $.a"]),
    Pair("nil that is NSNull", object(#""a": null"#), object(#""a": \#(null)"#), ["absence $.a"]),
    Pair("nil that is a value", object(#""a": null"#), object(#""a": "x""#), ["value $.a"]),
    Pair("a value that is absent", object(#""a": "x""#), object(""), ["value $.a"]),
    Pair("a value that is new", object(""), object(#""a": "x""#), ["value $.a"]),
    Pair(
      "another class", object(#""a": 1"#), object(#""a": 1"#, "N", #""N", "NSObject""#), ["class $"]
    ),
    Pair(
      "other superclasses", object(#""a": 1"#), object(#""a": 1"#, "M", #""M", "B", "NSObject""#),
      ["class $"]),
    Pair(
      "an object that is a dictionary", object(#""o": \#(object(#""a": "x""#))"#),
      object(#""o": {"a": "x"}"#), ["class $.o"]),
    Pair(
      "a mutable list that is immutable", object(#""l": \#(mutableArray(#""x""#))"#),
      object(#""l": ["x"]"#), ["mutability $.l"]),
    Pair(
      "a set that is a list", object(#""s": {"$set": ["a"]}"#), object(#""s": ["a"]"#),
      ["class $.s", "value $.s"]),
    Pair(
      "keys of another class", object(#""d": {"$entries": [{"key": 1, "value": "x"}]}"#),
      object(#""d": {"1": "x"}"#), ["key $.d['1']", "value $.d['1']"]),
    Pair(
      "a mutable key",
      object(
        #""d": {"$entries": [{"key": \#(collection("NSMutableString", "NSString", #""NS.string": "k""#)), "value": "x"}]}"#
      ),
      object(#""d": {"k": "x"}"#), ["key $.d.k"]),
    Pair("one list that becomes two", object(shared), object(apart), ["sharing $.q"]),
    Pair("two lists that become one", object(apart), object(shared), ["sharing $.q"]),
    Pair(
      "immutable lists that an envelope copies", object(shared), object(apart),
      areCollectionsValues: true),
    Pair(
      "mutable lists that an envelope copies",
      object(#""p": {"$id": 1, "$value": \#(mutableArray(#""q""#))}, "q": {"$ref": 1}"#),
      object(#""p": \#(mutableArray(#""q""#)), "q": \#(mutableArray(#""q""#))"#),
      ["sharing $.q"], areCollectionsValues: true),
    Pair(
      "objects that an envelope copies",
      object(
        #""p": {"$id": 1, "$value": \#(object(#""a": 1"#, "N", #""N", "NSObject""#))}, "q": {"$ref": 1}"#
      ),
      object(
        #""p": \#(object(#""a": 1"#, "N", #""N", "NSObject""#)), "q": \#(object(#""a": 1"#, "N", #""N", "NSObject""#))"#
      ),
      ["sharing $.q"], areCollectionsValues: true),
    Pair(
      "one empty list that becomes two",
      object(#""p": {"$id": 1, "$value": []}, "q": {"$ref": 1}"#), object(#""p": [], "q": []"#)),
    Pair("one dictionary that becomes two", object(sharedMap), object(apartMap), ["sharing $.q"]),
    Pair(
      "dictionaries that an envelope copies", object(sharedMap), object(apartMap),
      areCollectionsValues: true),
    Pair(
      "one empty dictionary that becomes two",
      object(#""p": {"$id": 1, "$value": {}}, "q": {"$ref": 1}"#), object(#""p": {}, "q": {}"#)),
    Pair(
      "one URL that becomes two",
      object(#""p": {"$id": 1, "$value": \#(url("null", "http://h"))}, "q": {"$ref": 1}"#),
      object(#""p": \#(url("null", "http://h")), "q": \#(url("null", "http://h"))"#)),
    Pair(
      "one time zone that becomes two",
      object(#""p": {"$id": 1, "$value": \#(zone("Asia/Tokyo", "null"))}, "q": {"$ref": 1}"#),
      object(#""p": \#(zone("Asia/Tokyo", "null")), "q": \#(zone("Asia/Tokyo", "null"))"#)),
    Pair(
      "one error that becomes two",
      object(#""p": {"$id": 1, "$value": \#(error)}, "q": {"$ref": 1}"#),
      object(#""p": \#(error), "q": \#(error)"#)),
    Pair(
      "date components that become two",
      object(#""p": {"$id": 1, "$value": \#(components)}, "q": {"$ref": 1}"#),
      object(#""p": \#(components), "q": \#(components)"#), ["sharing $.q"],
      areCollectionsValues: true),
    Pair(
      "a list in the layout of old archivers",
      object(#""l": \#(collection("NSArray", "NSObject", #""NS.object.0": "a""#))"#),
      object(#""l": \#(collection("NSArray", "NSObject", #""NS.objects": {"$inline": ["a"]}"#))"#)),
    Pair(
      "a text that is mutable", object(#""a": "x""#),
      object(#""a": \#(collection("NSMutableString", "NSString", #""NS.string": "x""#))"#),
      ["mutability $.a"]),
    Pair(
      "data that are mutable", object(#""a": {"$data": "YQ=="}"#),
      object(#""a": \#(collection("NSMutableData", "NSData", #""NS.data": {"$data": "YQ=="}"#))"#),
      ["mutability $.a"]),
    Pair(
      "a number of another class", object(#""a": {"$boxed": 1}"#),
      object(
        #""a": \#(object(#""NS.intval": 1"#, "NSNumber", #""NSNumber", "NSValue", "NSObject""#))"#),
      ["value $.a['NS.intval']"]),
    Pair("a boolean that is a number", object(#""a": true"#), object(#""a": 1"#)),
    Pair("a boolean that is a number, without objects", "[true]", "[1]", ["value $[0]"]),
    Pair(
      "an object that holds itself", #"{"$id": 1, "$value": \#(object(#""me": {"$ref": 1}"#))}"#,
      #"{"$id": 1, "$value": \#(object(#""me": {"$ref": 1}"#))}"#),
    Pair(
      "another base of a URL", object(#""u": \#(url(url("null", "http://h/a/"), "b"))"#),
      object(#""u": \#(url("null", "http://h/a/b"))"#),
      ["value $.u['NS.base']", "value $.u['NS.relative']"]),
    Pair(
      "transitions that a time zone derives",
      object(#""z": \#(zone("Asia/Tokyo", #"{"$data": "YWJj"}"#))"#),
      object(#""z": \#(zone("Asia/Tokyo", "null"))"#)),
    Pair(
      "data with other bytes", object(#""d": {"$data": "YQ=="}"#),
      object(#""d": {"$data": "Yg=="}"#), ["value $.d"]),
    // JSON's bytes of one value.
    Pair(
      "an ignored member", object(#""a": 1, "x-lost": "y""#), object(#""a": 1"#),
      ignoring: "x-lost"),
    Pair(
      "an ignored member's name below", object(#""o": {"x-lost": "y"}"#), object(#""o": {}"#),
      ["value $.o['x-lost']"], ignoring: "x-lost"),
  ]

  private static func differences(_ pair: Pair) throws -> [StoredDifference] {
    let (source, target) = (ObjectGraph(), ObjectGraph())
    return StoredMatching.differences(
      try source.add(typedJSON: ByteStorage(copying: Array(pair.left.utf8))), of: source,
      try target.add(typedJSON: ByteStorage(copying: Array(pair.right.utf8))), of: target,
      areCollectionsValues: pair.areCollectionsValues, ignoring: pair.ignored)
  }

  @Test(arguments: pairs) func eachDifferenceHasItsKindAndPath(_ pair: Pair) throws {
    let found = try Self.differences(pair).map { "\($0.kind) \($0.path)" }
    #expect(found.sorted() == pair.differences.sorted())
  }

  /// A field `$class` of a subclass is stored as `$$class`, and is no class.
  @Test(arguments: ["NSArray", "NSSet", "NSString", "NSData"], ["extra", "$$class"])
  func ownFieldsOfValuesAreCompared(_ name: String, _ key: String) throws {
    func graph(_ text: String) throws -> ObjectGraph {
      let content: (String, ArchivedSample) =
        switch name {
        case "NSString": ("NS.string", .inline(.string("s")))
        case "NSData": ("NS.data", .data("d"))
        default: ("NS.objects", .list(["e"]))
        }
      return try readGraph(
        ArchivedSample.instance([name, "NSObject"], [content, (key, .stored(.string(text)))])
          .archive)
    }
    let (left, right) = (try graph("x"), try graph("y"))
    let found = StoredMatching.differences(left.root, of: left, right.root, of: right)
    #expect(found.map(\.kind) == [.value], "\(found)")
  }

  /// Every archive equals itself.
  @Test(arguments: pairs) func anArchiveEqualsItself(_ pair: Pair) throws {
    for text in [pair.left, pair.right] {
      #expect(try Self.differences(Pair(pair.name, text, text)).isEmpty)
    }
  }

  /// More differences than anybody would read are counted, and none of another kind is passed over.
  @Test func manyDifferencesHideNoOther() throws {
    let count = 12_000
    let texts = (0..<count).map { #""\#($0)""# }.joined(separator: ",")
    let found = try Self.differences(
      Pair(
        "", Self.object(#""l": [\#(texts)], "z": null"#),
        Self.object(#""l": [\#(Array(repeating: #""""#, count: count).joined(separator: ","))]"#)))
    #expect(found.count < count)
    #expect(found.filter { $0.kind == .value }.reduce(0) { $0 + $1.count } == count)
    #expect(found.filter { $0.kind == .absence }.map(\.path.description) == ["$.z"])
  }

  /// What is to be told apart by its path is not counted together.
  @Test func differencesAreSplitByTheirPaths() throws {
    let (source, target) = (ObjectGraph(), ObjectGraph())
    func list(_ name: String) -> ByteStorage {
      let objects = (0..<2).map { Self.object(#""a": \#($0)"#, name, #""\#(name)", "NSObject""#) }
      return ByteStorage(copying: Array(#"{"l": [\#(objects.joined(separator: ","))]}"#.utf8))
    }
    let left = try source.add(typedJSON: list("C"))
    let right = try target.add(typedJSON: list("D"))
    func paths(_ split: ((StoredDifference.Kind, GraphPath) -> Bool)?) -> [String] {
      StoredMatching.differences(left, of: source, right, of: target, splitBy: split)
        .map { "\($0.path) \($0.count)" }
    }
    #expect(paths(nil) == ["$.l[0] 2"])
    #expect(paths { $1.description == "$.l[0]" } == ["$.l[0] 1", "$.l[1] 1"])
  }
}
