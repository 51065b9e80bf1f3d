// Values that are accepted at sight, one after another, before the first that is validated in full.
//
// Each counts as a step, so that a walk ends at the same value with and without this.

import ObjectGraph

extension Validator {
  /// Passes over the members from the current one on whose values certainly fit.
  @inline(__always)
  mutating func passMembers(
    _ frame: UnsafeMutablePointer<ValidationFrame>, _ pairs: Pairs,
    _ rules: UnsafeMutablePointer<ObjectRules>
  ) {
    // What objects store directly may be of a type that their coder does not convert.
    guard !pairs.isFields, frame.pointee.branch == 0, !frame.pointee.isTracking,
      !rules.pointee.onlyRequires, rules.pointee.patterns.isEmpty
    else { return }
    // What the loop reads is named here, since a call on the validator itself would copy all of it.
    let (graph, positions, quickRules) = (graph, positions, schema.quickRules)
    let place = frame.pointee.edge.place
    let first = frame.pointee.next
    let end = min(frame.pointee.count, first &+ (limit &- visited))
    var index = first
    var seen = frame.pointee.seen
    // The pairs of a dictionary are at their stored positions.
    let keys = NodeCursor(pairs.keys, in: graph)
    let values = NodeCursor(pairs.values, in: graph)
    let targets = rules.pointee.namedPlaces
    while index < end {
      let key = keys.node(index, in: graph)
      let position = positions.position(of: key, false, place, rules, graph)
      guard position >= 0, position < 64 else { break }
      let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: position)
      let target = targets[position]
      guard seen & bit == 0, target >= 0,
        Self.accepts(values.node(index, in: graph), quickRules + target, target, graph)
      else { break }
      seen |= bit
      index &+= 1
    }
    frame.pointee.seen = seen
    frame.pointee.next = index
    visited &+= index &- first
  }

  /// Passes over the elements from the current one on that certainly fit.
  @inline(__always)
  mutating func passElements(
    _ frame: UnsafeMutablePointer<ValidationFrame>, _ elements: Elements
  ) {
    guard !frame.pointee.isTracking, let rules = schema.nodes[frame.pointee.edge.place].arrays,
      rules.pointee.prefix.isEmpty, let target = rules.pointee.items?.place
    else { return }
    let graph = graph
    let rule = schema.quickRules + target
    let nodes = NodeCursor(elements, in: graph)
    let first = frame.pointee.next
    let end = min(frame.pointee.count, first &+ (limit &- visited))
    var index = first
    while index < end, Self.accepts(nodes.node(index, in: graph), rule, target, graph) {
      index &+= 1
    }
    frame.pointee.next = index
    visited &+= index &- first
  }

  /// Whether a value certainly fits a schema.
  @inline(__always)
  private static func accepts(
    _ node: Node, _ rule: UnsafePointer<QuickRule>, _ place: Int, _ graph: ObjectGraph
  ) -> Bool {
    if place == 0 { return true }
    let stored = graph.storedPlace(of: node)
    if stored.load(as: UInt8.self) == 0x55, graph.isNullMark(node) { return false }
    return QuickRule.accepts(stored, rule)
  }
}
