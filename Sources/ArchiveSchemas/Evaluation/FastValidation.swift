// The fast path of validation: one loop accepts containers with all their parts, and counts no references.
//
// If a value is not accepted, the containers around it become frames, and the full validation continues at that value:
// the reports are the same as without the fast path. It counts the same steps as the full walk.

import ArchiveBasics
import ArchiveGraph

/// A container of which all parts so far were accepted by the fast path.
struct FastLevel {
  let index: UInt32
  let container: PlainContainer
  let schemaIndex: Int
  var next = 0
  /// The properties seen so far, by position.
  var seen: UInt64 = 0
}

struct FastValidation: ~Copyable {
  private let graph: ObjectGraph
  private let schema: CompiledSchema
  private let positions: PositionCache
  /// The containers that are being accepted, the innermost last.
  private var levels = RawStack<FastLevel>()

  init(_ graph: ObjectGraph, _ schema: CompiledSchema, _ positions: PositionCache) {
    self.graph = graph
    self.schema = schema
    self.positions = positions
  }

  /// Accepts a container and its parts, or leaves frames for those around the first that needs a full validation.
  ///
  /// - Parameters:
  ///   - visited: the steps that the validation has taken.
  ///   - limit: the most that it may take.
  /// - Returns: whether anything was accepted; false if the value itself needs a full validation.
  @inline(__always)
  mutating func accepts(
    _ node: Node, _ schemaIndex: Int, _ arrival: Arrival, _ report: inout ValidationReport,
    _ visited: inout Int, _ limit: Int, _ edge: @autoclosure () -> Edge
  ) -> Bool {
    let rule = schema.quickRules + schemaIndex
    if rule.pointee.members.acceptance != .byParts, rule.pointee.elements.acceptance != .byParts {
      return false
    }
    switch arrival {
    case .root, .member, .element: break
    case .sameValue, .name, .archived: return false
    }
    guard begin(node, schemaIndex, report.path) else { return false }
    if !finish(node.document, report.path, &visited, limit) {
      fallBackToFrames(node.document, arrival, edge(), &report)
    }
    return true
  }

  /// Enters the first container; false if it is none that is accepted by its parts.
  private mutating func begin(
    _ node: Node, _ schemaIndex: Int, _ path: borrowing ValidationPath
  ) -> Bool {
    let reader = DocumentReader(graph, node.document)
    guard let container = reader.container(node.index, at: reader.pointer(of: node.index)),
      (schema.quickRules + schemaIndex).pointee.acceptance(of: container) == .byParts,
      !path.contains(node), path.count &+ PlainContainer.fastDepthLimit < graph.limits.depth &* 8
    else { return false }
    levels.push(FastLevel(index: node.index, container: container, schemaIndex: schemaIndex))
    return true
  }

  /// Accepts the containers that were entered and what they hold; false at the first value that is not accepted.
  private mutating func finish(
    _ document: UInt32, _ path: borrowing ValidationPath, _ visited: inout Int, _ limit: Int
  ) -> Bool {
    let reader = DocumentReader(graph, document)
    let rules = schema.quickRules
    while let level = levels.last {
      let rule = rules + level.pointee.schemaIndex
      let container = level.pointee.container
      if level.pointee.next == container.count {
        let required = rule.pointee.members.required
        if container.hasKeys, level.pointee.seen & required != required { return false }
        guard visited &+ 3 <= limit else { return false }
        visited &+= 3
        levels.drop()
        continue
      }
      let before = level.pointee.next
      let part = acceptParts(level, rule, reader, document, limit &- visited)
      visited &+= level.pointee.next &- before
      switch part {
      case .accepted: continue
      case .refused: return false
      case .container(let inner, let bit):
        guard visited < limit, levels.count < PlainContainer.fastDepthLimit,
          !path.contains(Node(document: document, index: inner.index)),
          !levels.values(from: 0).contains(where: { $0.index == inner.index })
        else { return false }
        level.pointee.seen |= bit
        level.pointee.next &+= 1
        visited &+= 1
        levels.push(inner)
      }
    }
    return true
  }

  /// What came of looking at the parts of a container.
  private enum Part {
    /// All of them, or as many as the limit allows, were accepted.
    case accepted
    /// One is not accepted.
    case refused
    /// One is a container that is accepted if its parts are; with the position of its property, as a bit.
    case container(FastLevel, UInt64)
  }

