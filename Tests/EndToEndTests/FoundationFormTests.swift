// URLs and decimal numbers, migrated between archives of objects, Codable's property lists and JSON.

import Foundation
import TestSupport
import Testing

@Suite struct FoundationFormTests {
  private let bench: Workbench

  init() throws {
    bench = try Workbench()
    try bench.write(
      #"{"family": "Price", "versions": ["v1", "v2", "v3"]}"#, to: "S/Price/family.json")
    let texts = #""name": {"type": "string", "x-plist-type": "string"}"#
    let form = #""type": "object", "required": ["name", "site", "amount"]"#
    try bench.write(
      #"""
      {"x-archive": {"envelope": "dictionariable"}, \#(form), "additionalProperties": false,
       "properties": {\#(texts), "site": {"type": "string", "x-class": "NSURL"},
         "amount": {"type": "string", "x-class": "NSDecimalNumber"}}}
      """#, to: "S/Price/v1.schema.json")
    try bench.write(
      #"""
      {"x-archive": {"envelope": "codable"}, \#(form), "additionalProperties": false,
       "properties": {\#(texts), "site": {"$ref": "#/$defs/URL"}, "amount": {"$ref": "#/$defs/Decimal"}},
       "$defs": {
         "URL": {"type": "object", "required": ["relative"], "additionalProperties": false,
           "properties": {"relative": {"type": "string"}, "base": {"$ref": "#/$defs/URL"}}},
         "Decimal": {"type": "object", "required": ["exponent", "mantissa"],
           "properties": {"exponent": {"type": "integer"}, "mantissa": {"type": "array"}}}}}
      """#, to: "S/Price/v2.schema.json")
    try bench.write(
      #"""
      {"x-archive": {"envelope": "json"}, \#(form), "additionalProperties": false,
       "properties": {\#(texts), "site": {"type": "string"}, "amount": {"type": "number"}}}
      """#, to: "S/Price/v3.schema.json")
    for name in ["v1-v2", "v1-v3"] {
      try bench.write(#"{"lens": []}"#, to: "S/Price/\(name).lens.json")
    }
  }

  private func price(_ amount: String) throws {
    try bench.write(
      #"{"name": "Tea", "site": "https://example.com/tea", "amount": \#(amount)}"#, to: "v3")
  }

  private func migrate(_ file: String, _ version: String, _ output: String) throws -> ProgramResult
  {
    try bench.run("migrate", "--schemas", "S", "--to", version, file, "-o", output, "-f")
  }

  private func judged(_ file: String, _ form: String) throws -> [String: String] {
    let result = try Program.run("FoundationJudge", ["price", form, bench.url(file).path])
    try #require(result.status == 0, "\(result.errors)")
    return try #require(
      JSONSerialization.jsonObject(with: result.output) as? [String: String])
  }

  @Test func theFamilyHolds() throws {
    let check = try bench.run("schema", "check", "--tries", "200", "S")
    #expect(check.status == 0, "\(check.text) \(check.errors)")
  }

  @Test(
    arguments: [
      "0", "1", "-12.75", "1e-05", "0.1", "1234567890123", "65535", "65536", "-0.001", "1e20",
      "123456.789", "1e100",
    ]) func everyFormIsReadByFoundation(_ amount: String) throws
  {
    try price(amount)
    let expected = [
      "name": "Tea", "site": "https://example.com/tea",
      "amount": "\(try #require(Decimal(string: amount)))",
    ]
    for (source, version, output, form) in [
      ("v3", "v1", "objects", "dictionary"), ("objects", "v2", "codable", "codable"),
      ("codable", "v1", "again", "dictionary"), ("again", "v3", "json", "json"),
    ] {
      let result = try migrate(source, version, output)
      #expect(result.status == 0, "\(output): \(result.errors)")
      let wanted = form == "dictionary" ? expected.filter { $0.key != "amount" } : expected
      #expect(try judged(output, form) == wanted, "\(output)")
    }
  }

  @Test func whatIsNoDecimalNumberIsRefused() throws {
    try price("1e-200")
    let result = try migrate("v3", "v1", "objects")
    #expect(result.status == 1)
    #expect(
      result.errors.contains(
        "no way from this form to NSDecimalNumber: it is not a decimal number (at $.amount)"))
  }
}
