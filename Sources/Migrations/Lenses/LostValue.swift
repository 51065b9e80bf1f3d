// What a direction of a lens cannot carry, and where the way back would put it.

import Basics
import ObjectGraph
import Schemas

/// Where in a model an operation met a value: an operation of a lens, and the elements that `map` was at.
struct InstanceLocation: Hashable {
  /// `v1-v2`.
  let lens: String
  /// `/lens/2/in/lens/0`.
  let operation: String
  /// The elements and keys of the lists and dictionaries around it, outermost first.
  let elements: [Element]

  /// An element of a list, or the key of a dictionary: keys that are spelt differently are two.
  enum Element: Hashable {
    case index(Int)
    case key(CodePointString)
    /// The one element of a list with a member of this value.
    case identified(by: CodePointString, as: Identity)
  }

  /// The value of a member that elements are followed by.
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
    /// That a member was absent: the way back gives it a default, or makes an empty list or object of it.
    case absent
    /// That an object was there and empty.
    case empty
    /// The elements of a list behind its first.
    case rest
    /// The classes, the storage and the sharing of all objects: the value is the model as it was.
    case structure
    /// How a text spells its value: the way back spells the same value otherwise.
    case spelling
    /// The members of an object beside the one that it became.
    case others
    /// The order of a list that became a dictionary.
    case order
  }

  let place: InstanceLocation
  /// What about it is lost.
  public let kind: Kind
  /// What the operation does: `remove note`.
  public let title: String
  /// Where the value stood in the model before the lens.
  public let path: String
  /// The value; nil where its being absent or empty is what is lost.
  let value: SyntheticValue?
  /// What became of it; nil if nothing did.
  let became: SyntheticValue?
  /// What about it would come back, for messages: `"007" comes back as "7"`.
  var note: String?
  /// How the object held it; nil for a value of anything but an object, and for one that may be held in one way only.
  var storage: FieldStorage?
  /// Traces of the list elements that it hangs on, outermost first: one for each index of its place.
  var anchors: [String] = []

  /// How many elements of lists are around it that are found by their position alone.
  var indexCount: Int {
    place.elements.count { if case .index = $0 { true } else { false } }
  }

  /// The lens: `v1-v2`.
  public var lens: String { place.lens }
  /// The operation, a JSON Pointer into the lens file.
  public var operation: String { place.operation }
}

/// Values that were kept when a lens lost them, found again by their places.
struct KeptValues {
  private var values: [InstanceLocation: LostValue] = [:]
  /// The places of values with anchors, by the elements around them.
  private var anchored: [[InstanceLocation.Element]: [InstanceLocation]] = [:]
  /// Those that the way back has not asked for.
  private(set) var unused: Set<InstanceLocation> = []

  init(_ values: [LostValue] = []) {
    for value in values {
      self.values[value.place] = value
      unused.insert(value.place)
      if value.anchors.isEmpty { continue }
      let elements = value.place.elements
      for end in elements.indices {
        anchored[Array(elements[...end]), default: []].append(value.place)
      }
    }
  }

  /// Whether any value has anchors.
  var hasAnchors: Bool { !anchored.isEmpty }

  /// The values with anchors that an operation of a lens, or one inside it, may find at some elements or inside them.
  func anchored(at elements: [InstanceLocation.Element], _ lens: String, _ operation: String)
    -> [LostValue]
  {
    (anchored[elements] ?? []).compactMap { place in
      let isInside = place.operation == operation || place.operation.hasPrefix(operation + "/")
      return place.lens == lens && isInside ? values[place] : nil
    }
  }

  /// Whether a value was kept in or below some elements.
  func holds(_ elements: [InstanceLocation.Element]) -> Bool {
    values.keys.contains { $0.elements.starts(with: elements) }
  }

  /// Lets a value go that belongs to something else by now.
  mutating func forget(_ place: InstanceLocation) { values[place] = nil }

  /// Whether nothing was kept, as in most runs.
  var isEmpty: Bool { values.isEmpty }

  /// The value that was lost at a place.
  mutating func take(_ place: InstanceLocation) -> LostValue? {
    guard let value = values[place] else { return nil }
    unused.remove(place)
    return value
  }

  /// Keeps a value that the same run has lost: a later lens of it may give it back.
  mutating func keep(_ value: LostValue) {
    values[value.place] = value
    unused.insert(value.place)
  }

  /// The values that nobody asked for.
  var rest: [LostValue] { unused.compactMap { values[$0] } }
}
