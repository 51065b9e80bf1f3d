// JSON Patch documents that are read.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import ArchiveWriting
import KeyedArchives
import Testing

@Suite struct PatchOperationTests {
  @Test func readsOperations() throws {
    let text = """
      [
        {"op": "add", "path": "/a/-", "value": {"$date":"2020-01-01T00:00:00Z"}},
        {"op": "replace", "path": "/b", "value": [1.0,1,-0.5,"é",null]},
        {"op": "test", "path": "", "value": {"x":{"$int":"18446744073709551615"}}},
        {"op": "remove", "path": "/~0~1"},
        {"op": "move", "from": "/a", "path": "/c"},
        {"op": "copy", "from": "/a", "path": "/d"}
      ]

      """
    let edits = try DocumentEdit.readPatch(ByteStorage(copying: Array(text.utf8)))
    #expect(
      edits.map(Self.line) == [
        #"add /a/- {"$date":"2020-01-01T00:00:00Z"}"#, #"replace /b [1.0,1,-0.5,"é",null]"#,
        #"test  {"x":{"$int":"18446744073709551615"}}"#, "remove /~0~1", "move /c from /a",
        "copy /d from /a",
      ])
  }

  private static func line(_ edit: DocumentEdit) -> String {
    switch edit.operation {
    case .add(let value): "add \(edit.path) \(value.text)"
    case .replace(let value): "replace \(edit.path) \(value.text)"
    case .test(let value): "test \(edit.path) \(value.text)"
    case .remove: "remove \(edit.path)"
    case .move(let source): "move \(edit.path) from \(source)"
    case .copy(let source): "copy \(edit.path) from \(source)"
    default: "\(edit.operation)"
    }
  }

  @Test(arguments: [
    ("{}", "a JSON Patch must be an array"), ("[1]", "operation 0: must be an object"),
    (#"[{"path": "/a"}]"#, "operation 0: the member 'op' is missing"),
    (#"[{"op": "spam", "path": "/a"}]"#, "operation 0: 'spam' is not an operation"),
    (#"[{"op": "remove"}]"#, "remove needs the member 'path'"),
    (#"[{"op": "move", "path": ""}]"#, "move needs the member 'from'"),
    (#"[{"op": "test", "path": ""}]"#, "test needs the member 'value'"),
    (#"[{"op": "remove", "path": "a"}]"#, "'a' is not a JSON Pointer"),
    (#"[{"op": "remove", "path": "/~2"}]"#, "'/~2' is not a JSON Pointer"),
    (#"[{"op": "remove", "path": 1}]"#, "the member 'path' must be a string"),
    (#"[{"op": "add", "path": "/a", "value": 18446744073709551616}]"#, "more than 64 bits"),
  ]) func refusesMalformedOperations(_ text: String, _ message: String) throws {
    let error = try #require(throws: ArchiveError.self) {
      try DocumentEdit.readPatch(ByteStorage(copying: Array(text.utf8)))
    }
    #expect(error.message.contains(message), "\(error.message)")
  }

  @Test func takesValuesOfGraphs() throws {
    let graph = ObjectGraph()
    let node = try graph.add(
      typedJSON: ByteStorage(copying: Array(#"{"a":{"$real":64.0},"b":[{"$data":"AAE="}]}"#.utf8)))
    #expect(
      try TypedValue(node, of: graph).text == #"{"a":{"$real": 64.0},"b":[{"$data": "AAE="}]}"#)
  }
}
