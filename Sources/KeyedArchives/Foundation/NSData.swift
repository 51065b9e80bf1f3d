// NSData as an object of its own: mutable data always (`NS.data`, or `NS.bytes` inline;
// swift-corelibs-foundation: NSData.swift).

import ObjectGraph

/// NSData and NSMutableData.
enum NSDataClass: ArchivedClass {
  static let classNames = ["NSData", "NSMutableData"]

  static func value(of object: ArchivedObject) -> Value? {
    (object.data(.data) ?? object.data(.bytes)).map { .data($0) }
  }
}
