// What two files must have in common to store the same: each rule by keyed archives that keep it and break it.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct FileMatchingTests {
  /// A keyed archive as an XML property list, of the parts that a case changes.
  struct Archive {
    var archiver = "NSKeyedArchiver"
    var version = 100_000
    var top = ["root": 1]
    /// The objects behind `$null`: the model, its members' values, and the record of its class.
    var objects: [any Sendable] = [
      [
        "n": 1, "s": uid(2), "l": uid(3), "k": uid(3), "e": uid(4), "$class": uid(5),
      ] as [String: any Sendable],
      "text",
      ["NS.objects": [uid(8)], "$class": uid(6)] as [String: any Sendable],
      ["NS.objects": [uid(8), uid(3)], "$class": uid(7)] as [String: any Sendable],
      record("M"), record("NSArray"), record("NSSet"), "element",
    ]
    var extra: [String: any Sendable] = [:]

    static func uid(_ number: Int) -> [String: any Sendable] { ["CF$UID": number] }

    static func record(_ name: String, _ more: [String: any Sendable] = [:]) -> [String:
      any Sendable]
    {
      ["$classname": name, "$classes": [name, "NSObject"]].merging(more) { $1 }
    }

    var data: Data {
      let parts: [String: any Sendable] = [
        "$archiver": archiver, "$version": version, "$top": top.mapValues(Self.uid),
        "$objects": ["$null"] + objects,
      ]
      let whole = parts.merging(extra) { $1 }
      // XML, since only there a dictionary CF$UID is a UID.
      guard
        let xml = try? PropertyListSerialization.data(
          fromPropertyList: whole, format: .xml, options: 0)
      else { return Data() }
      return xml
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let path: String?
    let left: Data
    let right: Data

    init(_ name: String, _ path: String?, _ left: Archive, _ right: Archive) {
      (testDescription, self.path) = (name, path)
      (self.left, self.right) = (left.data, right.data)
    }

    init(_ name: String, _ path: String?, _ change: (inout Archive) -> Void) {
      var right = Archive()
      change(&right)
      self.init(name, path, Archive(), right)
    }
  }

  private static func model(_ changes: [String: (any Sendable)?]) -> [String: any Sendable] {
    var model = Archive().objects[0] as? [String: any Sendable] ?? [:]
    for (key, value) in changes { model[key] = value }
    return model
  }

  private static func holder(_ data: Data) -> Archive {
    var archive = Archive()
    archive.objects[1] = data
    return archive
  }

  static let cases: [Case] = [
    Case("nothing", nil) { _ in },
    Case("objects in another order", nil) { archive in
      archive.objects[0] = model(["l": Archive.uid(9), "k": Archive.uid(9)])
      archive.objects[3] =
        ["NS.objects": [Archive.uid(9), Archive.uid(8)], "$class": Archive.uid(7)]
        as [String: any Sendable]
      archive.objects.append(archive.objects[2])
      archive.objects[2] = "nobody's"
    },
    Case("a class's record twice", nil) { archive in
      archive.objects.append(Archive.record("NSSet"))
      archive.objects[3] =
        ["NS.objects": [Archive.uid(8), Archive.uid(3)], "$class": Archive.uid(9)]
        as [String: any Sendable]
    },
    Case("the archiver", "$") { $0.archiver = "Other" },
    Case("a version", "$") { $0.version = 1 },
    Case("a top-level key", "$") { $0.top = ["other": 1] },
    Case("one more top-level key", "$") { $0.top = ["root": 1, "other": 2] },
    Case("what the root is", "$") { $0.top = ["root": 3] },
    Case("one more part", "$") { $0.extra = ["more": "x"] },
    Case("hints of a class", "$.e[1]") {
      $0.objects[5] = Archive.record("NSArray", ["$classhints": ["H"]])
    },
    Case("a class's record with something more", "$") {
      $0.objects[4] = Archive.record("M", ["CM.version": 2])
    },
    Case("a number that is a real", "$.n") { $0.objects[0] = model(["n": 1.0]) },
    Case("a number that is a boolean", "$.n") { $0.objects[0] = model(["n": true]) },
    Case("a text that is inline", "$.s") { $0.objects[0] = model(["s": "text"]) },
    Case("an element that is inline", "$.e[1][0]") {
      $0.objects[2] =
        ["NS.objects": ["element"], "$class": Archive.uid(6)] as [String: any Sendable]
    },
    Case("a field that is missing", "$.s") { $0.objects[0] = model(["s": nil]) },
    Case("a list that is two", "$.l") { archive in
      archive.objects.append(archive.objects[2])
      archive.objects[0] = model(["l": Archive.uid(9)])
    },
    Case(
      "archives in data with objects in another order", nil, holder(Archive().data),
      holder(
        {
          var inner = Archive()
          inner.objects.append("nobody's")
          return inner.data
        }())),
    Case(
      "the archiver of an archive in data", "$.s", holder(Archive().data),
      holder(
        {
          var inner = Archive()
          inner.archiver = "Other"
          return inner.data
        }())),
    Case(
      "the encoding of a list in the data of the root", "$", root(Self.list(.xml)),
      root(Self.list(.binary))),
    Case(
      "the encoding of a list in data", "$.s", holder(Self.list(.xml)), holder(Self.list(.binary))),
  ]

  /// An archive whose root is data, as that of a Codable model is.
  private static func root(_ data: Data) -> Archive {
    var archive = Archive()
    archive.objects = [data]
    return archive
  }

  private static func list(_ format: PropertyListSerialization.PropertyListFormat) -> Data {
    (try? PropertyListSerialization.data(
      fromPropertyList: ["a", "b"], format: format, options: 0)) ?? Data()
  }

  @Test(arguments: cases) func theFirstDifferenceHasItsPath(_ item: Case) throws {
    let (left, right) = (try readGraph(item.left), try readGraph(item.right))
    for (one, other) in [(left, right), (right, left)] {
      let path = StoredMatching.firstDifference(betweenFiles: one, other)
      #expect(path?.description == item.path)
    }
    #expect(StoredMatching.firstDifference(betweenFiles: left, left) == nil)
  }

  @Test func listsWithoutObjectsAreMatchedByTheirValues() throws {
    for (texts, path) in [
      ([#"{"a": 1, "b": [true]}"#, #"{"b": [true], "a": 1}"#], nil),
      ([#"{"a": 1}"#, #"{"a": 1.0}"#], "$.a"), ([#"{"a": 1}"#, #"{"a": true}"#], "$.a"),
    ] as [([String], String?)] {
      let graphs = try texts.map { try readGraph(Data($0.utf8)) }
      let found = StoredMatching.firstDifference(betweenFiles: graphs[0], graphs[1])
      #expect(found?.description == path)
    }
  }
}
