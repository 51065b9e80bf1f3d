// Whose old files stay when journals are removed while other runs come and go.

import Foundation
import TestSupport
import Testing

@testable import FileTransactions

@Suite struct OtherRunsTests {
  /// A journal that could not be read, and whether it may need a folder `old-1`.
  struct Unreadable: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let needs: Bool
    let make: @Sendable (String) throws -> Void

    init(_ description: String, needs: Bool, _ make: @escaping @Sendable (String) throws -> Void) {
      (testDescription, self.needs, self.make) = (description, needs, make)
    }
  }

  static let cases = [
    Unreadable("names the folder", needs: true) {
      try Data(#"{"journal":"archtool","backups":"/x/old-1""#.utf8).write(to: URL(filePath: $0))
    },
    Unreadable("names another", needs: false) {
      try Data(#"{"journal":"archtool","backups":"/x/old-2""#.utf8).write(to: URL(filePath: $0))
    },
    Unreadable("gone since it was listed", needs: false) { _ in },
    Unreadable("a link to one that is not there now", needs: true) {
      try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "/not/there")
    },
    Unreadable("a link to itself", needs: true) {
      try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: $0)
    },
  ]

  @Test(arguments: cases)
  func keepOldFilesThatAnUnreadableJournalMayNeed(_ unreadable: Unreadable) throws {
    let folder = try TemporaryFolder(inMemory: true)
    let path = folder.file("a.journal").path
    try unreadable.make(path)
    #expect(OtherRuns([], unreadable: [path]).mayNeed("/x/old-1") == unreadable.needs)
  }
}
