// The losses of a migration: what the lenses cannot carry, and what differed when the archive was taken back.

import Basics
import KeyedArchives
import ObjectGraph
import Schemas
import Synchronization

/// A loss, or several of one kind and cause.
public struct MigrationLoss: Sendable {
  /// The operation of a lens that cannot carry a value.
  public struct Cause: Sendable {
    /// The lens.
    public let lens: String
    /// The operation's location in the lens.
    public let operation: String
    /// The operation's effect.
    public let title: String
    /// What about the value is lost.
    public let detail: LostValue.Kind
    /// What the first of the values would be restored as, if that shows the loss.
    public let note: String?
  }

  /// The kind.
  public let kind: StoredDifference.Kind
  /// The path of the first of them.
  public let path: GraphPath
  /// What is lost, in words: `the class of $.movie (MovieClass, which becomes NSDictionary)`.
  let phrase: String
  /// The operation of a lens; nil for a loss that the envelope causes.
  public let cause: Cause?
  /// How many there are.
  public fileprivate(set) var count = 1
  /// Whether it is no reason to refuse the archive.
  public let isAllowed: Bool

  /// What is lost, for a line of a report.
  package var wording: String {
    let more = count > 1 ? " and \(Counted.number(count - 1)) more" : ""
    guard let cause else { return phrase + more }
    let remark = cause.note.map { ", \($0)" } ?? ""
    return "\(phrase)\(more) (\(cause.lens)#\(cause.operation), \(cause.title)\(remark))"
  }
}

/// The losses of one archive.
struct Losses {
  private(set) var list: [MigrationLoss] = []
  private let policy: LossPolicy
  private var known: [String: Int] = [:]

  init(_ policy: LossPolicy, lost values: [LostValue]) {
    self.policy = policy
    for value in values { add(value) }
  }

  /// Whether nothing is lost.
  var isEmpty: Bool { list.isEmpty }

  /// Whether something is lost that is not a value that a lens keeps.
  var concernsStructure: Bool { list.contains { $0.cause == nil } }

  /// The losses for which the archive is refused, unless they are kept.
  var refused: [MigrationLoss] { list.filter { !$0.isAllowed } }

  mutating func add(_ value: LostValue) {
    let kind = value.lossKind
    count(
      MigrationLoss(
        kind: kind, path: value.path, phrase: "\(value.kind.phrase) \(value.path)",
        cause: MigrationLoss.Cause(
          lens: value.lens, operation: value.operation, title: value.title, detail: value.kind,
          note: value.note),
        isAllowed: policy.allows(kind, at: value.path)),
      as: "\(value.lens)#\(value.operation) \(value.kind.rawValue)")
  }

  mutating func add(_ difference: StoredDifference) {
    list.append(
      MigrationLoss(
        kind: difference.kind, path: difference.path,
        phrase: "\(difference.kind.phrase) \(difference.path) (\(difference.text))", cause: nil,
        count: difference.count,
        isAllowed: policy.allows(difference.kind, at: difference.path)))
  }

  /// Adds a loss to others of the same kind and cause, if they are treated alike.
  private mutating func count(_ loss: MigrationLoss, as key: String) {
    let key = "\(loss.isAllowed) \(key)"
    if let position = known[key] {
      list[position].count += 1
    } else {
      known[key] = list.count
      list.append(loss)
    }
  }

  /// Some losses in one line.
  static func summary(_ losses: [MigrationLoss]) -> String {
    let named = losses.prefix(3).map(\.wording).joined(separator: "; ")
    return losses.count > 3 ? "\(named); and \(losses.count - 3) more" : named
  }

  /// Why an archive that would lose values is refused.
  var refusal: String {
    let kinds = Set(refused.map(\.kind))
    let names = StoredDifference.Kind.allCases.filter(kinds.contains).map {
      "--allow-loss \($0.rawValue)"
    }
    return
      "would lose \(Self.summary(refused)) (use \(names.joined(separator: " ")), or --keep-lost to save them)"
  }
}

extension MigrationDetails {
  /// The migration on a path; losses are nil if they are unknown.
  init(
    _ task: MigrationTask, losses: Losses? = nil, orphaned: Int = 0,
    refusedAt path: GraphPath? = nil
  ) {
    self.init(
      family: task.family.name, source: task.source.name, target: task.target.name)
    route = Route(
      versions: [task.source.name] + task.way.map(\.target),
      operations: task.way.flatMap { step in
        step.operations.map { operation in
          Operation(
            lens: step.file.name, direction: step.direction, pointer: operation.pointer,
            title: operation.title)
        }
      }, oneWay: task.oneWay)
    self.losses = losses?.list
    orphanedCount = orphaned
    refusedAt = path
  }
}

extension StoredDifference.Kind {
  /// The kind of the loss, as the text before its path.
  fileprivate var phrase: String {
    switch self {
    case .value: "the value of"
    case .absence: "what is nil or absent at"
    case .sharing: "the sharing of"
    case .key: "the class of the key of"
    case .class: "the class of"
    case .storage: "the storage of"
    case .mutability: "the mutability of"
    }
  }
}

extension LostValue.Kind {
  /// The kind of the loss, as the text before its path.
  fileprivate var phrase: String {
    switch self {
    case .value: "the value"
    case .absent: "the absence of"
    case .empty: "the empty object"
    case .rest: "what follows the first element of"
    case .structure: "the classes and the storage of"
    case .notation: "the notation of"
    case .others: "the other members of"
    case .order: "the order of"
    case .storage: "the storage of"
    }
  }

  /// Its kind in the table of losses.
  var lossKind: StoredDifference.Kind {
    switch self {
    case .absent, .empty: .absence
    case .storage: .storage
    case .value, .rest, .structure, .notation, .others, .order: .value
    }
  }
}

// MARK: - What the archives of a run lose because their new envelope cannot hold it

/// Gathers from all threads of a run the classes, storage and mutability that its archives lose.
package final class LossTally: Sendable {
  private struct State {
    var archiveCount = 0
    var counts: [StoredDifference.Kind: Int] = [:]
  }

  private let state = Mutex(State())

  /// Makes a tally of nothing.
  package init() {}

  /// Adds the losses of an archive.
  func add(_ losses: [MigrationLoss]) {
    let losses = losses.filter(\.kind.isEnvelopes)
    if losses.isEmpty { return }
    state.withLock { state in
      state.archiveCount += 1
      for loss in losses { state.counts[loss.kind, default: 0] += loss.count }
    }
  }

  /// What was lost, in a line; nil if nothing was.
  package var text: String? {
    state.withLock { state in
      guard state.archiveCount > 0 else { return nil }
      let kinds = StoredDifference.Kind.allCases.compactMap { kind in
        state.counts[kind].map { "\(kind.rawValue) \(Counted.number($0))" }
      }
      let archives = Counted.text(state.archiveCount, "archive")
      return "\(archives) cannot hold what the old one did (\(kinds.joined(separator: ", "))); "
        + "--keep-lost keeps it for the way back, --strict refuses"
    }
  }
}
