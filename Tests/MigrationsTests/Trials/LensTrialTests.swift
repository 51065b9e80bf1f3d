// Which lenses generated values refute, and the smallest value that does.

import ArchiveBasics
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import ArchiveMigrations
@testable import ArchiveSchemas

/// Two versions, a lens between them, and what is wrong with it.
struct LensTrialCase: Sendable, CustomTestStringConvertible {
  let name: String
  let source: String
  let target: String
  let lens: String
  var direction = LensDirection.forward
  var envelopes = ("dictionariable", "dictionariable")
  /// How the reason of a failure begins; nil if the lens holds.
  var finds: String?

  var testDescription: String { name }

  private func version(_ name: String, _ schema: String, _ envelope: String) throws -> JSONTree {
    let tree = try JSONTree(text: schema)
    let archive = JSONTree.members([("envelope", .string(envelope))])
    let members = (tree.members ?? [("allOf", .list([tree]))]) + [("x-archive", archive)]
    return .members(members)
  }

  /// Tries the lens in its direction.
  func trial(tries: Int) throws -> LensRoundTrip {
    let trees = [
      "old": try version("old", source, envelopes.0),
      "new": try version("new", target, envelopes.1),
    ]
    let description = try JSONTree(text: #"{"family": "Test", "versions": ["old", "new"]}"#)
    let family = try SchemaFamily(description) { (family, name) throws(ArchiveError) in
      try SchemaVersion(
        family: family, name: name, tree: trees[name] ?? .null, uri: "urn:test:\(name)")
    }
    // Backward, the lens leads from the target's version to the source's.
    let names = direction == .forward ? ("old", "new") : ("new", "old")
    let file = LensFile(
      source: names.0, target: names.1, lens: try Lens(text: lens),
      envelopes: (family.version(names.0)?.envelope, family.version(names.1)?.envelope))
    var trial = LensRoundTrip(
      LensStep(file: file, direction: direction), from: family.versions[0], to: family.versions[1],
      of: family, in: SchemaCatalog(families: [family]), seed: 0)
    try trial.run(tries: tries)
    return trial
  }
}

extension JSONTree {
  /// The tree of JSON in a test.
  init(text: String) throws { try self.init(json: Array(text.utf8)) }
}

extension Lens {
  /// The lens of operations in a test.
  ///
  /// A text with its own braces is a whole file.
  init(text: String) throws {
    let isFile = text.drop { $0.isWhitespace }.first == "{"
    self = try LensReader.read(JSONTree(text: isFile ? text : #"{"lens": \#(text)}"#))
  }
}

@Suite struct LensTrialTests {
  @Test(arguments: cases + wrongCases)
  func findsWhatIsWrong(_ example: LensTrialCase) throws {
    // Most are found among few.
    var trial = try example.trial(tries: 100)
    if example.finds != nil, trial.failures.isEmpty { trial = try example.trial(tries: 1000) }
    #expect(trial.count > 80, "\(trial.count) values")
    let found = trial.failures.map { "\($0.reason) <= \($0.value?.compactText ?? "-")" }
    guard let reason = example.finds else {
      #expect(found.isEmpty)
      return
    }
    let failure = try #require(
      trial.failures.first { $0.reason.hasPrefix(reason) }, "\(found)")
    let value = try #require(failure.value)
    #expect(value.compactText.count <= 60, "\(value.compactText)")
  }
}

extension LensTrialTests {
  private static func object(_ members: String, required: String = "[]") -> String {
    #"""
    {"type": "object", "properties": {\#(members)}, "required": \#(required),
     "additionalProperties": false}
    """#
  }

  /// Mistakes in lenses, of a kind each.
  static let wrongCases: [LensTrialCase] = [
    LensTrialCase(
      name: "a rename that collides",
      source: object(#""a": {"type": "integer"}, "b": {"type": "integer"}"#),
      target: object(#""b": {"type": "integer"}"#),
      lens: #"[{"rename": {"source": "a", "destination": "b"}}]"#,
      finds: "the operation /lens/0 of the lens old-new (rename a to b) finds 'b' there already"),
    LensTrialCase(
      name: "a conversion that drops digits", source: object(#""a": {"type": "number"}"#),
      target: object(#""a": {"type": "integer"}"#),
      lens: #"[{"convert": {"name": "a", "sourceType": "real", "destinationType": "integer"}}]"#,
      finds: "would lose the value $.a (old-new#/lens/0, convert a, "),
    LensTrialCase(
      name: "a default that does not fit", source: object(""),
      target: object(#""a": {"type": "integer", "minimum": 1}"#, required: #"["a"]"#),
      lens: #"[{"add": {"name": "a", "default": 0}}]"#,
      finds: "the new value does not fit Test@new: expected at least 1, found integer 0"),
    LensTrialCase(
      name: "a removal without a default, backward",
      source: object(""), target: object(#""a": {"type": "integer"}"#, required: #"["a"]"#),
      lens: #"[{"remove": {"name": "a"}}]"#, direction: .backward,
      finds: "the new value does not fit Test@new: missing required member 'a'"),
    LensTrialCase(
      name: "another type", source: object(#""a": {"type": "integer"}"#),
      target: object(#""a": {"type": "string"}"#), lens: "[]",
      finds: "the new value does not fit Test@new: expected string, found integer 0"),
    LensTrialCase(
      name: "a map over null",
      source: object(#""l": {"type": "array", "items": {"type": ["integer", "null"]}}"#),
      target: object(#""l": {"type": "array", "items": {"type": "string"}}"#),
      lens: #"""
        [{"in": {"name": "l", "lens": [{"map": {"lens": [
          {"convert": {"sourceType": "integer", "destinationType": "string"}}]}}]}}]
        """#, finds: "the new value does not fit Test@new: expected string, found null"),
    LensTrialCase(
      name: "a limit that became tighter", source: object(#""a": {"type": "string"}"#),
      target: object(#""a": {"type": "string", "maxLength": 20}"#), lens: "[]",
      finds: "the new value does not fit Test@new: expected at most 20 characters, found string"),
    LensTrialCase(
      name: "a value that is no longer listed", source: object(#""a": {"enum": ["x", "y", "z"]}"#),
      target: object(#""a": {"enum": ["x", "y"]}"#), lens: "[]",
      finds: "the new value does not fit Test@new: expected one of x, y, found string \"z\""),
    LensTrialCase(
      name: "a branch that a condition misses",
      source: object(
        #""t": {"enum": ["a", "b"]}, "u": {"type": "string"}"#, required: #"["t", "u"]"#),
      target: object(
        #""t": {"enum": ["a", "b"]}, "v": {"type": "string"}"#, required: #"["t", "v"]"#),
      lens: #"""
        [{"when": {"member": "t", "equals": "a", "lens": [
          {"rename": {"source": "u", "destination": "v"}}]}}]
        """#, finds: "the new value does not fit Test@new: "),
    LensTrialCase(
      name: "null that an envelope leaves out",
      source: object(#""a": {"type": ["string", "null"]}"#),
      target: object(#""a": {"type": "string"}"#), lens: "[]",
      envelopes: ("dictionariable", "codable"),
      finds: "would lose what is nil or absent at $.a"),
    LensTrialCase(
      name: "a date where an integer is expected",
      source: object(#""d": {"type": "string", "x-plist-type": "date"}"#),
      target: object(#""d": {"type": "string", "x-plist-type": "integer"}"#), lens: "[]",
      finds: "the new value does not fit Test@new: "),
    LensTrialCase(
      name: "another class",
      source: object(
        #""o": {"type": "object", "x-class": "App.A"}"#, required: #"["o"]"#),
      target: object(#""o": {"type": "object", "x-class": "App.B"}"#, required: #"["o"]"#),
      lens: "[]", envelopes: ("nscoding", "nscoding"),
      finds: "the new value does not fit Test@new: expected an object of class App.B"),
    LensTrialCase(
      name: "a list that may be longer",
      source: object(#""l": {"type": "array", "items": {"type": "integer"}}"#),
      target: object(#""l": {"type": "array", "items": {"type": "integer"}, "maxItems": 5}"#),
      lens: "[]", finds: "the new value does not fit Test@new: expected at most 5 "),
  ]
}
