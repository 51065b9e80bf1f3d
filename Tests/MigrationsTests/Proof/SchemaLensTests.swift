// The effect of lenses on schemas, operation by operation, from a table.

import Basics
import Migrations
import ObjectGraph
import PropertyLists
import Testing

/// A schema, a lens, and the schema that the lens makes of it.
struct SchemaLensCase: Sendable, CustomTestStringConvertible {
  let name: String
  let schema: String
  let lens: String
  let direction: LensDirection
  let result: String

  init(
    _ name: String, _ lens: String, _ direction: LensDirection = .forward, of schema: String,
    gives result: String
  ) {
    self.name = name
    self.schema = schema
    self.lens = lens
    self.direction = direction
    self.result = result
  }

  var testDescription: String { "\(name), \(direction.rawValue)" }
}

extension JSONTree {
  /// The tree of JSON in a test.
  init(text: String) throws { try self.init(json: Array(text.utf8)) }

  /// The tree as JSON on one line.
  var line: String {
    var output = OutputBuffer(descriptor: nil)
    try? write(isCompact: true, to: &output)
    let bytes = output.takeBytes()
    defer { withExtendedLifetime(bytes) {} }
    return String(decoding: bytes.bytes, as: UTF8.self)
  }
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

@Suite struct SchemaLensTests {
  @Test(arguments: cases)
  func makesTheSchemaOfWhatValuesBecome(_ example: SchemaLensCase) throws {
    let result = try LensProof.schema(
      of: Lens(text: example.lens), example.direction, appliedTo: JSONTree(text: example.schema))
    #expect(result == (try JSONTree(text: example.result)), "\(result.line)")
  }

  @Test(arguments: ["true", "false", "{}", #"{"type": "string"}"#, #"{"type": "object"}"#])
  func theEmptyLensLeavesSchemasAsTheyAre(_ schema: String) throws {
    let tree = try JSONTree(text: schema)
    let result = LensProof.schema(of: Lens(operations: []), .forward, appliedTo: tree)
    #expect(result == tree)
  }
}
