// The manual page archtool-journal(5): correct mdoc that lists every event of a journal.

import Foundation
import TestSupport
import Testing

@Suite struct JournalManualTests {
  static let file = TestArchives.root.deletingLastPathComponent()
    .appendingPathComponent("man/archtool-journal.5")
  static let mandoc = Program.find("mandoc")

  @Test func namesEveryMemberOfAJournal() throws {
    let page = try String(contentsOf: Self.file, encoding: .utf8)
    let fleet = try FleetFolder()
    #expect(try fleet.run().status == 0)
    #expect(try fleet.undo().status == 0)
    let journal = try String(contentsOfFile: fleet.journal, encoding: .utf8)
    for line in journal.split(separator: "\n") {
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let object = try #require(value as? [String: Any])
      for name in object.keys { #expect(page.contains("Ql \(name)"), "\(name)") }
      if let event = object["event"] as? String { #expect(page.contains(".It Ql \(event)\n")) }
      for change in object["changes"] as? [[String: Any]] ?? [] {
        for name in change.keys { #expect(page.contains(".It Ql \(name)\n"), "\(name)") }
        for name in (change["old"] as? [String: Any] ?? [:]).keys {
          #expect(page.contains("Ql \(name)"), "\(name)")
        }
      }
    }
  }

  @Test(.enabled(if: mandoc != nil, "mandoc is not installed"))
  func pleasesMandoc() throws {
    let program = try #require(Self.mandoc)
    let lint = try Program.run(at: program, ["-T", "lint", "-W", "warning", Self.file.path])
    #expect(lint.text == "" && lint.status == 0)
  }
}
