// The lines of a journal after the first.

import Basics
import PropertyLists

/// The intended changes of an item.
package struct IntentRecord: Sendable {
  /// The file that the item is named for.
  package let place: FileLocation
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
  /// The item of a file was replaced.
  case done(file: String)
  /// The item of a file could not be replaced; nothing of it was.
  case failed(file: String, reason: String)
  /// A file needed no change.
  case unchanged(file: String, reason: String)
  /// A file was refused.
  case refused(file: String, reason: String)
  /// The item of a file was taken back.
  case undone(file: String)
  /// The run was resumed after an interruption.
  case resumed(at: String)
  /// The run came to its end, with these counts.
  case end(at: String, counts: [(name: String, count: Int)])

  /// The event as its line.
  var tree: JSONTree {
    switch self {
    case .input(let file): Self.line("input", file)
    case .intent(let intent):
      .members([
        ("event", .string("intent")), ("file", .string(intent.place.path)),
        ("root", .string(intent.place.root)), ("changes", .list(intent.changes.map(\.tree))),
        ("facts", .members(intent.facts.map { ($0.name, $0.value) })),
      ])
    case .done(let file): Self.line("done", file)
    case .failed(let file, let reason): Self.line("failed", file, reason)
    case .unchanged(let file, let reason): Self.line("unchanged", file, reason)
    case .refused(let file, let reason): Self.line("refused", file, reason)
    case .undone(let file): Self.line("undone", file)
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
    case "done": return .done(file: file)
    case "failed": return .failed(file: file, reason: try text("reason", of: tree))
    case "unchanged": return .unchanged(file: file, reason: try text("reason", of: tree))
    case "refused": return .refused(file: file, reason: try text("reason", of: tree))
    case "undone": return .undone(file: file)
    default:
      throw ArchiveError(.malformed, "the journal has the event '\(event)', which is not known")
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
    place = try ChangeRecord.place(try JournalEvent.text("file", of: tree), below: root)
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
