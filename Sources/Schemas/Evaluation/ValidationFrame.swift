// The state of the validator for a value that it has not finished.

import ObjectGraph

/// How a value was reached from the previous one.
enum Arrival {
  /// The root.
  case root
  /// The same value under another schema.
  case inPlace
  /// The value of a member, by its index.
  case member(Int)
  /// An element.
  case element(Int)
  /// The name of a member.
  case name(Int)
  /// The model of the archive that the value contains.
  case archived

  var isInPlace: Bool { if case .inPlace = self { true } else { false } }
}

/// The contents of a container.
enum Children {
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

/// A value under a schema, and how far its validation has progressed.
///
/// This does not use `GraphWalk`: a level is a value under a schema, and validation is most costly here.
struct ValidationFrame {
  /// The groups of keywords, in the order in which they are checked.
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
  let children: Children
  let count: Int
  /// How many failures and how many violations there were before.
  let failures: Int
  let violations: Int
  /// Whether evaluated members or elements are recorded: the schema, or one that applied it, needs them.
  let isTracking: Bool
  /// Whether no earlier frame has the value.
  let isFirst: Bool
  var stage = Stage.children
  /// The current member, element or applicator.
  var next = 0
  /// The current schema if there are several, or the branch of an applicator; 0 before the first.
  var branch = 0
  /// How many failures there were before the current applicator or element, and before its branch.
  var mark = 0
  var branchMark = 0
  /// How many violations there were when the branches were checked again for the causes of a failure.
  ///
  /// It is -1 while the branches are only tried.
  var causeMark = -1
  /// How many violations had been counted at that time.
  var causeCount = 0
  /// How many branches or elements fit.
  var matches = 0
  /// The properties seen so far, by position, up to 64.
  var seen: UInt64 = 0
  var evaluated = EvaluatedSet()
}

// MARK: - Evaluated members or elements, which `unevaluatedProperties` and `unevaluatedItems` skip

/// Positions in a container.
struct EvaluatedSet {
  private var words: [UInt64] = []

  /// Adds a position.
  mutating func insert(_ position: Int) {
    let word = position >> 6
    while words.count <= word { words.append(0) }
    words[word] |= 1 << UInt64(position & 63)
  }

  /// Whether a position is in the set.
  func contains(_ position: Int) -> Bool {
    let word = position >> 6
    return word < words.count && words[word] & (1 << UInt64(position & 63)) != 0
  }

  /// Adds all positions of another set.
  mutating func formUnion(_ other: EvaluatedSet) {
    while words.count < other.words.count { words.append(0) }
    for (index, word) in other.words.enumerated() { words[index] |= word }
  }
}

// MARK: - Remembers which property of a schema a key matches, by the key's node

/// Caches the positions of properties for the keys of one validation.
final class PositionCache {
  private struct Member: Equatable {
    var key = Node(document: .max, index: .max)
    var place: Int32 = -1
    var isField = false
  }

  private let schema: CompiledSchema
  private let cache = DirectMappedCache<Member, Int32>(slots: 1024, empty: (Member(), -1))

  init(_ schema: CompiledSchema) { self.schema = schema }

  /// The position of a key's property; -1 if the schema does not name it.
  @inline(__always)
  func position(
    of key: Node, _ isField: Bool, _ place: Int, _ rules: UnsafeMutablePointer<ObjectRules>,
    _ graph: ObjectGraph
  ) -> Int {
    // Keys of one dictionary are stored side by side, so neighbors must not collide.
    let hash = Int(key.index) &+ place &* 67
    let member = Member(
      key: key, place: Int32(truncatingIfNeeded: place), isField: isField)
    return cache.find(member, hash: hash).map { Int($0) } ?? find(member, hash, rules, graph)
  }

  @inline(never)
  private func find(
    _ member: Member, _ hash: Int, _ rules: UnsafeMutablePointer<ObjectRules>, _ graph: ObjectGraph
  ) -> Int {
    var position = -1
    if let name = graph.keyText(of: member.key) {
      position =
        ObjectRules.position(of: member.isField ? name.unmangledKey : name, in: rules) ?? -1
    }
    cache.slot(hash).pointee = (member, Int32(position))
    return position
  }
}
