// What the validator remembers of a value that it is in the middle of.

import ObjectGraph

/// How a value was reached from the one before.
enum Arrival {
  /// It is the root.
  case root
  /// It is the same value under another schema.
  case inPlace
  /// It is the value of a member, by its index.
  case member(Int)
  /// It is an element.
  case element(Int)
  /// It is the name of a member.
  case name(Int)
  /// It is the model of the archive that the value holds.
  case archived

  var isInPlace: Bool { if case .inPlace = self { true } else { false } }
}

/// What a container holds.
enum Way {
  case nothing
  case elements(Elements)
  case members(Pairs)

  var count: Int {
    switch self {
    case .nothing: 0
    case .elements(let elements): elements.count
    case .members(let pairs): pairs.count
    }
  }
}

/// A value under a schema, and how far validation has come.
struct Frame {
  /// The groups of keywords, in the order in which they are looked at.
  enum Stage {
    case children
    case names
    case contains
    case inPlace
    case unevaluated
    case done
  }

  let node: Node
  let edge: Edge
  let arrival: Arrival
  let way: Way
  let count: Int
  /// How many failures and how many violations there were before.
  let failures: Int
  let violations: Int
  /// Whether evaluated members or elements are noted: the schema, or one that applied it, asks for them.
  let isTracking: Bool
  /// Whether the value is on no frame before this one.
  let isFirst: Bool
  var stage = Stage.children
  /// The member, element or applicator at hand.
  var next = 0
  /// The schema at hand of several for it, or the branch of an applicator; 0 before the first.
  var branch = 0
  /// How many failures there were before the applicator or element at hand, and before its branch.
  var mark = 0
  var branchMark = 0
  /// How many violations there were when the branches began to be looked at again for the causes of a failure; -1
  /// while they are only tried.
  var causeMark = -1
  /// How many violations had been counted then.
  var causeCount = 0
  /// How many branches or elements fit.
  var matches = 0
  /// The properties met so far, by position, up to 64.
  var seen: UInt64 = 0
  var evaluated = EvaluatedSet()
}
