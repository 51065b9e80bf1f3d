// The keywords whose schemas apply to the value itself, and those about unevaluated parts.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import KeyedArchives

extension Validator {
  /// Continues with one branch of an applicator.
  mutating func stepSameValue(_ frame: UnsafeMutablePointer<ValidationFrame>) {
    let rules = schema.nodes + frame.pointee.edge.schemaIndex
    guard frame.pointee.next < rules.pointee.applicators.count else {
      frame.pointee.next = 0
      frame.pointee.stage = rules.pointee.needsEvaluated ? .unevaluated : .done
      return
    }
    if frame.pointee.branch == 0 {
      frame.pointee.mark = failures
      frame.pointee.matches = 0
    }
    switch rules.pointee.applicators[frame.pointee.next] {
    case .reference(let edge):
      frame.pointee.next += 1
      applyHere(frame, edge)
    case .dynamic(let name, let edge):
      frame.pointee.next += 1
      applyHere(frame, dynamicTarget(name, edge))
    case .dependent(let name, let edge):
      frame.pointee.next += 1
      guard case .members(let pairs) = frame.pointee.children,
        hasMember(frame.pointee.node, pairs, Array(name.utf8))
      else { return }
      applyHere(frame, edge)
    case .choice(let edges, let isExclusive): stepChoice(frame, edges, isExclusive)
    case .none(let edge): stepNot(frame, edge)
    case .archived(let rule):
      frame.pointee.next += 1
      enterArchive(frame, rule)
    case .conditional(let condition, let then, let otherwise):
      stepConditional(frame, condition, then, otherwise)
    }
  }

  private mutating func applyHere(_ frame: UnsafeMutablePointer<ValidationFrame>, _ edge: Edge) {
    enter(frame.pointee.node, edge.schemaIndex, .sameValue, edge)
  }

  /// The outermost schema of the dynamic scope that has the name (Core section 8.2.3.2).
  private func dynamicTarget(_ name: String, _ edge: Edge) -> Edge {
    guard let schemas = schema.dynamicSchemas[name] else { return edge }
    for position in 0..<stack.count {
      if let schemaIndex = schemas[schema.nodes[stack[position].pointee.edge.schemaIndex].resource]
      {
        return Edge(schemaIndex: schemaIndex, pointer: edge.pointer)
      }
    }
    return edge
  }

  // MARK: Branches

  /// Begins a branch whose result is determined at its end.
  private mutating func begin(_ frame: UnsafeMutablePointer<ValidationFrame>, _ edge: Edge) {
    if frame.pointee.branch == 0, frame.pointee.causeMark < 0 { trials += 1 }
    frame.pointee.branchMark = failures
    frame.pointee.branch += 1
    applyHere(frame, edge)
  }

  /// Whether the finished branch fits.
  private func branchFits(_ frame: UnsafeMutablePointer<ValidationFrame>) -> Bool {
    failures == frame.pointee.branchMark
  }

  /// Ends the trial of an applicator's schemas and removes their failures.
  private mutating func endTrial(_ frame: UnsafeMutablePointer<ValidationFrame>) {
    trials -= 1
    failures = frame.pointee.mark
    frame.pointee.branch = 0
  }

  /// Ends an applicator that required at least one fitting schema, and reports that none fits.
  ///
  /// In a trial no message is composed. Otherwise the schemas are checked again for the causes.
  private mutating func fail(
    _ frame: UnsafeMutablePointer<ValidationFrame>, _ rule: String,
    _ expected: @autoclosure () -> String
  ) {
    let causeMark = frame.pointee.causeMark
    if causeMark < 0 {
      endTrial(frame)
      if trials == 0, let mark = log.beginCauses() {
        (frame.pointee.causeMark, frame.pointee.causeCount) = mark
        return
      }
      frame.pointee.next += 1
      return reportHere(rule, expected(), frame, [])
    }
    let causes = log.endCauses(from: causeMark, count: frame.pointee.causeCount)
    failures = frame.pointee.mark
    frame.pointee.causeMark = -1
    frame.pointee.branch = 0
    frame.pointee.next += 1
    reportHere(rule, expected(), frame, causes)
  }

  private mutating func stepChoice(
    _ frame: UnsafeMutablePointer<ValidationFrame>, _ edges: [Edge], _ isExclusive: Bool
  ) {
    let branch = frame.pointee.branch
    if branch > 0, branchFits(frame) { frame.pointee.matches += 1 }
    let matches = frame.pointee.matches
    // All branches are checked only where annotations matter, or how many fit.
    let isDecided = matches > 0 && !isExclusive && !frame.pointee.isTracking
    if branch < edges.count, !isDecided { return begin(frame, edges[branch]) }
    if matches > 0 {
      endTrial(frame)
      frame.pointee.next += 1
      if !isExclusive || matches == 1 { return }
    }
    let keyword = isExclusive ? "oneOf" : "anyOf"
    let expected = "a value that fits \(isExclusive ? "exactly " : "")one of \(edges.count) schemas"
    if matches == 0 { return fail(frame, keyword, expected) }
    reportHere(keyword, expected, frame, [], found: "one that fits \(matches) of them")
  }

