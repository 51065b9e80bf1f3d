// NSArray: `NS.objects`, or `NS.object.0`, `NS.object.1`, … in older archives (swift-corelibs-foundation: NSArray.swift).

import ObjectGraph
import TypedStreams

/// NSArray and NSMutableArray.
enum NSArrayClass: FrameworkClass {
  static let classNames = ["NSArray", "NSMutableArray"]
  static let shown = "the elements"
  static let storedForm = StoredForm.value
  static let resolvedKind = ResolvedTable.Kind.array
  static let isCollection = true

  static func value(of object: ArchivedObject) -> Value? {
    object.listedElements().map { .array($0) }
  }

  // MARK: Fields

  static let fieldRules = [
    FieldRule(.objects, [Marker.array], "an array")
  ]

  // MARK: Typedstreams

  static let streamLayouts: [String: StreamLayout] = [
    "NSArray": .list, "NSMutableArray": .list,
  ]
}
