// The losses of a migration: what the lenses cannot carry, and what differed when the archive was taken back.

import ArchiveBasics
import ArchiveSchemas
import ArchiveWriting
import Synchronization

/// A loss, or several of one kind and cause.
package struct MigrationLoss: Sendable {
  /// The operation of a lens that cannot carry a value.
  package struct Cause: Sendable {
    /// The lens.
    package let lens: String
    /// The operation's location in the lens.
    package let operation: String
    /// The operation's effect.
    package let title: String
    /// What about the value is lost.
    package let detail: LostValue.Kind
    /// What the first of the values would be restored as, if that shows the loss.
    package let note: String?
  }

  /// The kind.
  package let kind: StoredDifference.Kind
  /// The path of the first of them.
  package let path: GraphPath
  /// What is lost, in words: `the class of $.movie (MovieClass, which becomes NSDictionary)`.
  let phrase: String
  /// The operation of a lens; nil for a loss that the envelope causes.
  package let cause: Cause?
  /// How many there are.
  package fileprivate(set) var count = 1
  /// Whether it is no reason to refuse the archive.
  package let isAllowed: Bool

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

  /// Adds a lost value to others of the same kind and cause, if they are treated alike.
  mutating func add(_ value: LostValue) {
    let kind = value.lossKind
    let isAllowed = policy.allows(kind, at: value.path)
    let key = "\(isAllowed) \(value.lens)#\(value.operation) \(value.kind.rawValue)"
    if let position = known[key] {
      list[position].count += 1
      return
    }
    known[key] = list.count
    list.append(
      MigrationLoss(
        kind: kind, path: value.path, phrase: "\(value.kind.phrase) \(value.path)",
        cause: MigrationLoss.Cause(
          lens: value.lens, operation: value.operation, title: value.title, detail: value.kind,
          note: value.note),
        isAllowed: isAllowed))
  }

  mutating func add(_ difference: StoredDifference) {
    list.append(
      MigrationLoss(
        kind: difference.kind, path: difference.path,
        phrase: "\(difference.kind.phrase) \(difference.path) (\(difference.text))", cause: nil,
        count: difference.count,
        isAllowed: policy.allows(difference.kind, at: difference.path)))
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
    refusedAt location: GraphPath? = nil
  ) {
    self.init(
      family: task.family.name, source: task.source.name, target: task.target.name)
    self.path = task.path
    self.losses = losses?.list
    orphanedCount = orphaned
    refusedAt = location
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

// MARK: - What a migration does with what it cannot carry, by kind of loss

/// The treatment of what a migration loses.
///
/// Classes, storage and mutability, which other envelopes cannot hold, are lost and reported unless the policy is strict
/// or the envelope stays the same. Any other loss is a refusal, unless it is allowed or kept.
package struct LossPolicy: Sendable {
  /// Where lost values are kept for the way back.
  package enum Keeping: String, Sendable {
    /// Nowhere.
    case none
    /// In the file `FILE.lost.json` beside the archive.
    case beside
    /// In the model's member `x-lost`.
    case inside
  }

  /// A loss that the user allows.
  package struct Allowance: Sendable {
    let kind: StoredDifference.Kind?
    let path: DataPath?

    /// Allows losses of a kind, nil for any, at a path and below it, nil for everywhere.
    package init(kind: StoredDifference.Kind? = nil, path: DataPath? = nil) {
      (self.kind, self.path) = (kind, path)
    }

    /// What allows every kind of loss.
    private static let all = "all"
    /// The names of the kinds, that of all kinds first.
    package static let words = [all] + StoredDifference.Kind.allCases.map(\.rawValue)

    /// Reads `KIND` or `KIND:PATH`; `all` is every kind.
    ///
    /// - Throws: `ArchiveError` with code `malformed` for another kind or an invalid path.
    package init(parsing text: String) throws(ArchiveError) {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard let word = parts.first.map(String.init), Self.words.contains(word) else {
        throw ArchiveError(
          .malformed,
          "'\(parts.first ?? "")' is not a kind of loss (\(Self.words.joined(separator: ", ")))")
      }
      kind = StoredDifference.Kind(rawValue: word)
      path = parts.count == 2 ? try DataPath(parsing: String(parts[1])) : nil
    }
  }

  /// What is allowed.
  package var allowances: [Allowance]
  /// Where losses are kept.
  package var keeping: Keeping
  /// Whether classes, storage and mutability are refused as all else is.
  package var isStrict: Bool

  /// Makes a policy.
  package init(
    allowing allowances: [Allowance] = [], keeping: Keeping = .none, isStrict: Bool = false
  ) {
    (self.allowances, self.keeping, self.isStrict) = (allowances, keeping, isStrict)
  }

  /// Everything is lost without a question.
  package static let allowAll = LossPolicy(allowing: [Allowance()])

  /// Whether what is allowed depends on the path.
  var hasPaths: Bool { allowances.contains { $0.path != nil } }

  /// Whether any loss is allowed wherever it is.
  var allowsAll: Bool { allowances.contains { $0.kind == nil && $0.path == nil } }

  /// The policy between two versions with the same envelope, which can hold everything.
  var withinEnvelope: LossPolicy {
    var policy = self
    policy.isStrict = true
    return policy
  }

  /// Whether a loss is not a reason to refuse an archive.
  func allows(_ kind: StoredDifference.Kind, at path: GraphPath) -> Bool {
    if !isStrict, kind.isEnvelopes { return true }
    return allowances.contains {
      ($0.kind == nil || $0.kind == kind) && $0.path?.leads(to: path) != false
    }
  }
}

extension StoredDifference.Kind {
  /// Whether envelopes without objects cannot hold it, so that who asks for such an envelope has asked for the loss.
  var isEnvelopes: Bool { self == .class || self == .storage || self == .mutability }
}

// MARK: - Errors that are refusals

extension ArchiveError {
  /// Why a decoded archive is refused; nil for an error that does not concern its values.
  var refusal: String? {
    guard isRefusal || file == nil && code == .cycle else { return nil }
    return message + (path.map { " (at \($0))" } ?? "")
  }
}
