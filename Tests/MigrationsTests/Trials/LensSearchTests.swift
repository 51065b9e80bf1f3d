// The lens between two schemas: found, or left open with the candidates.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import Foundation
import Testing

@testable import ArchiveMigrations

@Suite struct LensSearchTests {
  /// Two schemas, and samples of both.
  struct Case: CustomTestStringConvertible {
    let name: String
    /// The properties, all of them required, except those whose names end in a question mark.
    let old: String
    let new: String
    /// The models of samples, one of each version.
    var samples: [(old: String, new: String)] = []
    /// The operations; an open choice with its candidates.
    let lens: String

    var testDescription: String { name }
  }

  static let text = #"{"type":"string"}"#

  static let cases = [
    Case(
      name: "renames the one of an equal schema", old: #""a": {"type":"string"}"#,
      new: #""b": {"type":"string"}"#,
      lens: #"[{"rename":{"source":"a","destination":"b"}}]"#),
    Case(
      name: "renames by the name", old: #""Title": {"type":"string"}, "x": {"type":"string"}"#,
      new: #""y": {"type":"string"}, "title": {"type":"string"}"#,
      lens:
        #"[{"rename":{"source":"Title","destination":"title"}},{"rename":{"source":"x","destination":"y"}}]"#
    ),
    Case(
      name: "asks which of two was renamed",
      old: #""a": {"type":"string"}"#, new: #""b": {"type":"string"}, "c": {"type":"string"}"#,
      lens:
        #"[{"?":{"question":"what is 'a' now?","candidates":[[{"rename":{"source":"a","destination":"b"}}],[{"rename":{"source":"a","destination":"c"}}]]}}]"#
    ),
    Case(
      name: "renames by the values",
      old: #""a": {"type":"string"}"#, new: #""b": {"type":"string"}, "c": {"type":"string"}"#,
      samples: [(#"{"a":"Ada"}"#, #"{"b":"new","c":"Ada"}"#)],
      lens:
        #"[{"rename":{"source":"a","destination":"c"}},{"add":{"name":"b","default":"new"}}]"#),
    Case(
      name: "moves into a new object", old: #""lat": {"type":"number"}, "lon": {"type":"number"}"#,
      new:
        #""place": {"type":"object","properties":{"lat":{"type":"number"},"lon":{"type":"number"}},"required":["lat","lon"],"additionalProperties":false}"#,
      lens:
        #"[{"plunge":{"host":"place","name":"lat","create":true}},{"plunge":{"host":"place","name":"lon"}}]"#
    ),
    Case(
      name: "moves out of an object",
      old:
        #""place": {"type":"object","properties":{"lat":{"type":"number"},"lon":{"type":"number"}},"required":["lat","lon"],"additionalProperties":false}"#,
      new: #""lat": {"type":"number"}, "lon": {"type":"number"}"#,
      lens:
        #"[{"hoist":{"host":"place","name":"lat"}},{"hoist":{"host":"place","name":"lon","prune":true}}]"#
    ),
    Case(
      name: "converts types", old: #""a": {"type":"string"}"#, new: #""a": {"type":"integer"}"#,
      lens:
        #"[{"convert":{"name":"a","sourceType":"string","destinationType":"integer"}}]"#),
    Case(
      name: "finds the format of a date",
      old: #""a": {"type":"string"}"#, new: #""a": {"type":"string","x-plist-type":"date"}"#,
      samples: [(#"{"a":"24.12.2020"}"#, #"{"a":{"$date":"2020-12-24T00:00:00Z"}}"#)],
      lens:
        #"[{"convert":{"name":"a","sourceType":"string","destinationType":"date","format":"dd.MM.yyyy","zone":"UTC"}}]"#
    ),
    Case(
      name: "finds the zone of a date",
      old: #""a": {"type":"string"}"#, new: #""a": {"type":"string","x-plist-type":"date"}"#,
      samples: [(#"{"a":"2020-12-24 06:00"}"#, #"{"a":{"$date":"2020-12-23T21:00:00Z"}}"#)],
      lens:
        #"[{"convert":{"name":"a","sourceType":"string","destinationType":"date","format":"yyyy-MM-dd HH:mm","zone":"+09:00"}}]"#
    ),
    Case(
      name: "finds the unit of a date",
      old: #""a": {"type":"integer"}"#, new: #""a": {"type":"string","x-plist-type":"date"}"#,
      samples: [(#"{"a":1600000000}"#, #"{"a":{"$date":"2020-09-13T12:26:40Z"}}"#)],
      lens:
        #"[{"convert":{"name":"a","sourceType":"integer","destinationType":"date","format":"unix"}}]"#
    ),
    Case(
      name: "pairs values that read alike",
      old: #""a": {"enum":["OPEN","CLOSED"]}"#, new: #""a": {"enum":["closed","open"]}"#,
      lens: #"[{"convert":{"name":"a","values":[["OPEN","open"],["CLOSED","closed"]]}}]"#),
    Case(
      name: "splits texts as the samples show",
      old: #""a": {"type":"string"}"#, new: #""a": {"type":"array","items":{"type":"string"}}"#,
      samples: [(#"{"a":"x; y"}"#, #"{"a":["x","y"]}"#)],
      lens: #"[{"split":{"name":"a","separator":"; "}}]"#),
    Case(
      name: "wraps numbers", old: #""a": {"type":"integer"}"#,
      new: #""a": {"type":"array","items":{"type":"integer"}}"#,
      lens: #"[{"wrap":{"name":"a"}}]"#),
    Case(
      name: "nests a value", old: #""a": {"type":"string"}"#,
      new:
        #""a": {"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}"#,
      lens: #"[{"nest":{"name":"a","as":"name"}}]"#),
    Case(
      name: "groups a list by the key that the values lack",
      old:
        #""a": {"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"n":{"type":"integer"}},"required":["id","n"],"additionalProperties":false}}"#,
      new:
        #""a": {"type":"object","additionalProperties":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}}"#,
      samples: [(#"{"a":[{"id":"x","n":1}]}"#, #"{"a":{"x":{"n":1}}}"#)],
      lens: #"[{"group":{"name":"a","by":"id"}}]"#),
    Case(
      name: "copies what equals another member",
      old: #""a": {"type":"string"}"#, new: #""a": {"type":"string"}, "b": {"type":"string"}"#,
      samples: [(#"{"a":"same"}"#, #"{"a":"same","b":"same"}"#)],
      lens: #"[{"copy":{"source":"a","destination":"b"}}]"#),
    Case(
      name: "adds what the schema gives as the default",
      old: #""a": {"type":"string"}"#,
      new: #""a": {"type":"string"}, "b": {"type":"integer","default":3}"#,
      lens: #"[{"add":{"name":"b","default":3}}]"#),
    Case(
      name: "asks for a default", old: #""a": {"type":"string"}"#,
      new: #""a": {"type":"string"}, "b": {"type":"boolean"}"#,
      lens:
        #"[{"?":{"question":"what is 'b' where it is missing?","candidates":[[{"add":{"name":"b","default":false}}],[{"add":{"name":"b","default":true}}]]}}]"#
    ),
    Case(
      name: "requires what was optional",
      old: #""a?": {"type":"integer"}"#, new: #""a": {"type":"integer","default":0}"#,
      lens: #"[{"default":{"name":"a","value":0}}]"#),
    Case(
      name: "leaves out null", old: #""a": {"type":["string","null"]}"#,
      new: #""a?": {"type":"string"}"#,
      lens: #"[{"nullable":{"name":"a","null":"absent"}}]"#),
    Case(
      name: "tells presence", old: #""a?": {"type":"string"}"#,
      new: #""a?": {"type":"string"}, "b": {"type":"boolean"}"#,
      samples: [(#"{"a":"x"}"#, #"{"a":"x","b":true}"#), ("{}", #"{"b":false}"#)],
      lens:
        #"[{"when":{"member":"a","present":true,"lens":[{"add":{"name":"b","default":true}}]}},{"when":{"member":"a","present":false,"lens":[{"add":{"name":"b","default":false}}]}}]"#
    ),
    Case(
      name: "works in lists",
      old:
        #""a": {"type":"array","items":{"type":"object","properties":{"N":{"type":"string"}},"required":["N"],"additionalProperties":false}}"#,
      new:
        #""a": {"type":"array","items":{"type":"object","properties":{"n":{"type":"string"}},"required":["n"],"additionalProperties":false}}"#,
      lens:
        #"[{"in":{"name":"a","lens":[{"map":{"lens":[{"rename":{"source":"N","destination":"n"}}]}}]}}]"#
    ),
  ]

  @Test(arguments: cases)
  func finds(_ known: Case) throws {
    var search = LensSearch(
      from: try Self.version("v1", known.old), to: try Self.version("v2", known.new),
      samples: try known.samples.enumerated().flatMap { number, pair in
        [
          LensSample(name: "\(number)", version: "v1", models: [try Self.model(pair.old)]),
          LensSample(name: "\(number)", version: "v2", models: [try Self.model(pair.new)]),
        ]
      })
    #expect(search.run().tree["lens"]?.compactText == known.lens)
  }

  /// Each level of one side may belong to each of the other.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      (
        #"{"type":"object","properties":{"a":?},"required":["a"],"additionalProperties":false}"#,
        #"{"type":"array","items":?}"#
      ),
      (
        #"{"type":"object","properties":{"a":?},"required":["a"],"additionalProperties":false}"#,
        #"{"type":"object","properties":{"b":?},"required":["b"],"additionalProperties":false}"#
      ),
    ])
  func deepShapesAreLeftOpenSoon(_ old: String, _ new: String) throws {
    func nested(_ shape: String) -> String {
      (0..<30).reduce(Self.text) { inner, _ in shape.replacing("?", with: inner) }
    }
    var search = LensSearch(
      from: try Self.version("v1", "\"m\": \(nested(old))"),
      to: try Self.version("v2", "\"m\": \(nested(new))"))
    #expect(!search.run().questions.isEmpty)
  }

  @Test func takesAnAnswer() throws {
    var search = LensSearch(
      from: try Self.version("v1", #""a": {"type":"string"}"#),
      to: try Self.version("v2", #""b": {"type":"string"}, "c": {"type":"string","default":""}"#)
    ) { _ in 0 }
    let result = search.run()
    #expect(result.questions.isEmpty)
    #expect(
      result.tree["lens"]?.compactText
        == #"[{"rename":{"source":"a","destination":"b"}},{"add":{"name":"c","default":""}}]"#)
  }

  @Test func anOpenChoiceIsNamedWithWhatThereIs() throws {
    let lens = LensTrees.file(
      [LensTrees.question("which?", [[LensTrees.rename("a", "b")], [LensTrees.rename("a", "c")]])],
      named: [])
    let error = try #require(throws: ArchiveError.self) { try LensReader.read(lens) }
    #expect(
      error.message
        == "the lens is wrong: a choice is open: which?; put one of these in its place: rename a to b; or rename a to c"
    )
    #expect(error.path?.description == "$.lens[0]")
  }

  private static func version(_ name: String, _ properties: String) throws -> SchemaVersion {
    let tree = try JSONTree(json: Array("{\(properties)}".utf8))
    let members = (tree.members ?? []).map { name, schema in
      (name: name.replacing("?", with: ""), schema: schema, isRequired: !name.hasSuffix("?"))
    }
    let schema = JSONTree.members([
      ("x-archive", .members([("envelope", .string("json"))])), ("type", .string("object")),
      ("properties", .members(members.map { ($0.name, $0.schema) })),
      ("required", .list(members.filter(\.isRequired).map { .string($0.name) })),
      ("additionalProperties", .boolean(false)),
    ])
    return try SchemaVersion(family: "F", name: name, tree: schema, uri: "")
  }

  private static func model(_ text: String) throws -> SyntheticValue {
    SyntheticValue(try JSONTree(json: Array(text.utf8)))
  }
}
