// NSNull: an object without keys.

import ObjectGraph

/// NSNull.
enum NSNullClass: ArchivedClass {
  static let classNames = ["NSNull"]

  static func value(of object: ArchivedObject) -> Value? { .null }
}
