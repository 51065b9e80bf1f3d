// The official tests of JSON Schema for `format` and `pattern`, if they are available.

import ArchivePatterns
import ArchiveSchemas
import Foundation
import TestSupport
import Testing

@Suite struct FormatSuiteTests {
  private static let folder = "suites/json-schema/"

  static let files =
    Corpus.files(folder + "optional/format")
    + ["pattern.json", "optional/ecmascript-regex.json"].map { folder + $0 }
    .filter { Corpus.file($0) != nil }

  private struct Group: Decodable {
    let schema: Value
    let tests: [Row]
  }

  private struct Row: Decodable {
    let description: String
    let data: Value
    let valid: Bool
  }

  /// What a schema or an instance is, as far as it matters here.
  private enum Value: Decodable {
    case text(String)
    case members([String: Value])
    case other

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let members = try? container.decode([String: Value].self) {
        self = .members(members)
      } else {
        self = .other
      }
    }
  }

  /// Strings alone are judged: all else has every format, and matches every pattern.
  @Test(arguments: files)
  func agreesWithTheSuite(_ file: String) throws {
    let url = try #require(Corpus.file(file))
    for group in try JSONDecoder().decode([Group].self, from: Data(contentsOf: url)) {
      guard case .members(let schema) = group.schema,
        Set(schema.keys).isSubset(of: ["$schema", "type", "format", "pattern"])
      else { continue }
      for row in group.tests {
        guard case .text(let text) = row.data else { continue }
        let about: Comment = "\(row.description): \(text.debugDescription)"
        #expect(try fits(text, schema) == row.valid, about)
      }
    }
  }

  private func fits(_ text: String, _ schema: [String: Value]) throws -> Bool {
    if case .text(let name) = schema["format"], let format = StringFormat(rawValue: name) {
      return format.accepts(text)
    }
    guard case .text(let pattern) = schema["pattern"] else { return true }
    return try ECMAPattern(pattern).matches(text)
  }
}
