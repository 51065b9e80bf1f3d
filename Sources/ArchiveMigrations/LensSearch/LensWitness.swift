// The values of samples that exist in two versions: they show which operations lead from one to the other.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import KeyedArchives

/// A value at one location in a sample of the old version and in its counterpart of the new one.
struct LensWitness {
  /// The old value; nil if it is absent, or there is no such sample.
  var old: SyntheticValue?
  /// The new value; nil if it is absent, or there is no such sample.
  var new: SyntheticValue?

  /// Both values, unless one of them is absent or null.
  var both: (old: SyntheticValue, new: SyntheticValue)? {
    guard let old, let new, !old.isNothing, !new.isNothing else { return nil }
    return (old, new)
  }
}

extension [LensWitness] {
  func member(_ name: String) -> [LensWitness] { members(name, name) }

  /// The values of a member with another name in the new version.
  func members(_ old: String, _ new: String) -> [LensWitness] {
    changing(old: { $0[old] }, new: { $0[new] })
  }

  /// The values in lists, of which the old one and the new one have the same length, and of dictionaries.
  var parts: [LensWitness] {
    flatMap { witness -> [LensWitness] in
      switch (witness.old, witness.new) {
      case (.list(let old)?, .list(let new)?) where old.count == new.count:
        return zip(old, new).map { LensWitness(old: $0, new: $1) }
      case (.members(let old)?, .members(let new)?):
        return old.compactMap { member in
          new.first { $0.name == member.name }.map { LensWitness(old: member.value, new: $0.value) }
        }
      case (let old, let new):
        return (old?.parts ?? []).map { LensWitness(old: $0) }
          + (new?.parts ?? []).map { LensWitness(new: $0) }
      }
    }
  }

  /// The same after a change of the old or the new values, or with parts in place of them.
  func changing(
    old: (SyntheticValue) -> SyntheticValue? = { $0 },
    new: (SyntheticValue) -> SyntheticValue? = { $0 }
  ) -> [LensWitness] {
    map { LensWitness(old: $0.old.flatMap(old), new: $0.new.flatMap(new)) }
  }

  /// The commonest of some values; of several, the first.
  static func commonest(_ values: [SyntheticValue]) -> SyntheticValue? {
    var counts: [String: Int] = [:]
    let keys = values.map { $0.lensTree.compactText }
    for key in keys { counts[key, default: 0] += 1 }
    guard let most = counts.values.max() else { return nil }
    return keys.firstIndex { counts[$0] == most }.map { values[$0] }
  }
}

// MARK: - Reading the models of samples

/// A sample of one of two versions.
package struct LensSample {
  /// The name that it shares with its counterpart of another version.
  let name: String
  /// The version's name.
  let version: String
  /// The models in it: one, or those of a list.
  let models: [SyntheticValue]
}

extension LensSample {
  /// Reads a sample of the first of two versions that it fits.
  ///
  /// - Returns: nil if it fits neither.
  /// - Throws: `ArchiveError` if it cannot be decoded.
  package init?(
    _ storage: ByteStorage, named name: String, of versions: [SchemaVersion]
  ) throws(ArchiveError) {
    let graph = try ArchiveReader().read(storage)
    guard let model = graph.unwrapModel(), let version = try Self.version(of: graph, in: versions)
    else { return nil }
    var budget = SyntheticValue.modelLimit
    let root = version.model(model, in: graph).root
    let value = SyntheticValue(model: root, of: graph, depth: 0, &budget)
    self.init(name: name, value: value, of: version)
  }

  /// Takes the value of a model, or of a list of models.
  init(name: String, value: SyntheticValue, of version: SchemaVersion) {
    var models = [value]
    if version.allowsList, case .list(let items) = value { models = items }
    self.init(name: name, version: version.name, models: models)
  }

  private static func version(
    of graph: ObjectGraph, in versions: [SchemaVersion]
  ) throws(ArchiveError) -> SchemaVersion? {
    for version in versions {
      if try version.validate(graph).isEmpty { return version }
    }
    return nil
  }

  /// The samples of a family of the versions: the files in its folder `samples`.
  ///
  /// - Throws: `ArchiveError` that names the file that cannot be decoded.
  package static func samples(
    of family: SchemaFamily, _ versions: [SchemaVersion]
  ) throws(ArchiveError) -> [LensSample] {
    var samples: [LensSample] = []
    for version in versions {
      for (name, path) in try family.sampleFiles(of: version) {
        let sample = try ArchiveError.inFile(path) { () throws(ArchiveError) in
          try LensSample(ByteStorage.open(path: path), named: name, of: [version])
        }
        if let sample { samples.append(sample) }
      }
    }
    return samples
  }

  /// The models of two versions, those of one name together.
  static func witnesses(
    _ samples: [LensSample], from source: String, to target: String
  ) -> [LensWitness] {
    let old = samples.filter { $0.version == source }
    var new = samples.filter { $0.version == target }
    var result: [LensWitness] = []
    for sample in old {
      let index =
        new.firstIndex { $0.name == sample.name } ?? (old.count == 1 && new.count == 1 ? 0 : nil)
      let other = index.map { new.remove(at: $0).models } ?? []
      let isPair = other.count == sample.models.count
      for (position, model) in sample.models.enumerated() {
        result.append(LensWitness(old: model, new: isPair ? other[position] : nil))
      }
      if !isPair { result += other.map { LensWitness(new: $0) } }
    }
    return result + new.flatMap { $0.models.map { LensWitness(new: $0) } }
  }
}

