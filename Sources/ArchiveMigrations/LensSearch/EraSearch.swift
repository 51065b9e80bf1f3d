// The versions of a model that examples in one folder are of.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import KeyedArchives

/// Divides examples into the versions that an application wrote one after the other.
package struct EraSearch {
  /// An example.
  package struct Example {
    /// Its name in messages.
    package let name: String
    /// Its bytes.
    package let storage: ByteStorage
    /// When its file was written, in seconds since 1970.
    package let written: Double
    fileprivate let facts: Facts

    /// Reads an example.
    ///
    /// - Throws: as `SchemaInference.add` does.
    package init(
      _ storage: ByteStorage, named name: String, written: Double,
      options: SchemaInference.Options
    ) throws(ArchiveError) {
      (self.storage, self.name, self.written) = (storage, name, written)
      var inference = SchemaInference(options: options)
      try inference.add(ArchiveReader().read(storage))
      facts = Facts(try inference.schema(family: "", version: ""), inference.envelope ?? .plist)
    }
  }

  /// The examples of one version.
  package struct Era {
    /// The examples, by their numbers.
    package fileprivate(set) var examples: [Int]
    fileprivate var facts: Facts
    fileprivate var dates: ClosedRange<Double>
    /// What tells it from the version before: `new: photo; gone: notes`; empty for the first.
    package fileprivate(set) var differences = ""
  }

  /// The members of the records of an example.
  fileprivate struct Facts {
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
  package static func eras(of examples: [Example]) -> [Era] {
    let dates = examples.map(\.written)
    let hasDates = (dates.max() ?? 0) - (dates.min() ?? 0) >= leastSpan
    var eras = examples.indices.map { number in
      Era(
        examples: [number], facts: examples[number].facts,
        dates: examples[number].written...examples[number].written)
    }
    // Equal ones first, so that what is left is compared as a whole.
    merge(&eras) { $0.facts.differences(from: $1.facts).isEmpty }
    merge(&eras) { isSameEra($0, $1, hasDates: hasDates) }
    eras.sort { isBefore($0, $1, hasDates: hasDates) }
    for number in eras.indices.dropFirst() {
      eras[number].differences =
        eras[number].facts.differences(from: eras[number - 1].facts).text
    }
    return eras
  }

  private static func merge(_ eras: inout [Era], where isSame: (Era, Era) -> Bool) {
    var first = 0
    while first < eras.count {
      if let second = eras.indices.dropFirst(first + 1).first(where: {
        isSame(eras[first], eras[$0])
      }) {
        let other = eras.remove(at: second)
        eras[first].examples = (eras[first].examples + other.examples).sorted()
        eras[first].facts.merge(other.facts)
        eras[first].dates =
          min(
            eras[first].dates.lowerBound, other.dates.lowerBound)...max(
            eras[first].dates.upperBound, other.dates.upperBound)
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
    return one.examples.count < 2 || other.examples.count < 2
  }

  private static func isBefore(_ one: Era, _ other: Era, hasDates: Bool) -> Bool {
    if hasDates, !one.dates.overlaps(other.dates) {
      return one.dates.lowerBound < other.dates.lowerBound
    }
    let counts = (one.facts.memberCount, other.facts.memberCount)
    return counts.0 == counts.1 ? one.examples[0] < other.examples[0] : counts.0 < counts.1
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
