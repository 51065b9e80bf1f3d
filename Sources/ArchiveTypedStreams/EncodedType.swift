// Type encodings of Objective-C as typedstreams carry them: `@`, `i`, `[12c]`, `{CGPoint=dd}`.
//
// Format facts: the Objective-C runtime's type encodings (@encode); NXTypedStream's own `+`, `%` and `!`.

import ArchiveBasics

/// One type of a group of values.
enum EncodedType: Equatable, Sendable {
  /// A type of one character.
  case scalar(UInt8)
  /// `[12i]`: so many values of one type.
  indirect case array(Int, EncodedType)
  /// `{name=…}`: values one after the other; the name may be missing or `?`.
  case structure(String?, [EncodedType])

  private static let scalars = Set("cCsSiIlLqQfdB@#:*+%!".utf8)
  private static let maximumDepth = 64

  /// Parses the types of a group.
  ///
  /// - Parameter offset: the position of the text, for the error.
  static func parse(
    _ text: [UInt8], offset: Int
  ) throws(ArchiveError) -> [EncodedType] {
    var parser = Parser(text: text, offset: offset)
    var types: [EncodedType] = []
    while !parser.isAtEnd { types.append(try parser.type(depth: 0)) }
    return types
  }

  /// Whether it is a character, of which arrays are data.
  var isCharacter: Bool { self == .scalar(UInt8(ascii: "c")) || self == .scalar(UInt8(ascii: "C")) }

  /// What the type holds, for messages: ` (an integer of 32 bits)`; empty if its letters tell enough.
  var explanation: String {
    guard case .scalar(let code) = self else { return "" }
    if let range = Self.integers(code) {
      return " (an integer from \(range.lowerBound) to \(range.upperBound))"
    }
    switch code {
    case UInt8(ascii: "B"): return " (a boolean)"
    case UInt8(ascii: "f"): return " (a real of single precision)"
    case UInt8(ascii: "d"): return " (a real)"
    case UInt8(ascii: "!"): return " (nothing)"
    default: return " (a text)"
    }
  }

  /// The integers that a type holds; nil for one of other values, and for those of 64 bits without a sign.
  static func integers(_ code: UInt8) -> ClosedRange<Int64>? {
    switch code {
    case UInt8(ascii: "c"): Int64(Int8.min)...Int64(Int8.max)
    case UInt8(ascii: "C"): 0...Int64(UInt8.max)
    case UInt8(ascii: "s"): Int64(Int16.min)...Int64(Int16.max)
    case UInt8(ascii: "S"): 0...Int64(UInt16.max)
    case UInt8(ascii: "i"): Int64(Int32.min)...Int64(Int32.max)
    case UInt8(ascii: "I"): 0...Int64(UInt32.max)
    case UInt8(ascii: "l"), UInt8(ascii: "q"): Int64.min...Int64.max
    default: nil
    }
  }

  /// What a value costs beyond its bytes: most without any, little as a container of one other container.
  var cost: Int {
    switch self {
    case .scalar(let type): return type == UInt8(ascii: "!") ? 8 : 0
    case .array: return minimumSize == 0 ? 8 : 0
    case .structure(_, let fields):
      if minimumSize == 0 { return 8 }
      if fields.count == 1, case .scalar = fields[0] { return 0 }
      return fields.count == 1 ? 1 : 0
    }
  }

  /// How many bytes a value takes at least; 0 means that nothing of it is stored.
  var minimumSize: Int {
    switch self {
    case .scalar(let type): return type == UInt8(ascii: "!") ? 0 : 1
    case .array(let count, let element):
      let (size, overflow) = count.multipliedReportingOverflow(by: element.minimumSize)
      return overflow ? .max : size
    case .structure(_, let fields):
      return fields.reduce(0) { sum, field in
        let (total, overflow) = sum.addingReportingOverflow(field.minimumSize)
        return overflow ? .max : total
      }
    }
  }

  var text: String {
    switch self {
    case .scalar(let type): return String(Unicode.Scalar(type))
    case .array(let count, let element): return "[\(count)\(element.text)]"
    case .structure(let name, let fields):
      let types = fields.map(\.text).joined()
      return name.map { "{\($0)=\(types)}" } ?? "{\(types)}"
    }
  }

  private struct Parser {
    let text: [UInt8]
    let offset: Int
    var position = 0

    var isAtEnd: Bool { position == text.count }

    mutating func type(depth: Int) throws(ArchiveError) -> EncodedType {
      guard depth < EncodedType.maximumDepth else { throw problem("is nested too deep") }
      guard position < text.count else { throw problem("ends too early") }
      let first = text[position]
      position += 1
      switch first {
      case UInt8(ascii: "["): return try array(depth)
      case UInt8(ascii: "{"): return try structure(depth)
      case UInt8(ascii: "("): throw problem("has a union, whose contents no stream describes")
      default:
        guard EncodedType.scalars.contains(first) else { throw problem("has an unknown type") }
        return .scalar(first)
      }
    }

    private mutating func array(_ depth: Int) throws(ArchiveError) -> EncodedType {
      var count = 0
      while position < text.count, (0x30...0x39).contains(text[position]) {
        count = count * 10 + Int(text[position] - 0x30)
        guard count <= Int(Int32.max) else { throw problem("has an array of too many elements") }
        position += 1
      }
      let element = try type(depth: depth + 1)
      try skip("]")
      return .array(count, element)
    }

    private mutating func structure(_ depth: Int) throws(ArchiveError) -> EncodedType {
      let rest = text[position...]
      // A name is followed by '='; without a name the types follow directly.
      let end = rest.firstIndex { "={}[]".utf8.contains($0) } ?? text.count
      var name: String?
      if end < text.count, text[end] == UInt8(ascii: "=") {
        name = String(decoding: text[position..<end], as: UTF8.self)
        position = end + 1
      } else if end < text.count, text[end] == UInt8(ascii: "}"), rest.first == UInt8(ascii: "?") {
        position = end
      }
      var fields: [EncodedType] = []
      while position < text.count, text[position] != UInt8(ascii: "}") {
        fields.append(try type(depth: depth + 1))
      }
      try skip("}")
      return .structure(name, fields)
    }

    private mutating func skip(_ mark: Unicode.Scalar) throws(ArchiveError) {
      guard position < text.count, text[position] == UInt8(ascii: mark) else {
        throw problem("lacks its '\(mark)'")
      }
      position += 1
    }

    private func problem(_ reason: String) -> ArchiveError {
      let shown = String(decoding: text.prefix(80), as: UTF8.self)
      return ArchiveError(
        .malformed, "the type encoding '\(shown)' \(reason)", offset: offset)
    }
  }
}
