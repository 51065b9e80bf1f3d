// Lenses over values: what each operation makes, what it loses, and the way back.

import Foundation
import KeyedArchives
import ObjectGraph
import PropertyLists
import TestSupport
import Testing

@testable import Migrations

/// Lenses over JSON texts.
enum LensBench {
  static func steps(_ lens: String, _ direction: LensDirection = .forward) throws -> [LensStep] {
    let tree = try JSONTree(json: Array("{\"lens\": \(lens)}".utf8))
    let file = LensFile(source: "a", target: "b", lens: try LensReader.read(tree))
    return [LensStep(file: file, direction: direction)]
  }

  /// What a lens makes of a text, with what it lost.
  static func apply(
    _ lens: String, _ text: String, _ direction: LensDirection = .forward, kept: String? = nil
  ) throws -> (text: String, lost: String, titles: [String]) {
    let graph = ObjectGraph()
    let root = try graph.add(typedJSON: ByteStorage(copying: Array(text.utf8)))
    var values: [LostValue] = []
    if let kept {
      let node = try graph.add(typedJSON: ByteStorage(copying: Array(kept.utf8)))
      values = try LostValues(node, of: graph).values
    }
    let result = try LensRun.apply(try steps(lens, direction), to: root, of: graph, kept: values)
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(
      result.root, of: graph, options: .init(isTyped: true, isCompact: true), to: &output)
    let lost = try LostValues(family: "f", version: "b", values: result.lost)
      .bytes(of: graph, hash: nil)
    return (
      String(decoding: output.bytes.bytes, as: UTF8.self),
      String(decoding: lost.bytes, as: UTF8.self),
      result.lost.map { "\($0.kind.rawValue) \($0.path)" }
    )
  }

  /// Whether two texts of typed JSON tell the same, members in any order, and booleans as 0 and 1.
  static func isSame(_ left: String, _ right: String) throws -> Bool {
    let (source, target) = (ObjectGraph(), ObjectGraph())
    let path = ModelComparison.firstDifference(
      try source.add(typedJSON: ByteStorage(copying: Array(left.utf8))), of: source,
      try target.add(typedJSON: ByteStorage(copying: Array(right.utf8))), of: target)
    return path == nil
  }
}

