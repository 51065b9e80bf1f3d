// The first line of a journal: which run it is of.

import Basics
import PropertyLists

/// The run as its journal describes it.
package struct JournalHeader: Sendable {
  /// A folder that the run may leave temporary files in.
  package struct Root: Sendable {
    /// The absolute path.
    package let path: String
    /// Whether the folders below it are meant, too.
    package let isRecursive: Bool

    /// Makes a root.
    package init(path: String, isRecursive: Bool) {
      self.path = path
      self.isRecursive = isRecursive
    }

    /// Reads a root; nil if it is malformed.
    package init?(_ tree: JSONTree) {
      guard let path = tree["path"]?.string else { return nil }
      self.init(path: path, isRecursive: tree["recursive"]?.boolean ?? false)
    }

    /// The root as a member.
    package var tree: JSONTree {
      .members([("path", .string(path)), ("recursive", .boolean(isRecursive))])
    }
  }

  /// The version of the format that this program writes, and the only one that it reads.
  static let version = 1

  /// The run.
  package let run: RunIdentifier
  /// When it began, in ISO 8601; older journals have no fraction of the second.
  package let started: String
  /// When it began, to the second, for people.
  package var startedSecond: String {
    guard let point = started.firstIndex(of: "."), started.hasSuffix("Z") else { return started }
    return started[..<point] + "Z"
  }
  /// The working folder.
  package let directory: String
  /// The arguments of the program.
  package let arguments: [String]
  /// The folder of the backups; nil without backups.
  package let backups: String?
  /// The folders of the files, so that a recovery finds temporary files of a killed run.
  package let roots: [Root]
  /// The name of the key that seals the lines; nil if they are not sealed.
  package internal(set) var key: String?
  /// The number of paths from lists: as many lines `input` precede the first replacement in the journal.
  package let inputs: Int
  /// The options of the run, for resuming it.
  package var options: [(name: String, value: JSONTree)] {
    inputs > 0 ? [(Self.inputsName, .integer(inputs))] : []
  }
  private static let inputsName = "inputs"

  /// Makes a header.
  package init(
    run: RunIdentifier, started: String = Timestamp.exactNow, directory: String,
    arguments: [String],
    backups: String?, roots: [Root], inputs: Int = 0
  ) {
    self.run = run
    self.started = started
    self.directory = directory
    self.arguments = arguments
    self.backups = backups
    self.roots = roots
    self.inputs = inputs
  }

  /// Whether a file begins as a journal does.
  package static func begins(_ storage: ByteStorage) -> Bool {
    storage.bytes.starts(with: #"{"journal":"archtool","version":"#.utf8)
  }

  /// The header as its line.
  var tree: JSONTree {
    .members([
      ("journal", .string("archtool")), ("version", .integer(Self.version)),
      ("run", .string(run.description)), ("started", .string(started)),
      ("directory", .string(directory)), ("arguments", .list(arguments.map { .string($0) })),
      ("backups", backups.map { .string($0) } ?? .null),
      ("roots", .list(roots.map(\.tree))),
      ("options", .members(options.map { ($0.name, $0.value) })),
      ("key", key.map { .string($0) } ?? .null),
    ])
  }

  /// Reads a header.
  ///
  /// - Throws: `ArchiveError` with code `unrecognized`, `unsupported` or `malformed`.
  init(_ tree: JSONTree) throws(ArchiveError) {
    guard tree["journal"]?.string == "archtool" else {
      throw ArchiveError(.unrecognized, "is not an archtool journal")
    }
    guard tree["version"] == .integer(Self.version) else {
      throw ArchiveError(
        .unsupported, "is a journal of a version other than \(Self.version)")
    }
    guard let run = tree["run"]?.string.flatMap({ RunIdentifier($0) }),
      let started = tree["started"]?.string, let directory = tree["directory"]?.string,
      let arguments = tree["arguments"]?.list, let roots = tree["roots"]?.list
    else {
      throw ArchiveError(
        .malformed, "the journal's first line lacks run, started, directory, arguments or roots")
    }
    self.run = run
    self.started = started
    self.directory = directory
    self.arguments = arguments.compactMap(\.string)
    backups = tree["backups"]?.string
    self.roots = roots.compactMap { Root($0) }
    key = tree["key"]?.string
    if case .integer(let count)? = tree["options"]?[Self.inputsName] {
      inputs = count
    } else {
      inputs = 0
    }
  }
}
