// Reads a plan: its files, and what they must be before and after.

import ArchiveBasics
import ArchivePropertyLists
import FileTransactions

/// A plan as `migrate --plan --format json` prints it: one line of JSON per file, after the header.
package struct Plan: Sendable {
  /// The plan's absolute path.
  package let path: String
  /// The first line.
  package let header: PlanHeader
  /// The files that the plan changes, in its order.
  package let files: [String]
  private let expectations: [CodePointString: RewriteDetails.Hashes]

  /// Reads a plan.
  ///
  /// - Parameters:
  ///   - path: the plan.
  ///   - seals: verifies its seals if it is to be applied; nil to only read it.
  /// - Throws: `ArchiveError` that names the plan: it cannot be opened, or a line is invalid or was changed.
  package init(path: String, seals: SealCheck? = nil) throws(ArchiveError) {
    self.path = FolderListing.absolute(path)
    do throws(ArchiveError) {
      let descriptor = retryingInterrupts { unsafe open(path.asPath, O_RDONLY | O_CLOEXEC) }
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
      var expectations: [CodePointString: RewriteDetails.Hashes] = [:]
      for line in lines {
        let tree = try Self.tree(line)
        inspection.look(at: (Array(line) + [newline])[...], isAny: true)
        if tree["outcome"]?.string == "refused" { continue }
        guard let file = tree["file"]?.string, let old = Self.hash("sha256", tree),
          let new = Self.hash("newSha256", tree)
        else {
          throw ArchiveError(
            .malformed, "a line of the plan lacks file, sha256 or newSha256",
            offset: line.startIndex)
        }
        files.append(file)
        expectations[CodePointString(file)] = .init(old: old, new: new)
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

  private static func tree(_ line: Slice<ByteView>) throws(ArchiveError) -> JSONTree {
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
  func expectation(of file: String) -> RewriteDetails.Hashes? {
    expectations[CodePointString(file)]
  }
}

// MARK: - The first line of a plan: who made it, and the arguments to apply it with

/// The header of a plan.
package struct PlanHeader: Sendable {
  /// The version of the format that this program writes, and the only one that it accepts.
  static let version = 1

  /// When it was made, in ISO 8601.
  package let made: String
  /// The working folder.
  package let directory: String
  /// The arguments of the program.
  package let arguments: [String]
  /// The folders of the files; nil in plans of older programs without this member.
  package let roots: [JournalHeader.Root]?
  /// The name of the key that seals the lines; nil if they are not sealed.
  package let key: String?

  /// Makes a header.
  package init(
    made: String = Timestamp.now, directory: String, arguments: [String],
    roots: [JournalHeader.Root], key: String? = nil
  ) {
    self.roots = roots
    self.key = key
    self.made = made
    self.directory = directory
    self.arguments = arguments
  }

  /// The header as a line.
  package var tree: JSONTree {
    .members([
      ("plan", .string("archtool")), ("version", .integer(Self.version)), ("made", .string(made)),
      ("directory", .string(directory)), ("arguments", .list(arguments.map { .string($0) })),
      ("roots", .list((roots ?? []).map(\.tree))),
      ("key", key.map { .string($0) } ?? .null),
    ])
  }

  /// Reads a header.
  ///
  /// - Throws: `ArchiveError` with code `unrecognized`, `unsupported` or `malformed`.
  init(_ tree: JSONTree) throws(ArchiveError) {
    guard tree["plan"]?.string == "archtool" else {
      throw ArchiveError(.unrecognized, "is not an archtool plan")
    }
    guard tree["version"] == .integer(Self.version) else {
      throw ArchiveError(
        .unsupported, "is a plan of a version other than \(Self.version)")
    }
    guard let made = tree["made"]?.string, let directory = tree["directory"]?.string,
      let arguments = tree["arguments"]?.list
    else {
      throw ArchiveError(
        .malformed, "the plan's first line lacks made, directory or arguments")
    }
    key = tree["key"]?.string
    self.made = made
    self.directory = directory
    self.arguments = arguments.compactMap(\.string)
    roots = tree["roots"]?.list?.compactMap { JournalHeader.Root($0) }
  }
}

// MARK: - A line of a plan for people

/// Describes what would be done to a file.
package enum PlanText {
  /// The lines of one file.
  ///
  /// - Parameters:
  ///   - file: its name.
  ///   - summary: `WeatherFeed@v1 to v2`.
  ///   - sizes: how many bytes it has, and would have; nil if it would be refused.
  ///   - migration: the migration; nil for another rewriting.
  package static func lines(
    file: String, summary: String, sizes: (old: Int, new: Int)?, migration: MigrationDetails?
  ) -> [String] {
    var first = "\(file): \(summary)"
    let intermediateVersions = (migration?.versions ?? []).dropFirst().dropLast()
    if !intermediateVersions.isEmpty {
      first += " by way of \(intermediateVersions.joined(separator: ", "))"
    }
    if let sizes { first += ", " + Self.sizes(sizes.old, sizes.new) }
    if let migration { first += quality(migration) }
    if sizes == nil { first += ", refused" }
    let operations = (migration?.path ?? []).flatMap { step in
      let direction = step.direction == .backward ? ", backward" : ""
      return step.operations.map { "  \(step.file.name)#\($0.pointer): \($0.title)\(direction)" }
    }
    return [first] + operations + (migration?.losses ?? []).map { "  loses \($0.wording)" }
  }

  /// The guarantee for the values: that they can be restored, or only that they are the results of the lenses.
  private static func quality(_ migration: MigrationDetails) -> String {
    guard let isLossless = migration.isLossless else { return "" }
    let oneWay = migration.oneWay
    if oneWay.isEmpty { return isLossless ? ", lossless" : ", lossy" }
    let isLossy = migration.losses?.isEmpty == false
    let names = oneWay.joined(separator: ", ")
    return "\(isLossy ? ", lossy" : ""), one way only (no reverse through \(names))"
  }

  /// `375 to 244 bytes`.
  package static func sizes(_ old: Int, _ new: Int) -> String {
    "\(old) to \(new) \(new == 1 ? "byte" : "bytes")"
  }
}
