// Trees for people: nothing is left out, and terminal control characters are escaped.

import Basics
import Foundation
import KeyedArchives
import ObjectGraph
import Rendering
import TestSupport
import Testing

@Suite struct TreeRendererTests {
  private static func tree(_ data: Data, depth: Int? = nil) throws -> String {
    let graph = try readGraph(data)
    var output = OutputBuffer(descriptor: nil)
    try TreeRenderer.render(
      graph.root, of: graph, options: TreeRenderer.Options(depth: depth), to: &output)
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
