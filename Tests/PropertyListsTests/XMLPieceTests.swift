// XML that libxml2 gets in pieces of 4,000 bytes: what stands where a piece ends, and bytes that are given back.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import Testing

@Suite struct XMLPieceTests {
  /// Every kind of token, and characters of two to four bytes.
  private static let body = """
    <dict><key>a</key><string>x &amp; ä<![CDATA[ <b> ]]>&#228;&#x1F600;</string><?pi data?>\
    <key>€</key><array><integer>-12</integer><real>1.5e3</real><!-- a - b --><true/><false />\
    <date>2001-01-01T00:00:00Z</date><data>AAEC\n\tAw==</data><string/><string>😀€ä</string>\
    </array>\r\n<key>c</key><dict><key>a</key><string>ä</string><key>d</key><integer>0x1F</integer>\
    </dict></dict>
    """

  private static func document(_ body: String, after padding: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\(padding)<plist version="1.0">\(body)</plist>
      """.utf8)
  }

  private func read(
    _ text: [UInt8], recovering: Bool = false
  ) throws(ArchiveError) -> FormatReading {
    let storage = ByteStorage(copying: text)
    return try XMLReader.read(
      storage.bytes, fileOffset: 0, limits: Limits(), recovering: recovering)
  }

  private func bytes(_ document: Document) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: document.table.base, count: document.table.byteCount))
  }

  @Test(arguments: [true, false])
  func aTokenMayStandAtTheEndOfAPiece(_ isComment: Bool) throws {
    let length = Self.body.utf8.count + 32
    for count in (3_800 - length)..<3_900 {
      let letters = String(repeating: "-a", count: count / 2) + (count % 2 == 0 ? "" : "b")
      let padding = isComment ? "<!--\(letters)-->" : String(repeating: "\n", count: count)
      let text = Self.document(Self.body, after: padding)
      // A damaged document is parsed as a whole.
      let whole = try read(text, recovering: true).document
      let pieces = try read(text).document
      #expect(bytes(pieces) == bytes(whole), "after \(count) bytes")
      #expect(pieces.sourceOffsets == whole.sourceOffsets, "after \(count) bytes")
    }
  }

  @Test(arguments: [
    "<array>%text</array>", "<array><integer>%x</integer></array>", "<dict>%<true/></dict>",
    "<array><string>%\u{1}</array>", "<array>%<", "<array>%</dict>",
    "<string>%]]></string>", "<dict><key>a</key>%<true/><key>a</key><true/>",
  ])
  func aFaultHasItsPlaceInTheText(_ body: String) throws {
    for count in [0, 1, 1_000, 3_700, 3_800, 3_999, 4_000, 4_001, 9_000, 70_000] {
      let filling = String(repeating: "\n ", count: count / 2) + (count % 2 == 0 ? "" : " ")
      let text = Self.document(body.replacingOccurrences(of: "%", with: filling), after: "")
      let fault = try? read(text, recovering: true).warnings.last
      do {
        _ = try read(text)
        Issue.record("\(body) was read")
      } catch {
        // A document without any value cannot be recovered.
        guard let fault else { continue }
        #expect(error.message == fault.message, "\(body) with \(count) bytes")
        #expect(error.offset == fault.offset, "\(body) with \(count) bytes")
      }
    }
  }

  // MARK: Bytes given back

  private static let elements = 400_000

  /// A file of over 8 MiB.
  private func withLargeFile(
    _ end: String, _ body: (URL, ByteStorage) throws -> Void
  ) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "archtool-xml-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    let text =
      "<plist><array>\(String(repeating: "<string>some text</string>", count: Self.elements))"
    try Data((text + end).utf8).write(to: url)
    try body(url, try ByteStorage.open(path: url.path))
  }

  @Test func bytesThatAreGivenBackCanBeHadAgain() throws {
    try withLargeFile("</array></plist>") { url, storage in
      let reading = try XMLReader.read(
        storage.bytes, fileOffset: 0, limits: Limits(), givingBack: storage)
      #expect(reading.warnings.isEmpty)
      #expect(reading.document.sourceOffsets.count == 2)
      try storage.restore()
      let stored = try Data(contentsOf: url)
      #expect(Data(storage.bytes) == stored)
    }
  }

  @Test func afterAFaultAllBytesAreThere() throws {
    try withLargeFile("</array></plost>") { url, storage in
      do {
        _ = try XMLReader.read(
          storage.bytes, fileOffset: 0, limits: Limits(), givingBack: storage)
        Issue.record("a fault was read")
      } catch {
        #expect((error as? ArchiveError)?.offset != nil)
      }
      let stored = try Data(contentsOf: url)
      #expect(Data(storage.bytes) == stored)
    }
  }

  @Test func aFileThatChangedIsNotReadAgain() throws {
    try withLargeFile("</array></plist>") { url, storage in
      _ = try XMLReader.read(
        storage.bytes, fileOffset: 0, limits: Limits(), givingBack: storage)
      let handle = try FileHandle(forWritingTo: url)
      try handle.truncate(atOffset: 100)
      try handle.close()
      do {
        try storage.restore()
        Issue.record("a changed file was read")
      } catch {
        #expect((error as? ArchiveError)?.code == .inputOutput)
      }
      // Nothing else reads them then; but nothing may stop the program either.
      #expect(storage.bytes.first != nil)
    }
  }
}
