// NSValue: `NS.special` tells a point, size, rectangle, range or insets and their keys; other types have an
// Objective-C type string in `$0` and the value in `$1` (swift-corelibs-foundation: NSSpecialValue.swift,
// NSConcreteValue.swift).

import ObjectGraph

/// NSValue.
enum NSValueClass: ArchivedClass {
  static let classNames = ["NSValue", "NSConcreteValue"]
  static let shown =
    "a range, point, size, rectangle, insets, time, coordinate, vector or transform"
  static let isSimple = true

  /// A value in named numbers.
  private struct Shape {
    let kind: String
    let spelled: [String]
    let members: [(name: String, value: DerivedForm)]
    let text: String
  }

  static func value(of object: ArchivedObject) -> Value? {
    guard let shape = shape(of: object) else { return nil }
    return object.derivedObject(spelling: shape.spelled) { shape.members }
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
    switch object.integer("NS.special") {
    case 1?: return geometry(object, "point", "NS.pointval", ["x", "y"])
    case 2?: return geometry(object, "size", "NS.sizeval", ["width", "height"])
    case 3?: return geometry(object, "rectangle", "NS.rectval", ["x", "y", "width", "height"])
    case 4?: return range(object)
    case 12?:
      return named(
        object, "insets",
        [
          ("NS.edgeval.top", "top"), ("NS.edgeval.left", "left"), ("NS.edgeval.bottom", "bottom"),
          ("NS.edgeval.right", "right"),
        ], consuming: ["NS.special"])
    case nil: return knownStructure(object)
    default: return nil
    }
  }

  private static func range(_ object: ArchivedObject) -> Shape? {
    let keys = ["NS.rangeval.location", "NS.rangeval.length"]
    guard let location = object.integer(keys[0]), let length = object.integer(keys[1]) else {
      return nil
    }
    return Shape(
      kind: "range", spelled: keys + ["NS.special"],
      members: [("location", .integer(location)), ("length", .integer(length))],
      text: "{\(location), \(length)}")
  }

  /// Numbers in a string such as `{1, 2}` or `{{1, 2}, {3, 4}}`.
  private static func geometry(
    _ object: ArchivedObject, _ kind: String, _ key: String, _ names: [String]
  ) -> Shape? {
    guard let text = object.string(key), let numbers = GeometryText.numbers(text, names.count)
    else { return nil }
    return Shape(
      kind: kind, spelled: [key, "NS.special"],
      members: zip(names, numbers).map { ($0, .real($1)) },
      text: text)
  }

  /// Numbers in keys of their own.
  private static func named(
    _ object: ArchivedObject, _ kind: String, _ keys: [(String, String)], consuming more: [String]
  ) -> Shape? {
    let numbers = keys.compactMap { object.number($0.0) }
    guard numbers.count == keys.count else { return nil }
    return Shape(
      kind: kind, spelled: keys.map(\.0) + more,
      members: zip(keys, numbers).map { ($0.1, .real($1)) },
      text: "{\(numbers.map { SummaryText.number($0) }.joined(separator: ", "))}")
  }

  /// Structures of other frameworks, which add keys of their own to NSValue.
  private static func knownStructure(_ object: ArchivedObject) -> Shape? {
    if object.has("timescale"), let value = object.integer("value"),
      let scale = object.integer("timescale"), scale > 0
    {
      let seconds = SummaryText.number(Double(value) / Double(scale))
      return Shape(
        kind: "time", spelled: ["value", "timescale"],
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
    let text = "{\(numbers.map { SummaryText.number($0) }.joined(separator: ", "))}"
    let members: [(name: String, value: DerivedForm)] =
      names.isEmpty
      ? [("numbers", .list(numbers.map { .real($0) }))]
      : zip(names, numbers).map { ($0, .real($1)) }
    return Shape(
      kind: name, spelled: ["$1"], members: [("type", .string(name))] + members, text: text)
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
}

/// Numbers of points, sizes and rectangles.
enum GeometryText {
  /// The numbers of `{1, 2}` or `{{1, 2}, {3, 4}}`, nil if there are not as many.
  static func numbers(_ text: String, _ count: Int) -> [Double]? {
    guard text.utf8.count < 512 else { return nil }
    let words = text.split { "{}, ".contains($0) }
    let numbers = words.compactMap { Double($0) }
    return numbers.count == words.count && numbers.count == count ? numbers : nil
  }

  /// The numbers of bytes, one a letter: `f` of four bytes, `d` of eight; little-endian.
  static func numbers(_ bytes: UnsafeRawBufferPointer, _ letters: some StringProtocol) -> [Double]?
  {
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

/// The array of a C array in an NSValue: `NS.count` elements of the type whose letter is `NS.type`, in `$0`, `$1`, ….
enum OldStyleArrayClass: ArchivedClass {
  static let classNames = ["_NSKeyedCoderOldStyleArray"]
  static let shown = "the elements of a C array"

  static func value(of object: ArchivedObject) -> Value? {
    guard let count = object.integer("NS.count"), let nodes = object.indexed("$"),
      Int64(nodes.count) == count
    else { return nil }
    let spelled = ["NS.count", "NS.size", "NS.type"] + nodes.indices.map { "$\($0)" }
    return object.derivedObject(spelling: spelled) {
      [("elements", .list(nodes.map { .node($0) }))]
    }
  }

  static func summary(of object: ArchivedObject) -> String? {
    guard let count = object.integer("NS.count"), let type = object.integer("NS.type"),
      let scalar = UInt32(exactly: type).flatMap({ Unicode.Scalar($0) }), scalar.isASCII,
      let nodes = object.indexed("$"), Int64(nodes.count) == count
    else { return nil }
    let elements = nodes.prefix(16).map { object.leaf($0).map { SummaryText.scalar($0) } ?? "…" }
    return
      "[\(count)\(scalar)] {\(elements.joined(separator: ", "))\(nodes.count > 16 ? ", …" : "")}"
  }
}
