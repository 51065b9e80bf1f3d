// NSUUID: `NS.uuidbytes`, 16 bytes (swift-corelibs-foundation: NSUUID.swift).

import Basics
import ObjectGraph

/// NSUUID.
enum NSUUIDClass: FrameworkClass {
  static let classNames = ["NSUUID"]
  static let shown = "the identifier in hexadecimal"
  static let isSimple = true

  static func value(of object: ArchivedObject) -> Value? {
    guard let bytes = object.data(.uuidBytes), bytes.count == 16 else { return nil }
    return object.derivedText { text(of: bytes) }
  }

  /// The bytes in upper-case hexadecimal, grouped 8-4-4-4-12 as NSUUID prints them.
  static func text(of bytes: UnsafeRawBufferPointer) -> String {
    var text = ""
    for (position, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(position) { text += "-" }
      text += hexadecimal(byte)
    }
    return text.uppercased()
  }

  // MARK: Fields

  static let fieldRules = [
    FieldRule(.uuidBytes, [Marker.data], "data of 16 bytes", byteCount: 16)
  ]
}
