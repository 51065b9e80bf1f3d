// The last value of a truncated property list: the part that is there, and how much is missing.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct CutValueTests {
  /// A value, how many bytes a unit of it takes, and what its units are called.
  struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String?
    let width: Int
    let unit: String
    var data = Data()
    /// How many values precede it: above 255 references take two bytes.
    var others = 1

    var testDescription: String { name }
    var count: Int { text.map { $0.utf16.count } ?? data.count }

    /// Written by Foundation, which puts the values in their order.
    func bytes() throws -> [UInt8] {
      let values = (0..<others).map { "value \($0)" as Any } + [text.map { $0 as Any } ?? data]
      return [UInt8](
        try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0))
    }

    /// What is written of the value, without marker and count.
    var content: [UInt8] {
      guard let text else { return [UInt8](data) }
      return width == 1
        ? Array(text.utf8) : text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }
  }

  static let samples = [
    Sample(
      name: "x", text: String(repeating: "x", count: 2000), width: 1, unit: "characters"),
    Sample(name: "short", text: "abcdefghij", width: 1, unit: "characters"),
    Sample(
      name: "lines", text: String(repeating: "A line, and\n\tanother.\r\n", count: 90), width: 1,
      unit: "characters"),
    Sample(
      name: "wide", text: String(repeating: "é東🌦 ", count: 300), width: 2, unit: "UTF-16 units"),
    Sample(
      name: "many", text: String(repeating: "Zz", count: 500), width: 1, unit: "characters",
      others: 700),
    Sample(
      name: "data", text: nil, width: 1, unit: "bytes",
      data: Data((0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 37) })),
    Sample(name: "zeros", text: nil, width: 1, unit: "bytes", data: Data(count: 3000)),
    Sample(
      name: "much data", text: nil, width: 1, unit: "bytes",
      data: Data((0..<70000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }), others: 300),
  ]

  private func read(_ bytes: [UInt8]) throws -> (value: Any, losses: [String]) {
    let graph = try ArchiveReader(recovering: true).read(
      ByteStorage(copying: bytes), resolving: false, nested: false)
    return (graph.foundationObject(graph.root), graph.losses.map(\.message))
  }

  @Test(arguments: samples) func showsThePartThatIsThere(_ sample: Sample) throws {
    let bytes = try sample.bytes()
    let content = sample.content
    let place = try #require(
      bytes.indices.first {
        bytes.count - $0 >= content.count && bytes[$0...].starts(with: content)
      }
    )
    for left in Set([2, 3, 5, 7, content.count / 3, content.count / 2 + 1, content.count - 1]) {
      let (value, losses) = try read(Array(bytes[..<(place + left)]))
      let values = try #require(value as? [Any], "\(left)")
      #expect(values.count == sample.others + 1)
      #expect(
        values.dropLast().compactMap { $0 as? String } == (0..<sample.others).map { "value \($0)" })
      var found = left / sample.width
      if let text = sample.text {
        var units = Array(text.utf16.prefix(found))
        if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        found = units.count
        #expect(
          values.last as? String
            == String(decoding: units, as: UTF16.self)
            + "… ⟨\(found) of \(sample.count) \(sample.unit)⟩")
      } else {
        #expect(values.last as? Data == sample.data.prefix(left))
      }
      #expect(
        losses.contains(
          "object \(sample.others + 1) is incomplete: \(found) of its \(sample.count) \(sample.unit) are left"
        ), "\(losses)")
      // The error of the trailer, how the objects were found, and this.
      #expect(losses.count == 3, "\(losses)")
    }
  }

  /// UTF-8, which only later systems write, without half of a character.
  @Test func showsThePartOfUTF8() throws {
    let bytes = Array("bplist00".utf8) + [0xA1, 0x01, 0x7F, 0x10, 0x20] + Array("abcé".utf8)
    let (value, losses) = try read(Array(bytes.dropLast()))
    #expect(value as? [String] == ["abc… ⟨3 of 32 bytes⟩"])
    #expect(losses.last == "object 1 is incomplete: 3 of its 32 bytes are left")
  }

  /// What is no text is not taken for the end of a string.
  @Test(arguments: [0x00, 0x1B, 0x80, 0xD1] as [UInt8]) func takesOnlyTextForText(
    _ byte: UInt8
  ) throws {
    let bytes = Array("bplist00".utf8) + [0xA1, 0x01, 0x5F, 0x10, 0x20] + [0x61, byte, 0x62]
    #expect(try !read(bytes).losses.contains { $0.contains("incomplete") })
  }

  /// A key that is lost is marked by a string, so that the rest remains a property list.
  @Test func marksALostKeyByAString() throws {
    let (value, _) = try read(Array("bplist00".utf8) + [0xD1, 0x02, 0x01, 0x51, 0x61])
    #expect(value as? [String: String] == ["$lost object 2": "a"])
  }

  /// The same of XML, which does not say how long its values are.
  @Test(arguments: [
    ("<dict><key>a</key><string>one two", "one two… ⟨the rest is lost⟩"),
    ("<dict><key>a</key><string>caf\u{E9}", "caf\u{E9}… ⟨the rest is lost⟩"),
  ])
  func showsThePartOfXML(_ text: String, _ shown: String) throws {
    let (value, losses) = try read(Array("<plist version=\"1.0\">\(text)".utf8))
    #expect((value as? [String: Any])?["a"] as? String == shown)
    #expect(losses.count == 1)
  }
}
