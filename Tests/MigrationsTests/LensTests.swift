// Lenses applied to values: the result of each operation, its losses, and its inverse.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import ArchiveMigrations

/// Lenses over JSON texts.
enum LensBench {
  static func steps(_ lens: String, _ direction: LensDirection = .forward) throws -> [LensStep] {
    // A text with 'lens' in it is a whole file.
    let text = lens.hasPrefix("{") ? lens : "{\"lens\": \(lens)}"
    let tree = try JSONTree(json: Array(text.utf8))
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
    let result = try LensInterpreter.apply(
      try steps(lens, direction), to: root, of: graph, kept: values)
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

  /// Whether two texts of typed JSON tell the same: members in any order, numbers by value, and booleans as no numbers.
  static func isSame(_ left: String, _ right: String) throws -> Bool {
    let (source, target) = (ObjectGraph(), ObjectGraph())
    let path = ModelComparison.firstDifference(
      try source.add(typedJSON: ByteStorage(copying: Array(left.utf8))), of: source,
      try target.add(typedJSON: ByteStorage(copying: Array(right.utf8))), of: target)
    return try path == nil && tree(left).isSame(as: tree(right))
  }

  private static func tree(_ text: String) throws -> JSONTree {
    var shared: [Int: JSONTree] = [:]
    return plain(try JSONTree(json: Array(text.utf8)), &shared)
  }

  /// Without tags; a value that stands in two places stands there twice.
  private static func plain(
    _ tree: JSONTree, _ shared: inout [Int: JSONTree]
  ) -> JSONTree {
    if let items = tree.list { return .list(items.map { plain($0, &shared) }) }
    guard let members = tree.members else { return tree }
    if case .integer(let number)? = tree["$ref"] { return shared[number] ?? tree }
    if case .integer(let number)? = tree["$id"], let value = tree["$value"] {
      let result = plain(value, &shared)
      shared[number] = result
      return result
    }
    if members.count == 1, let (name, value) = members.first, ["$real", "$int"].contains(name) {
      return value.string.flatMap { UInt64($0) }.map { .unsigned($0) } ?? value
    }
    return .members(members.map { ($0.0, plain($0.1, &shared)) })
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

  @Test(arguments: refused)
  func valuesThatDoNotFitAreRefused(_ each: (lens: String, value: String, reason: String)) throws {
    let error = #expect(throws: ArchiveError.self) { try LensBench.apply(each.lens, each.value) }
    #expect(error?.message.contains(each.reason) == true, "\(error?.message ?? "")")
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
      (
        #"[{"convert": {"name": "k", "sourceType": "boolean", "destinationType": "integer"}}]"#,
        #"{"k": 2}"#, "$.k"
      ),
      (#"[{"copy": {"source": "a", "destination": "b"}}]"#, #"{"a": 1, "b": 1}"#, "$.b"),
      (#"[{"split": {"name": "s", "separator": ","}}]"#, #"{"s": [","]}"#, "$.s"),
      (#"[{"join": {"name": "s", "separator": ","}}]"#, #"{"s": ["a", 1]}"#, "$.s"),
      (#"[{"pluck": {"name": "o", "as": "n"}}]"#, #"{"o": {"m": 1}}"#, "$.o"),
      (#"[{"pluck": {"name": "o", "as": "n"}}]"#, #"{"o": 1}"#, "$.o"),
      (#"[{"group": {"name": "l", "by": "i"}}]"#, #"{"l": [{"i": "a"}, {"i": "a"}]}"#, "$.l[1]"),
      (#"[{"group": {"name": "l", "by": "i"}}]"#, #"{"l": [{"i": 1}]}"#, "$.l[0]"),
      (#"[{"group": {"name": "l", "by": "i"}}]"#, #"{"l": [{}]}"#, "$.l[0]"),
      (#"[{"group": {"name": "l", "by": "i"}}]"#, #"{"l": {}}"#, "$.l"),
      (#"[{"ungroup": {"name": "l", "by": "i"}}]"#, #"{"l": {"a": {"i": 1}}}"#, "$.l.a.i"),
      (#"[{"ungroup": {"name": "l", "by": "i"}}]"#, #"{"l": {"a": 1}}"#, "$.l.a"),
      (
        #"[{"group": {"keys": "k", "values": "v", "into": "d"}}]"#, #"{"k": ["a"], "v": []}"#,
        "$.v"
      ),
      (
        #"[{"group": {"keys": "k", "values": "v", "into": "d"}}]"#,
        #"{"k": ["a", "a"], "v": [1, 2]}"#, "$.k"
      ),
      (#"[{"group": {"keys": "k", "values": "v", "into": "d"}}]"#, #"{"k": ["a"]}"#, "$"),
      (
        #"""
        [{"when": {"member": "t", "equals": "a", "lens": [{"remove": {"name": "t", "default": "a"}}]}}]
        """#, #"{"t": "a"}"#, "$"
      ),
      (
        #"""
        [{"when": {"member": "t", "equals": "a", "after": {"member": "k", "present": true},
           "lens": [{"rename": {"source": "t", "destination": "k"}}]}}]
        """#, #"{"k": 1}"#, "$"
      ),
      (#"[{"convert": {"name": "k", "values": [[1, 2]]}}]"#, #"{"k": 3}"#, "$.k"),
      (#"[{"convert": {"name": "k", "values": [[1, 2]]}}]"#, #"{"k": true}"#, "$.k"),
      (#"[{"convert": {"name": "k", "values": [[true, 2]]}}]"#, #"{"k": 1}"#, "$.k"),
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
      (Self.pattern("yyyy-MM-dd", #", "zone": "UTC""#), #"{"k": "2019-02-29"}"#, "$.k"),
      (Self.pattern("yyyy-MM-dd", #", "zone": "UTC""#), #"{"k": "2019-2-28"}"#, "$.k"),
      (Self.pattern("yyyy-MM-dd", #", "zone": "UTC""#), #"{"k": "2019-02-28 "}"#, "$.k"),
      (Self.pattern("unix", ""), #"{"k": "soon"}"#, "$.k"),
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
    #expect(error?.path?.description == path)
    #expect(error?.code == .mismatch)
  }

  @Test func whatElseTookIsKnownOnlyWhereItWasKept() throws {
    let lens = #"[{"convert": {"name": "k", "values": [[0, "low"]], "else": "odd"}}]"#
    let there = try LensBench.apply(lens, #"{"k": 7}"#)
    let error = #expect(throws: ArchiveError.self) {
      try LensBench.apply(lens, there.text, .backward)
    }
    #expect(error?.message.contains("it may represent any value that 'else' covered") == true)
    let back = try LensBench.apply(lens, there.text, .backward, kept: there.lost)
    #expect(try LensBench.isSame(back.text, #"{"k": 7}"#))
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
    let there = try LensInterpreter.apply(steps, to: root, of: graph)
    #expect(there.lost.isEmpty)
    #expect(ModelComparison.firstDifference(root, of: graph, there.root, of: graph) == nil)
    let again = try LensInterpreter.apply(steps + LensBench.steps(lens), to: root, of: graph)
    #expect(again.lost.map(\.path.description) == ["$.n", "$.l"])
  }

  @Test func aLensThatUsesItselfStopsAtALimit() throws {
    let lens = #"""
      {"lenses": {"t": [{"remove": {"name": "x"}}, {"in": {"name": "t", "lens": [{"use": "t"}]}}]},
       "lens": [{"use": "t"}]}
      """#
    for (depth, isFine) in [(100, true), (200, false)] {
      let text =
        String(repeating: #"{"t": "#, count: depth) + "{}" + String(repeating: "}", count: depth)
      if isFine {
        #expect(try LensBench.isSame(LensBench.apply(lens, text).text, text))
      } else {
        let error = #expect(throws: ArchiveError.self) { try LensBench.apply(lens, text) }
        #expect(error?.code == .limit)
      }
    }
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
