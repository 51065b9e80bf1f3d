// Compares the properties that an archive of objects stores in addition to values, in two models with equal values.

import Basics
import KeyedArchives
import ObjectGraph

/// Finds the first object whose class, storage or identity differs; unarchivers ignore the order of members.
struct ObjectDifference {
  private struct Pair: Hashable {
    let left: Node
    let right: Node
  }

  private let source: ObjectGraph
  private let target: ObjectGraph
  private var known: Set<Pair> = []
  /// The corresponding objects of the two sides.
  private var twins: [Node: Node] = [:]
  private var inverse: [Node: Node] = [:]
  /// The corresponding numbers, data and dates, whose stored values may belong to several objects.
  private var numbers: [Held: Held] = [:]
  private var inverseNumbers: [Held: Held] = [:]

  private struct Held: Hashable {
    let document: UInt32
    let number: UInt32
  }

  /// Whether immutable objects must remain shared as well; an intermediate envelope without such objects copies them.
  private let comparesValues: Bool
  private static let values: Set<String> = ["NSURL", "NSUUID", "NSDecimalNumber"]

  /// The path and the original property; nil if there is no difference, or the values differ.
  static func first(
    _ left: Node, of source: ObjectGraph, _ right: Node, of target: ObjectGraph,
    comparingValues: Bool = true
  ) -> (path: GraphPath, what: String)? {
    var difference = ObjectDifference(
      source: source, target: target, comparesValues: comparingValues)
    return difference.find(left, right)
  }

  private init(source: ObjectGraph, target: ObjectGraph, comparesValues: Bool) {
    self.source = source
    self.target = target
    self.comparesValues = comparesValues
  }

  private mutating func find(_ left: Node, _ right: Node) -> (path: GraphPath, what: String)? {
    var waiting = [(pair: Pair(left: left, right: right), path: GraphPath())]
    while let (pair, path) = waiting.popLast() {
      guard known.insert(pair).inserted else { continue }
      if let what = difference(pair) { return (path, what) }
      var parts: [(Pair, GraphPath)] = []
      switch (source.value(of: pair.left), target.value(of: pair.right)) {
      case (.array(let a), .array(let b)), (.set(let a), .set(let b)),
        (.orderedSet(let a), .orderedSet(let b)):
        for position in 0..<min(a.count, b.count) {
          let step = path.appending(.index(position))
          if let what = identity(a, position, b, position) { return (step, what) }
          parts.append(
            (
              Pair(left: source.node(a, position), right: target.node(b, position)),
              path.appending(.index(position))
            ))
        }
      case (.dictionary(let a), .dictionary(let b)), (.object(_, let a), .object(_, let b)):
        var positions: [CodePointString: Int] = [:]
        for position in 0..<b.count {
          if let name = target.memberName(b, position)?.string {
            positions[CodePointString(name)] = position
          }
        }
        for position in 0..<a.count {
          guard let name = source.memberName(a, position)?.string, name != UnwrappedModel.lostMember
          else { continue }
          let step = path.appending(.key(name))
          guard let other = positions.removeValue(forKey: CodePointString(name)) else {
            if isNil(a, position, source) { continue }
            return (step, "null becomes absent")
          }
          if let what = identity(a.values, a.position(position), b.values, b.position(other)) {
            return (step, what)
          }
          if a.isObject, let what = storage(a, position, b, other) {
            return (step, what)
          }
          parts.append((Pair(left: source.value(a, position), right: target.value(b, other)), step))
        }
        if let more = positions.first(where: { !isNil(b, $0.value, target) }) {
          return (path.appending(.key(more.key.text)), "absent becomes null")
        }
      default: continue
      }
      waiting += parts.reversed()
    }
    return nil
  }

  private mutating func difference(_ pair: Pair) -> String? {
    if let precision = precision(pair) { return precision }
    let old = source.classIndex(of: pair.left).map { source.classes[$0] }
    let new = target.classIndex(of: pair.right).map { target.classes[$0] }
    if old.map({ CodePointString($0.name) }) != new.map({ CodePointString($0.name) }) {
      return "\(old?.name ?? "no class") becomes \(new?.name ?? "no class")"
    }
    if old != new { return "the superclasses of \(old?.name ?? "it") change" }
    // A value with a class is an object, whatever its value; there is only one NSNull.
    let isObject =
      source.value(of: pair.left).isContainer
      || old.map { $0.name != "NSNull" && (comparesValues || !Self.values.contains($0.name)) }
        ?? false
    guard isObject, source.objectNumber(of: pair.left) != nil,
      target.objectNumber(of: pair.right) != nil
    else { return nil }
    if let known = twins[pair.left], known != pair.right { return "a shared object is duplicated" }
    if let known = inverse[pair.right], known != pair.left { return "two objects are merged" }
    twins[pair.left] = pair.right
    inverse[pair.right] = pair.left
    return nil
  }

  /// A four-byte real differs from an eight-byte one for readers of a specific type, even if the values are equal.
  private func precision(_ pair: Pair) -> String? {
    switch (source.value(of: pair.left), target.value(of: pair.right)) {
    case (.single, .real): "a real of single precision becomes one of double precision"
    case (.real, .single): "a real of double precision becomes one of single precision"
    default: nil
    }
  }

  /// Whether a field is nil, which is equivalent to absent; a dictionary has no nil.
  private func isNil(_ pairs: Pairs, _ position: Int, _ graph: ObjectGraph) -> Bool {
    guard pairs.isObject, let slot = graph.slot(pairs.values, pairs.position(position)) else {
      return false
    }
    return graph.objectNumber(in: slot) == 0
  }

  /// Checks that shared numbers, data and dates remain one object; for strings, only the text matters.
  private mutating func identity(
    _ left: Elements, _ position: Int, _ right: Elements, _ other: Int
  ) -> String? {
    switch source.value(of: source.node(left, position)) {
    case .boolean, .integer, .unsigned, .real, .single, .data, .date: break
    default: return nil
    }
    guard let old = source.slot(left, position), let new = target.slot(right, other),
      let number = source.objectNumber(in: old), let twin = target.objectNumber(in: new)
    else { return nil }
    let (one, two) = (
      Held(document: old.document, number: number), Held(document: new.document, number: twin)
    )
    if let known = numbers[one], known != two { return "a shared object is duplicated" }
    if let known = inverseNumbers[two], known != one { return "two objects are merged" }
    numbers[one] = two
    inverseNumbers[two] = one
    return nil
  }

  private func storage(
    _ left: Pairs, _ position: Int, _ right: Pairs, _ other: Int
  ) -> String? {
    guard let old = source.slot(left.values, left.position(position)),
      let new = target.slot(right.values, right.position(other))
    else { return nil }
    let isBoxed = source.objectNumber(in: old) != nil
    if isBoxed == (target.objectNumber(in: new) != nil) { return nil }
    return isBoxed ? "boxed becomes inline" : "inline becomes boxed"
  }
}
