// Compares the files of two folders by their relative paths.

import Basics
import Batches
import CommandLineInterface
import KeyedArchives
import Queries

/// Compares two folders.
struct FolderComparison {
  private let session: Session
  private let comparison: FileComparison

  init(_ session: Session, _ comparison: FileComparison) throws {
    self.session = session
    self.comparison = comparison
    guard session.arguments.has(.recursive) else {
      throw UsageError("folders are compared with -r", command: Diff.name)
    }
    if comparison.format == .jsonPatch {
      throw UsageError("a JSON Patch is for two files, not for folders", command: Diff.name)
    }
  }

  func run(_ old: String, _ new: String) throws {
    guard [old, new].allSatisfy(FolderListing.isFolder) else {
      throw UsageError("a folder can only be compared with a folder", command: Diff.name)
    }
    let (comparison, streams, tally) = (comparison, session.streams, DifferenceTally())
    try session.showInputs(selection(old), at: nil) {
      () throws(ArchiveError) in
      { (input, storage, writer) throws(ArchiveError) in
        let path = Self.path(input.relativePath, below: new)
        guard Self.hasFile(path) else {
          writer.inOrder(file: input.name) { tally.add(.removed) }
          return Self.report("only in \(old): \(input.relativePath)", comparison, writer)
        }
        let other = Input(operand: path)
        // Files that are the same are not read as archives, whatever they are.
        let bytes = try other.open(streams)
        if bytes.bytes.elementsEqual(storage.bytes) { return }
        try comparison.compare(
          input, storage, other, streams, writer, tally, header: "\(input.name) \(path)")
      }
    }
    showAdded(old, new, tally)
    comparison.end(tally, session)
  }

  private func selection(_ folder: String) -> InputSelection {
    var selection = session.arguments.selection
    selection.operands = [folder]
    return selection
  }

  /// Names the files that only the new folder has.
  private func showAdded(_ old: String, _ new: String, _ tally: DifferenceTally) {
    let writer = ResultWriter(session)
    for entry in InputSequence(selection(new)) {
      switch entry {
      case .failure(let path, let error): session.report(error, file: path)
      case .input(let input):
        if Self.hasFile(Self.path(input.relativePath, below: old)) { continue }
        tally.add(.added)
        Self.report("only in \(new): \(input.relativePath)", comparison, writer)
      }
    }
  }

  /// Whether there is anything but a folder at a path.
  private static func hasFile(_ path: String) -> Bool { FileStatus(of: path)?.isFolder == false }

  private static func path(_ name: String, below folder: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  private static func report(
    _ line: String, _ comparison: FileComparison, _ writer: ResultWriter
  ) {
    guard comparison.writesText else { return }
    writer.write { $0.append(escapedLine: line) }
  }
}
