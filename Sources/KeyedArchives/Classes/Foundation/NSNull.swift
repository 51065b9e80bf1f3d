// NSNull: an object without keys.

import ObjectGraph
import TypedStreams

/// NSNull.
enum NSNullClass: FrameworkClass {
  static let classNames = ["NSNull"]
  static let shown = "null"
  static let storedForm = StoredForm.value
  static let isLeaf = true

  static func value(of object: ArchivedObject) -> Value? { .null }

  // MARK: Typedstreams

  static let streamLayouts: [String: StreamLayout] = [
    "NSNull": .null
  ]
}
