// Values of Foundation with a special form in PropertyListEncoder, and those with another in JSONEncoder.
//
// Each form is what swift-foundation's and swift-corelibs-foundation's Codable conformances write.

import ArchiveBasics
import ArchiveGraph

/// How objects of a class are encoded as the Codable type that Foundation bridges them to.
package struct CodableForm: Sendable {
  /// The classes that have the form; nil for all of the family.
  var names: [String]?
  /// The fields that the form includes: an object with another field has no form, because the field would be lost.
  let fields: Set<String>
  /// The form in JSON of an object that is shown as a text, where it is another one.
  var json: (@Sendable (String) -> SyntheticValue?)?
  let encode: @Sendable (ObjectFields) -> SyntheticValue?
}

/// Finds the Codable form of archived Foundation values: scalars, lists and members, of bounded depth.
package enum CodableForms {
  /// The form of an object, nil if its class has no special form.
  package static func form(of node: Node, in graph: ObjectGraph) -> SyntheticValue? {
    guard let form = classForm(of: node, in: graph) else { return nil }
    let fields = ObjectFields(of: node, in: graph)
    return fields.areAll(among: form.fields) ? form.encode(fields) : nil
  }

  private static func classForm(of node: Node, in graph: ObjectGraph) -> CodableForm? {
    graph.classDescription(of: node).flatMap { ClassRegistry.codableForms[$0.name] }
  }

  /// The form of the object that a field refers to, nil if it is nil or has none of the class's form.
  package static func form(
    _ name: String, of fields: ObjectFields, as classNames: [String]
  ) -> SyntheticValue? {
    guard let node = fields[name], let type = fields.graph.classDescription(of: node),
      classNames.contains(type.name)
    else { return nil }
    return form(of: node, in: fields.graph)
  }

  /// The form of an object in JSON, where URLs are strings and decimals numbers.
  package static func jsonForm(of node: Node, in graph: ObjectGraph) -> SyntheticValue? {
    guard let form = Self.form(of: node, in: graph) else { return nil }
    guard case .string(let text) = graph.value(of: node),
      let json = classForm(of: node, in: graph)?.json
    else { return form }
    return json(text.string)
  }

  /// Whether two decimal texts have the same value: `0.5` and `5e-1`.
  package static func isSame(_ decimal: String, _ other: String) -> Bool {
    guard let one = DecimalParts.number(decimal), let two = DecimalParts.number(other) else {
      return false
    }
    return one == two
  }
}

// MARK: - The stored fields of an archived object, by name

/// The fields of an object, even if its class has a plain value.
package struct ObjectFields {
  let graph: ObjectGraph
  private var nodes: [String: Node] = [:]
  /// Whether there is a field that `nodes` does not include.
  private var hasOthers = false

  init(of node: Node, in graph: ObjectGraph) {
    self.graph = graph
    guard case .dictionary(let pairs) = graph.storedValue(of: node) else { return }
    for position in 0..<min(pairs.count, 64) {
      guard let key = graph.text(of: graph.key(pairs, position))?.string, nodes[key] == nil else {
        hasOthers = true
        continue
      }
      nodes[key] = graph.value(pairs, position)
    }
    if pairs.count > 64 { hasOthers = true }
  }

  /// Whether the object has only these fields, except fields that are nil.
  func areAll(among names: Set<String>) -> Bool {
    !hasOthers && nodes.keys.allSatisfy { $0 == "$class" || names.contains($0) || isNil($0) }
  }

  /// Whether a field is missing or nil.
  func isNil(_ name: String) -> Bool {
    if case .null = value(name) ?? .null { true } else { false }
  }

  subscript(name: String) -> Node? { nodes[name] }

  private func value(_ name: String) -> Value? { nodes[name].map { graph.value(of: $0) } }

  /// An integer, stored as one or as an integral real, which `decodeInteger(forKey:)` reads as well.
  func integer(_ name: String) -> Int64? { value(name)?.integral }

  func real(_ name: String) -> Double? { value(name)?.number }

  func boolean(_ name: String) -> Bool? { value(name)?.flag }

  func string(_ name: String) -> String? { value(name)?.text?.string }

  func data(_ name: String) -> ByteView? { value(name)?.bytes }

  func date(_ name: String) -> Double? { value(name)?.seconds }
}