  private mutating func stepNot(_ frame: UnsafeMutablePointer<ValidationFrame>, _ edge: Edge) {
    if frame.pointee.branch == 0 { return begin(frame, edge) }
    let fits = branchFits(frame)
    endTrial(frame)
    frame.pointee.next += 1
    if fits { reportHere("not", "a value that does not fit the schema of 'not'", frame, []) }
  }

  private mutating func stepConditional(
    _ frame: UnsafeMutablePointer<ValidationFrame>, _ condition: Edge, _ then: Edge?,
    _ otherwise: Edge?
  ) {
    if frame.pointee.branch == 0 { return begin(frame, condition) }
    let fits = branchFits(frame)
    endTrial(frame)
    frame.pointee.next += 1
    if let edge = fits ? then : otherwise { applyHere(frame, edge) }
  }

  private mutating func reportHere(
    _ rule: String, _ expected: @autoclosure () -> String,
    _ frame: UnsafeMutablePointer<ValidationFrame>,
    _ causes: [Diagnostic], found: String? = nil
  ) {
    let node = frame.pointee.node
    report(
      rule, expected(), CheckedValue(graph.value(of: node), node), found: found, causes: causes)
  }

  // MARK: Unevaluated parts

  /// `unevaluatedItems` or `unevaluatedProperties` for one element or member.
  mutating func stepUnevaluated(_ frame: UnsafeMutablePointer<ValidationFrame>) {
    let rules = schema.nodes + frame.pointee.edge.schemaIndex
    let index = frame.pointee.next
    switch frame.pointee.children {
    case .elements(let elements):
      guard let edge = rules.pointee.unevaluatedItems, index < elements.count else { break }
      frame.pointee.next = index + 1
      guard frame.pointee.evaluated.insert(index) else { return }
      return enter(graph.node(elements, index), edge.schemaIndex, .element(index), edge)
    case .members(let pairs):
      guard let edge = rules.pointee.unevaluatedProperties, index < pairs.count else { break }
      frame.pointee.next = index + 1
      guard frame.pointee.evaluated.insert(index) else { return }
      return enter(graph.value(pairs, index), edge.schemaIndex, .member(index), edge)
    case .nothing: break
    }
    frame.pointee.stage = .done
  }
}

// MARK: - Archives in data values, checked against the schema that `x-archived` names

/// An archive in a data value that fits a schema; cached, since many values may refer to one archive.
struct ArchiveFit: Hashable {
  let node: Node
  let schemaIndex: Int
}

extension Validator {
  /// Caches an archive whose model fits.
  mutating func remember(
    archiveOf frame: ValidationFrame, in holder: UnsafeMutablePointer<ValidationFrame>?
  ) {
    guard failures == frame.failures, let holder else { return }
    fitting.insert(ArchiveFit(node: holder.pointee.node, schemaIndex: frame.edge.schemaIndex))
  }

  /// Opens the archive or the JSON that a value contains, and continues with its model; other values have none.
  private mutating func enterArchive(
    _ frame: UnsafeMutablePointer<ValidationFrame>, _ rule: ArchivedRule
  ) {
    let node = frame.pointee.node
    let value = graph.value(of: node)
    switch value {
    case .data: break
    case .string where rule.layers != nil: break
    default: return
    }
    if fitting.contains(ArchiveFit(node: node, schemaIndex: rule.model.schemaIndex)) { return }
    let (content, problem) = content(of: node, rule)
    let expected = rule.expectation
    let kind = if case .data = value { "data" } else { "a string" }
    guard let content, let model = graph.unwrapModel(content: content) else {
      return report(
        "x-archived", expected, CheckedValue(value, node),
        found: problem.map { "\(kind) that cannot be decoded: \($0)" } ?? "\(kind) without one")
    }
    if let mismatch = rule.archive.mismatch(model, found: "\(kind) without one") {
      let prefix = rule.name.isEmpty ? "" : "\(expected), "
      return report(
        "x-archived", prefix + mismatch.expected, CheckedValue(value, node), found: mismatch.found)
    }
    var root = model.root
    if model.envelope == .json {
      root = JSONDecodedModel.root(
        of: root, in: graph, shape: schema, from: rule.model.schemaIndex, coding: rule.coding)
    }
    if let list = rule.list, case .array = graph.value(of: root) {
      enter(root, list.schemaIndex, .archived, list)
    } else {
      enter(root, rule.model.schemaIndex, .archived, rule.model)
    }
  }

