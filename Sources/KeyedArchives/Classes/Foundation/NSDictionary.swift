// NSDictionary: `NS.keys` and `NS.objects`, or `NS.key.0`, `NS.object.0`, … in older archives
// (swift-corelibs-foundation: NSDictionary.swift).

import ObjectGraph
import TypedStreams

/// NSDictionary and NSMutableDictionary.
enum NSDictionaryClass: FrameworkClass {
  static let classNames = ["NSDictionary", "NSMutableDictionary"]
  static let shown = "the keys and values"
  static let storedForm = StoredForm.value
  static let resolvedKind = ResolvedTable.Kind.dictionary

  static func value(of object: ArchivedObject) -> Value? {
    if let keys = object.list(.keys), let values = object.list(.objects) {
      guard keys.count == values.count else { return nil }
      return .dictionary(Pairs(keys: keys, values: values))
    }
    if object.field(.keys) != nil || object.field(.objects) != nil { return nil }
    let remembered = object.graph.derivedValue(of: object.node) { derived in
      guard let keys = object.indexed("NS.key."), let values = object.indexed("NS.object."),
        keys.count == values.count, !keys.isEmpty || object.isBare
      else { return .null }
      return .dictionary(Pairs(keys: derived.elements(keys), values: derived.elements(values)))
    }
    if case .dictionary = remembered { return remembered }
    return nil
  }

  static func fault(in object: ArchivedObject) -> String? {
    guard let keys = object.list(.keys), let values = object.list(.objects),
      keys.count != values.count
    else { return nil }
    return unequal(keys: keys.count, objects: values.count)
  }

  /// The message about different numbers of keys and objects.
  static func unequal(keys: Int, objects: Int) -> String {
    "NS.keys holds \(keys) keys, but NS.objects holds \(objects) objects"
  }

  // MARK: Fields

  static let fieldRules = [
    FieldRule(.keys, [Marker.array], "an array"), FieldRule(.objects, [Marker.array], "an array"),
  ]

  // MARK: Typedstreams

  static let streamLayouts: [String: StreamLayout] = [
    "NSDictionary": .dictionary, "NSMutableDictionary": .dictionary,
  ]
}
