// What a schema leaves open: answered by the request, refused, or written in a plain way and reported.

import Basics
import ObjectGraph

extension ArchiveAssembly {
  /// A class or a storage that nothing names, and what was written instead.
  public struct Unknown: Sendable {
    /// What is not known.
    public enum Kind: Sendable {
      /// The class of a value with members.
      case `class`
      /// Whether a number is stored inline or boxed.
      case storage
    }

    /// What is not known.
    public let kind: Kind
    /// The path of the first such value.
    public let path: GraphPath
    /// The class or the storage that was written.
    public let text: String
    /// The number of values whose paths differ in nothing but the positions of elements.
    public internal(set) var count = 1
  }

  /// What was found not to be known.
  struct Unknowns {
    /// A path without the positions of its elements: the number of the one before, and a step.
    struct Pattern: Hashable {
      let parent: Int
      let step: GraphPath.Step
    }

    struct Key: Hashable {
      let kind: Unknown.Kind
      let pattern: Int
    }

    var list: [Unknown] = []
    /// Where the unknowns are in the list.
    var known: [Key: Int] = [:]
    var patterns: [Pattern: Int] = [:]
    /// The patterns of the paths that were looked at.
    var ofTrails = [-1: 0]
    /// The steps of all paths in the list, which are bounded: paths may be long, and many.
    var steps = 0
  }

  private static var stepLimit: Int { 1 << 20 }

  // MARK: Answers of the request

  /// What is known about the class and the storage of a value.
  func rule(_ value: Value, _ trail: Int) -> StructureRule? {
    rule(value.place, value.isKey ? nil : trail)
  }

  /// What is known about the class of a container.
  func rule(_ item: Work) -> StructureRule? { rule(item.place, item.isKey ? nil : item.trail) }

  /// The schema's rule, with the class that the request has for the path if the schema names none.
  private func rule(_ place: Int, _ trail: Int?) -> StructureRule? {
    let rule = request.shape.structure(place)
    guard !request.classes.isEmpty, rule?.className == nil, let trail,
      let answer = request.classes.last(where: { isAt($0.path, trail) })
    else { return rule }
    var answered = rule ?? StructureRule()
    answered.classes.insert(answer.name, at: 0)
    return answered
  }

  /// Whether a path, in which `anyElement` is any element or member, leads to a value.
  private func isAt(_ path: GraphPath, _ trail: Int) -> Bool {
    var current = trail
    for step in path.steps.reversed() {
      guard current >= 0 else { return false }
      switch (step, trails[current].step) {
      case (.anyElement, .index), (.anyElement, .key): break
      case (.key(let name), .key(let other)):
        guard name.hasSameScalars(as: other) else { return false }
      case (let step, let other): guard step == other else { return false }
      }
      current = trails[current].parent
    }
    return current < 0
  }

  /// The storage of a number in a field.
  mutating func storage(
    _ rule: StructureRule?, _ trail: Int
  ) throws(ArchiveError) -> FieldStorage {
    if let storage = rule?.storage ?? request.openStorage { return storage }
    try leaveOpen(
      .storage, FieldStorage.boxed.rawValue, trail,
      "whether the number is stored inline or boxed is not known: name it in the schema by x-storage, in the lens by store, or for all such numbers with --storage"
    )
    return .boxed
  }

  // MARK: Values that nothing answers

  /// Remembers what is written for lack of a name, or refuses to write it.
  mutating func leaveOpen(
    _ kind: Unknown.Kind, _ text: String, _ trail: Int, _ message: @autoclosure () -> String
  ) throws(ArchiveError) {
    guard isLenient else { throw unknown(message(), trail) }
    let key = Unknowns.Key(kind: kind, pattern: pattern(of: trail))
    if let known = unknowns.known[key] {
      unknowns.list[known].count += 1
      return
    }
    guard unknowns.steps < Self.stepLimit else { return }
    let path = path(trail)
    unknowns.steps += path.steps.count
    unknowns.known[key] = unknowns.list.count
    unknowns.list.append(Unknown(kind: kind, path: path, text: text))
  }

  /// The number of a path without the positions of its elements.
  private mutating func pattern(of trail: Int) -> Int {
    var open: [Int] = []
    var current = trail
    while unknowns.ofTrails[current] == nil {
      open.append(current)
      current = trails[current].parent
    }
    var pattern = unknowns.ofTrails[current] ?? 0
    for trail in open.reversed() {
      var step = trails[trail].step
      if case .index = step { step = .anyElement }
      let next = Unknowns.Pattern(parent: pattern, step: step)
      pattern = unknowns.patterns[next] ?? unknowns.patterns.count + 1
      unknowns.patterns[next] = pattern
      unknowns.ofTrails[trail] = pattern
    }
    return pattern
  }

  /// A value whose class or storage is unknown or impossible.
  func unknown(_ message: String, _ trail: Int) -> ArchiveError {
    ArchiveError(.unrepresentable, message, path: path(trail))
  }
}
