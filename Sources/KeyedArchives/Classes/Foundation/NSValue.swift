// NSValue: `NS.special` determines a point, size, rectangle, range or insets and their keys; other types have an
// Objective-C type string in `$0` and the value in `$1` (swift-corelibs-foundation: NSSpecialValue.swift,
// NSConcreteValue.swift).

import ArchiveBasics
import ArchiveGraph

enum NSValueClass: SimpleClass {
  static let classNames = ["NSValue", "NSConcreteValue"]
  static let shown =
    "a range, point, size, rectangle, insets, time, coordinate, vector or transform"

  /// A value in named numbers.
  private struct Shape {
    let kind: String
    let fieldNames: [String]
    let members: [(name: String, value: SyntheticValue)]
    let text: String
  }

  static func value(of object: ArchivedObject) -> Value? {
    guard let shape = shape(of: object) else { return nil }
    return object.derivedObject(of: shape.fieldNames) { shape.members }
  }

  static func summary(of object: ArchivedObject) -> String? {
    if let shape = shape(of: object) { return "\(shape.kind) \(shape.text)" }
    // The key `$0` gains no `$`: generic keys are the archiver's own.
    guard let type = object.string("$0") else { return nil }
    if let array = object.object("$1", of: OldStyleArrayClass.self) {
      return OldStyleArrayClass.summary(of: array)
    }
    let content = object.leaf("$1").map { " \(SummaryText.scalar($0))" } ?? ""
    return "\(SummaryText.clipped(type))\(content)"
  }

  private static func shape(of object: ArchivedObject) -> Shape? {
    guard let special = object.integer("NS.special") else { return knownStructure(object) }
    guard let shape = shapes.first(where: { $0.special == special }) else { return nil }
    var (text, values): (String, [SyntheticValue])
    if shape.keys.count == 1 {
      // Numbers in a string such as `{1, 2}` or `{{1, 2}, {3, 4}}`.
      text = object.string(shape.keys[0]) ?? ""
      values = (GeometryText.numbers(text, shape.members.count) ?? []).map { .real($0) }
    } else if shape.kind == "range" {
      let numbers = shape.keys.compactMap { object.integer($0) }
      (text, values) = (
        "{\(numbers.map(String.init).joined(separator: ", "))}", numbers.map { .integer($0) }
      )
    } else {
      let numbers = shape.keys.compactMap { object.number($0) }
      (text, values) = (list(numbers), numbers.map { .real($0) })
    }
    guard values.count == shape.members.count else { return nil }
    return Shape(
      kind: shape.kind, fieldNames: shape.keys + ["NS.special"],
      members: Array(zip(shape.members, values)), text: text)
  }

  private static func list(_ numbers: [Double]) -> String {
    "{\(numbers.map { SummaryText.number($0) }.joined(separator: ", "))}"
  }

  /// Structures of other frameworks, which add keys of their own to NSValue.
  private static func knownStructure(_ object: ArchivedObject) -> Shape? {
    if object.has("timescale"), let value = object.integer("value"),
      let scale = object.integer("timescale"), scale > 0
    {
      let seconds = SummaryText.number(Double(value) / Double(scale))
      return Shape(
        kind: "time", fieldNames: ["value", "timescale"],
        members: [("value", .integer(value)), ("timescale", .integer(scale))],
        text: "\(value)/\(scale) = \(seconds) s")
    }
    return structure(object)
  }

  /// `$0` an encoding such as `{SCNVector3=fff}`, `$1` its bytes: floats or doubles by the letters.
  private static func structure(_ object: ArchivedObject) -> Shape? {
    guard let type = object.string("$0"), let equals = type.firstIndex(of: "="),
      type.hasPrefix("{"), type.hasSuffix("}"), let bytes = object.bytes("$1")
    else { return nil }
    let letters = type[type.index(after: equals)...].filter { $0 == "f" || $0 == "d" }
    let name = String(type[type.index(after: type.startIndex)..<equals].prefix(40))
    guard let numbers = GeometryText.numbers(bytes, letters) else { return nil }
    let names = fieldNames[name] ?? []
    guard names.isEmpty || names.count == numbers.count else { return nil }
    let members: [(name: String, value: SyntheticValue)] =
      names.isEmpty
      ? [("numbers", .list(numbers.map { .real($0) }))]
      : zip(names, numbers).map { ($0, .real($1)) }
    return Shape(
      kind: name, fieldNames: ["$1"], members: [("type", .string(name))] + members,
      text: list(numbers))
  }

