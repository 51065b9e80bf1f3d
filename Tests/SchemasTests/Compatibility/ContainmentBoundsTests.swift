// Schemas designed to be expensive: cyclic references, nested branches, schemas of the maximum depth.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveSchemas
import Testing

@Suite struct ContainmentBoundsTests {
  private static let options = SchemaComparison.Options(tries: 50)

  @Test(arguments: [
    ##"{"$ref":"#"}"##, ##"{"anyOf":[{"$ref":"#"},{"type":"string"}]}"##,
    ##"{"allOf":[{"$ref":"#"}],"type":"string"}"##, ##"{"not":{"$ref":"#"}}"##,
    ##"{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##,
    ##"{"$ref":"#/nowhere"}"##, ##"{"$ref":"other.json"}"##, ##"{"$dynamicRef":"#x"}"##,
    ##"{"properties":[],"items":[{}],"required":{},"type":7,"enum":{},"anyOf":{}}"##,
  ])
  func anUnsoundSchemaIsRefused(_ json: String) throws {
    let schema = try JSONTree(json: Array(json.utf8))
    let numbers = try JSONTree(json: Array(#"{"type":"number"}"#.utf8))
    for (old, new) in [(schema, numbers), (numbers, schema)] {
      do throws(ArchiveError) {
        let comparison = try SchemaComparison(
          old: old, new: new, includesNotes: true, options: Self.options)
        #expect(comparison.verdict != .full)
      } catch {
        #expect(error.code == .malformed || error.code == .limit, "\(error.message)")
      }
    }
  }

  @Test(arguments: [
    (#"{"items":"#, "}", 100), (#"{"not":"#, "}", 100), (#"{"properties":{"a":"#, "}}", 100),
    (#"{"anyOf":["#, "]}", 40),
  ])
  func deepSchemasEnd(_ opening: String, _ closing: String, _ count: Int) throws {
    let text = { (type: String) in
      String(repeating: opening, count: count) + #"{"type":"\#(type)"}"#
        + String(repeating: closing, count: count)
    }
    let inner = try JSONTree(json: Array(text("integer").utf8))
    let outer = try JSONTree(json: Array(text("number").utf8))
    _ = try SchemaComparison(old: inner, new: outer, options: Self.options)
    #expect(try SchemaComparison(old: inner, new: inner, options: Self.options).verdict == .full)
  }

  @Test func branchesUponBranchesAreBounded() throws {
    let choices = (0..<12).map { index in
      let branches = (0..<6).map { #"{"required":["\#($0)x\#(index)"]}"# }.joined(separator: ",")
      return #"{"anyOf":[\#(branches)]}"#
    }
    let inner = try JSONTree(json: Array(#"{"allOf":[\#(choices.joined(separator: ","))]}"#.utf8))
    let outer = try JSONTree(json: Array(#"{"anyOf":[{"type":"null"},{"required":["z"]}]}"#.utf8))
    let comparison = try SchemaComparison(old: inner, new: outer, options: Self.options)
    #expect(comparison.verdict == .none)
  }

  @Test func aNameThatOnlyABranchMentionsIsEvaluated() throws {
    let open = #"{"unevaluatedProperties":false,"anyOf":[{"properties":{"c":true}}]}"#
    let inner = try JSONTree(json: Array(open.utf8))
    let outer = try JSONTree(json: Array(#"{"additionalProperties":false}"#.utf8))
    #expect(try SchemaComparison(old: inner, new: outer).verdict == .forward)
  }
}
