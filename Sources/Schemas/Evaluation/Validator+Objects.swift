// The keywords of objects.

import Basics
import ObjectGraph

extension Validator {
  /// What can be said of an object without looking at its members' values.
  mutating func checkObject(
    _ pairs: Pairs, _ rules: UnsafeMutablePointer<ObjectRules>, _ value: Value, _ node: Node,
    _ site: Site
  ) {
    if let minimum = rules.pointee.minimumCount, pairs.count < minimum {
      report("minProperties", "at least \(Counted.text(minimum, "member"))", value, node, site)
    }
    if let maximum = rules.pointee.maximumCount, pairs.count > maximum {
      report("maxProperties", "at most \(Counted.text(maximum, "member"))", value, node, site)
    }
    if !rules.pointee.dependents.isEmpty { checkDependents(pairs, rules, value, node, site) }
  }

  private mutating func checkDependents(
    _ pairs: Pairs, _ rules: UnsafeMutablePointer<ObjectRules>, _ value: Value, _ node: Node,
    _ site: Site
  ) {
    let names = memberNames(pairs)
    for (keyword, name, required) in rules.pointee.dependents where names.contains(Array(name.utf8))
    {
      for other in required where !names.contains(Array(other.utf8)) {
        report(
          keyword, "a member '\(other)' beside '\(name)'", value, node, site,
          keywordSuffix: "/" + name)
      }
    }
  }

  /// The names of an object's members, in UTF-8.
  func memberNames(_ pairs: Pairs) -> Set<[UInt8]> {
    Set((0..<pairs.count).compactMap { graph.memberName(pairs, $0).map { Array($0.string.utf8) } })
  }

  // MARK: Members

