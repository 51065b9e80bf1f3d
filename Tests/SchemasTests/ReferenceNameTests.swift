// Names in schemas are compared code point by code point, not as Swift compares strings.

import ArchivePropertyLists
import ArchiveSchemas
import Foundation
import TestSupport
import Testing

@Suite struct ReferenceNameTests {
  /// A letter with an accent, composed and decomposed.
  @Test(arguments: [("\u{E9}", true), ("e\u{301}", false)])
  func aPointerFindsTheNameWithTheSameScalars(_ name: String, _ fitsString: Bool) throws {
    let schema = """
      {"$ref": "#/$defs/\(name)",
      "$defs": {"\u{E9}": {"type": "string"}, "e\u{301}": {"type": "integer"}}}
      """
    let version = try SchemaVersion(
      family: "", name: "S", tree: JSONTree(json: Array(schema.utf8)), uri: "")
    #expect(try version.validate(readGraph(Data("\"x\"".utf8))).isEmpty == fitsString)
    #expect(try version.validate(readGraph(Data("5".utf8))).isEmpty != fitsString)
  }
}
