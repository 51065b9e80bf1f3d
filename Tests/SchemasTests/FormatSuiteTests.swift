// The official tests of JSON Schema for `format` and `pattern`, where they are at hand.

import Foundation
import Schemas
import TestSupport
import Testing

@Suite struct FormatSuiteTests {
  private static let folder = "suites/json-schema/"

  static let files =
    Corpus.files(folder + "optional/format")
    + ["pattern.json", "optional/ecmascript-regex.json"].map { folder + $0 }
    .filter { Corpus.file($0) != nil }

  /// Strings alone are judged: all else has every format, and matches every pattern.
  @Test(arguments: files)
  func agreesWithTheSuite(_ file: String) throws {
    let url = try #require(Corpus.file(file))
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
    for group in try #require(json as? [[String: Any]]) {
      guard let schema = group["schema"] as? [String: Any],
        Set(schema.keys).isSubset(of: ["$schema", "type", "format", "pattern"])
      else { continue }
      for test in group["tests"] as? [[String: Any]] ?? [] {
        guard let text = test["data"] as? String else { continue }
        let about: Comment = "\(test["description"] ?? ""): \(text.debugDescription)"
        #expect(try fits(text, schema) == test["valid"] as? Bool, about)
      }
    }
  }

  private func fits(_ text: String, _ schema: [String: Any]) throws -> Bool {
    if let name = schema["format"] as? String, let format = StringFormat(rawValue: name) {
      return format.accepts(text)
    }
    guard let pattern = schema["pattern"] as? String else { return true }
    return try ECMAPattern(pattern).matches(text)
  }
}
