// The suite of JSON Patch, if it is available, applied to its documents.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct JSONPatchSuiteTests {
  static let files = ["spec_tests.json", "tests.json"].compactMap {
    Corpus.file("suites/json-patch/\($0)")
  }

  private static func cases(_ file: URL) throws -> [[String: Any]] {
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    return try #require(object as? [[String: Any]]).filter { row in
      row["disabled"] as? Bool != true && row["patch"] != nil
    }
  }

  private static func storage(_ value: Any) throws -> ByteStorage {
    ByteStorage(
      copying: Array(try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)))
  }

  private static func apply(_ patch: Any, to document: ByteStorage) throws -> ByteStorage {
    var edited = EditedDocument(document)
    try edited.apply(try DocumentEdit.readPatch(try storage(patch)))
    return edited.storage
  }

  @Test(.enabled(if: files.count == 2)) func doesWhatTheSuiteExpects() throws {
    for file in Self.files {
      for row in try Self.cases(file) {
        let name = "\(row["comment"] ?? row["patch"] ?? "")"
        let patch = try #require(row["patch"])
        let content = try #require(row["doc"])
        let document = try Self.storage(content)
        if row["error"] != nil {
          #expect(throws: ArchiveError.self, "\(name)") { try Self.apply(patch, to: document) }
          continue
        }
        let result = try Self.apply(patch, to: document)
        let value = try JSONSerialization.jsonObject(
          with: Data(result.bytes), options: .fragmentsAllowed)
        if let expected = row["expected"] {
          #expect(NSArray(array: [value]).isEqual(to: [expected]), "\(name): \(value)")
        }
      }
    }
  }
}
