// The lines of a journal after the first.

import ArchiveBasics
import ArchivePropertyLists

/// The intended changes of an item.
package struct IntentRecord: Sendable {
  /// The file that the item is named for.
  package let location: FileLocation
  let changes: [ChangeRecord]
  /// The run's details about the item.
  package let facts: [(name: String, value: JSONTree)]
}

/// One line of a journal.
package enum JournalEvent: Sendable {
  /// A path that came from a list.
  case input(String)
  /// An item will be replaced.
  case intent(IntentRecord)
  /// A file came to a state, perhaps for a reason.
  case settled(JournalContents.State, file: String, reason: String? = nil)
  /// The run was resumed after an interruption.
  case resumed(at: String)
  /// The run came to its end, with these counts.
  case end(at: String, counts: [(name: String, count: Int)])

  var tree: JSONTree {
    switch self {
    case .input(let file): Self.line("input", file)
    case .intent(let intent):
      .members([
        ("event", .string("intent")), ("file", .string(intent.location.path)),
        ("root", .string(intent.location.root)), ("changes", .list(intent.changes.map(\.tree))),
        ("facts", .members(intent.facts.map { ($0.name, $0.value) })),
      ])
    case .settled(let state, let file, let reason): Self.line(state.rawValue, file, reason)
    case .resumed(let moment):
      .members([("event", .string("resumed")), ("at", .string(moment))])
    case .end(let moment, let counts):
      .members([
        ("event", .string("end")), ("at", .string(moment)),
        ("counts", .members(counts.map { ($0.name, .integer($0.count)) })),
      ])
    }
  }

  private static func line(_ event: String, _ file: String, _ reason: String? = nil) -> JSONTree {
    var members: [(String, JSONTree)] = [("event", .string(event)), ("file", .string(file))]
    if let reason { members.append(("reason", .string(reason))) }
    return .members(members)
  }

  /// Reads a line.
  ///
  /// - Throws: `ArchiveError` with code `malformed`.
  init(_ tree: JSONTree) throws(ArchiveError) {
    guard let event = tree["event"]?.string else {
      throw ArchiveError(.malformed, "a line of the journal has no event")
    }
    switch event {
    case "resumed": self = .resumed(at: try Self.text("at", of: tree))
    case "end":
      var counts: [(name: String, count: Int)] = []
      for case (let name, .integer(let count)) in tree["counts"]?.members ?? [] {
        counts.append((name, count))
      }
      self = .end(at: try Self.text("at", of: tree), counts: counts)
    default: self = try Self.ofFile(event, try Self.text("file", of: tree), tree)
    }
  }

  private static func ofFile(
    _ event: String, _ file: String, _ tree: JSONTree
  ) throws(ArchiveError) -> JournalEvent {
    switch event {
    case "input": return .input(file)
    case "intent": return .intent(try IntentRecord(tree))
    default:
      guard let state = JournalContents.State(rawValue: event), state != .unfinished else {
        throw ArchiveError(.malformed, "the journal has the event '\(event)', which is not known")
      }
      let hasReason = state != .done && state != .undone
      return .settled(state, file: file, reason: hasReason ? try text("reason", of: tree) : nil)
    }
  }

  fileprivate static func text(_ name: String, of tree: JSONTree) throws(ArchiveError) -> String {
    guard let text = tree[name]?.string else {
      throw ArchiveError(.malformed, "a line of the journal lacks '\(name)'")
    }
    return text
  }
}

extension IntentRecord {
  /// Reads an intent.
  ///
  /// - Throws: `ArchiveError` with code `malformed`.
  init(_ tree: JSONTree) throws(ArchiveError) {
    let root = try JournalEvent.text("root", of: tree)
    location = try ChangeRecord.location(try JournalEvent.text("file", of: tree), below: root)
    var changes: [ChangeRecord] = []
    for change in tree["changes"]?.list ?? [] {
      changes.append(try ChangeRecord(change, below: root))
    }
    guard !changes.isEmpty else {
      throw ArchiveError(.malformed, "an intent of the journal has no changes")
    }
    self.changes = changes
    facts = (tree["facts"]?.members ?? []).map { ($0.0, $0.1) }
  }
}

