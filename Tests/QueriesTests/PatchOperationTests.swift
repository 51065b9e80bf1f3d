// JSON Patch documents, read and written.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import ArchiveWriting
import KeyedArchives
import Testing

@Suite struct PatchOperationTests {
  @Test func readsAndWritesOperations() throws {
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
    let operations = try PatchOperation.read(ByteStorage(copying: Array(text.utf8)))
    var output = ByteBuffer()
    PatchOperation.write(operations, to: &output)
    #expect(String(decoding: output.bytes, as: UTF8.self) == text)
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
      try PatchOperation.read(ByteStorage(copying: Array(text.utf8)))
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
