// Trees for people: nothing is left out, and terminal control characters are escaped.

import ArchiveBasics
import ArchiveGraph
import ArchiveRendering
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct TreeRendererTests {
  private static func tree(_ data: Data, depth: Int? = nil) throws -> String {
    try tree(data, TreeRenderer.Options(depth: depth))
  }

  private static func tree(_ data: Data, _ options: TreeRenderer.Options) throws -> String {
    let graph = try readGraph(data)
    var output = OutputBuffer(descriptor: nil)
    try TreeRenderer.render(graph.root, of: graph, options: options, to: &output)
    return String(decoding: output.bytes.bytes, as: UTF8.self)
  }

  @Test func showsEveryValueOnALineOfItsOwn() throws {
    let text = try Self.tree(Data("{\"a\":[1,true,null,2.5],\"b c\":\"x\"}".utf8))
    #expect(
      text == """
        $: dictionary (2)
        ├─ a: array (4)
        │  ├─ [0]: 1
        │  ├─ [1]: true
        │  ├─ [2]: null
        │  └─ [3]: 2.5
        └─ "b c": "x"

        """)
  }

  @Test func stopsAtTheDepthThatIsAskedFor() throws {
    let text = try Self.tree(Data("{\"a\":{\"b\":{\"c\":1}}}".utf8), depth: 1)
    #expect(text == "$: dictionary (1)\n└─ a: dictionary (1) …\n")
  }

  @Test func sharedContainersAreShownOnce() throws {
    let shared = NSMutableArray(array: ["x"])
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: NSArray(array: [shared, shared]), requiringSecureCoding: false)
    let lines = try Self.tree(data).split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[1].contains("Array (1) #"))
    let label = try #require(lines[1].split(separator: " ").last)
    #expect(lines[3] == "└─ [1]: → \(label)")
  }

  // MARK: Terminals

  /// A line is as wide as the terminal at most, in cells, and a string that was cut tells its length.
  @Test(arguments: ["a", "雨", "e\u{301}", "👩‍👩‍👧", "\u{1B}", "\"", "\n"], [60, 80, 200])
  func stringsAreCutToTheWidth(_ character: String, _ width: Int) throws {
    var options = TreeRenderer.Options()
    options.width = width
    for count in [1, 5, 20, width, 1000] {
      let string = String(repeating: character, count: count)
      let data = try JSONSerialization.data(withJSONObject: ["key": [string]])
      let whole = try #require(try Self.tree(data).split(separator: "\n").last)
      let line = try #require(try Self.tree(data, options).split(separator: "\n").last)
      #expect(TerminalCells.count(of: line) <= width, "\(line)")
      if TerminalCells.count(of: whole) <= width {
        #expect(line == whole)
      } else {
        #expect(line.hasSuffix("…\" (\(Counted.text(string.count, "character")))"), "\(line)")
        // Nothing is left out that has room.
        #expect(TerminalCells.count(of: line) > width - 8, "\(line)")
      }
    }
  }

  @Test(arguments: [
    (0, "$: array (3)\n└─ … 3 more\n"), (2, "$: array (3)\n├─ [0]: 1\n├─ [1]: 2\n└─ … 1 more\n"),
    (3, "$: array (3)\n├─ [0]: 1\n├─ [1]: 2\n└─ [2]: 3\n"),
  ]) func theBreadthIsLimited(_ most: Int, _ text: String) throws {
    var options = TreeRenderer.Options()
    options.mostItems = most
    #expect(try Self.tree(Data("[1,2,3]".utf8), options) == text)
    #expect(try Self.tree(Data("[]".utf8), options) == "$: array (0)\n")
  }

  @Test func anAttributedStringIsALineForEachRun() throws {
    let data = try Data(
      contentsOf: TestArchives.root.appendingPathComponent("TypedStreams/attributed-string"))
    var options = TreeRenderer.Options()
    options.width = 80
    #expect(
      try Self.tree(data, options) == """
        $: NSMutableAttributedString (2) "Hello, big world" 3 runs
        ├─ [0..7) "Hello, "  style: "plain"
        ├─ [7..10) "big"  style: "big"
        └─ [10..16) " world"  style: "plain"

        """)
  }

  @Test func colorsAreThoseOfJq() throws {
    let options = TreeRenderer.Options(isColoured: true)
    let text = try Self.tree(Data(#"{"a":[null,true,1.5,"x"]}"#.utf8), options)
    let plain = try Self.tree(Data(#"{"a":[null,true,1.5,"x"]}"#.utf8))
    #expect(text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") == plain)
    let lines = text.split(separator: "\n")
    let (dim, end) = ("\u{1B}[2m", "\u{1B}[0m")
    #expect(
      lines.map(String.init) == [
        "$: \u{1B}[1mdictionary\(end) (1)",
        "\(dim)└─ \(end)\u{1B}[34;1ma\(end): \u{1B}[1marray\(end) (4)",
        "\(dim)   ├─ \(end)[0]: \u{1B}[90mnull\(end)", "\(dim)   ├─ \(end)[1]: true",
        "\(dim)   ├─ \(end)[2]: 1.5", "\(dim)   └─ \(end)[3]: \u{1B}[32m\"x\"\(end)",
      ])
  }

  @Test(arguments: ["\u{1B}[2J", "\u{9B}31m", "\u{202E}abc", "a\nb", "\u{7F}"])
  func escapesWhatATerminalWouldObey(_ string: String) throws {
    let data = try JSONSerialization.data(withJSONObject: [string: [string]])
    let text = try Self.tree(data)
    for scalar in text.unicodeScalars where scalar != "\n" {
      #expect(scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value))
      #expect(!(0x202A...0x202E).contains(scalar.value))
    }
  }
}
