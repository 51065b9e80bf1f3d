// NSSet: its elements as NSArray archives them (swift-corelibs-foundation: NSSet.swift).

import ObjectGraph
import TypedStreams

/// NSSet and NSMutableSet.
enum NSSetClass: FrameworkClass {
  static let classNames = ["NSSet", "NSMutableSet"]
  static let shown = "the elements"
  static let storedForm = StoredForm.value
  static let resolvedKind = ResolvedTable.Kind.set
  static let isCollection = true

  static func value(of object: ArchivedObject) -> Value? {
    object.listedElements().map { .set($0) }
  }

  // MARK: Fields

  static let fieldRules = [
    FieldRule(.objects, [Marker.array], "an array")
  ]

  // MARK: Typedstreams

  static let streamLayouts: [String: StreamLayout] = [
    "NSSet": .list, "NSMutableSet": .list,
  ]
}
