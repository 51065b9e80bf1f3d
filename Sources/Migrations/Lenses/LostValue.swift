// A value that a direction of a lens cannot carry, and the location to restore it to.

import Basics
import KeyedArchives
import ObjectGraph
import Schemas

/// The location where an operation handled a value: the operation of a lens, and the elements that `map` was at.
struct InstanceLocation: Hashable {
  /// `v1-v2`.
  let lens: String
  /// `/lens/2/in/lens/0`.
  let operation: String
  /// The elements and keys of the lists and dictionaries that enclose it, outermost first.
  let elements: [Element]

  /// An element of a list, or the key of a dictionary: keys with different code points are different.
  enum Element: Hashable {
    case index(Int)
    case key(CodePointString)
    /// The only element of a list with a member of this value.
    case identified(by: CodePointString, as: Identity)
  }

  /// The value of the member that identifies elements.
  enum Identity: Hashable {
    case text(CodePointString)
    case number(Int64)

    init?(_ scalar: SyntheticValue?) {
      switch scalar {
      case .string(let text)?: self = .text(CodePointString(text))
      case .integer(let number)?: self = .number(number)
      default: return nil
      }
    }
  }
}

/// A value that an operation could not carry.
public struct LostValue {
  /// What about it is lost.
  public enum Kind: String, Sendable {
    /// A value.
    case value
    /// The absence of a member: the inverse creates a default, or an empty list or object.
    case absent
    /// The existence of an empty object.
    case empty
    /// The elements of a list after the first.
    case rest
    /// The classes, the storage and the sharing of all objects: the value is the original model.
    case structure
    /// The notation of a text: the inverse writes the same value differently.
    case notation = "spelling"
    /// The other members of an object that was replaced with one member.
    case others
    /// The order of a list that became a dictionary.
    case order
    /// Whether an object stores a number inline or boxed: the inverse stores it the other way.
    case storage
  }

  let location: InstanceLocation
  /// What about the value is lost.
  public let kind: Kind
  /// The operation's effect: `remove note`.
  public let title: String
  /// The path of the value in the model before the lens.
  public let path: GraphPath
  /// The value; nil if its absence or emptiness is what is lost.
  let value: SyntheticValue?
  /// The value after the operation; nil if none remains.
  let became: SyntheticValue?
  /// What would be restored, for messages: `"007" comes back as "7"`.
  var note: String?
  /// How the object stored it; nil for a value outside objects, and for one with only one possible storage.
  var storage: FieldStorage?
  /// Hashes of the list elements that it belongs to, outermost first: one for each index of its location.
  var anchors: [String] = []

  /// Its kind in the table of losses.
  var lossKind: StoredDifference.Kind { archiveLoss ?? kind.lossKind }
  /// The kind of what an archive in a data value loses; nil for other values.
  var archiveLoss: StoredDifference.Kind?

  /// How many enclosing list elements are identified by position only.
  var indexCount: Int {
    location.elements.count { if case .index = $0 { true } else { false } }
  }

  /// The lens: `v1-v2`.
  public var lens: String { location.lens }
  /// The operation, a JSON Pointer into the lens file.
  public var operation: String { location.operation }
}

/// Values that were kept when a lens lost them, found again by their locations.
struct KeptValues {
  private var values: [InstanceLocation: LostValue] = [:]
  /// The locations of values with anchors, by the enclosing elements.
  private var anchored: [[InstanceLocation.Element]: [InstanceLocation]] = [:]
  /// Those that the inverse has not requested.
  private(set) var unused: Set<InstanceLocation> = []

  init(_ values: [LostValue] = []) {
    for value in values {
      keep(value)
      if value.anchors.isEmpty { continue }
      let elements = value.location.elements
      for end in elements.indices {
        anchored[Array(elements[...end]), default: []].append(value.location)
      }
    }
  }

  /// Whether any value has anchors.
  var hasAnchors: Bool { !anchored.isEmpty }

  /// The values with anchors that an operation of a lens, or a nested one, may find at or inside some elements.
  func anchored(at elements: [InstanceLocation.Element], _ lens: String, _ operation: String)
    -> [LostValue]
  {
    (anchored[elements] ?? []).compactMap { location in
      let isInside =
        location.operation == operation || location.operation.hasPrefix(operation + "/")
      return location.lens == lens && isInside ? values[location] : nil
    }
  }

  /// Whether a value was kept at or below some elements.
  func holds(_ elements: [InstanceLocation.Element]) -> Bool {
    values.keys.contains { $0.elements.starts(with: elements) }
  }

  /// Discards a value that no longer belongs to its element.
  mutating func forget(_ location: InstanceLocation) { values[location] = nil }

  /// Whether nothing was kept, as in most runs.
  var isEmpty: Bool { values.isEmpty }

  /// The value that was lost at a location.
  mutating func use(_ location: InstanceLocation) -> LostValue? {
    unused.remove(location)
    return values[location]
  }

  /// Keeps a value that the same run has lost: a later lens of the run may restore it.
  mutating func keep(_ value: LostValue) {
    values[value.location] = value
    unused.insert(value.location)
  }

  /// The values that were not requested.
  var unusedValues: [LostValue] { unused.compactMap { values[$0] } }
}
