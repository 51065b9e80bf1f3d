// Compares two versions of a schema: what changed, and whether readers and values of both are compatible.
//
// Only the prover decides the verdict. A walk over both schemas finds the changes, and each obstacle of a proof is
// attributed to the change at its location; an obstacle without one becomes its own change, so that every verdict has
// its reasons.

import Basics
import ObjectGraph
import PropertyLists

/// The comparison of two versions of a schema.
public struct SchemaComparison: Sendable {
  /// The changes in the order of the old schema, with additions at the end.
  public let changes: [SchemaChange]
  /// How compatible the versions are.
  public let verdict: Compatibility

  /// Compares two versions.
  ///
  /// - Parameters:
  ///   - old: the schema that values were written under.
  ///   - new: the schema that replaces it.
  ///   - includesNotes: whether changed titles, descriptions and other annotations are listed.
  ///   - options: how schemas are interpreted.
  /// - Throws: `ArchiveError` with code `limit` for schemas that are too large.
  public init(
    old: JSONTree, new: JSONTree, includesNotes: Bool = false,
    options: SchemaContainment.Options = SchemaContainment.Options()
  ) throws(ArchiveError) {
    try ComparisonSize.check(old)
    try ComparisonSize.check(new)
    var options = options
    // Another envelope has other classes, or no classes.
    let envelopes = [old, new].map { $0["x-archive"]?["envelope"]?.string }
    if envelopes[0] != envelopes[1] { options.comparesStructure = false }
    let backward = SchemaContainment.proof(that: old, isWithin: new, options: options)
    let forward = SchemaContainment.proof(that: new, isWithin: old, options: options)
    verdict = Compatibility(isBackward: backward.isProved, isForward: forward.isProved)
    let documents = SchemaDocuments(inner: old, outer: new, options: options)
    var walk = SchemaChangeWalk(documents, includesNotes: includesNotes)
    var changes = walk.changes()
    for obstacle in backward.obstacles { Self.lay(obstacle, .backward, &changes) }
    for obstacle in forward.obstacles { Self.lay(obstacle, .forward, &changes) }
    self.changes = changes
  }

  /// Attributes an obstacle to the change that causes it.
  private static func lay(
    _ obstacle: SchemaContainment.Obstacle, _ direction: SchemaChange.Direction,
    _ changes: inout [SchemaChange]
  ) {
    let effect = SchemaChange.Effect(
      direction: direction, reason: obstacle.reason, isDecided: obstacle.isRefuted,
      counterexample: obstacle.counterexample)
    if let index = nearest(obstacle, direction, changes) {
      let isKnown = changes[index].effects.contains {
        $0.direction == direction && $0.reason == effect.reason
      }
      if !isKnown { changes[index].effects.append(effect) }
      return
    }
    let isBackward = direction == .backward
    changes.append(
      SchemaChange(
        kind: .constraintChanged,
        oldPointer: isBackward ? obstacle.innerPointer : obstacle.outerPointer,
        newPointer: isBackward ? obstacle.outerPointer : obstacle.innerPointer,
        path: obstacle.path, description: "'\(obstacle.keyword)' cannot be proved",
        effects: [effect]))
  }

  /// The change at an obstacle's location that concerns its keyword, or a member that contains the location.
  private static func nearest(
    _ obstacle: SchemaContainment.Obstacle, _ direction: SchemaChange.Direction,
    _ changes: [SchemaChange]
  ) -> Int? {
    // An addition breaks no reader of old values, and a removal breaks no reader of new values.
    let harmless: [SchemaChange.Kind] =
      direction == .backward
      ? [.annotationChanged, .enumValueAdded, .enumRemoved, .alternativeAdded]
      : [.annotationChanged, .enumValueRemoved, .enumAdded, .alternativeRemoved]
    let real = changes.indices.filter { !harmless.contains(changes[$0].kind) }
    let kinds = Self.kinds[obstacle.keyword] ?? [.constraintChanged]
    let here = real.filter { changes[$0].path == obstacle.path }
    if let same = here.first(where: { kinds.contains(changes[$0].kind) }) { return same }
    if let any = here.first { return any }
    // A schema that appears again further inside, by reference, is the same change.
    let pointers = [obstacle.innerPointer, obstacle.outerPointer]
    let again = real.first { index in
      let own = [changes[index].oldPointer, changes[index].newPointer]
      return own == (direction == .backward ? pointers : pointers.reversed())
    }
    if let again { return again }
    let around = real.filter { index in
      let steps = changes[index].path.steps
      return steps.count < obstacle.path.steps.count && obstacle.path.steps.starts(with: steps)
    }
    return around.max { changes[$0].path.steps.count < changes[$1].path.steps.count }
  }