  /// One schema for one member's value.
  @inline(__always)
  mutating func stepMember(_ frame: UnsafeMutablePointer<Frame>, _ pairs: Pairs) {
    let place = frame.pointee.edge.place
    let index = frame.pointee.next
    guard let rules = schema.nodes[place].objects else {
      frame.pointee.stage = .inPlace
      return
    }
    guard index < frame.pointee.count else { return finishMembers(frame, pairs, rules) }
    if rules.pointee.onlyRequires { return finishNames(frame, pairs, rules) }
    if frame.pointee.branch > 0 { return stepPatterns(frame, pairs, rules) }
    let position = positions.position(
      of: graph.key(pairs, index), pairs.isFields, place, rules, graph)
    guard position >= 0 else { return beginUnnamed(frame, pairs, rules) }
    let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: position & 63)
    if frame.pointee.seen & bit != 0, position < 64 { reportRepeated(pairs, index) }
    frame.pointee.seen |= bit
    guard rules.pointee.properties[position].isNamed else {
      return beginUnnamed(frame, pairs, rules)
    }
    if frame.pointee.isTracking { frame.pointee.evaluated.insert(index) }
    if rules.pointee.patterns.isEmpty {
      frame.pointee.next = index + 1
    } else {
      (frame.pointee.branch, frame.pointee.matches) = (1, 1)
    }
    let target = rules.pointee.properties[position].edge.place
    if pairs.isFields { checkCoercion(pairs, index, target) }
    enter(
      graph.value(pairs, index), target, .member(index), rules.pointee.properties[position].edge)
  }

  /// A member that `properties` does not name: patterns may, or it is an additional one.
  private mutating func beginUnnamed(
    _ frame: UnsafeMutablePointer<Frame>, _ pairs: Pairs, _ rules: UnsafeMutablePointer<ObjectRules>
  ) {
    (frame.pointee.branch, frame.pointee.matches) = (1, 0)
    stepPatterns(frame, pairs, rules)
  }

  /// One pattern for one member, and at their end what holds for members that nothing names.
  @inline(never)
  private mutating func stepPatterns(
    _ frame: UnsafeMutablePointer<Frame>, _ pairs: Pairs, _ rules: UnsafeMutablePointer<ObjectRules>
  ) {
    let index = frame.pointee.next
    let node = graph.value(pairs, index)
    while frame.pointee.branch <= rules.pointee.patterns.count, problem == nil {
      let (pattern, edge) = rules.pointee.patterns[frame.pointee.branch - 1]
      frame.pointee.branch += 1
      guard let name = graph.memberName(pairs, index), matches(name.string, pattern, nil) else {
        continue
      }
      frame.pointee.matches += 1
      if frame.pointee.isTracking { frame.pointee.evaluated.insert(index) }
      return enter(node, edge.place, .member(index), edge)
    }
    let isAdditional = frame.pointee.matches == 0
    (frame.pointee.branch, frame.pointee.matches) = (0, 0)
    frame.pointee.next = index + 1
    guard isAdditional, let edge = rules.pointee.additional else { return }
    if frame.pointee.isTracking { frame.pointee.evaluated.insert(index) }
    enter(node, edge.place, .member(index), edge)
  }

  /// Whether an object has the members that it must have, where nothing is said of their values.
  private mutating func finishNames(
    _ frame: UnsafeMutablePointer<Frame>, _ pairs: Pairs,
    _ rules: UnsafeMutablePointer<ObjectRules>
  ) {
    frame.pointee.next = 0
    frame.pointee.stage = rules.pointee.names == nil ? .inPlace : .names
    let node = frame.pointee.node
    if rules.pointee.properties.contains(where: { !hasMember(node, pairs, $0.utf8) }) {
      reportMissing(frame, pairs, rules)
    }
  }

  /// Whether an object has a member; its names are gathered once for all that ask.
  mutating func hasMember(_ node: Node, _ pairs: Pairs, _ name: [UInt8]) -> Bool {
    if lastNames?.node != node { lastNames = (node, memberNames(pairs)) }
    return lastNames?.names.contains(name) == true
  }

  /// What is known once all members were seen.
  private mutating func finishMembers(
    _ frame: UnsafeMutablePointer<Frame>, _ pairs: Pairs, _ rules: UnsafeMutablePointer<ObjectRules>
  ) {
    frame.pointee.next = 0
    frame.pointee.stage = rules.pointee.names == nil ? .inPlace : .names
    let required = rules.pointee.requiredBits
    if rules.pointee.properties.count <= 64, frame.pointee.seen & required == required { return }
    reportMissing(frame, pairs, rules)
  }

  @inline(never)
  private mutating func reportMissing(
    _ frame: UnsafeMutablePointer<Frame>, _ pairs: Pairs, _ rules: UnsafeMutablePointer<ObjectRules>
  ) {
    if trials > 0, rules.pointee.properties.count <= 64 {
      failures += 1
      return
    }
    let names = memberNames(pairs)
    let missing = rules.pointee.properties.filter { $0.isRequired && !names.contains($0.utf8) }
    if missing.isEmpty { return }
    let node = frame.pointee.node
    if trials > 0 {
      failures += 1
      return
    }
    // Where an error's payload stands in a model's place, that is what is wrong, not each of its members.
    let before = frame.pointee.violations
    if reportErrorPayload(graph.value(of: node), node, nil), let report = violations.last,
      before < violations.count
    {
      violationCount -= violations.count - before - 1
      violations.replaceSubrange(before..., with: [report])
      return
    }
    for property in missing {
      let violation = missingViolation(property, node)
      record(violation)
    }
  }

  /// A key that stands twice has two values, and decoders differ in which they take.
  @inline(never)
  private mutating func reportRepeated(_ pairs: Pairs, _ index: Int) {
    let node = graph.value(pairs, index)
    let site = Site(.member(index), Edge(place: 0, pointer: ""))
    let violation = violation("uniqueKeys", "each key once", "the key again", node, site)
    record(violation)
  }

  // MARK: Names

  /// `propertyNames` for one member's name.
  mutating func stepName(_ frame: UnsafeMutablePointer<Frame>) {
    let index = frame.pointee.next
    guard index < frame.pointee.count, case .members(let pairs) = frame.pointee.way,
      let edge = schema.nodes[frame.pointee.edge.place].objects?.pointee.names
    else {
      frame.pointee.next = 0
      frame.pointee.stage = .inPlace
      return
    }
    frame.pointee.next = index + 1
    enter(graph.key(pairs, index), edge.place, .name(index), edge)
  }
}
