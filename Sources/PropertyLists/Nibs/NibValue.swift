// The values of a NIBArchive's objects: the number of a key, a type, and the content.

import Basics

/// The key of a value, as far as its meaning is known.
struct NibKey {
  enum Role {
    /// The key of elements, which have none.
    case unnamed
    /// The key of a flag: the elements follow in the same object.
    case inlined
    case bytes, integer, real, boolean, other
  }

  private static let roles: [String: Role] = [
    "UINibEncoderEmptyKey": .unnamed, "NSInlinedValue": .inlined, "NS.bytes": .bytes,
    "NS.intval": .integer, "NS.dblval": .real, "NS.boolval": .boolean,
  ]

  /// The stored string.
  let index: UInt32
  let role: Role

  init(_ name: String, index: UInt32) {
    self.index = index
    role = Self.roles[name] ?? .other
  }
}

/// A value of an object.
struct NibValue {
  enum Content {
    case integer(Int64)
    case boolean(Bool)
    case single(Float)
    case real(Double)
    case data(UnsafeRawBufferPointer)
    case null
    /// The number of another object, or of the same.
    case object(Int)
  }

  /// The number of the key.
  let key: Int
  let content: Content
  /// Where the value begins; for bytes where those begin.
  let offset: Int

  init(_ cursor: inout NibCursor) throws(ArchiveError) {
    var offset = cursor.position
    key = try cursor.variable("the number of a key")
    let place = cursor.position
    let type = try cursor.take(1, "the type of a value")[0]
    let name: String = "a value"
    switch type {
    case 0: content = .integer(Int64(Int8(truncatingIfNeeded: try cursor.little(1, name))))
    case 1: content = .integer(Int64(Int16(truncatingIfNeeded: try cursor.little(2, name))))
    case 2: content = .integer(Int64(Int32(truncatingIfNeeded: try cursor.little(4, name))))
    case 3: content = .integer(Int64(bitPattern: try cursor.little(8, name)))
    case 4, 5: content = .boolean(type == 5)
    case 6:
      let bits = UInt32(truncatingIfNeeded: try cursor.little(4, name))
      content = .single(Float(bitPattern: bits))
    case 7: content = .real(Double(bitPattern: try cursor.little(8, name)))
    case 8:
      let count = try cursor.variable("the length of a data value")
      offset = cursor.position
      content = .data(try cursor.take(count, "a data value"))
    case 9: content = .null
    case 10: content = .object(Int(try cursor.little(4, "the number of an object")))
    default:
      throw ArchiveError(
        .malformed, "a value has the type \(type); the types are 0 to 10", offset: place)
    }
    self.offset = offset
  }
}
