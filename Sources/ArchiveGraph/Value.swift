// The value of a node, without its encoding and its archive's conventions.

import ArchiveBasics

/// The value of a node.
///
/// Containers list nodes, not values: values are read on demand.
public enum Value {
  /// nil, NSNull, or the binary property list null.
  case null
  /// A boolean.
  case boolean(Bool)
  /// An integer that 64 signed bits hold.
  case integer(Int64)
  /// An integer above `Int64.max`.
  case unsigned(UInt64)
  /// An integer that only 128 bits hold.
  case wide(WideInteger)
  /// A real of 8 bytes.
  case real(Double)
  /// A real of 4 bytes.
  case single(Float)
  /// A date in seconds from 2001-01-01T00:00:00Z.
  case date(Double)
  /// Bytes.
  case data(ByteView)
  /// A string.
  case string(Text)
  /// A UID that is shown as stored (in a keyed archive, UIDs are followed instead).
  case uid(UInt64)
  /// An array.
  case array(Elements)
  /// A set, in stored order.
  case set(Elements)
  /// An ordered set.
  case orderedSet(Elements)
  /// A dictionary; its keys may be any values.
  case dictionary(Pairs)
  /// An object of an application's class, or of a class without a plain value.
  case object(ClassIndex, Pairs)

  /// Whether the value contains nodes.
  @inlinable
  public var isContainer: Bool {
    switch self {
    case .array, .set, .orderedSet, .dictionary, .object: return true
    default: return false
    }
  }
}

extension Value {
  /// What kind of value it is, in words.
  package var typeName: String {
    switch self {
    case .null: "null"
    case .boolean: "boolean"
    case .integer, .unsigned, .wide: "integer"
    case .real, .single: "real"
    case .date: "date"
    case .data: "data"
    case .string: "string"
    case .uid: "UID"
    case .array: "array"
    case .set: "set"
    case .orderedSet: "ordered set"
    case .dictionary: "dictionary"
    case .object: "object"
    }
  }

  /// A string; nil for other values.
  package var text: Text? { if case .string(let text) = self { text } else { nil } }

  /// The bytes of data; nil for other values.
  package var bytes: ByteView? { if case .data(let bytes) = self { bytes } else { nil } }

  /// A date in seconds from 2001-01-01T00:00:00Z; nil for other values.
  package var seconds: Double? { if case .date(let seconds) = self { seconds } else { nil } }

  /// A boolean, also as 0 or 1; nil for other values.
  package var flag: Bool? {
    switch self {
    case .boolean(let flag): flag
    case .integer(let number): number != 0
    default: nil
    }
  }

  /// An integer, also as a real without a fraction; nil for other values.
  package var integral: Int64? {
    switch self {
    case .integer(let number): number
    case .real(let number): Int64(exactly: number)
    case .single(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// A number of any type as a real; nil for other values.
  package var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .wide(let number): Double(number.number)
    case .real(let number): number
    case .single(let number): Double(number)
    default: nil
    }
  }
}

/// An integer of 128 bits in two halves, so that values are aligned to eight bytes.
public struct WideInteger: Hashable, Sendable, CustomStringConvertible {
  /// The upper half, with the sign.
  public let high: Int64
  /// The lower half.
  public let low: UInt64

  /// Halves as they are stored.
  @inlinable
  public init(high: Int64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The halves of a number.
  package init(_ number: Int128) {
    (high, low) = (Int64(truncatingIfNeeded: number >> 64), UInt64(truncatingIfNeeded: number))
  }

  /// The number.
  package var number: Int128 { Int128(high) << 64 | Int128(low) }

  /// All digits.
  public var description: String { "\(number)" }
}

/// The number of a class in `ObjectGraph.classes`.
public typealias ClassIndex = Int

/// The nodes of a container, read from its bytes one by one.
@frozen
public struct Elements {
  /// The first reference.
  public let start: UnsafeRawPointer
  /// The number of nodes.
  public let count: Int
  /// The document that references are indexes into.
  public let document: UInt32
  @usableFromInline let narrowWidth: UInt8

  /// How many bytes a reference takes; 0 if `start` points at `Node` values instead.
  @inlinable @inline(__always)
  public var width: Int { Int(narrowWidth) }

  /// Elements that are references within a document.
  ///
  /// - Parameter width: at most 8, as a reference has bytes.
  @inlinable @inline(__always)
  public init(start: UnsafeRawPointer, count: Int, width: Int, document: UInt32) {
    self.start = start
    self.count = count
    self.document = document
    narrowWidth = UInt8(truncatingIfNeeded: width)
  }
}

/// The keys and values of a dictionary, or the fields of an object.
///
/// Values are read everywhere, so it is small: keys and values have their number, width and document in common.
@frozen
public struct Pairs {
  @usableFromInline let firstKey: UnsafeRawPointer
  @usableFromInline let firstValue: UnsafeRawPointer
  @usableFromInline let storedCount: Int
  @usableFromInline let document: UInt32
  @usableFromInline let narrowWidth: UInt8
  /// The owner in one word: the position of an object's class, -1 for a dictionary, -2 for an archive.
  @usableFromInline let ownerNumber: Int

