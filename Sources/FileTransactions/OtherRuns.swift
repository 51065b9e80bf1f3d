// Runs that stay when journals are removed.

import Basics

/// The runs whose old files must stay.
package struct OtherRuns: Sendable {
  /// Their folders of old files, links resolved.
  private let folders: Set<CodePointString>
  /// Journals that cannot be read as such.
  private let unreadable: [String]
  /// How much of a journal is looked at: it names its folder in its first line.
  private static let mostBytes = 1 << 16

  /// Takes the runs, and the journals that cannot be read: they may be of such runs.
  package init(_ runs: [RecordedRun], unreadable: [String]) {
    folders = Set(
      runs.compactMap(\.report.header.backups).map {
        CodePointString(FolderListing.resolved($0) ?? $0)
      })
    self.unreadable = unreadable
  }

  /// Whether a run may have old files in a folder.
  func mayNeed(_ folder: String) -> Bool {
    if folders.contains(CodePointString(FolderListing.resolved(folder) ?? folder)) { return true }
    let name = Array(folder.utf8.split(separator: UInt8(ascii: "/")).last ?? folder.utf8[...])
    return unreadable.contains { Self.mayName(name, $0) }
  }

  /// Whether a file begins with a text that has a name in it, or cannot be read.
  ///
  /// One that is gone since it was listed needs nothing; a link to a journal that is not there now may.
  private static func mayName(_ name: [UInt8], _ path: String) -> Bool {
    let descriptor = retryingInterrupts {
      open(path.asPath, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    }
    guard descriptor >= 0 else { return !RecordedRuns.isGone(path) }
    defer { _ = close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: mostBytes)
    let count = retryingInterrupts { pread(descriptor, &bytes, mostBytes, 0) }
    guard count >= name.count else { return count < 0 }
    return (0...(count - name.count)).contains { start in
      bytes[start..<(start + name.count)].elementsEqual(name)
    }
  }
}
