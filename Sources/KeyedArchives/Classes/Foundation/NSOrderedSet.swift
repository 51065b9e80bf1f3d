// NSOrderedSet: `NS.object.0`, `NS.object.1`, … (swift-corelibs-foundation: NSOrderedSet.swift).

import ObjectGraph

/// NSOrderedSet and NSMutableOrderedSet.
enum NSOrderedSetClass: FrameworkClass {
  static let classNames = ["NSOrderedSet", "NSMutableOrderedSet"]
  static let shown = "the elements in their order"
  static let storedForm = StoredForm.value
  static let resolvedKind = ResolvedTable.Kind.orderedSet
  static let isCollection = true

  static func value(of object: ArchivedObject) -> Value? {
    object.listedElements().map { .orderedSet($0) }
  }

  // MARK: Fields

  static let fieldRules = [
    FieldRule(.objects, [Marker.array], "an array")
  ]
}
