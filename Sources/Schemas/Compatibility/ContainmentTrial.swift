// Looks for values that fit one version of a schema and not another, among generated ones.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists

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
struct ContainmentTrial {
  /// More differences are not listed.
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
    if let one = documents.inner.place(at: ""), let other = documents.outer.place(at: ""),
      documents.areAlike(one, other)
    {
      return result
    }
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
    guard let model = UnwrappedModel(archive) else { return [] }
    return try outer.validate(outer.model(model, in: archive).root, in: archive)
  }

  private func obstacle(
    _ violation: Diagnostic, _ sample: Sample, _ generator: SampleGenerator
  ) throws(ArchiveError) -> ContainmentObstacle {
    let name = name(violation)
    var shrinking = SampleShrinking(limit: 200)
    let smallest = shrinking.smallest(sample.value) { value in
      let sample = sample.replacing(value)
      guard (try? generator.fits(sample)) == true,
        let found = try? violations(of: sample, generator)
      else { return false }
      return found.contains { self.name($0) == name }
    }
    let last =
      try violations(of: sample.replacing(smallest), generator)
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
