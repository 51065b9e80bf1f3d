// What a direction of a lens cannot carry, and where the way back would put it.

import ObjectGraph
import Schemas

/// Where in a model an operation met a value: an operation of a lens, and the elements that `map` was at.
struct LensPlace: Hashable {
  /// `v1-v2`.
  let lens: String
  /// `/lens/2/in/lens/0`.
  let operation: String
  /// The elements and keys of the lists and dictionaries around it, outermost first.
  let elements: [Element]

  /// An element of a list, or the key of a dictionary: keys that are spelt differently are two.
  enum Element: Hashable {
    case index(Int)
    case key(ExactText)

    init(_ step: GraphPath.Step) {
      switch step {
      case .index(let index): self = .index(index)
      case .key(let key), .content(let key): self = .key(ExactText(key))
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

  let place: LensPlace
  /// What about it is lost.
  public let kind: Kind
  /// What the operation does: `remove note`.
  public let title: String
  /// Where the value stood in the model before the lens.
  public let path: String
  /// The value; nil where its being absent or empty is what is lost.
  let value: DerivedForm?
  /// What became of it; nil if nothing did.
  let became: DerivedForm?
  /// What about it would come back, for messages: `"007" comes back as "7"`.
  var note: String?

  /// The lens: `v1-v2`.
  public var lens: String { place.lens }
  /// The operation, a JSON Pointer into the lens file.
  public var operation: String { place.operation }
}

/// Values that were kept when a lens lost them, found again by their places.
struct KeptValues {
  private var values: [LensPlace: LostValue] = [:]
  /// Those that the way back has not asked for.
  private(set) var unused: Set<LensPlace> = []

  init(_ values: [LostValue] = []) {
    for value in values {
      self.values[value.place] = value
      unused.insert(value.place)
    }
  }

  /// Whether nothing was kept, as in most runs.
  var isEmpty: Bool { values.isEmpty }

  /// The value that was lost at a place.
  mutating func take(_ place: LensPlace) -> LostValue? {
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
