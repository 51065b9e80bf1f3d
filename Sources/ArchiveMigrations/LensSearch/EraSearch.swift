// The versions of a model that examples in one folder are of.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import KeyedArchives

/// Divides examples into the versions that an application wrote one after the other.
///
/// Each example is examined once and then discarded. What is kept is as large as the schemas of the examples that
/// differ, and some values of each.
package struct EraSearch {
  /// The examples of one version.
  package struct Era {
    /// The names of the examples, by their numbers.
    private(set) var names: [(number: Int, name: String)]
    /// What was inferred from the examples.
    package fileprivate(set) var inference: SchemaInference
    fileprivate var samples: [Sample]
    fileprivate var facts: Facts
    fileprivate var dates: ClosedRange<Double>
    /// What tells it from the version before: `new: photo; gone: notes`; empty for the first.
    package fileprivate(set) var differences = ""

    /// The first examples in words: `a, b, c and 4 more`.
    package var title: String {
      let more = names.count > 3 ? " and \(names.count - 3) more" : ""
      return names.prefix(3).map(\.name).joined(separator: ", ") + more
    }

    /// The values of examples, for the lens from or to this version.
    package func samples(of version: SchemaVersion) -> [LensSample] {
      samples.sorted { $0.number < $1.number }.map {
        LensSample(name: $0.name, value: $0.value, of: version)
      }
    }

    fileprivate mutating func add(_ name: String, number: Int, written: Double, _ sample: Sample?) {
      names.append((number, name))
      samples += [sample].compactMap { $0 }
      cover(written...written)
    }

    private mutating func cover(_ other: ClosedRange<Double>) {
      dates =
        min(dates.lowerBound, other.lowerBound)...max(dates.upperBound, other.upperBound)
    }

    fileprivate mutating func merge(_ other: Era) throws(ArchiveError) {
      try inference.merge(other.inference)
      names = (names + other.names).sorted { $0.number < $1.number }
      samples += other.samples
      facts.merge(other.facts)
      cover(other.dates)
    }
  }

  /// The model of an example.
  fileprivate struct Sample {
    let number: Int
    let name: String
    let value: SyntheticValue
  }

  /// How many values of examples that do not differ are kept.
  private static let sampleLimit = 200_000

  private let options: SchemaInference.Options
  /// The examples that do not differ, each with the number of values that may still be kept.
  private var groups: [(era: Era, budget: Int)] = []
  private var count = 0

  /// Makes a search without examples.
  package init(options: SchemaInference.Options) { self.options = options }

  /// Examines an example.
  ///
  /// - Parameters:
  ///   - name: its name in messages.
  ///   - written: when its file was written, in seconds since 1970.
  /// - Throws: as `SchemaInference.add` does.
  package mutating func add(
    _ graph: ObjectGraph, named name: String, written: Double
  ) throws(ArchiveError) {
    var inference = SchemaInference(options: options)
    try inference.add(graph)
    let facts = Facts(
      try inference.schema(family: "", version: ""), inference.envelope ?? .plist)
    let number = groups.firstIndex { $0.era.facts == facts } ?? groups.count
    if number == groups.count {
      let era = Era(
        names: [], inference: SchemaInference(options: options), samples: [], facts: facts,
        dates: written...written)
      groups.append((era, Self.sampleLimit))
    }
    try groups[number].era.inference.merge(inference)
    let value = graph.unwrapModel().map {
      SyntheticValue(model: $0.root, of: graph, depth: 0, &groups[number].budget)
    }
    let isWhole = groups[number].budget > 0
    let sample = value.flatMap { isWhole ? Sample(number: count, name: name, value: $0) : nil }
    groups[number].era.add(name, number: count, written: written, sample)
    count += 1
  }

  /// The members of the records of an example.
  fileprivate struct Facts: Equatable {
    /// The envelope, with the top-level key and the class of the root.
    let archive: String
    /// Whether objects store their members even if these are nil.
    let storesNil: Bool
    /// The kinds of the members, by the path of the record and the name.
    var records: [String: [String: String]] = [:]
  }

  /// A day: files that were written within one tell nothing of their order.
  private static let leastSpan = 86_400.0

  /// Finds the versions, oldest first.
  ///
  /// Examples are of different versions if their archives, or the types of a member, differ; if each has a member that
  /// the other lacks; or if one lacks members that the other has, in objects, which store nil, or if their files were
  /// written at different times or each form occurs repeatedly.
  ///
  /// - Throws: `ArchiveError` with code `mismatch` if examples of one version have several top-level keys.
  package func eras() throws(ArchiveError) -> [Era] {
    var eras = groups.map(\.era)
    let ends = (eras.map(\.dates.lowerBound).min() ?? 0, eras.map(\.dates.upperBound).max() ?? 0)
    let hasDates = ends.1 - ends.0 >= Self.leastSpan
    // Equal ones first, so that what is left is compared as a whole.
    try Self.merge(&eras) { $0.facts.differences(from: $1.facts).isEmpty }
    try Self.merge(&eras) { Self.isSameEra($0, $1, hasDates: hasDates) }
    eras.sort { Self.isBefore($0, $1, hasDates: hasDates) }
    for number in eras.indices.dropFirst() {
      eras[number].differences =
        eras[number].facts.differences(from: eras[number - 1].facts).text
    }
    return eras
  }

  private static func merge(
    _ eras: inout [Era], where isSame: (Era, Era) -> Bool
  ) throws(ArchiveError) {
    var first = 0
    while first < eras.count {
      if let second = eras.indices.dropFirst(first + 1).first(where: {
        isSame(eras[first], eras[$0])
      }) {
        try eras[first].merge(eras.remove(at: second))
        first = 0
      } else {
        first += 1
      }
    }
  }

  private static func isSameEra(_ one: Era, _ other: Era, hasDates: Bool) -> Bool {
    let found = other.facts.differences(from: one.facts)
    if found.isEmpty { return true }
    if found.isHard { return false }
    let isInterleaved = hasDates && one.dates.overlaps(other.dates)
    if isInterleaved { return true }
    if one.facts.storesNil || hasDates || !found.gone.isEmpty && !found.new.isEmpty { return false }
    return one.names.count < 2 || other.names.count < 2
  }

  private static func isBefore(_ one: Era, _ other: Era, hasDates: Bool) -> Bool {
    if hasDates, !one.dates.overlaps(other.dates) {
      return one.dates.lowerBound < other.dates.lowerBound
    }
    let counts = (one.facts.memberCount, other.facts.memberCount)
    if counts.0 != counts.1 { return counts.0 < counts.1 }
    return (one.names.first?.number ?? 0) < (other.names.first?.number ?? 0)
  }

  /// What one version has and another has not.
  fileprivate struct Differences {
    var new: [String] = []
    var gone: [String] = []
    var changed: [String] = []
    var archive: String?

    var isEmpty: Bool { new.isEmpty && gone.isEmpty && !isHard }
    /// Whether one version cannot have both.
    var isHard: Bool { !changed.isEmpty || archive != nil }

    var text: String {
      let parts = [("new", new), ("gone", gone), ("changed", changed)].compactMap { word, names in
        names.isEmpty ? nil : "\(word): \(names.joined(separator: ", "))"
      }
      return (parts + [archive].compactMap { $0 }).joined(separator: "; ")
    }
  }
}

