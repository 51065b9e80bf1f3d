// Values of Foundation with a special form in PropertyListEncoder, and those with another in JSONEncoder.
//
// Each form is what swift-foundation's and swift-corelibs-foundation's Codable conformances write.

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
    graph.classIndex(of: node).flatMap { ClassRegistry.codableForms[graph.classes[$0].name] }
  }

  /// The form of the object that a field refers to, nil if it is nil or has none of the class's form.
  package static func form(
    _ name: String, of fields: ObjectFields, as classNames: [String]
  ) -> SyntheticValue? {
    guard let node = fields[name], let index = fields.graph.classIndex(of: node),
      classNames.contains(fields.graph.classes[index].name)
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
    parts(decimal).map { one in parts(other).map { one == $0 } ?? false } ?? false
  }

  /// The digits of a number without zeros at its ends, and where its point is.
  private static func parts(_ text: String) -> [String]? {
    let halves = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
    guard let mantissa = halves.first, let exponent = Int(halves.count > 1 ? halves[1] : "0") else {
      return nil
    }
    let isNegative = mantissa.hasPrefix("-")
    let sides = mantissa.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = sides.first else { return nil }
    var digits = whole + (sides.count > 1 ? sides[1] : "")
    var point = whole.count + exponent
    while digits.hasPrefix("0") {
      digits.removeFirst()
      point -= 1
    }
    while digits.hasSuffix("0") { digits.removeLast() }
    return [isNegative ? "-" : "", String(digits), digits.isEmpty ? "" : String(point)]
  }
}
