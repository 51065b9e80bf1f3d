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
  /// What makes it no reason to refuse the archive; nil if it is one.
  package let allowedBy: LossPolicy.Authority?
  /// Whether it is no reason to refuse the archive.
  package var isAllowed: Bool { allowedBy != nil }

  /// What is lost, for a line of a report.
  package var wording: String {
    let more = count > 1 ? " and \(Counted.number(count - 1)) more" : ""
    let permission = allowedBy == .family ? ", allowed by the family" : ""
    guard let cause else { return phrase + more + permission }
    let remark = cause.note.map { ", \($0)" } ?? ""
    let operation = "\(cause.lens)#\(cause.operation), \(cause.title)\(remark)"
    return "\(phrase)\(more) (\(operation))\(permission)"
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

  var isEmpty: Bool { list.isEmpty }

  /// Whether something is lost that is not a value that a lens keeps.
  var concernsStructure: Bool { list.contains { $0.cause == nil } }

  /// The losses for which the archive is refused, unless they are kept.
  var refused: [MigrationLoss] { list.filter { !$0.isAllowed } }

  /// Adds a lost value to others of the same kind and cause, if they are treated alike.
  mutating func add(_ value: LostValue) {
    let kind = value.lossKind
    let isAllowedInside = value.archiveLoss?.isAllowed == true
    let authority =
      policy.authority(for: kind, at: value.path) ?? (isAllowedInside ? .family : nil)
    let key = "\(authority?.rawValue ?? "") \(value.lens)#\(value.operation) \(value.kind.rawValue)"
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
        allowedBy: authority))
  }

  mutating func add(_ difference: StoredDifference) {
    list.append(
      MigrationLoss(
        kind: difference.kind, path: difference.path,
        phrase: "\(difference.kind.phrase) \(difference.path) (\(difference.text))", cause: nil,
        count: difference.count,
        allowedBy: policy.authority(for: difference.kind, at: difference.path)))
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
  /// The text before the path of what is lost, and its kind in the table of losses.
  private var meaning: (phrase: String, kind: StoredDifference.Kind) {
    switch self {
    case .value: ("the value", .value)
    case .absent: ("the absence of", .absence)
    case .empty: ("the empty object", .absence)
    case .rest: ("what follows the first element of", .value)
    case .structure: ("the classes and the storage of", .value)
    case .notation: ("the notation of", .value)
    case .others: ("the other members of", .value)
    case .order: ("the order of", .value)
    case .storage: ("the storage of", .storage)
    }
  }

  fileprivate var phrase: String { meaning.phrase }
  var lossKind: StoredDifference.Kind { meaning.kind }
}

// MARK: - What the archives of a run lose because their new envelope cannot hold it

/// Gathers from all threads of a run what its archives lose although no option names it: classes, storage and mutability,
/// and what their families allow or keep.
package final class LossTally: Sendable {
  private struct State {
    var archiveCount = 0
    var counts: [StoredDifference.Kind: Int] = [:]

    mutating func add(_ losses: [MigrationLoss]) {
      if losses.isEmpty { return }
      archiveCount += 1
      for loss in losses { counts[loss.kind, default: 0] += loss.count }
    }

    /// The archives, and the kinds in parentheses; nil without archives.
    var words: (archives: String, kinds: String)? {
      guard archiveCount > 0 else { return nil }
      let kinds = StoredDifference.Kind.allCases.compactMap { kind in
        counts[kind].map { "\(kind.rawValue) \(Counted.number($0))" }
      }
      return (Counted.text(archiveCount, "archive"), kinds.joined(separator: ", "))
    }
  }

  private let states = Mutex((ofEnvelopes: State(), allowed: State(), kept: State()))

  /// Makes a tally of nothing.
  package init() {}

  /// Adds the losses of an archive.
  ///
  /// - Parameter isKept: whether its family keeps them.
  func add(_ losses: [MigrationLoss], isKept: Bool) {
    states.withLock { states in
      if isKept { return states.kept.add(losses) }
      states.allowed.add(losses.filter { $0.allowedBy == .family })
      states.ofEnvelopes.add(losses.filter { $0.kind.isEnvelopes && $0.allowedBy != .family })
    }
  }

  /// What was lost, in lines.
  package var lines: [String] {
    let states = states.withLock { $0 }
    let lines = [
      states.ofEnvelopes.words.map {
        "\($0.archives) cannot hold what the old one did (\($0.kinds)); "
          + "--keep-lost keeps it for the way back, --strict refuses"
      },
      states.allowed.words.map { "\($0.archives) lost what the family allows (\($0.kinds))" },
      states.kept.words.map {
        "what \($0.archives) lost is kept, as the family says (\($0.kinds))"
      },
    ]
    return lines.compactMap { $0 }
  }
}

