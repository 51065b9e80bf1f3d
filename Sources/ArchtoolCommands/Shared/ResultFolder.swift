// Files with the results of a command that only reads, one for each input.

import ArchiveBasics
import ArchiveBatches
import CommandLineInterface
import FileTransactions
import Synchronization

/// A folder of results, with the relative paths of their inputs.
final class ResultFolder: Sendable {
  private let folder: String
  private let replacing: Bool
  private let written = Mutex<Set<CodePointString>>([])

  /// The folder that `--output-dir` names; nil without it.
  init?(_ arguments: ParsedArguments) {
    guard let folder = arguments.value(of: .resultFolder) else { return nil }
    self.folder = folder
    replacing = arguments.has(.force)
  }

  /// Writes the result for an input.
  ///
  /// - Throws: `ArchiveError` with code `cannotCreate` if the file exists and is not to be replaced, if another input has
  ///   the same path, or if a link leads out of the folder.
  func write(_ bytes: [UInt8], for input: Input) throws(ArchiveError) {
    let path = "\(folder)/\(input.relativePath)"
    guard written.withLock({ $0.insert(CodePointString(path)).inserted }) else {
      throw ArchiveError(.cannotCreate, "several inputs would be written to \(path)")
    }
    try AtomicFile.makeFolder(above: path, allowing: input.folderPermissions)
    let root = try FileLocation.resolved(folder)
    let location = try FileLocation(root: root, relativePath: input.relativePath)
    let parent = AtomicFile.folder(of: location.path)
    let isLink = FileStatus(of: location.path, followsLinks: false)?.isLink == true
    guard !isLink, try FileLocation.resolved(parent) == parent else {
      throw ArchiveError(.cannotCreate, "a link leads from \(path) to another place")
    }
    try AtomicFile.write(
      to: location.path, existing: replacing ? .replace : .refuse, allowing: input.permissions()
    ) { (output) throws(ArchiveError) in bytes.withByteView { output.bytes.append($0) } }
  }
}

extension OptionDescription {
  static let resultFolder = text(
    "output-dir", valueName: "DIR",
    help: "Write each result to a file in DIR. It has the input's relative path there.")
}
