// Reads a plan: its files, and what they must be before and after.

import Basics
import FileTransactions
import PropertyLists

/// A plan as `migrate --plan --format json` prints it: one line of JSON per file, after the header.
package struct Plan: Sendable {
  /// The required state of a file before and after.
  struct Expectation: Sendable {
    let old: ContentHash
    let new: ContentHash
  }

  /// The plan's absolute path.
  package let path: String
  /// The first line.
  package let header: PlanHeader
  /// The files that the plan changes, in its order.
  package let files: [String]
  private let expectations: [CodePointString: Expectation]

  /// Reads a plan.
  ///
  /// - Parameters:
  ///   - path: the plan.
  ///   - seals: verifies its seals if it is to be applied; nil to only read it.
  /// - Throws: `ArchiveError` that names the plan: it cannot be opened, or a line is invalid or was changed.
  package init(path: String, seals: SealCheck? = nil) throws(ArchiveError) {
    self.path = FolderListing.absolute(path)
    do throws(ArchiveError) {
      let descriptor = retryingInterrupts { open(path.asPath, O_RDONLY | O_CLOEXEC) }
      guard descriptor >= 0 else {
        throw ArchiveError(.cannotOpen, "cannot open: \(systemMessage())")
      }
      let file = OpenFile(descriptor: descriptor)
      try TrustedFile.check(descriptor, "plan")
      let storage = try file.contents()
      let newline = UInt8(ascii: "\n")
      var lines = storage.bytes.split(separator: newline)[...]
      guard let first = lines.popFirst(), first.first == UInt8(ascii: "{") else {
        throw ArchiveError(.unrecognized, "is not an archtool plan")
      }
      header = try PlanHeader(try Self.tree(first))
      var inspection = SealInspection(header.key, key: seals?.key)
      inspection.look(at: (Array(first) + [newline])[...])
      var files: [String] = []
      var expectations: [CodePointString: Expectation] = [:]
      for line in lines {
        let tree = try Self.tree(line)
        inspection.look(atAny: (Array(line) + [newline])[...])
        if tree["outcome"]?.string == "refused" { continue }
        guard let file = tree["file"]?.string, let old = Self.hash("sha256", tree),
          let new = Self.hash("newSha256", tree)
        else {
          throw ArchiveError(
            .malformed, "a line of the plan lacks file, sha256 or newSha256",
            offset: line.startIndex)
        }
        files.append(file)
        expectations[CodePointString(file)] = Expectation(old: old, new: new)
      }
      if let seals, !seals.isWaived, let problem = inspection.state.problem(of: "plan") {
        throw problem
      }
      self.files = files
      self.expectations = expectations
      withExtendedLifetime(storage) {}
    } catch {
      throw error.inFile(path)
    }
  }

  private static func tree(
    _ line: Slice<UnsafeRawBufferPointer>
  ) throws(ArchiveError) -> JSONTree {
    do throws(ArchiveError) {
      return try JSONTree(json: Array(line))
    } catch {
      throw error.shifted(by: line.startIndex)
    }
  }

  private static func hash(_ name: String, _ tree: JSONTree) -> ContentHash? {
    tree[name]?.string.flatMap { ContentHash(hexadecimal: $0) }
  }

  /// The required states of a file; nil if the plan does not include it.
  func expectation(of file: String) -> Expectation? { expectations[CodePointString(file)] }
}
