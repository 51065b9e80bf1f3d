// The files that `archtool dump` writes, one for each input.

import Basics
import Batches
import CommandLineInterface
import FileTransactions
import Synchronization

/// A folder of dumps, with the relative paths of their inputs.
final class DumpFolder: Sendable {
  private let folder: String
  private let replacing: Bool
  /// The paths that were written.
  private let written = Mutex<Set<CodePointString>>([])
  private let folders = OutputFolders()

  /// The folder that `--output-dir` names; nil without it.
  init?(_ arguments: ParsedArguments) {
    guard let folder = arguments.value(of: .dumpFolder) else { return nil }
    self.folder = folder
    replacing = arguments.has(.force)
  }

  /// Writes the dump of an input.
  ///
  /// - Throws: `ArchiveError` with code `cannotCreate` if the file exists and is not to be replaced, if another input has
  ///   the same path, or if a link leads out of the folder.
  func write(_ bytes: [UInt8], for input: Input) throws(ArchiveError) {
    let path = "\(folder)/\(input.relativePath)"
    guard written.withLock({ $0.insert(CodePointString(path)).inserted }) else {
      throw ArchiveError(.cannotCreate, "several inputs would be written to \(path)")
    }
    try folders.makeFolder(above: path, for: input)
    let root = try FileLocation.resolved(folder)
    let place = try FileLocation(root: root, relativePath: input.relativePath)
    let parent = place.path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(place.path[..<$0]) }
    let isLink = FileStatus(of: place.path, followsLinks: false)?.isLink == true
    guard !isLink, let parent, try FileLocation.resolved(parent) == parent else {
      throw ArchiveError(.cannotCreate, "a link leads from \(path) to another place")
    }
    try AtomicFile.write(
      to: place.path, existing: replacing ? .replace : .refuse, allowing: input.permissions()
    ) { (output) throws(ArchiveError) in bytes.withUnsafeBytes { output.bytes.append($0) } }
  }
}

extension OptionDescription {
  static let dumpFolder = text(
    "output-dir", valueName: "DIR",
    help: "Write each dump to a file in DIR. It has the input's relative path there.")
}