  /// The keys.
  @inlinable @inline(__always)
  public var keys: Elements {
    Elements(start: firstKey, count: storedCount, width: Int(narrowWidth), document: document)
  }

  /// The values, as many.
  @inlinable @inline(__always)
  public var values: Elements {
    Elements(start: firstValue, count: storedCount, width: Int(narrowWidth), document: document)
  }

  /// What pairs belong to.
  @frozen
  public enum Owner {
    /// A dictionary.
    case dictionary
    /// An archive: they are its top-level values.
    case archive
    /// An object; the stored pair at a position is its class (`$class`), and none of its fields.
    case object(classPosition: Int)
  }

  /// What they belong to.
  @inlinable @inline(__always)
  public var owner: Owner {
    switch ownerNumber {
    case -1: .dictionary
    case -2: .archive
    default: .object(classPosition: ownerNumber)
    }
  }

  /// Makes pairs of keys and values of equal number, of one document and with references of one width.
  @inlinable @inline(__always)
  public init(keys: Elements, values: Elements, of owner: Owner = .dictionary) {
    firstKey = keys.start
    firstValue = values.start
    storedCount = keys.count
    document = keys.document
    narrowWidth = keys.narrowWidth
    ownerNumber =
      switch owner {
      case .dictionary: -1
      case .archive: -2
      case .object(let position): position
      }
  }

  /// Whether these are fields, whose keys an archiver mangles, not a dictionary's pairs.
  @inlinable @inline(__always)
  public var isFields: Bool { ownerNumber != -1 }

  /// The position of the stored pair that is an object's class; nil if these are not the fields of an object.
  @inlinable @inline(__always)
  public var classPosition: Int? { isObject ? ownerNumber : nil }

  /// Whether these are the fields of an object.
  @inlinable @inline(__always)
  public var isObject: Bool { ownerNumber >= 0 }

  /// The number of pairs.
  @inlinable @inline(__always)
  public var count: Int { storedCount &- (isObject ? 1 : 0) }

  /// The stored position of a pair.
  @inlinable @inline(__always)
  public func position(_ index: Int) -> Int {
    isObject && index >= ownerNumber ? index &+ 1 : index
  }
}

// MARK: - A node is a number without a heap object

/// A value in an `ObjectGraph`: which document it is stored in, and its index there.
///
/// Two nodes are equal exactly when they are the same stored value, so identity survives:
/// a shared reference is one node, and a cycle leads back to an earlier node.
@frozen
public struct Node: Hashable, Sendable {
  /// The document's number within the graph; 0 is the input itself, others are nested in it.
  public let document: UInt32
  /// The index of the value within the document's table.
  public let index: UInt32

  /// Makes a node from its numbers.
  @inlinable
  public init(document: UInt32, index: UInt32) {
    self.document = document
    self.index = index
  }
}

// MARK: - A class as an archive names it

/// A class that objects of a graph have.
public struct ClassDescription: Hashable, Sendable {
  /// The name as stored, mangled or not.
  package let name: String
  /// The name as people read it.
  package let displayName: String
  /// The class and its superclasses up to the root, as stored; may be empty.
  package let chain: [String]
  /// The classes to take where the class itself is not there, the best first, as stored.
  package let hints: [String]
  /// The versions of the chain's classes, which typedstreams have; empty if they are all 0.
  package let versions: [Int64]

  /// Makes a description.
  package init(
    name: String, displayName: String, chain: [String], hints: [String] = [],
    versions: [Int64] = []
  ) {
    self.name = name
    self.displayName = displayName
    self.chain = chain
    self.hints = hints
    self.versions = versions
  }

  /// An unarchiver treats names that are equal in Unicode but differ in code points as those of two classes.
  public static func == (left: ClassDescription, right: ClassDescription) -> Bool {
    left.name.hasSameScalars(as: right.name) && left.chain.haveSameScalars(as: right.chain)
      && left.hints.haveSameScalars(as: right.hints) && left.versions == right.versions
      && left.displayName.hasSameScalars(as: right.displayName)
  }

  /// Equal code points give equal hashes; Swift's hash is equal for all names that Unicode considers equal.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(chain)
  }

  /// Whether only the name describes the class: it derives directly from NSObject and has no fallback classes.
  var isPlain: Bool {
    hints.isEmpty
      && (chain.isEmpty || chain.haveSameScalars(as: [name, "NSObject"])
        || chain.haveSameScalars(as: [name]))
  }
}
