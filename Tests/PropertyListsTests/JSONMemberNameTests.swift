// Names of members that are written once for all dictionaries with the same keys, judged by Foundation's reader.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import TestSupport
import Testing

@Suite struct JSONMemberNameTests {
  /// A name of so many bytes; those of one length differ by their number.
  private func name(_ length: Int, _ number: Int) -> String {
    "\(number)" + String(repeating: "n", count: length - 1)
  }

  private func json(
    _ value: Any, isCompact: Bool, format: PropertyListSerialization.PropertyListFormat
  )
    throws -> NSObject?
  {
    let graph = try readGraph(
      PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0))
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(
      graph.root, of: graph, options: JSONWriter.Options(isCompact: isCompact), to: &output)
    return try JSONSerialization.jsonObject(with: Data(output.bytes.bytes)) as? NSObject
  }

  /// Only names of up to 256 bytes are remembered, a list of them as a whole.
  @Test(
    arguments: [[300], [2, 300], [2, 3, 256, 257], [256], [257, 2], [2, 257, 3]], [false, true])
  func theNamesOfOtherDictionariesStay(_ lengths: [Int], isCompact: Bool) throws {
    let long = Dictionary(
      uniqueKeysWithValues: lengths.enumerated().map { (name($1, $0), "long \($0)") })
    let short = ["a": "1", "b": "2"]
    let value: [Any] = [short, long, ["c": "3"], ["x": long, "y": short], long, ["c": "4"], short]
    let read = try json(value, isCompact: isCompact, format: .binary)
    #expect(read == value as NSArray)
  }

  @Test(arguments: 0..<20)
  func dictionariesOfAnyKeysAreRead(seed: Int) throws {
    var numbers = SeededNumbers(seed: UInt64(seed))
    let value: [Any] = (0..<200).map { _ in
      var members: [String: Any] = [:]
      for _ in 0..<numbers.below(6) {
        let key = name([1, 2, 40, 255, 256, 257, 400][numbers.below(7)], numbers.below(3))
        members[key] = numbers.below(4) == 0 ? [["a": "b"]] : "text"
      }
      return members
    }
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      #expect(try json(value, isCompact: seed % 2 == 0, format: format) == value as NSArray)
    }
  }
}
