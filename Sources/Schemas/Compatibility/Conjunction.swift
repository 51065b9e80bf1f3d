// What is known about a value: the schemas that it fits, all at the same time.

import Basics

/// Schemas that one value fits together.
struct Conjunction: Hashable {
  /// A choice among branches that was already made.
  struct Choice: Hashable {
    let place: Subschema
    let keyword: String
  }

  /// Sorted and unique, so that equal conjunctions are equal.
  private(set) var places: [Subschema] = []
  /// The kinds that the value may have, apart from what the schemas require.
  var kinds: ValueKinds
  /// The `anyOf`, `oneOf` and `if` keywords whose branch is among the schemas.
  private(set) var choices: Set<Choice> = []

  init(_ places: [Subschema], kinds: ValueKinds = .all) {
    self.kinds = kinds
    add(places)
  }

  /// The conjunction with more schemas.
  func adding(_ more: [Subschema], choosing choice: Choice? = nil) -> Conjunction {
    var result = self
    result.add(more)
    if let choice { result.choices.insert(choice) }
    return result
  }

  private mutating func add(_ more: [Subschema]) {
    for place in more where !places.contains(place) { places.append(place) }
    places.sort {
      ($0.side.rawValue, CodePointString($0.pointer)) < (
        $1.side.rawValue, CodePointString($1.pointer)
      )
    }
  }
}
