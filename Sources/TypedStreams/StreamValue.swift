// What a typedstream holds before it is given a layout: objects with their groups of typed values.

/// One value of a group.
enum StreamValue {
  /// nil, or what has no contents.
  case null
  /// What a damaged stream does not hold any more.
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
}

/// Values that were written with one call: their types, and they themselves.
struct TypedGroup {
  var types: [EncodedType]
  var values: [StreamValue] = []

  /// The types as text.
  var text: String { types.map(\.text).joined() }
}

/// A class as a stream tells it.
struct TypedClass {
  let name: String
  let version: Int64
  /// The number of the class that it derives from.
  let superclass: Int?
}

/// An object as a stream tells it.
struct TypedObject {
  /// Where it begins.
  let offset: Int
  var classNumber: Int?
  var groups: [TypedGroup] = []
  /// Whether a damaged stream ends in it.
  var isCut = false
}

/// All of a stream.
struct TypedStreamContents {
  var version: UInt8 = 4
  var systemVersion: Int64 = 1000
  var isBigEndian = false
  /// How many newlines behind the last group are none of it.
  var surplus = 0
  var objects: [TypedObject] = []
  var classes: [TypedClass] = []
  var tops: [TypedGroup] = []

  /// The names of a class and of those that it derives from.
  func chain(of number: Int?) -> [TypedClass] {
    var chain: [TypedClass] = []
    var next = number
    // A superclass is always read before its number can be referred to, so the chain ends.
    while let current = next, chain.count <= classes.count {
      chain.append(classes[current])
      next = classes[current].superclass
    }
    return chain
  }
}
