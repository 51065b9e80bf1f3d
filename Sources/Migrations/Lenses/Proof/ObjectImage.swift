// What Foundation's objects become that an archive of objects shows as text, and Codable and JSON spell otherwise.
//
// Source: swift-corelibs-foundation, URL.swift (relative, base) and Decimal.swift (exponent to mantissa);
// JSONEncoder writes the one as a string and the other as a number.

import Basics
import KeyedArchives
import PropertyLists
import Schemas

/// The forms of URLs and decimal numbers.
enum ObjectImage: String {
  case url = "NSURL"
  case decimal = "NSDecimalNumber"

  /// What the objects of a shape are, by their class; nil for all others.
  init?(_ shape: ValueShape) {
    let names = shape.values(of: "x-class").flatMap { $0.string.map { [$0] } ?? $0.strings }
    guard Set(names).count == 1, let name = names.first else { return nil }
    self.init(rawValue: name)
  }

  /// What a schema's place makes of values; nil where it names no such class.
  init?(_ rule: StructureRule?) {
    guard let name = rule?.className else { return nil }
    self.init(rawValue: name)
  }

  /// The name of the form's definition.
  var name: String { "form" + rawValue }

  /// The form of PropertyListEncoder.
  var codable: ValueShape {
    switch self {
    case .url:
      var shape = ShapeReading.object([
        ("relative", .any([.scalar(.text)])), ("base", .defined(name)),
      ])
      shape.members.required = [ExactText("relative")]
      return shape
    case .decimal:
      let word = LensSchema.any([.scalar(.storedInteger)])
      let flag = LensSchema.any([.scalar(.boolean)])
      return ShapeReading.object([
        ("exponent", word), ("length", word), ("isNegative", flag), ("isCompact", flag),
        ("mantissa", .any([ShapeReading.list(Array(repeating: word, count: 8))])),
      ])
    }
  }

  /// The form of JSONEncoder.
  var json: ValueShape { .scalar(self == .url ? .text : .number) }

  /// The kinds of the spellings that become objects.
  var spelled: ValueKinds { self == .url ? .dictionary : [.dictionary, .number] }

  /// What an archive of objects shows.
  var object: ValueShape { .scalar(.text, ("x-class", .string(rawValue))) }
}
