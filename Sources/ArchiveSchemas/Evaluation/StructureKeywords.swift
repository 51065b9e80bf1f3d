// What an application's decoder requires of an object besides its value: its class, its storage, its mutability.
//
// Source: NSCoder's decodeObject(of:forKey:) accepts an object whose class is a named one or derives from one.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import KeyedArchives

extension StructureRule {
  /// Checks the class and the storage of a value; values outside keyed archives have none.
  @inline(never)
  func check(_ subject: CheckedValue, _ report: inout ValidationReport) {
    let graph = report.graph
    if case .null = subject.value { return }
    guard graph.document(of: subject.node).isKeyedArchive else { return }
    if let keyClass { checkKeys(keyClass, subject, &report) }
    if case .member(let index)? = subject.arrival, let pairs = report.path.members, pairs.isObject,
      let slot = graph.slot(pairs.values, pairs.position(index))
    {
      let storage: FieldStorage = graph.objectNumber(in: slot) == nil ? .inline : .boxed
      if !storages.isEmpty, !storages.contains(storage) {
        let found = ValidationReport.text(of: subject.value, in: graph)
        report.add(
          "x-storage", "a value stored \(storages.map(\.rawValue).joined(separator: " or "))",
          subject, found: "\(found) stored \(storage.rawValue)")
      }
      // A number that is stored directly in its holder is not an object.
      if storage == .inline { return }
    }
    checkClass(subject, &report)
  }

  private func checkClass(_ subject: CheckedValue, _ report: inout ValidationReport) {
    guard let description = report.graph.classDescription(subject.value, subject.node) else {
      return
    }
    let found = [description.name] + description.chain
    if !classes.isEmpty,
      !found.contains(where: { name in
        classes.contains { ClassName(stored: name).matches(pattern: $0) }
      })
    {
      return report.add(
        "x-class", "an object of class \(classes.joined(separator: " or "))", subject,
        found: "class \(description.displayName)")
    }
    if !chain.isEmpty, chain.first?.hasSameScalars(as: description.name) == true,
      !chain.haveSameScalars(as: description.chain)
    {
      return report.add(
        "x-classes", "the superclasses \(chain.dropFirst().joined(separator: ", "))", subject,
        found: description.chain.dropFirst().joined(separator: ", "))
    }
    if let isMutable, isMutable != description.name.hasPrefix("NSMutable") {
      report.add(
        "x-mutable", isMutable ? "a mutable object" : "an object that is not mutable", subject,
        found: "class \(description.displayName)")
    }
  }

  /// Checks the classes of a dictionary's keys; the fields of an object have none.
  private func checkKeys(
    _ keyClass: KeyClass, _ subject: CheckedValue, _ report: inout ValidationReport
  ) {
    guard case .dictionary(let pairs) = subject.value, !pairs.isFields else { return }
    let graph = report.graph
    for position in 0..<pairs.count {
      let key = graph.key(pairs, position)
      let keyValue = graph.value(of: key)
      let description = graph.classDescription(keyValue, key)
      guard description.map({ KeyClass(className: $0.name) }) != keyClass else { continue }
      let found = description.map { ", class \($0.displayName)" } ?? ""
      return report.add(
        "x-key-class", "keys of class \(keyClass.rawValue)", subject,
        found: "the key \(ValidationReport.text(of: keyValue, in: graph))\(found)")
    }
  }
}

extension ObjectGraph {
  /// The class of an object; strings, numbers and data have an implied class.
  func classDescription(_ value: Value, _ node: Node) -> ClassDescription? {
    if let index = classIndex(of: node) { return classes[index] }
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
}

// MARK: - What an object's own code accepts: it decodes by type

/// The decoding methods of scalars that objects store directly.
enum DecodingMethods {
  /// The keywords whose schemas are only tried.
  private static let trying: Set<String> = ["anyOf", "oneOf", "not", "if", "contains"]

  /// Warns about a scalar that the decoding method of its type would not coerce, if an object stores it directly.
  @inline(never)
  static func check(
    _ pairs: Pairs, _ index: Int, _ schemaIndex: Int, _ report: inout ValidationReport
  ) {
    let graph = report.graph
    // A boxed number is an object to its class, whose code decides how to decode it.
    guard let types = report.schema.nodes[schemaIndex].types,
      graph.isInline(pairs.values, pairs.position(index))
    else { return }
    let node = graph.value(pairs, index)
    let value = graph.value(of: node)
    guard let (method, exception) = objection(to: value, types),
      !report.path.contains(where: { trying.contains($0.edge.keyword) })
    else { return }
    report.warn(
      "coercion", "a value that \(method) accepts (it raises \(exception) here)",
      CheckedValue(value, node, .member(index), Edge(schemaIndex: schemaIndex, pointer: "")))
  }

  /// The exception that the decoding method of a type raises for a value that an object stores directly.
  ///
  /// A schema describes values as in JSON, where 2009.0 is an integer; an object's own code decodes by type.
  /// Format facts: Apple's reference of NSKeyedUnarchiver, "Overview".
  ///
  /// - Parameter types: the types that the schema allows; if there are several, the method is unknown.
  /// - Returns: nil if the method accepts the value.
  private static func objection(
    to value: Value, _ types: ValueKinds
  ) -> (method: String, exception: String)? {
    switch (types, value) {
    case (.integer, .real), (.integer, .single):
      ("decodeInteger(forKey:)", "NSInvalidUnarchiveOperationException")
    case (.integer, .unsigned), (.integer, .wide):
      ("decodeInteger(forKey:)", "NSRangeException")
    case (.number, .integer), (.number, .unsigned), (.number, .wide):
      ("decodeDouble(forKey:)", "NSInvalidUnarchiveOperationException")
    default: nil
    }
  }
}
