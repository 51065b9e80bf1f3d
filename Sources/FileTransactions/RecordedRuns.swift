// All runs whose journals are in some folders.

import Basics

/// The runs of the journals in some places, the newest first.
package struct RecordedRuns: Sendable {
  /// The runs.
  package private(set) var runs: [RecordedRun] = []
  /// What cannot be read.
  package private(set) var problems: [(path: String, error: ArchiveError)] = []
  /// Links in the folders with the names of journals, those to journals that are gone among them.
  package private(set) var links: [String] = []
  private var seen: Set<CodePointString> = []

  /// The end of the names of journals in the user's state folder.
  package static let suffix = ".journal"
  /// How a journal begins.
  private static let beginning = Array(#"{"journal":"archtool","version":"#.utf8)

  /// Looks for journals.
  ///
  /// - Parameters:
  ///   - places: journals, and folders with journals in them; a folder that does not exist has none.
  ///   - key: the user's key for the check of the seals, or nil.
  package init(in places: [String], key: SealingKey?) {
    for place in places {
      if FolderListing.isFolder(place) { look(in: place, key) } else { add(place, key) }
    }
    runs.sort { RecordedRun.isNewer($0, than: $1) }
  }

  private mutating func look(in folder: String, _ key: SealingKey?) {
    let names: [[UInt8]]
    do throws(ArchiveError) {
      names = try FolderListing.names(in: folder)
    } catch {
      return problems.append((folder, error))
    }
    for name in names {
      let path = "\(folder)/\(String(pathBytes: name))"
      if path.hasSuffix(Self.suffix), Self.isLink(path) { links.append(path) }
      if FolderListing.isFile(path), Self.begins(path) { add(path, key, isListed: true) }
    }
  }

  private mutating func add(_ path: String, _ key: SealingKey?, isListed: Bool = false) {
    let place = FolderListing.resolved(path) ?? path
    guard seen.insert(CodePointString(place)).inserted else { return }
    do throws(ArchiveError) {
      runs.append(try RecordedRun(place, key: key))
    } catch {
      // A listed one that is gone was removed by another run.
      if !isListed || !Self.isGone(path) { problems.append((path, error)) }
    }
  }

  /// Whether nothing has this name any more, not even a link.
  static func isGone(_ path: String) -> Bool {
    FileStatus(of: path, followsLinks: false) == nil && errno == ENOENT
  }

  private static func isLink(_ path: String) -> Bool {
    FileStatus(of: path, followsLinks: false)?.isLink == true
  }

  /// Whether a file begins as a journal.
  package static func begins(_ path: String) -> Bool {
    let descriptor = retryingInterrupts { open(path.asPath, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return false }
    defer { _ = close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: beginning.count)
    let count = retryingInterrupts { pread(descriptor, &bytes, bytes.count, 0) }
    return count == beginning.count && bytes == beginning
  }

  /// Makes a journal elsewhere known in a folder, by a link; without one the run is merely not listed.
  package static func link(_ journal: String, in folder: String, as name: String) {
    let path = "\(folder)/\(name)\(suffix)"
    do throws(ArchiveError) {
      try AtomicFile.makeFolder(above: path)
      _ = symlink(journal.asPath, path.asPath)
    } catch {
      // The journal is where the user asked for it.
    }
  }
}
