// NSNull: an object without keys.

import ObjectGraph

/// NSNull.
enum NSNullClass: ArchivedClass {
  static let classNames = ["NSNull"]
  static let shown = "null"
  static let isLeaf = true

  static func value(of object: ArchivedObject) -> Value? { .null }
}
