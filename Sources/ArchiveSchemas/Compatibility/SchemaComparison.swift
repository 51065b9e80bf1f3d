// Compares two versions of a schema: what changed, and whether readers and values of both are compatible.
//
// Generated values decide the verdict: one that fits a version and not the other breaks a direction. A walk over both
// schemas finds the changes, and each such value is attributed to the change at its location; one without a change
// becomes a change of its own, so that every verdict has its reasons.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

/// The comparison of two versions of a schema.
package struct SchemaComparison: Sendable {
  /// How schemas are interpreted.
  package struct Options: Sendable {
    /// Whether `format` is treated as an assertion; JSON Schema leaves this open, so true is the careful choice.
    package var assertsFormat: Bool
    /// Whether `x-archive` of the documents' roots is compared.
    package var comparesArchives: Bool
    /// Whether the classes and the storage of an archive's objects are compared.
    var comparesStructure = true
    /// How many values of each version are tried in the other.
    package var tries: Int

    /// Makes options.
    package init(assertsFormat: Bool = true, comparesArchives: Bool = true, tries: Int = 1_000) {
      self.assertsFormat = assertsFormat
      self.comparesArchives = comparesArchives
      self.tries = tries
    }
  }

  /// The changes in the order of the old schema, with additions at the end.
  package let changes: [SchemaChange]
  /// How compatible the versions are, as far as values show it.
  package let verdict: Compatibility
  /// How many values of each version were tried in the other.
  package let tries: Int

  /// Compares two versions whose schemas assert formats as the options say.
  ///
  /// - Parameters:
  ///   - old: the version that values were written under.
  ///   - new: the version that replaces it.
  ///   - includesNotes: whether changed titles, descriptions and other annotations are listed.
  ///   - options: how schemas are interpreted.
  /// - Throws: `ArchiveError` with code `limit` for schemas that are too large.
  package init(
    old: SchemaVersion, new: SchemaVersion, includesNotes: Bool = false,
    options: Options = Options()
  ) throws(ArchiveError) {
    try Self.requireComparable(old)
    try Self.requireComparable(new)
    var options = options
    // Another envelope has other classes, or no classes.
    if old.envelope != new.envelope { options.comparesStructure = false }
    let backward = try ContainmentCheck(inner: old, outer: new, options: options).obstacles()
    let forward = try ContainmentCheck(inner: new, outer: old, options: options).obstacles()
    verdict = Compatibility(isBackward: backward.isEmpty, isForward: forward.isEmpty)
    let documents = SchemaDocuments(
      inner: old.documents, outer: new.documents, options: options)
    var walk = SchemaChangeWalk(documents, includesNotes: includesNotes)
    var changes = walk.changes()
    for obstacle in backward { Self.attribute(obstacle, .backward, &changes) }
    for obstacle in forward { Self.attribute(obstacle, .forward, &changes) }
    self.changes = changes
    tries = options.tries
  }

  /// Bounds on what is compared: each branch of one schema may be compared with each branch of the other.
  private static let bounds = [
    "anyOf": 4_000, "oneOf": 4_000, "allOf": 4_000, "prefixItems": 20_000, "properties": 20_000,
    "patternProperties": 4_000, "required": 20_000, "dependentRequired": 20_000,
    "dependentSchemas": 4_000,
  ]

  /// Checks that a version is small enough to be compared.
  ///
  /// - Throws: `ArchiveError` with code `limit` and the location of a keyword that has too many parts.
  package static func requireComparable(_ version: SchemaVersion) throws(ArchiveError) {
    var waiting = [(tree: version.tree, path: GraphPath())]
    while let (tree, path) = waiting.popLast() {
      waiting += (tree.list ?? []).enumerated().map { (tree: $1, path: path.appending(.index($0))) }
      for (name, value) in tree.members ?? [] {
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

  /// Attributes an obstacle to the change that causes it.
  private static func attribute(
    _ obstacle: ContainmentObstacle, _ direction: SchemaChange.Direction,
    _ changes: inout [SchemaChange]
  ) {
    let effect = SchemaChange.Effect(
      direction: direction, reason: obstacle.reason, counterexample: obstacle.counterexample)
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
        kind: .constraintChanged, oldPointer: isBackward ? nil : obstacle.pointer,
        newPointer: isBackward ? obstacle.pointer : nil, path: obstacle.path,
        description: obstacle.keyword.isEmpty
          ? "nothing could be tried" : "'\(obstacle.keyword)' differs",
        effects: [effect]))
  }

  /// The change at an obstacle's location that concerns its keyword, or a member that contains the location.
  private static func nearest(
    _ obstacle: ContainmentObstacle, _ direction: SchemaChange.Direction,
    _ changes: [SchemaChange]
  ) -> Int? {
    // An addition breaks no reader of old values, and a removal breaks no reader of new values.
    let harmless: [SchemaChange.Kind] =
      direction == .backward
      ? [.annotationChanged, .enumValueAdded, .enumRemoved, .alternativeAdded]
      : [.annotationChanged, .enumValueRemoved, .enumAdded, .alternativeRemoved]
    let real = changes.indices.filter { !harmless.contains(changes[$0].kind) }
    let prefixes = Self.prefixes[obstacle.keyword] ?? ["constraint-"]
    let kinds = SchemaChange.Kind.allCases.filter { kind in
      prefixes.contains(where: kind.rawValue.hasPrefix)
    }
    let here = real.filter { Self.matches(changes[$0].path.steps, obstacle.path.steps) }
    if let same = here.first(where: { kinds.contains(changes[$0].kind) }) { return same }
    if let any = here.first { return any }
    // A schema that appears again further inside, by reference, is the same change.
    if let again = again(obstacle, kinds, changes, real) { return again }
    let around = real.filter { index in
      let steps = changes[index].path.steps
      return steps.count < obstacle.path.steps.count
        && Self.matches(steps, Array(obstacle.path.steps.prefix(steps.count)))
    }
    return around.max { changes[$0].path.steps.count < changes[$1].path.steps.count }
  }

  /// Whether two paths may lead to one location: any element or member is each of them.
  private static func matches(_ one: [GraphPath.Step], _ other: [GraphPath.Step]) -> Bool {
    one.count == other.count
      && zip(one, other).allSatisfy { one, other in
        switch (one, other) {
        case (.anyElement, .index), (.index, .anyElement), (.anyMember, .key), (.key, .anyMember):
          true
        default: one == other
        }
      }
  }

  /// The change whose keyword a reference leads to as well, as one inside the location at which it was found.
  private static func again(
    _ obstacle: ContainmentObstacle, _ kinds: [SchemaChange.Kind], _ changes: [SchemaChange],
    _ real: [Int]
  ) -> Int? {
    guard let last = obstacle.path.steps.last else { return nil }
    return real.first { index in
      let steps = changes[index].path.steps
      return kinds.contains(changes[index].kind) && steps.count < obstacle.path.steps.count
        && steps.last == last
    }
  }

  private static let members = ["member-", "became-", "additional-"]

  /// How the names of the changes begin that can cause an obstacle of a keyword; others are compared as a whole.
  static let prefixes: [String: [String]] = [
    "type": ["type-"], "x-plist-type": ["type-"], "enum": ["enum-"], "const": ["enum-"],
    "minimum": ["range-"], "maximum": ["range-"], "exclusiveMinimum": ["range-"],
    "exclusiveMaximum": ["range-"], "multipleOf": ["range-"], "minLength": ["length-"],
    "maxLength": ["length-"], "minItems": ["length-"], "maxItems": ["length-"],
    "minProperties": ["length-"], "maxProperties": ["length-"], "pattern": ["pattern-"],
    "format": ["format-"], "required": members, "properties": members,
    "patternProperties": members, "additionalProperties": members,
    "unevaluatedProperties": members, "items": ["items-"], "prefixItems": ["items-"],
    "anyOf": ["alternative-"], "oneOf": ["alternative-"], "x-archive": ["envelope-"],
  ]
}

// MARK: - Looks for values that fit one version of a schema and not another, among generated ones

/// A difference between two versions in one direction: what a value that fits one has that the other does not allow.
struct ContainmentObstacle {
  /// The keyword that does not allow it.
  let keyword: String
  /// The location of the keyword in the version that does not allow it, a JSON Pointer; nil if it is not known.
  let pointer: String?
  /// The path in the model: `$.topCityWeathers[*].Temperature`.
  let path: GraphPath
  /// What is not allowed, as a sentence.
  let reason: String
  /// A small value; nil if the archive itself is the difference, or no value could be made.
  let counterexample: JSONTree?
}

/// Tries whether values that fit one version fit another.
struct ContainmentCheck {
  private static let obstacleLimit = 50

  /// The version whose values are tried.
  let inner: SchemaVersion
  /// The version that is to allow them.
  let outer: SchemaVersion
  private let options: SchemaComparison.Options
  /// The members that one of the schemas names.
  private let names: Set<CodePointString>
  private let hasArchivedData: Bool

  init(inner: SchemaVersion, outer: SchemaVersion, options: SchemaComparison.Options) {
    (self.inner, self.outer, self.options) = (inner, outer, options)
    hasArchivedData = inner.hasArchivedData || outer.hasArchivedData
    names = Set(
      [inner, outer].flatMap(\.schemaParts).flatMap { part in
        (part["required"]?.strings ?? [])
          + ["properties", "dependentRequired"].flatMap { (part[$0]?.members ?? []).map(\.0) }
      }.map(CodePointString.init))
  }

  /// Tries values.
  ///
  /// - Returns: the differences in the order in which they were found.
  /// - Throws: `ArchiveError` with code `limit` if a value is too large to be validated.
  func obstacles() throws(ArchiveError) -> [ContainmentObstacle] {
    var result = options.comparesArchives ? archiveObstacles : []
    let documents = SchemaDocuments(
      inner: inner.documents, outer: outer.documents, options: options)
    if documents.areAlike(documents.inner, documents.outer) { return result }
    var hints = SampleHints()
    hints.hasLookalikes = true
    var generator = SampleGenerator(inner, toward: outer, hints: hints)
    var known: Set<String> = []
    var count = 0
    for number in 0..<options.tries where result.count < Self.obstacleLimit {
      guard let sample = try generator.sample(number) else { continue }
      count += 1
      for violation in try violations(of: sample, generator) {
        guard known.insert(name(violation)).inserted else { continue }
        result.append(try obstacle(violation, sample, generator))
      }
    }
    if count == 0, !generator.isEmpty {
      result.append(
        ContainmentObstacle(
          keyword: "", pointer: nil, path: GraphPath(),
          reason: "no value that fits could be generated, so that none was tried",
          counterexample: nil))
    }
    return result
  }

  /// The violations of the outer version by a sample of the inner one.
  private func violations(
    of sample: Sample, _ generator: SampleGenerator
  ) throws(ArchiveError) -> [Diagnostic] {
    if !hasArchivedData {
      let (root, graph) = sample.value.inGraph()
      let found = try outer.validate(root, in: graph)
      if !found.isEmpty || !options.comparesStructure || !outer.schema.hasStructure { return found }
    }
    guard let bytes = try generator.archive(of: sample) else { return [] }
    let archive = try ArchiveReader().read(bytes)
    guard let model = archive.unwrapModel() else { return [] }
    return try outer.validate(outer.model(model, in: archive).root, in: archive)
  }

  private func obstacle(
    _ violation: Diagnostic, _ sample: Sample, _ generator: SampleGenerator
  ) throws(ArchiveError) -> ContainmentObstacle {
    let name = name(violation)
    var shrinking = SampleShrinking(limit: 200)
    let smallest = shrinking.smallest(sample.value) { value in
      var smaller = sample
      smaller.value = value
      guard (try? generator.fits(smaller)) == true,
        let found = try? violations(of: smaller, generator)
      else { return false }
      return found.contains { self.name($0) == name }
    }
    var smaller = sample
    smaller.value = smallest
    let last =
      try violations(of: smaller, generator)
      .first { self.name($0) == name } ?? violation
    return ContainmentObstacle(
      keyword: last.rule, pointer: last.expectation?.keywordLocation, path: pattern(last.path),
      reason: last.message, counterexample: smallest.sampleTree)
  }

  /// The name of a violation, which those of one keyword at one path share, wherever in a list or dictionary they are.
  private func name(_ violation: Diagnostic) -> String {
    "\(pattern(violation.path)) \(violation.rule)"
  }

  /// A path with any element in the place of a certain one, and any member in that of one that no schema names.
  private func pattern(_ path: GraphPath?) -> GraphPath {
    GraphPath(
      (path?.steps ?? []).map { step in
        switch step {
        case .index: .anyElement
        case .key(let name) where !names.contains(CodePointString(name)): .anyMember
        default: step
        }
      })
  }

  // MARK: Archives

  /// What keeps a reader of one version from opening the other's archives.
  private var archiveObstacles: [ContainmentObstacle] {
    func obstacle(_ part: String, _ reason: String) -> ContainmentObstacle {
      ContainmentObstacle(
        keyword: "x-archive", pointer: "/x-archive/\(part)", path: GraphPath(), reason: reason,
        counterexample: nil)
    }
    guard let wanted = outer.envelope else { return [] }
    guard inner.envelope == wanted else {
      let other = inner.envelope?.rawValue ?? "every envelope"
      return [
        obstacle("envelope", "a reader of the envelope \(wanted.rawValue) cannot open \(other)")
      ]
    }
    var result: [ContainmentObstacle] = []
    let known = Set(outer.classPatterns.map(CodePointString.init))
    let others = inner.classPatterns.filter {
      !known.isEmpty && !known.contains(CodePointString($0))
        && !known.contains(CodePointString("*"))
    }
    if !others.isEmpty {
      result.append(
        obstacle(
          "classes", "the class \(others.joined(separator: ", ")) is not among those allowed"))
    }
    if inner.topKey != outer.topKey {
      result.append(obstacle("key", "the model is expected under another top-level key"))
    }
    if inner.allowsList, !outer.allowsList {
      result.append(obstacle("list", "it may be a list of models, but one model is allowed"))
    }
    return result
  }
}

// MARK: - Values that two versions have in common

/// Values that two versions have in common, among generated ones.
package enum SchemaOverlap {
  /// How many values are tried.
  package static let tries = 100
  /// If so many values in a row do not fit, no more are tried.
  private static let missLimit = 20

  /// Values whose archives fit both versions, shortest first; empty if none was found, which does not mean that there
  /// are none.
  ///
  /// - Throws: `ArchiveError` with code `limit` if a value is too large to be validated.
  package static func values(
    of one: SchemaVersion, and other: SchemaVersion
  ) throws(ArchiveError) -> [SyntheticValue] {
    var generator = SampleGenerator(one, toward: other, fitsBoth: true)
    var result: [(text: String, value: SyntheticValue)] = []
    var missed = 0
    for number in 0..<tries where missed < missLimit {
      if let sample = try generator.sample(number), try fits(sample, of: generator, other) == true {
        result.append((sample.value.sampleTree.compactText, sample.value))
        missed = 0
      } else {
        missed += 1
      }
    }
    return result.sorted { ($0.text.utf8.count, $0.text) < ($1.text.utf8.count, $1.text) }
      .map(\.value)
  }

  /// Whether the archives of all generated values of a version fit another; false if there are none.
  ///
  /// - Throws: `ArchiveError` with code `limit` if a value is too large to be validated.
  package static func isWithin(
    _ inner: SchemaVersion, _ outer: SchemaVersion
  ) throws(ArchiveError) -> Bool {
    var generator = SampleGenerator(inner, toward: outer)
    var count = 0
    for number in 0..<tries where number - count < missLimit {
      guard let sample = try generator.sample(number),
        let isFitting = try fits(sample, of: generator, outer)
      else { continue }
      guard isFitting else { return false }
      count += 1
    }
    return count > 0
  }

  /// Whether the archive of a sample fits another version; nil if it has none.
  private static func fits(
    _ sample: Sample, of generator: SampleGenerator, _ other: SchemaVersion
  ) throws(ArchiveError) -> Bool? {
    guard let bytes = try generator.archive(of: sample) else { return nil }
    return try other.validate(ArchiveReader().read(bytes)).isEmpty
  }
}
