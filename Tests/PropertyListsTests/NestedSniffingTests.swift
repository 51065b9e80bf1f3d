// Which data values are opened as property lists: XML of other kinds is data.

import ArchiveBasics
import ArchivePropertyLists
import Foundation
import KeyedArchives
import Testing

@Suite struct NestedSniffingTests {
  private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

  private func looksNested(_ text: String) -> Bool {
    Array(text.utf8).withByteView { Formats.all.looksNested($0) }
  }

  @Test(arguments: [
    "<plist/>", "<plist version=\"1.0\"><dict/></plist>", "<!-- <svg> --><plist><true/></plist>",
    "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"a\"><plist><true/></plist>",
    "<!DOCTYPE plist [<!ELEMENT a (b)> <!-- > -->]><plist><true/></plist>", "<?pi > ?><plist>",
    "<dict><key>a</key><true/></dict>", "<dict></dict>", "<array> <string>a</string></array>",
    "<plist>\n<broken",
  ])
  func aPropertyListIsOpened(_ text: String) { #expect(looksNested(Self.declaration + text)) }

  @Test(arguments: [
    "<svg/>", "<svg xmlns=\"http://www.w3.org/2000/svg\"><g/></svg>", "<rss version=\"2.0\"/>",
    "<!DOCTYPE html><html><body/></html>", "<plists/>", "<dict xmlns=\"a\"><entry/></dict>",
    "<array><item/></array>", "<data><row/></data>", "<string>text</string>", "", "<", "<!--",
    "<!DOCTYPE", "<?", "text",
  ])
  func anythingElseIsData(_ text: String) { #expect(!looksNested(Self.declaration + text)) }
}
