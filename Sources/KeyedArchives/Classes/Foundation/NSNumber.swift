// NSNumber as an object of its own, as older archivers wrote it: `NS.number`, or to other coders one of `NS.boolval`,
// `NS.intval` and `NS.dblval` (swift-corelibs-foundation: NSNumber.swift).

import ObjectGraph
import TypedStreams

/// NSNumber.
enum NSNumberClass: FrameworkClass {
  static let classNames = ["NSNumber"]
  static let shown = "the number or boolean"
  static let storedForm = StoredForm.value
  static let isLeaf = true

  static func value(of object: ArchivedObject) -> Value? {
    for key in [KnownKey.number, .boolValue, .intValue, .doubleValue] {
      guard let node = object.field(key) else { continue }
      guard let value = object.flat(node) else { return nil }
      switch value {
      case .integer(let number) where key == .boolValue: return .boolean(number != 0)
      case .boolean, .integer, .unsigned, .wide, .real, .single: return value
      default: return nil
      }
    }
    return nil
  }

  // MARK: Typedstreams

  static let streamLayouts: [String: StreamLayout] = [
    "NSNumber": .number
  ]
}
