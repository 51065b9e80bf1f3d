// A stored container of a table that may have broken values in it.

import Basics
import ObjectGraph

/// The references of a stored container.
struct StoredContainer {
  /// The container's own index.
  let index: UInt32
  /// The first reference.
  let start: UnsafeRawPointer
  /// The number of elements or pairs.
  let count: Int
  /// Whether the references are keys followed by values.
  let isDictionary: Bool

  /// The number of references.
  var referenceCount: Int { isDictionary ? count * 2 : count }
}

extension StoredContainer: WalkedContainer {
  var childCount: Int { referenceCount }

  /// The value that a reference leads to; nil if it leads nowhere.
  func child(_ position: Int, in input: CheckedInput) -> UInt32? {
    input.reference(self, position)
  }

  func step(_ position: Int, in input: CheckedInput) -> GraphPath.Step {
    input.step(self, position) ?? .index(position)
  }
}