  private static let members: [SchemaChange.Kind] = [
    .memberAdded, .memberRemoved, .becameRequired, .becameOptional, .additionalClosed,
    .additionalOpened, .additionalChanged,
  ]
  private static let lengths: [SchemaChange.Kind] = [
    .lengthNarrowed, .lengthWidened, .lengthChanged,
  ]
  private static let ranges: [SchemaChange.Kind] = [.rangeNarrowed, .rangeWidened, .rangeChanged]
  private static let values: [SchemaChange.Kind] = [
    .enumValueAdded, .enumValueRemoved, .enumAdded, .enumRemoved,
  ]
  private static let alternatives: [SchemaChange.Kind] = [.alternativeAdded, .alternativeRemoved]

  /// The kinds of change that can cause an obstacle of a keyword.
  private static let kinds: [String: [SchemaChange.Kind]] = [
    "type": [.typeNarrowed, .typeWidened, .typeChanged],
    "x-plist-type": [.typeNarrowed, .typeWidened, .typeChanged],
    "enum": values, "const": values, "minimum": ranges, "maximum": ranges,
    "exclusiveMinimum": ranges, "exclusiveMaximum": ranges, "multipleOf": ranges,
    "minLength": lengths, "maxLength": lengths, "minItems": lengths, "maxItems": lengths,
    "minProperties": lengths, "maxProperties": lengths, "pattern": [.patternChanged],
    "format": [.formatChanged], "required": members, "properties": members,
    "patternProperties": members, "additionalProperties": members,
    "unevaluatedProperties": members, "items": [.itemsChanged], "prefixItems": [.itemsChanged],
    "anyOf": alternatives, "oneOf": alternatives, "x-archive": [.envelopeChanged],
  ]
}

// MARK: - A limit on the schemas that are compared: each branch of one may be compared with each branch of the other

/// Bounds on what is compared.
private enum ComparisonSize {
  private static let bounds = [
    "anyOf": 4_000, "oneOf": 4_000, "allOf": 4_000, "prefixItems": 20_000, "properties": 20_000,
    "patternProperties": 4_000, "required": 20_000, "dependentRequired": 20_000,
    "dependentSchemas": 4_000,
  ]

  /// Checks a schema.
  ///
  /// - Throws: `ArchiveError` with code `limit` and the location of a keyword that has too many parts.
  fileprivate static func check(_ tree: JSONTree) throws(ArchiveError) {
    var waiting = [(tree: tree, path: GraphPath())]
    while let (tree, path) = waiting.popLast() {
      for (index, item) in (tree.list ?? []).enumerated() where isContainer(item) {
        waiting.append((item, path.appending(.index(index))))
      }
      for (name, value) in tree.members ?? [] where isContainer(value) {
        let count = value.list?.count ?? value.members?.count ?? 0
        if let bound = bounds[name], count > bound {
          throw ArchiveError(
            .limit, "'\(name)' has \(count) parts; schemas with up to \(bound) are compared",
            path: path.appending(.key(name)))
        }
        waiting.append((value, path.appending(.key(name))))
      }
    }
  }

  private static func isContainer(_ tree: JSONTree) -> Bool {
    tree.list != nil || tree.members != nil
  }
}
