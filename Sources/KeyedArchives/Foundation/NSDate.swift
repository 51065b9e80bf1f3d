// NSDate: `NS.time`, seconds from 2001-01-01T00:00:00Z (swift-corelibs-foundation: NSDate.swift).

import ObjectGraph

/// NSDate; archives hold no mutable one but old names of it.
enum NSDateClass: ArchivedClass {
  static let classNames = ["NSDate", "NSCalendarDate", "__NSDate"]

  static func value(of object: ArchivedObject) -> Value? {
    guard let node = object.field(.time) else { return nil }
    switch object.graph.value(of: node) {
    case .real(let seconds): return .date(seconds)
    case .single(let seconds): return .date(Double(seconds))
    case .integer(let seconds): return .date(Double(seconds))
    default: return nil
    }
  }
}
