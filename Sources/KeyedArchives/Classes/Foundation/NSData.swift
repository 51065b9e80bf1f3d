// NSData as an object of its own: mutable data always (`NS.data`, or `NS.bytes` inline;
// swift-corelibs-foundation: NSData.swift).

import ObjectGraph
import TypedStreams

/// NSData and NSMutableData.
enum NSDataClass: FrameworkClass {
  static let classNames = ["NSData", "NSMutableData"]
  static let shown = "the bytes, or the archive in them"
  static let storedForm = StoredForm.value
  static let isLeaf = true

  static func value(of object: ArchivedObject) -> Value? {
    for key in [KnownKey.data, .bytes] {
      // Never through another object: a chain of them could be without end.
      if let node = object.field(key), case .data(let bytes)? = object.flat(node) {
        return .data(bytes)
      }
    }
    return nil
  }

  // MARK: Fields

  static let fieldRules = [
    FieldRule(.data, [Marker.data], "data")
  ]

  // MARK: Typedstreams

  static let streamLayouts: [String: StreamLayout] = [
    "NSData": .data, "NSMutableData": .mutableData,
  ]
}