  /// The members of structures that are often stored in values.
  private static let fieldNames: [String: [String]] = [
    "SCNVector3": ["x", "y", "z"], "SCNVector4": ["x", "y", "z", "w"],
    "CGPoint": ["x", "y"], "CGSize": ["width", "height"], "CGVector": ["dx", "dy"],
    "CGAffineTransform": ["a", "b", "c", "d", "tx", "ty"],
    "CLLocationCoordinate2D": ["latitude", "longitude"],
    "UIEdgeInsets": ["top", "left", "bottom", "right"],
    "UIOffset": ["horizontal", "vertical"],
    "CATransform3D": [
      "m11", "m12", "m13", "m14", "m21", "m22", "m23", "m24", "m31", "m32", "m33", "m34", "m41",
      "m42", "m43", "m44",
    ],
  ]

  // MARK: Stored form

  /// Points, sizes and rectangles are text, a range two numbers of their own, insets reals (Foundation: encodeWithCoder:
  /// of NSConcreteValue, NSStringFromRect; swift-corelibs-foundation writes `1.0` where Apple writes `1`).
  static let storedForm = StoredForm.made(shown: Set(shapes.flatMap(\.members))) {
    value throws(FormRefusal) in
    let (shape, nodes) = try shape(of: value)
    let special = StoredField("NS.special", .integer(shape.special))
    if shape.special == 4 {
      let numbers = nodes.compactMap { value.integer($0) }
      guard numbers.count == 2, numbers.allSatisfy({ $0 >= 0 }) else {
        throw FormRefusal(reason: "a range has two integers")
      }
      return [special] + zip(shape.keys, numbers).map { StoredField($0, .boxed($1)) }
    }
    let numbers = nodes.compactMap { value.number($0) }
    guard numbers.count == nodes.count else {
      throw FormRefusal(reason: "its members are not numbers")
    }
    if shape.keys.count > 1 {
      return [special] + zip(shape.keys, numbers).map { StoredField($0, .real($1)) }
    }
    let texts = numbers.map {
      value.foundation == .apple ? $0.text(significantDigits: 17) : $0.description
    }
    let pairs = stride(from: 0, to: texts.count, by: 2).map { "{\(texts[$0]), \(texts[$0 + 1])}" }
    let text = pairs.count == 1 ? pairs[0] : "{\(pairs.joined(separator: ", "))}"
    return [special, StoredField(shape.keys[0], .string(text))]
  }

  private typealias StoredShape = (special: Int64, kind: String, keys: [String], members: [String])

  private static let shapes: [StoredShape] = [
    (3, "rectangle", ["NS.rectval"], ["x", "y", "width", "height"]),
    (1, "point", ["NS.pointval"], ["x", "y"]), (2, "size", ["NS.sizeval"], ["width", "height"]),
    (4, "range", ["NS.rangeval.location", "NS.rangeval.length"], ["location", "length"]),
    (
      12, "insets", ["NS.edgeval.top", "NS.edgeval.left", "NS.edgeval.bottom", "NS.edgeval.right"],
      ["top", "left", "bottom", "right"]
    ),
  ]

