// An archive of nineteen Foundation types, which Foundation wrote: its decoders read what it becomes in Codable and JSON,
// and what comes back.

import Foundation
import TestSupport
import Testing

@Suite struct FoundationValueFormsTests {
  private let bench: Workbench

  /// The schema of v1 is as `schema infer` writes it; those of v2 and v3 name what JSON does not show.
  init() throws {
    bench = try Workbench([
      "S/Values/family.json": #"{"family": "Values", "versions": ["v1", "v2", "v3"]}"#
    ])
    let wrote = try Program.run("FoundationJudge", ["values", "write", bench.url("v1").path])
    try #require(wrote.status == 0, "\(wrote.errors)")
    let inferred = try bench.run("schema", "infer", "v1", "-o", "S/Values/v1.schema.json")
    try #require(inferred.status == 0, "\(inferred.errors)")
    let date = #"{"type": "string", "x-plist-type": "date"}"#
    for (version, envelope) in [("v2", "codable"), ("v3", "json")] {
      try bench.write(
        #"""
        {"x-archive": {"envelope": "\#(envelope)"}, "type": "object", "required": ["text"],
         "properties": {"text": {"type": "string"}, "date": \#(date),
           "data": {"type": "string", "x-plist-type": "data"},
           "interval": {"type": "object", "properties": {"start": \#(date)}}}}
        """#, to: "S/Values/\(version).schema.json")
    }
  }

  /// What a decoder of Foundation finds in a file that differs from the values.
  private func differences(_ file: String, _ envelope: String) throws -> String {
    let result = try Program.run(
      "FoundationJudge", ["values", envelope, bench.url(file).path])
    try #require(result.status == 0, "\(file): \(result.errors.prefix(300))")
    return result.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func migrate(_ file: String, _ source: String, _ target: String, _ output: String) throws
  {
    let result = try bench.run(
      "migrate", "--schemas", "S", "--schema", "Values", "--from", source, "--to", target, file,
      "-o", output)
    try #require(result.status == 0, "\(result.errors)")
  }

  @Test(arguments: [("v2", "codable"), ("v3", "json")])
  func decodersReadWhatAnArchiveBecomes(_ version: String, _ envelope: String) throws {
    #expect(try differences("v1", "nscoding") == "[]")
    try migrate("v1", "v1", version, "new")
    #expect(try differences("new", envelope) == "[]")
    try migrate("new", version, "v1", "again")
    #expect(try differences("again", "nscoding") == "[]")
  }
}
