// `"absent": "same"`: what is absent, null, or what an operation gives for them, is no loss.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import ArchiveMigrations

@Suite struct AbsenceTests {
  /// The lens without its flag, a value, and what the flag tolerates.
  private static let cases: [(operation: String, arguments: String, value: String, path: String)] =
    [
      ("default", #""name": "n", "value": 0"#, "{}", "absent $.n"),
      ("default", #""name": "n", "value": 0"#, #"{"n": null}"#, "value $.n"),
      ("remove", #""name": "n", "default": 0"#, "{}", "absent $.n"),
      ("remove", #""name": "n", "default": 0"#, #"{"n": null}"#, "value $.n"),
      ("nullable", #""name": "n", "null": "absent""#, "{}", "absent $.n"),
      ("nullable", #""name": "n", "null": "present""#, #"{"n": null}"#, "value $.n"),
      ("wrap", #""name": "n""#, #"{"n": null}"#, "absent $.n"),
      ("head", #""name": "n""#, "{}", "absent $.n"),
    ]

  private static func apply(
    _ lens: String, _ value: String, _ direction: LensDirection = .forward,
    kept: String? = nil
  ) throws -> (result: LensInterpreter.Result, text: String, tolerated: String) {
    let graph = ObjectGraph()
    let root = try graph.add(typedJSON: ByteStorage(copying: Array(value.utf8)))
    let values = try kept.map { text in
      try LostValues(graph.add(typedJSON: ByteStorage(copying: Array(text.utf8))), of: graph).values
    }
    let result = try LensInterpreter.apply(
      LensBench.steps(lens, direction), to: root, of: graph, kept: values ?? [])
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(
      result.root, of: graph, options: .init(isTyped: true, isCompact: true), to: &output)
    let record = LostValues(family: "f", version: "b", values: result.tolerated)
    let tolerated = try record.bytes(of: graph, hash: nil)
    return (
      result, String(decoding: output.bytes.bytes, as: UTF8.self),
      String(decoding: tolerated.bytes, as: UTF8.self)
    )
  }

  @Test(arguments: cases)
  func absenceIsNoLossWhereTheLensSaysSo(
    _ each: (operation: String, arguments: String, value: String, path: String)
  ) throws {
    let strict = try Self.apply(#"[{"\#(each.operation)": {\#(each.arguments)}}]"#, each.value)
    #expect(strict.result.lost.map { "\($0.kind.rawValue) \($0.path)" } == [each.path])
    #expect(strict.result.tolerated.isEmpty)
    let lens = #"[{"\#(each.operation)": {\#(each.arguments), "absent": "same"}}]"#
    let there = try Self.apply(lens, each.value)
    #expect(there.text == strict.text)
    #expect(there.result.lost.isEmpty)
    #expect(there.result.tolerated.map { "\($0.kind.rawValue) \($0.path)" } == [each.path])
    // What is known to have been absent comes back absent.
    let back = try Self.apply(
      lens, there.text, .backward, kept: there.tolerated)
    #expect(try LensBench.isSame(back.text, each.value), "\(back.text)")
  }

  @Test func otherValuesAreLostAllTheSame() throws {
    let there = try Self.apply(
      #"[{"remove": {"name": "n", "default": 0, "absent": "same"}}]"#, #"{"n": 1}"#)
    #expect(there.result.lost.count == 1 && there.result.tolerated.isEmpty)
  }

  @Test func aMissingMemberIsMigratedWithoutLeave() throws {
    let schema = #""type": "object", "properties": {"a": {}, "isNew": {"type": "boolean"}}"#
    let lens =
      #"{"rename": {"source": "a", "destination": "b"}}, {"default": {"name": "isNew", "value": false"#
    for (flag, isMigrated) in [("", false), (#", "absent": "same""#, true)] {
      let family = try PairFamily(
        ("json", "json"), (schema + #", "required": ["a"]"#, #""required": ["b", "isNew"]"#),
        lens: lens + flag + "}}")
      let there = try family.migrate(Data(#"{"a": 1}"#.utf8), "v1", "v2")
      #expect((there != nil) == isMigrated)
      guard let there else { continue }
      #expect(try family.migrate(there, "v2", "v1") != nil)
    }
  }
}
