// What the objects of a NIBArchive are in Foundation: strings, numbers and collections are stored value by value.

import ArchiveBasics

struct NibObject {
  /// A scalar that the object represents.
  enum Scalar {
    case text(String)
    case value(NibValue)
  }

  let role: NibClass.Role
  let values: [(key: NibKey, value: NibValue)]

  /// The string or number, if the object has nothing else.
  ///
  /// A string that keyed archives use for nil remains an object.
  var scalar: Scalar? {
    guard values.count == 1, let (key, value) = values.first else { return nil }
    switch (role, key.role, value.content) {
    case (.string, .bytes, .data(let content)):
      guard let text = String(validating: content, as: UTF8.self), text != "$null" else {
        return nil
      }
      return .text(text)
    case (.number, .integer, .integer), (.number, .real, .single), (.number, .real, .real),
      (.number, .boolean, .boolean):
      return .value(value)
    default: return nil
    }
  }

  /// The elements of a list, if the object is one and has nothing else.
  var elements: [NibValue]? { role == .list ? inlined : nil }

  /// The keys and values of a dictionary, if the object is one and has nothing else.
  var pairs: (keys: [NibValue], values: [NibValue])? {
    guard role == .pairs, let inlined, inlined.count % 2 == 0 else { return nil }
    let keys = stride(from: 0, to: inlined.count, by: 2).map { inlined[$0] }
    return (keys, stride(from: 1, to: inlined.count, by: 2).map { inlined[$0] })
  }

  /// The objects after the flag of inlined elements.
  private var inlined: [NibValue]? {
    guard let (key, flag) = values.first, key.role == .inlined, case .boolean(true) = flag.content
    else { return nil }
    var elements: [NibValue] = []
    for (key, value) in values.dropFirst() {
      guard key.role == .unnamed else { return nil }
      switch value.content {
      case .object, .null: elements.append(value)
      default: return nil
      }
    }
    return elements
  }

  /// The values in their order; those without a key, if there are several, as one list where the first is.
  var members: [(key: NibKey, values: [NibValue], isList: Bool)] {
    let unnamed = values.filter { $0.key.role == .unnamed }.map(\.value)
    guard unnamed.count > 1 else { return values.map { ($0.key, [$0.value], false) } }
    var members: [(key: NibKey, values: [NibValue], isList: Bool)] = []
    var isListed = false
    for (key, value) in values {
      if key.role != .unnamed {
        members.append((key, [value], false))
      } else if !isListed {
        isListed = true
        members.append((key, unnamed, true))
      }
    }
    return members
  }
}

extension NibValue {
  /// A point, size, rectangle or insets in the form that NSKeyedArchiver gives them, `{{0, 0}, {320, 480}}`.
  ///
  /// UIKit's encoder writes a 7 and two or four doubles, older versions a 6 and as many floats. Nil for other values, and
  /// for numbers that are not finite.
  func geometry(under key: NibKey) -> String? {
    guard key.role == .other, case .data(let bytes) = content, let kind = bytes.first,
      kind == 6 || kind == 7
    else { return nil }
    let width = kind == 7 ? 8 : 4
    guard bytes.count == 1 + 2 * width || bytes.count == 1 + 4 * width else { return nil }
    let numbers = stride(from: 1, to: bytes.count, by: width).map { offset in
      let bits = bytes[offset..<offset + width].reversed().reduce(0) { $0 << 8 | UInt64($1) }
      return width == 8
        ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    }
    return geometryText(numbers, isFlat: key.holdsInsets)
  }
}

// MARK: - The values of a NIBArchive's objects: the number of a key, a type, and the content

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
  /// Whether four numbers are distances from the edges, not a rectangle.
  let holdsInsets: Bool

  init(_ name: String, index: UInt32) {
    self.index = index
    role = Self.roles[name] ?? .other
    holdsInsets = name.hasSuffix("Insets") || name.hasSuffix("Margins")
  }
}

struct NibValue {
  enum Content {
    case integer(Int64)
    case boolean(Bool)
    case single(Float)
    case real(Double)
    case data(ByteView)
    case null
    /// The number of another object, or of the same.
    case object(Int)
  }