@Suite struct LensTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let lens: String
    let source: String
    let target: String
    var forward: [String] = []
    var backward: [String] = []
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "rename", lens: #"[{"rename": {"source": "a", "destination": "b"}}]"#,
      source: #"{"a": 1, "c": 2}"#, target: #"{"b": 1, "c": 2}"#),
    Case(
      name: "rename of nothing", lens: #"[{"rename": {"source": "a", "destination": "b"}}]"#,
      source: #"{"c": 2}"#, target: #"{"c": 2}"#),
    Case(
      name: "add", lens: #"[{"add": {"name": "n", "default": 4}}]"#,
      source: "{}", target: #"{"n": 4}"#),
    Case(
      name: "add of a date",
      lens: #"[{"add": {"name": "n", "default": {"$date": "2019-04-06T03:50:00Z"}}}]"#,
      source: "{}", target: #"{"n": {"$date": "2019-04-06T03:50:00Z"}}"#),
    Case(
      name: "add without default", lens: #"[{"add": {"name": "n"}}]"#, source: "{}",
      target: "{}"),
    Case(
      name: "remove", lens: #"[{"remove": {"name": "n"}}]"#,
      source: #"{"n": [1, {"$data": "AAE="}], "m": 1}"#, target: #"{"m": 1}"#,
      forward: ["value $.n"]),
    Case(
      name: "remove of the default", lens: #"[{"remove": {"name": "n", "default": {"a": [1]}}}]"#,
      source: #"{"n": {"a": [1]}}"#, target: "{}"),
    Case(
      name: "remove of what is absent", lens: #"[{"remove": {"name": "n", "default": 1}}]"#,
      source: "{}", target: "{}", forward: ["absent $.n"]),
    Case(
      name: "hoist", lens: #"[{"hoist": {"host": "h", "name": "n"}}]"#,
      source: #"{"h": {"n": 1, "m": 2}, "z": 3}"#, target: #"{"h": {"m": 2}, "n": 1, "z": 3}"#),
    Case(
      name: "hoist of the last member", lens: #"[{"hoist": {"host": "h", "name": "n"}}]"#,
      source: #"{"h": {"n": 1}}"#, target: #"{"h": {}, "n": 1}"#),
    Case(
      name: "hoist that prunes", lens: #"[{"hoist": {"host": "h", "name": "n", "prune": true}}]"#,
      source: #"{"h": {"n": 1}}"#, target: #"{"n": 1}"#),
    Case(
      name: "hoist that prunes what is empty",
      lens: #"[{"hoist": {"host": "h", "name": "n", "prune": true}}]"#,
      source: #"{"h": {}}"#, target: "{}", forward: ["empty $.h"]),
    Case(
      name: "plunge that creates",
      lens: #"[{"plunge": {"host": "h", "name": "n", "create": true}}]"#,
      source: #"{"n": 1, "m": 2}"#, target: #"{"h": {"n": 1}, "m": 2}"#),
    Case(
      name: "plunge into an absent host", lens: #"[{"plunge": {"host": "h", "name": "n"}}]"#,
      source: #"{"n": 1}"#, target: #"{"h": {"n": 1}}"#, forward: ["absent $.h"]),
    Case(
      name: "two plunges into one host",
      lens: #"""
        [{"add": {"name": "h", "default": {}}}, {"plunge": {"host": "h", "name": "n"}},
         {"plunge": {"host": "h", "name": "m"}}]
        """#,
      source: #"{"n": 1, "m": 2}"#, target: #"{"h": {"n": 1, "m": 2}}"#),
    Case(
      name: "wrap", lens: #"[{"wrap": {"name": "n"}}]"#, source: #"{"n": 1}"#,
      target: #"{"n": [1]}"#),
    Case(
      name: "wrap of nothing", lens: #"[{"wrap": {"name": "n"}}]"#, source: "{}",
      target: #"{"n": []}"#),
    Case(
      name: "head", lens: #"[{"head": {"name": "n"}}]"#, source: #"{"n": [1, 2, [3]]}"#,
      target: #"{"n": 1}"#, forward: ["rest $.n"]),
    Case(
      name: "head of an empty list", lens: #"[{"head": {"name": "n"}}]"#, source: #"{"n": []}"#,
      target: "{}"),
    Case(
      name: "head of nothing", lens: #"[{"head": {"name": "n"}}]"#, source: "{}", target: "{}",
      forward: ["absent $.n"]),
    Case(
      name: "in and map",
      lens: #"[{"in": {"name": "l", "lens": [{"map": {"lens": [{"remove": {"name": "x"}}]}}]}}]"#,
      source: #"{"l": [{"x": 1, "y": 2}, {"y": 3}, {"x": 4}]}"#,
      target: #"{"l": [{"y": 2}, {"y": 3}, {}]}"#, forward: ["value $.l[0].x", "value $.l[2].x"]),
    Case(
      name: "map of a dictionary",
      lens: #"[{"in": {"name": "d", "lens": [{"map": {"lens": [{"wrap": {}}]}}]}}]"#,
      source: #"{"d": {"p": 1, "q": {"r": 2}}}"#, target: #"{"d": {"p": [1], "q": [{"r": 2}]}}"#),
    Case(
      name: "convert by a table of one to one",
      lens: #"[{"convert": {"name": "k", "values": [[0, "low"], [1, "high"]]}}]"#,
      source: #"{"k": 1}"#, target: #"{"k": "high"}"#),
    Case(
      name: "convert by a table of many to one",
      lens: #"[{"convert": {"name": "k", "values": [[0, "low"], [1, "high"], [2, "high"]]}}]"#,
      source: #"{"k": 2}"#, target: #"{"k": "high"}"#, forward: ["value $.k"]),
    Case(
      name: "convert by a mapping",
      lens: #"[{"convert": {"name": "k", "mapping": [{"a": true}, {}]}}]"#,
      source: #"{"k": "a"}"#, target: #"{"k": true}"#),
    Case(
      name: "integer to real",
      lens: #"[{"convert": {"name": "k", "sourceType": "integer", "destinationType": "real"}}]"#,
      source: #"{"k": 64}"#, target: #"{"k": {"$real": 64.0}}"#),
    Case(
      name: "real to integer",
      lens: #"[{"convert": {"name": "k", "sourceType": "real", "destinationType": "integer"}}]"#,
      source: #"{"k": 64.5}"#, target: #"{"k": 65}"#, forward: ["value $.k"]),
    Case(
      name: "number to string",
      lens: #"[{"convert": {"name": "k", "sourceType": "real", "destinationType": "string"}}]"#,
      source: #"{"k": 12.5}"#, target: #"{"k": "12.5"}"#),
    Case(
      name: "string to integer with a sign that is lost",
      lens: #"[{"convert": {"name": "k", "sourceType": "string", "destinationType": "integer"}}]"#,
      source: #"{"k": "+7"}"#, target: #"{"k": 7}"#, forward: ["spelling $.k"]),
    Case(
      name: "boolean to string",
      lens: #"[{"convert": {"name": "k", "sourceType": "boolean", "destinationType": "string"}}]"#,
      source: #"{"k": true}"#, target: #"{"k": "true"}"#),
    Case(
      name: "date in ISO 8601",
      lens:
        #"[{"convert": {"name": "k", "sourceType": "string", "destinationType": "date", "format": "iso8601"}}]"#,
      source: #"{"k": "2019-04-06T03:50:00Z"}"#,
      target: #"{"k": {"$date": "2019-04-06T03:50:00Z"}}"#),
    Case(
      name: "date with an offset",
      lens:
        #"[{"convert": {"name": "k", "sourceType": "string", "destinationType": "date", "format": "iso8601"}}]"#,
      source: #"{"k": "2019-04-06T12:50:00+09:00"}"#,
      target: #"{"k": {"$date": "2019-04-06T03:50:00Z"}}"#, forward: ["spelling $.k"]),
    Case(
      name: "date of RFC 5322",
      lens:
        #"[{"convert": {"name": "k", "sourceType": "date", "destinationType": "string", "format": "rfc5322"}}]"#,
      source: #"{"k": {"$date": "2019-04-06T03:50:00Z"}}"#,
      target: #"{"k": "Sat, 06 Apr 2019 03:50:00 +0000"}"#),
    Case(
      name: "date in the medium style",
      lens:
        #"[{"convert": {"name": "k", "sourceType": "string", "destinationType": "date", "format": "medium", "zone": "+09:00"}}]"#,
      source: #"{"k": "Apr 6, 2019 at 12:50:00 PM"}"#,
      target: #"{"k": {"$date": "2019-04-06T03:50:00Z"}}"#),
    Case(
      name: "date as seconds",
      lens:
        #"[{"convert": {"name": "k", "sourceType": "date", "destinationType": "integer", "format": "unix"}}]"#,
      source: #"{"k": {"$date": "2001-01-01T00:00:10Z"}}"#, target: #"{"k": 978307210}"#),
    Case(
      name: "data to Base64",
      lens: #"[{"convert": {"name": "k", "sourceType": "data", "destinationType": "string"}}]"#,
      source: #"{"k": {"$data": "AAEC"}}"#, target: #"{"k": "AAEC"}"#),
    Case(
      name: "a whole number to a string",
      lens: #"[{"convert": {"name": "k", "sourceType": "number", "destinationType": "string"}}]"#,
      source: #"{"k": 5}"#, target: #"{"k": "5"}"#),
    Case(
      name: "a string of a whole number to a real",
      lens: #"[{"convert": {"name": "k", "sourceType": "string", "destinationType": "real"}}]"#,
      source: #"{"k": "5"}"#, target: #"{"k": {"$real": 5.0}}"#),
    Case(
      name: "an integer of 64 bits to a string",
      lens: #"[{"convert": {"name": "k", "sourceType": "integer", "destinationType": "string"}}]"#,
      source: #"{"k": 18446744073709551615}"#, target: #"{"k": "18446744073709551615"}"#),
    Case(
      name: "a table tells true from 1",
      lens: #"[{"convert": {"name": "k", "values": [[1, "one"], [true, "t"]]}}]"#,
      source: #"{"k": true}"#, target: #"{"k": "t"}"#),
    Case(
      name: "names in two spellings are two names",
      lens: #"[{"rename": {"source": "\u00e9", "destination": "e"}}]"#,
      source: #"{"e\u0301": 1, "\u00e9": 2}"#, target: #"{"e\u0301": 1, "e": 2}"#),
  ]

  @Test(arguments: cases)
  func operationsGoThereAndBack(_ each: Case) throws {
    let there = try LensBench.apply(each.lens, each.source)
    #expect(try LensBench.isSame(there.text, each.target), "\(there.text)")
    #expect(there.titles == each.forward)
    let back = try LensBench.apply(each.lens, there.text, .backward, kept: there.lost)
    #expect(try LensBench.isSame(back.text, each.source), "\(back.text)")
    if each.forward.isEmpty {
      let alone = try LensBench.apply(each.lens, there.text, .backward)
      #expect(try LensBench.isSame(alone.text, each.source), "\(alone.text)")
    }
  }

  @Test(arguments: cases)
  func theWayBackGoesThereAndBack(_ each: Case) throws {
    let back = try LensBench.apply(each.lens, each.target, .backward)
    let there = try LensBench.apply(each.lens, back.text, kept: back.lost)
    #expect(try LensBench.isSame(there.text, each.target), "\(there.text)")
    if back.titles.isEmpty {
      let alone = try LensBench.apply(each.lens, back.text)
      #expect(try LensBench.isSame(alone.text, each.target), "\(alone.text)")
    }
  }

  private static let toDate =
    #"[{"convert": {"name": "k", "sourceType": "string", "destinationType": "date", "format": "rfc5322"}}]"#

  @Test(
    arguments: [
      (#"[{"rename": {"source": "a", "destination": "b"}}]"#, #"{"a": 1, "b": 2}"#, "$.b"),
      (#"[{"add": {"name": "a", "default": 1}}]"#, #"{"a": 1}"#, "$.a"),
      (#"[{"hoist": {"host": "h", "name": "n"}}]"#, #"{"h": [1]}"#, "$.h"),
      (#"[{"hoist": {"host": "h", "name": "n"}}]"#, #"{"h": {"n": 1}, "n": 2}"#, "$.n"),
      (#"[{"plunge": {"host": "h", "name": "n"}}]"#, #"{"h": {"n": 1}, "n": 2}"#, "$.h"),
      (#"[{"head": {"name": "n"}}]"#, #"{"n": 2}"#, "$.n"),
      (#"[{"in": {"name": "n", "lens": [{"map": {"lens": []}}]}}]"#, #"{"n": 2}"#, "$.n"),
      (
        #"[{"in": {"name": "n", "lens": [{"rename": {"source": "a", "destination": "b"}}]}}]"#,
        #"{"n": 2}"#, "$.n"
      ),
      (#"[{"map": {"lens": [{"head": {}}]}}]"#, "[[1], []]", "$[1]"),
      (#"[{"convert": {"name": "k", "values": [[1, 2]]}}]"#, #"{"k": 3}"#, "$.k"),
      (
        #"[{"convert": {"name": "k", "sourceType": "string", "destinationType": "real"}}]"#,
        #"{"k": "x"}"#, "$.k"
      ),
      (
        #"[{"convert": {"name": "k", "sourceType": "real", "destinationType": "integer"}}]"#,
        #"{"k": 1e30}"#, "$.k"
      ),
      (
        #"[{"convert": {"name": "k", "sourceType": "integer", "destinationType": "real"}}]"#,
        #"{"k": 9007199254740993}"#, "$.k"
      ),
      (
        #"[{"convert": {"name": "k", "sourceType": "string", "destinationType": "data"}}]"#,
        #"{"k": "hello world!!"}"#, "$.k"
      ),
      (
        #"[{"convert": {"name": "k", "sourceType": "base64", "destinationType": "data"}}]"#,
        #"{"k": "🙂"}"#, "$.k"
      ),
      (
        #"[{"convert": {"name": "k", "sourceType": "string", "destinationType": "number"}}]"#,
        #"{"k": "0x10"}"#, "$.k"
      ),
      (
        #"[{"convert": {"name": "k", "sourceType": "string", "destinationType": "number"}}]"#,
        #"{"k": "0x1p-2"}"#, "$.k"
      ),
      (Self.toDate, #"{"k": "31 Feb 2019 03:50:00 +0000"}"#, "$.k"),
      (Self.toDate, #"{"k": "Mon, 06 Apr 2019 03:50:00 +0000"}"#, "$.k"),
      (Self.toDate, #"{"k": "Xyz, 06 Apr 2019 03:50:00 +0000"}"#, "$.k"),
      (
        #"[{"convert": {"name": "k", "sourceType": "string", "destinationType": "real"}}]"#,
        #"{"k": []}"#, "$.k"
      ),
    ] as [(String, String, String)])
  func whatAnOperationDoesNotAllowIsNamedWithItsPath(
    _ lens: String, _ source: String, _ path: String
  ) throws {
    let error = #expect(throws: ArchiveError.self) { try LensBench.apply(lens, source) }
    #expect(error?.path == path)
    #expect(error?.code == .mismatch)
  }

  @Test func keysInTwoSpellingsKeepTheirLosses() throws {
    let lens = #"[{"map": {"lens": [{"remove": {"name": "n"}}]}}]"#
    let source = #"{"e\u0301": {"n": 1}, "\u00e9": {"n": 2}}"#
    let there = try LensBench.apply(lens, source)
    let back = try LensBench.apply(lens, there.text, .backward, kept: there.lost)
    #expect(try LensBench.isSame(back.text, source), "\(back.text)")
    _ = try LensBench.steps(#"[{"rename": {"source": "e\u0301", "destination": "\u00e9"}}]"#)
  }

  @Test func whatAWayLosesItGivesBackWhereItCanItself() throws {
    let lens = #"[{"remove": {"name": "n"}}, {"head": {"name": "l"}}]"#
    let steps = try LensBench.steps(lens) + LensBench.steps(lens, .backward)
    let graph = ObjectGraph()
    let root = try graph.add(
      typedJSON: ByteStorage(copying: Array(#"{"n": 1, "l": [1, 2]}"#.utf8)))
    let there = try LensRun.apply(steps, to: root, of: graph)
    #expect(there.lost.isEmpty)
    #expect(ModelComparison.firstDifference(root, of: graph, there.root, of: graph) == nil)
    let again = try LensRun.apply(steps + LensBench.steps(lens), to: root, of: graph)
    #expect(again.lost.map(\.path) == ["$.n", "$.l"])
  }

  @Test func listsThatShareTheirElementsStopAtALimit() throws {
    // Forty lists, each holding the next twice: 2^40 elements to visit.
    var archive = ObjectGraphDoubling.text(levels: 40)
    archive = #"{"l": \#(archive)}"#
    var lens = #"[{"wrap": {}}]"#
    for _ in 0..<40 { lens = #"[{"map": {"lens": \#(lens)}}]"# }
    lens = #"[{"in": {"name": "l", "lens": \#(lens)}}]"#
    let error = #expect(throws: ArchiveError.self) { try LensBench.apply(lens, archive) }
    #expect(error?.code == .limit)
  }
}

/// Typed JSON of lists that hold one another twice.
enum ObjectGraphDoubling {
  static func text(levels: Int) -> String {
    var text = #"{"$id": 0, "$value": [1]}"#
    for level in 1...levels {
      text = #"{"$id": \#(level), "$value": [\#(text), {"$ref": \#(level - 1)}]}"#
    }
    return text
  }
}