extension SchemaFamily {
  /// The files in its folder `samples` of a version.
  func sampleFiles(
    of version: SchemaVersion
  ) throws(ArchiveError) -> [(name: String, path: String)] {
    let folder = (folder ?? "") + "/samples/" + version.name
    guard self.folder != nil, FolderListing.isFolder(folder) else { return [] }
    return try FolderListing.names(in: folder).map { String(pathBytes: $0) }
      .filter { !$0.hasPrefix(".") && FolderListing.isFile(folder + "/" + $0) }
      .map { ($0, folder + "/" + $0) }
  }
}

// MARK: - Values apart from their graphs

extension SyntheticValue {
  /// How many values of a model are looked at.
  static let modelLimit = 200_000
  private static let depthLimit = 64

  /// A model with everything in it; what is too deep or too much is null.
  init(model node: Node, of graph: ObjectGraph, depth: Int, _ budget: inout Int) {
    budget -= 1
    guard budget > 0, depth < Self.depthLimit else {
      self = .null
      return
    }
    switch graph.value(of: node) {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      var items: [SyntheticValue] = []
      for position in 0..<elements.count {
        let item = graph.node(elements, position)
        items.append(SyntheticValue(model: item, of: graph, depth: depth + 1, &budget))
      }
      self = .list(items)
    case .dictionary(let pairs), .object(_, let pairs):
      var members: [(name: String, value: SyntheticValue)] = []
      for position in 0..<pairs.count {
        guard let name = graph.memberName(pairs, position)?.string else { continue }
        let value = graph.value(pairs, position)
        members.append(
          (name, SyntheticValue(model: value, of: graph, depth: depth + 1, &budget)))
      }
      self = .members(members)
    default: self = SyntheticValue(scalar: node, of: graph) ?? .null
    }
  }

  var isNothing: Bool { if case .null = self { true } else { false } }

  /// The elements of a list, or the values of an object.
  var parts: [SyntheticValue] {
    switch self {
    case .list(let items): items
    case .members(let members): members.map(\.value)
    default: []
    }
  }

  /// The object with a member, or without it.
  func setting(_ name: String, _ value: SyntheticValue?) -> SyntheticValue {
    guard case .members(let members) = self else { return self }
    let others = members.filter { $0.name != name }
    return .members(others + (value.map { [(name: name, value: $0)] } ?? []))
  }

  /// The value as a lens file writes it.
  var lensTree: JSONTree {
    switch self {
    case .date(let seconds):
      let text = Timestamp(secondsFromReference: seconds)?.text ?? "\(seconds)"
      return .members([("$date", .string(text))])
    case .data(let bytes): return .members([("$data", .string(Self.base64(bytes)))])
    case .list(let items): return .list(items.map(\.lensTree))
    case .members(let members): return .members(members.map { ($0.name, $0.value.lensTree) })
    default: return sampleTree
    }
  }

  /// Whether it may be what a member has by default: contents are of one model alone.
  var mayBeStandard: Bool {
    switch self {
    case .data, .date: false
    case .list(let items): items.isEmpty
    case .members(let members): members.isEmpty
    default: true
    }
  }

  /// Whether an equal value elsewhere is hardly a coincidence.
  var isDistinctive: Bool {
    switch self {
    case .string(let text): text.utf8.count > 1
    case .integer(let number): number.magnitude > 9
    case .unsigned, .real, .date, .data: true
    case .list(let items): items.contains(where: \.isDistinctive)
    case .members(let members): members.contains(where: \.value.isDistinctive)
    default: false
    }
  }
}

// MARK: - Trying operations on the values of samples

/// Applies operations to values of samples.
struct LensTrial {
  let envelopes: (source: Envelope, target: Envelope)
  /// The lenses that the operations use.
  let named: [(name: String, operations: [JSONTree])]

  /// What operations on a member make of its value; without a name, of the value itself.
  ///
  /// - Returns: nil if they refuse it, or are not complete.
  func result(
    of operations: [JSONTree], on value: SyntheticValue, at name: String?,
    _ direction: LensDirection = .forward
  ) -> SyntheticValue? {
    if operations.isEmpty { return value }
    guard let lens = try? LensReader.read(LensTrees.file(operations, named: named)) else {
      return nil
    }
    let whole = name.map { SyntheticValue.members([(name: $0, value: value)]) } ?? value
    let (root, graph) = whole.inGraph()
    let step = LensStep(
      file: LensFile(
        source: "a", target: "b", lens: lens, path: nil,
        envelopes: (envelopes.source, envelopes.target)), direction: direction)
    guard let made = try? LensInterpreter.apply([step], to: root, of: graph) else { return nil }
    var budget = SyntheticValue.modelLimit
    let result = SyntheticValue(model: made.root, of: graph, depth: 0, &budget)
    return name.map { result[$0] } ?? result
  }

  /// Whether operations lead from old values to new ones, or back: what a direction loses shows only in the other.
  func leads(_ operations: [JSONTree], through seen: [LensWitness], at name: String?) -> Bool {
    seen.compactMap(\.both).allSatisfy { old, new in
      result(of: operations, on: old, at: name)?.isSame(as: new, .model) == true
        || result(of: operations, on: new, at: name, .backward)?.isSame(as: old, .model) == true
    }
  }
}