  /// Accepts members or elements up to one that is not a scalar.
  @inline(__always)
  private mutating func acceptParts(
    _ level: UnsafeMutablePointer<FastLevel>, _ rule: UnsafePointer<QuickRule>,
    _ reader: DocumentReader, _ document: UInt32, _ most: Int
  ) -> Part {
    let container = level.pointee.container
    let hasKeys = container.hasKeys
    let names = hasKeys ? (schema.nodes + level.pointee.schemaIndex).pointee.objects : nil
    let schemas = rule.pointee.members.schemas
    if hasKeys, names == nil || schemas == nil { return .refused }
    let others = Int(hasKeys ? rule.pointee.members.others : rule.pointee.elements.items)
    let end = min(container.count, level.pointee.next &+ most)
    var part = end < container.count ? Part.refused : .accepted
    var next = level.pointee.next
    var seen = level.pointee.seen
    while next < end {
      var target = others
      var bit: UInt64 = 0
      if let names, let schemas {
        let key = Node(document: document, index: reader.index(container.keys, next))
        let position = positions.position(
          of: key, isField: false, level.pointee.schemaIndex, names)
        if position >= 0 {
          bit = 1 << UInt64(truncatingIfNeeded: position)
          if schemas[position] >= 0 { target = Int(schemas[position]) }
        }
        if seen & bit != 0 {
          part = .refused
          break
        }
      }
      if target != 0,
        let index = Self.unaccepted(container, next, schema.quickRules + target, reader)
      {
        part = Self.part(index, target, bit, schema, reader)
        if case .accepted = part {} else { break }
      }
      seen |= bit
      next &+= 1
    }
    level.pointee.seen = seen
    level.pointee.next = next
    return part
  }

  /// The index of a part that is not a scalar which certainly fits; nil for one that is.
  @inline(__always)
  private static func unaccepted(
    _ container: PlainContainer, _ position: Int, _ rule: UnsafePointer<QuickRule>,
    _ reader: DocumentReader
  ) -> UInt32? {
    let number = reader.objectNumber(container.values, position)
    if let number, let marker = reader.marker(ofObject: number) {
      if marker >> 4 >= Marker.array {
        return reader.index(container.values, position, number: number)
      }
      if !reader.mayBeNullMark(marker), QuickRule.accepts(marker: marker, rule) { return nil }
    }
    let index = reader.index(container.values, position, number: number)
    let valuePointer = reader.pointer(of: index)
    return QuickRule.accepts(valuePointer, rule) && !reader.isNullMark(valuePointer) ? nil : index
  }

  /// What is to be done with a value that is not accepted as a scalar.
  @inline(__always)
  private static func part(
    _ index: UInt32, _ target: Int, _ bit: UInt64, _ schema: CompiledSchema,
    _ reader: DocumentReader
  ) -> Part {
    guard let container = reader.container(index, at: reader.pointer(of: index)) else {
      return .refused
    }
    switch (schema.quickRules + target).pointee.acceptance(of: container) {
    case .never: return .refused
    case .always: return .accepted
    case .byParts:
      return .container(FastLevel(index: index, container: container, schemaIndex: target), bit)
    }
  }

  // MARK: Going on in full

  /// Makes frames of the containers that were entered; the value that was not accepted is the next of the last.
  @inline(never)
  private mutating func fallBackToFrames(
    _ document: UInt32, _ arrival: Arrival, _ edge: Edge, _ report: inout ValidationReport
  ) {
    let reader = DocumentReader(graph, document)
    var (arrival, edge) = (arrival, edge)
    for position in 0..<levels.count {
      let level = levels[position].pointee
      let container = level.container
      if position > 0 {
        let parent = levels[position - 1].pointee
        arrival = parent.container.hasKeys ? .member(parent.next - 1) : .element(parent.next - 1)
        edge = self.edge(toLastOf: parent, reader, document) ?? edge
      }
      let node = Node(document: document, index: level.index)
      var frame = ValidationFrame(
        node: node, edge: edge, arrival: arrival,
        children: container.hasKeys
          ? .members(reader.pairs(of: container, in: document))
          : .elements(reader.elements(of: container, in: document)),
        count: container.count, failures: report.failures, violations: report.log.violations.count,
        isTracking: false, isFirst: report.path.open(node))
      (frame.next, frame.seen) = (level.next, level.seen)
      report.path.push(frame)
    }
    levels.truncate(to: 0)
  }

  /// The edge to the part that was entered last.
  private func edge(
    toLastOf level: FastLevel, _ reader: DocumentReader, _ document: UInt32
  ) -> Edge? {
    let rules = schema.nodes + level.schemaIndex
    guard level.container.hasKeys else { return rules.pointee.arrays?.pointee.items }
    guard let names = rules.pointee.objects else { return nil }
    let index = reader.index(level.container.keys, level.next - 1)
    let position = positions.position(
      of: Node(document: document, index: index), isField: false, level.schemaIndex, names)
    let property = position < 0 ? nil : names.pointee.properties[position]
    return property?.isNamed == true ? property?.edge : names.pointee.additional
  }
}

extension QuickRule {
  @inline(__always)
  fileprivate func acceptance(of container: PlainContainer) -> Acceptance {
    container.hasKeys ? members.acceptance : elements.acceptance
  }
}