  /// The shape of a value and its numbers: by the members' names, or for Codable's lists by those of the schema.
  private static func shape(
    of value: FormValue
  ) throws(FormRefusal) -> (shape: StoredShape, numbers: [Node]) {
    if let elements = value.elements(value.node) {
      let inner = elements.compactMap { value.elements($0) }
      guard elements.count == 2, inner.isEmpty || inner.map(\.count) == [2, 2] else {
        throw FormRefusal(reason: nil)
      }
      if inner.count == 2 { return (shapes[0], inner[0] + inner[1]) }
      let possible = shapes.filter {
        $0.members.count == 2 && $0.members.allSatisfy(value.isNamed)
      }
      guard possible.count == 1 else {
        throw FormRefusal(
          reason:
            "whether the numbers are a point, a size or a range is not known: name its members in the schema"
        )
      }
      return (possible[0], elements)
    }
    var members = try value.members()
    for shape in shapes where members.hasAll(shape.members) {
      let nodes = shape.members.compactMap { members.remove($0) }
      try members.end()
      guard nodes.count == shape.members.count else { throw FormRefusal(reason: nil) }
      return (shape, nodes)
    }
    throw FormRefusal(
      reason: "its members are not those of a point, size, rectangle, range or insets")
  }

  // MARK: Codable

  /// CGPoint and CGSize `[x, y]`, CGRect `[[x, y], [w, h]]`, NSRange `[location, length]`.
  static let codableForm: CodableForm? = CodableForm(fields: [
    "NS.special", "NS.pointval", "NS.sizeval", "NS.rectval", "NS.rangeval.location",
    "NS.rangeval.length",
  ]) { fields in
    switch fields.integer("NS.special") {
    case 1: return geometryForm(fields.string("NS.pointval"), 2)
    case 2: return geometryForm(fields.string("NS.sizeval"), 2)
    case 3: return geometryForm(fields.string("NS.rectval"), 4)
    case 4:
      guard let location = fields["NS.rangeval.location"],
        let length = fields["NS.rangeval.length"]
      else { return nil }
      return .list([.node(location), .node(length)])
    default: return nil
    }
  }

  /// The numbers of `{1, 2}` or `{{1, 2}, {3, 4}}`.
  private static func geometryForm(_ text: String?, _ count: Int) -> SyntheticValue? {
    guard let text, let numbers = GeometryText.numbers(text, count) else { return nil }
    let values = numbers.map { SyntheticValue.real($0) }
    return count == 2
      ? .list(values) : .list([.list(Array(values[..<2])), .list(Array(values[2...]))])
  }
}

// MARK: - Numbers of points, sizes and rectangles, as NSValue archives them

/// Numbers of points, sizes and rectangles.
package enum GeometryText {
  /// The numbers of `{1, 2}` or `{{1, 2}, {3, 4}}`, nil if there are not as many.
  package static func numbers(_ text: String, _ count: Int) -> [Double]? {
    guard text.utf8.count < 512 else { return nil }
    let words = text.split { "{}, ".contains($0) }
    let numbers = words.compactMap { Double($0) }
    return numbers.count == words.count && numbers.count == count ? numbers : nil
  }

  /// The numbers of bytes, one a letter: `f` of four bytes, `d` of eight; little-endian.
  static func numbers(_ bytes: ByteView, _ letters: some StringProtocol) -> [Double]? {
    let letters = Array(letters)
    guard (1...16).contains(letters.count),
      bytes.count == letters.reduce(0, { $0 + ($1 == "f" ? 4 : 8) })
    else { return nil }
    var offset = 0
    return letters.map { letter in
      if letter == "f" {
        let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        offset += 4
        return Double(Float(bitPattern: UInt32(littleEndian: bits)))
      }
      let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      offset += 8
      return Double(bitPattern: UInt64(littleEndian: bits))
    }
  }
}

// MARK: - Ranges as summaries show them

enum RangeText {
  /// How many ranges are shown.
  static let most = 8

  /// `0–3, 7, 300–301`, the ends included; `empty` without ranges.
  static func list(_ ranges: [Range<Int64>], text: (Int64) -> String) -> String {
    if ranges.isEmpty { return "empty" }
    let texts = ranges.prefix(most).map { range -> String in
      let last = range.upperBound - 1
      return range.lowerBound == last
        ? text(last) : "\(text(range.lowerBound))–\(text(last))"
    }
    return texts.joined(separator: ", ") + (ranges.count > most ? ", …" : "")
  }
}
