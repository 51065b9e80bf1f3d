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

  // MARK: Stored form

  static let storedForm = StoredForm.made(
    StoredFormMaker(shown: []) { value throws(FormRefusal) in
      guard let text = value.text?.string, let bytes = bytes(of: text) else {
        throw FormRefusal(reason: "it is not the text of a UUID")
      }
      return [StoredField("NS.uuidbytes", .bytes(bytes))]
    })

  /// The bytes of a UUID's text; nil for other text.
  static func bytes(of text: String) -> [UInt8]? {
    let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard groups.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
    let digits = groups.flatMap { $0 }
    let bytes = stride(from: 0, to: 32, by: 2).compactMap {
      UInt8(hexadecimal: digits[$0..<$0 + 2])
    }
    return bytes.count == 16 ? bytes : nil
  }

  // MARK: Fields

  static let fieldRules = [
    FieldRule(.uuidBytes, [Marker.data], "data of 16 bytes", byteCount: 16)
  ]
}
