// What an application's decoder asks of an object beside its value: its class, its storage, its mutability.
//
// Source: NSCoder's decodeObject(of:forKey:) takes an object whose class is one of those named or derives from one.

import Basics
import KeyedArchives
import ObjectGraph

extension Validator {
  /// Checks the class and the storage of a value; those that no keyed archive stores have none.
  @inline(never)
  mutating func checkStructure(
    _ rule: StructureRule, _ value: Value, _ node: Node, _ site: Site
  ) {
    if case .null = value { return }
    let document = graph.document(of: node)
    guard document.isKeyedArchive else { return }
    let slot = fieldSlot(site.arrival)
    checkStorage(rule, value, node, site, slot)
    // A number that is stored in its holder is no object.
    if let slot, graph.objectNumber(in: slot) == nil { return }
    checkClass(rule, value, node, site)
  }

  private mutating func checkStorage(
    _ rule: StructureRule, _ value: Value, _ node: Node, _ site: Site, _ slot: Slot?
  ) {
    guard !rule.storages.isEmpty, let slot else { return }
    let storage: FieldStorage = graph.objectNumber(in: slot) == nil ? .inline : .boxed
    guard !rule.storages.contains(storage) else { return }
    report(
      "x-storage", "a value stored \(rule.storages.map(\.rawValue).joined(separator: " or "))",
      value, node, site, found: "\(Self.text(of: value, in: graph)) stored \(storage.rawValue)")
  }

  private mutating func checkClass(
    _ rule: StructureRule, _ value: Value, _ node: Node, _ site: Site
  ) {
    guard let description = classDescription(value, node) else { return }
    let chain = [description.name] + description.chain
    if !rule.classes.isEmpty, !chain.contains(where: { isAllowed($0, rule) }) {
      return report(
        "x-class", "an object of class \(rule.classes.joined(separator: " or "))", value, node,
        site, found: "class \(description.displayName)")
    }
    if !rule.chain.isEmpty, rule.chain.first?.isSpelt(description.name) == true,
      !rule.chain.areSpelt(description.chain)
    {
      return report(
        "x-classes", "the superclasses \(rule.chain.dropFirst().joined(separator: ", "))", value,
        node, site, found: description.chain.dropFirst().joined(separator: ", "))
    }
    if let isMutable = rule.isMutable, isMutable != description.name.hasPrefix("NSMutable") {
      report(
        "x-mutable", isMutable ? "a mutable object" : "an object that is not mutable", value, node,
        site, found: "class \(description.displayName)")
    }
  }

  private func isAllowed(_ name: String, _ rule: StructureRule) -> Bool {
    let name = ClassName(stored: name)
    return rule.classes.contains { name.matches(pattern: $0) }
  }

  /// The class of an object; strings, numbers and data have one without naming it.
  private func classDescription(_ value: Value, _ node: Node) -> ClassDescription? {
    if let index = graph.classIndex(of: node) { return graph.classes[index] }
    let name: String
    switch value {
    case .string: name = "NSString"
    case .boolean, .integer, .unsigned, .real, .single: name = "NSNumber"
    case .data: name = "NSData"
    case .date: name = "NSDate"
    default: return nil
    }
    return ClassDescription(name: name, displayName: name, chain: [name, "NSObject"])
  }

  /// Where a member of an object is held; nil for anything else.
  private func fieldSlot(_ arrival: Arrival) -> Slot? {
    guard case .members(let pairs)? = stack.last?.pointee.way, pairs.isObject else { return nil }
    switch arrival {
    case .member(let index): return graph.slot(pairs.values, pairs.position(index))
    default: return nil
    }
  }
}
