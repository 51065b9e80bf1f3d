// Schemas designed to be expensive: cyclic references, nested branches, schemas of the maximum depth.

import PropertyLists
import Schemas
import Testing

@Suite struct ContainmentBoundsTests {
  @Test(arguments: [
    ##"{"$ref":"#"}"##, ##"{"anyOf":[{"$ref":"#"},{"type":"string"}]}"##,
    ##"{"allOf":[{"$ref":"#"}],"type":"string"}"##, ##"{"not":{"$ref":"#"}}"##,
    ##"{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##,
    ##"{"$ref":"#/nowhere"}"##, ##"{"$ref":"other.json"}"##, ##"{"$dynamicRef":"#x"}"##,
    ##"{"properties":[],"items":[{}],"required":{},"type":7,"enum":{},"anyOf":{}}"##,
  ])
  func anUnsoundSchemaProvesNothingAboutNumbers(_ json: String) throws {
    let schema = try JSONTree(json: Array(json.utf8))
    let numbers = try JSONTree(json: Array(#"{"type":"number"}"#.utf8))
    #expect(!SchemaContainment.proof(that: numbers, isWithin: schema).isProved)
    _ = SchemaContainment.proof(that: schema, isWithin: numbers)
    _ = try SchemaComparison(old: schema, new: schema)
    _ = try SchemaComparison(old: schema, new: numbers, includesNotes: true)
  }

  @Test func aReferenceWithinAPartIsAssumed() throws {
    let chain = ##"{"type":"object","properties":{"next":{"$ref":"#"},"v":{"type":"integer"}}}"##
    let wider = ##"{"type":"object","properties":{"next":{"$ref":"#"},"v":{"type":"number"}}}"##
    let inner = try JSONTree(json: Array(chain.utf8))
    let outer = try JSONTree(json: Array(wider.utf8))
    #expect(SchemaContainment.proof(that: inner, isWithin: outer).isProved)
    #expect(!SchemaContainment.proof(that: outer, isWithin: inner).isProved)
  }

  @Test(arguments: [
    (#"{"items":"#, "}", 250), (#"{"not":"#, "}", 160), (#"{"properties":{"a":"#, "}}", 120),
    (#"{"anyOf":["#, "]}", 40),
  ])
  func deepSchemasEnd(_ opening: String, _ closing: String, _ count: Int) throws {
    let text = { (type: String) in
      String(repeating: opening, count: count) + #"{"type":"\#(type)"}"#
        + String(repeating: closing, count: count)
    }
    let inner = try JSONTree(json: Array(text("integer").utf8))
    let outer = try JSONTree(json: Array(text("number").utf8))
    _ = try SchemaComparison(old: inner, new: outer)
    #expect(SchemaContainment.proof(that: inner, isWithin: inner).isProved)
  }

  @Test func branchesUponBranchesAreBounded() throws {
    let choices = (0..<12).map { index in
      let branches = (0..<6).map { #"{"required":["\#($0)x\#(index)"]}"# }.joined(separator: ",")
      return #"{"anyOf":[\#(branches)]}"#
    }
    let inner = try JSONTree(json: Array(#"{"allOf":[\#(choices.joined(separator: ","))]}"#.utf8))
    let outer = try JSONTree(json: Array(#"{"anyOf":[{"type":"null"},{"required":["z"]}]}"#.utf8))
    let options = SchemaContainment.Options(stepLimit: 500)
    #expect(!SchemaContainment.proof(that: inner, isWithin: outer, options: options).isProved)
  }

  @Test func aNameThatOnlyABranchSpeaksOfIsEvaluated() throws {
    let open = #"{"unevaluatedProperties":false,"anyOf":[{"properties":{"c":true}}]}"#
    let inner = try JSONTree(json: Array(open.utf8))
    let outer = try JSONTree(json: Array(#"{"additionalProperties":false}"#.utf8))
    #expect(!SchemaContainment.proof(that: inner, isWithin: outer).isProved)
    #expect(SchemaContainment.proof(that: outer, isWithin: inner).isProved)
  }

  @Test func aPlaceInADocumentCanBeProvedAlone() throws {
    let text = #"{"$defs":{"a":{"type":"integer"},"b":{"type":"number"}}}"#
    let schema = try JSONTree(json: Array(text.utf8))
    #expect(
      SchemaContainment.proof(that: schema, at: "/$defs/a", isWithin: schema, at: "/$defs/b")
        .isProved)
    let back = SchemaContainment.proof(
      that: schema, at: "/$defs/b", isWithin: schema, at: "/$defs/a")
    #expect(back.obstacles.map(\.outerPointer) == ["/$defs/a/type"])
    #expect(back.obstacles.first?.counterexample == .real(0.5))
    #expect(!SchemaContainment.proof(that: schema, at: "/x", isWithin: schema).isProved)
  }
}
