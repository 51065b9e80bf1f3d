// NSDate: `NS.time`, seconds from 2001-01-01T00:00:00Z (swift-corelibs-foundation: NSDate.swift).

import ObjectGraph
import TypedStreams

/// NSDate; archives hold no mutable one but old names of it.
enum NSDateClass: FrameworkClass {
  static let classNames = ["NSDate", "NSCalendarDate", "__NSDate"]
  static let shown = "the time in ISO 8601"
  static let storedForm = StoredForm.value
  static let isLeaf = true

  static func value(of object: ArchivedObject) -> Value? {
    guard let node = object.field(.time) else { return nil }
    switch object.flat(node) {
    case .real(let seconds)?: return .date(seconds)
    case .single(let seconds)?: return .date(Double(seconds))
    case .integer(let seconds)?: return .date(Double(seconds))
    default: return nil
    }
  }

  // MARK: Fields

  static let fieldRules = [
    FieldRule(.time, [Marker.real, Marker.integer], "a real")
  ]

  // MARK: Typedstreams

  static let streamLayouts: [String: StreamLayout] = [
    "NSDate": .date, "NSCalendarDate": .date,
  ]
}
