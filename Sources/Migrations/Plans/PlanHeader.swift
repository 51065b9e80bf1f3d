// The first line of a plan: who made it, and the arguments to apply it with.

import Basics
import FileTransactions
import PropertyLists

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
