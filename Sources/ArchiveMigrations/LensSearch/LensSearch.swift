// Finds the lens between two versions: from their schemas, and from samples that exist in both.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting

/// Finds the operations that lead from one version to another.
package struct LensSearch {
  /// The lens that was found.
  package struct Result {
    /// The lens file.
    package let tree: JSONTree
    /// What was concluded from less than a schema says, with the location in the old model.
    package let remarks: [String]
    /// The choices that are open.
    package let questions: [LensQuestion]
  }

  private static let depthLimit = 40
  /// How many hypotheses within one another are examined: each may lead to several.
  private static let trialLimit = 8

  private let source: ShapeDocument
  private let target: ShapeDocument
  private let witnesses: [LensWitness]
  private let versions: (source: SchemaVersion, target: SchemaVersion)
  /// Answers a question with the number of a candidate; nil leaves it open.
  private let answer: (LensQuestion) -> Int?

  /// How many hypotheses within one another are examined, about which nobody is asked.
  private var trialDepth = 0
  private var isTrying: Bool { trialDepth > 0 }
  private var path = GraphPath()
  private var named: [(name: String, operations: [JSONTree])] = []
  private var remarks: [String] = []
  private var questions: [LensQuestion] = []
  /// The pairs of definitions that are being compared, and those of them that contain themselves.
  private var openPairs: [String] = []
  private var recursivePairs: Set<String> = []
  private var depth = 0

  /// Specifies a search.
  ///
  /// - Parameters:
  ///   - samples: archives of both versions; those of one name are the same model.
  ///   - answer: answers a question with the number of a candidate; nil leaves it open.
  package init(
    from source: SchemaVersion, to target: SchemaVersion, samples: [LensSample] = [],
    answer: @escaping (LensQuestion) -> Int? = { _ in nil }
  ) {
    (self.source, self.target) = (ShapeDocument(source), ShapeDocument(target))
    versions = (source, target)
    witnesses = LensSample.witnesses(samples, from: source.name, to: target.name)
    self.answer = answer
  }

  /// Finds the lens.
  package mutating func run() -> Result {
    var operations = rootClass()
    operations +=
      value(ShapePair(old: source.root, new: target.root, seen: witnesses))
      ?? question(
        "no operation leads from \(source.root.words) to \(target.root.words)", [])
    return Result(
      tree: LensTrees.file(operations, named: named), remarks: remarks, questions: questions)
  }

  // MARK: Values

  /// The operations on a value, perhaps one inside that of the last call; nil if none are known.
  mutating func value(_ pair: ShapePair, at step: GraphPath.Step? = nil) -> [JSONTree]? {
    guard depth < Self.depthLimit else { return nil }
    let outer = path
    depth += 1
    path = path(to: step)
    defer {
      depth -= 1
      path = outer
    }
    switch (pair.old.kind, pair.new.kind) {
    case (.record, .record): return records(pair)
    case (.map, .map): return parts(pair, pair.old.mapValue, pair.new.mapValue)
    case (.list, .list): return parts(pair, pair.old.tree["items"], pair.new.tree["items"])
    case (.record, .map), (.map, .record), (.mixed, _), (_, .mixed):
      return pair.isUnchanged ? [] : pair.variantChanges(&self)
    case (.list, .map), (.map, .list): return pair.grouping(&self)
    case (let old, let new) where old.isScalar && new.isScalar: return pair.scalarChanges(&self)
    default: return pair.shapeChanges(&self)
    }
  }

  /// The operations on the elements of lists, or on the values of dictionaries.
  private mutating func parts(
    _ pair: ShapePair, _ one: JSONTree?, _ other: JSONTree?
  ) -> [JSONTree]? {
    guard let one, let other else { return [] }
    let inner = ShapePair(
      old: source.shape(one), new: target.shape(other), seen: pair.seen.parts)
    return value(inner, at: .anyElement).map { LensTrees.within(pair.name, LensTrees.map($0)) }
  }

  private mutating func records(_ pair: ShapePair) -> [JSONTree] {
    let (old, new, name) = (pair.old, pair.new, pair.name)
    guard let one = old.reference, let other = new.reference else {
      return classChange(old, new, name)
        + LensTrees.within(name, members(old, new, pair.seen))
    }
    let (key, lens) = ("\(one) \(other)", Self.lensName(of: new))
    if openPairs.contains(key) {
      recursivePairs.insert(key)
      return LensTrees.within(name, [LensTrees.use(lens)])
    }
    openPairs.append(key)
    let members = members(old, new, pair.seen)
    openPairs.removeLast()
    guard recursivePairs.contains(key) else {
      return classChange(old, new, name) + LensTrees.within(name, members)
    }
    let whole = classChange(old, new, nil) + members
    if LensTrees.onlyUse(lens, whole) { return [] }
    if !named.contains(where: { $0.name == lens }) { named.append((lens, whole)) }
    return LensTrees.within(name, [LensTrees.use(lens)])
  }

  /// The operations on the members of an object.
  mutating func members(
    _ old: SchemaShape, _ new: SchemaShape, _ seen: [LensWitness]
  ) -> [JSONTree] {
    var search = MemberSearch(old, new, seen, in: self)
    let operations = search.run()
    self = search.whole
    return operations
  }

  /// The operations on a value that are found without asking, and what tries them; nil if none are known.
  func hypothesis(_ pair: ShapePair) -> (operations: [JSONTree], trial: LensTrial)? {
    guard trialDepth < Self.trialLimit else { return nil }
    var search = self
    search.trialDepth += 1
    return search.value(pair).map { ($0, search.trial) }
  }

  private var trial: LensTrial {
    LensTrial(envelopes: (source.envelope, target.envelope), named: named)
  }

  /// The name of the lens for a definition that contains itself.
  private static func lensName(of shape: SchemaShape) -> String {
    let name = shape.reference?.split(separator: "/").last.map(String.init) ?? ""
    // A reference to the root has no name.
    return name.isEmpty || name == "#" ? "model" : name.lowercased()
  }

  // MARK: Classes

  private var isOfObjects: Bool { source.envelope == .nscoding && target.envelope == .nscoding }

  private func classChange(
    _ old: SchemaShape, _ new: SchemaShape, _ name: String?
  ) -> [JSONTree] {
    guard isOfObjects, let one = old.className, let other = new.className, one != other else {
      return []
    }
    return [LensTrees.operation("class", on: name, ["from": one, "to": other])]
  }

  /// The change of the root's class, if only the rules for the archive name it.
  private func rootClass() -> [JSONTree] {
    guard isOfObjects, source.root.className == nil || target.root.className == nil else {
      return []
    }
    let names = [versions.source, versions.target].map { version in
      version.classPatterns.first { !$0.contains("*") }
    }
    guard let one = names[0], let other = names[1], one != other else { return [] }
    return [LensTrees.operation("class", on: nil, ["from": one, "to": other])]
  }

  // MARK: Choices

  /// The operations of several that the samples confirm, or the only ones; otherwise a question.
  ///
  /// - Returns: nil if there are none, or the samples refute all of them.
  mutating func choose(
    _ candidates: [[JSONTree]], for pair: ShapePair, _ text: String? = nil
  ) -> [JSONTree]? {
    if candidates.isEmpty { return nil }
    if pair.seen.contains(where: { $0.both != nil }) {
      return candidates.first { trial.leads($0, through: pair.seen, at: pair.name) }
    }
    let values = pair.seen.compactMap(\.old).filter { !$0.isNothing }
    let possible = candidates.filter { operations in
      LensTrees.hasQuestion(operations)
        || values.allSatisfy { trial.result(of: operations, on: $0, at: pair.name) != nil }
    }
    if candidates.count == 1 || !values.isEmpty, possible.count == 1 { return possible.first }
    if possible.isEmpty { return nil }
    return question(text ?? "how does \(pair.old.words) become \(pair.new.words)?", possible)
  }

  /// A choice that a person makes, now or in the file.
  mutating func question(
    _ text: String, _ candidates: [[JSONTree]], at step: GraphPath.Step? = nil
  ) -> [JSONTree] {
    let question = LensQuestion(
      path: path(to: step), text: text, candidates: candidates.map(LensTrees.title))
    if !isTrying {
      if let number = answer(question), candidates.indices.contains(number) {
        return candidates[number]
      }
      questions.append(question)
    }
    return [LensTrees.question(text, candidates)]
  }

  mutating func remark(_ text: String) {
    if !isTrying { remarks.append("\(path): \(text)") }
  }

  private func path(to step: GraphPath.Step?) -> GraphPath {
    step.map { path.appending($0) } ?? path
  }
}

/// A value at one location of both versions.
struct ShapePair {
  let old: SchemaShape
  let new: SchemaShape
  /// The member that operations name; nil if they apply to the value itself.
  var name: String?
  /// The values of samples.
  let seen: [LensWitness]

  /// Whether values may stay as they are.
  fileprivate var isUnchanged: Bool {
    let both = seen.compactMap(\.both)
    if !both.isEmpty { return both.allSatisfy { $0.old.isSame(as: $0.new, .model) } }
    let isSame = old.document.signature(of: old.tree) == new.document.signature(of: new.tree)
    let isFree = new.types.isEmpty && new.alternatives.isEmpty || new.kind == .map
    return isSame || isFree && new.mapValue == nil
  }
}

extension SchemaShape {
  /// The values of a location in words.
  var words: String {
    switch kind {
    case .record: "an object"
    case .map: "a dictionary"
    case .list: "a list"
    case .text: "text"
    case .url: "a URL"
    case .uuid: "a UUID"
    case .integer: "an integer"
    case .mixed: types.isEmpty ? "any value" : "values of several types"
    case .data: "data"
    default: "a \(kind.rawValue)"
    }
  }
}
