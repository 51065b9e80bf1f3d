// A property list that is written as the data of another one, with the list whose data was copied as the judge.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import TestSupport
import Testing

@Suite struct NestedListTests {
  /// A document of texts, `count` of them, whose property list has about `length` bytes.
  private func inner(_ count: Int, length: Int) -> Document {
    var builder = GraphBuilder()
    builder.open()
    for number in 0..<count {
      builder.append(builder.add(String(repeating: "x", count: length / count) + "\(number)"))
    }
    let top = builder.close()
    return builder.finish(top: top)
  }

  /// A document with data between other values, and the index of the data.
  private func outer(
    _ data: ByteView, others: Int
  ) -> (document: Document, data: UInt32) {
    var builder = GraphBuilder()
    builder.open()
    builder.append(builder.add("before"))
    let index = builder.add(data: data)
    builder.append(index)
    for number in 0..<others { builder.append(builder.add(Int64(number))) }
    let top = builder.close()
    return (builder.finish(top: top), index)
  }

  /// Sizes around those where counts, references and offsets get wider, of either list.
  @Test(
    arguments: [
      (1, 1), (1, 13), (1, 80), (1, 200), (1, 220), (200, 900), (300, 900), (1, 65_000),
      (1, 65_600), (9, 70_000), (66_000, 700_000), (3, 16_800_000),
    ], [0, 200, 300])
  func dataThatIsWrittenInPlaceIsAsDataThatIsCopied(
    _ size: (count: Int, length: Int), others: Int
  ) throws {
    let document = inner(size.count, length: size.length)
    let alone = BinaryWriter.write(document)
    let copied = BinaryWriter.write(outer(alone.bytes, others: others).document)
    let empty = outer(ByteView(), others: others)
    let nested = BinaryWriter.write(empty.document, with: empty.data, as: document)
    let isSame = Data(copied.bytes) == Data(nested.bytes)
    #expect(isSame, "\(size.count) \(size.length) \(others)")
    let data = Data(nested.bytes)
    let list = try #require(
      try PropertyListSerialization.propertyList(from: data, format: nil) as? [Any])
    #expect(list.count == others + 2)
    let texts = try #require(list[1] as? Data)
    #expect(texts.count == alone.bytes.count)
  }
}