  let key: Int
  let content: Content
  /// Where the value begins; for bytes where those begin.
  let offset: Int

  init(_ cursor: inout ByteCursor) throws(ArchiveError) {
    var offset = cursor.position
    key = try cursor.variable("the number of a key")
    let location = cursor.position
    let type = try cursor.read(1, "the type of a value")[0]
    let name: String = "a value"
    switch type {
    case 0: content = .integer(Int64(Int8(truncatingIfNeeded: try cursor.number(1, name))))
    case 1: content = .integer(Int64(Int16(truncatingIfNeeded: try cursor.number(2, name))))
    case 2: content = .integer(Int64(Int32(truncatingIfNeeded: try cursor.number(4, name))))
    case 3: content = .integer(Int64(bitPattern: try cursor.number(8, name)))
    case 4, 5: content = .boolean(type == 5)
    case 6:
      let bits = UInt32(truncatingIfNeeded: try cursor.number(4, name))
      content = .single(Float(bitPattern: bits))
    case 7: content = .real(Double(bitPattern: try cursor.number(8, name)))
    case 8:
      let count = try cursor.variable("the length of a data value")
      offset = cursor.position
      content = .data(try cursor.read(count, "a data value"))
    case 9: content = .null
    case 10: content = .object(Int(try cursor.number(4, "the number of an object")))
    default:
      throw ArchiveError(
        .malformed, "a value has the type \(type); the types are 0 to 10", offset: location)
    }
    self.offset = offset
  }
}

// MARK: - The classes that a NIBArchive names

struct NibClass {
  /// What an object of the class represents in Foundation.
  enum Role {
    case string, number, list, pairs, other
  }

  let name: String
  let role: Role
  /// The numbers of the classes to take where the class itself is not there, the best first.
  let fallbacks: [Int]
  let offset: Int

  /// The superclass of a string that has more than its characters; a NIBArchive does not store it.
  var superclassName: String? { name == "NSLocalizableString" ? "NSString" : nil }

  private static let roles: [String: Role] = [
    "NSString": .string, "NSNumber": .number, "NSArray": .list, "NSMutableArray": .list,
    "NSSet": .list, "NSMutableSet": .list, "NSOrderedSet": .list, "NSMutableOrderedSet": .list,
    "NSDictionary": .pairs, "NSMutableDictionary": .pairs,
  ]

  /// Reads the list of classes.
  ///
  /// - Throws: `ArchiveError` for a name that is not UTF-8, or a fallback that is not in the list.
  static func list(_ bytes: ByteView, _ list: NibHeader.List) throws(ArchiveError) -> [NibClass] {
    var cursor = ByteCursor(nib: bytes, at: list.offset)
    var classes: [NibClass] = []
    classes.reserveCapacity(list.count)
    for _ in 0..<list.count { classes.append(try NibClass(&cursor, among: list.count)) }
    return classes
  }

  private init(_ cursor: inout ByteCursor, among count: Int) throws(ArchiveError) {
    offset = cursor.position
    let length = try cursor.variable("the length of a class name")
    let fallbackCount = try cursor.variable("the number of fallback classes")
    var fallbacks: [Int] = []
    for _ in 0..<fallbackCount {
      let location = cursor.position
      let number = Int(try cursor.number(4, "the number of a fallback class"))
      guard number < count else {
        throw ArchiveError(
          .malformed, "a class has the fallback class \(number), but there are \(count)",
          offset: location)
      }
      fallbacks.append(number)
    }
    let content = try cursor.read(length, "a class name")
    // The length counts the zero at the end.
    let isEnded = content.last == 0
    let text = ByteView(rebasing: isEnded ? content.dropLast() : content[...])
    guard let name = String(validating: text, as: UTF8.self), !name.isEmpty else {
      throw ArchiveError(
        .malformed, "a class name of a NIBArchive must be UTF-8 and not empty", offset: offset)
    }
    self.name = name
    role = Self.roles[name] ?? .other
    self.fallbacks = fallbacks
  }
}
