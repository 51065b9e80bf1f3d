// Finds the version and the family of an archive, and the reason.

import ArchiveGraph
import ArchiveWriting
import KeyedArchives
import Synchronization

/// The detected version of an archive.
package struct Detection {
  /// The version, and how well the archive matches it.
  package let candidate: Candidate
  /// The model in the archive.
  package let model: UnwrappedModel

  /// The version.
  package var version: SchemaVersion { candidate.version }
  /// Its family.
  package var family: SchemaFamily { candidate.family }
}

extension SchemaCatalog {
  /// Finds the version whose envelope an archive has, and most of whose required members its model has.
  ///
  /// - Parameters:
  ///   - model: a model whose envelope was removed.
  ///   - only: the only family to try; nil for all.
  /// - Returns: nil if no version has the envelope and enough of all members (a third; for built-in families more, and
  ///   others than names that anyone's model may have). If a family is specified, the nearest version, whatever it shares.
  package func detect(
    _ model: UnwrappedModel, in graph: ObjectGraph, family only: SchemaFamily? = nil
  ) -> Detection? {
    // If versions differ in the rules for their members, not in the set of members, choose the one that fits.
    let equals = equals(for: model, in: graph, family: only)
    let fitting = equals.count == 1 ? nil : equals.first { Self.fits($0, model, graph) }
    guard let candidate = fitting ?? Self.nearest(equals) else { return nil }
    return Detection(candidate: candidate, model: candidate.version.model(model, in: graph))
  }

  /// The likely versions that share the most with a model.
  private func equals(
    for model: UnwrappedModel, in graph: ObjectGraph, family only: SchemaFamily?
  ) -> [Candidate] {
    let subject = Subject(model, in: graph, families(only))
    if subject.errorPayloads.isEmpty {
      let key = DetectionMemo.Key(
        members: subject.members, envelope: model.envelope, className: model.className,
        topKey: model.topKey, family: only?.name)
      return memo.nearest(key) { equals(subject, family: only) }
    }
    return equals(subject, family: only)
  }

  private func equals(_ subject: Subject, family only: SchemaFamily?) -> [Candidate] {
    let candidates = candidates(for: subject, families(only), whatever: false).filter { candidate in
      // The class of an object determines its family even if the object is empty.
      candidate.isLikely || candidate.version.envelope == .nscoding || only != nil
    }
    guard let nearest = Self.nearest(candidates) else { return [] }
    return candidates.filter { $0.share == nearest.share }
  }

  private func families(_ only: SchemaFamily?) -> [SchemaFamily] { only.map { [$0] } ?? families }

  /// The version nearest to a model of no version, with any envelope; nil if none is near.
  ///
  /// - Parameter family: the only family to try, of which a version that shares anything is near; nil for all.
  package func nearest(
    to model: UnwrappedModel, in graph: ObjectGraph, family only: SchemaFamily? = nil
  ) -> Candidate? {
    let families = families(only)
    let candidates = candidates(
      for: Subject(model, in: graph, families), families, whatever: true)
    return Self.nearest(candidates.filter { only == nil ? $0.isNear : $0.share > 0 })
  }

  /// The first of the candidates that share the most; a matching envelope decides between equal ones.
  private static func nearest(_ candidates: [Candidate]) -> Candidate? {
    candidates.reduce(nil) { best, next in
      guard let best else { return next }
      if next.share != best.share { return next.share > best.share ? next : best }
      return next.hasEnvelope && !best.hasEnvelope ? next : best
    }
  }

  /// - Parameter whatever: whether versions of other envelopes are compared as well.
  private func candidates(
    for subject: Subject, _ families: [SchemaFamily], whatever: Bool
  ) -> [Candidate] {
    families.flatMap { family in
      let isError = subject.errorPayloads.contains(family.name)
      return family.versions.compactMap { version -> Candidate? in
        let hasEnvelope = Self.fits(version, subject.model)
        guard hasEnvelope || whatever else { return nil }
        return Candidate(
          version, family, hasEnvelope: hasEnvelope, members: version.memberNames(subject.members),
          isErrorPayload: isError)
      }
    }
  }

  private static func fits(
    _ candidate: Candidate, _ model: UnwrappedModel, _ graph: ObjectGraph
  ) -> Bool {
    let found = try? candidate.version.examine(
      candidate.version.model(model, in: graph).root, in: graph, family: candidate.family,
      mostViolations: 0)
    return found?.violationCount == 0
  }

  private static func fits(_ version: SchemaVersion, _ model: UnwrappedModel) -> Bool {
    guard let envelope = version.envelope else { return true }
    guard envelope == model.envelope, version.archive.hasTopKey(model) else { return false }
    return model.className.map { version.archive.accepts($0) } ?? true
  }
}

/// What is known of a model without comparing it with a version.
private struct Subject {
  let model: UnwrappedModel
  /// The names of its members, or of those of the first model of a list.
  let members: Set<String>
  /// The names of the families one of whose error payloads replaces the model.
  let errorPayloads: Set<String>

  init(_ model: UnwrappedModel, in graph: ObjectGraph, _ families: [SchemaFamily]) {
    self.model = model
    members = Self.members(of: model, in: graph)
    let value = graph.value(of: model.root)
    let replaced = families.filter { family in
      family.errorPayloads.contains { $0.text(of: value, in: graph) != nil }
    }
    errorPayloads = Set(replaced.map(\.name))
  }

