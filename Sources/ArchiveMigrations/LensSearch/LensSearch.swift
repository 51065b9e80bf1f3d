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

  /// How deep the models are followed.
  private static let depthLimit = 40

  let source: ShapeDocument
  let target: ShapeDocument
  private let witnesses: [LensWitness]
  private let versions: (source: SchemaVersion, target: SchemaVersion)
  /// Answers a question with the number of a candidate; nil leaves it open.
  private let answer: (LensQuestion) -> Int?

  /// Whether a hypothesis is examined, about which nobody is asked.
  var isTrying = false
  var path = GraphPath()
  private(set) var named: [(name: String, operations: [JSONTree])] = []
  private(set) var remarks: [String] = []
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
      value(source.root, target.root, nil, witnesses)
      ?? question("no operation leads from \(words(source.root)) to \(words(target.root))", [])
    return Result(
      tree: LensTrees.file(operations, named: named), remarks: remarks, questions: questions)
  }

  /// Applies operations to values of samples.
  var trial: LensTrial {
    LensTrial(envelopes: (source.envelope, target.envelope), named: named)
  }

  // MARK: Values

  /// The operations on a member, or without a name on the value itself; nil if none are known.
  mutating func value(
    _ old: SchemaShape, _ new: SchemaShape, _ name: String?, _ seen: [LensWitness]
  ) -> [JSONTree]? {
    guard depth < Self.depthLimit else { return nil }
    depth += 1
    defer { depth -= 1 }
    switch (old.kind, new.kind) {
    case (.record, .record): return records(old, new, name, seen)
    case (.map, .map):
      guard let one = old.mapValue, let other = new.mapValue else { return [] }
      return parts(source.shape(one), target.shape(other), name, seen)
    case (.list, .list):
      guard let one = old.tree["items"], let other = new.tree["items"] else { return [] }
      return parts(source.shape(one), target.shape(other), name, seen)
    case (.record, .map), (.map, .record), (.mixed, _), (_, .mixed):
      return unchanged(old, new, seen) ?? variants(old, new, name, seen)
    case (.list, .map): return grouped("group", old, new, name, seen)
    case (.map, .list): return grouped("ungroup", new, old, name, seen)
    case (_, _) where old.kind.isScalar && new.kind.isScalar:
      return scalar(old, new, name, seen)
    default: return reshaped(old, new, name, seen)
    }
  }

  /// Nothing, if values may stay as they are.
  private func unchanged(
    _ old: SchemaShape, _ new: SchemaShape, _ seen: [LensWitness]
  ) -> [JSONTree]? {
    let both = seen.compactMap(\.both)
    if !both.isEmpty { return both.allSatisfy { $0.old.isEqual(to: $0.new) } ? [] : nil }
    let isSame = source.signature(of: old.tree) == target.signature(of: new.tree)
    let isFree = new.types.isEmpty && new.alternatives.isEmpty || new.kind == .map
    return isSame || isFree && new.mapValue == nil ? [] : nil
  }

  /// The operations on the elements of lists, or on the values of dictionaries.
  private mutating func parts(
    _ old: SchemaShape, _ new: SchemaShape, _ name: String?, _ seen: [LensWitness]
  ) -> [JSONTree]? {
    path.steps.append(.anyElement)
    defer { path.steps.removeLast() }
    guard let inner = value(old, new, nil, seen.parts) else { return nil }
    return LensTrees.within(name, LensTrees.map(inner))
  }

  private mutating func records(
    _ old: SchemaShape, _ new: SchemaShape, _ name: String?, _ seen: [LensWitness]
  ) -> [JSONTree]? {
    let pair = "\(old.reference ?? "") \(new.reference ?? "")"
    let isDefined = old.reference != nil && new.reference != nil
    let lens = Self.lensName(of: new)
    if isDefined, openPairs.contains(pair) {
      recursivePairs.insert(pair)
      return LensTrees.within(name, [LensTrees.use(lens)])
    }
    if isDefined { openPairs.append(pair) }
    let members = members(old, new, seen)
    if isDefined { openPairs.removeLast() }
    guard recursivePairs.contains(pair), isDefined else {
      return classChange(old, new, name) + LensTrees.within(name, members)
    }
    let whole = classChange(old, new, nil) + members
    if LensTrees.onlyUse(lens, whole) { return [] }
    if !named.contains(where: { $0.name == lens }) { named.append((lens, whole)) }
    return LensTrees.within(name, [LensTrees.use(lens)])
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
  /// - Returns: nil if the samples refute all of them.
  mutating func choose(
    _ candidates: [[JSONTree]], _ text: String, _ name: String?, _ seen: [LensWitness]
  ) -> [JSONTree]? {
    if seen.contains(where: { $0.both != nil }) {
      return candidates.first { trial.leads($0, through: seen, at: name) }
    }
    let values = seen.compactMap(\.old).filter { !$0.isNothing }
    let possible = candidates.filter { operations in
      LensTrees.hasQuestion(operations)
        || values.allSatisfy { trial.result(of: operations, on: $0, at: name) != nil }
    }
    if candidates.count == 1 || !values.isEmpty, possible.count == 1 { return possible.first }
    if possible.isEmpty, !candidates.isEmpty { return nil }
    return question(text, possible)
  }

  /// A choice that a person makes, now or in the file.
  mutating func question(_ text: String, _ candidates: [[JSONTree]]) -> [JSONTree] {
    let question = LensQuestion(
      path: path, text: text, candidates: candidates.map(LensTrees.title))
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

  /// The values of a location in words.
  func words(_ shape: SchemaShape) -> String {
    switch shape.kind {
    case .record: "an object"
    case .map: "a dictionary"
    case .list: "a list"
    case .text: "text"
    case .url: "a URL"
    case .uuid: "a UUID"
    case .integer: "an integer"
    case .mixed: shape.types.isEmpty ? "any value" : "values of several types"
    case .data: "data"
    default: "a \(shape.kind.rawValue)"
    }
  }
}
