// Invalid lens files: each fault is reported with its location.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Testing

@testable import ArchiveMigrations

@Suite struct LensReaderTests {
  @Test(arguments: [
    ("[]", "$"),
    (#"{"lenses": []}"#, "$"),
    (#"{"lens": {}}"#, "$.lens"),
    (#"{"lens": [], "direction": "backward"}"#, "$.direction"),
    (#"{"lens": [{}]}"#, "$.lens[0]"),
    (#"{"lens": [{"rename": {"source": "a", "destination": "b"}, "add": {}}]}"#, "$.lens[0]"),
    (#"{"lens": [{"renam": {}}]}"#, "$.lens[0]"),
    (#"{"lens": [{"rename": []}]}"#, "$.lens[0].rename"),
    (#"{"lens": [{"rename": {"source": "a"}}]}"#, "$.lens[0].rename"),
    (#"{"lens": [{"rename": {"source": "a", "destination": "a"}}]}"#, "$.lens[0].rename"),
    (#"{"lens": [{"rename": {"source": "a", "destination": 2}}]}"#, "$.lens[0].rename.destination"),
    (#"{"lens": [{"rename": {"source": "a", "to": "b"}}]}"#, "$.lens[0].rename.to"),
    (#"{"lens": [{"hoist": {"host": "a", "name": "b", "prune": 1}}]}"#, "$.lens[0].hoist.prune"),
    (#"{"lens": [{"plunge": {"host": "a", "name": "a"}}]}"#, "$.lens[0].plunge"),
    (#"{"lens": [{"in": {"name": "a"}}]}"#, "$.lens[0].in"),
    (
      #"{"lens": [{"in": {"name": "a", "lens": [{"map": {"lens": 3}}]}}]}"#,
      "$.lens[0].in.lens[0].map.lens"
    ),
    (#"{"lens": [{"default": {"name": "a"}}]}"#, "$.lens[0].default"),
    (#"{"lens": [{"add": {"name": "a", "absent": true}}]}"#, "$.lens[0].add.absent"),
    (#"{"lens": [{"wrap": {"absent": "same"}}]}"#, "$.lens[0].wrap"),
    (#"{"lens": [{"rename": {"absent": "same"}}]}"#, "$.lens[0].rename.absent"),
    (#"{"lens": [{"map": {"names": "(", "lens": []}}]}"#, "$.lens[0].map.names"),
    (#"{"lens": [{"map": {"names": "a", "by": "b", "lens": []}}]}"#, "$.lens[0].map.names"),
    (#"{"lens": [{"group": {"alternating": true}}]}"#, "$.lens[0].group.alternating"),
    (#"{"lens": [{"group": {"alternating": "string", "by": "a"}}]}"#, "$.lens[0].group.by"),
    (
      #"{"lens": [{"convert": {"sourceType": "url", "destinationType": "list"}}]}"#,
      "$.lens[0].convert"
    ),
    (
      #"{"lens": [{"convert": {"sourceType": "point", "destinationType": "string"}}]}"#,
      "$.lens[0].convert"
    ),
    (
      #"{"lens": [{"convert": {"sourceType": "color", "destinationType": "string", "format": 1}}]}"#,
      "$.lens[0].convert.format"
    ),
    (#"{"lens": [{"default": {"name": "a", "value": null}}]}"#, "$.lens[0].default"),
    (#"{"lens": [{"nullable": {"name": "a"}}]}"#, "$.lens[0].nullable"),
    (#"{"lens": [{"copy": {"source": "a", "destination": "a"}}]}"#, "$.lens[0].copy"),
    (#"{"lens": [{"split": {"name": "a", "separator": ""}}]}"#, "$.lens[0].split"),
    (#"{"lens": [{"nest": {"name": "a"}}]}"#, "$.lens[0].nest"),
    (#"{"lens": [{"group": {"name": "a"}}]}"#, "$.lens[0].group"),
    (#"{"lens": [{"group": {"by": "a", "keys": "b"}}]}"#, "$.lens[0].group.keys"),
    (#"{"lens": [{"group": {"keys": "a", "values": "b", "into": "b"}}]}"#, "$.lens[0].group"),
    (#"{"lens": [{"when": {"member": "a", "lens": []}}]}"#, "$.lens[0].when"),
    (#"{"lens": [{"when": {"member": "a", "equals": [1], "lens": []}}]}"#, "$.lens[0].when.equals"),
    (
      #"{"lens": [{"when": {"member": "a", "equals": 1, "after": {"is": 1}, "lens": []}}]}"#,
      "$.lens[0].when.after.is"
    ),
    (#"{"lens": [{"use": "a"}]}"#, "$.lens[0].use"),
    (#"{"lens": [], "lenses": []}"#, "$.lenses"),
    (#"{"lens": [], "lenses": {"a": [{"use": "a"}]}}"#, "$.lenses.a[0]"),
    (
      #"""
      {"lens": [], "lenses": {"a": [{"when": {"member": "m", "present": true, "lens": [{"use": "b"}]}}],
                              "b": [{"use": "a"}]}}
      """#, "$.lenses.b[0]"
    ),
    (#"{"lens": [{"class": {"name": "a", "from": "A"}}]}"#, "$.lens[0].class"),
    (#"{"lens": [{"class": {"from": "A", "to": "A"}}]}"#, "$.lens[0].class"),
    (#"{"lens": [{"store": {"as": "inline"}}]}"#, "$.lens[0].store"),
    (#"{"lens": [{"store": {"name": "a"}}]}"#, "$.lens[0].store"),
    (#"{"lens": [{"store": {"name": "a", "as": "packed"}}]}"#, "$.lens[0].store.as"),
    (#"{"lens": [{"convert": {"name": "a"}}]}"#, "$.lens[0].convert"),
    (#"{"lens": [{"convert": {"name": "a", "values": []}}]}"#, "$.lens[0].convert.values"),
    (#"{"lens": [{"convert": {"name": "a", "values": [[1]]}}]}"#, "$.lens[0].convert.values[0]"),
    (
      #"{"lens": [{"convert": {"name": "a", "values": [[1, {"a": 2, "b": 3}]]}}]}"#,
      "$.lens[0].convert.values[0]"
    ),
    (
      #"{"lens": [{"add": {"name": "a", "default": {"$data": "!!!"}}}]}"#,
      "$.lens[0].add.default['$data']"
    ),
    (
      #"{"lens": [{"remove": {"name": "a", "default": [{"x": {"$date": "today"}}]}}]}"#,
      "$.lens[0].remove.default[0].x['$date']"
    ),
    (
      #"{"lens": [{"convert": {"name": "a", "values": [[{"$real": "x"}, 1]]}}]}"#,
      "$.lens[0].convert.values[0][0]['$real']"
    ),
    (
      #"{"lens": [{"add": {"name": "a", "default": [18446744073709551616]}}]}"#,
      "$.lens[0].add.default[0]"
    ),
    (#"{"lens": [{"convert": {"name": "a", "mapping": [{}]}}]}"#, "$.lens[0].convert.mapping"),
    (#"{"lens": [{"convert": {"name": "a", "sourceType": "string"}}]}"#, "$.lens[0].convert"),
    (
      #"{"lens": [{"convert": {"name": "a", "sourceType": "string", "destinationType": "uid"}}]}"#,
      "$.lens[0].convert"
    ),
    (
      #"{"lens": [{"convert": {"name": "a", "sourceType": "string", "destinationType": "date"}}]}"#,
      "$.lens[0].convert.format"
    ),
    (
      #"{"lens": [{"convert": {"name": "a", "values": [[1, 2]], "else": [3]}}]}"#,
      "$.lens[0].convert.else"
    ),
    (
      #"{"lens": [{"convert": {"name": "a", "sourceType": "real", "destinationType": "string", "else": ""}}]}"#,
      "$.lens[0].convert.else"
    ),
    (
      #"{"lens": [{"convert": {"name": "a", "sourceType": "date", "destinationType": "string", "format": "yyyy-MM-dd"}}]}"#,
      "$.lens[0].convert"
    ),
    (
      #"{"lens": [{"convert": {"name": "a", "sourceType": "date", "destinationType": "string", "format": "medium"}}]}"#,
      "$.lens[0].convert"
    ),
    (
      #"{"lens": [{"convert": {"name": "a", "sourceType": "date", "destinationType": "string", "format": "medium", "zone": "here"}}]}"#,
      "$.lens[0].convert.zone"
    ),
  ])
  func faultsAreNamedWithTheirPlace(_ text: String, _ path: String) throws {
    let tree = try JSONTree(json: Array(text.utf8))
    let error = #expect(throws: ArchiveError.self) { try LensReader.read(tree) }
    #expect(error?.path?.description == path)
    #expect(error?.code == .malformed)
  }

  @Test(arguments: [
    "HH:mm", "yy-MM-dd", "yyyy-MM-dd hh:mm", "yyyy-MM-dd HH:mm a", "yyyy-MM-dd'T",
    "yyyy-yyyy-MM-dd",
    "yyyy-MM-dd HH:ss", "yyyy-MM-dd mm", "iso", "YYYY-MM-dd", "yyyy-DDD", "yyyy-MM-dd HH:mm zzzz",
  ])
  func patternsThatTellNoMomentAreNamed(_ pattern: String) throws {
    let text = #"""
      {"lens": [{"convert": {"name": "a", "sourceType": "string", "destinationType": "date",
        "format": "\#(pattern)", "zone": "UTC"}}]}
      """#
    let error = #expect(throws: ArchiveError.self) {
      try LensReader.read(JSONTree(json: Array(text.utf8)))
    }
    #expect(error?.path?.description == "$.lens[0].convert.format")
  }

  @Test func lensesInLensesEndAtALimit() throws {
    var text = "[]"
    for _ in 0..<70 { text = #"[{"map": {"lens": \#(text)}}]"# }
    let tree = try JSONTree(json: Array(#"{"lens": \#(text)}"#.utf8))
    #expect(throws: ArchiveError.self) { try LensReader.read(tree) }
  }

  @Test(arguments: [
    (
      #"{"class": {"name": "sub", "from": "A", "to": "B"}}"#, "class of sub from A to B",
      "class of sub from B to A"
    ),
    (
      #"{"class": {"from": "A", "to": "B"}}"#, "class of the value from A to B",
      "class of the value from B to A"
    ),
    (#"{"store": {"name": "on", "as": "inline"}}"#, "store on inline", "store on boxed"),
  ])
  func operationsAreNamedInBothDirections(
    _ operation: String, _ forward: String, _ backward: String
  ) throws {
    let lens = try LensReader.read(JSONTree(json: Array("{\"lens\": [\(operation)]}".utf8)))
    let only = try #require(lens.operations.first)
    #expect(only.title == forward)
    let back = LensOperation(kind: only.kind.resolved(for: .backward), pointer: "")
    #expect(back.title == backward)
    #expect(operation.hasPrefix("{\"\(only.word)\""))
  }

  private static func file(_ source: String, _ target: String) -> LensFile {
    LensFile(
      source: source, target: target,
      lens: Lens(operations: [
        LensOperation(kind: .wrap(name: "n", isInverse: false), pointer: "/lens/0")
      ]))
  }

  @Test(
    arguments: [
      ("v1", "v4", [], ["v1-v2>", "v2-v4>"]),
      ("v4", "v1", [], ["v2-v4<", "v1-v2<"]),
      ("v1", "v4", ["v3"], ["v1-v2>", "v2-v3>", "v3-v4>"]),
      ("v2", "v2", [], []),
      ("v1", "v5", [], nil),
      ("v1", "v4", ["v5"], nil),
    ] as [(String, String, [String], [String]?)])
  func theShortestWayIsTaken(
    _ from: String, _ to: String, _ via: [String], _ expected: [String]?
  ) {
    let lenses = FamilyLenses(
      family: "F", versions: ["v1", "v2", "v3", "v4", "v5"],
      files: [
        Self.file("v1", "v2"), Self.file("v2", "v3"), Self.file("v2", "v4"),
        Self.file("v3", "v4"),
      ])
    let way = lenses.path(from: from, to: to, via: via)?
      .map { $0.file.name + ($0.direction == .forward ? ">" : "<") }
    #expect(way == expected)
  }
}