  /// The root of what a value contains, or why there is none, if that is known.
  private func content(of node: Node, _ rule: ArchivedRule) -> (Node?, String?) {
    guard let layers = rule.layers else {
      return (graph.content(of: node), graph.contentError(of: node)?.message)
    }
    do throws(ArchiveError) {
      return (try graph.content(of: node, in: layers), nil)
    } catch {
      return (nil, error.message)
    }
  }
}

extension ArchivedRule {
  /// What a value must hold: `an archive of Influence@v1 in base64, gzip`.
  fileprivate var expectation: String {
    let content = archive.envelope == .json ? "JSON" : "an archive"
    let names = (layers ?? []).map(\.rawValue).joined(separator: ", ")
    return content + (name.isEmpty ? "" : " of \(name)") + (names.isEmpty ? "" : " in \(names)")
  }
}

// MARK: - What an application's decoder requires of an object besides its value: its class, its storage, its mutability
//
// Source: NSCoder's decodeObject(of:forKey:) accepts an object whose class is a named one or derives from one.

extension Validator {
  /// Checks the class and the storage of a value; values outside keyed archives have none.
  @inline(never)
  mutating func checkStructure(_ rule: StructureRule, _ subject: CheckedValue) {
    if case .null = subject.value { return }
    guard graph.document(of: subject.node).isKeyedArchive else { return }
    if let keyClass = rule.keyClass { checkKeys(keyClass, subject) }
    let slot = fieldSlot(subject.arrival)
    checkStorage(rule, subject, slot)
    // A number that is stored directly in its holder is not an object.
    if let slot, graph.objectNumber(in: slot) == nil { return }
    checkClass(rule, subject)
  }

  private mutating func checkStorage(
    _ rule: StructureRule, _ subject: CheckedValue, _ slot: Slot?
  ) {
    guard !rule.storages.isEmpty, let slot else { return }
    let storage: FieldStorage = graph.objectNumber(in: slot) == nil ? .inline : .boxed
    guard !rule.storages.contains(storage) else { return }
    report(
      "x-storage", "a value stored \(rule.storages.map(\.rawValue).joined(separator: " or "))",
      subject,
      found: "\(Self.text(of: subject.value, in: graph)) stored \(storage.rawValue)")
  }

  private mutating func checkClass(_ rule: StructureRule, _ subject: CheckedValue) {
    guard let description = classDescription(subject.value, subject.node) else { return }
    let chain = [description.name] + description.chain
    if !rule.classes.isEmpty,
      !chain.contains(where: { name in
        rule.classes.contains { ClassName(stored: name).matches(pattern: $0) }
      })
    {
      return report(
        "x-class", "an object of class \(rule.classes.joined(separator: " or "))", subject,
        found: "class \(description.displayName)")
    }
    if !rule.chain.isEmpty, rule.chain.first?.hasSameScalars(as: description.name) == true,
      !rule.chain.haveSameScalars(as: description.chain)
    {
      return report(
        "x-classes", "the superclasses \(rule.chain.dropFirst().joined(separator: ", "))", subject,
        found: description.chain.dropFirst().joined(separator: ", "))
    }
    if let isMutable = rule.isMutable, isMutable != description.name.hasPrefix("NSMutable") {
      report(
        "x-mutable", isMutable ? "a mutable object" : "an object that is not mutable", subject,
        found: "class \(description.displayName)")
    }
  }

  /// Checks the classes of a dictionary's keys; the fields of an object have none.
  private mutating func checkKeys(_ keyClass: KeyClass, _ subject: CheckedValue) {
    guard case .dictionary(let pairs) = subject.value, !pairs.isFields else { return }
    for position in 0..<pairs.count {
      let key = graph.key(pairs, position)
      let keyValue = graph.value(of: key)
      let description = classDescription(keyValue, key)
      guard description.map({ KeyClass(className: $0.name) }) != keyClass else { continue }
      let found = description.map { ", class \($0.displayName)" } ?? ""
      return report(
        "x-key-class", "keys of class \(keyClass.rawValue)", subject,
        found: "the key \(Self.text(of: keyValue, in: graph))\(found)")
    }
  }

  /// The class of an object; strings, numbers and data have an implied class.
  private func classDescription(_ value: Value, _ node: Node) -> ClassDescription? {
    if let index = graph.classIndex(of: node) { return graph.classes[index] }
    let name: String
    switch value {
    case .string: name = "NSString"
    case .boolean, .integer, .unsigned, .wide, .real, .single: name = "NSNumber"
    case .data: name = "NSData"
    case .date: name = "NSDate"
    default: return nil
    }
    return ClassDescription(name: name, displayName: name, chain: [name, "NSObject"])
  }

  /// Where an object stores a member; nil for other values.
  private func fieldSlot(_ arrival: Arrival?) -> Slot? {
    guard case .members(let pairs)? = stack.last?.pointee.children, pairs.isObject else {
      return nil
    }
    guard case .member(let index)? = arrival else { return nil }
    return graph.slot(pairs.values, pairs.position(index))
  }
}
