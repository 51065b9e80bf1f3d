// Generated values: each keyword's limits, each branch, and what fits by an independent validator.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives
import TestSupport
import Testing

@testable import ArchiveSchemas

/// A schema, and conditions of which each is true of some generated value.
struct SampleCase: Sendable, CustomTestStringConvertible {
  let schema: String
  let reaches: [String]
  /// Values that must not be generated.
  var excludes: [String] = []
  var testDescription: String { schema }

  init(_ schema: String, reaches: String..., excludes: [String] = []) {
    (self.schema, self.reaches, self.excludes) = (schema, reaches, excludes)
  }
}

@Suite struct SampleTests {
  static func version(_ schema: String, _ envelope: String? = nil) throws -> SchemaVersion {
    var tree = try JSONTree(json: Array(schema.utf8))
    if let envelope, case .members(let members) = tree, tree["x-archive"] == nil {
      tree = .members(members + [("x-archive", .members([("envelope", .string(envelope))]))])
    }
    return try SchemaVersion(family: "", name: "S", tree: tree, uri: "")
  }

  private static func values(_ version: SchemaVersion, _ count: Int = 400) throws -> [String] {
    var generator = SampleGenerator(version)
    return try (0..<count).compactMap { try generator.sample($0)?.value.sampleTree.compactText }
  }