// MARK: - What a migration does with what it cannot carry, by kind of loss

/// The treatment of what a migration loses.
///
/// Classes, storage and mutability, which other envelopes cannot hold, are lost and reported unless the policy is strict
/// or the envelope stays the same. Any other loss is a refusal, unless it is allowed or kept.
package struct LossPolicy: Sendable {
  /// A loss that is allowed.
  package typealias Allowance = FamilyLosses.Allowance

  /// What allows a loss.
  package enum Authority: String, Sendable {
    /// The new envelope, for which the user asked.
    case envelope
    /// An option.
    case option
    /// The family.
    case family
  }

  /// What is allowed.
  package var allowances: [Allowance]
  /// What the family of the archive allows as well.
  private(set) var familyAllowances: [Allowance] = []
  /// Whether the family says where losses are kept, and not the user.
  private(set) var isKeptByFamily = false
  /// Where losses are kept; nil for nowhere.
  package var keeping: FamilyLosses.Keeping?
  /// Whether classes, storage and mutability are refused as all else is.
  package var isStrict: Bool

  /// Makes a policy.
  package init(
    allowing allowances: [Allowance] = [], keeping: FamilyLosses.Keeping? = nil,
    isStrict: Bool = false
  ) {
    (self.allowances, self.keeping, self.isStrict) = (allowances, keeping, isStrict)
  }

  /// Everything is lost without a question.
  package static let allowAll = LossPolicy(allowing: [Allowance()])

  /// Whether what is allowed depends on the path.
  var hasPaths: Bool { (allowances + familyAllowances).contains { $0.path != nil } }

  /// Whether any loss is allowed wherever it is.
  var allowsAll: Bool { allowances.contains { $0.kind == nil && $0.path == nil } }

  /// The policy between two versions with the same envelope, which can hold everything.
  var withinEnvelope: LossPolicy {
    var policy = self
    policy.isStrict = true
    return policy
  }

  /// What makes a loss no reason to refuse an archive; nil if it is one.
  func authority(for kind: StoredDifference.Kind, at path: GraphPath) -> Authority? {
    if !isStrict, kind.isEnvelopes { return .envelope }
    if allowances.contains(where: { $0.covers(kind, at: path) }) { return .option }
    return familyAllowances.contains { $0.covers(kind, at: path) } ? .family : nil
  }

  /// Whether a loss is not a reason to refuse an archive.
  func allows(_ kind: StoredDifference.Kind, at path: GraphPath) -> Bool {
    authority(for: kind, at: path) != nil
  }
}

extension FamilyLosses.Allowance {
  func covers(_ kind: StoredDifference.Kind, at path: GraphPath) -> Bool {
    (self.kind == nil || self.kind == kind) && self.path?.leads(to: path) != false
  }

  /// Reads `KIND` or `KIND:PATH`; `all` is every kind.
  ///
  /// - Throws: `ArchiveError` with code `malformed` for another kind or an invalid path.
  package init(parsing text: String) throws(ArchiveError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let words = FamilyLosses.words
    guard let word = parts.first.map(String.init), words.contains(word) else {
      throw ArchiveError(
        .malformed,
        "'\(parts.first ?? "")' is not a kind of loss (\(words.joined(separator: ", ")))")
    }
    self.init(
      kind: StoredDifference.Kind(rawValue: word),
      path: parts.count == 2 ? try DataPath(parsing: String(parts[1])) : nil)
  }
}

// MARK: - What the family says where no option does

extension LossPolicy {
  /// Which rules of a family count.
  package enum FamilyUse: Sendable {
    /// All.
    case all
    /// What it allows: the check of its lenses keeps nothing.
    case allowances
    /// None: the way back of a verification loses nothing.
    case none
  }

  /// The policy for archives of a family: options count first.
  func joined(with rules: FamilyLosses.Rules?, _ use: FamilyUse) -> LossPolicy {
    guard let rules, use != .none else { return self }
    var policy = self
    policy.familyAllowances = rules.allowances
    guard use == .all, keeping == nil else { return policy }
    if rules.keeping != nil, !isStrict, allowances.isEmpty {
      (policy.keeping, policy.isKeptByFamily) = (rules.keeping, true)
    }
    policy.isStrict = isStrict || rules.isStrict
    return policy
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