  private static func members(of model: UnwrappedModel, in graph: ObjectGraph) -> Set<String> {
    var value = graph.value(of: model.root)
    if case .array(let elements) = value, elements.count > 0 {
      value = graph.value(of: graph.node(elements, 0))
    }
    switch value {
    case .dictionary(let pairs), .object(_, let pairs):
      // A model has few members; a dictionary with thousands is not a model.
      guard pairs.count <= 4096 else { return [] }
      return Set((0..<pairs.count).lazy.compactMap { graph.memberName(pairs, $0)?.string })
    default: return []
    }
  }
}

// MARK: - How well an archive matches a version

/// A version that an archive was compared with.
package struct Candidate {
  /// The version.
  package let version: SchemaVersion
  /// Its family.
  package let family: SchemaFamily
  /// Whether the archive has the version's envelope, and a root object with a class that the version allows.
  package let hasEnvelope: Bool
  /// How many required members the model has, and how many the version requires.
  package let score: (present: Int, required: Int)
  /// The required members that the model lacks.
  package let missing: [String]
  /// The members of the model that the version does not name.
  package let unknown: [String]
  fileprivate let isErrorPayload: Bool
  /// Whether the model shares a member with the version that few other models have.
  private let isDistinct: Bool
  /// The shared fraction of the members of the version and the model: 0 to 1.
  fileprivate let share: Double
  /// Why this version was detected: `envelope codable, 2 of 2 required members`.
  package let reason: String

  init(
    _ version: SchemaVersion, _ family: SchemaFamily, hasEnvelope: Bool, members: Set<String>,
    isErrorPayload: Bool
  ) {
    self.version = version
    self.family = family
    self.hasEnvelope = hasEnvelope
    self.isErrorPayload = isErrorPayload
    let required = version.requiredMembers
    isDistinct = members.contains {
      version.names($0) && !BuiltInFamilies.commonMembers.contains($0)
    }
    missing = required.filter { !members.contains($0) }
    unknown = members.lazy.filter { !version.names($0) }.sorted()
    score = (required.count - missing.count, required.count)
    // Unknown members count against a version, so that of two that fit the nearer one wins.
    share =
      isErrorPayload
      ? 0.5
      : Double(members.count - unknown.count) / Double(max(members.count + missing.count, 1))
    reason = Self.reason(version.envelope, score, isErrorPayload: isErrorPayload)
  }

  /// Whether all members of the version are there, and no others.
  private var isExact: Bool { missing.isEmpty && unknown.isEmpty && !isErrorPayload }

  /// Whether an archive with the envelope is likely to be of the version, though perhaps an invalid one.
  ///
  /// The built-in families are examples, to which archives of others must not be compared.
  fileprivate var isLikely: Bool {
    guard family.isBuiltIn, !isErrorPayload else { return share * 3 >= 1 }
    return isExact || isDistinct && share * 2 >= 1
  }

  /// Whether an archive with another envelope is worth comparing with the version.
  fileprivate var isNear: Bool { family.isBuiltIn ? isExact : share * 3 >= 1 }

  private static func reason(
    _ envelope: Envelope?, _ score: (present: Int, required: Int), isErrorPayload: Bool
  ) -> String {
    let envelope = envelope.map { "envelope \($0.rawValue)" } ?? "any envelope"
    if isErrorPayload { return "\(envelope), an error payload instead" }
    guard score.required > 0 else { return "\(envelope), no required members" }
    return "\(envelope), \(score.present) of \(score.required) required members"
  }

  /// Why the archive is not of this version, in a few words.
  package func obstacle(_ model: UnwrappedModel?) -> String {
    var words: [String] = []
    if !hasEnvelope, let envelope = version.envelope {
      if let found = model?.envelope, found == envelope {
        words.append("allows only the classes \(version.classPatterns.joined(separator: ", "))")
      } else {
        words.append(
          "has the envelope \(envelope.rawValue), not \(model?.envelope.rawValue ?? "that of a scalar")"
        )
      }
    }
    if !missing.isEmpty { words.append("requires \(Self.list(missing))") }
    if !unknown.isEmpty { words.append("does not define \(Self.list(unknown))") }
    return words.joined(separator: ", ")
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(5).joined(separator: ", ")
    return names.count > 5 ? "\(shown) and \(names.count - 5) more" : shown
  }
}

// MARK: - The top-level keys of an archive without a version

extension ObjectGraph {
  /// The top-level keys of an archive that has others than just root, as a part of a message; otherwise nil.
  package var unusualTopLevelKeys: String? {
    guard let keys = documents.first?.archive?.topKeys, keys != ["root"] else { return nil }
    if keys.isEmpty { return "the archive has no top-level key" }
    let names = keys.prefix(5).map { "'\($0.prefix(40))'" }.joined(separator: ", ")
    let more = keys.count > 5 ? " and \(keys.count - 5) more" : ""
    return keys.count == 1
      ? "the archive's top-level key is \(names), not 'root'"
      : "the archive has \(keys.count) top-level keys: \(names)\(more)"
  }
}

// MARK: - What detection found last

/// Keeps the versions that are nearest to the last model; threads may share it.
final class DetectionMemo {
  /// All that decides which versions are nearest, unless there is an error payload.
  struct Key: Equatable {
    let members: Set<String>
    let envelope: Envelope
    let className: ClassName?
    let topKey: String?
    /// The only family to try; nil for all.
    let family: String?
  }

  private let lock = Mutex(())
  private var last: (key: Key, nearest: [Candidate])?

  /// The versions that are nearest to a model, found unless they are known.
  func nearest(_ key: Key, find: () -> [Candidate]) -> [Candidate] {
    var known: (key: Key, nearest: [Candidate])?
    lock.withLock { _ in known = last }
    if let known, known.key == key { return known.nearest }
    let nearest = find()
    lock.withLock { _ in last = (key, nearest) }
    return nearest
  }
}