  @Test(arguments: [
    SampleCase(#"{"type": "null"}"#, reaches: "null"),
    SampleCase(#"{"type": "boolean"}"#, reaches: "true", "false"),
    SampleCase(
      #"{"type": "integer", "minimum": 3, "maximum": 5}"#, reaches: "3", "4", "5",
      excludes: ["2", "6"]),
    SampleCase(
      #"{"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 6}"#, reaches: "4", "5",
      excludes: ["3", "6"]),
    SampleCase(#"{"type": "number", "minimum": 0.25}"#, reaches: "0.25", "1.25"),
    SampleCase(#"{"type": "number"}"#, reaches: "0.5", "-0.25", "1", "1e+21"),
    SampleCase(#"{"type": "integer", "multipleOf": 7, "minimum": 100}"#, reaches: "105"),
    SampleCase(
      #"{"type": "integer", "maximum": -9000000000}"#, reaches: "-9000000000", "-9000000001"),
    SampleCase(
      #"{"type": "string", "minLength": 3, "maxLength": 6}"#, reaches: #""xxx""#, #""xxxxxx""#,
      excludes: [#""xx""#, #""xxxxxxx""#]),
    SampleCase(#"{"type": "string"}"#, reaches: #""""#, #""é""#, #""日本😀""#),
    SampleCase(#"{"enum": [1, "a", null, [2]]}"#, reaches: "1", #""a""#, "null", "[2]"),
    SampleCase(#"{"const": {"a": 1}}"#, reaches: #"{"a":1}"#),
    SampleCase(
      #"{"type": "string", "pattern": "^[ab]{2}$"}"#, reaches: #""aa""#, #""ab""#, #""bb""#),
    SampleCase(#"{"type": "string", "pattern": "^(on|off)$"}"#, reaches: #""on""#, #""off""#),
    SampleCase(#"{"type": "string", "format": "date"}"#, reaches: #""2019-04-06""#),
    SampleCase(#"{"type": "string", "examples": ["this"]}"#, reaches: #""this""#),
    SampleCase(
      #"{"type": "string", "x-plist-type": "date"}"#, reaches: #""2001-01-01T00:00:00Z""#),
    SampleCase(#"{"type": "string", "x-plist-type": "data"}"#, reaches: #""""#, #""AQID""#),
    SampleCase(
      #"{"type": "array", "items": {"const": 1}, "minItems": 1, "maxItems": 3}"#, reaches: "[1]",
      "[1,1]", "[1,1,1]"),
    SampleCase(
      #"{"type": "array", "items": {"enum": [1, 2]}, "uniqueItems": true}"#, reaches: "[]", "[1]",
      "[1,2]", "[2,1]", excludes: ["[1,1]"]),
    SampleCase(
      #"{"type": "array", "prefixItems": [{"const": 1}, {"const": "a"}], "items": false}"#,
      reaches: "[]", "[1]", #"[1,"a"]"#),
    SampleCase(
      #"{"type": "array", "items": {"enum": [1, 2]}, "contains": {"const": 2}, "maxItems": 2}"#,
      reaches: "[2]", "[2,1]", excludes: ["[]", "[1]"]),
    SampleCase(
      #"{"type": "object", "properties": {"a": {"const": 1}, "b": {"const": 2}}, "required": ["a"], "additionalProperties": false}"#,
      reaches: #"{"a":1}"#, #"{"a":1,"b":2}"#, excludes: ["{}"]),
    SampleCase(
      #"{"type": "object", "additionalProperties": {"const": 1}}"#, reaches: "{}", #"{"another":1}"#
    ),
    SampleCase(
      #"{"type": "object", "patternProperties": {"^a$": {"const": 1}}, "additionalProperties": false}"#,
      reaches: "{}", #"{"a":1}"#),
    SampleCase(
      #"{"type": "object", "propertyNames": {"enum": ["n", "m"]}, "additionalProperties": {"const": 1}, "minProperties": 2}"#,
      reaches: #"{"n":1,"m":1}"#),
    SampleCase(
      #"{"type": "object", "properties": {"a": {"const": 1}, "b": {"const": 2}}, "dependentRequired": {"a": ["b"]}, "additionalProperties": false}"#,
      reaches: "{}", #"{"b":2}"#, #"{"a":1,"b":2}"#, excludes: [#"{"a":1}"#]),
    SampleCase(
      #"{"type": "object", "properties": {"a": {"const": 1}, "b": {}}, "dependentSchemas": {"a": {"required": ["b"], "properties": {"b": {"const": 3}}}}, "additionalProperties": false}"#,
      reaches: "{}", #"{"a":1,"b":3}"#),
    SampleCase(
      #"{"anyOf": [{"const": 1}, {"const": 2}, {"type": "null"}]}"#, reaches: "1", "2", "null"),
    SampleCase(
      #"{"oneOf": [{"enum": [1, 2]}, {"enum": [2, 3]}]}"#, reaches: "1", "3", excludes: ["2"]),
    SampleCase(
      #"{"enum": [1, 2, 3], "not": {"const": 2}}"#, reaches: "1", "3", excludes: ["2"]),
    SampleCase(
      #"{"type": "object", "properties": {"k": {"enum": ["a", "b"]}, "v": {}}, "required": ["k", "v"], "additionalProperties": false, "if": {"properties": {"k": {"const": "a"}}}, "then": {"properties": {"v": {"const": 1}}}, "else": {"properties": {"v": {"const": 2}}}}"#,
      reaches: #"{"k":"a","v":1}"#, #"{"k":"b","v":2}"#, excludes: [#"{"k":"a","v":2}"#]),
    SampleCase(#"{"allOf": [{"minimum": 2}, {"maximum": 2}], "type": "integer"}"#, reaches: "2"),
    SampleCase(
      ##"{"type": "object", "properties": {"next": {"$ref": "#"}}, "additionalProperties": false}"##,
      reaches: "{}", #"{"next":{}}"#, #"{"next":{"next":{}}}"#),
    SampleCase(
      ##"{"$ref": "#/$defs/n", "$defs": {"n": {"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#/$defs/n"}, "minItems": 1, "maxItems": 1}]}}}"##,
      reaches: "null", "[null]", "[[null]]"),
    SampleCase(
      #"{"type": "object", "properties": {"n": {"type": ["integer", "null"], "minimum": 7, "maximum": 7}}, "additionalProperties": false}"#,
      reaches: "{}", #"{"n":null}"#, #"{"n":7}"#),
    SampleCase(
      #"{"type": "object", "unevaluatedProperties": false, "allOf": [{"properties": {"a": {"const": 1}}}]}"#,
      reaches: "{}", #"{"a":1}"#),
    SampleCase(
      #"{"type": "object", "x-key-class": "NSNumber", "additionalProperties": {"const": 1}}"#,
      reaches: #"{"5":1}"#),
  ])
  func limitsAndBranchesAreReached(_ example: SampleCase) throws {
    let values = try Self.values(Self.version(example.schema))
    for value in example.reaches { #expect(values.contains(value), "\(value) in \(Set(values))") }
    for value in example.excludes { #expect(!values.contains(value)) }
    #expect(values.count > 300)
  }

  @Test(arguments: ["x-class", "x-storage", "x-mutable"])
  func classesAndStorageVary(_ keyword: String) throws {
    let version = try Self.version(
      #"""
      {"x-archive": {"envelope": "nscoding", "classes": ["App.A", "App.B"]}, "type": "object",
       "required": ["n", "o", "l"], "additionalProperties": false, "properties": {
         "n": {"type": "integer", "x-storage": ["inline", "boxed"]},
         "o": {"type": "object", "x-class": ["App.C", "App.D"], "additionalProperties": false},
         "l": {"type": "array", "x-mutable": true, "items": {"type": "integer"}}}}
      """#)
    var generator = SampleGenerator(version)
    var roots: Set<String> = []
    var names: Set<String> = []
    var storages: Set<Bool> = []
    for number in 0..<60 {
      let sample = try #require(try generator.sample(number))
      let graph = try ArchiveReader().read(try #require(try generator.archive(of: sample)))
      let model = try #require(graph.unwrapModel())
      roots.insert(model.className?.stored ?? "")
      guard case .object(_, let pairs) = graph.value(of: model.root) else { continue }
      for index in 0..<pairs.count {
        if case .object(let name, _) = graph.value(of: graph.value(pairs, index)) {
          names.insert(graph.classes[name].name)
        }
        if graph.memberName(pairs, index)?.string == "n", let slot = graph.slot(pairs.values, index)
        {
          storages.insert(graph.objectNumber(in: slot) == nil)
        }
      }
    }
    #expect(roots == ["App.A", "App.B"])
    #expect(names.isSuperset(of: ["App.C", "App.D"]))
    #expect(storages == [true, false])
  }

  @Test(arguments: ["dictionariable", "codable", "nscoding", "sequential", "plist", "json"])
  func archivesOfEachEnvelopeFit(_ envelope: String) throws {
    let version = try Self.version(
      #"{"type": "object", "properties": {"a": {"type": "string", "x-plist-type": "string"}, "b": {"type": "integer"}, "d": {"type": "array", "items": {"type": "boolean"}}}, "required": ["a"], "additionalProperties": false}"#,
      envelope)
    var generator = SampleGenerator(version)
    var count = 0
    for number in 0..<60 {
      guard let sample = try generator.sample(number),
        let bytes = try generator.archive(of: sample)
      else { continue }
      #expect(try version.validate(ArchiveReader().read(bytes)).isEmpty)
      count += 1
    }
    #expect(count > 50)
  }

  @Test func theSameSeedGivesTheSameValuesAndAnotherGivesOthers() throws {
    let version = try Self.version(#"{"type": "object", "properties": {"a": {}, "b": {}}}"#)
    func values(_ seed: UInt64) throws -> [String] {
      var generator = SampleGenerator(version, seed: seed)
      return try (0..<50).compactMap { try generator.sample($0)?.value.sampleTree.compactText }
    }
    #expect(try values(1) == values(1))
    #expect(try values(1) != values(2))
  }

  /// Random schemas, most of which some value fits; the reference knows JSON only.
  @Test(arguments: [4, 5] as [UInt64])
  func whatIsGeneratedFitsByAnotherValidator(seed: UInt64) throws {
    var random = RandomSchemas(numbers: SeededNumbers(seed: seed))
    var count = 0
    var reached = 0
    for _ in 0..<150 {
      let tree = random.document()
      if tree.line.contains("x-plist-type") { continue }
      let version = try SchemaVersion(family: "", name: "S", tree: tree, uri: "")
      var generator = SampleGenerator(version)
      var isReached = false
      for number in 0..<20 {
        guard let sample = try generator.sample(number) else { continue }
        isReached = true
        count += 1
        let value = sample.value.sampleTree
        #expect(ReferenceValidator(root: tree).accepts(value), "\(value.line) of \(tree.line)")
      }
      let isEmpty = !(0..<200).contains { _ in
        ReferenceValidator(root: tree).accepts(random.value())
      }
      if isReached || isEmpty { reached += 1 } else { print("no sample of \(tree.line)") }
    }
    print("seed \(seed): \(count) values, \(reached) schemas")
    #expect(count > 500)
  }

  @Test func archivesInDataAreGenerated() throws {
    let version = try Self.version(
      #"""
      {"x-archive": {"envelope": "plist"}, "type": "object", "required": ["d"], "properties": {
        "d": {"type": "string", "x-plist-type": "data", "x-archived": {
          "x-archive": {"envelope": "dictionariable"}, "type": "object", "required": ["a"],
          "properties": {"a": {"type": "integer"}}, "additionalProperties": false}}},
       "additionalProperties": false}
      """#)
    var generator = SampleGenerator(version)
    let sample = try #require(try generator.sample(3))
    let bytes = try #require(try generator.archive(of: sample))
    #expect(try version.validate(ArchiveReader().read(bytes)).isEmpty)
  }

  @Test(arguments: [
    (#"{"list":[{"n":5,"m":"long text"},{"n":7}],"other":true}"#, #"{"list":[{"n":6}]}"#)
  ])
  func aValueIsShrunkWhileItsFaultStays(_ start: String, _ end: String) throws {
    var shrinking = SampleShrinking()
    let value = SyntheticValue(sample: try JSONTree(json: Array(start.utf8)))
    let smallest = shrinking.smallest(value) { value in
      (value.sampleTree["list"]?.list ?? []).contains { item in
        if case .integer(let number)? = item["n"] { number > 5 } else { false }
      }
    }
    #expect(smallest.sampleTree.compactText.count <= end.count)
    #expect(smallest.sampleTree["other"] == nil)
  }

  /// Numbers at the end of what is kept of them, also as limits of another schema.
  @Test(arguments: [
    "maxLength", "maxItems", "minLength", "maxProperties", "minContains", "maximum",
  ])
  func theLargestLimitsAreNoFault(_ keyword: String) throws {
    let limited = try Self.version(
      "{\"contains\": true, \"\(keyword)\": 170141183460469231731687303715884105727}")
    let open = try Self.version("{}")
    for (inner, outer) in [(limited, open), (open, limited)] {
      var generator = SampleGenerator(inner, toward: outer)
      for number in 0..<20 { _ = try generator.sample(number) }
    }
  }

  /// Branches that all lead into themselves have no finite value, and are given up.
  @Test func branchesWithoutAnEndAreGivenUp() throws {
    let branches = ["a", "b", "c"].map {
      "{\"required\": [\"\($0)\"], \"properties\": {\"\($0)\": {\"$ref\": \"#\"}}}"
    }
    let version = try Self.version(
      "{\"type\": \"object\", \"anyOf\": [\(branches.joined(separator: ","))]}")
    var generator = SampleGenerator(version)
    for number in 0..<1000 { #expect(try generator.sample(number) == nil) }
  }
}
