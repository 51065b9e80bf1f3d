// What a schema leaves open: answered by the request, refused, or written in a plain way and reported.

import Basics
import ObjectGraph

extension ArchiveAssembly {
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
      switch (step, unknowns.trails[current].step) {
      case (.anyElement, .index), (.anyElement, .key): break
      case (.key(let name), .key(let other)):
        guard name.hasSameScalars(as: other) else { return false }
      case (let step, let other): guard step == other else { return false }
      }
      current = unknowns.trails[current].parent
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
    _ kind: StoredDifference.Kind, _ text: String, _ trail: Int,
    _ message: @autoclosure () -> String
  ) throws(ArchiveError) {
    guard isLenient else { throw unknown(message(), trail) }
    unknowns.add(kind, text, trail)
  }

  /// A value whose class or storage is unknown or impossible.
  func unknown(
    _ message: String, _ trail: Int, about subject: ArchiveError.Subject? = nil
  ) -> ArchiveError {
    ArchiveError(.unrepresentable, message, path: path(trail), about: subject)
  }
}
