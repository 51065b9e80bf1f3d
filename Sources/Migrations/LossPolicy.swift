// What a migration does with what it cannot carry, by kind of loss.

import Basics
import KeyedArchives

/// The treatment of what a migration loses.
///
/// Classes, storage and mutability, which other envelopes cannot hold, are lost and reported unless the policy is strict
/// or the envelope stays the same. Any other loss is a refusal, unless it is allowed or kept.
public struct LossPolicy: Sendable {
  /// Where lost values are kept for the way back.
  public enum Keeping: String, Sendable {
    /// Nowhere.
    case none
    /// In the file `FILE.lost.json` beside the archive.
    case beside
    /// In the model's member `x-lost`.
    case inside
  }

  /// A loss that the user allows.
  public struct Allowance: Sendable {
    let kind: StoredDifference.Kind?
    let path: DataPath?

    /// Allows losses of a kind, nil for any, at a path and below it, nil for everywhere.
    public init(kind: StoredDifference.Kind? = nil, path: DataPath? = nil) {
      (self.kind, self.path) = (kind, path)
    }

    /// What allows every kind of loss.
    private static let all = "all"
    /// The names of the kinds, that of all kinds first.
    public static let words = [all] + StoredDifference.Kind.allCases.map(\.rawValue)

    /// Reads `KIND` or `KIND:PATH`; `all` is every kind.
    ///
    /// - Throws: `ArchiveError` with code `malformed` for another kind or an invalid path.
    public init(parsing text: String) throws(ArchiveError) {
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
  public var allowances: [Allowance]
  /// Where losses are kept.
  public var keeping: Keeping
  /// Whether classes, storage and mutability are refused as all else is.
  public var isStrict: Bool

  /// Makes a policy.
  public init(
    allowing allowances: [Allowance] = [], keeping: Keeping = .none, isStrict: Bool = false
  ) {
    (self.allowances, self.keeping, self.isStrict) = (allowances, keeping, isStrict)
  }

  /// What nobody has asked for is refused.
  public static let standard = LossPolicy()
  /// Losses are kept beside the archive.
  public static let keepBeside = LossPolicy(keeping: .beside)
  /// Losses are kept inside the archive.
  public static let keepInside = LossPolicy(keeping: .inside)
  /// Everything is lost without a question.
  public static let allowAll = LossPolicy(allowing: [Allowance()])

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
