// The content of a typedstream without a layout: objects with their groups of typed values.

/// One value of a group.
enum StreamValue {
  /// nil, or a value without content.
  case null
  /// A value that a damaged stream has lost.
  case lost
  case boolean(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case single(Float)
  case real(Double)
  /// Characters: of `+`, `*`, `%` and `:`.
  case text(UnsafeRawBufferPointer)
  /// `[12c]`, `[12C]`.
  case data(UnsafeRawBufferPointer)
  /// The number of an object in the stream's order.
  case object(Int)
  /// The number of a class in the stream's order.
  case type(Int)
  case array([StreamValue])
  case structure([StreamValue])

  /// Whether a type of one letter holds the value as it is.
  func fits(_ code: UInt8) -> Bool {
    switch (self, code) {
    case (.boolean, UInt8(ascii: "B")), (.single, UInt8(ascii: "f")), (.real, UInt8(ascii: "d")),
      (.single, UInt8(ascii: "d")), (.lost, _):
      true
    case (.real(let number), UInt8(ascii: "f")):
      Double(Float(number)) == number || number.isNaN
    case (.integer(let number), UInt8(ascii: "L")), (.integer(let number), UInt8(ascii: "Q")):
      number >= 0
    case (.unsigned, UInt8(ascii: "L")), (.unsigned, UInt8(ascii: "Q")): true
    case (.integer(let number), _): EncodedType.integers(code)?.contains(number) ?? false
    case (.text, let code): "*%:+".utf8.contains(code)
    case (.null, let code): "*%:+!@#".utf8.contains(code)
    default: false
    }
  }
}

/// Values that were written with one call: their types, and they themselves.
struct TypedGroup {
  var types: [EncodedType]
  var values: [StreamValue] = []

  /// The types as text.
  var text: String { types.map(\.text).joined() }
}

/// A class in a stream.
struct TypedClass {
  let name: String
  let version: Int64
  /// The number of the class that it derives from.
  let superclass: Int?
}

/// An object in a stream.
struct TypedObject {
  /// Where it begins.
  let offset: Int
  var classNumber: Int?
  var groups: [TypedGroup] = []
}

/// All of a stream.
struct TypedStreamContents {
  var version: UInt8 = 4
  var systemVersion: Int64 = 1000
  var isBigEndian = false
  var objects: [TypedObject] = []
  var classes: [TypedClass] = []
  var tops: [TypedGroup] = []
}

extension [TypedClass] {
  /// A class and those that it derives from.
  func chain(of number: Int?) -> [TypedClass] {
    var chain: [TypedClass] = []
    var next = number
    // A superclass is always read before its number can be referred to, so the chain ends.
    while let current = next, chain.count <= count {
      chain.append(self[current])
      next = self[current].superclass
    }
    return chain
  }
}
