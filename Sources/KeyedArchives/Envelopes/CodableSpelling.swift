// Values of Foundation with a special form in PropertyListEncoder, and those with another in JSONEncoder.
//
// Each form is what swift-foundation's and swift-corelibs-foundation's Codable conformances write.

import ObjectGraph

/// A value as Codable types encode themselves.
package indirect enum CodableSpelling {
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case text(String)
  case node(Node)
  case array([CodableSpelling])
  case dictionary([(String, CodableSpelling)])
}

/// How objects of a class are encoded as the Codable type that Foundation bridges them to.
struct CodableForm: Sendable {
  /// The classes that have the form; nil for all of the family.
  let names: [String]?
  /// The fields that the form includes: an object with another field has no form, because the field would be lost.
  let fields: Set<String>
  /// The form in JSON of an object that is shown as a text, where it is another one.
  let json: (@Sendable (String) -> CodableSpelling?)?
  let spell: @Sendable (ObjectFields) -> CodableSpelling?

  init(
    names: [String]? = nil, fields: Set<String>,
    json: (@Sendable (String) -> CodableSpelling?)? = nil,
    spell: @escaping @Sendable (ObjectFields) -> CodableSpelling?
  ) {
    self.names = names
    self.fields = fields
    self.json = json
    self.spell = spell
  }
}

/// Finds the Codable form of archived Foundation values.
package enum CodableForms {
  /// The form of an object, nil if its class has no special form.
  package static func spelling(of node: Node, in graph: ObjectGraph) -> CodableSpelling? {
    guard let index = graph.classIndex(of: node),
      let form = ClassRegistry.codableForms[graph.classes[index].name]
    else { return nil }
    let fields = ObjectFields(of: node, in: graph)
    return fields.areAll(among: form.fields) ? form.spell(fields) : nil
  }

  /// The form of the object that a field refers to, nil if it is nil or has none of the class's form.
  static func spelling(
    _ name: String, of fields: ObjectFields, as classNames: [String]
  ) -> CodableSpelling? {
    guard let node = fields[name], let index = fields.graph.classIndex(of: node),
      classNames.contains(fields.graph.classes[index].name)
    else { return nil }
    return spelling(of: node, in: fields.graph)
  }

  /// The form of an object in JSON, where URLs are strings and decimals numbers.
  static func jsonSpelling(of node: Node, in graph: ObjectGraph) -> CodableSpelling? {
    guard let spelled = spelling(of: node, in: graph) else { return nil }
    guard let index = graph.classIndex(of: node), case .string(let text) = graph.value(of: node),
      let json = ClassRegistry.codableForms[graph.classes[index].name]?.json
    else { return spelled }
    return json(text.string)
  }

  /// Whether two decimal texts have the same value: `0.5` and `5e-1`.
  static func isSame(_ decimal: String, _ other: String) -> Bool {
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