extension EraSearch.Facts {
  init(_ schema: JSONTree, _ envelope: Envelope) {
    let rule = (schema["x-archive"]?.members ?? []).filter {
      !["list", "foundation"].contains($0.0)
    }
    archive = JSONTree.members(rule).compactText
    storesNil = envelope == .nscoding
    let document = ShapeDocument(tree: schema, envelope: envelope)
    var waiting = [(document.root, GraphPath())]
    var met: Set<String> = []
    while let (shape, path) = waiting.popLast() {
      if let reference = shape.reference, !met.insert("\(reference) \(path)").inserted { continue }
      guard path.steps.count < 32 else { continue }
      if shape.kind == .record {
        var kinds = records["\(path)"] ?? [:]
        for member in shape.members {
          let inner = document.shape(member.schema)
          kinds[member.name] = Self.kind(of: inner)
          waiting.append((inner, path.appending(.key(member.name))))
        }
        records["\(path)"] = kinds
      }
      for (step, part) in [
        (GraphPath.Step.anyElement, shape.tree["items"]), (.anyMember, shape.mapValue),
      ] {
        if let part { waiting.append((document.shape(part), path.appending(step))) }
      }
    }
  }

  /// The kind of a member; empty for one that was only nil, or of several types.
  private static func kind(of shape: SchemaShape) -> String {
    switch shape.kind {
    case .mixed: ""
    // Archives may store one as another.
    case .integer, .number, .boolean: "number"
    case let kind: kind.rawValue
    }
  }

  var memberCount: Int { records.values.reduce(0) { $0 + $1.count } }

  mutating func merge(_ other: EraSearch.Facts) {
    for (path, kinds) in other.records {
      records[path, default: [:]].merge(kinds) { $0.isEmpty ? $1 : $0 }
    }
  }

  /// What this has and another has not, in records that both have.
  func differences(from old: EraSearch.Facts) -> EraSearch.Differences {
    var result = EraSearch.Differences()
    if archive != old.archive { result.archive = "archive: \(archive), before \(old.archive)" }
    for (path, kinds) in records.sorted(by: { $0.key < $1.key }) {
      guard let before = old.records[path] else { continue }
      let prefix = path == "$" ? "" : path.dropFirst(2) + "."
      for (name, kind) in kinds.sorted(by: { $0.key < $1.key }) {
        guard let known = before[name] else {
          result.new.append(prefix + name)
          continue
        }
        if !kind.isEmpty, !known.isEmpty, kind != known {
          result.changed.append("\(prefix)\(name) from \(known) to \(kind)")
        }
      }
      for name in before.keys.sorted() where kinds[name] == nil {
        result.gone.append(prefix + name)
      }
    }
    return result
  }
}
