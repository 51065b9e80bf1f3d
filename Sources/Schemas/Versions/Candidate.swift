// How near an archive comes to a version.

import KeyedArchives

/// A version that an archive was compared with.
public struct Candidate {
  /// The version.
  public let version: SchemaVersion
  /// Its family.
  public let family: SchemaFamily
  /// Whether the archive has the version's envelope, and its root object a class that the version allows.
  public let hasEnvelope: Bool
  /// How many of the members that the version requires the model has, of how many.
  public let score: (present: Int, required: Int)
  /// The required members that the model lacks.
  public let missing: [String]
  /// The members of the model that the version does not name.
  public let unknown: [String]
  /// Whether an error's payload stands in the model's place.
  let isErrorPayload: Bool
  /// How much of what the version and the model have they share: 0 to 1.
  let share: Double

  init(
    _ version: SchemaVersion, _ family: SchemaFamily, hasEnvelope: Bool, members: Set<String>,
    isErrorPayload: Bool
  ) {
    self.version = version
    self.family = family
    self.hasEnvelope = hasEnvelope
    self.isErrorPayload = isErrorPayload
    let required = version.schema.requiredMembers
    let named = version.schema.members
    missing = required.filter { !members.contains($0) }
    unknown = members.filter { !named.contains($0) }.sorted()
    score = (required.count - missing.count, required.count)
    // Members that the version does not know count against it, so that of two that fit the nearer wins.
    share =
      isErrorPayload
      ? 0.5
      : Double(members.count - unknown.count) / Double(max(members.count + missing.count, 1))
  }

  /// Why the archive is taken for this version: `envelope codable, 2 of 2 required members`.
  public var reason: String {
    let envelope = version.envelope.map { "envelope \($0.rawValue)" } ?? "any envelope"
    if isErrorPayload { return "\(envelope), an error's payload in its place" }
    guard score.required > 0 else { return "\(envelope), no required members" }
    return "\(envelope), \(score.present) of \(score.required) required members"
  }

  /// What keeps the archive from being of this version, in a few words.
  public func obstacle(_ model: UnwrappedModel?) -> String {
    var words: [String] = []
    if !hasEnvelope, let envelope = version.envelope {
      if let found = model?.envelope, found == envelope {
        words.append("has other classes than \(version.classPatterns.joined(separator: ", "))")
      } else {
        words.append(
          "has the envelope \(envelope.rawValue), not \(model?.envelope.rawValue ?? "that of a scalar")"
        )
      }
    }
    if !missing.isEmpty { words.append("lacks \(Self.list(missing))") }
    if !unknown.isEmpty { words.append("does not know \(Self.list(unknown))") }
    return words.joined(separator: ", ")
  }

  /// The first few of some names.
  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(5).joined(separator: ", ")
    return names.count > 5 ? "\(shown) and \(names.count - 5) more" : shown
  }
}