// MARK: - The first line of a journal: which run it is of

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

  static let beginning = Array(#"{"journal":"archtool","version":"#.utf8)

  /// Whether a file begins as a journal does.
  package static func begins(_ storage: ByteStorage) -> Bool {
    storage.bytes.starts(with: beginning)
  }

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

// MARK: - A change as a journal has it: enough to see whether it happened, and to take it back

struct ChangeRecord: Sendable {
  struct Old: Sendable {
    let hash: ContentHash
    let size: Int
    let metadata: FileMetadata
  }

  struct New: Sendable {
    /// Nil in a run without a journal: nothing will be compared with it.
    let hash: ContentHash?
    let size: Int
  }

  let location: FileLocation
  /// The temporary name of the new bytes.
  let temporary: String?
  /// The file before; nil if it did not exist.
  let old: Old?
  /// The file after; nil if it is deleted.
  let new: New?

  /// Creations come first and deletions last.
  var rank: Int { new == nil ? 2 : old == nil ? 0 : 1 }
}

extension ChangeRecord {
  var tree: JSONTree {
    var old = JSONTree.null
    if let known = self.old {
      old = .members(Self.members(known.hash, known.size) + known.metadata.members)
    }
    return .members([
      ("path", .string(location.path)), ("temporary", temporary.map { .string($0) } ?? .null),
      ("old", old), ("new", new.map { .members(Self.members($0.hash, $0.size)) } ?? .null),
    ])
  }

  private static func members(_ hash: ContentHash?, _ size: Int) -> [(String, JSONTree)] {
    [("sha256", hash.map { .string($0.description) } ?? .null), ("size", .integer(size))]
  }

  /// Reads a record.
  ///
  /// - Throws: `ArchiveError` with code `malformed`.
  init(_ tree: JSONTree, below root: String) throws(ArchiveError) {
    guard let path = tree["path"]?.string, let old = tree["old"], let new = tree["new"],
      let temporary = tree["temporary"]
    else {
      throw ArchiveError(.malformed, "a change lacks path, temporary, old or new")
    }
    location = try Self.location(path, below: root)
    self.temporary = temporary.string
    if old == .null {
      self.old = nil
    } else {
      guard let (hash, size) = Self.content(old), let metadata = FileMetadata(old) else {
        throw ArchiveError(.malformed, "the description of the old file is invalid")
      }
      self.old = Old(hash: hash, size: size, metadata: metadata)
    }
    if new == .null {
      self.new = nil
    } else {
      guard let (hash, size) = Self.content(new) else {
        throw ArchiveError(.malformed, "the description of the new file is invalid")
      }
      self.new = New(hash: hash, size: size)
    }
  }

  private static func content(_ tree: JSONTree) -> (ContentHash, Int)? {
    guard let hash = tree["sha256"]?.string.flatMap({ ContentHash(hexadecimal: $0) }),
      case .integer(let size)? = tree["size"], size >= 0
    else { return nil }
    return (hash, size)
  }

  static func location(_ path: String, below root: String) throws(ArchiveError) -> FileLocation {
    // Bytes, not characters: a combining mark may follow a slash.
    let prefix = Array((root == "/" ? "/" : root + "/").utf8)
    guard path.utf8.starts(with: prefix) else {
      throw ArchiveError(.malformed, "the path \(path) is not below \(root)")
    }
    return try FileLocation(
      root: root, relativePath: String(decoding: path.utf8.dropFirst(prefix.count), as: UTF8.self))
  }

  // MARK: On the disk

  /// The current file.
  enum Standing: Sendable {
    /// The file before the change.
    case old
    /// The file after the change.
    case new
    /// Anything else.
    case other
  }

  /// The bytes of the current file; nil if there is no file.
  ///
  /// - Throws: `ArchiveError` if the folder or the file cannot be looked at.
  func content(in folder: FolderHandle) throws(ArchiveError) -> ContentHash? {
    guard let file = try folder.file(location.name) else { return nil }
    return try ContentHash(of: try file.contents())
  }

  /// Which state the found bytes belong to.
  func standing(of hash: ContentHash?) -> Standing {
    guard let hash else { return new == nil ? .new : old == nil ? .old : .other }
    if hash == new?.hash { return .new }
    return hash == old?.hash ? .old : .other
  }
}
